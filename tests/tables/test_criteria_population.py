"""Criteria about a population or the originals: numbers from the literature, plain-Python oracles, exact errors."""

from __future__ import annotations

import json
from fractions import Fraction
from math import ceil, comb
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import Finding
from sharewell.policy.redact import _value as redacted
from sharewell.tables import (
    DeltaPresence,
    InstanceDisclosure,
    JournalistRisk,
    K1Anonymity,
    KAnonymity,
    KKAnonymity,
    KMap,
    KMapEstimated,
    MarketerRisk,
    Mondrian,
    OneKAnonymity,
    OptimalRecoding,
    PopulationUniqueness,
    ProsecutorRisk,
    RecordSuppression,
    SampleUniqueness,
    Table,
)
from sharewell.tables.engine.checks.exact_averages import judge_mean
from sharewell.tables.engine.population_uniques import (
    ClassSizes,
    _excess,
    _excesses,
    _likelihood,
    dankar,
    pitman,
    pitman_parameters,
    shlosser,
    snb,
    snb_expected,
    snb_parameters,
    sum_of_inverses,
    sums_of_inverses,
    sums_to_each,
    zayatz,
)
from sharewell.testing import check_criterion

F = Fraction


def table(rows: dict[str, list[Any]], sensitive: tuple[str, ...] = (), subject: str | None = None) -> Table:
    """Published cells; every other column is quasi."""
    quasi = [name for name in rows if name not in (*sensitive, subject)]
    return Table.of(pa.table(rows), quasi=quasi, sensitive=sensitive, subject=subject, published=True)


def parts(finding: Finding) -> dict[str, Any]:
    return {part.name: part.value for part in finding.parts}


# Liu, Li, Motiwalla and others, 2015, tables 1 and 2: nine people, six patients.

BORN = ["1927-07-15", "1927-05-28", "1927-10-26"]
BORN += ["1935-01-02", "1935-02-03", "1935-10-24", "1935-05-13", "1935-09-26", "1935-09-26"]
PEOPLE = pa.table({"zip": ["00101"] * 3 + ["00202"] * 6, "born": BORN})
PATIENTS = PEOPLE.take(pa.array([0, 1, 2, 3, 6, 7]))
YEAR = {1927: "[1927-01-01..1927-12-31]", 1935: "[1935-01-01..1935-12-31]"}
ZIP3 = {"zip": ["001*"] * 3 + ["002*"] * 3, "born": [YEAR[1927]] * 3 + [YEAR[1935]] * 3}
R, Q = "average instance risk R", "average re-identification risk Q"


def judged(shown: dict[str, list[Any]], people: Any = PEOPLE, **more: Any) -> Finding:
    return InstanceDisclosure(people, 1, average=1, reidentification=1, **more).check(table(shown))


@pytest.mark.parametrize(
    ("shown", "largest", "average", "identified"),
    [
        (PATIENTS.to_pydict(), 1, F(11, 12), F(11, 12)),
        (ZIP3, 1, F(3, 4), F(1, 4)),
        ({"zip": ["00*"] * 6, "born": ["[1927-01-01..1935-12-31]"] * 6}, F(2, 3), F(2, 3), F(1, 9)),
        ({"zip": ["00101"] * 3 + ["00202"] * 3, "born": ZIP3["born"]}, 1, F(3, 4), F(1, 4)),
    ],
    ids=["zip5 and date", "zip3 and year", "no split", "zip5 and year"],
)
def test_instance_risks_of_the_paper(shown: Any, largest: Any, average: Any, identified: Any) -> None:
    found = judged(shown)
    assert (found.value, found.ok) == (largest, True)
    assert parts(found) == {R: average, Q: identified}


def test_each_class_of_the_paper_has_its_r_and_q() -> None:
    """zip3 and year: r = 1 and 1/2, q = 1/3 and 1/6; with fifteen people in the second cell, r = 1/5."""
    shown, fits = table(ZIP3), np.array([3, 6])
    assert InstanceDisclosure(PEOPLE, 1).worst_against(shown.classes, fits).tolist() == [1, 0.5]
    assert JournalistRisk(PEOPLE, 1).worst_against(shown.classes, fits).tolist() == [1 / 3, 1 / 6]
    assert JournalistRisk(PEOPLE, 1).check(shown).value == F(1, 3)
    assert MarketerRisk(1, population=PEOPLE).check(shown).value == F(1, 4)
    wide = pa.concat_tables([PEOPLE, PEOPLE.slice(3, 1).take(pa.array([0] * 9))])
    second = {name: cells[3:] for name, cells in ZIP3.items()}
    assert judged(second, wide).value == F(1, 5)


def test_the_bound_is_kept_exactly() -> None:
    shown = table({name: cells[3:] for name, cells in ZIP3.items()})
    for bound, ok in (("1/2", True), (0.5, True), (0.499999, False), ("499999999999/1000000000000", False)):
        assert InstanceDisclosure(PEOPLE, bound).check(shown).ok is ok
    assert DeltaPresence(PEOPLE, "0.5").max == F(1, 2)


