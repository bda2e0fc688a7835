"""Spellings that look alike are one person, and one sensitive value, to every criterion and attack of tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spellings import respelt

from sharewell.errors import DataError, Infeasible
from sharewell.hierarchy import Tree
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.spelling import fold
from sharewell.tables import (
    AccidentalIdentifiers,
    AlphaKAnonymity,
    BetaLikeness,
    Composition,
    DeltaDisclosure,
    DeltaPresence,
    EntropyLDiversity,
    EpsilonMAnonymity,
    GBalance,
    HAffiliation,
    Homogeneity,
    InstanceDisclosure,
    JournalistRisk,
    K1Anonymity,
    KAnonymity,
    KKAnonymity,
    KMap,
    LDiversity,
    Linkage,
    MarketerRisk,
    Mondrian,
    OneKAnonymity,
    Packing,
    PersonalisedPrivacy,
    Prosecutor,
    ProsecutorRisk,
    RangeDiversity,
    RecordShare,
    RecursiveLDiversity,
    SampleUniqueness,
    Table,
    TCloseness,
    Uniqueness,
)
from sharewell.tables.engine.attackers.class_differences import newcomers
from sharewell.tables.engine.checks.hipaa_recognition import counted_texts
from sharewell.tables.engine.large_files import protect_file
from sharewell.tables.engine.pseudonyms import within_classes
from sharewell.tables.wing import TablesWing

PERSONS = ["p1", "P1 ", "p\u200b1", "ｐ１"]
VALUES = ["HIV", "hiv ", "H\u200bIV", "Hiv"]
ONE_DISEASE = pa.table({"q": ["a"] * 4 + ["b"] * 4, "s": [*VALUES, "HIV", "flu", "gout", "acne"]})


def diseases(**also: Any) -> Table:
    return Table.of(ONE_DISEASE, quasi=["q"], sensitive=["s"], **also)


def people(names: list[str]) -> Table:
    return Table.of(pa.table({"who": names, "q": ["a"] * len(names)}), quasi=["q"], subject="who")


def test_spellings_of_one_person_are_not_k_persons() -> None:
    shown = people(PERSONS)
    assert shown.persons == 1
    found = KAnonymity(4).check(shown)
    assert (found.value, found.ok) == (1, False)
    assert ProsecutorRisk("1/4").check(shown).ok is False
    assert Prosecutor().mount(shown).value == 1
    assert Uniqueness().mount(shown).value == 1


def test_leading_zeros_and_decimals_tell_persons_apart() -> None:
    assert people(["007", "7", "1", "1.0"]).persons == 4


def test_an_invisible_name_is_nobody() -> None:
    shown = people(["a", "b", "\u200b", "\u2060 "])
    assert shown.persons == 2
    assert KAnonymity(3).check(shown).ok is False


@pytest.mark.parametrize(
    "asked",
    [
        LDiversity(2),
        EntropyLDiversity(2),
        RecursiveLDiversity(3, 2),
        TCloseness("1/4"),
        BetaLikeness("1/2"),
        DeltaDisclosure(1),
        AlphaKAnonymity("1/2", 2),
        AlphaKAnonymity("1/2", 2, ["HIV"]),
        AlphaKAnonymity("1/2", 2, ["hiv"]),
        HAffiliation("1/2"),
    ],
    ids=lambda asked: asked.name,
)
def test_spellings_of_one_disease_are_not_diverse(asked: Any) -> None:
    assert asked.check(diseases()).ok is False
    assert asked.check(Table.of(ONE_DISEASE, quasi=["q"], sensitive=["s"], published=True)).ok is False


@pytest.mark.parametrize(
    "asked", [TCloseness("1/10"), BetaLikeness("1/5"), DeltaDisclosure("2/5")], ids=lambda asked: asked.name
)
def test_one_person_under_several_names_does_not_even_out_a_distribution(asked: Any) -> None:
    who = [*PERSONS[:3], *(f"p{i}" for i in range(2, 11))]
    values = ["HIV"] * 3 + ["flu"] * 3 + ["HIV"] * 3 + ["flu"] * 3
    frame = pa.table({"who": who, "q": ["a"] * 6 + ["b"] * 6, "s": values})
    assert asked.check(Table.of(frame, quasi=["q"], sensitive=["s"], subject="who")).ok is False


def test_the_value_of_a_class_is_guessed_however_it_is_spelt() -> None:
    shown = diseases()
    assert LDiversity(1).check(shown).value == 1
    assert Homogeneity(column="s").mount(shown).value == 1


def test_cells_are_shown_as_they_were_written() -> None:
    shown = diseases()
    assert shown.arrow["s"].to_pylist() == ONE_DISEASE["s"].to_pylist()
    released = Mondrian().protect(shown, [KAnonymity(2), LDiversity(2)])
    assert sorted(released.data.arrow["s"].to_pylist()) == sorted(ONE_DISEASE["s"].to_pylist())
    with pytest.raises(Infeasible):
        Mondrian().protect(people(PERSONS), [KAnonymity(2)])


def test_a_tree_does_not_tell_spellings_apart() -> None:
    frame = pa.table({"q": ["a"] * 2, "s": ["E11", "e11"]})
    tree = Tree([["E11", "E"], ["e11", "E"]])
    shown = Table.of(frame, quasi=["q"], sensitive=["s"], hierarchies={"s": tree})
    assert LDiversity(2).check(shown).ok is False
    codes = pa.table({"q": ["a"] * 2, "s": ["250.0", "250.00"]})
    listed = Tree([["250.0", "250"], ["250.00", "250"]])
    assert LDiversity(2).check(Table.of(codes, quasi=["q"], sensitive=["s"], hierarchies={"s": listed})).ok


def test_a_value_of_which_nothing_is_seen_is_missing() -> None:
    frame = pa.table({"q": ["a"] * 3, "s": [None, "\u200b", " "]})
    assert LDiversity(1).check(Table.of(frame, quasi=["q"], sensitive=["s"])).value == 0


REGISTER = pa.table({"who": [*PERSONS, "p2"], "q": ["a"] * 5})


def test_a_register_counts_persons_and_not_their_spellings() -> None:
    shown = people(["p1", "p2"])
    assert KMap(REGISTER, 3).check(shown).value == 2
    assert KMap(REGISTER, 3).check(shown).ok is False
    assert JournalistRisk(REGISTER, "1/3").check(shown).ok is False
    assert DeltaPresence(REGISTER, "1/2").check(shown).ok is False
    assert MarketerRisk("1/3", population=REGISTER).check(shown).ok is False
    assert InstanceDisclosure(REGISTER, "1/3", reidentification="1/3").check(shown).ok is False
    assert Linkage(REGISTER, subject="who").mount(shown).value == 0.5


def test_a_register_in_which_persons_move_counts_them_once_too() -> None:
    moved = pa.table({"who": ["p1", "P1", "p2", "P1"], "q": ["a", "b", "a", "a"]})
    assert KMap(moved, 3).check(people(["p1", "p2"])).value == 2


def test_originals_are_counted_by_person() -> None:
    originals = pa.table({"who": PERSONS, "q": ["a"] * 4})
    shown = people(PERSONS)
    for criterion in (K1Anonymity, OneKAnonymity, KKAnonymity):
        assert criterion(originals, 2, subject="who").check(shown).ok is False


def test_a_reference_counts_alike_values_as_one() -> None:
    frame = pa.table({"q": ["a"] * 4, "s": ["HIV", "flu", "flu", "hiv"]})
    shown = Table.of(frame, quasi=["q"], sensitive=["s"])
    listed = pa.table({"s": ["hiv ", "FLU", "Flu", "HIV"]})
    assert TCloseness("1/10", column="s", reference=Source.of(listed)).check(shown).value == 0
    assert TCloseness("1/10", column="s", counts={"hiv": 1, "HIV": 1, "Flu": 2}).check(shown).value == 0
    further = TCloseness(1, column="s", counts={"hiv": 2, "Flu": 2, "Gout": 2, "gout": 2}).check(shown)
    assert further.value == TCloseness(1, column="s", counts={"HIV": 2, "flu": 2, "gout": 4}).check(shown).value


def test_a_person_has_one_pseudonym_in_a_class_and_one_shift() -> None:
    frame = pa.table({"who": [*PERSONS, "p2"], "q": ["a"] * 5})
    key = Key(b"an example key of enough bytes..")
    shown = Table.of(frame, quasi=["q"], subject="who")
    assert len(set(within_classes(shown, "patients", key).arrow().to_pylist())) == 2
    alone = Table.of(pa.table({"who": ["P1 ", "p2"], "q": ["a"] * 2}), quasi=["q"], subject="who")
    known = key.scoped("patients", "a")
    assert within_classes(alone, "patients", key).arrow().to_pylist() == [known.pseudonym("P1 "), known.pseudonym("p2")]


def test_lookalikes_are_cautioned_by_how_many_count_as_one() -> None:
    frame = pa.table({"who": [*PERSONS, "7", "7.0"], "q": ["x", "X", "y", "y", "y", "y"], "s": [*VALUES, "1", "1.0"]})
    shown = Table.of(frame, quasi=["q"], sensitive=["s"], subject="who")
    assert TablesWing().lookalikes(shown) == {"who": 4, "q": 1, "s": 3}


CHECKS: list[Callable[[Any], Any]] = [
    lambda register: KAnonymity(3),
    lambda register: ProsecutorRisk("1/3"),
    lambda register: SampleUniqueness("1/3"),
    lambda register: RecordShare("1/2"),
    lambda register: GBalance(),
    lambda register: MarketerRisk("1/3"),
    lambda register: LDiversity(2),
    lambda register: EntropyLDiversity(2),
    lambda register: RecursiveLDiversity(2, 2),
    lambda register: TCloseness("1/4"),
    lambda register: TCloseness("1/4", column="n", distance="ordered"),
    lambda register: BetaLikeness("1/2"),
    lambda register: DeltaDisclosure(1),
    lambda register: AlphaKAnonymity("1/2", 2),
    lambda register: AlphaKAnonymity("1/2", 2, ["hiv", "Flu"], column="s"),
    lambda register: HAffiliation("1/2"),
    lambda register: EpsilonMAnonymity(1, 2, column="n"),
    lambda register: RangeDiversity("1/2", column="n"),
    lambda register: KMap(register, 3),
    lambda register: JournalistRisk(register, "1/3"),
    lambda register: MarketerRisk("1/3", population=register),
    lambda register: DeltaPresence(register, "1/2"),
    lambda register: InstanceDisclosure(register, "1/2", case={"s": "hiv"}),
    lambda register: K1Anonymity(register, 2, subject="who"),
    lambda register: OneKAnonymity(register, 2, subject="who"),
]
ATTACKS: list[Callable[[Any], Any]] = [
    lambda register: Prosecutor(),
    lambda register: Uniqueness(),
    lambda register: Homogeneity(column="s"),
    lambda register: Linkage(register, subject="who"),
]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["p1", "p2", "p3", "anna b"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["hiv", "flu", "heart attack"]),
        st.sampled_from(["1", "2", "30"]),
    ),
    min_size=1,
    max_size=9,
)


def value(algorithm: Any, table: Table) -> tuple[Any, bool | None]:
    try:
        found = algorithm.check(table) if hasattr(algorithm, "check") else algorithm.mount(table)
    except DataError as error:
        return str(error), None
    return found.value, found.ok


@settings(max_examples=40)
@given(ROWS, st.integers(0, 1 << 30))
def test_no_criterion_and_no_attack_sees_how_persons_and_values_are_spelt(
    rows: list[tuple[str, str, str, str]], seed: int
) -> None:
    def opened(written: list[tuple[str, ...]]) -> tuple[Table, pa.Table]:
        who, q, s, n = zip(*written, strict=True)
        frame = pa.table({"who": who, "q": q, "s": s, "n": n})
        register = pa.table({"who": [*who, *PERSONS, "p4"], "q": [*q, *("a" * 5)]})
        return Table.of(frame, quasi=["q"], sensitive=["s", "n"], subject="who"), register

    written = [*rows, *rows[:1]]
    again = [(respelt(w, seed + 4 * i), q, respelt(s, seed + 4 * i + 1), n) for i, (w, q, s, n) in enumerate(rows)]
    clean, register = opened(list(written))
    other, respelt_register = opened([*again, written[-1]])
    for make in (*CHECKS, *ATTACKS):
        (before, holds), (after, still_holds) = value(make(register), clean), value(make(respelt_register), other)
        same = before == after or before == pytest.approx(after)  # a sum of logarithms may differ in its last digit
        assert same, make(register).name
        assert holds == still_holds, make(register).name


@settings(max_examples=30)
@given(ROWS, st.integers(0, 1 << 30))
def test_what_is_protected_holds_whatever_the_spelling(rows: list[tuple[str, str, str, str]], seed: int) -> None:
    written = [(respelt(w, seed + 2 * i), q, respelt(s, seed + 2 * i + 1), n) for i, (w, q, s, n) in enumerate(rows)]
    who, q, s, n = zip(*written, strict=True)
    data = Table.of(pa.table({"who": who, "q": q, "s": s, "n": n}), quasi=["q", "n"], sensitive=["s"], subject="who")
    try:
        released = Mondrian().protect(data, [KAnonymity(2), LDiversity(2)]).data
    except Infeasible:
        return
    shown = released.arrow.to_pylist()
    for cells in {(row["q"], row["n"]) for row in shown}:
        inside = [i for i, row in enumerate(shown) if (row["q"], row["n"]) == cells]
        persons = {released.subject.texts[released.subject.codes[i]] for i in inside}  # type: ignore[union-attr]
        assert len({fold(person) for person in persons}) >= 2
        assert len({fold(shown[i]["s"]) for i in inside}) >= 2


def test_guards_of_persons_cover_every_spelling() -> None:
    tree = Tree([["HIV", "infection"], ["flu", "infection"], ["gout", "joint"]])
    frame = pa.table({"q": ["a"] * 4, "s": ["HIV", "HIV", "flu", "gout"], "g": ["HIV", "hiv ", "", ""]})
    shown = Table.of(frame, quasi=["q"], sensitive=["s", "g"], hierarchies={"s": tree})
    plain = frame.set_column(2, "g", pa.array(["HIV", "HIV", "", ""]))
    clean = Table.of(plain, quasi=["q"], sensitive=["s", "g"], hierarchies={"s": tree})
    asked = PersonalisedPrivacy("g", "1/2", column="s")
    assert asked.check(shown).value == asked.check(clean).value


def test_two_releases_are_laid_over_each_other_by_the_looks_of_their_values() -> None:
    def published(values: list[str]) -> Table:
        return Table.of(pa.table({"q": ["a"] * 2, "s": values}), quasi=["q"], sensitive=["s"], published=True)

    assert Composition(published(["hiv", "gout"])).mount(published(["HIV", "flu"])).value == 1
    one_more = Table.of(
        pa.table({"q": ["a"] * 3, "s": ["hiv", "Flu", "gout"]}), quasi=["q"], sensitive=["s"], published=True
    )
    assert newcomers(published(["HIV", "flu"]), one_more, "s").disclosed == 1


def test_a_person_of_an_earlier_release_is_no_newcomer_under_another_spelling() -> None:
    names = [f"p{i}" for i in range(4)]
    earlier = Mondrian().protect(people(names), [KAnonymity(2)]).data
    with pytest.raises(DataError, match="2 of 4 newcomer"):
        Packing().append(earlier, people(["P1", "p2 ", "p8", "p9"]), [KAnonymity(2)])


def test_a_spelling_that_nobody_else_has_singles_out() -> None:
    frame = pa.table({"q": ["a"] * 4, "s": ["HIV", "HIV", "H\u200bIV", "HIV"]})
    plain = AccidentalIdentifiers(size=1).mount(Table.of(frame, quasi=["q"], sensitive=["s"]))
    assert plain.value == 0.25


def test_safe_harbor_reads_every_spelling() -> None:
    frame = pa.table({"q": ["a"] * 2, "s": ["A@B.ORG", "a@b.org"]})
    shown = Table.of(frame, quasi=["q"], sensitive=["s"], published=True)
    assert counted_texts(shown, "s") == [("A@B.ORG", 1), ("a@b.org", 1)]


def test_a_file_of_any_length_is_protected_by_persons(tmp_path: Path) -> None:
    frame = pa.table({"who": [*PERSONS, "p2", "p3"], "q": ["a"] * 3 + ["b"] * 3, "s": [*VALUES, "flu", "gout"]})
    pq.write_table(frame, tmp_path / "in.parquet")
    asked = {"must": [KAnonymity(2)], "quasi": ["q"], "sensitive": ["s"], "subject": "who"}
    protect_file(tmp_path / "in.parquet", tmp_path / "out.parquet", **asked)  # type: ignore[arg-type]
    shown = pq.read_table(tmp_path / "out.parquet")
    assert shown["q"].to_pylist() == ["{a,b}"] * 6
    assert sorted(shown["s"].to_pylist()) == sorted(frame["s"].to_pylist())


def test_a_withheld_row_shows_nothing_not_even_what_nobody_sees() -> None:
    frame = pa.table({"q": ["<suppressed>"] * 2 + ["a"], "s": [None, "\u200b", "HIV"]})
    shown = Table.of(frame, quasi=["q"], sensitive=["s"], published=True)
    assert shown.suppressed.tolist() == [True, False, False]


@pytest.mark.parametrize(
    "values", [["-1", "\u22121"], ["-1", "\u20111.0"], ["1", "１.０"], ["\u22121", "\u22121.0"], ["１", "１.０"]]
)
def test_numbers_are_equal_whatever_their_signs_and_digits_are(values: list[str]) -> None:
    frame = pa.table({"q": ["a"] * 2, "s": values})
    assert LDiversity(2).check(Table.of(frame, quasi=["q"], sensitive=["s"])).ok is False


def test_dates_are_equal_whatever_their_dashes_are() -> None:
    frame = pa.table({"q": ["a"] * 2, "s": ["2020-01-05", "2020\u201101\u201105"]})
    assert LDiversity(2).check(Table.of(frame, quasi=["q"], sensitive=["s"])).ok is False
