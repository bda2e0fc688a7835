"""A column of text in a table: protected in place, with the row's own columns as what is known of the person."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import PolicyError
from sharewell.findings import Tier
from sharewell.io import sources
from sharewell.keys import Key
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

SECRET = "a secret for these tests, long enough"
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:NOTES_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, name: drop, mrn: drop, age: quasi, seen: shift, remarks: REMARKS}
    require: [k-anonymity: {k: 2}]
    using: mondrian
"""
GIVEN = ("Rosa", "Wei", "Olga", "Amir", "Peter", "Linda")
FAMILY = ("Delgado", "Okafor", "Novak", "Hassan", "Larsen", "Silva")
GERMAN = "Der Patient wurde heute aufgenommen und klagt über starke Schmerzen in der Brust und Atemnot seit gestern."


def desk(directory: Path, remarks: str = "text") -> Path:
    rows: list[tuple[Any, ...]] = [("who", "name", "mrn", "age", "seen", "remarks")]
    for i in range(6):
        name = f"{GIVEN[i]} {FAMILY[i]}"
        text = f"Spoke to {name}, MRN 00412{i}9, seen on 2020-05-0{i + 1}; stable and went home."
        if i in (4, 5):
            text = GERMAN if i == 5 else ""
        rows.append((f"p{i}", name, f"00412{i}9", 30 + i // 2, f"2020-05-0{i + 1}", text))
    directory.mkdir(exist_ok=True)
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    path = directory / "policy.yaml"
    path.write_text(POLICY.replace("REMARKS", remarks))
    return path


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTES_KEY", SECRET)


def published(directory: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(directory / "out/r/public/people.parquet").to_pylist()
    return rows


def test_a_column_of_text_is_protected_in_place(tmp_path: Path) -> None:
    policy = check(desk(tmp_path))
    assert any("names name; ids mrn" in decision for decision in policy.decisions)
    done = release(policy)
    rows = published(tmp_path)
    texts = [row["remarks"] for row in rows if row["remarks"] is not None]
    assert len(rows) == 6
    assert len(texts) == 4, "one was missing, and stays so; one is not English, and becomes so"
    assert all("stable and went home" in text for text in texts)
    assert not [word for word in (*GIVEN, *FAMILY, "00412") if any(word in text for text in texts)]
    details = done.findings["datasets"]["people"]["texts"]["remarks"]["details"]
    assert details["withheld"] == {"language": 1}


def test_dates_in_the_text_move_like_those_of_the_table(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    assert all(row["seen"] in row["remarks"] for row in published(tmp_path) if row["remarks"])
    days = {Key(SECRET.encode()).shift_days("people", f"p{i}", 182) for i in range(6)}
    assert len(days) > 1


def came_twice(directory: Path, publish: str = "") -> Path:
    """Persons whose rows stand in several classes; the number in their texts is found by its form alone."""
    rows: list[tuple[Any, ...]] = [("who", "name", "mrn", "age", "seen", "remarks")]
    for i in range(24):
        for turn in range(3):
            age, day = 30 + (i * 7 + turn * 11 * (i % 3)) % 40, f"2020-0{turn + 1}-1{i % 10}"
            text = f"Ward {'ABC'[turn]}: spoke to {GIVEN[i % 6]} {FAMILY[i // 4]}, MRN {500000 + 37 * i}; went home."
            rows.append((f"p{i}", f"{GIVEN[i % 6]} {FAMILY[i // 4]}", 500000 + 37 * i, age, day, text))
    path = desk(directory)
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    path.write_text(path.read_text().replace("    using:", f"{publish}    using:"))
    return path


def pseudonyms(directory: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Surrogate of a number in the texts → the classes and the persons that show it."""
    whose = pq.read_table(directory / "out/r/internal/persons/people.texts.parquet")["person"].to_pylist()
    classes: dict[str, set[str]] = {}
    persons: dict[str, set[str]] = {}
    for who, row in zip(whose, published(directory), strict=True):
        number = re.search(r"MRN (\S+);", row["remarks"])
        assert number
        classes.setdefault(number[1], set()).add(row["age"])
        persons.setdefault(number[1], set()).add(who)
    return classes, persons


def test_surrogates_lead_from_no_class_to_another(tmp_path: Path) -> None:
    """A number that is the same in all texts of a person would be a pseudonym, which a policy must ask for."""
    release(check(came_twice(tmp_path)))
    classes, persons = pseudonyms(tmp_path)
    of_person: dict[str, set[str]] = {}
    for number, who in persons.items():
        assert len(who) == 1
        of_person.setdefault(*who, set()).update(classes[number])
    assert {len(one) for one in classes.values()} == {1}
    assert max(map(len, of_person.values())) > 1, "some persons have rows in several classes"


def test_a_date_in_a_persons_texts_leads_from_no_class_to_another(tmp_path: Path) -> None:
    """Every text of a person speaks of one operation, on a day that nobody else has."""
    path = came_twice(tmp_path)
    path.write_text(path.read_text().replace("seen: shift", "seen: drop"))
    rows = list(csv.reader((tmp_path / "people.csv").read_text().splitlines()))
    for row in rows[1:]:
        row[-1] += f" Operated on 2019-0{int(row[0][1:]) % 9 + 1}-{10 + int(row[0][1:]) // 9}."
    with (tmp_path / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    release(check(path))
    whose = pq.read_table(tmp_path / "out/r/internal/persons/people.texts.parquet")["person"].to_pylist()
    shown: dict[tuple[str, str], set[str]] = {}
    for who, row in zip(whose, published(tmp_path), strict=True):
        day = re.search(r"Operated on (\S+)\.", row["remarks"])
        assert day
        shown.setdefault((who, day[1]), set()).add(row["age"])
    assert len(shown) > len({*whose}), "some persons have rows in several classes"
    assert max(map(len, shown.values())) == 1


def test_a_persons_texts_belong_together_where_the_rows_do(tmp_path: Path) -> None:
    trails = "    publish: dataset\n"
    path = came_twice(tmp_path, trails)
    text = path.read_text().replace("k-anonymity", "trail-k-anonymity")
    path.write_text(
        text.replace("using: mondrian", "using: {trail-grouping: {suppress: 0.5}}").replace("shift", "drop")
    )
    release(check(path))
    _, persons = pseudonyms(tmp_path)
    whose = [next(iter(who)) for who in persons.values()]
    assert len(whose) == len({*whose})


def test_what_holds_in_it_is_certified_and_checked_again(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    found = verify(tmp_path / "out/r", with_=tmp_path)
    assert found.ok, found.problems
    told = [(finding.name, finding.column, finding.tier) for finding in found.findings["people"]]
    assert told[1] == ("no-known-identifiers", "remarks", Tier.STEWARD)
    for place in (tmp_path / "out/r", tmp_path / "out/r/public"):
        attested = verify(place).findings["people"][1]
        assert (attested.tier, attested.ok) == (Tier.ATTESTED, True)


def test_a_planted_name_is_found(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    file = tmp_path / "out/r/public/people.parquet"
    table = pq.read_table(file)
    whose = pq.read_table(tmp_path / "out/r/internal/persons/people.texts.parquet")["person"].to_pylist()
    texts = [f"{FAMILY[int(who[1:])]} here" for who in whose]
    pq.write_table(table.set_column(table.column_names.index("remarks"), "remarks", pa.array(texts)), file)
    problems = verify(tmp_path / "out/r", with_=tmp_path).problems
    assert any("no-known-identifiers of remarks" in problem or "FAILS" in problem for problem in problems), problems


def test_a_claim_about_text_cannot_be_left_out(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    path = tmp_path / "out/r/public/certificate.json"
    told = json.loads(path.read_bytes())
    del told["datasets"]["people"]["texts"]
    path.write_text(json.dumps(told))
    assert any("columns of text" in problem for problem in verify(tmp_path / "out/r").problems)


def test_how_and_what_is_known_can_be_said(tmp_path: Path) -> None:
    mine = "{role: text, using: {replace: {names: tag, language: any}}, known: {names: [name]}}"
    policy = check(desk(tmp_path, mine))
    assert all("searched for in it, by their names" not in decision for decision in policy.decisions)
    release(policy)
    texts = [row["remarks"] for row in published(tmp_path) if row["remarks"]]
    assert sum("**NAME[" in text for text in texts) >= 4
    assert len(texts) == 4, "nobody can say whether a German text discloses more than its row"


def test_a_text_in_any_language_is_published_if_it_need_not_agree_with_its_row(tmp_path: Path) -> None:
    lenient = "{role: text, using: {replace: {names: tag, language: any}}, agrees_with_table: false}"
    policy = check(desk(tmp_path, lenient))
    assert any("may say more than the published cells" in deviation for deviation in policy.deviations)
    release(policy)
    assert len([row for row in published(tmp_path) if row["remarks"]]) == 5


def test_a_large_table_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release(check(desk(tmp_path / "a")))
    monkeypatch.setattr(sources, "LARGE", dict.fromkeys(sources.LARGE, 1))
    release(check(desk(tmp_path / "b")))
    one, other = (tmp_path / name / "out/r/public/people.parquet" for name in "ab")
    assert pq.read_table(one) == pq.read_table(other)


@pytest.mark.parametrize(
    ("remarks", "said"),
    [
        ("{role: text, using: nothing}", "no mechanisms named 'nothing' for notes"),
        ("{role: text, known: {names: [nam]}}", "no column 'nam' in `columns`"),
        ("{role: text, known: [name]}", "must be a mapping of sorts to columns"),
        ("{role: keep, known: {names: [name]}}", "known is for a column of text in a table"),
    ],
)
def test_mistakes_about_text(tmp_path: Path, remarks: str, said: str) -> None:
    with pytest.raises(PolicyError, match=r"policy\.yaml:8") as caught:
        check(desk(tmp_path, remarks))
    assert said in str(caught.value)


def test_other_kinds_have_no_text(tmp_path: Path) -> None:
    path = desk(tmp_path)
    path.write_text(path.read_text().replace("kind: tables", "kind: reports"))
    with pytest.raises(PolicyError, match="text is protected in datasets of kind notes and tables"):
        check(path)


def test_without_a_subject_nothing_is_known_and_only_the_row_counts(tmp_path: Path) -> None:
    path = desk(tmp_path)
    path.write_text(path.read_text().replace("who: subject", "who: drop").replace("seen: shift", "seen: drop"))
    release(check(path))
    claim = json.loads((tmp_path / "out/r/public/certificate.json").read_bytes())["datasets"]["people"]
    found = claim["texts"]["columns"]["remarks"]["findings"]
    assert [one["name"] for one in found] == ["text-agrees-with-table"]
    assert verify(tmp_path / "out/r").ok


def test_the_text_of_a_row_that_names_nobody_is_withheld(tmp_path: Path) -> None:
    policy = desk(tmp_path)
    rows = (tmp_path / "people.csv").read_text().replace("p0,", ",", 1)
    (tmp_path / "people.csv").write_text(rows)
    done = release(check(policy))
    texts = [row["remarks"] for row in published(tmp_path) if row["remarks"] is not None]
    assert len(texts) == 3
    assert not [text for text in texts if "Rosa" in text or "Delgado" in text]
    assert done.findings["datasets"]["people"]["texts"]["remarks"]["details"]["withheld"]["nobody named"] == 1


TELLING = "A 3{i}-year-old woman with asthma, seen on 2020-05-0{day}; stable and went home."
TELLING_POLICY = POLICY.replace(
    "{who: subject, name: drop, mrn: drop, age: quasi, seen: shift, remarks: REMARKS}",
    "{who: subject, name: drop, mrn: drop, sex: drop, age: AGE, seen: shift, illness: quasi, remarks: REMARKS}",
).replace("k: 2", "k: 3")


def telling_desk(directory: Path, remarks: str = "text", age: str = "quasi") -> Path:
    """Texts that tell age, sex and illness beside a table that generalises or drops them."""
    rows: list[tuple[Any, ...]] = [("who", "name", "mrn", "sex", "age", "seen", "illness", "remarks")]
    for i in range(6):
        text = TELLING.format(i=i, day=i + 1)
        illness = ("asthma", "influenza", "anaemia")[i % 3]
        rows.append((f"p{i}", f"{GIVEN[i]} {FAMILY[i]}", f"00412{i}9", "F", 30 + i, f"2020-05-0{i + 1}", illness, text))
    directory.mkdir(exist_ok=True)
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    path = directory / "policy.yaml"
    path.write_text(TELLING_POLICY.replace("REMARKS", remarks).replace("AGE", age))
    return path


def agreement(directory: Path) -> Any:
    found = verify(directory / "out/r/public").findings["people"]
    return next(finding for finding in found if finding.name == "text-agrees-with-table")


def test_a_text_says_no_more_than_its_row_and_anybody_can_check_it(tmp_path: Path) -> None:
    policy = check(telling_desk(tmp_path))
    assert any(
        "more than the row's published cells of age, illness and sex (dropped)" in one for one in policy.decisions
    )
    release(policy)
    for row in published(tmp_path):
        assert row["age"].strip("[]") in row["remarks"]
        assert "asthma" not in row["remarks"].replace(row["illness"], "")
        assert "woman" not in row["remarks"]
        assert row["seen"] in row["remarks"], "dates that are shifted in the table stay shifted in the text"
    assert (agreement(tmp_path).ok, agreement(tmp_path).tier) == (True, Tier.RECIPIENT)


def test_a_text_that_says_more_is_found_from_the_public_files(tmp_path: Path) -> None:
    release(check(telling_desk(tmp_path)))
    file = tmp_path / "out/r/public/people.parquet"
    table = pq.read_table(file)
    texts = pa.array(["A 33-year-old."] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("remarks"), "remarks", texts), file)
    problems = verify(tmp_path / "out/r/public").problems
    assert any("text-agrees-with-table of remarks = 6 rows (≤ 0: FAILS)" in problem for problem in problems), problems


def test_that_a_text_need_not_agree_is_a_deviation(tmp_path: Path) -> None:
    policy = check(telling_desk(tmp_path, "{role: text, agrees_with_table: false}"))
    assert any("columns.remarks: may say more than the published cells of its row" in one for one in policy.deviations)
    release(policy)
    assert any("3" in row["remarks"] and "woman" in row["remarks"] for row in published(tmp_path))


def test_the_policy_can_name_the_columns_itself(tmp_path: Path) -> None:
    release(check(telling_desk(tmp_path, "{role: text, agrees_with_table: {ages: [age]}}")))
    assert all(row["age"].strip("[]") in row["remarks"] and "woman" in row["remarks"] for row in published(tmp_path))


@pytest.mark.parametrize("style", ["low-high", "mean"])
def test_a_column_without_cells_lets_no_age_be_said(tmp_path: Path, style: str) -> None:
    release(check(telling_desk(tmp_path, age=f"{{role: quasi, style: {style}}}")))
    assert all("[age]-year-old" in row["remarks"] for row in published(tmp_path))
    assert agreement(tmp_path).ok


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{aged: [age]}", "no sort of column named 'aged'"),
        ("{ages: [name]}", "no published column 'name' beside the text"),
        ("{ages: age}", "ages must be a list of columns"),
    ],
)
def test_mistakes_about_the_columns_of_the_row(tmp_path: Path, written: str, said: str) -> None:
    with pytest.raises(PolicyError, match=r"policy\.yaml:8") as caught:
        check(telling_desk(tmp_path, f"{{role: text, agrees_with_table: {written}}}"))
    assert said in str(caught.value)
