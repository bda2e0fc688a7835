"""A delimited file that is read again is not parsed again, unless it has changed."""

from pathlib import Path

import pytest

from sharewell import DataError, Source
from sharewell.io import parsed_file
from sharewell.io.delimited import Delimited


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was asked of the parser."""
    calls: list[object] = []
    plain = Delimited.read

    def read(self: Delimited, only: list[str] | None = None) -> object:
        calls.append(only)
        return plain(self, only)

    monkeypatch.setattr(Delimited, "read", read)
    monkeypatch.setattr(parsed_file, "_slot", parsed_file._Slot())
    return calls


def test_columns_and_then_the_whole_are_parsed_once(tmp_path: Path, parsed: list[object]) -> None:
    (tmp_path / "people.csv").write_text("age,sex\n30,f\n41,m\n")
    source = Source.of(tmp_path / "people.csv")
    assert source.read(["sex"]).to_pydict() == {"sex": ["f", "m"]}
    assert source.read(["sex", "age"]).column_names == ["sex", "age"]
    assert source.read().to_pydict() == {"age": ["30", "41"], "sex": ["f", "m"]}
    assert parsed == [None]
    assert parsed_file._slot.table is None, "whoever reads the whole takes it"


def test_a_changed_file_and_a_large_one_are_read_anew(
    tmp_path: Path, parsed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n30\n")
    assert Source.of(path).read(["age"]).to_pydict() == {"age": ["30"]}
    path.write_text("age\n31\n32\n")
    assert Source.of(path).read(["age"]).to_pydict() == {"age": ["31", "32"]}
    monkeypatch.setattr(parsed_file, "_MOST_BYTES", 4)
    Source.of(path).read(["age"])
    assert parsed == [None, None, ["age"]]


def test_a_column_that_nobody_asked_for_may_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes(b"age,name\n30,J\xf6rg\n")
    source = Source.of(tmp_path / "people.csv")
    try:
        expected = Delimited(tmp_path / "people.csv", "people.csv").read(["age"])
    except DataError as error:
        with pytest.raises(DataError, match=str(error)[:20]):
            source.read(["age"])
    else:
        assert source.read(["age"]).equals(expected)
