"""Codes of people with several visits: every combination of up to m codes is looked up in what is published."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell import registry
from sharewell.codes import CodeSets, KmAnonymity
from sharewell.hierarchy import ICD9CM
from sharewell.keys import Key

CODES = ("250.00", "250.01", "401.1", "401.9", "428.0", "296.20", "303.90")
KEY = Key(b"a key for cases of the benchmark")
Published = list[list[frozenset[str]]]
"""Of every person the labels, each as the codes that it may stand for."""


@cache
def mechanisms() -> tuple[str, ...]:
    """Those that publish sets of labels and take the criterion."""
    able = [one for one in registry.entries("codes", "mechanisms") if registry.compatible(one.load(), KmAnonymity)]
    return tuple(one.name for one in able if one.name not in ("disassociation", "global-suppression"))


@cache
def tree() -> Any:
    return ICD9CM()


@dataclass(frozen=True)
class CodeCase:
    visits: tuple[tuple[str, int, str], ...]
    """Who, at which visit, with which code."""
    k: int
    m: int
    mechanism: str | None
    """None: the criterion judges the data as they are."""
    with_tree: bool


class CodeCases(Kind):
    name = "codes of several visits a person"

    def draw(self, rng: np.random.Generator) -> CodeCase:
        people, rows, codes = int(rng.integers(2, 8)), int(rng.integers(4, 22)), int(rng.integers(2, len(CODES) + 1))
        parts = zip(*(rng.integers(0, most, rows).tolist() for most in (people, 3, codes)), strict=True)
        visits = tuple((f"p{who}", visit, CODES[code]) for who, visit, code in parts)
        mechanism = pick(rng, (None, *mechanisms()))
        return CodeCase(visits, int(rng.integers(2, 4)), int(rng.integers(1, 4)), mechanism, bool(rng.random() < 0.5))

    def answer(self, case: CodeCase) -> Answer:
        frame = pa.table({name: [row[i] for row in case.visits] for i, name in enumerate(("who", "visit", "code"))})
        hierarchy = tree() if case.with_tree else None
        data = CodeSets.from_long(frame, subject="who", code="code", visit="visit", hierarchy=hierarchy)
        rule = KmAnonymity(case.k, case.m)
        if case.mechanism is not None:
            data = registry.lookup("codes", "mechanisms", case.mechanism)().protect(data, [rule], KEY).data
        rows = [[frozenset(data.members[label]) for label in data.sets.row(i).tolist()] for i in range(data.records)]
        return Answer(rule.check(data).ok, rows)

    def unprotected(self, case: CodeCase) -> Published:
        held: dict[str, set[str]] = {}
        for who, _, code in case.visits:
            held.setdefault(who, set()).add(code)
        return [[frozenset({code}) for code in codes] for codes in held.values()]

    def is_safe(self, case: CodeCase, published: Published) -> bool:
        """Nobody is counted twice, and no combination of codes fits fewer than k records, unless none."""
        if len(published) > len({who for who, _, _ in case.visits}):
            return False
        known = sorted({code for record in published for label in record for code in label})
        covered = [frozenset().union(*record) for record in published]
        for size in range(1, case.m + 1):
            for some in combinations(known, size):
                if 0 < sum(codes.issuperset(some) for codes in covered) < case.k:
                    return False
        return True