def test_overlapping_classes_are_not_certified() -> None:
    """The figure as printed publishes [1927-1935] beside 1935: n/N is then no probability of presence."""
    shown = {"zip": ["00*"] * 2 + ["00202"] * 4, "born": ["[1927-01-01..1935-12-31]"] * 2 + [YEAR[1935]] * 4}
    found = judged(shown)
    assert (found.ok, found.failed, found.value) == (None, True, F(2, 3))
    assert found.note.endswith(
        "classes overlap on the same people, so that n/N is an estimate: not certified without accept_overlap"
    )
    assert all(part.ok is None for part in found.parts)
    accepted = judged(shown, accept_overlap=True)
    assert accepted.ok
    assert accepted.note.endswith("classes overlap on the same people, so that n/N is an estimate")
    assert accepted.details.overlapping_people == 6


def test_a_minimum_is_missed_by_people_whom_no_class_covers() -> None:
    second = {name: cells[3:] for name, cells in ZIP3.items()}
    found = DeltaPresence(PEOPLE, 1, min="1/100").check(table(second))
    assert (found.ok, found.parts[0].value, found.parts[0].note) == (False, 0, "3 people fit no class")
    assert DeltaPresence(PEOPLE, 1, min="1/2").check(table(ZIP3)).ok is True
    assert DeltaPresence(PEOPLE, 1, min="51/100").check(table(ZIP3)).ok is False
    fine = DeltaPresence(PEOPLE, 1, min="51/100").holds_against(table(ZIP3).classes, np.array([3, 6]))
    assert fine.tolist() == [True, False]


CASES = {
    "zip": ["001*"] * 2 + ["002*"] * 4,
    "who": ["a", "b", "c", "c", "d", "e"],
    "ill": ["HIV", "none", "HIV", "flu", "flu", "none"],
}


def test_only_cases_disclose_and_diseases_have_their_own_bounds() -> None:
    shown = table(CASES, ("ill",), "who")
    assert DeltaPresence(PEOPLE, 1, by=["zip"]).check(shown).value == F(2, 3)
    one = InstanceDisclosure(PEOPLE, 1, case={"ill": "HIV"}, average=1).check(shown)
    assert (one.value, parts(one)[R]) == (F(1, 3), F(1, 4))
    both = InstanceDisclosure(PEOPLE, 1, case={"ill": ["HIV", "flu"]}).check(shown)
    assert both.value == F(1, 3), "c has both and is one person"
    bounds = {"ill": {"HIV": "1/3", "flu": "1/4"}}
    split = InstanceDisclosure(PEOPLE, "1/2", bounds=bounds).check(shown)
    assert [(part.value, part.bound, part.ok) for part in split.parts] == [
        (F(1, 3), F(1, 3), True),
        (F(1, 3), F(1, 4), False),
    ]
    assert (split.value, split.ok) == (F(1, 3), False)
    held = InstanceDisclosure(PEOPLE, "1/2", bounds=bounds)
    assert held.holds_against(shown.classes, np.array([3, 6])).tolist() == [True, False]
    assert held.worst_against(shown.classes, np.array([3, 6])).tolist() == pytest.approx([0.5, 2 / 3])


def test_a_case_that_never_occurs_is_undecided_and_a_foreign_column_a_mistake() -> None:
    shown = table(CASES, ("ill",), "who")
    found = InstanceDisclosure(PEOPLE, 1, case={"ill": "HVI"}).check(shown)
    assert found.ok is None
    assert found.note.endswith("nobody whose presence is judged was released")
    with pytest.raises(PolicyError) as caught:
        InstanceDisclosure(PEOPLE, 1, case={"zip": "001*"}).check(shown)
    told = "no sensitive column named 'zip' — give the column the role sensitive"
    assert str(caught.value) == f"policy: instance-disclosure — {told}"


def test_a_record_without_a_person_counts_as_one_where_that_is_the_worse() -> None:
    shown = table({"zip": ["001*"] * 3, "who": ["a", "a", None]}, (), "who")
    assert DeltaPresence(PEOPLE, 1, by=["zip"]).check(shown).value == F(2, 3)
    assert ProsecutorRisk(1).check(shown).value == 1


# k-map.


def test_the_slides_population_maps_two_to_every_record() -> None:
    people = pa.table({"age": ["40", "40", "45", "45"], "area": ["NW10", "NW10", "NW15", "NW15"]})
    shown = table({"age": ["40", "45"], "area": ["NW10", "NW15"]})
    found = KMap(people, 2).check(shown)
    assert (found.value, found.ok, found.unit) == (2, True, "people")
    assert KMap(people, 3).check(shown).details.failing == 2
    assert KAnonymity(2).check(shown).value == 1


def test_a_list_may_give_counts() -> None:
    people = pa.table({"age": [40, 45], "number": [7, 3]})
    shown = table({"age": ["40", "[40-45]"]})
    assert KMap(people, 1, count="number").check(shown).value == 7
    with pytest.raises(DataError) as caught:
        KMap(pa.table({"age": [40, 45], "number": ["7", "many"]}), 1, count="number").check(shown)
    assert str(caught.value) == (
        "the frame — column number: 1 of 2 cell(s) are not whole numbers — correct them, or leave `count:` out"
    )


