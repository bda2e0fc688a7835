"""Sets of codes: verification, linkage, Apriori and policies at size; linkage figures on public synthetic data."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as pacsv

from benchmarks import plain_codes
from benchmarks.emrs import code_sets, records
from benchmarks.house import Result
from sharewell.codes import CBA, COAT, PCTA, UGACLIP, CodeSets, KmAnonymity, PrivacyPolicy, UtilityPolicy
from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.mechanisms.apriori import Apriori
from sharewell.errors import Infeasible
from sharewell.hierarchy import ICD10CM

SYNPUF = {"all": 94.5, "m=1": 1.2, "m=2": 17.4, "m=3": 44.3, "m=5": 84.7, "m=10": 99.8, "visit": 19.2}
"""Percent of the 928 persons of DE-SynPUF 1k (or of draws, 20 a person; or of visits) who are unique by their codes."""
POINTS = 1.5
"""Three standard errors of the difference of two such shares, in percentage points."""


POLICY_METHODS = (UGACLIP(), COAT(), PCTA(), CBA())


def codes(data: Path | None, rows: int) -> Iterator[Result]:
    """A million patients with about ten of 12,000 codes each, and a tenth of them for what is slower."""
    yield from _synpuf(data)
    full = rows == 1_000_000
    _compiled()
    yield from _starting()
    yield from _verifying(rows, full)
    people = patients(rows)
    seconds = sum(_wall(lambda m=m: CodeLinkage(m=m).mount(people)) for m in (1, 2, 3))
    yield Result(f"linkage of {rows:,} patients by 1, 2 and 3 codes, wall", seconds, "s", 60 if full else None)
    yield from _beside_dictionaries(min(rows, 20_000))
    some = patients(max(1, rows // 10))
    yield from _apriori(some, 0.0, 20 if full else None)
    yield from _apriori(some, 0.01, 20 if full else None)
    if full:
        yield from _apriori(people, 0.01, 25)
    yield from _few_listed(people, 100, 25 if full else None)
    yield from _listed(some, 1_000, 60 if full else None)
    yield from _hospital_records(2_762 if full else max(60, rows // 400), 10 if full else None)


def _compiled() -> None:
    """Compile, once on a machine, before anything is timed."""
    first = patients(50_000)
    KmAnonymity(5, 3).check(first)
    CodeLinkage().mount(first)
    Apriori().protect(patients(5_000), [KmAnonymity(5, 2)])
    some = patients(5_000)
    for strict in (True, False):
        CBA().protect(some, [_drawn(some, 200, strict)])


STARTING = """
import numpy, pyarrow.compute, pyarrow.csv, time
began = time.process_time()
from sharewell import codes
from sharewell.hierarchy import ICD10CM
rows = [(p, c) for p in range(100) for c in ("I10", "E119", "J449")[: 1 + p % 3]]
frame = pyarrow.table({"person": [str(p) for p, _ in rows], "code": [c for _, c in rows]})
people = codes.CodeSets.from_long(frame, subject="person", code="code", hierarchy=ICD10CM())
must = [codes.KmAnonymity(5, 2)] if METHOD == "Apriori" else [codes.PrivacyPolicy([["I10", "E119"], ["J449"]], 5)]
getattr(codes, METHOD)().protect(people, must)
print(time.process_time() - began)
"""


def _starting() -> Iterator[Result]:
    """What a process spends on a hundred patients: imports but for numpy's and Arrow's, the codes' tree, the work."""
    for method in ("Apriori", "UGACLIP", "COAT"):
        command = [sys.executable, "-c", f"METHOD = {method!r}\n{STARTING}"]
        seconds = min(float(subprocess.check_output(command)) for _ in range(3))
        yield Result(
            f"{method.lower()} of 100 patients in a new process, CPU after imports of numpy and Arrow",
            seconds,
            "s",
            0.5,
        )


