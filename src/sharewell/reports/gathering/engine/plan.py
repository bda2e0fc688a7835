"""The plan of a gathering: who takes part, what is summed, and over how many at least. All owners hold the same one.

>>> plan = Plan("rates", {name: bytes([i]) * 32 for i, name in enumerate("ABCDE")}, {"x": (Fraction(0), Fraction(100))})
>>> plan.threshold, plan.may_drop, plan.curious, plan.liars
(3, 2, 0, 0)

`load_plan` reads it from a YAML file:

gathering: diabetes-2026
measures: {HbA1c: [0, 100], Eye exam: [0, 100]}
owners: {HMO1: HMO1.pub, HMO2: HMO2.pub, HMO3: HMO3.pub, HMO4: HMO4.pub}    # made by `sharewell keygen`
threshold: 3
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from sharewell.errors import DataError, PolicyError
from sharewell.io.signatures import load_public
from sharewell.io.sources import Source
from sharewell.plain_data import Json
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports.figures.engine.numbers import exact

WORD = 16
"""Bytes of a number under a mask."""
MODULUS = 1 << (8 * WORD)
"""Sums wrap round here; the plan is refused if a sum could come so far."""
FEWEST, FEWEST_WITH_SQUARES = 2, 3
"""Of two numbers the sum and the sum of squares tell both; hence at least three where squares are gathered."""
MOST_OWNERS = 500
MOST_DECIMALS = 12

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Plan:
    """What everybody agrees on before the first message. Order of owners and measures is part of it."""

    name: str
    owners: Mapping[str, bytes]
    """The Ed25519 public key of every owner, 32 bytes."""
    measures: Mapping[str, Bounds]
    """The least and the greatest value of each; a cell outside is refused."""
    threshold: int = 0
    """Fewest owners in any sum; 0 becomes the smallest majority."""
    decimals: int = 1
    """Cells are rounded to this many before they are summed."""
    squares: bool = True
    """Sums of squares too? Sigma needs them, and they tell more."""
    row_means: bool = False
    """Does every owner publish the mean of its own row?"""
    show_owners: bool = False
    """Do owners see the report before it is published? To audit it with their own rows; and to snoop with them."""
    sigma: str = "sample"
    protect: Mapping[str, object] = field(default_factory=dict)
    """Limits for the audit of the report, passed on as they are."""

    def __post_init__(self) -> None:
        if self.threshold == 0:
            object.__setattr__(self, "threshold", max(self.fewest, len(self.owners) // 2 + 1))
        for wrong, what in self._refusals():
            if wrong:
                raise PolicyError(what)

    def _refusals(self) -> list[tuple[bool, str]]:
        owners, unit = len(self.owners), Fraction(1, 10**MOST_DECIMALS)
        if 0 <= self.decimals <= MOST_DECIMALS:
            unit = Fraction(1, 10**self.decimals)
        largest = max((abs(end) for bounds in self.measures.values() for end in bounds), default=Fraction(0)) / unit
        majority = f"more than half of {owners} owners, or a mediator could play one half against the other"
        return [
            (not self.measures, "measures — none — name what is gathered, such as HbA1c: [0, 100]"),
            (owners < self.fewest, f"owners — {owners} — at least {self.fewest} are needed to hide one among others"),
            (owners > MOST_OWNERS, f"owners — {owners}, at most {MOST_OWNERS} — gather in groups"),
            (len(set(self.owners.values())) < owners, "owners — two have the same key — each makes its own"),
            (any(len(key) != 32 for key in self.owners.values()), "owners — a key is not of 32 bytes"),
            (not self.fewest <= self.threshold <= owners, f"threshold — must be from {self.fewest} to {owners}"),
            (2 * self.threshold <= owners, f"threshold — must be {majority}"),
            (not 0 <= self.decimals <= MOST_DECIMALS, f"decimals — must be from 0 to {MOST_DECIMALS}"),
            (any(low >= high for low, high in self.measures.values()), "measures — a range begins above its end"),
            (
                any((end / unit).denominator > 1 for bounds in self.measures.values() for end in bounds),
                f"measures — the end of a range has more than {self.decimals} decimals — a rounded cell would leave it",
            ),
            (
                2 * owners * max(largest, largest**2) >= MODULUS,
                "measures — sums could pass 128 bits — fewer decimals, or narrower ranges",
            ),
            (self.sigma not in ("sample", "population"), "sigma — must be sample or population"),
        ]

    @property
    def fewest(self) -> int:
        return FEWEST_WITH_SQUARES if self.squares else FEWEST

    @property
    def may_drop(self) -> int:
        """How many may leave, at any time, without losing the sums of the others."""
        return len(self.owners) - self.threshold

    @property
    def curious(self) -> int:
        """How many owners may pool all they saw, with an honest mediator too, without learning anybody's row.

        They can subtract their own rows from the sum; the rest must still be a sum over `fewest` others.
        """
        return self.threshold - self.fewest

    @property
    def liars(self) -> int:
        """How many owners may conspire with a lying mediator without learning anybody's row.

        They would need two lists of survivors, each signed by `threshold` owners; an honest owner signs only one.
        """
        return min(2 * self.threshold - len(self.owners) - 1, self.curious)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.owners)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Owners are numbered from 1; shares are points at these numbers."""
        return {name: i + 1 for i, name in enumerate(self.owners)}

    @property
    def words(self) -> int:
        """Numbers for each measure: how many, their sum, the sum of squares."""
        return 3 if self.squares else 2

    @cached_property
    def digest(self) -> bytes:
        """The plan in 32 bytes. Every signature covers it; owners compare it out of band."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).digest()

    @property
    def fingerprint(self) -> str:
        return self.digest.hex()[:32]

    def to_json(self) -> dict[str, object]:
        return {
            "protocol": "sharewell gathering 1",
            "name": self.name,
            "owners": [[name, key.hex()] for name, key in self.owners.items()],
            "measures": [[name, str(low), str(high)] for name, (low, high) in self.measures.items()],
            "threshold": self.threshold,
            "decimals": self.decimals,
            "squares": self.squares,
            "row_means": self.row_means,
            "show_owners": self.show_owners,
            "sigma": self.sigma,
            "protect": self.protect,
        }

    def gathered(self, present: Mapping[str, str], among: tuple[str, ...]) -> tuple[str, ...]:
        """The measures that enough of these owners report, by what each announced. A sum over fewer is not made."""
        return tuple(
            measure
            for i, measure in enumerate(self.measures)
            if sum(present[owner][i] == "1" for owner in among) >= self.threshold
        )


@dataclass(frozen=True)
class PlanSpec:
    """The keys of a plan file."""

    gathering: str
    measures: Json
    owners: Json
    threshold: int = 0
    decimals: int = 1
    squares: bool = True
    row_means: bool = False
    show_owners: bool = False
    sigma: str = "sample"
    protect: dict[str, object] | None = None


def load_plan(path: Path | str) -> Plan:
    """The plan of a file; keys are named by the .pub files that `keygen` wrote, relative to it."""
    path = Path(path)
    reading, _ = MistakeCollector.of_file(path)
    if not reading.mistakes:
        fields = reading.fields(PlanSpec, reading.document.plain if reading.document.plain is not None else {}, ())
        measures, owners = _measures(reading, fields.get("measures")), _owners(reading, fields.get("owners"))
        if fields.get("threshold", 1) < 1:
            reading.mistake(("threshold",), "must be at least 1", "leave it out for the smallest majority")
        if not reading.mistakes:
            try:
                return Plan(fields.pop("gathering"), **{**fields, "owners": owners, "measures": measures})
            except PolicyError as error:
                reading.borrow(error, ())
    raise PolicyError(reading.mistakes, path.name)


def read_row(path: Path | str) -> dict[str, object]:
    """One owner's row: a table with a measure in each column, and one line of values."""
    source = Source.of(path)
    table = source.read().to_pydict()
    lines = len(next(iter(table.values()), []))
    if lines != 1:
        raise DataError(f"{source.label} — {lines} lines of values — an owner's file has one, with a column a measure")
    return {name: values[0] for name, values in table.items()}


def _measures(reading: MistakeCollector, measures: object) -> dict[str, Bounds]:
    if not isinstance(measures, dict):
        reading.mistake(("measures",), "must be a mapping of measures to their ranges", "such as HbA1c: [0, 100]")
        return {}
    bounds = {}
    for name, pair in measures.items():
        if isinstance(pair, list) and len(pair) == 2 and all(type(end) in (int, float) for end in pair):
            bounds[name] = (exact(pair[0]), exact(pair[1]))
        else:
            reading.mistake(("measures", name), "must be the lowest and the highest value", "such as [0, 100]")
    return bounds


def _owners(reading: MistakeCollector, owners: object) -> dict[str, bytes]:
    if not isinstance(owners, dict):
        reading.mistake(("owners",), "must be a mapping of owners to their public keys", "such as HMO1: HMO1.pub")
        return {}
    keys = {}
    for name, file in owners.items():
        try:
            keys[name] = bytes(load_public(reading.base / str(file)).public_bytes_raw())
        except DataError as error:
            reading.mistake(("owners", name), str(error))
    return keys