def test_a_list_that_lacks_people_is_refused_unless_it_covers_partly() -> None:
    shown = table({"age": ["40"] * 3 + ["45"]})
    people = pa.table({"age": [40, 45, 45]})
    for criterion in (KMap(people, 1), DeltaPresence(people, 1), JournalistRisk(people, 1)):
        with pytest.raises(DataError) as caught:
            criterion.check(shown)
        assert str(caught.value) == (
            "the frame — lacks released people: 1 class(es) of 3 person(s) fit 1 of its people"
            " — complete the list, or say `covers: partly`"
        )
    found = KMap(people, 3, covers="partly").check(shown)
    assert found.value == 2
    assert found.note.startswith("1 class(es) hold more persons than the list: N raised to n there")
    assert DeltaPresence(people, 1, covers="partly").check(shown).value == 1
    assert JournalistRisk(people, 1, covers="partly").check(shown).value == F(1, 2)
    with pytest.raises(DataError, match="lacks released people"):
        KMap(people, 1).worst_against(shown.classes, np.array([1, 2]))


def test_a_list_without_a_quasi_column_is_refused_unless_the_columns_are_named() -> None:
    shown = table({"age": ["40", "40"], "job": ["x", "y"]})
    people = pa.table({"age": [40, 40, 40]})
    with pytest.raises(DataError) as caught:
        KMap(people, 1).check(shown)
    assert str(caught.value) == (
        "the frame — lacks the quasi column(s) job — map names with `columns:`, or name those that it has with `by:`"
    )
    assert KMap(people, 1, by=["age"]).check(shown).value == 3
    assert DeltaPresence(people, 1, by=["age"]).check(shown).value == F(2, 3), "whom the list cannot tell apart"
    with pytest.raises(PolicyError, match="by: town — only quasi columns can be named"):
        KMap(people, 1, by=["town"]).check(shown)


def test_without_quasi_columns_everybody_fits() -> None:
    shown = Table.of(pa.table({"ill": ["a", "b"]}), quasi=[], sensitive=["ill"])
    assert KMap(PEOPLE, 1).check(shown).value == 9
    assert K1Anonymity(PEOPLE, 1).check(shown).value == 9


@settings(max_examples=60, deadline=None)
@given(k=st.integers(1, 9), people=st.integers(1, 40), data=st.data())
def test_the_estimated_map_asks_for_the_least_size_that_keeps_the_significance(k: int, people: int, data: Any) -> None:
    """Hypergeometric tails with exact binomials, for every size that a class of too few people may have."""
    n = data.draw(st.integers(1, people))
    significance, groupings = data.draw(st.sampled_from([0.01, 0.2])), data.draw(st.integers(1, 3))

    def wrong(least: int) -> Fraction:
        sizes = range(least, min(k - 1, people) + 1)
        tails = [
            F(people, f) * F(sum(comb(f, i) * comb(people - f, n - i) for i in range(least, min(f, n) + 1)), 1)
            for f in sizes
        ]
        return max(tails, default=F(0)) / comb(people, n)

    size = next(t for t in range(1, k + 1) if groupings * wrong(t) * (1 + F(1, 10**9)) <= significance or t == k)
    criterion = KMapEstimated(k, people, significance, sample_size=n, groupings=groupings)
    assert criterion.least(table({"age": ["40"]}).classes) == size


@pytest.mark.parametrize(("k", "shared"), [(11, 10), (11, 7), (4, 3), (6, 5)])
def test_no_release_has_a_class_of_too_few_people_more_often_than_stated(k: int, shared: int) -> None:
    """Every value is shared by fewer than k people, so that a release that shows any class is wrong."""
    draw, people, sample, significance, times = np.random.default_rng(7), 2000, 100, 0.2, 400
    criterion = KMapEstimated(k, people, significance, sample_size=sample, groupings=1)
    least = criterion.least(table({"age": ["40"]}).classes)
    assert least < k
    values, wrong = np.arange(people) // shared, 0
    for i in range(times):
        sizes = np.bincount(values[draw.choice(people, sample, replace=False)])
        wrong += int(sizes.max() >= least)
        if sizes.max() < least and i > 10:
            continue
        shown = [str(value) for value, size in enumerate(sizes) for _ in range(size)]
        original = Table.of(pa.table({"age": shown}), quasi=["age"])
        try:  # rows are withheld, but the size of the sample stays what it was
            released = RecordSuppression(suppress=0.99).protect(original, [criterion]).data
        except Infeasible:
            assert sizes.max() < least
            continue
        assert released.classes.sizes.min() >= least
        assert criterion.check(released).ok is True
    assert wrong / times <= significance
    assert k != 11 or wrong  # close to what is allowed, not far below it


