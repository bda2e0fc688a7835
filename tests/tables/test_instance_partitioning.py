"""Instance-risk partitioning: the paper's nine people, brute-force counts, the contract, and a release."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cells import place_on_line
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy import Dates, Prefixes, Tree
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.tables import (
    DeltaPresence,
    InstanceDisclosure,
    InstancePartitioning,
    KAnonymity,
    KMap,
    LDiversity,
    Table,
)
from sharewell.tables.engine.protection.instance import people
from sharewell.testing import check_mechanism

NAMES = ("Alice", "Bob", "Charlie", "Dave", "Emily", "Frank", "Grace", "Helen", "Irene")
DAYS = ("07-15", "05-28", "10-26", "01-02", "02-03", "10-24", "05-13", "09-26", "09-26")
NINE = pa.table(
    {
        "zip": ["00101"] * 3 + ["00202"] * 6,
        "born": [f"{1927 if i < 3 else 1935}-{day}" for i, day in enumerate(DAYS)],
    }
)
SIX = NINE.take([0, 1, 2, 3, 6, 7])
EXAMPLE = Path(__file__).parents[2] / "examples" / "same-disease"


def six(dates: bool = False) -> Table:
    trees: dict[str, Any] = {"zip": Prefixes()} | ({"born": Dates()} if dates else {})
    return Table.of(SIX, quasi=["zip", "born"], hierarchies=trees)


def boxes(data: Table) -> dict[tuple[str, ...], int]:
    """Published rows, with how many there are of each."""
    found: dict[tuple[str, ...], int] = {}
    for row in data.arrow.select(list(data.schema.quasi)).to_pylist():
        cells = tuple("" if cell is None else cell for cell in row.values())
        found[cells] = found.get(cells, 0) + 1
    return found


# The paper


@pytest.mark.parametrize("minimum", [1, 2, 3])
@pytest.mark.parametrize("dates", [False, True])
def test_the_papers_two_classes(minimum: int, dates: bool) -> None:
    """Zip codes stay whole, dates become years; r is 1 and 1/2, R = 3/4 and Q = 1/4."""
    released = InstancePartitioning("literal", minimum).protect(six(dates), [InstanceDisclosure(NINE, 1)]).data
    years = ("1927", "1935") if dates else ("[1927-01-01..1927-12-31]", "[1935-01-01..1935-12-31]")
    assert boxes(released) == {("00101", years[0]): 3, ("00202", years[1]): 3}
    found = InstanceDisclosure(NINE, 1, average="3/4", reidentification="1/4").check(released)
    assert found.ok
    assert [part.value for part in found.parts] == [Fraction(3, 4), Fraction(1, 4)]


@pytest.mark.parametrize("variant", ["literal", "bounded"])
def test_the_papers_root(variant: Any) -> None:
    """At most 2/3: all six are one class, of whom nine people fit."""
    released = InstancePartitioning(variant).protect(six(), [InstanceDisclosure(NINE, "2/3")]).data
    assert boxes(released) == {("00*", "[1927-01-01..1935-12-31]"): 6}
    found = InstanceDisclosure(NINE, "2/3", average="2/3", reidentification="1/9").check(released)
    assert found.ok
    assert found.value == Fraction(2, 3)
    with pytest.raises(Infeasible, match=r"0\.6667"):
        InstancePartitioning(variant).protect(six(), [InstanceDisclosure(NINE, "5/8")])


def shared(rows: list[int]) -> tuple[str, int, int]:
    """What some of the patients share: a prefix of the zip code, and a range of years."""
    zips = {SIX["zip"][row].as_py() for row in rows}
    years = [int(SIX["born"][row].as_py()[:4]) for row in rows]
    return (zips.pop() if len(zips) == 1 else "00"), min(years), max(years)


def fitting(box: tuple[str, int, int]) -> set[int]:
    return {
        person
        for person, row in enumerate(NINE.to_pylist())
        if row["zip"].startswith(box[0]) and box[1] <= int(row["born"][:4]) <= box[2]
    }


def as_printed(rows: list[int], minimum: int) -> Iterator[list[int]]:
    """The paper's figure to the letter: the best cut by Σ n²/N of what the parts show, down to the least size."""
    trials = []
    for name in ("zip", "born"):
        order = sorted(rows, key=lambda row: SIX[name][row].as_py())
        for i in range(minimum, len(order) - minimum + 1):
            if SIX[name][order[i - 1]] != SIX[name][order[i]]:
                parts = order[:i], order[i:]
                risk = sum(Fraction(len(part) ** 2, len(fitting(shared(part)))) for part in parts)
                trials.append((risk, len(trials), parts))
    if not trials:
        yield rows
        return
    for part in min(trials)[2]:
        yield from as_printed(part, minimum)


