"""Finding: the one result type of criteria, attacks and measures."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from sharewell.number_format import show
from sharewell.plain_data import Json, JsonObject

Number = int | float | Fraction
Sense = Literal["≥", "≤"]


class Tier(StrEnum):
    """Who can re-check a claim. The verifier sets it by what it opened, nobody else."""

    RECIPIENT = "recipient"
    """From `public/` alone."""
    STEWARD = "steward"
    """With `internal/` or a named source, recognised by its hash."""
    ATTESTED = "attested"
    """Only the certificate's word."""


@dataclass(frozen=True)
class Finding:
    """What was found, and whether that is enough.

    With a bound, `ok` is True, False, or None for undecided, and undecided fails. Without a bound nothing is judged.
    `details` is a typed record of the algorithm; neither it nor anything else here holds a cell value.

    >>> Finding.judge("k-anonymity", 4, "≥", 5, unit="persons").ok
    False
    >>> Finding.judge("average risk", Fraction(1, 11), "≤", Fraction(1, 11)).ok
    True
    """

    name: str
    value: Number | None
    column: str | None = None
    bound: Number | None = None
    sense: Sense | None = None
    ok: bool | None = None
    unit: str = ""
    tier: Tier | None = None
    parts: tuple[Finding, ...] = ()
    details: Any = None
    note: str = ""

    @classmethod
    def judge(
        cls,
        name: str,
        value: Number | None,
        sense: Sense,
        bound: Number,
        *,
        column: str | None = None,
        unit: str = "",
        parts: Sequence[Finding] = (),
        details: Any = None,
        note: str = "",
    ) -> Finding:
        """Compare exactly: give integers or fractions, not rounded floats. No value, or NaN, is undecided."""
        ok: bool | None = None
        if value is not None and not (isinstance(value, float) and math.isnan(value)):
            ok = bool(value >= bound if sense == "≥" else value <= bound)
        return cls(name, value, column, bound, sense, ok, unit=unit, parts=tuple(parts), details=details, note=note)

    @property
    def failed(self) -> bool:
        """Judged and not True: False and undecided both fail, and so does a whole with a failed part."""
        return (self.bound is not None and self.ok is not True) or any(part.failed for part in self.parts)

    def at(self, tier: Tier, note: str = "") -> Finding:
        """The same finding, with who can re-check it."""
        parts = tuple(part.at(tier) for part in self.parts)
        return dataclasses.replace(self, tier=tier, parts=parts, note=note or self.note)

    def to_json(self) -> JsonObject:
        """Plain JSON; fractions keep their exact form beside the decimal one."""
        plain: JsonObject = {"name": self.name}
        if self.column is not None:
            plain["column"] = self.column
        plain["value"] = json_number(self.value)
        if self.bound is not None:
            plain |= {"sense": self.sense, "bound": json_number(self.bound), "ok": self.ok}
        if self.unit:
            plain["unit"] = self.unit
        if self.tier is not None:
            plain["tier"] = str(self.tier)
        if self.note:
            plain["note"] = self.note
        if self.parts:
            plain["parts"] = [part.to_json() for part in self.parts]
        if self.details is not None:
            plain["details"] = json_details(self.details)
        return plain

    def _repr_html_(self) -> str:
        return html_of_findings([self])

    def __str__(self) -> str:
        of = f" of {self.column}" if self.column else ""
        unit = f" {self.unit}" if self.unit else ""
        text = f"{self.name}{of} = {show(self.value)}{unit}"
        if self.bound is None:
            return text
        verdict = {True: "holds", False: "FAILS", None: "UNDECIDED"}[self.ok]
        return f"{text} ({self.sense} {show(self.bound)}: {verdict})"


def html_of_findings(findings: Iterable[Finding], caption: str = "") -> str:
    """Findings for a notebook, parts below what they are parts of."""
    from sharewell import notebook

    rows = [
        (
            f"{'· ' if part is not whole else ''}{part.name}",
            part.column,
            f"{show(part.value)} {part.unit}".strip(),
            "" if part.bound is None else f"{part.sense} {show(part.bound)}",
            "" if part.bound is None else {True: "holds", False: "FAILS", None: "UNDECIDED"}[part.ok],
            part.tier,
            part.note,
        )
        for whole in findings
        for part in (whole, *whole.parts)
    ]
    heads = ("finding", "column", "value", "bound", "", "who can re-check", "note")
    used = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    return notebook.table([heads[i] for i in used], [[row[i] for i in used] for row in rows], caption)


def float_of(finding: Finding) -> float | None:
    """Its value as a plain number."""
    return None if finding.value is None else float(finding.value)


def json_number(value: Number | None) -> Json:
    """Integers and finite floats as they are; fractions as {"value", "exact"}; NaN and infinity as null."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return value.numerator
        return {"value": float(value), "exact": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def json_details(value: object) -> Json:
    """Typed records, mappings and sequences of numbers as plain JSON; fields with apart=True are excluded."""
    if is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value) if not f.metadata.get("apart")]
        return {name: json_details(getattr(value, name)) for name in fields}
    if isinstance(value, dict):
        return {str(k): json_details(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_details(v) for v in value]
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:  # a numpy scalar
        value = value.item()
    return json_number(value) if isinstance(value, (int, float, Fraction)) else value
