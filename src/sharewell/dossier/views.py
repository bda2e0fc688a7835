"""Certificates and findings as typed views.

The page is filed as evidence, so it must come out whatever the JSON holds: an unknown kind of data, a finding without a
value, a record from a later version. Everything here therefore reads what it can and leaves the rest empty; nothing
raises. A value that is absent stays absent (None), never zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sharewell.plain_data import Json, JsonObject

Number = int | float
_LARGEST = 10**300


def mapping(value: object) -> JsonObject:
    """A JSON object, or an empty one."""
    return {str(key): held for key, held in value.items()} if isinstance(value, Mapping) else {}


def sequence(value: object) -> list[Json]:
    """A JSON array, or an empty one."""
    return list(value) if isinstance(value, (list, tuple)) else []


def text(value: object) -> str:
    """A scalar as text; nothing for null and for what is no scalar."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str) or number(value) is not None else ""


def number(value: object) -> Number | None:
    """A finite number, also out of {"value", "exact"}; otherwise None.

    >>> number({"value": 0.25, "exact": "1/4"}), number(float("nan")), number(True), number("7")
    (0.25, None, None, None)
    """
    if isinstance(value, Mapping):
        value = value.get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if -_LARGEST < value < _LARGEST else None


def exact(value: object) -> str:
    """The exact fraction beside a decimal number, if there is one."""
    return text(mapping(value).get("exact"))


def histogram(value: object) -> dict[float, int]:
    """Lower edge → count, in order of the edges. JSON made the edges text; what is not a number is left out."""
    bins: dict[float, int] = {}
    for edge, count in mapping(value).items():
        held = number(count)
        try:
            place = float(edge)
        except ValueError:
            continue
        if held is not None and held >= 0 and math.isfinite(place):
            bins[place] = int(held)
    return dict(sorted(bins.items()))


@dataclass(frozen=True)
class FindingView:
    """One finding as its JSON tells it."""

    name: str
    column: str
    value: Number | None
    exact: str
    bound: Number | None
    bound_exact: str
    sense: str
    ok: bool | None
    judged: bool
    unit: str
    tier: str
    note: str
    details: JsonObject = field(default_factory=dict)
    parts: tuple[FindingView, ...] = ()

    @classmethod
    def of(cls, value: object, depth: int = 0) -> FindingView | None:
        """None for what is no finding. Parts nest; a depth that no release has is cut off."""
        plain = mapping(value)
        if not plain:
            return None
        parts = [cls.of(part, depth + 1) for part in sequence(plain.get("parts"))] if depth < 5 else []
        ok, bound = plain.get("ok"), plain.get("bound")
        return cls(
            name=text(plain.get("name")) or "unnamed",
            column=text(plain.get("column")),
            value=number(plain.get("value")),
            exact=exact(plain.get("value")),
            bound=number(bound),
            bound_exact=exact(bound),
            sense=text(plain.get("sense")),
            ok=ok if isinstance(ok, bool) else None,
            judged=bound is not None or "ok" in plain,
            unit=text(plain.get("unit")),
            tier=text(plain.get("tier")),
            note=text(plain.get("note")),
            details=mapping(plain.get("details")),
            parts=tuple(part for part in parts if part is not None),
        )

    @property
    def judges(self) -> bool:
        """Is anything judged here, in the whole or in a part?"""
        return self.judged or any(part.judges for part in self.parts)

    @property
    def verdict(self) -> bool | None:
        """As in `Finding.failed`, a whole is no better than its parts. None is undecided, or that nothing is judged."""
        states = [self.ok] if self.judged else []
        states += [part.verdict for part in self.parts if part.judges]
        return worst(states) if states else None

    @property
    def risk(self) -> JsonObject:
        """The record that holds a histogram of probabilities: the details themselves, or their `risk`."""
        inner = mapping(self.details.get("risk"))
        return inner if "records_by_risk" in inner else self.details


def worst(states: Sequence[bool | None]) -> bool | None:
    """A failure outweighs what is undecided, and that outweighs what holds."""
    return False if False in states else None if None in states else True


def value_of(view: FindingView | None) -> Number:
    """What a finding reached, to put findings in order: one without a value comes last."""
    return -1 if view is None or view.value is None else view.value


def found_all(value: object) -> list[FindingView]:
    """Every finding of a list."""
    return [result for result in map(FindingView.of, sequence(value)) if result is not None]


@dataclass(frozen=True)
class Attack:
    """One attack, on the original and on the release."""

    name: str
    before: FindingView | None
    after: FindingView | None
    knowing: str = ""
    """Its settings, where the policy gives any: one attack may be mounted with several."""


