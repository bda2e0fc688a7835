"""Residual risk: how many people still have an identifier in their notes, estimated from a sample marked by people.

## Guarantee
With the given confidence, at most the share `max` of the people (of the notes, if the sample names no persons) have a
published note in which something identifying is left. The value is the upper limit of the exact confidence interval of
Clopper and Pearson: near 0, approximate intervals such as Wilson's fall short of their confidence.

## Adversary
A reader who recognises whatever the people who marked the sample recognised.

## What it does not protect
**The sample must be drawn at random from the notes that are released,** and marked in the originals: the steward says
so. What the markers overlooked is not counted. At least 59 people without any leak are needed to show 5 % with a
confidence of 95 %. A name leaks if one of its words is left, a date if day and month are, all else if more than half of
it is (surrogates may share an area code, or the word "school"). Leaks are not weighted. Sampled notes that are not in
the release (withheld, or with less than four fifths of their unmarked words) leave the criterion undecided, unless they
are allowed; then the details count them. Notes written from one form may be taken for each other: name the `subject`,
so that a note is looked for among that person's notes alone.

## Parameters
gold: the marked sample: JSON Lines, `{text, spans: [{start, end, label}]}` a line. Drugs, doses, years and ages below
90 may be marked, and are not counted.
max: the largest share allowed.
confidence: of the upper limit, one-sided; 0.95.
subject: the key in the sample that says whose note it is, as the release's own subject does. Then people are counted.
absent: "refuse" (default) or "allow" sampled notes that are not in the release.

## Worked example
Two marked notes; of the first a name is left.

>>> from sharewell.notes import Notes, ResidualRisk
>>> gold = {"text": ["Dr. Delgado saw her for gout today.", "Call 555-0142 if the fever comes back."],
...     "spans": [[{"start": 4, "end": 11, "label": "NAME"}], [{"start": 5, "end": 13, "label": "PHONE"}]]}
>>> import pyarrow as pa
>>> released = Notes.of(["Dr. Delgado saw her for gout today.", "Call [PHONE] if the fever comes back."])
>>> result = ResidualRisk(pa.table(gold), max=0.05).check(released)
>>> print(result)
residual-risk = 0.9747 of notes (≤ 0.05: FAILS)
>>> result.details.leaking, result.details.sampled, result.details.spans_leaked
(1, 2, 1)

## Why it is safe
The criterion uses no detector and no map of offsets. It finds the published text of every marked note by its unmarked
words and aligns the two; of several texts that fit equally well, the one with most leaks counts. A word also counts as
left if the text holds it more often than the original does outside the marks. People are the unit because leaks in the
notes of one person come together; drawn without replacement, the interval is wider than need be. The bound is decided
on whole numbers. A steward who has the sample re-checks all of it; a recipient has to trust the certificate.

## Cost
O(length of the release), once, and for each marked note O(words²) at worst for a few candidates.

## Source
Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, 1934; Brown, Cai
and DasGupta, Interval estimation for a binomial proportion, 2001 (how others fall short).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Annotated, ClassVar, Literal

from annotated_types import Interval

from sharewell.extras import package
from sharewell.findings import Finding, Sense
from sharewell.io.sources import Evidence
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.marked_notes import GoldNote, LeakComparison, counterparts, read_gold
from sharewell.parameters import Declared
from sharewell.protocols import Criterion

LOST = "notes of the sample are not in the release — draw it from what is released, or set absent: allow"


@dataclass(frozen=True)
class ResidualProfile:
    """What was counted, and the limits that follow."""

    sampled: int
    """People, or notes, that were compared."""
    leaking: int
    share: float
    lower: float
    """Lower limit with the same confidence, one-sided."""
    upper: float
    notes: int
    not_released: int
    """Sampled notes that are not in the release."""
    spans: int
    spans_leaked: int
    span_upper: float
    """Upper limit for pieces as if each leaked by itself; they do not, so read it as a hint."""
    tokens: int
    tokens_left: int


@dataclass(frozen=True)
class ResidualRisk(Declared, Criterion[Notes]):
    """The upper confidence limit of the share of people with a leak."""

    gold: Evidence
    max: Annotated[Fraction, Interval(gt=0, le=1)] = Fraction(1, 20)
    confidence: Annotated[Fraction, Interval(ge=0.5, lt=1)] = field(default=Fraction(95, 100), kw_only=True)
    subject: str = field(default="", kw_only=True)
    absent: Literal["refuse", "allow"] = field(default="refuse", kw_only=True)

    name: ClassVar[str] = "residual-risk"
    packages: ClassVar[tuple[str, ...]] = ("scipy",)
    sense: ClassVar[Sense] = "≤"

    @property
    def bound(self) -> Fraction:
        return self.max

    def check(self, data: Notes) -> Finding:
        unit = "of persons" if self.subject else "of notes"
        sample = read_gold(self.gold, self.subject)
        comparisons = counterparts(sample, data) if data.rows else []
        pairs = [
            (note, comparison) for note, comparison in zip(sample, comparisons, strict=False) if comparison is not None
        ]
        not_released = len(sample) - len(pairs)
        if not pairs or (not_released and self.absent == "refuse"):
            note = f"{not_released} {LOST}" if not_released else "there is nothing to compare"
            return Finding.judge(self.name, None, "≤", self.max, unit=unit, note=note)
        profile = self._profile(pairs, not_released)
        ok = at_most(profile.leaking, profile.sampled, self.max, self.confidence)
        note = f"confidence {float(self.confidence):g}; only the steward says that the sample is random"
        return Finding(self.name, profile.upper, None, self.max, "≤", ok, unit=unit, details=profile, note=note)

    def _profile(self, pairs: list[tuple[GoldNote, LeakComparison]], lost: int) -> ResidualProfile:
        leaks_by_unit: dict[str, bool] = {}
        for number, (note, comparison) in enumerate(pairs):
            unit = f"person {note.person}" if self.subject and note.person is not None else f"note {number}"
            leaks_by_unit[unit] = leaks_by_unit.get(unit, False) or comparison.leaked > 0
        leaking, sampled = sum(leaks_by_unit.values()), len(leaks_by_unit)
        spans, leaked = (
            sum(comparison.spans for _, comparison in pairs),
            sum(comparison.leaked for _, comparison in pairs),
        )
        confidence = float(self.confidence)
        return ResidualProfile(
            sampled,
            leaking,
            leaking / sampled,
            1 - upper_limit(sampled - leaking, sampled, confidence),
            upper_limit(leaking, sampled, confidence),
            len(pairs),
            lost,
            spans,
            leaked,
            upper_limit(leaked, spans, confidence),
            sum(comparison.tokens for _, comparison in pairs),
            sum(comparison.survived for _, comparison in pairs),
        )


def upper_limit(hits: int, of: int, confidence: float) -> float:
    """The largest share under which so few hits are still as likely as 1 − confidence.

    >>> round(upper_limit(0, 59, 0.95), 4), round(upper_limit(3, 100, 0.95), 4)
    (0.0495, 0.0757)
    """
    if hits >= of:
        return 1.0
    return float(package("scipy.special", "residual-risk").betaincinv(hits + 1, of - hits, confidence))


def at_most(hits: int, of: int, share: Fraction, confidence: Fraction) -> bool:
    """Is the upper limit at most this share? Decided on whole numbers: P(so few hits | share) ≤ 1 − confidence.

    >>> at_most(0, 59, Fraction(1, 20), Fraction(95, 100)), at_most(0, 58, Fraction(1, 20), Fraction(95, 100))
    (True, False)
    """
    if hits >= of or share == 1:
        return share == 1
    a, b = share.numerator, share.denominator
    likely = sum(comb(of, k) * a**k * (b - a) ** (of - k) for k in range(hits + 1))
    return bool(likely * confidence.denominator <= (confidence.denominator - confidence.numerator) * b**of)