def test_why_the_figure_is_not_followed_as_printed() -> None:
    """It claims R = 11/27, through a class that covers everybody; over all assignments the truth is 7/10."""
    classes = [(len(rows), fitting(shared(rows))) for rows in as_printed(list(range(6)), 2)]
    claimed = sum(Fraction(n * n, len(people)) for n, people in classes) / 6
    assert claimed == Fraction(11, 27)
    assert sorted((n, len(people)) for n, people in classes) == [(2, 3), (2, 6), (2, 9)]
    present, ways = [0] * 9, 0

    def assign(left: list[tuple[int, set[int]]], taken: frozenset[int]) -> None:
        nonlocal ways
        if not left:
            ways += 1
            for person in taken:
                present[person] += 1
            return
        (n, people), *rest = left
        for chosen in combinations(sorted(people - taken), n):
            assign(rest, taken | set(chosen))

    assign(classes, frozenset())
    patients = [0, 1, 2, 3, 6, 7]
    assert sum(Fraction(present[person], ways) for person in patients) / 6 == Fraction(7, 10)


# Against brute force

WARDS = Tree(
    [["w1", "north", "*"], ["w2", "north", "*"], ["w3", "south", "*"], ["w4", "south", "*"], ["w5", "south", "*"]]
)
TREES: dict[str, Any] = {"zip": Prefixes(), "ward": WARDS}
QUASI = ("age", "born", "zip", "ward", "race")


def everybody(seed: int, size: int) -> pa.Table:
    """A small town; some values are missing, and a few of the list are not numbers, dates or wards."""
    draw = np.random.default_rng(seed)

    def pick(values: list[str], blank: float = 0.08) -> Any:
        chosen = draw.choice(values, size)
        gone = draw.random(size) < blank
        return pa.array([None if no else str(value) for value, no in zip(chosen, gone, strict=True)], pa.string())

    days = [f"{1950 + y}-{m:02}-{d:02}" for y in (0, 1, 2, 9) for m in (1, 2, 7) for d in (1, 2, 28)]
    return pa.table(
        {
            "age": pick([str(age) for age in (3, 7, 8, 20, 21, 35)]),
            "born": pick(days),
            "zip": pick(["02139", "02138", "02445", "10001", "1"]),
            "ward": pick(["w1", "w2", "w3", "w4", "w5", "north"]),
            "race": pick(["amber", "blue", "cyan", "dove"]),
        }
    )


def odd(frame: pa.Table) -> pa.Table:
    """The list as another office keeps it: one more value in each column, and other spellings of numbers."""
    extra = pa.table(
        {"age": ["20.0", "old"], "born": ["1951-02-03", "spring"], "zip": ["02130", "n/a"], "ward": ["w6", "north"]}
        | {"race": ["grey", "blue"]}
    )
    return pa.concat_tables([frame, extra, extra])


def chain(name: str, value: str) -> tuple[str, ...]:
    try:
        return tuple(TREES[name].chain(value))
    except DataError:
        return (value, "*")


def covers(name: str, cell: str, value: str) -> bool:
    """Whom a cell covers, by the definition of published cells."""
    if cell in ("*", value):
        return True
    if cell.startswith("{"):
        return value in cell[1:-1].split(",")
    if not cell or not value:
        return False
    if name in TREES:
        return cell in chain(name, value)
    if not cell.startswith("["):
        return False
    ends = cell[1:-1].split(".." if ".." in cell else "-")
    low, mine, high = (place_on_line(text) for text in (ends[0], value, ends[1]))
    assert low is not None
    assert high is not None
    return mine is not None and mine[0] == low[0] and low[1] <= mine[1] <= high[1]