def test_what_is_not_known_of_the_sample_is_not_estimated() -> None:
    """Rows that were withheld, classes fitted to the data, or several records a person: k persons are asked for."""
    shown = table({"age": ["40"] * 5})
    assert KMapEstimated(11, 100_000, sample_size=1000, groupings=1).check(shown).bound == 5
    for criterion in (
        KMapEstimated(11, 100_000),
        KMapEstimated(11, 100_000, sample_size=1000),
        KMapEstimated(11, 100_000, groupings=1),
    ):
        assert criterion.check(shown).bound == 11
    several = table({"who": ["a", "a", "b"], "age": ["40"] * 3}, (), "who")
    assert KMapEstimated(11, 100_000, sample_size=1000, groupings=1).check(several).bound == 11
    original = Table.of(pa.table({"age": [40] * 7}), quasi=["age"])
    assert KMapEstimated(11, 100).parameters_from(original) == {"sample_size": 7}
    with pytest.raises(DataError, match="7 released where sample_size is 5"):
        KMapEstimated(3, 100, sample_size=5, groupings=1).check(original)


def test_mechanisms_that_fit_classes_to_the_data_refuse_a_number_of_groupings() -> None:
    original = Table.of(pa.table({"age": [str(i % 5) for i in range(30)]}), quasi=["age"])
    criterion = KMapEstimated(3, 1000, sample_size=30, groupings=1)
    with pytest.raises(PolicyError, match="fits its classes to the data"):
        Mondrian().protect(original, [criterion])
    with pytest.raises(PolicyError, match="say groupings: 2"):
        OptimalRecoding().protect(original, [criterion])
    fine = KMapEstimated(3, 1000, sample_size=30, groupings=2)
    assert fine.check(OptimalRecoding().protect(original, [fine]).data).ok is True


def test_mondrian_reaches_the_estimated_map_and_prosecutor_risk() -> None:
    frame = pa.table({"age": [str(20 + i * 7 % 40) for i in range(60)]})
    original = Table.of(frame, quasi=["age"])
    for criterion in (KMapEstimated(8, 200), ProsecutorRisk("1/4"), ProsecutorRisk("1/4", share="1/10")):
        assert registry.compatible(Mondrian, type(criterion))
        released = Mondrian(suppress=0.1).protect(original, [criterion]).data
        assert criterion.check(released).ok is True
        assert released.classes.count > 1
    for name in ("k-map", "delta-presence", "instance-disclosure", "journalist-risk", "marketer-risk"):
        assert not registry.compatible(Mondrian, registry.lookup("tables", "criteria", name)), name


# (k,1), (1,k), (k,k).


@pytest.mark.parametrize(
    ("shown", "one", "other", "k"),
    [
        (["[10-20]", "[20-30]", "[20-30]", "[30-40]"], 2, 1, 1),
        (["[10-20]", "[10-20]", "[20-30]", "[30-40]"], 2, 1, 1),
        (["[10-20]", "[10-30]", "[30-40]", "[30-40]"], 2, 2, 1),
        (["[10-20]", "[10-20]", "[30-40]", "[30-40]"], 2, 2, 2),
    ],
)
def test_consistency_of_the_four_tables(shown: list[str], one: int, other: int, k: int) -> None:
    originals, published = pa.table({"age": [10, 20, 30, 40]}), table({"age": shown})
    assert K1Anonymity(originals, 2).check(published).value == one
    assert OneKAnonymity(originals, 2).check(published).value == other
    both = KKAnonymity(originals, 2).check(published)
    assert (both.value, both.ok, parts(both)) == (min(one, other), min(one, other) >= 2, {"(k,1)": one, "(1,k)": other})
    assert KAnonymity(2).check(published).value == k


def test_withheld_originals_need_not_be_covered_but_lost_ones_must() -> None:
    originals = pa.table({"age": [10, 20, 30]})
    found = OneKAnonymity(originals, 1).check(table({"age": ["[10-20]"] * 2}))
    assert (found.value, found.note) == (2, "1 original record(s) were withheld")
    assert OneKAnonymity(originals, 1).check(table({"age": ["[10-20]"] * 3})).value == 0


def test_persons_are_counted_on_either_side() -> None:
    """a owns 10 and 20; pseudonyms are not the same in two classes, so that the fewest possible persons are taken."""
    originals = pa.table({"age": [10, 20, 20], "who": ["a", "a", "b"]})
    published = table({"age": ["[10-20]"] * 2 + ["20"], "pseudonym": ["x", "y", "z"]}, (), "pseudonym")
    assert K1Anonymity(originals, 1, subject="who").check(published).value == 2
    assert OneKAnonymity(originals, 1, subject="who").check(published).value == 2
    assert OneKAnonymity(originals, 1, unit="record").check(published).value == 2
    with pytest.raises(DataError) as caught:
        OneKAnonymity(originals, 1).check(published)
    assert str(caught.value) == (
        "the frame — which column identifies persons is not known — name it with `subject:`, or say `unit: record`"
    )
    with pytest.raises(DataError, match=r"lacks the quasi column\(s\) age — map names"):
        K1Anonymity(pa.table({"alter": [1]}), 1).check(published)


