"""Populations that name their persons: whoever has several rows counts once, whatever the rows say."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible
from sharewell.hierarchy import Prefixes
from sharewell.io.sources import Source
from sharewell.io.writing import read_json
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import load
from sharewell.tables import (
    DeltaPresence,
    InstanceDisclosure,
    InstancePartitioning,
    JournalistRisk,
    KMap,
    Linkage,
    MarketerRisk,
    OptimalRecoding,
    Table,
    Uniqueness,
)
from sharewell.tables.engine.register import ADVICE, UNNAMED, read_register, subject_of

F = Fraction
TEN = {"id": ["a"] * 10 + ["b"] * 10, "zip": ["02139"] * 10 + ["02138"] * 10}


def published(rows: dict[str, list[Any]], subject: str | None = None) -> Table:
    quasi = [name for name in rows if name != subject]
    return Table.of(pa.table(rows), quasi=quasi, subject=subject, published=True)


@pytest.mark.parametrize("subject", [None, "id"], ids=["by its name", "named"])
def test_a_register_that_is_the_release_hides_nobody_however_many_rows_it_has(subject: str | None) -> None:
    """Ten rows a person on both sides: everybody listed is in the data, and alone in a class."""
    shown, people = published(TEN, "id"), pa.table(TEN)
    more: dict[str, Any] = {"subject": subject}
    assert DeltaPresence(people, "1/2", **more).check(shown).value == 1
    assert InstanceDisclosure(people, "1/2", **more).check(shown).ok is False
    assert KMap(people, 2, **more).check(shown).value == 1
    assert JournalistRisk(people, "1/2", **more).check(shown).value == 1
    assert MarketerRisk("1/2", population=people, **more).check(shown).value == 1
    found = Linkage(people, **more).mount(shown)
    assert (found.value, found.details.people, found.details.unique_records) == (1, 2, 20)
    assert Uniqueness(population=people, **more).mount(shown).details.in_population == 2


def test_a_release_whose_rows_are_persons_is_held_against_persons_too() -> None:
    shown = published({"zip": ["02139", "02138"]})
    people = pa.table({"person_id": TEN["id"], "zip": TEN["zip"]})
    assert DeltaPresence(people, "1/2").check(shown).value == 1
    assert KMap(people, 2).check(shown).ok is False
    assert DeltaPresence(people, "1/2", unit="record").check(shown).value == F(1, 10)  # asked for, and said


def test_who_moved_fits_both_classes_once_and_nothing_is_certified() -> None:
    """b lived in either place; n/N of a class is then no probability of presence."""
    people = pa.table({"id": ["a", "b", "b", "b", "c"], "zip": ["02139", "02139", "02139", "02138", "02138"]})
    shown = published({"id": ["a", "c"], "zip": ["02139", "02138"]}, "id")
    found = DeltaPresence(people, "1/2").check(shown)
    assert (found.value, found.ok, found.details.overlapping_people, found.details.people) == (F(1, 2), None, 1, 3)
    assert DeltaPresence(people, "1/2", accept_overlap=True).check(shown).ok is True
    assert KMap(people, 2).check(shown).ok is True


def test_rows_that_name_nobody_count_for_nobody() -> None:
    people = pa.table({"id": ["a", None, " ", "b"], "zip": ["02139"] * 4})
    shown = published({"id": ["a"], "zip": ["02139"]}, "id")
    found = KMap(people, 3).check(shown)
    assert (found.value, found.note) == (2, "2 row(s) of the list name nobody and are left out")
    presence = DeltaPresence(people, 1, min="1/3").check(shown)
    assert (presence.ok, presence.parts[0].ok) == (None, None)  # those two rows may be two people more


def test_a_list_without_names_whose_rows_repeat_is_said_so() -> None:
    shown = published({"zip": ["02139"]})
    alike = pa.table({"zip": ["02139", "02139"], "street": ["A", "A"]})
    found = KMap(alike, 2).check(shown)
    left_out = "1 row(s) that repeat another one entirely are left out"
    assert (found.value, found.note) == (1, f"the list names no persons; {left_out} — {ADVICE}")
    assert KMap(alike, 2).cautions(shown) == (f"the frame: {found.note}",)
    assert Linkage(alike).cautions(shown) == (f"the frame: {found.note}",)
    assert found.note in Linkage(alike).mount(shown).note
    apart = pa.table({"zip": ["02139", "02139"], "street": ["A", "B"]})
    assert KMap(apart, 2).check(shown).note == ""
    bare = KMap(alike.select(["zip"]), 2).check(shown)  # equal rows may be different people
    assert (bare.ok, bare.note) == (True, f"{UNNAMED}, although 1 repeat another — {ADVICE}")


@pytest.mark.parametrize("name", ["nhs", "person_no", "surname", "nr", "phone", "ref", "col9"])
def test_persons_under_a_name_that_nobody_knows_count_once(name: str) -> None:
    people = [f"p{i}" for i in range(8)]
    ages = [str(20 + i) for i in range(8)]
    shown = Table.of(pa.table({"pid": people, "age": ages}), quasi=["age"], subject="pid")
    listed = pa.table({name: [p for p in people for _ in range(10)], "age": [a for a in ages for _ in range(10)]})
    assert KMap(listed, 5).check(shown).value == 1
    assert DeltaPresence(listed, 1, min="1/3").check(shown).ok is None


def test_a_column_that_the_list_lacks_is_refused_and_a_count_is_no_person() -> None:
    with pytest.raises(DataError, match="no column 'who'"):
        KMap(pa.table({"zip": ["02139"]}), 1, subject="who").check(published({"zip": ["02139"]}))
    with pytest.raises(ValueError, match="subject cannot be given with count"):
        KMap(pa.table({"zip": ["02139"]}), 1, subject="who", count="n")


def test_the_column_of_persons_is_the_data_s_own_or_called_like_a_key() -> None:
    source = Source.of(pa.table({"who": ["a"], "person_id": ["1"], "zip": ["1"]}))
    assert subject_of(source, None, "who") == "who"
    assert subject_of(source, None, "patient") == "person_id"
    assert subject_of(source, "zip", "who") == "zip"
    assert subject_of(Source.of(pa.table({"zip": ["1"]})), None, "who") is None


def test_one_row_each_never_counts_more_than_fit() -> None:
    shown = published({"zip": ["02139"]})
    people = pa.table({"id": ["b", "a", "a"], "zip": ["02138", "02139", "02138"]})
    listed = read_register(Source.of(people), shown.quasi, subject="id")
    assert listed.people == 2
    one = listed.one_row_each()
    assert (one.people, one.person, [c.texts[code] for c in one.columns for code in c.codes]) == (
        2,
        None,
        ["02138", "02138"],
    )


# Against plain Python.

AGES, ZIPS = ["20", "30", "40"], ["02138", "02139", "94110"]
AGE_CELLS, ZIP_CELLS = [*AGES, "[20-30]", "*"], [*ZIPS, "0213*", "*"]
listed_rows = st.lists(
    st.tuples(st.sampled_from(["p", "q", "r", "s", "t", None]), st.sampled_from(AGES), st.sampled_from(ZIPS)),
    min_size=1,
    max_size=14,
)
shown_rows = st.lists(
    st.tuples(st.sampled_from(["p", "q", "r", None]), st.sampled_from(AGE_CELLS), st.sampled_from(ZIP_CELLS)),
    min_size=1,
    max_size=8,
)


def covers(cell: str, value: str) -> bool:
    if cell == "*":
        return True
    if cell == "[20-30]":
        return 20 <= int(value) <= 30
    return value.startswith(cell[:-1]) if cell.endswith("*") else value == cell


def by_hand(shown: Any, listed: Any) -> dict[tuple[str, str], tuple[int, int, set[str]]]:
    """cells → (persons released, persons and records without one, people of the list who fit by any of their rows)."""
    found = {}
    for cells in {row[1:] for row in shown}:
        inside = [row for row in shown if row[1:] == cells]
        named = {row[0] for row in inside if row[0]}
        fit = {row[0] for row in listed if row[0] and all(map(covers, cells, row[1:]))}
        found[cells] = len(named), len(named) + sum(row[0] is None for row in inside), fit
    return found


@settings(max_examples=60, deadline=None)
@given(shown=shown_rows, listed=listed_rows)
def test_every_criterion_and_linkage_count_persons_as_defined(shown: Any, listed: Any) -> None:
    names = ("id", "age", "zip")
    release = published(dict(zip(names, map(list, zip(*shown, strict=True)), strict=True)), "id")
    people = pa.table(dict(zip(names, map(list, zip(*listed, strict=True)), strict=True)))
    classes = by_hand(shown, listed)
    partly: dict[str, Any] = {"covers": "partly", "subject": "id"}
    raised = {cells: max(len(fit), n) for cells, (n, _, fit) in classes.items()}
    assert KMap(people, 2, **partly).check(release).value == min(raised.values())
    risk = max(F(1, max(1, n)) for n in raised.values())
    assert JournalistRisk(people, 1, **partly).check(release).value == risk
    presence = DeltaPresence(people, 1, accept_overlap=True, **partly).check(release)
    assert presence.value == max(
        F(min(every, max(1, raised[c])), max(1, raised[c])) for c, (_, every, _) in classes.items()
    )
    times = [sum(person in fit for *_, fit in classes.values()) for person in {row[0] for row in listed if row[0]}]
    assert presence.details.overlapping_people == sum(t > 1 for t in times)
    assert presence.details.people == len(times)
    if any(t > 1 for t in times):
        assert DeltaPresence(people, 1, **partly).check(release).ok is None
    if all(len(fit) >= n for n, _, fit in classes.values()):
        assert KMap(people, 1, subject="id").check(release).value == min(len(f) for *_, f in classes.values())
    else:
        with pytest.raises(DataError, match="lacks released people"):
            KMap(people, 1, subject="id").check(release)
    found = Linkage(people, subject="id").mount(release)
    assert found.value == max((1 / len(fit) for *_, fit in classes.values() if fit), default=None)


rows_of_people = st.lists(
    st.tuples(st.sampled_from("pqrstuvw"), st.sampled_from(AGES), st.sampled_from(ZIPS)), min_size=3, max_size=24
)


@settings(max_examples=40, deadline=None)
@given(
    listed=rows_of_people,
    own=st.integers(1, 3),
    bound=st.sampled_from([F(1, 3), F(1, 2), F(2, 3)]),
    accept=st.booleans(),
    which=st.sampled_from([OptimalRecoding(), OptimalRecoding(suppress=0.5), InstancePartitioning()]),
    records=st.integers(1, 2),
)
def test_mechanisms_publish_what_holds_of_persons_or_nothing(
    listed: Any, own: int, bound: Fraction, accept: bool, which: Any, records: int
) -> None:
    """Patients are some of the listed people, with one or two of their rows."""
    names = ("id", "age", "zip")
    chosen = sorted({row[0] for row in listed})[:own]
    patients = [row for person in chosen for row in [r for r in listed if r[0] == person][:records]]
    people = pa.table(dict(zip(names, map(list, zip(*listed, strict=True)), strict=True)))
    table = Table.of(
        pa.table(dict(zip(names, map(list, zip(*patients, strict=True)), strict=True))),
        quasi=["age", "zip"],
        subject="id",
        hierarchies={"zip": Prefixes()},
    )
    asked = [InstanceDisclosure(people, bound, accept_overlap=accept), KMap(people, 2)]
    try:
        released = which.protect(table, asked).data
    except Infeasible:
        return
    for criterion in asked:
        assert criterion.check(released).ok is True
    fits = {}
    for row, person in zip(released.arrow.to_pylist(), released.subject.arrow.to_pylist(), strict=True):
        cells = (row["age"], row["zip"])
        fit = {r[0] for r in listed if all(_covers(c, v) for c, v in zip(cells, r[1:], strict=True))}
        fits.setdefault(cells, (set(), fit))[0].add(person)
    assert all(F(len(inside), len(fit)) <= bound and len(fit) >= 2 for inside, fit in fits.values())
    if not accept:
        assert all(sum(p in fit for _, fit in fits.values()) < 2 for p in {r[0] for r in listed})


def _covers(cell: str, value: str) -> bool:
    if cell.startswith("["):
        low, high = cell[1:-1].split("-")
        return int(low) <= int(value) <= int(high)
    if cell.startswith("{"):
        return value in cell[1:-1].split(",")
    return value.startswith(cell[:-1]) if cell.endswith("*") else value == cell


POLICY = """
sharewell: 1
release: {{name: visits}}
datasets:
  patients:
    kind: tables
    read: {{csv: patients.csv}}
    columns: {{nhs: subject, age: {{role: quasi, hierarchy: {{intervals: {{width: 10, levels: 2}}}}}}, ill: sensitive}}
    require: [{require}]
    using: optimal-recoding
    attacks: [linkage: {{population: {{csv: people.csv}}}}]
