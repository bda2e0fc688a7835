"""A case study on synthetic medical records: `python -m benchmarks.case_study` prints its tables.

The tutorial of Gkoulalas-Divanis and Loukides (SIAM Data Mining, 2012) tells of 2,762 patients of one hospital: nearly
all of them were unique by their diagnosis codes, suppression and generalisation did not help, and policies kept case
counts exact for most of 18 diseases. Here the same questions are asked of synthetic records. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from benchmarks.emrs import DISEASES, code_sets, records
from sharewell.codes import ACLIP, CBA, UGACLIP, CaseCounts, CodeSets, PrivacyPolicy, QueryError, UtilityPolicy
from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.mechanisms.global_suppression import GlobalSuppression
from sharewell.protocols import Truth

BEGINS = {name: begins for name, (_, begins) in DISEASES.items()}
LOOSE, STRICT = "as in the tutorial", "with every part"
"""A combination is hidden; or it is, and whatever is a part of it."""
OTHERS: dict[Literal["none", "in categories", "at will"], str] = {
    "none": "diseases alone",
    "in categories": "others in categories",
    "at will": "others at will",
}
"""What may be merged beside the codes of the diseases."""
THRESHOLDS = (0.01, 0.05, 0.25)
"""Codes in a smaller share of the records are left out."""


@dataclass(frozen=True)
class Shown:
    """What a release shows: its labels, the codes left out, who is unique by what is left, errors of counts."""

    what: str
    labels: int
    left_out: int
    unique: float
    unique_visits: float
    error_of_codes: float | None
    error_of_pairs: float | None
    kept: tuple[str, ...]
    """The diseases whose cases and controls can be counted exactly."""

    @classmethod
    def of(cls, what: str, before: CodeSets, after: CodeSets) -> Shown:
        truth = Truth(before, np.arange(before.records))
        alone, visits = (attack.mount(after, truth).details for attack in (CodeLinkage("all"), CodeLinkage("visit")))
        asked = (QueryError(number=200, size=size, frequent=0.1).score(before, after).value for size in (1, 2))
        errors = [None if value is None else float(value) for value in asked]
        kept = CaseCounts(BEGINS).score(before, after).details.kept
        told = after.labels or {}
        left_out = sum(label is None for label in told.values())
        return cls(what, len(after.names), left_out, alone.unique, visits.unique, errors[0], errors[1], kept)


@dataclass(frozen=True)
class Study:
    """The records as they are, simple remedies, and each policy with each method."""

    patients: int
    codes: int
    mean: float
    people: int
    unique_in_population: float
    plain: list[Shown]
    by_policy: dict[str, list[Shown]]
    listed: dict[str, int]


def useful_sets(data: CodeSets, others: Literal["none", "in categories", "at will"]) -> UtilityPolicy:
    """One set for each disease; all other codes may be merged not at all, in their categories, or at will."""
    begins = tuple(begin for codes in BEGINS.values() for begin in codes)
    rest = [code for code in data.names if not code.startswith(begins)]
    further = {"none": [], "in categories": UtilityPolicy.extract(rest).sets, "at will": [rest]}[others]
    return UtilityPolicy(UtilityPolicy.extract(data, diseases=BEGINS).sets, others=further)


def in_three_digits(data: CodeSets) -> CodeSets:
    """Every code shown by its category."""
    labels = {code: code.partition(".")[0] for code in data.names}
    members: dict[str, list[str]] = {}
    for code, label in labels.items():
        members.setdefault(label, []).append(code)
    return data.recoded(labels, members)


def study(patients: int, people: int, k: int, seed: int) -> Study:
    """The patients are the first of the population."""
    everybody = records(max(patients, people), seed)
    data = code_sets(everybody, patients)
    population = code_sets(everybody)
    in_population = CodeLinkage("all", population=population).mount(data).details.unique
    plain = [Shown.of("as recorded", data, data)]
    plain += [_suppressed(data, share) for share in THRESHOLDS]
    plain.append(Shown.of("three digits of each code", data, in_three_digits(data)))
    by_policy, listed = dict[str, list[Shown]](), dict[str, int]()
    modes: tuple[tuple[str, Literal["all", "visit"]], ...] = (("one visit", "visit"), ("all codes", "all"))
    for known, mode in modes:
        for strict in (False, True):
            private = PrivacyPolicy.extract(data, k, mode, strict=strict)
            name = f"{known}, {STRICT if strict else LOOSE}"
            listed[name] = len(private.itemsets)
            by_policy[name] = list(_protected(data, private))
    mean = float(data.sets.lengths.mean())
    return Study(patients, len(data.names), mean, population.records, in_population, plain, by_policy, listed)


def _suppressed(data: CodeSets, share: float) -> Shown:
    released = GlobalSuppression(below=share).protect(data, []).data
    return Shown.of(f"codes of fewer than {share:.0%} left out", data, released)


def _protected(data: CodeSets, private: PrivacyPolicy) -> Iterator[Shown]:
    """By each method; those that know utility policies with three of them."""
    ways: list[tuple[str, Any, list[Any]]] = [("aclip", ACLIP(), [])]
    for others, told in OTHERS.items():
        useful = useful_sets(data, others)
        ways += [(f"{method.name}, {told}", method, [useful]) for method in (UGACLIP(), CBA())]
    for what, method, useful in ways:
        released = method.protect(data, [private, *useful]).data
        assert all(criterion.check(released).ok for criterion in (private, *useful))
        yield Shown.of(what, data, released)


def printed(found: Study, k: int) -> Iterator[str]:
    """Three tables in Markdown."""
    yield f"{found.patients:,} synthetic patients with {found.codes:,} codes, {found.mean:.1f} each; "
    yield f"{found.unique_in_population:.1%} are unique by all their codes among {found.people:,} people.\n"
    yield from _rows("release", found.plain)
    for name, rows in found.by_policy.items():
        yield f"\nk = {k}, known: {name} ({found.listed[name]:,} combinations)\n"
        yield from _rows("method", rows)
    yield ""
    yield from _diseases(found)


def _rows(first: str, rows: Sequence[Shown]) -> Iterator[str]:
    titles = ("labels", "codes left out", "unique", "unique visits", "error, codes", "error, pairs", "diseases exact")
    yield f"| {first} | " + " | ".join(titles) + " |"
    yield "|---" * (len(titles) + 1) + "|"
    for row in rows:
        errors = [
            "none to ask" if error is None else f"{error:.3g}" for error in (row.error_of_codes, row.error_of_pairs)
        ]
        shares = [f"{share:.1%}" for share in (row.unique, row.unique_visits)]
        cells = [f"{row.labels:,}", f"{row.left_out:,}", *shares, *errors, f"{len(row.kept)} of {len(BEGINS)}"]
        yield f"| {row.what} | " + " | ".join(cells) + " |"


def _diseases(found: Study) -> Iterator[str]:
    """A tick where cases and controls are exact, for what the tutorial asks for."""
    loose = {name: rows for name, rows in found.by_policy.items() if name.endswith(LOOSE)}
    heads = [f"{name.partition(',')[0]}: {row.what}" for name, rows in loose.items() for row in rows]
    kept = [row.kept for rows in loose.values() for row in rows]
    yield "| disease | " + " | ".join(heads) + " |"
    yield "|---" * (len(heads) + 1) + "|"
    for disease in BEGINS:
        yield f"| {disease} | " + " | ".join("✓" if disease in one else "" for one in kept) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.case_study")
    parser.add_argument("--patients", type=int, default=2_762, help="patients to release (default: 2,762)")
    parser.add_argument("--people", type=int, default=100_000, help="people they are part of (default: 100,000)")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    print("\n".join(printed(study(args.patients, args.people, args.k, args.seed), args.k)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