# Risk thresholds.


def test_a_share_of_the_persons_may_exceed_the_risk() -> None:
    shown = table({"age": ["a"] * 2 + ["b"] * 3 + ["c"] * 15})
    for share, value in ((0, F(1, 2)), ("9/100", F(1, 2)), ("1/10", F(1, 3)), ("1/4", F(1, 15))):
        found = ProsecutorRisk("1/3", share=share).check(shown)
        assert (found.value, found.ok) == (value, value <= F(1, 3))
    assert MarketerRisk("3/20").check(shown).value == F(3, 20)
    assert MarketerRisk("3/20").check(shown).ok is True
    assert ProsecutorRisk("1/3").holds(shown.classes).tolist() == [False, True, True]


def test_an_average_is_decided_exactly_whatever_the_denominators() -> None:
    """1/2 + 1/3 + … over thousands of different denominators, against its own value and a hair less."""
    under = np.arange(2, 4002)
    over = np.ones_like(under)
    top, bottom = 0, 1
    for n in under.tolist():
        top, bottom = top * n + bottom, bottom * n
    exact = Fraction(top, bottom) / 4000
    hair = Fraction(1, 10**400)
    assert judge_mean("m", over, under, 4000, exact).ok is True
    assert judge_mean("m", over, under, 4000, exact - hair).ok is False
    assert judge_mean("m", over, under, 4000, exact).value == pytest.approx(float(exact), rel=1e-15)
    assert judge_mean("m", over[:0], under[:0], 0, F(1)).ok is None


# Uniqueness.


def test_sample_uniqueness_counts_persons_alone_in_a_class() -> None:
    shown = table({"age": ["a", "a", "b", "b", "c"], "who": ["p", "q", "p", "p", "r"]}, (), "who")
    assert SampleUniqueness("1/2").check(shown).value == F(2, 3)  # p is alone in b, though not in a
    assert SampleUniqueness("1/2", unit="record").check(shown).value == F(1, 5)
    assert SampleUniqueness(0, unit="record").check(shown).ok is False


def sizes(**number: int) -> ClassSizes:
    return ClassSizes.of(np.repeat([int(k[1:]) for k in number], list(number.values())))


ONE, TWO, THREE = sizes(s1=8, s2=2, s8=1), sizes(s1=6, s2=1, s12=1), sizes(s1=4, s2=1, s4=1)


@pytest.mark.parametrize(
    ("sample", "chance", "uniques"),
    [
        (ONE, F(32646999, 52804189), 24.730612944),
        (TWO, F(601455662577, 863453321257), 20.897099395),
        (THREE, F(52283, 115208), 18.152558850),
    ],
)
def test_zayatz(sample: ClassSizes, chance: Fraction, uniques: float) -> None:
    found = zayatz(sample, 100).uniques
    assert found == pytest.approx(uniques, abs=1e-9)
    assert found == pytest.approx(float(chance * sample.uniques * 100 / sample.total), rel=1e-13)


def test_zayatz_is_bayes_rule_with_binomial_coefficients() -> None:
    sample, people = sizes(s1=3, s2=4, s5=1, s9=2), 50
    n = sample.total
    h = {i: F(comb(people - i, n - 1) * i, comb(people, n)) for i in (1, 2, 5, 9)}
    total = 3 * h[1] + 4 * h[2] + h[5] + 2 * h[9]
    assert zayatz(sample, people).uniques == pytest.approx(float(3 * 3 * h[1] / total * people / n), rel=1e-13)


@pytest.mark.parametrize(
    ("sample", "theta", "alpha", "uniques"),
    [(ONE, 1.776311710, 0.615743618, 22.665135978), (TWO, 0.083484400, 0.710015848, 21.513616454)],
)
def test_pitman(sample: ClassSizes, theta: float, alpha: float, uniques: float) -> None:
    assert pitman_parameters(sample) == pytest.approx((theta, alpha), abs=1e-9)
    assert pitman(sample, 100).uniques == pytest.approx(uniques, abs=1e-8)


def test_no_interior_solution_is_undecided_and_never_zero() -> None:
    none = pitman(THREE, 100)
    assert (none.uniques, none.note) == (None, "pitman: the likelihood has no interior maximum")
    ages = [str(i) for i, size in enumerate([1, 1, 1, 1, 2, 4]) for _ in range(size)]
    found = PopulationUniqueness("1/2", 100, "pitman").check(table({"age": ages}))
    assert (found.value, found.ok, found.failed, found.note) == (None, None, True, none.note)
    assert pitman(sizes(s1=7), 100).uniques is None, "all unique: the likelihood grows without end"
    assert snb(sizes(s1=5, s3=2), 100).uniques is None, "no class of two"
    ruled = dankar(THREE, 100)
    assert ruled.uniques == zayatz(THREE, 100).uniques
    assert ruled.note == f"{none.note}; zayatz taken"


