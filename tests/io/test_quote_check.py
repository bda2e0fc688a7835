"""Quotes: whatever a strict automaton refuses is refused, with its line and without a cell."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io import quote_check
from sharewell.io.quote_check import Misquoted, check_quotes, swallows_records
from sharewell.io.sources import Source


def automaton(text: str, separator: str) -> tuple[str, bool]:
    """RFC 4180 by hand: `ok`, or the line of the first wrong quote; and whether a quoted cell goes over a line end."""
    state, line, over, opened, closed = "start", 1, False, 0, 0
    previous = ""
    for sign in text:
        if state == "closed" and sign not in (separator, "\n", "\r", '"'):
            return str(closed), over
        if sign == '"':
            if state == "start":
                state, opened = "quoted", line
            elif state == "quoted":
                state, closed = "closed", line
            elif state == "closed":
                state = "quoted"
            else:
                return str(line), over
        elif state == "quoted":
            over |= sign in "\r\n"
        else:
            state = "start" if sign in (separator, "\n", "\r") else "plain"
        line += sign in "\r\n" and not (sign == "\n" and previous == "\r")
        previous = sign
    return (str(opened) if state == "quoted" else "ok"), over


def judged(text: str, separator: str, size: int) -> tuple[str, bool]:
    raw = text.encode()
    try:
        over = check_quotes(lambda: [raw[i : i + size] for i in range(0, len(raw), size)], separator)
    except Misquoted as error:
        return str(error).removeprefix("line ").partition(":")[0], False
    return "ok", over


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet='"",,;\n\r aé', max_size=40), st.sampled_from(",;"), st.integers(1, 50))
@example('1,"x\n2,"y\n', ",", 3)
@example('"', ",", 1)
@example('"""\r\n"""', ",", 2)
@example('a,"b\r\nc"\r\nd"', ",", 7)
def test_the_scan_agrees_with_an_automaton(text: str, separator: str, size: int) -> None:
    expected, over = automaton(text, separator)
    found, found_over = judged(text, separator, size)
    assert found == expected
    if expected == "ok":
        assert found_over == over


ROWS = [("id", "city", "age"), *((f"p{i}", ["Rome", 'the "Hague"', "Oslo, N"][i % 3], str(20 + i)) for i in range(6))]


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in '",') else cell


def test_no_file_with_a_stray_quote_shows_one_person_in_the_cell_of_another(tmp_path: Path) -> None:
    """One to three quotes too many or too few, anywhere: every subject is read in a row of its own, or nothing is."""
    text = "".join(",".join(map(quoted, row)) + "\n" for row in ROWS)
    draw, path, told = random.Random(5), tmp_path / "d.csv", list[str]()
    for _ in range(500):
        broken = list(text)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len("id,city,age\n"), len(broken))
            broken[at : at + draw.randint(0, 1)] = '"' if draw.random() < 0.8 else ""
        path.write_text("".join(broken))
        try:
            table = Source.of(path).read()
        except DataError as error:
            told.append(str(error))
            continue
        assert not any("\n" in cell for column in table.columns for cell in column.to_pylist() if cell is not None)
        assert table.num_rows == len(ROWS) - 1
    assert len(told) > 200
    assert not any(word in " ".join(told) for word in ("Rome", "Oslo", "Hague", "p1"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('id,city\n1,"Rome\n2,"Oslo\n', "line 3: a field goes on after its closing quote; it was opened on line 2"),
        ('id,city\n1,Rome\n2,Os"lo\n', "line 3: a quote stands inside a field"),
        ('id,city\n1, "Rome"\n', "line 2: a quote stands inside a field"),
        ('id,city\n1,"Rome"x\n', "line 2: a field goes on after its closing quote"),
        ('id,city\r\n1,Rome\r\n2,"Oslo\r\n3,Bern\r\n', "line 3: a quote is opened here and never closed"),
        ('id,"city\n1,Rome\n', "line 1: a quote is opened here and never closed"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_wrong_quote_is_told_by_its_line(tmp_path: Path, content: str, told: str, encoding: str) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(content.encode(encoding))
    source = Source(path, encoding=encoding if encoding == "cp1252" else None)
    for ask in (source.read, lambda: list(source.batches()), lambda: source.read(["id"])):
        with pytest.raises(DataError) as caught:
            ask()
        assert str(caught.value) == f"d.csv — {told} — quote the whole field, and double the quotes inside it"


@pytest.mark.parametrize(
    ("content", "refused"),
    [
        pytest.param('id,city,age\n1,"Rome,30\n2,Oslo",40\n', True, id="the rest of one record, the begin of another"),
        pytest.param('id,city,age\n"1,Rome,30\n2",Oslo,40\n', True, id="in the first column"),
        pytest.param('id,age,city\n1,30,"Rome\n2,40,Oslo"\n', True, id="in the last column"),
        pytest.param('id,city,age\n1,"Rome,30,x\n2,Oslo",40\n', True, id="and a field too many"),
        pytest.param('id,city,age\n1,"Rome,30\n2,Bern,20\n3,Oslo",40\n', True, id="a record between"),
        pytest.param('id\n"1\n2"\n', True, id="of one column"),
        pytest.param('id,city,age\n1,"Via Appia 3\nRome",40\n', False, id="an address"),
        pytest.param('id,age,text\n1,40,"No fever, no cough.\nWell."\n', False, id="a note"),
    ],
)
def test_a_cell_of_lines_that_may_be_records_is_refused(tmp_path: Path, content: str, refused: bool) -> None:
    path = tmp_path / "d.csv"
    path.write_text(content)
    if refused:
        for names in (None, ["id"]):
            with pytest.raises(DataError, match="newlines: true"):
                Source(path).read(names)
    assert Source(path, newlines=refused).read().num_rows == 1


def test_a_file_without_quotes_is_not_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quote_check._Scan, "_judge", lambda *_: pytest.fail("there is no quote"))
    assert check_quotes(lambda: [b"a,b\n" * 1000] * 3, ",") is False


def test_fields_of_a_swallowed_record_are_counted_by_column() -> None:
    assert not swallows_records("a, b\nc", 2, 5, ",")
    assert swallows_records("a,b\nc,d,e", 2, 5, ",")
