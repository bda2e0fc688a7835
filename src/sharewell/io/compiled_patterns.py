"""Regular expressions that come with the software, compiled once on a machine: compiling a few dozen long ones takes a
fifth of a second in every process, reading what the compiler made of them does not.

What is kept is the code of each pattern (numbers, no objects) in one file of the user's cache, under a hash of the
pattern (`kept_files` says who may read and write it). It holds for one build of Python; another build makes a file of
its own. Python checks the code before it uses it (`_sre.compile`). Where nothing can be read or written, or Python has
no such compiler, patterns are compiled as usual. Patterns of a user's own rules do not belong here, for they may hold
names, and no pattern of a criterion does: a judge depends on nothing that was kept.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import re
import sys
import time
from array import array
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sharewell.io.kept_files import keep, kept_content, kept_file

try:
    import _sre  # type: ignore[import-not-found]
    from re import _compiler, _parser  # type: ignore[attr-defined]

    _BUILD = f"{sys.implementation.cache_tag} {sys.version} {_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder}"
except (ImportError, AttributeError):  # another Python
    _BUILD = ""
_NUMBER = "I"
_WORTH_KEEPING = 0.02
"""Seconds that compiling took in this process, from which on the patterns are kept."""


class _Code(NamedTuple):
    """What the compiler makes of a pattern."""

    flags: int
    groups: int
    group_numbers: dict[str, int]
    first: int
    """Where its numbers begin among those of all patterns."""
    length: int


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The same as `re.compile`, for a pattern that comes with the software.

    >>> compiled(r"(?P<day>\\d\\d?) (?P<month>may|june)", re.IGNORECASE).match("3 May")["month"]
    'May'
    """
    return _kept().compiled(pattern, flags) if _BUILD else re.compile(pattern, flags)


@cache
def _kept() -> _Kept:
    build = hashlib.sha256(_BUILD.encode()).hexdigest()[:16]
    kept = _Kept.read(kept_file(f"patterns-{build}.bin"))
    atexit.register(kept.save)
    return kept


class _Kept:
    """What is kept, and what this process has compiled besides."""

    def __init__(self, file: Path | None, listed: dict[str, _Code], numbers: memoryview) -> None:
        self._file, self._listed, self._numbers = file, listed, numbers
        self._patterns: dict[tuple[str, int], re.Pattern[str]] = {}
        self._new: dict[str, tuple[_Code, list[int]]] = {}
        self._seconds = 0.0

    @classmethod
    def read(cls, file: Path | None) -> _Kept:
        """Nothing is known where the file is missing, damaged or somebody else's."""
        try:
            head, _, numbers = kept_content(file).partition(b"\n")
            listed = {key: _Code(*code) for key, code in json.loads(head).items()}
        except (ValueError, TypeError, AttributeError):
            return cls(file, {}, memoryview(b""))
        return cls(file, listed, memoryview(numbers))

    def compiled(self, pattern: str, flags: int) -> re.Pattern[str]:
        known = self._patterns.get((pattern, flags))
        if known is None:
            known = self._patterns[pattern, flags] = self._of_code(pattern, flags) or re.compile(pattern, flags)
        return known

    def _of_code(self, pattern: str, flags: int) -> re.Pattern[str] | None:
        """From the code that is kept, else from new code; None if Python refuses it."""
        key = _key(pattern, flags)
        with suppress(ValueError, TypeError, RuntimeError, OverflowError, AttributeError):
            if (code := self._listed.get(key)) is not None:
                return _pattern(pattern, code, self._code_numbers(code))
            began = time.process_time()
            code, numbers = _code(pattern, flags)
            result = _pattern(pattern, code, numbers)
            self._new[key] = code, numbers
            self._seconds += time.process_time() - began
            return result
        return None

    def _code_numbers(self, code: _Code) -> list[int]:
        size = array(_NUMBER).itemsize
        part = array(_NUMBER)
        part.frombytes(self._numbers[code.first * size : (code.first + code.length) * size])
        return part.tolist()

    def save(self) -> None:
        """Keep what is new beside what was kept, if that is possible here and worth it."""
        if self._file is None or self._seconds < _WORTH_KEEPING:
            return
        everything = [(key, code, self._code_numbers(code)) for key, code in self._listed.items()]
        everything += [(key, *new) for key, new in self._new.items()]
        listed: dict[str, _Code] = {}
        all_numbers = array(_NUMBER)
        for key, code, numbers in everything:
            listed[key] = code._replace(first=len(all_numbers), length=len(numbers))
            all_numbers.extend(numbers)
        keep(self._file, json.dumps(listed).encode() + b"\n" + all_numbers.tobytes())


def _key(pattern: str, flags: int) -> str:
    return hashlib.sha256(f"{flags:d} {pattern}".encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _code(pattern: str, flags: int) -> tuple[_Code, list[int]]:
    """What `re.compile` does before it makes the object of a pattern."""
    parsed = _parser.parse(pattern, flags)
    numbers = [int(number) for number in _compiler._code(parsed, flags)]
    state = parsed.state
    return _Code(flags | state.flags, state.groups - 1, dict(state.groupdict), 0, len(numbers)), numbers


def _pattern(pattern: str, code: _Code, numbers: list[int]) -> re.Pattern[str]:
    names: list[str | None] = [None] * (code.groups + 1)
    for name, number in code.group_numbers.items():
        names[number] = name
    result: re.Pattern[str] = _sre.compile(pattern, code.flags, numbers, code.groups, code.group_numbers, tuple(names))
    return result