def test_snb_solves_its_equations() -> None:
    """Expected classes of one and two are the sample's; the classes of the population are Shlosser's."""
    for sample, people in ((ONE, 100), (TWO, 100), (sizes(s1=120, s2=40, s3=21, s9=6), 1000)):
        every = shlosser(sample, sample.total / people)
        fitted = snb_parameters(sample, people)
        assert fitted
        for alpha, beta in fitted:
            once, twice = snb_expected(sample.total / people, alpha, beta)
            assert (every * once, every * twice) == pytest.approx((sample.uniques, sample.having(2)), rel=1e-9)
        assert snb(sample, people).uniques == max(every * beta**alpha for alpha, beta in fitted)


def test_snb_probabilities_are_those_of_a_thinned_population() -> None:
    """Classes of 1 + NB(α, β) people, each sampled with probability p: summed term by term."""
    from math import lgamma

    share, alpha, beta = 0.3, 1.7, 0.4
    size = np.arange(0, 400)
    logs = [lgamma(alpha + x) - lgamma(alpha) - lgamma(x + 1) for x in size.tolist()]
    mass = np.exp(np.array(logs) + alpha * np.log(beta) + size * np.log(1 - beta))
    people = size + 1
    once = (mass * people * share * (1 - share) ** (people - 1)).sum()
    twice = (mass * people * (people - 1) / 2 * share**2 * (1 - share) ** (people - 2.0)).sum()
    assert snb_expected(share, alpha, beta) == pytest.approx((once, twice), rel=1e-12)


def test_dankars_rule_chooses_by_the_share() -> None:
    small = sizes(s1=8, s2=2, s8=1)
    assert dankar(small, 1000) == pitman(small, 1000)
    assert dankar(small, 100).uniques == min(snb(small, 100).uniques or 0, zayatz(small, 100).uniques or 0)
    assert dankar(sizes(s2=5), 1000).uniques == 0
    assert dankar(small, 20).uniques == 8, "everybody is in the sample"


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(0, 500))
def test_estimates_lie_between_nobody_and_everybody(found: list[int], more: int) -> None:
    """Or are none at all; Pitman's is the one that may go a little beyond, being asymptotic."""
    sample = ClassSizes.of(np.array(found))
    people = sample.total + more
    for estimator in (zayatz, pitman, snb, dankar):
        uniques = estimator(sample, people).uniques
        assert uniques is None or 0 <= uniques <= people * (1.5 if estimator in (pitman, dankar) else 1 + 1e-9)
        if sample.uniques and more and uniques is not None:
            assert uniques > 0


def test_sums_of_inverses_are_exact() -> None:
    for first, number in ((0.3, 5), (0.3, 100), (7e8, 1000), (20.0, 24), (1e-3, 60)):
        plain = float(sum(F(1) / (F(first) + i) for i in range(number)))
        for found in (
            sums_of_inverses(np.array([first]), number)[0],
            sum_of_inverses(first, number),
            sums_to_each(np.array([first, 1.0]), np.array([number, 1]))[0, 0],
        ):
            assert found == pytest.approx(plain, rel=1e-13)


@settings(max_examples=40, deadline=None)
@given(sizes=st.lists(st.integers(1, 60), min_size=2, max_size=40), alpha=st.floats(1e-4, 1 - 1e-6))
def test_the_best_parameter_is_the_same_for_one_and_for_many(sizes: list[int], alpha: float) -> None:
    """And nearby parameters are not better."""
    sample = ClassSizes.of(np.array(sizes))
    assume(sample.classes < sample.total)
    one, many = _excess(sample, alpha), _excesses(sample, np.array([alpha, 0.5]))[0]
    assert many == pytest.approx(one, rel=1e-9)
    best = _likelihood(sample, one - alpha, alpha)
    assert max(_likelihood(sample, one * near - alpha, alpha) for near in (0.99, 1.01)) <= best + 1e-9 * abs(best)


# Plain-Python oracles on small tables.

ages = st.sampled_from(["0", "1", "2", "[0-1]", "[1-3]", "[0-3]", "*"])
towns = st.sampled_from(["a", "b", "{a,b}", "{a,c}", "*"])
published_rows = st.lists(
    st.tuples(ages, towns, st.sampled_from("pqrs"), st.sampled_from("xyz")), min_size=1, max_size=8
)
people_rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=14)


def covers(cell: str, value: str) -> bool:
    if cell == "*":
        return True
    if cell.startswith("["):
        low, high = cell.strip("[]").split("-")
        return int(low) <= int(value) <= int(high)
    return value in cell.strip("{}").split(",")


def largest_chances(groups: dict[Any, Any], chance: dict[Any, Fraction], subject: bool) -> list[Fraction]:
    """One for each person: that of their worst class. Without a subject each record is a person."""
    found: dict[Any, Fraction] = {}
    for c, group in groups.items():
        for i, row in enumerate(group):
            who = row[2] if subject else (c, i)
            found[who] = max(found.get(who, F(0)), chance[c])
    return list(found.values())