def counted(released: Table, people: pa.Table, weights: list[int]) -> tuple[dict[tuple[str, ...], int], int]:
    """N of every published class, and how many people fit two."""
    found = dict.fromkeys(boxes(released), 0)
    twice = 0
    names = released.schema.quasi
    for row, weight in zip(people.select(list(names)).to_pylist(), weights, strict=True):
        values = ["" if value is None else value for value in row.values()]
        mine = [box for box in found if all(map(covers, names, box, values))]
        twice += len(mine) > 1
        for box in mine:
            found[box] += weight
    return found, twice


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    size=st.integers(1, 60),
    share=st.sampled_from([0.1, 0.4, 1.0]),
    bound=st.sampled_from(["1/5", "1/2", "1"]),
    minimum=st.integers(1, 4),
    variant=st.sampled_from(["bounded", "literal"]),
    quasi=st.sets(st.sampled_from(QUASI), min_size=1),
    several=st.booleans(),
    weighted=st.booleans(),
)
def test_classes_are_disjoint_and_counted_as_a_verifier_counts(
    seed: int,
    size: int,
    share: float,
    bound: str,
    minimum: int,
    variant: Any,
    quasi: set[str],
    several: bool,
    weighted: bool,
) -> None:
    """n/N by brute force is that of the finding, at most the bound, and nobody fits two classes."""
    names = sorted(quasi)
    frame = everybody(seed, size)
    rows = max(1, int(share * size))
    patients = frame.slice(0, rows).append_column("who", [[f"p{i // 2 if several else i}" for i in range(rows)]])
    weights = [1 + (i % 3) * weighted for i in range(size + 4)]
    people = odd(frame).append_column("heads", pa.array(weights))
    table = Table.of(
        patients, quasi=names, subject="who", rest="drop", hierarchies={n: TREES[n] for n in names if n in TREES}
    )
    criterion = InstanceDisclosure(people, bound, count="heads")
    try:
        done = InstancePartitioning(variant, minimum).protect(table, [criterion])
    except Infeasible:
        return
    found, twice = counted(done.data, people, weights)
    assert twice == 0
    persons = done.data.classes.persons.tolist()
    assert min(persons) >= minimum
    cells = [boxes(done.data.take(done.data.classes.order[a:b])) for a, b in _slices(done.data)]
    risks = [Fraction(n, found[next(iter(box))]) for n, box in zip(persons, cells, strict=True)]
    assert max(risks) <= Fraction(bound)
    finding = criterion.check(done.data)
    assert finding.ok
    assert finding.value == max(risks)
    assert finding.details.overlapping_people == 0
    assert done.details.covered == sum(found.values())
    assert done.details.unlisted == 0


def _slices(data: Table) -> list[tuple[int, int]]:
    starts = data.classes.starts.tolist()
    return list(pairwise(starts))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(1, 120), minimum=st.integers(1, 3))
