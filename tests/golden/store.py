"""The agreed values: compared with what is found, or written anew."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CONSTRAINTS = HERE.parents[1] / "constraints.txt"
AGAIN = (
    "if it is meant: python -m pytest --write-golden tests/golden tests/pipeline/test_examples.py"
    " tests/reports/test_gathering_processes.py, and commit the difference"
)
SHOWN = 20


class Golden:
    """The files of one folder, each a JSON object of agreed values by name."""

    def __init__(self, write: bool = False, folder: Path = HERE, *, compare: bool = True) -> None:
        self.write, self.folder, self.compare = write, folder, compare

    def check(self, file: str, name: str, found: Any) -> None:
        """Fail unless what was found is what was agreed; or, on request, agree to it."""
        self.check_several(file, {name: found})

    def check_several(self, file: str, found: dict[str, Any]) -> None:
        if not self.compare:
            return
        agreed, found = self.read(file), json.loads(json.dumps(found))
        if self.write:
            self._save(file, agreed | found)
            return
        lines = []
        for name, one in found.items():
            lines += differences(agreed[name], one, name) if name in agreed else [f"{name}: new"]
        more = [f"… and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
        told = "\n  ".join([*lines[:SHOWN], *more, *other_versions(), AGAIN])
        assert not lines, f"differs from tests/golden/{file}.json:\n  {told}"

    def check_all(self, file: str, found: dict[str, Any]) -> None:
        """The same, and the file agrees on nothing else."""
        self.check_several(file, found)
        self.names(file, found)

    def names(self, file: str, wanted: Iterable[str]) -> None:
        """Fail if something is agreed of what there is no more; on request, forget it."""
        wanted, agreed = set(wanted), self.read(file)
        if self.write:
            self._save(file, {name: value for name, value in agreed.items() if name in wanted})
            return
        gone, new = sorted(agreed.keys() - wanted), sorted(wanted - agreed.keys())
        assert not gone, f"tests/golden/{file}.json speaks of what is gone: {', '.join(gone)}; {AGAIN}"
        assert not new, f"tests/golden/{file}.json does not speak of {', '.join(new)}; {AGAIN}"

    def read(self, file: str) -> dict[str, Any]:
        path = self.folder / f"{file}.json"
        return json.loads(path.read_text("utf-8")) if path.is_file() else {}

    def _save(self, file: str, content: dict[str, Any]) -> None:
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        (self.folder / f"{file}.json").write_text(text, "utf-8")


def differences(agreed: Any, found: Any, place: str) -> Iterator[str]:
    """Each place where two plain values differ, in words."""
    if isinstance(agreed, dict) and isinstance(found, dict):
        for key in sorted(agreed.keys() | found.keys()):
            inner = f"{place} › {key}"
            if key not in found:
                yield f"{inner}: gone"
            elif key not in agreed:
                yield f"{inner}: new"
            else:
                yield from differences(agreed[key], found[key], inner)
    elif isinstance(agreed, list) and isinstance(found, list) and len(agreed) == len(found):
        for i, (one, other) in enumerate(zip(agreed, found, strict=True)):
            yield from differences(one, other, f"{place} › {i + 1}")
    elif type(agreed) is not type(found) or agreed != found:
        yield f"{place}: was {_short(agreed)}, is {_short(found)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"


def other_versions() -> list[str]:
    """Packages here that are not those of constraints.txt: they may be the reason."""
    told = []
    for line in CONSTRAINTS.read_text().split():
        name, _, wanted = line.partition("==")
        try:
            here = version(name)
        except PackageNotFoundError:
            continue
        if here != wanted:
            told.append(f"{name} {here} is installed, agreed was with {wanted}")
    return told
