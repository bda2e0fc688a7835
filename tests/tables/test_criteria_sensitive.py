"""Criteria about sensitive values: numbers of the literature, references, parameters, and the way through a release.

The nine rows, the four groups of visits and the six patients are those of the specification's worked examples.
"""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy import Tree
from sharewell.io.sources import Source
from sharewell.pipeline.salted_hashes import Salt
from sharewell.policy.redact import _value as redacted
from sharewell.roles import Role
from sharewell.tables import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    EpsilonMAnonymity,
    GBalance,
    HAffiliation,
    PersonalisedPrivacy,
    RangeDiversity,
    RecordShare,
    RecursiveLDiversity,
    Table,
    TCloseness,
)
from sharewell.tables.engine.checks.distributions import WeightedClasses

F = Fraction
DISEASES = ["ulcer", "gastritis", "cancer", "gastritis", "flu", "bronchitis", "bronchitis", "pneumonia", "cancer"]
GUARDS = ["stomach", None, "digestive", "stomach", "flu", "respiratory", "lung", "respiratory", "cancer"]
TREE = Tree(
    [
        ["pneumonia", "lung", "respiratory", "*"],
        ["bronchitis", "lung", "respiratory", "*"],
        ["flu", "upper", "respiratory", "*"],
        ["ulcer", "stomach", "digestive", "*"],
        ["gastritis", "stomach", "digestive", "*"],
        ["cancer", "stomach", "digestive", "*"],
    ]
)
NINE = pa.table(
    {
        "class": list("aaabbbccc"),
        "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
        "disease": DISEASES,
        "guards": GUARDS,
    }
)


def nine(frame: pa.Table = NINE) -> Table:
    sensitive = ["salary", "disease", "guards"]
    return Table.of(frame, quasi=["class"], sensitive=sensitive, hierarchies={"disease": TREE})


def reached(criterion: Any, table: Table) -> list[Fraction]:
    """The exact number of each class alone."""
    classes = table.classes
    return [criterion.reached(classes.select(np.array([c]))) for c in range(classes.count)]


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        (TCloseness(1, distance="ordered", column="salary"), "3/8 1/6 17/72"),
        (TCloseness(1, distance="equal", column="salary"), "2/3 2/3 2/3"),
        (TCloseness(1, distance="equal", column="disease"), "4/9 4/9 4/9"),
        (TCloseness(1, distance="hierarchical", column="disease"), "4/9 8/27 1/3"),
        (EpsilonMAnonymity(1, 1, column="salary"), "1 1/3 2/3"),
        (EpsilonMAnonymity(2, 1, column="salary"), "1 2/3 1"),
        (EpsilonMAnonymity(3, 1, column="salary"), "1 1 1"),
        (RangeDiversity(0, column="salary"), "1/4 5/8 3/8"),
        (RangeDiversity(0, column="disease"), "1/2 1 1"),
        (PersonalisedPrivacy("guards", 1, column="disease"), "1 2/3 2/3"),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_the_nine_rows(criterion: Any, expected: str) -> None:
    assert reached(criterion, nine()) == [F(number) for number in expected.split()]


def test_class_2_keeps_m_3_within_1_and_class_3_only_m_1() -> None:
    holds = [EpsilonMAnonymity(1, m, column="salary").holds(nine().classes).tolist() for m in (1, 2, 3)]
    assert holds == [[True, True, True], [False, True, False], [False, True, False]]


def test_half_breaches_every_guarded_class() -> None:
    assert PersonalisedPrivacy("guards", F(1, 2), column="disease").check(nine()).details.failing == 3


SIX = Table.of(
    pa.table({"age": ["[20-29]"] * 6, "ill": ["HIV"] * 4 + ["Flu", "Cancer"]}), quasi=["age"], sensitive=["ill"]
)


@pytest.mark.parametrize(
    ("criterion", "holds"),
    [
        (EntropyLDiversity(2), True),
        (EntropyLDiversity(3), False),
        (EntropyLDiversity("2.3811"), True),
        (EntropyLDiversity("2.3812"), False),
        (RecursiveLDiversity("2/3", 1), False),
        (RecursiveLDiversity("0.667", 1), True),
        (RecursiveLDiversity(2, 2), False),
        (RecursiveLDiversity(2.01, 2), True),
        (RecursiveLDiversity(4, 3), False),
        (RecursiveLDiversity(4.01, 3), True),
        (RecursiveLDiversity(100, 4), False),
        (AlphaKAnonymity("2/3", 6, values=("HIV",)), True),
        (AlphaKAnonymity("2/3", 7, values=("HIV",)), False),
        (AlphaKAnonymity("0.66", 6, values=("HIV",)), False),
        (AlphaKAnonymity("1/6", 6, values=("Flu", "nowhere")), True),
        (HAffiliation("2/3"), True),
    ],
    ids=str,
)
def test_four_hiv_flu_and_cancer(criterion: Any, holds: bool) -> None:
    finding = criterion.check(SIX)
    assert (finding.ok, finding.failed) == (holds, not holds)


