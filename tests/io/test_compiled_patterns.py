"""Patterns whose code was kept find what those find that `re` compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sharewell.io import compiled_patterns
from sharewell.io.compiled_patterns import _Kept, compiled
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors

PATTERNS = [rule.pattern for name in shipped_detectors() for rule in shipped(name)]
TEXT = (
    "Seen 3 May 2021 at 12 Elm Street, Springfield, TX 75001 by Dr. Rosa Delgado, MRN 1234567, call 503-555-0142.\n"
    "Ärztin Straße 5, żółw; ſ İ — 10 mg of lisinopril daily, aged 94, www.example.org, 10.0.4.2, b@c.de"
)


def seen(pattern: re.Pattern[str]) -> list[tuple[tuple[int, int], dict[str, str | None]]]:
    return [(match.span(), match.groupdict()) for match in pattern.finditer(TEXT)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "patterns.bin"


@pytest.fixture
def kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> _Kept:
    """What another process reads that one process kept."""
    monkeypatch.setattr(compiled_patterns, "_WORTH_KEEPING", 0.0)
    first = _Kept.read(file)
    for flags in (0, re.IGNORECASE):
        for pattern in PATTERNS:
            first.compiled(pattern, flags)
    first.save()
    return _Kept.read(file)


def test_every_shipped_pattern_is_the_same(kept: _Kept) -> None:
    for flags in (0, re.IGNORECASE):
        for pattern in PATTERNS:
            again, usual = kept.compiled(pattern, flags), re.compile(pattern, flags)
            assert (again, again.groups, dict(again.groupindex)) == (usual, usual.groups, dict(usual.groupindex))
            assert seen(again) == seen(usual)
    assert kept._seconds == 0.0, "nothing was compiled anew"


def test_what_is_new_is_added(kept: _Kept, file: Path) -> None:
    kept.compiled("(?P<new>seen) \\d", 0)
    kept.save()
    third = _Kept.read(file)
    assert len(third._listed) == len(kept._listed) + 1
    assert seen(third.compiled("(?P<new>seen) \\d", 0)) == seen(re.compile("(?P<new>seen) \\d"))


def test_a_damaged_file_counts_for_nothing(kept: _Kept, file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-100] ^= 1
    file.write_bytes(content)
    assert kept._listed
    assert not _Kept.read(file)._listed


def test_code_that_python_refuses_is_compiled_anew(kept: _Kept) -> None:
    pattern = PATTERNS[0]
    key = compiled_patterns._key(pattern, 0)
    kept._listed[key] = kept._listed[key]._replace(first=3)
    assert seen(kept.compiled(pattern, 0)) == seen(re.compile(pattern))


def test_another_python_compiles_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_patterns, "_BUILD", "")
    assert compiled("a(?P<b>c)", re.IGNORECASE) == re.compile("a(?P<b>c)", re.IGNORECASE)
    with pytest.raises(re.error):
        compiled("(")


def test_a_wrong_pattern_is_refused_as_usual() -> None:
    with pytest.raises(re.error):
        compiled("(?P<a>")