def _verifying(rows: int, full: bool) -> Iterator[Result]:
    """In a process of its own, so that its memory can be told; that holds the making of the patients too."""
    command = [sys.executable, "-m", "benchmarks.codes", str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    for m, bar in ((2, 3), (3, 20)):
        label = f"verify 5^{m}-anonymity of {rows:,} patients"
        yield Result(f"{label}, wall", measured[f"wall {m}"], "s", bar if full else None)
        yield Result(f"{label}, CPU", measured[f"cpu {m}"], "s")
    yield Result(f"the same, peak memory of {rows:,} patients", measured["memory"], "GB", 2 if full else None)


def main(rows: int) -> dict[str, float]:
    import resource

    KmAnonymity(5, 3).check(patients(50_000))
    people = patients(rows)
    measured: dict[str, float] = {}
    for m in (2, 3):
        wall, cpu = time.perf_counter(), time.process_time()
        KmAnonymity(5, m).check(people)
        measured |= {f"wall {m}": time.perf_counter() - wall, f"cpu {m}": time.process_time() - cpu}
    return measured | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}


def patients(count: int, universe: int = 12_000, topics: int = 60, seed: int = 1) -> CodeSets:
    """Half of a patient's codes are drawn from all, half from the patient's topic; both with Zipf's frequencies."""
    draw = np.random.default_rng(seed)
    listed = np.array(ICD10CM().codes())
    names = listed[np.sort(draw.choice(len(listed), universe, replace=False))]
    chance = np.cumsum(1 / np.arange(1, universe + 1) ** 1.05)
    owner = np.repeat(np.arange(count), np.minimum(1 + draw.negative_binomial(2, 0.17, count), 70))
    rank = np.searchsorted(chance, draw.random(len(owner)) * chance[-1]).clip(max=universe - 1)
    turn = draw.integers(0, topics, count)[owner] * (universe // topics)
    code = draw.permutation(universe)[np.where(draw.random(len(owner)) < 0.5, (rank + turn) % universe, rank)]
    return _sets(owner, code, count, names)


def _sets(owner: Any, code: Any, count: int, names: Any) -> CodeSets:
    raw = Sets.of_pairs(owner, code, count)
    support = raw.supports(len(names))
    order = np.lexsort((names, -support))[: np.count_nonzero(support)]
    number = np.full(len(names), -1)
    number[order] = np.arange(len(order))
    kept = tuple(names[order].tolist())
    return CodeSets(raw.renumbered(number), kept, tuple((name,) for name in kept), hierarchy=ICD10CM())


def _synpuf(data: Path | None) -> Iterator[Result]:
    """How far our shares of unique persons are from those computed once by other code."""
    file = None if data is None else next(data.rglob("synpuf1k_conditions.csv"), None)
    if file is None:
        yield Result("DE-SynPUF 1k: skipped, needs --data with synpuf1k_conditions.csv", None)
        return
    frame = pacsv.read_csv(file)
    people = CodeSets.from_long(frame, subject="person_id", code="condition_concept_id", visit="start_date")
    for name, expected in SYNPUF.items():
        attack = CodeLinkage(m=int(name[2:])) if name.startswith("m=") else CodeLinkage(name)  # type: ignore[arg-type]
        unique = 100 * attack.mount(people).details.unique
        yield Result(f"DE-SynPUF 1k, unique by {name}", unique, "%")
        yield Result(f"DE-SynPUF 1k, unique by {name}, off by", abs(unique - expected), "pts", POINTS)


def _beside_dictionaries(count: int) -> Iterator[Result]:
    """The same answers with dictionaries and sets, as one would write it in a minute."""
    for size, m in ((count, 2), (count // 4, 3)):
        people = patients(size)
        plain = _plainly(people)
        theirs, slow = _timed(lambda rows=plain, m=m: plain_codes.least_support(rows, m))
        ours, quick = _timed(lambda rows=people, m=m: KmAnonymity(5, m).check(rows).value)
        assert ours == theirs
        yield Result(f"verify 5^{m} of {size:,} patients: times as quick as dictionaries", slow / quick)
    people = patients(count)
    plain = _plainly(people)
    theirs, slow = _timed(lambda: plain_codes.support_of_all(plain))
    ours, quick = _timed(lambda: CodeLinkage("all").mount(people).details.unique)
    assert np.isclose(ours, np.mean(np.array(theirs) == 1))
    yield Result(f"linkage by all codes, {count:,} patients: times as quick as sets", slow / quick)
    people = code_sets(records(60))
    itemsets = PrivacyPolicy.extract(people, 3, "visit").itemsets[:10]
    plain = _plainly(people)
    theirs, slow = _timed(lambda: plain_codes.ugaclip(plain, itemsets, 3))
    ours, quick = _timed(lambda: UGACLIP().protect(people, [PrivacyPolicy(itemsets, 3, strict=False)]).data)
    assert all(theirs[code] == set(ours.members[ours.names.index(label)]) for code, label in ours.labels.items())
    yield Result("UGACLIP for 10 combinations, 60 patients: times as quick as sets", slow / quick)


def _plainly(people: CodeSets) -> list[frozenset[str]]:
    return [frozenset(people.names[i] for i in people.sets.row(row)) for row in range(people.records)]


def _drawn(people: CodeSets, number: int, strict: bool = True) -> PrivacyPolicy:
    """Three codes each of some patients."""
    draw = np.random.default_rng(5)
    chosen = draw.permutation(np.flatnonzero(people.sets.lengths >= 3))[:number]
    rows = [draw.permutation(people.sets.row(int(row)))[:3].tolist() for row in chosen]
    return PrivacyPolicy([[people.names[code] for code in row] for row in rows], 5, strict)


def _listed(people: CodeSets, number: int, bar: float | None) -> Iterator[Result]:
    """Combinations that somebody has, hidden among five."""
    size = f"{number:,} listed, {people.records:,} patients"
    yield from _by_every_method(people, _drawn(people, number), size, bar)


def _few_listed(people: CodeSets, number: int, bar: float | None) -> Iterator[Result]:
    """All patients, and combinations of some of them, hidden within categories. The bar is for the CPU."""
    must = [_drawn(people, number), UtilityPolicy.extract(people)]
    for method in (UGACLIP(), COAT()):
        _, cpu = _protecting(method, people, must)
        size = f"{number:,} listed, {people.records:,} patients"
        yield Result(f"{method.name} in categories, {size}, CPU", cpu, "s", bar)


def _hospital_records(count: int, bar: float | None) -> Iterator[Result]:
    """Whatever identifies in the records of one hospital: by all codes, and by those of one visit."""
    people = code_sets(records(count))
    for private in (PrivacyPolicy.extract(people, 5, "all"), PrivacyPolicy.extract(people, 5, "visit")):
        size = f"{len(private.itemsets):,} listed, {count:,} × {len(people.names):,} codes"
        yield from _by_every_method(people, private, size, bar)


def _by_every_method(people: CodeSets, private: PrivacyPolicy, size: str, bar: float | None) -> Iterator[Result]:
    """Within categories, and without such limits. The bar is for the wall; the methods use one core."""
    useful = UtilityPolicy.extract(people)
    for method in POLICY_METHODS:
        for told, must in (("in categories", [private, useful]), ("free", [private])):
            wall, cpu = _protecting(method, people, must)
            yield Result(f"{method.name} {told}, {size}, wall", wall, "s", bar)
            yield Result(f"{method.name} {told}, {size}, CPU", cpu, "s")


def _protecting(method: Any, people: CodeSets, must: list[Any]) -> tuple[float, float]:
    """Wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        released = method.protect(people, must)
    except Infeasible:
        released = None
    seconds = time.perf_counter() - wall, time.process_time() - cpu
    assert released is None or all(criterion.check(released.data).ok for criterion in must)
    return seconds


def _apriori(people: CodeSets, suppress: float, bar: float | None) -> Iterator[Result]:
    began = time.process_time()
    released = Apriori(suppress).protect(people, [KmAnonymity(5, 2)])
    seconds = time.process_time() - began
    assert KmAnonymity(5, 2).check(released.data).ok
    label = f"apriori of {people.records:,} patients, 5², up to {suppress:.0%} withheld"
    yield Result(f"{label}, CPU", seconds, "s", bar)
    yield Result(f"{label}, NCP", 100 * _ncp(people, released.data.labels), "%")


def _wall(work: Any) -> float:
    return _timed(work)[1]


def _timed(work: Any) -> tuple[Any, float]:
    began = time.perf_counter()
    found = work()
    return found, time.perf_counter() - began


def _ncp(people: CodeSets, labels: Any) -> float:
    """The mean share of all codes that a code's label covers; none if it is shown as it is, all if it is withheld."""
    tree = CodesTree.of(people)
    size = {name: int(weight) / len(tree.codes) for name, weight in zip(tree.names, tree.weights, strict=True)}
    support = people.sets.supports(len(people.names))
    lost = np.array([1.0 if (label := labels[name]) is None else size[label] for name in people.names])
    return float((lost * support).sum() / support.sum())


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
