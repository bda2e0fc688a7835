"""The experiments of two papers, again, on synthetic people: `python -m benchmarks.experiments` prints their tables.

*Same disease* (Liu, Li, Motiwalla, Li, Zheng and Franklin, 2015, tables 3 and 4): 180 patients with one disease in a
town's register; Safe Harbor and the Limited Data Set beside instance-risk partitioning. *Several records a person*
(Kartal and Li, 2016; their experiments are not printed): 5,000 people with their visits; partitioning by g-balance and
h-affiliation beside Mondrian over persons and over records, at equal loss of information. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.hierarchy import Prefixes
from sharewell.hospital import Hospital
from sharewell.roles import Role
from sharewell.tables import (
    NCP,
    GBalance,
    HAffiliation,
    InstanceDisclosure,
    InstancePartitioning,
    KAnonymity,
    LimitedDataSet,
    Mondrian,
    MultiRecordPartitioning,
    RecordShare,
    SafeHarbor,
    Table,
)
from sharewell.tables.engine.cell_matching import Cover
from sharewell.tables.engine.columns import Column, encode

QUASI = ("sex", "birth_date", "zip")
YEAR = 2026
"""Of the release; people of 89 years or more are left out, so that Safe Harbor publishes a year for everybody."""
LEAST = (1, 2, 5)
"""Least class sizes with which the figure is followed."""


@dataclass(frozen=True)
class Cohort:
    """Patients with one disease, and everybody in their town."""

    patients: Any
    people: Any

    @cached_property
    def values(self) -> dict[str, Column]:
        """The register's columns, dates read as dates."""
        dates = encode("birth_date", Role.QUASI, self.people["birth_date"], kind="date")
        return {name: encode(name, Role.QUASI, self.people[name], kind="text") for name in QUASI} | {
            "birth_date": dates
        }


@dataclass(frozen=True)
class Risks:
    """What a release of a cohort shows; `loss` is the share of the register's values that a cell leaves open."""

    method: str
    classes: int
    max_q: float
    max_r: float
    q: float
    r: float
    loss: float
    bound: str = ""


