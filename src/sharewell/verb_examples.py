"""Examples of every verb, as its `--help` shows them. A test parses all of them, and runs those of the usual way."""

from __future__ import annotations

import re
from functools import cache


@cache
def examples() -> dict[str, str]:
    """Words of the verb → commands, from `data/verb_examples.txt`: below each verb its examples, indented."""
    from sharewell.io.shipped import shipped_text  # slow to import, and `sharewell --help` shows no example

    blocks = re.findall(r"^(\S.*)\n((?: .*\n)+)", shipped_text("verb_examples.txt"), re.MULTILINE)
    return dict(blocks)


def help_text(words: str) -> str:
    """The end of a verb's help."""
    return f"examples:\n{examples()[words].rstrip()}" if words in examples() else ""