def test_compiled_and_plain_work_agree(seed: int, size: int, minimum: int) -> None:
    frame = everybody(seed, size)
    table = Table.of(frame.slice(0, max(1, size // 4)), quasi=QUASI, hierarchies=TREES)
    found = []
    for compiled_from in (0, 10**9):
        before, people.COMPILED_FROM = people.COMPILED_FROM, compiled_from
        try:
            done = InstancePartitioning(minimum=minimum).protect(table, [InstanceDisclosure(frame, "1/2")])
            found.append((done.data.arrow.to_pydict(), done.details))
        except Infeasible as error:
            found.append(str(error))  # type: ignore[arg-type]
        finally:
            people.COMPILED_FROM = before
    assert found[0] == found[1]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 60), variant=st.sampled_from(["bounded", "literal"]))
def test_it_keeps_the_contract(seed: int, size: int, variant: Any) -> None:
    frame = everybody(seed, size)
    patients = frame.slice(0, max(1, size // 3))
    sick = pa.array([f"illness {i % 3}" for i in range(patients.num_rows)])
    patients = patients.append_column("illness", sick)

    def opened(rows: Any) -> Table:
        return Table.of(rows, quasi=QUASI, sensitive=["illness"], hierarchies=TREES)

    plain = pa.array([None if ward == "north" else ward for ward in frame["ward"].to_pylist()], pa.string())
    frame = frame.set_column(3, "ward", plain)  # the battery takes a node for the value of another row
    patients = patients.set_column(3, "ward", plain.slice(0, patients.num_rows))
    must = [InstanceDisclosure(frame, "1/2"), KMap(frame, 3), KAnonymity(2), LDiversity(2)]
    check_mechanism(InstancePartitioning(variant), opened, patients, must)


def test_a_box_is_no_wider_than_it_must_be() -> None:
    """One patient of age 50 among people of every age: with r ≤ 1/5, five people must fit, and no more do."""
    people = pa.table({"age": list(range(101))})
    table = Table.of(pa.table({"age": [0, 50, 100]}), quasi=["age"])
    released = InstancePartitioning().protect(table, [InstanceDisclosure(people, "1/5")]).data
    assert boxes(released) == {("[0-5]",): 1, ("[48-52]",): 1, ("[95-100]",): 1}
    released = InstancePartitioning().protect(table, [InstanceDisclosure(people, 1)]).data
    assert boxes(released) == {("0",): 1, ("50",): 1, ("100",): 1}


def test_the_cut_with_the_least_risk_is_taken() -> None:
    """By sex Σ n²/N is 16/10 + 16/10, by age 25/10 + 9/10; both would be allowed, and nothing after them."""
    people = pa.table({"age": ([1] * 5 + [9] * 5) * 2, "sex": ["F"] * 10 + ["M"] * 10})
    patients = pa.table({"age": [1, 1, 9, 9, 1, 1, 1, 9], "sex": ["F"] * 4 + ["M"] * 4})
    for variant in ("bounded", "literal"):
        for names in (["age", "sex"], ["sex", "age"]):
            table = Table.of(patients, quasi=names)
            done = InstancePartitioning(variant, minimum=3).protect(table, [InstanceDisclosure(people, "1/2")])
            assert boxes(done.data.take(np.arange(8))) in (
                {("[1-9]", "F"): 4, ("[1-9]", "M"): 4},
                {("F", "[1-9]"): 4, ("M", "[1-9]"): 4},
            )


# What is respected, and what is refused


def test_cases_and_bounds_of_diseases_are_respected() -> None:
    """Controls disclose nothing, and each disease keeps its own bound."""
    people = pa.table({"age": [age for age in range(40) for _ in range(3)]})
    ages = list(range(40))
    illness = ["control" if age % 2 else "HIV" if age < 20 else "flu" for age in ages]
    table = Table.of(pa.table({"age": ages, "illness": illness}), quasi=["age"], sensitive=["illness"])
    criterion = InstanceDisclosure(
        people, "1/2", case={"illness": ["HIV", "flu"]}, bounds={"illness": {"HIV": "1/10", "flu": "1/3"}}
    )
    few = table.take(np.arange(20))
    with pytest.raises(Infeasible, match="instance-disclosure"):
        InstancePartitioning("literal").protect(few, [criterion])
    done = InstancePartitioning().protect(table, [criterion])
    assert criterion.check(done.data).ok
    assert done.details.classes > 2
    nobody = InstanceDisclosure(people, "1/2", case={"illness": "measles"})
    with pytest.raises(Infeasible, match="nobody whose presence is judged"):
        InstancePartitioning().protect(table, [nobody])


def test_an_average_is_kept_or_refused() -> None:
    people = pa.table({"age": list(range(100))})
    table = Table.of(pa.table({"age": list(range(0, 100, 10))}), quasi=["age"])
    kept = InstanceDisclosure(people, "1/2", average="1/2")
    assert kept.check(InstancePartitioning().protect(table, [kept]).data).ok
    with pytest.raises(Infeasible, match="average instance risk R"):
        InstancePartitioning().protect(table, [InstanceDisclosure(people, "1/2", average="1/9")])


def test_a_list_that_lacks_people_is_refused_unless_it_covers_partly() -> None:
    people = pa.table({"age": [30, 31]})
    table = Table.of(pa.table({"age": [30, 31, 32]}), quasi=["age"])
    with pytest.raises(DataError, match=r"1 class\(es\) of 3 person\(s\) fit 2"):
        InstancePartitioning().protect(table, [InstanceDisclosure(people, 1)])
    for criterion in (InstanceDisclosure(people, 1, covers="partly"), DeltaPresence(people, 1, covers="partly")):
        done = InstancePartitioning().protect(table, [criterion])
        assert criterion.check(done.data).ok
        assert done.details.unlisted == 1
    long = pa.table({"age": [30, 31, *range(60, 90)]})
    done = InstancePartitioning().protect(table, [InstanceDisclosure(long, "1/2")])
    assert (done.details.unlisted, done.details.classes) == (1, 1)
    assert InstanceDisclosure(long, "1/2").check(done.data).ok


@pytest.mark.parametrize(
    ("must", "message"),
    [
        ([KAnonymity(2)], "no criterion names a population"),
        ([DeltaPresence(NINE, 1, min="1/10")], "leave `min` out"),
        ([DeltaPresence(NINE, 1, by=("zip",))], "leave `by` out"),
        ([DeltaPresence(NINE, 1), KMap(NINE.slice(0), 2)], "name one for all criteria"),
    ],
)
def test_what_cannot_be_promised_is_refused(must: list[Any], message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        InstancePartitioning().protect(six(), must)


def test_bad_input_is_normal_input() -> None:
    must = [InstanceDisclosure(NINE, 1)]
    with pytest.raises(Infeasible, match="no rows"):
        InstancePartitioning().protect(Table.of(SIX.slice(0, 0), quasi=["zip", "born"]), must)
    with pytest.raises(Infeasible, match="minimum 7"):
        InstancePartitioning(minimum=7).protect(six(), must)
    with pytest.raises(PolicyError, match="published already"):
        InstancePartitioning().protect(InstancePartitioning().protect(six(), must).data, must)
    with pytest.raises(DataError, match="lacks the quasi"):
        InstancePartitioning().protect(six(), [InstanceDisclosure(NINE.drop(["zip"]), 1)])
    with pytest.raises(ValueError, match="variant"):
        InstancePartitioning("printed")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="minimum"):
        InstancePartitioning(minimum=0)
    none = Table.of(SIX, quasi=[], rest="keep")
    assert InstancePartitioning().protect(none, [InstanceDisclosure(NINE, "2/3")]).details.covered == 9
    partly = InstanceDisclosure(NINE.slice(0, 0), 1, covers="partly")
    assert partly.check(InstancePartitioning().protect(six(), [partly]).data).ok
    one = Table.of(SIX.slice(0, 1), quasi=["zip", "born"])
    assert boxes(InstancePartitioning().protect(one, must).data) == {("00101", "1927-07-15"): 1}
    blank = Table.of(pa.table({"zip": [None, None], "born": [None, None]}), quasi=["zip", "born"])
    with pytest.raises(DataError, match="lacks released people"):
        InstanceDisclosure(NINE, 1).check(blank)
    assert boxes(InstancePartitioning().protect(blank, must).data) != {("", ""): 2}


# A release


def test_the_example_is_released_and_re_checked(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("out"))
    done = release(check(tmp_path / "example" / "policy.yaml"))
    public = shutil.copytree(done.directory / "public", tmp_path / "received")
    assert verify(public).ok
    steward = verify(public, with_=tmp_path / "example")
    assert steward.ok
    (found,) = (f for f in steward.findings["patients"] if f.name == "instance-disclosure")
    assert found.tier == "steward"
    assert found.details.overlapping_people == 0