@dataclass(frozen=True)
class Dataset:
    """One dataset: what the certificate claims of it and what was found, side by side."""

    name: str
    index: int
    claimed: JsonObject
    found: JsonObject

    @property
    def kind(self) -> str:
        return text(self.claimed.get("kind")) or text(self.found.get("kind")) or "unknown"

    @property
    def before(self) -> JsonObject:
        return mapping(self.found.get("before"))

    @property
    def after(self) -> JsonObject:
        return mapping(self.found.get("after"))

    @property
    def rows(self) -> Number | None:
        """Records published: as found, or else as claimed."""
        result = number(self.after.get("rows"))
        return result if result is not None else number(self.claimed.get("rows"))

    @property
    def mechanism(self) -> JsonObject:
        return {**mapping(self.claimed.get("mechanism")), **mapping(self.found.get("mechanism"))}

    @cached_property
    def columns(self) -> dict[str, JsonObject]:
        """Findings first, because they also know columns that were not published."""
        known = {name: mapping(facts) for name, facts in mapping(self.found.get("columns")).items()}
        for shown, facts in mapping(self.claimed.get("columns")).items():
            name = text(mapping(facts).get("of")) or shown  # a range may be published as two columns
            known[name] = {**mapping(facts), **known.get(name, {})}
        return known

    def having(self, role: str) -> list[str]:
        return [name for name, facts in self.columns.items() if facts.get("role") == role]

    @cached_property
    def risks_before(self) -> dict[str, FindingView]:
        return {result.name: result for result in found_all(self.before.get("risks"))}

    @cached_property
    def risks_after(self) -> dict[str, FindingView]:
        return {result.name: result for result in found_all(self.found.get("risks_after"))}

    @cached_property
    def detail_lost(self) -> FindingView | None:
        """The score that tells the loss of each column."""
        return next((one for one in self.utility if one.name == "ncp"), None)

    @cached_property
    def exact_shares(self) -> dict[str, Number | None]:
        """Column → share of its cells that kept their exact value: from the column, or from the score."""
        shares = mapping(self.detail_lost.details.get("exact_cells")) if self.detail_lost else {}
        given = {name: number(facts.get("exact_share")) for name, facts in self.columns.items()}
        return {n: given[n] if given.get(n) is not None else number(shares.get(n)) for n in [*given, *shares]}

    def publishes(self, column: str) -> bool:
        """The certificate lists what is published; without such a list nothing is known against it."""
        claimed = mapping(self.claimed.get("columns"))
        listed = {text(mapping(facts).get("of")) or shown for shown, facts in claimed.items()}
        return column in listed or (not listed and self.columns.get(column, {}).get("role") not in ("drop", "subject"))

    @cached_property
    def criteria(self) -> list[FindingView]:
        return found_all(self.found.get("criteria"))

    @cached_property
    def claims(self) -> list[FindingView]:
        return found_all(self.claimed.get("findings"))

    @cached_property
    def text_claims(self) -> list[FindingView]:
        """What is claimed of its columns of text."""
        columns = mapping(mapping(self.claimed.get("texts")).get("columns"))
        return [one for known in columns.values() for one in found_all(mapping(known).get("findings"))]

    @cached_property
    def utility(self) -> list[FindingView]:
        return found_all(self.found.get("utility"))

    @cached_property
    def attacks(self) -> list[Attack]:
        """An attack that was not repeated on the original takes its "before" from the risks of the plan."""
        attacks = []
        for plain in map(mapping, sequence(self.found.get("attacks"))):
            before, after = FindingView.of(plain.get("before")), FindingView.of(plain.get("after"))
            if before is None and after is None:
                continue
            name = text(plain.get("name")) or (after or before or _NOTHING).name
            given = mapping(plain.get("parameters"))
            knowing = ", ".join(f"{key} {text(value)}" for key, value in given.items() if text(value))
            attacks.append(Attack(name, before or self.risks_before.get(name), after, knowing))
        return attacks


_NOTHING = FindingView("unnamed", "", None, "", None, "", "", None, False, "", "", "")


def datasets(certificate: Mapping[str, Json], findings: Mapping[str, Json]) -> list[Dataset]:
    """In the order of the certificate, then those that only the findings know."""
    claimed, result = mapping(certificate.get("datasets")), mapping(findings.get("datasets"))
    names = [*claimed, *(name for name in result if name not in claimed)]
    return [Dataset(name, i, mapping(claimed.get(name)), mapping(result.get(name))) for i, name in enumerate(names)]


def leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str | Number | None]]:
    """A record of unknown shape as (path, scalar), so that details no one foresaw still stand on the page."""
    if len(path) > 6:
        yield " · ".join(path), "…"
        return
    if isinstance(value, Mapping) and set(value) == {"value", "exact"}:
        yield " · ".join(path), exact(value) or number(value)
    elif isinstance(value, (Mapping, list, tuple)):
        held = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
        if not value:
            yield " · ".join(path), "none"
        elif isinstance(value, (list, tuple)) and all(not isinstance(item, (Mapping, list, tuple)) for item in value):
            yield " · ".join(path), ", ".join(text(item) or "—" for item in value)
        else:
            for key, item in held:
                yield from leaves(item, (*path, str(key)))
    else:
        known = number(value)
        yield " · ".join(path), known if known is not None else text(value) or None