def test_the_entropy_of_the_six_is_known() -> None:
    value = EntropyLDiversity(1).check(SIX).value
    assert np.log(float(value or 0)) == pytest.approx(0.8675632284814612, abs=1e-15)
    assert value == pytest.approx(6 / 4 ** (2 / 3), abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "l", "holds"),
    [
        ((1, 1, 1), 3, True),
        ((7, 7, 7, 7, 7), 5, True),
        ((4, 1, 1, 1, 1), 4, True),  # half of one value, an eighth of each other: exactly two bits
        ((400, 100, 100, 100, 100), 4, True),
        ((400, 100, 100, 100, 101), 4, True),
        ((401, 100, 100, 100, 100), 4, False),
        ((40_000_001, 10_000_000, 10_000_000, 10_000_000, 10_000_000), 4, False),
    ],
)
def test_entropy_is_decided_exactly_at_the_bound(counts: tuple[int, ...], l: int, holds: bool) -> None:  # noqa: E741
    from sharewell.tables.criteria.entropy_l_diversity import _reaches

    divisor = int(np.gcd.reduce(counts))
    assert _reaches(tuple(count // divisor for count in counts), F(l)) is holds
    if sum(counts) < 1000:
        values = [f"v{i}" for i, count in enumerate(counts) for _ in range(count)]
        table = Table.of(pa.table({"q": ["x"] * len(values), "v": values}), quasi=["q"], sensitive=["v"])
        assert EntropyLDiversity(l).check(table).ok is holds


VISITS = {"Ashley": 2, "Bob": 1, "Charlie": 5, "Diana": 2, "Edward": 2, "Fred": 1, "Greg": 1, "Harry": 5}
ILLS = dict(zip(VISITS, ["E", "B", "C", "D", "D", "E", "E", "A"], strict=True))
GROUPS = "Ashley | Bob Charlie | Diana Edward | Fred Greg Harry"


def visits(groups: str) -> Table:
    """19 visits of 8 people, as the paper's table 1 counts them; illnesses as its shares require."""
    named = [(str(i), who) for i, people in enumerate(groups.split("|")) for who in people.split()]
    rows = [(group, who, ILLS[who]) for group, who in named for _ in range(VISITS[who])]
    frame = pa.table(dict(zip(("group", "who", "ill"), zip(*rows, strict=True), strict=True)))
    return Table.of(frame, quasi=["group"], sensitive=["ill"], subject="who")


@pytest.mark.parametrize(
    ("groups", "g", "h"),
    [
        (GROUPS, "0 5/18 1/2 22/49", "1 1/2 1 2/3"),
        (GROUPS.replace("|", ""), "296/361", "3/8"),
        ("Ashley Diana | Bob Edward Fred Greg | Charlie Harry", "1/2 18/25 1/2", "1/2 1/2 1/2"),
        ("Ashley Diana | Bob Edward | Fred Greg | Charlie Harry", "1/2 4/9 1/2 1/2", "1/2 1/2 1 1/2"),
    ],
)
def test_the_visits_of_eight_people(groups: str, g: str, h: str) -> None:
    assert reached(GBalance(0), visits(groups)) == [F(number) for number in g.split()]
    assert reached(HAffiliation(1), visits(groups)) == [F(number) for number in h.split()]


def test_the_largest_shares_of_visits() -> None:
    assert reached(RecordShare(1), visits(GROUPS)) == [1, F(5, 6), F(1, 2), F(5, 7)]


def test_a_balance_of_one_half_still_allows_a_share_of_seven_tenths() -> None:
    people = {"a": 70, "b": 10, "c": 10, "d": 10}
    rows = [who for who, count in people.items() for _ in range(count)]
    table = Table.of(pa.table({"q": ["x"] * 100, "who": rows}), quasi=["q"], subject="who")
    assert GBalance(0.48).check(table).ok is True
    assert RecordShare(0.5).check(table).value == F(7, 10)


def test_without_a_subject_every_record_is_another_person() -> None:
    assert GBalance(0).check(nine()).value == F(2, 3)
    assert RecordShare("1/3").check(nine()).ok is True


def test_persons_have_one_weight_and_records_count_besides() -> None:
    """Ten visits of one patient for one illness: half of the persons have it, and ten in eleven records."""
    frame = pa.table({"who": ["a"] * 10 + ["b"], "q": ["x"] * 11, "ill": ["flu"] * 10 + ["HIV"]})
    table = Table.of(frame, quasi=["q"], sensitive=["ill"], subject="who")
    assert EntropyLDiversity(2).check(table).ok is False
    assert EntropyLDiversity(2).holds_in(WeightedClasses(table.classes, "persons")).all()
    assert EntropyLDiversity(2, unit="record").check(table).ok is False
    assert HAffiliation("1/2").check(table).value == F(1, 2)
    assert HAffiliation("1/2", unit="record").check(table).value == F(10, 11)


# What a class is held against.


def test_a_reference_replaces_the_rows_at_hand() -> None:
    """Half the rows are withheld: only with the reference is the distance that of the whole."""
    half = NINE.slice(0, 6)
    counts = {str(salary): 1 for salary in NINE["salary"].to_pylist()}
    whole = NINE.select(["salary"])
    for given in ({"counts": counts}, {"reference": whole}):
        criterion = TCloseness(1, distance="ordered", column="salary", **given)  # type: ignore[arg-type]
        assert reached(criterion, nine(half)) == [F(3, 8), F(1, 6)]
        assert criterion.check(nine(half)).note == ""
    alone = TCloseness(1, distance="ordered", column="salary").check(nine(half))
    assert alone.value != F(3, 8)
    assert "rows of this table" in alone.note
    diseases = {disease: DISEASES.count(disease) for disease in DISEASES}
    criterion = TCloseness(1, distance="hierarchical", column="disease", counts=diseases)
    assert reached(criterion, nine(half)) == [F(4, 9), F(8, 27)]


def test_a_reference_must_have_every_published_value() -> None:
    with pytest.raises(DataError, match="lacks 2 value") as caught:
        BetaLikeness(1, column="disease", counts={"flu": 3, "ulcer": 1, "cancer": 2, "gastritis": 2}).check(nine())
    assert "pneumonia" not in str(caught.value)


def test_a_reference_known_by_hash_alone_leaves_it_undecided(tmp_path: Path) -> None:
    path = tmp_path / "salaries.csv"
    path.write_text("salary\n" + "\n".join(map(str, NINE["salary"].to_pylist())))
    criterion = TCloseness(1, column="salary", reference=Source.of(path))
    assert criterion.check(nine()).ok is True
    embedded = Salt("nonce", b"salt").applied(parameters(criterion))
    from_certificate = TCloseness(**json.loads(json.dumps(embedded)))
    found = from_certificate.check(nine())
    assert (found.ok, found.failed) == (None, True)
    assert "not here" in found.note


# Parameters.


def parameters(criterion: Any) -> dict[str, Any]:
    """As the certificate embeds them."""
    return {name: redacted(getattr(criterion, name)) for name in (f.name for f in dataclasses.fields(criterion))}


@pytest.mark.parametrize(
    "criterion",
    [
        AlphaKAnonymity(0.35, 3, values=["a", "b"]),  # type: ignore[arg-type]
        BetaLikeness(1.1, enhanced=True, column="ill", counts={"a": 3}),
        DeltaDisclosure("5/7"),
        EntropyLDiversity(2.2, estimator="grassberger"),
        EpsilonMAnonymity(0.1, 4, column="cost"),
        GBalance(0.7),
        HAffiliation("1/3"),
        PersonalisedPrivacy("guards", 0.3),
        RangeDiversity(0.1, domain=(0.1, 7)),
        RecordShare(0.3),
        RecursiveLDiversity(1.7, 3),
        TCloseness(0.15, distance="ordered"),
    ],
    ids=lambda c: c.name,
)
def test_it_is_rebuilt_from_its_certificate(criterion: Any) -> None:
    again = type(criterion)(**json.loads(json.dumps(parameters(criterion))))
    assert again == criterion
    assert isinstance(again.bound, Fraction)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TCloseness("x"), "t — must be a number or a fraction such as 1/11"),
        (lambda: TCloseness(1.5), "t — must be at least 0 and at most 1"),
        (lambda: TCloseness(1, distance="far"), "distance — must be one of equal, ordered, hierarchical"),
        (lambda: TCloseness(1, counts={"a": 1}), "column must be named"),
        (lambda: TCloseness(1, column="a", counts={"a": "1"}), "counts — has an entry that must be a whole number"),
        (lambda: BetaLikeness(0), "beta — must be above 0"),
        (lambda: DeltaDisclosure(0), "delta — must be above 0"),
        (lambda: EntropyLDiversity(0.5), "l — must be at least 1"),
        (lambda: EntropyLDiversity(2, estimator="other"), "estimator — must be one of shannon, grassberger"),
        (lambda: RecursiveLDiversity(0, 2), "c — must be above 0"),
        (lambda: RecursiveLDiversity(1, 0), "l — must be at least 1"),
        (lambda: AlphaKAnonymity(0, 1), "alpha — must be above 0 and at most 1"),
        (lambda: AlphaKAnonymity(1, 0), "k — must be at least 1"),
        (lambda: AlphaKAnonymity(1, 1, values="HIV"), "values — must be a list"),
        (lambda: EpsilonMAnonymity(-1, 1), "epsilon — must be at least 0"),
        (lambda: EpsilonMAnonymity(1, 0), "m — must be at least 1"),
        (lambda: RangeDiversity(2), "rho — must be at least 0 and at most 1"),
        (lambda: RangeDiversity(1, domain=(3, 2)), "domain must begin"),
        (lambda: PersonalisedPrivacy("g", 0), "most — must be above 0 and at most 1"),
        (lambda: GBalance(1), "g — must be at least 0 and below 1"),
        (lambda: HAffiliation(0), "h — must be above 0 and at most 1"),
        (lambda: RecordShare(0), "most — must be above 0 and at most 1"),
    ],
)
def test_bad_parameters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (EpsilonMAnonymity(1, 2, column="disease"), "neither numbers nor dates"),
        (RangeDiversity(0.5, column="guards"), "neither numbers nor dates"),
        (TCloseness(1, distance="hierarchical", column="salary"), "no hierarchy"),
        (PersonalisedPrivacy("guards", 1), "no hierarchy for column salary"),
        (PersonalisedPrivacy("guards", 1, column="guards"), "besides the guards"),
        (HAffiliation(1, column="class"), "no sensitive column named 'class'"),
    ],
)
def test_columns_that_do_not_fit_are_mistakes_of_the_policy(criterion: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        criterion.check(nine())


def test_a_guard_that_is_no_node_is_refused_without_its_name() -> None:
    frame = NINE.set_column(3, "guards", pa.array(["elbow"] * 9))
    with pytest.raises(DataError, match="no node") as caught:
        PersonalisedPrivacy("guards", 1, column="disease").check(nine(frame))
    assert "elbow" not in str(caught.value)


def test_decimals_are_compared_as_they_are_written() -> None:
    """0.1 and 0.3 lie 0.2 apart, although their floating-point numbers do not."""
    frame = pa.table({"q": ["x"] * 3, "v": ["0.1", "0.3", "0.6"]})
    table = Table.of(frame, quasi=["q"], sensitive=["v"])
    assert EpsilonMAnonymity(0.2, 1).check(table).value == F(2, 3)
    assert EpsilonMAnonymity(0.3, 1).check(table).value == 1
    assert RangeDiversity(0, domain=("0.1", "0.9")).check(table).value == F(5, 8)


def test_published_numbers_are_found_again_in_texts() -> None:
    """A release is read back as text, and 10 does not come before 9."""
    frame = pa.table({"q": ["x"] * 2 + ["y"] * 2, "v": ["9", "10", "100", "11"]})
    numbers = Table.of(frame, quasi=["q"], sensitive=["v"])
    texts = Table.from_arrow(frame, numbers.schema, {}, kinds={"v": "text"}, published=True)
    for criterion in (TCloseness(1, distance="ordered"), EpsilonMAnonymity(1, 1), RangeDiversity(0)):
        assert reached(criterion, texts) == reached(criterion, numbers)


def test_a_column_without_known_values_never_holds() -> None:
    """Nothing but missing values: nothing is diverse, and everything is frequent."""
    frame = pa.table({"q": ["x"] * 3, "v": pa.nulls(3, pa.string())})
    table = Table.of(frame, quasi=["q"], sensitive=["v"])
    assert table.columns["v"].role is Role.SENSITIVE
    for criterion in (EntropyLDiversity(1), RecursiveLDiversity(9, 1), RangeDiversity("1/9"), HAffiliation("2/3")):
        assert criterion.check(table).ok is False
