"""Tables that ship with the package: patterns in TOML files, and that every file of them can be read."""

from importlib import resources
from pathlib import Path

import pytest

from sharewell.io import shipped
from sharewell.io.shipped import ShippedPatterns, shipped_text

TEXT = """
[pieces]
year = '(?:19|20)\\d\\d'
since = 'since {year}'

[any_case]
old = '''
{since}
  |{words}'''

[as_written]
letters = ['[A-Z]{2}', '{year}[A-Z]']
"""


def test_pieces_are_put_in_and_line_ends_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_text", lambda name: TEXT)
    patterns = ShippedPatterns("any.toml", words="long ago")
    assert patterns["old"].pattern == r"since (?:19|20)\d\d|long ago"
    assert patterns["old"].fullmatch("SINCE 1987")
    assert patterns["old"].fullmatch("Long ago")
    assert [bool(one.fullmatch("1987A")) for one in patterns.several("letters")] == [False, True]
    assert not patterns["letters"].fullmatch("ab")


def test_an_unknown_piece_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_text", lambda name: TEXT)
    with pytest.raises(KeyError, match="words"):
        ShippedPatterns("any.toml")


def test_every_data_file_has_an_origin() -> None:
    data = Path(str(resources.files("sharewell"))) / "data"
    origins = shipped_text("ORIGINS.md")
    assert [path.name for path in data.rglob("*") if path.is_file() and path.name not in origins] == ["ORIGINS.md"]