def small(rows: Any, subject: bool) -> Table:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("age", "town", "who", "ill"))}
    if not subject:
        del columns["who"]
    return table(columns, ("ill",), "who" if subject else None)


@settings(deadline=None, max_examples=80)
@given(rows=published_rows, listed=people_rows, subject=st.booleans(), bound=st.fractions(F(1, 20), 1))
def test_population_criteria_are_what_they_say(rows: Any, listed: Any, subject: bool, bound: Fraction) -> None:
    shown = small(rows, subject)
    people = pa.table({"age": [str(a) for a, _ in listed], "town": [t for _, t in listed]})
    groups: dict[tuple[str, str], Any] = {}
    for row in rows:
        groups.setdefault(row[:2], []).append(row)
    fit = {c: sum(covers(c[0], str(a)) and covers(c[1], t) for a, t in listed) for c in groups}
    n = {c: len({row[2] for row in group}) if subject else len(group) for c, group in groups.items()}
    if any(fit[c] < n[c] for c in groups):
        with pytest.raises(DataError, match="lacks released people"):
            KMap(people, 1).check(shown)
    size = {c: max(fit[c], n[c]) for c in groups}
    times = [sum(covers(c[0], str(a)) and covers(c[1], t) for c in groups) for a, t in listed]
    least = min(size.values())
    more: dict[str, Any] = {"covers": "partly"}
    assert KMap(people, 2, **more).check(shown).value == least
    assert JournalistRisk(people, 1, **more).check(shown).value == F(1, least)
    chances = largest_chances(groups, {c: F(1, size[c]) for c in groups}, subject)
    average = sum(chances) / len(chances)
    market = MarketerRisk(bound, population=people, **more).check(shown)
    assert (market.value, market.ok) == (average, average <= bound)
    presence = max(F(n[c], size[c]) for c in groups)
    found = InstanceDisclosure(people, bound, average=bound, **more).check(shown)
    ratios = largest_chances(groups, {c: F(n[c], size[c]) for c in groups}, subject)
    mean = sum(ratios) / len(ratios)
    assert (found.value, found.parts[0].value) == (presence, mean)
    overlap = max(times) > 1
    assert found.ok is (None if overlap else presence <= bound)
    assert InstanceDisclosure(people, bound, accept_overlap=True, **more).check(shown).ok is (presence <= bound)
    assert found.details.overlapping_people == sum(t > 1 for t in times)
    sick = {
        c: len({r[2] for r in g if r[3] == "x"}) if subject else sum(r[3] == "x" for r in g) for c, g in groups.items()
    }
    case = InstanceDisclosure(people, bound, case={"ill": "x"}, accept_overlap=True, **more).check(shown)
    assert case.value == max(F(sick[c], size[c]) for c in groups)
    assert case.ok is (None if not any(sick.values()) else case.value <= bound)
    lowest = F(0) if min(times) == 0 else min(F(n[c], size[c]) for c in groups)
    at_least = DeltaPresence(people, 1, min=bound, accept_overlap=True, **more).check(shown)
    # Whom the list lacks may be fewer among the released, or fit no class: it never shows that the minimum is kept.
    assert (at_least.parts[0].value, at_least.ok) == (lowest, None if lowest >= bound else False)


@settings(deadline=None, max_examples=50)
@given(rows=published_rows, listed=people_rows)
def test_consistency_is_what_it_says(rows: Any, listed: Any) -> None:
    originals = pa.table({"age": [str(a) for a, _ in listed], "town": [t for _, t in listed]})
    fits = [[covers(r[0], str(a)) and covers(r[1], t) for a, t in listed] for r in rows]
    shown = small(rows, subject=False)
    assert K1Anonymity(originals, 1).check(shown).value == min(sum(row) for row in fits)
    by_original = [sum(row[i] for row in fits) for i in range(len(listed))]
    withheld = by_original.count(0) <= len(listed) - len(rows)
    judged_ones = [x for x in by_original if x or not withheld]
    assert OneKAnonymity(originals, 1).check(shown).value == (min(judged_ones) if judged_ones else None)


@settings(deadline=None, max_examples=60)
@given(rows=published_rows, subject=st.booleans(), bound=st.fractions(F(1, 9), 1), share=st.fractions(0, F(9, 10)))
def test_prosecutor_risk_holds_iff_few_enough_exceed_it(
    rows: Any, subject: bool, bound: Fraction, share: Fraction
) -> None:
    groups: dict[tuple[str, str], Any] = {}
    for row in rows:
        groups.setdefault(row[:2], []).append(row)
    n = {c: len({row[2] for row in group}) if subject else len(group) for c, group in groups.items()}
    chances = largest_chances(groups, {c: F(1, n[c]) for c in groups}, subject)
    found = ProsecutorRisk(bound, share=share).check(small(rows, subject))
    assert found.ok is (sum(x > bound for x in chances) <= share * len(chances))
    assert SampleUniqueness(0).check(small(rows, subject)).value == F(chances.count(F(1)), len(chances))
    market = MarketerRisk(bound).check(small(rows, subject))
    assert (market.value, market.ok) == (sum(chances) / len(chances), sum(chances) <= bound * len(chances))
    assert ProsecutorRisk(bound).least_records == ceil(1 / bound)


