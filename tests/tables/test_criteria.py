"""Criteria and measures of tables against plain-Python definitions, and the contract of every registered one."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Tree
from sharewell.roles import Role, Schema
from sharewell.tables import NCP, DeltaPresence, Discernibility, KAnonymity, LDiversity, Mondrian, Table
from sharewell.testing import check_criterion, check_measure, check_mechanism, check_suppressed_rows_never_protect

Rows = list[tuple[Any, ...]]
cell = st.none() | st.sampled_from(["", "a", "b", "*", "[1-2]", "<suppressed>", "07", "7"])
rows_of_persons = st.lists(
    st.tuples(st.none() | st.sampled_from(["p", "q", "r", "s"]), cell, cell, st.none() | st.sampled_from("xyz")),
    min_size=1,
    max_size=25,
)


def table(rows: Rows, subject: bool) -> Table:
    who, one, two, ill = (pa.array(values, pa.string()) for values in zip(*rows, strict=True))
    frame = pa.table({"who": who, "one": one, "two": two, "ill": ill})
    return Table.of(
        frame,
        quasi=["one", "two"],
        sensitive=["ill"],
        subject="who" if subject else None,
        drop=[] if subject else ["who"],
    )


def grouped(rows: Rows) -> list[Rows]:
    """The rows that show the same quasi values; an empty cell and a missing one are the same."""
    groups: dict[tuple[str, str], Rows] = defaultdict(list)
    for row in rows:
        groups[row[1] or "", row[2] or ""].append(row)
    return list(groups.values())


@given(rows=rows_of_persons, k=st.integers(1, 5), subject=st.booleans(), unit=st.sampled_from(["person", "record"]))
def test_k_anonymity_is_the_fewest_persons_in_a_group(rows: Rows, k: int, subject: bool, unit: Any) -> None:
    """Two rows of one person are one person, and a row without a person adds none."""
    by_person = subject and unit == "person"
    counts = [len({r[0] for r in group} - {None}) if by_person else len(group) for group in grouped(rows)]
    found = KAnonymity(k, unit=unit).check(table(rows, subject))
    assert (found.value, found.ok, found.bound) == (min(counts), min(counts) >= k, k)
    assert found.unit == ("persons" if by_person else "records")
    assert found.details.failing == sum(count < k for count in counts)
    assert found.details.classes == len(counts)


@given(rows=rows_of_persons, least=st.integers(1, 4), subject=st.booleans())
def test_distinct_l_diversity_is_the_fewest_values_in_a_group(rows: Rows, least: int, subject: bool) -> None:
    """A missing sensitive value protects nobody."""
    counts = [len({r[3] for r in group} - {None}) for group in grouped(rows)]
    found = LDiversity(least).check(table(rows, subject))
    assert (found.value, found.ok) == (min(counts), min(counts) >= least)
    assert found.details.failing == sum(count < least for count in counts)


@given(rows=rows_of_persons)
def test_several_sensitive_columns_are_judged_by_the_worst(rows: Rows) -> None:
    opened = table(rows, subject=False)
    both = Table.of(opened.frame, quasi=["one"], sensitive=["two", "ill"])
    alone = [LDiversity(1, column=name).check(both).value for name in ("two", "ill")]
    assert LDiversity(1).check(both).value == min(value for value in alone if value is not None)


def test_l_diversity_without_a_sensitive_column_is_a_mistake_of_the_policy() -> None:
    bare = Table.of(pa.table({"a": ["x"]}), quasi=["a"])
    with pytest.raises(PolicyError) as caught:
        LDiversity(2).check(bare)
    told = "l-diversity — no sensitive column — give the column the role sensitive, or leave the criterion out"
    assert str(caught.value) == f"policy: {told}"
    with pytest.raises(PolicyError, match="no sensitive column named 'b'"):
        LDiversity(2, column="b").check(bare)


@pytest.mark.parametrize(("criterion", "name"), [(KAnonymity, "k"), (LDiversity, "l")])
def test_bounds_start_at_one(criterion: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} — must be at least 1"):
        criterion(0)


# Every registered algorithm of tables keeps the contract, found by the registry: new ones are covered as they come.

FRAME = pa.table(
    {
        "who": [f"person-{i % 37}" for i in range(90)],
        "age": [str(20 + i * 7 % 40) for i in range(90)],
        "town": [["Linz-Urfahr", "Graz-Andritz", ""][i % 3] for i in range(90)],
        "illness": [["influenza", "bronchitis", "gastritis", "*"][i * 5 % 4] for i in range(90)],
        "cost": [str(i * 11 % 23) for i in range(90)],
        "organ": [["left lung", "right lung", "stomach"][i * 7 % 3] for i in range(90)],
        "guarded": [["thorax", "stomach", None][i % 3] for i in range(90)],
    }
)
SENSITIVE = ["illness", "cost", "organ", "guarded"]
ORGANS = Tree([["left lung", "thorax", "*"], ["right lung", "thorax", "*"], ["stomach", "abdomen", "*"]])
POPULATION = FRAME.select(["age", "town"])
GIVEN: dict[str, dict[str, Any]] = {
    "alpha": {"alpha": "1/2"},
    "beta": {"beta": 2},
    "c": {"c": 3},
    "columns": {"columns": {"age": 0.5}},
    "delta": {"delta": 2},
    "epsilon": {"epsilon": 1, "column": "cost"},
    "growth": {"growth": "1/2"},
    "guard": {"guard": "guarded", "column": "organ"},
    "h": {"h": "2/3"},
    "k": {"k": 2},
    "l": {"l": 2},
    "m": {"m": 2},
    "max": {"max": "1/2"},
    "most": {"most": "1/2"},
    "originals": {"originals": FRAME},
    "earlier": {"earlier": FRAME},
    "population": {"population": POPULATION},
    "posterior": {"posterior": "1/2"},
    "prior": {"prior": "1/10"},
    "population_size": {"population_size": 200},
    "rho": {"rho": "1/4", "column": "cost"},
    "t": {"t": "1/3"},
}
"""What a parameter without a default gets, by its name."""
SAID: dict[str, dict[str, Any]] = {name: {"rest": "other"} for name in ("limited-data-set", "safe-harbor")}
SAID["append-safe"] = {"holding": {"k-anonymity": {"k": 2}}}
SAID["subsample"] = {"share": 0.5, "then": "mondrian"}
SAID["rank-swapping"] = {"columns": ["age"]}
SAID["retention-replacement"] = {
    "columns": {"illness": ["influenza", "bronchitis", "gastritis", "*"]},
    "ratio": 5,
    "rows_per_person": 3,
}
"""What some algorithms must be told about this frame, by their name."""


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["age", "town"], sensitive=SENSITIVE, subject="who", hierarchies={"organ": ORGANS})


def reopened(frame: pa.Table) -> Table:
    roles = {"who": Role.SUBJECT, "age": Role.QUASI, "town": Role.QUASI} | dict.fromkeys(SENSITIVE, Role.SENSITIVE)
    return Table.from_arrow(frame, Schema(roles), {"organ": ORGANS}, published=True)


def built(entry: registry.Entry) -> Any:
    """An instance; parameters without a default are taken from GIVEN."""
    import dataclasses

    algorithm = entry.load()
    needed = [f.name for f in dataclasses.fields(algorithm) if f.default is f.default_factory is dataclasses.MISSING]
    unknown = [name for name in needed if name not in GIVEN]
    assert not unknown, f"{entry.name} needs {unknown}: add values to GIVEN"
    return algorithm(**{key: value for name in needed for key, value in GIVEN[name].items()} | SAID.get(entry.name, {}))


def entries(room: str) -> Any:
    return pytest.mark.parametrize("entry", list(registry.entries("tables", room)), ids=lambda e: e.name)


@entries("criteria")
def test_every_criterion_keeps_the_contract(entry: registry.Entry) -> None:
    check_criterion(built(entry), opened, FRAME)


@entries("criteria")
def test_withheld_rows_never_protect(entry: registry.Entry) -> None:
    published = FRAME.set_column(1, "age", pa.array(["[20-59]"] * 90)).set_column(2, "town", pa.array(["*"] * 90))
    marked = pa.table(
        {
            "who": [f"nobody-{i}" for i in range(50)],
            "age": ["<suppressed>"] * 50,
            "town": ["<suppressed>"] * 50,
        }
        | dict.fromkeys(SENSITIVE, pa.nulls(50, pa.string()))
    )
    check_suppressed_rows_never_protect(built(entry), reopened, published, marked)


@entries("mechanisms")
def test_every_mechanism_keeps_the_contract(entry: registry.Entry) -> None:
    must: list[Any] = [KAnonymity(3), LDiversity(2)]
    if entry.name == "instance-partitioning":  # it cuts a population along
        must.append(DeltaPresence(FRAME, 1))
    check_mechanism(built(entry), opened, FRAME, must)


@entries("utility")
def test_every_measure_keeps_the_contract(entry: registry.Entry) -> None:
    released = Mondrian().protect(opened(FRAME), [KAnonymity(3)]).data
    check_measure(built(entry), opened, FRAME, released)


# Numbers from the literature.

NINE_AGES = ["[20-30]"] * 2 + ["[30-40]"] * 2 + ["[50-60]"] * 2 + ["[60-90]"] * 3
NINE_CF = ["[0-10]"] * 2 + ["[26-75]"] * 2 + ["[0-45]"] * 2 + ["[50-95]"] * 3
NINE = pa.table(
    {"age": [20, 30, 33, 40, 50, 60, 60, 75, 90], "cf": [0, 10, 26, 75, 0, 45, 50, 80, 95], "illness": ["x"] * 9}
)


def nine(published: bool, rows: int = 9) -> Table:
    roles = {"age": Role.QUASI, "cf": Role.QUASI, "illness": Role.KEEP}
    shown = pa.table({"age": NINE_AGES, "cf": NINE_CF, "illness": ["x"] * 9}).slice(0, rows)
    return Table.from_arrow(shown if published else NINE, Schema(roles), {}, published=published)


def test_the_nine_rows_lose_3826_of_665_in_sum() -> None:
    found = NCP().score(nine(False), nine(True))
    assert found.value == pytest.approx(float(Fraction(3826, 665) / 18), abs=1e-12)
    assert found.value == pytest.approx(float(Fraction(1913, 5985)), abs=1e-12)


def test_the_nine_rows_have_discernibility_21_and_39_with_the_last_group_withheld() -> None:
    assert Discernibility().score(nine(False), nine(True)).value == 21
    withheld = Discernibility().score(nine(False), nine(True, rows=6))
    assert (withheld.value, withheld.details.withheld_records) == (39, 3)


def test_the_average_class_against_the_smallest_is_9_8_and_1_with_the_last_group_withheld() -> None:
    """C_AVG = published rows / (classes · smallest class)."""
    for rows, expected in ((9, Fraction(9, 8)), (6, Fraction(1))):
        found = Discernibility().score(nine(False), nine(True, rows)).details
        smallest = KAnonymity(1).check(nine(True, rows)).value
        assert Fraction(found.average_class) / Fraction(smallest or 0) == expected


def test_four_hiv_flu_and_cancer_are_three_values() -> None:
    frame = pa.table({"age": ["[20-29]"] * 6, "ill": ["HIV"] * 4 + ["Flu", "Cancer"]})
    opened_ = Table.of(frame, quasi=["age"], sensitive=["ill"])
    assert LDiversity(3).check(opened_).ok is True
    assert LDiversity(4).check(opened_).ok is False


def test_the_slides_boxes_cost_26_3() -> None:
    """The boxes printed on the slide are looser than ours: [20-26] and [27-29], both sexes."""
    before = Table.of(pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": list("MFMFFF")}), quasi=["age", "sex"])
    shown = pa.table({"age": ["[20-26]"] * 3 + ["[27-29]"] * 3, "sex": ["{F,M}"] * 6})
    after = Table.from_arrow(shown, before.schema, {}, published=True)
    assert NCP().score(before, after).value == pytest.approx(float(Fraction(26, 3) / 12), abs=1e-12)


def test_two_published_rows_are_one_anonymous() -> None:
    frame = pa.table({"age": ["40", "45"], "area": ["NW10", "NW15"]})
    assert KAnonymity(2).check(Table.of(frame, quasi=["age", "area"])).value == 1


@settings(max_examples=30)
@given(rows=rows_of_persons, k=st.integers(1, 4))
def test_a_measure_of_nothing_done_is_nothing_and_of_something_no_more_than_one(rows: Rows, k: int) -> None:
    before = table(rows, subject=False)
    assert NCP().score(before, before).value == 0
    try:
        after = Mondrian().protect(before, [KAnonymity(k)]).data
    except Infeasible:
        return
    value = NCP().score(before, after).value
    assert value is not None
    assert 0 <= value <= 1
