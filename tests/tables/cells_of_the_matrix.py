"""One instance of every criterion and of every mechanism, and the tables on which they meet.

A new criterion or mechanism without an entry here fails the test that compares these lists with the registry.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from sharewell import tables as t
from sharewell.hierarchy import Prefixes, Tree
from sharewell.tables import Table

ORGAN = {"flu": "lung", "asthma": "lung", "ulcer": "stomach", "gastritis": "stomach", "stroke": "head"}
ILLNESSES = list(ORGAN)
ROLES: dict[str, Any] = {
    "subject": "who",
    "quasi": ["age", "sex", "zip"],
    "sensitive": ["illness", "cost", "guard"],
    "keep": ["remark"],
}
HIERARCHIES: dict[str, Any] = {
    "zip": Prefixes(),
    "illness": Tree([(leaf, organ, "*") for leaf, organ in ORGAN.items()]),
}


@dataclass(frozen=True)
class Case:
    """A table, and a list of people that holds everybody in it."""

    frame: Any
    population: Any

    @cached_property
    def table(self) -> Table:
        return Table.of(self.frame, **ROLES, hierarchies=HIERARCHIES)


CATEGORIES = dict.fromkeys(("sex", "illness", "cost", "guard", "remark"), "other") | {"age": "age", "zip": "zip"}
EARLIER = pa.table(
    {"who": ["earlier 1", "earlier 2"], "age": ["[80-89]"] * 2, "sex": ["F"] * 2, "zip": ["9*"] * 2}
    | {"illness": ["flu"] * 2, "cost": ["1"] * 2, "guard": [""] * 2}
)
CLASSES = pa.table({"age": ["*"], "sex": ["*"], "zip": ["*"]})
"""The one class of an earlier release, which covers everybody."""

Made = Callable[[Case], Any]

CRITERIA: dict[str, Made] = {
    "1-k-anonymity": lambda case: t.OneKAnonymity(case.frame, 2, subject="who"),
    "alpha-k-anonymity": lambda case: t.AlphaKAnonymity("3/4", 2, column="illness"),
    "append-safe": lambda case: t.AppendSafe(EARLIER, holding={"k-anonymity": {"k": 2}}, supplement=True),
    "beta-likeness": lambda case: t.BetaLikeness(2, column="illness"),
    "delta-growth": lambda case: t.DeltaGrowth("1/2", column="illness"),
    "delta-disclosure": lambda case: t.DeltaDisclosure(3, column="illness"),
    "delta-presence": lambda case: t.DeltaPresence(case.population, "2/3"),
    "diversity-under-rules": lambda case: t.DiversityUnderRules(
        case.frame, 2, column="illness", expected=1, subject="who"
    ),
    "entropy-l-diversity": lambda case: t.EntropyLDiversity(1.5, column="illness"),
    "epsilon-m-anonymity": lambda case: t.EpsilonMAnonymity(1, 2, column="cost"),
    "g-balance": lambda case: t.GBalance("2/5"),
    "h-affiliation": lambda case: t.HAffiliation("3/4", column="illness"),
    "instance-disclosure": lambda case: t.InstanceDisclosure(case.population, "2/3"),
    "journalist-risk": lambda case: t.JournalistRisk(case.population, "1/2"),
    "k-1-anonymity": lambda case: t.K1Anonymity(case.frame, 2, subject="who"),
    "k-anonymity": lambda case: t.KAnonymity(2),
    "k-k-anonymity": lambda case: t.KKAnonymity(case.frame, 2, subject="who"),
    "k-map": lambda case: t.KMap(case.population, 3),
    "k-map-estimated": lambda case: t.KMapEstimated(3, 100),
    "l-diversity": lambda case: t.LDiversity(2, column="illness"),
    "limited-data-set": lambda case: t.LimitedDataSetRule(CATEGORIES),
    "marketer-risk": lambda case: t.MarketerRisk("1/2"),
    "personalised-privacy": lambda case: t.PersonalisedPrivacy("guard", "3/4", column="illness"),
    "population-uniqueness": lambda case: t.PopulationUniqueness("1/4", 200, "zayatz"),
    "prosecutor-risk": lambda case: t.ProsecutorRisk("1/2"),
    "range-diversity": lambda case: t.RangeDiversity("1/5", column="cost"),
    "record-share": lambda case: t.RecordShare("3/5"),
    "recursive-l-diversity": lambda case: t.RecursiveLDiversity(3, 2, column="illness"),
    "rho1-to-rho2": lambda case: t.Rho1ToRho2("1/10", "1/2", column="illness"),
    "safe-harbor": lambda case: t.SafeHarborRule(CATEGORIES),
    "sample-uniqueness": lambda case: t.SampleUniqueness("1/5"),
    "t-closeness": lambda case: t.TCloseness("1/2", column="illness"),
    "trail-k-anonymity": lambda case: t.TrailKAnonymity(2),
}

ALWAYS_WITH = {"instance-partitioning": "delta-presence"}
"""What a mechanism cannot work without: its population."""

MECHANISMS: dict[str, tuple[Any, ...]] = {
    "attribute-suppression": (t.AttributeSuppression(),),
    "bottom-up": (t.BottomUp(),),
    "earlier-cells": (t.EarlierCells(CLASSES, suppress=0.5),),
    "instance-partitioning": (t.InstancePartitioning(), t.InstancePartitioning(variant="literal")),
    "k-member": (t.KMember(),),
    "limited-data-set": (t.LimitedDataSet(CATEGORIES),),
    "local-recoding": (t.LocalRecoding(), t.LocalRecoding(suppress=0.2)),
    "mdav": (t.MDAV(k=2),),
    "mondrian": (
        t.Mondrian(),
        t.Mondrian(split="width"),
        t.Mondrian(suppress=0.2),
        t.Mondrian(relaxed=True),
        t.Mondrian(split="label", label="illness"),
        t.Mondrian(split="queries", queries=({"age": "[20-34]", "sex": "F"},)),
    ),
    "multi-record-partitioning": (t.MultiRecordPartitioning(), t.MultiRecordPartitioning(keep_person_together=True)),
    "noise": (t.Noise({"cost": 0.1}),),
    "optimal-recoding": (t.OptimalRecoding(), t.OptimalRecoding(suppress=0.3)),
    "packing": (t.Packing(),),
    "pram": (t.PRAM({"sex": 0.8}),),
    "rank-swapping": (t.RankSwapping(["cost"]),),
    "record-suppression": (t.RecordSuppression(suppress=0.5),),
    "retention-replacement": (t.RetentionReplacement({"illness": ILLNESSES}, ratio=50, rows_per_person=4),),
    "rounding": (t.Rounding({"cost": 5}),),
    "safe-harbor": (t.SafeHarbor(CATEGORIES, suppress=0.5),),
    "subsample": (t.Subsample(share=0.7), t.Subsample(share=0.7, then="mondrian")),
    "top-down": (t.TopDown(),),
    "trail-breaking": (t.TrailBreaking(suppress=0.9), t.TrailBreaking("k-member", suppress=0.9)),
    "trail-grouping": (t.TrailGrouping(suppress=0.9), t.TrailGrouping("day", suppress=0.3)),
    "value-suppression": (t.ValueSuppression(),),
}


def _frame(rows: list[tuple[Any, ...]]) -> Any:
    names = ["who", "age", "sex", "zip", "illness", "cost", "guard"]
    kinds = [pa.string(), pa.int64(), *[pa.string()] * 3, pa.int64(), pa.string()]
    made = {n: pa.array([row[i] for row in rows], kind) for i, (n, kind) in enumerate(zip(names, kinds, strict=True))}
    return pa.table(made | {"remark": [f"remark {i}" for i in range(len(rows))]})


def _case(rows: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> Case:
    """The list holds every person once for each combination of quasi values that one of their records has."""
    listed = sorted({(row[0] or f"nobody {i}", *row[1:4]) for i, row in enumerate(rows)}, key=repr)
    listed += [(f"other {i}", *other) for i, other in enumerate(others)]
    population = _frame([(*person, None, None, None) for person in listed]).select(["who", "age", "sex", "zip"])
    return Case(_frame(rows), population)


AGES, SEXES, ZIPS = [20, 21, 34, 35, 60, 93, None], ["F", "M", None], ["00101", "00102", "00202", "10202", None]
GUARDS = ["lung", "stomach", "flu", None, None]


@st.composite
def cases(draw: Any, most_rows: int = 12) -> Case:
    """Few values, repeated persons, one with many records, persons unknown, missing cells, one row."""
    people = [*[f"person {i}" for i in range(8)], None]
    quasi = st.sampled_from(AGES), st.sampled_from(SEXES), st.sampled_from(ZIPS)
    rest = st.sampled_from(ILLNESSES), st.integers(0, 9), st.sampled_from(GUARDS)
    rows = draw(st.lists(st.tuples(st.sampled_from(people), *quasi, *rest), min_size=1, max_size=most_rows))
    if draw(st.booleans()):
        rows += draw(
            st.lists(st.tuples(st.just("person 0"), *(st.just(cell) for cell in rows[0][1:4]), *rest), max_size=8)
        )
    return _case(rows, draw(st.lists(st.tuples(*quasi), max_size=8)))


@cache
def easy_case() -> Case:
    """Eighty persons with one record each, well mixed, twenty look-alikes each: no criterion here is out of reach."""
    quasi = [([20, 34][i % 2], "FM"[i // 2 % 2], ["00101", "10202"][i // 4 % 2]) for i in range(80)]
    rows = [(f"person {i}", *quasi[i], ILLNESSES[i // 8 % 5], i // 8 % 10, None) for i in range(80)]
    return _case(rows, [one for one in quasi for _ in range(2)])


def _by_records(rows: list[tuple[Any, Any]]) -> dict[Any, Fraction]:
    return {value: Fraction(n, len(rows)) for value, n in Counter(value for _, value in rows).items()}


def _by_persons(rows: list[tuple[Any, Any]]) -> dict[Any, Fraction]:
    """Everybody has weight 1, spread over their records."""
    records, found = Counter(who for who, _ in rows), dict[Any, Fraction]()
    for who, value in rows:
        found[value] = found.get(value, Fraction(0)) + Fraction(1, records[who] * len(records))
    return found


def by_definition(criterion: Any, published: Table) -> bool:
    """Criteria about how illnesses and costs are distributed, from published cells alone, in plain fractions."""
    if criterion.name == "trail-k-anonymity":
        return _shared(criterion.k, published)
    if criterion.name not in DISTRIBUTIONS:
        return True
    shown = published.arrow.to_pydict() | {"who": published.subject.arrow.to_pylist() if published.subject else []}
    rows = list(zip(*(shown[name] for name in ("who", "age", "sex", "zip", criterion.column)), strict=True))
    everybody = [(who or i, value) for i, (who, *_, value) in enumerate(rows)]
    for weighed in (_by_records, _by_persons):
        whole = weighed(everybody)
        given = getattr(criterion, "person_counts" if weighed is _by_persons else "counts", None)
        if given is not None:
            whole = {value: Fraction(n) / sum(given.values()) for value, n in given.items()}
        for cell in {row[1:4] for row in rows}:
            members = [one for one, row in zip(everybody, rows, strict=True) if row[1:4] == cell]
            if not DISTRIBUTIONS[criterion.name](criterion, weighed(members), whole):
                return False
    return True


def _shared(k: int, published: Table) -> bool:
    """Every pseudonym shows rows that pseudonyms of k persons show, of which one person owns at most one in k."""
    shown = published.arrow.to_pydict()
    who = published.subject.arrow.to_pylist() if published.subject else list(range(published.rows))
    piece = [0] * published.rows if published.trails is None else published.trails.piece.tolist()
    trails: dict[Any, list[Any]] = {}
    for i in range(published.rows):
        own = (who[i], piece[i]) if who[i] is not None else (None, i)
        trails.setdefault(own, []).append(tuple(str(shown[name][i]) for name in ("age", "sex", "zip")))
    like: dict[Any, list[Any]] = {}
    for (person, _), rows in trails.items():
        like.setdefault(tuple(sorted(rows)), []).append(person)
    for persons in like.values():
        named = Counter(person for person in persons if person is not None)
        if not named or sum(named.values()) < k * max(named.values()):
            return False
    return True


def _entropy(criterion: Any, here: dict[Any, Fraction], whole: dict[Any, Fraction]) -> bool:
    return sum(float(p) * math.log(1 / p) for p in here.values()) >= math.log(criterion.l) - 1e-9


def _recursive(criterion: Any, here: dict[Any, Fraction], whole: dict[Any, Fraction]) -> bool:
    falling = sorted(here.values(), reverse=True)
    return falling[0] < criterion.c * sum(falling[criterion.l - 1 :])


def _close(criterion: Any, here: dict[Any, Fraction], whole: dict[Any, Fraction]) -> bool:
    return sum((abs(here.get(v, Fraction(0)) - p) for v, p in whole.items()), Fraction(0)) / 2 <= criterion.t


DISTRIBUTIONS: dict[str, Callable[[Any, dict[Any, Fraction], dict[Any, Fraction]], bool]] = {
    "entropy-l-diversity": _entropy,
    "recursive-l-diversity": _recursive,
    "t-closeness": _close,
    "beta-likeness": lambda one, here, whole: all(p <= (1 + one.beta) * whole[v] for v, p in here.items()),
    "delta-disclosure": lambda one, here, whole: all(
        Fraction(1, 2 ** int(one.delta)) < p / whole[v] < 2 ** int(one.delta) for v, p in here.items()
    ),
    "epsilon-m-anonymity": lambda one, here, whole: all(
        sum(p for w, p in here.items() if abs(int(v) - int(w)) <= one.epsilon) * one.m <= 1 for v in here
    ),
}