write: {{csv: out/}}
"""


def hospital(folder: Path, require: str, listed: str) -> Path:
    visits = [f"p{i},{20 + 10 * (i % 2)},flu" for i in range(4) for _ in range(3)]
    (folder / "patients.csv").write_text("nhs,age,ill\n" + "\n".join(visits) + "\n")
    (folder / "people.csv").write_text(listed)
    (folder / "policy.yaml").write_text(POLICY.format(require=require))
    return folder / "policy.yaml"


SAME = "nhs,age\n" + "".join(f"p{i},{20 + 10 * (i % 2)}\n" for i in range(4) for _ in range(10))
WIDER = SAME + "".join(f"q{i},{20 + 10 * (i % 2)}\n" for i in range(8) for _ in range(2))


def test_a_policy_counts_the_persons_of_a_register(tmp_path: Path) -> None:
    """The subject is not published, and yet the certificate is judged by persons: the column is written down."""
    bounded = "delta-presence: {population: {csv: people.csv}, max: 1/2}"
    with pytest.raises(Infeasible):
        release(load(hospital(tmp_path, bounded, SAME)))
    done = release(load(hospital(tmp_path, bounded, WIDER)))
    (judged,) = verify(done.directory, with_=tmp_path).findings["patients"]
    assert (judged.ok, judged.value, judged.details.people) == (True, F(1, 3), 12)
    attack = done.findings["datasets"]["patients"]["attacks"][0]["after"]
    assert (attack["value"], attack["details"]["people"]) == (1 / 6, 12)
    embedded = read_json(done.directory / "public" / "certificate.json")["policy"]["redacted"]
    assert embedded["datasets"]["patients"]["require"][0]["parameters"]["subject"] == "nhs"


def test_a_list_without_names_is_said_in_plan_and_certificate(tmp_path: Path) -> None:
    nameless = "age\n" + "".join(f"{20 + 10 * (i % 2)}\n" for i in range(40))
    path = hospital(tmp_path, "k-map: {population: {csv: people.csv}, k: 3}", nameless)
    said = f"{UNNAMED}, although 38 repeat another — {ADVICE}"
    cautions = plan(load(path))["patients"].cautions
    assert cautions == (f"k-map: people.csv: {said}", f"linkage: people.csv: {said}")
    done = release(load(path))
    (claim,) = read_json(done.directory / "public" / "certificate.json")["datasets"]["patients"]["findings"]
    assert claim["note"] == said


def test_the_sample_before_withholding_is_written_down(tmp_path: Path) -> None:
    path = hospital(tmp_path, "k-map-estimated: {k: 2, population_size: 100}", WIDER)
    done = release(load(path))
    embedded = read_json(done.directory / "public" / "certificate.json")["policy"]["redacted"]
    assert embedded["datasets"]["patients"]["require"][0]["parameters"]["sample_size"] == 4


KEYS = ["voter", "voter_id", "VoterID", "eid", "name", "key", "uuid", "person", "id", "Full Name", "resident_id"]


@pytest.mark.parametrize("key", KEYS)
def test_a_list_is_counted_by_whatever_may_be_a_key_of_persons(key: str) -> None:
    """One person, three years."""
    shown = published({"zip": ["02139"]})
    people = pa.table({key: ["a", "a", "A "], "year": ["1", "2", "3"], "zip": ["02139"] * 3})
    assert KMap(people, 3).check(shown).value == 1


def test_a_possible_key_counts_only_where_it_repeats_and_says_more_than_yes() -> None:
    def by(rows: dict[str, list[Any]]) -> str | None:
        return subject_of(Source.of(pa.table(rows)), None, None)

    assert by({"uuid": ["1", "2"], "zip": ["1", "1"]}) is None
    assert by({"voter": ["yes", "no", "yes"], "zip": ["1"] * 3}) is None
    assert by({"uuid": ["1", "2", "3"], "name": ["Ann", "Ann", "Bo"]}) == "name"
    assert by({"name": ["Ann", "Ann", "Bo"], "person_id": ["1", "2", "3"]}) == "person_id"