def cohort(people: int, patients: int, seed: int) -> Cohort:
    """The first patients with the disease whose patients are oldest, of those that enough have."""
    factor = max(1, min(100, people // (25 * patients)))
    hospital = Hospital(patients=-(-people // factor), seed=seed, population_factor=factor, notes=False, dirty=False)
    blocks = [(block.rows("register"), block.rows("patients")) for block in hospital.blocks()]
    register = _of_one_state(pa.concat_tables(block.select([*QUASI, "state"]) for block, _ in blocks)).select(QUASI)
    sick = _of_one_state(pa.concat_tables(block for _, block in blocks))
    born = pc.cast(pc.utf8_slice_codeunits(sick["birth_date"], 0, 4), pa.int64())
    by_disease = sick.append_column("year", born).group_by("diagnosis").aggregate([("year", "mean"), ("year", "count")])
    enough = min(patients, pc.max(by_disease["year_count"]).as_py())
    old = by_disease.filter(pc.greater_equal(by_disease["year_count"], enough)).sort_by("year_mean")
    mine = sick.filter(pc.equal(sick["diagnosis"], old["diagnosis"][0])).select(["patient_id", *QUASI])
    return Cohort(mine.slice(0, patients), register)


def _of_one_state(frame: Any) -> Any:
    """Those of the state in which most people live, the oldest left out."""
    state = max(pc.value_counts(frame["state"]).to_pylist(), key=lambda one: one["counts"])["values"]
    home = pc.equal(frame["state"], state)
    return frame.filter(pc.and_(home, pc.greater_equal(frame["birth_date"], f"{YEAR - 88}-01-01")))


def as_table(one: Cohort) -> Table:
    return Table.of(one.patients, quasi=QUASI, subject="patient_id", hierarchies={"zip": Prefixes()})


def risks(method: str, released: Table, one: Cohort, bound: str = "") -> Risks:
    """Counted from the published cells on the whole register; classes that overlap would be refused."""
    finding = InstanceDisclosure(one.people, 1, average=1, reidentification=1).check(released)
    assert finding.ok, finding
    average, identified = (float(part.value or 0) for part in finding.parts)
    found = finding.details
    largest = found.largest_reidentification
    loss = left_open(released, one)
    return Risks(method, found.classes, largest, float(finding.value or 0), identified, average, loss, bound)


def left_open(released: Table, one: Cohort) -> float:
    """The mean, over records and columns, of (values of the register that a cell covers − 1) / (all − 1)."""
    losses = []
    for column in released.quasi:
        listed = one.values[column.name]
        cover, every = Cover(column, listed), listed.size
        covered = [every if (found := cover.of(code)) is None else len(found) for code in range(column.size)]
        losses.append(np.mean([(covered[code] - 1) / max(1, every - 1) for code in column.codes.tolist()]))
    return float(np.mean(losses))


def by_the_rules(one: Cohort) -> Iterator[Risks]:
    """The two HIPAA releases."""
    columns: dict[str, Any] = {"sex": "other", "birth_date": "date", "zip": "zip"}  # nobody is 90 or older
    table = as_table(one)
    yield risks("Safe Harbor", SafeHarbor(columns=columns, year=YEAR).protect(table, []).data, one)
    yield risks("Limited Data Set", LimitedDataSet(columns=columns).protect(table, []).data, one)


def strictest(one: Cohort, method: str, enough: Callable[[int, float], bool]) -> Risks | None:
    """The smallest bound, of a grid of four steps to the double, with enough classes or little enough loss."""
    table, best = as_table(one), None
    most = one.people.num_rows // max(1, one.patients.num_rows)
    grid = sorted({int(2 ** (i / 4)) for i in range(4 * most.bit_length()) if 2 ** (i / 4) <= most})
    low, high = 0, len(grid) - 1
    while low <= high:
        step = (low + high) // 2
        done = InstancePartitioning().protect(table, [_at_most(one, grid[step])])
        if enough(done.details.classes, left_open(done.data, one)):
            best, low = (done.data, grid[step]), step + 1
        else:
            high = step - 1
    return None if best is None else risks(method, best[0], one, f"1/{best[1]}")


def _at_most(one: Cohort, m: int) -> InstanceDisclosure:
    return InstanceDisclosure(one.people, Fraction(1, m))


def same_disease(people: int, patients: int, seeds: Sequence[int]) -> dict[str, list[Risks]]:
    """Every method on every town."""
    found: dict[str, list[Risks]] = {}
    for seed in seeds:
        for row in _beside(cohort(people, patients, seed)):
            found.setdefault(row.method, []).append(row)
    return found


def _beside(one: Cohort) -> Iterator[Risks]:
    """The rules; partitioning with as many classes as Safe Harbor, and with no more loss; and the figure's own way."""
    safe, limited = by_the_rules(one)
    yield from (safe, limited)
    as_many = strictest(one, "bounded, as many classes", lambda classes, loss: classes >= safe.classes)
    as_much = strictest(one, "bounded, no more loss", lambda classes, loss: loss <= safe.loss)
    yield from (row for row in (as_many, as_much) if row is not None)
    table = as_table(one)
    for minimum in (least for least in LEAST if least <= table.rows):
        figure = InstancePartitioning("literal", minimum).protect(table, [_at_most(one, 1)])
        yield risks(f"literal, at least {minimum} in a class", figure.data, one)


@dataclass(frozen=True)
class Balance:
    """What a release of visits shows."""

    method: str
    classes: int
    ncp: float
    share: float
    """The largest share of one person in the records of a class."""
    h: float
    """The largest share of the persons of a class that one sensitive value belongs to."""
    g: float


def visits(people: int, seed: int) -> Table:
    """One row a visit: age, sex and zip code of the patient, and the chapter of the reason."""
    hospital = Hospital(patients=people, seed=seed, notes=False, dirty=False)
    patients, rows = hospital.frame("patients"), hospital.frame("visits")
    joined = rows.join(patients.select(["patient_id", "sex", "birth_date", "zip"]), "patient_id").sort_by("visit_id")
    year, born = (
        pc.cast(pc.utf8_slice_codeunits(joined[name], 0, 4), pa.int64()) for name in ("admitted", "birth_date")
    )
    frame = pa.table(
        {
            "who": joined["patient_id"],
            "age": pc.subtract(year, born),
            "sex": joined["sex"],
            "zip": pc.cast(joined["zip"], pa.int64()),
            "reason": pc.utf8_slice_codeunits(joined["reason"], 0, 3),
        }
    )
    return Table.of(frame, quasi=["age", "sex", "zip"], sensitive=["reason"], subject="who")


def balance(method: str, table: Table, released: Table) -> Balance:
    share, h = RecordShare(1).check(released).value, HAffiliation(1).check(released).value
    g, ncp = GBalance(0).check(released).value, NCP(tightest=True).score(table, released).value
    return Balance(method, released.classes.count, *(float(number or 0) for number in (ncp, share, h, g)))


def at_equal_loss(table: Table, method: str, ncp: float, unit: Any) -> Balance:
    """Mondrian over persons or records with the k whose loss is nearest, by bisection."""
    found = []
    low, high = 1, table.persons
    while low <= high:
        k = (low + high) // 2
        done = balance(method, table, Mondrian().protect(table, [KAnonymity(k, unit)]).data)
        found.append(done)
        low, high = (k + 1, high) if done.ncp < ncp else (low, k - 1)
    return min(found, key=lambda one: abs(one.ncp - ncp))


def several_records(people: int, seeds: Sequence[int], wanted: Sequence[tuple[str, str]]) -> dict[str, list[Balance]]:
    """Each (g*, h*) by both rankings, and Mondrian at the loss of the first."""
    found: dict[str, list[Balance]] = {}
    for seed in seeds:
        table = visits(people, seed)
        for g, h in wanted:
            must, name = [GBalance(g), HAffiliation(h)], f"g* = {g}, h* = {h}"
            ours = balance(f"{name}: by ratio", table, MultiRecordPartitioning().protect(table, must).data)
            wide = MultiRecordPartitioning("width").protect(table, must).data
            rows = [ours, balance(f"{name}: by width", table, wide)]
            rows.append(at_equal_loss(table, f"{name}: distinct-K at equal loss", ours.ncp, "person"))
            rows.append(at_equal_loss(table, f"{name}: record-k at equal loss", ours.ncp, "record"))
            for row in rows:
                found.setdefault(row.method, []).append(row)
    return found


def printed(found: dict[str, list[Any]], names: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A table in Markdown: the median over the towns, and the range where there are several."""
    yield "| method | " + " | ".join(title for _, title in names) + " |"
    yield "|---" * (len(names) + 1) + "|"
    for method, rows in found.items():
        cells = [_spread([getattr(row, name) for row in rows]) for name, _ in names]
        yield f"| {method} | " + " | ".join(cells) + " |"


def _spread(numbers: Sequence[float]) -> str:
    middle = _number(statistics.median(numbers))
    low, high = _number(min(numbers)), _number(max(numbers))
    return middle if low == high else f"{middle} ({low} to {high})"


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.3g}"


RISKS = (("classes", "classes"), ("max_q", "max q"), ("max_r", "max r"), ("q", "Q"), ("r", "R"), ("loss", "loss"))
BALANCES = (("classes", "classes"), ("ncp", "NCP"), ("share", "largest share"), ("h", "h"), ("g", "least g"))
WANTED = (("0.5", "0.9"), ("0.75", "0.8"), ("0.9", "0.6"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.experiments")
    parser.add_argument("--people", type=int, default=500_000, help="people in a register (default: half a million)")
    parser.add_argument("--patients", type=int, default=180, help="patients with the disease (default: 180)")
    parser.add_argument("--visitors", type=int, default=5_000, help="people with visits (default: 5,000)")
    parser.add_argument("--towns", type=int, default=5, help="how many towns (default: 5)")
    args = parser.parse_args(arguments)
    seeds = range(1, args.towns + 1)
    told = f"median over {args.towns} towns (least to greatest)"
    print(f"{args.patients} patients with one disease, {args.people:,} people; {told}\n")
    print("\n".join(printed(same_disease(args.people, args.patients, seeds), RISKS)))
    print(f"\n{args.visitors:,} people with their visits; {told}\n")
    print("\n".join(printed(several_records(args.visitors, seeds, WANTED), BALANCES)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
