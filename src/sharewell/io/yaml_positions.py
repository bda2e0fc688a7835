"""YAML with positions: a file as plain data, and for every key and list item the line and column where it stands.

>>> document = parse("release:\\n  name: demo\\nrequire: [k-anonymity, l-diversity]\\n")
>>> document.plain
{'release': {'name': 'demo'}, 'require': ['k-anonymity', 'l-diversity']}
>>> document.positions["release", "name"], document.positions["require", 1]
((2, 3), (3, 24))

Dates and other exotic scalars stay text. Anchors and aliases work; merge keys (`<<`) and tags have no meaning here.
Nothing of what is said about a broken file quotes its values.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sharewell.errors import Mistake
from sharewell.plain_data import Json

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node
from sharewell.plain_data import JsonObject

Path = tuple[str | int, ...]
Position = tuple[int, int]

_MOST_PLACES = 100_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_TAG = "tag:yaml.org,2002:"


@dataclass
class Document:
    """What a YAML file says, where it says it, and what is wrong with it as YAML."""

    plain: Json = None
    positions: dict[Path, Position] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)
    """Scalars as they were written: 007 stays 007."""
    mistakes: list[Mistake] = field(default_factory=list)

    def at(self, path: Path) -> Position:
        """Where a path stands; for what is missing, where its nearest parent does."""
        while path and path not in self.positions:
            path = path[:-1]
        return self.positions.get(path, (1, 1))


def dotted(path: Path) -> str:
    """A path as messages show it.

    >>> dotted(("datasets", "patients", "require", 0, "k-anonymity", "k"))
    'datasets.patients.require[0].k-anonymity.k'

    Below `recode` the keys are values of the data, which no message shows.

    >>> dotted(("read", "clean", "sex", "recode", "female"))
    'read.clean.sex.recode'
    """
    if "clean" in path and "recode" in path:
        path = path[: path.index("recode") + 1]
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def parse(text: str) -> Document:
    """Read YAML. A file that is not YAML gives one mistake; duplicate keys and bad characters are all listed."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    document = Document(positions={(): (1, 1)})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor used twice is allowed, and the warning would quote the file
            root = YAML(typ="rt", pure=True).compose(text)
    except YAMLError as error:
        document.mistakes.append(_syntax(error, text))
    except RecursionError:
        document.mistakes.append(Mistake(1, 1, "", "not readable: nested too deeply", "a policy needs few levels"))
    else:
        _Builder(document).build(root)
    return document


def _syntax(error: Any, text: str) -> Mistake:
    """Where the YAML breaks, without the words that stand there."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        match = _CONTROL.search(text)
        before = text[: match.start()] if match else ""
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return Mistake(
            line, column, "", "not valid YAML: a character that is not allowed", "save the file as plain UTF-8"
        )
    problem = re.sub(r"'[^'<>]{4,}'|\"[^\"]*\"", "…", str(getattr(error, "problem", "") or "")).split("\n")[0]
    hint = (
        "indent with spaces, not tabs" if "\\t" in problem else "check indentation, colons, quotes and brackets there"
    )
    return Mistake(mark.line + 1, mark.column + 1, "", f"not valid YAML: {problem or 'cannot be read'}", hint)


class _Builder:
    """Walks ruamel's nodes once; every mapping becomes a dict with text keys."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.open: list[int] = []
        self.full = False

    def build(self, root: Node | None) -> None:
        try:
            self.document.plain = None if root is None else self._value(root, ())
        except RecursionError:
            self.document.mistakes.append(Mistake(1, 1, "", "not readable: nested too deeply"))

    def _mistake(self, node: Node, path: Path, what: str, hint: str = "") -> None:
        mark = node.start_mark
        self.document.mistakes.append(Mistake(mark.line + 1, mark.column + 1, dotted(path), what, hint))

    def _value(self, node: Node, path: Path) -> Json:
        from ruamel.yaml.nodes import MappingNode

        if id(node) in self.open:
            self._mistake(node, path, "an alias that contains itself", "write it out")
            return None
        if isinstance(node.value, str):
            return self._scalar(node, path)
        self.open.append(id(node))
        try:
            return self._mapping(node, path) if isinstance(node, MappingNode) else self._sequence(node, path)
        finally:
            self.open.pop()

    def _place(self, node: Node, path: Path) -> bool:
        """Note where a path stands; False once there are more places than a policy can need."""
        if len(self.document.positions) >= _MOST_PLACES:
            if not self.full:
                self._mistake(
                    node, (), f"more than {_MOST_PLACES} entries", "aliases may multiply: write a shorter policy"
                )
            self.full = True
            return False
        self.document.positions[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        return True

    def _mapping(self, node: Node, path: Path) -> JsonObject:
        plain: JsonObject = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node.value, str):
                self._mistake(key_node, path, "a key that is not a word")
                continue
            key = self._clean(key_node, path)
            if key in plain:
                hidden = path[:1] == ("secrets",) or path[-1:] == ("recode",)  # such keys are values
                first = self.document.positions[(*path, key)][0]
                where, what = (path, "a key") if hidden else ((*path, key), f"the key '{key}'")
                self._mistake(key_node, where, f"{what} stands twice, first in line {first}", "keep one")
                continue
            if not self._place(key_node, (*path, key)):
                break
            plain[key] = self._value(value_node, (*path, key))
        return plain

    def _sequence(self, node: Node, path: Path) -> list[Json]:
        plain = []
        for i, item in enumerate(node.value):
            if not self._place(item, (*path, i)):
                break
            plain.append(self._value(item, (*path, i)))
        return plain

    def _scalar(self, node: Node, path: Path) -> Json:
        text = self._clean(node, path)
        self.document.texts[path] = text
        return scalar(text, str(node.tag).removeprefix(_TAG))

    def _clean(self, node: Node, path: Path) -> str:
        if not _CONTROL.search(node.value):
            return str(node.value)
        self._mistake(node, path, "a control character, which has no place in a policy", "take it out")
        return _CONTROL.sub("", node.value)


def scalar(text: str, tag: str) -> Json:
    """A scalar by its YAML tag; what is not a finite number, true, false or nothing stays text.

    >>> scalar("12", "int"), scalar("1e3", "float"), scalar("2026-01-31", "timestamp"), scalar(".nan", "float")
    (12, 1000.0, '2026-01-31', '.nan')
    """
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() == "true" if text.lower() in ("true", "false") else text
    try:
        if tag == "int":
            digits = text.replace("_", "")
            return int(digits, 0) if re.match(r"[-+]?0[xob]", digits) else int(digits)
        if tag == "float" and math.isfinite(number := float(text.replace("_", ""))):
            return number
    except ValueError:
        pass
    return text