# The contract, and parameters that survive a certificate.

FRAME = pa.table({"age": ["young", "young", "aged", "aged"], "illness": ["influenza", "asthma", "asthma", "gout"]})
LIST = pa.table({"age": ["young"] * 5 + ["aged"] * 7})
EVERY: list[Any] = [
    KMap(LIST, 5),
    KMapEstimated(2, 12),
    DeltaPresence(LIST, "2/5", min="1/9"),
    InstanceDisclosure(LIST, "2/5", average="1/3", reidentification=1, bounds={"illness": {"asthma": 0.2}}),
    InstanceDisclosure(LIST, "2/5", case={"illness": ["asthma", "gout"]}),
    JournalistRisk(LIST, "1/5", share="1/7"),
    MarketerRisk("1/5", population=LIST),
    MarketerRisk("1/2"),
    ProsecutorRisk("1/2", share=0.1),
    SampleUniqueness(0.05),
    PopulationUniqueness(0.05, 12),
    K1Anonymity(LIST, 2),
    OneKAnonymity(LIST, 2),
    KKAnonymity(LIST, 2),
]


@pytest.mark.parametrize("criterion", EVERY, ids=lambda c: c.name)
def test_it_keeps_the_contract(criterion: Any) -> None:
    check_criterion(criterion, lambda f: Table.of(f, quasi=["age"], sensitive=["illness"]), FRAME)
    assert "young" not in repr(criterion)


@pytest.mark.parametrize("criterion", EVERY, ids=lambda c: c.name)
def test_it_is_rebuilt_from_its_certificate(criterion: Any) -> None:
    import dataclasses

    plain = {f.name: redacted(getattr(criterion, f.name)) for f in dataclasses.fields(criterion)}
    plain |= {name: LIST for name in ("population", "originals") if plain.get(name) is not None}
    held = {name: value for name, value in plain.items() if value is not LIST}
    again = type(criterion)(**plain | json.loads(json.dumps(held)))
    assert again == criterion
    assert again.bound == criterion.bound


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KMap(LIST, 0), "k — must be at least 1"),
        (lambda: KMap(LIST, 1, covers="half"), "covers — must be one of fully, partly"),
        (lambda: KMap(LIST, 1, by=[]), "by — must not be empty"),
        (lambda: KMapEstimated(0, 5), "k — must be at least 1"),
        (lambda: KMapEstimated(1, 0), "population_size — must be at least 1, not 0"),
        (lambda: KMapEstimated(1, 5, sample_size=6), "sample_size must be at most population_size"),
        (lambda: KMapEstimated(1, 5, groupings=0), "groupings — must be at least 1"),
        (lambda: KMapEstimated(1, 5, 0), "significance — must be above 0 and below 1, not 0"),
        (lambda: DeltaPresence(LIST, 0), "max — must be above 0 and at most 1, not"),
        (lambda: DeltaPresence(LIST, "a tenth"), "max — must be a number or a fraction such as 1/11"),
        (lambda: DeltaPresence(LIST, 0.1, min=0.2), "min must be at most max"),
        (lambda: InstanceDisclosure(LIST, 1, average=2), "average — must be above 0 and at most 1, not 2"),
        (lambda: InstanceDisclosure(LIST, 1, case={"a": "b", "c": "d"}), "case must be a mapping with one column"),
        (lambda: InstanceDisclosure(LIST, 1, case={"a": []}), "case must name a value, or a list of values"),
        (lambda: InstanceDisclosure(LIST, 1, bounds={"a": 1}), "bounds must map values of the column to their bounds"),
        (lambda: InstanceDisclosure(LIST, 1, bounds={"a": {"b": 2}}), "bounds must be more than 0, at most 1"),
        (lambda: ProsecutorRisk(0), "max — must be above 0 and at most 1, not"),
        (lambda: ProsecutorRisk(1, share=1), "share — must be at least 0 and below 1, not 1"),
        (lambda: MarketerRisk(2), "max — must be above 0 and at most 1, not"),
        (lambda: SampleUniqueness(1), "max — must be at least 0 and below 1, not 1"),
        (lambda: PopulationUniqueness(0, 0), "population_size — must be at least 1, not 0"),
        (lambda: PopulationUniqueness(0, 5, "best"), "estimator — must be one of dankar, pitman, zayatz, snb"),
        (lambda: K1Anonymity(LIST, 0), "k — must be at least 1"),
    ],
)
def test_bad_parameters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        make()


def test_a_population_smaller_than_the_release_is_refused() -> None:
    shown = table({"age": ["a", "b", "c"]})
    for criterion in (PopulationUniqueness(0, 2), KMapEstimated(2, 2)):
        with pytest.raises(DataError) as caught:
            criterion.check(shown)
        told = "3 released where population_size is 2 — give the number of people there are"
        assert str(caught.value) == f"{criterion.name} — {told}"
