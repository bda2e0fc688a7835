"""What the mediator holds in the end: exact sums over the owners who stayed, and the report of rounded figures.

Nobody holds the true cells of that report. An audit simulates outsiders from the figures alone; an owner adds its own
row (`known`) to see what it could infer itself, and to check limits around its own true cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sharewell.errors import DataError, PolicyError
from sharewell.plain_data import Json
from sharewell.reports.figures.data import Cell, Convention, Figure, Frame, Publication, Sigma
from sharewell.reports.figures.engine.numbers import rounded_root, rounded_to
from sharewell.reports.gathering.engine.fixed_point import Sums
from sharewell.reports.gathering.engine.messages import number
from sharewell.reports.gathering.engine.plan import MOST_DECIMALS, Plan


@dataclass(frozen=True)
class Proposed:
    """Rounded figures: means of columns, their sigmas where squares were gathered, means of rows that owners gave."""

    plan: Plan
    decimals: int
    rows: tuple[str, ...]
    means: Mapping[str, Fraction]
    sigmas: Mapping[str, Fraction] = field(default_factory=dict)
    row_means: Mapping[str, Fraction] = field(default_factory=dict)
    absent: frozenset[Cell] = frozenset()

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.means)

    @property
    def convention(self) -> Convention:
        sigma: Sigma = "sample" if self.plan.sigma == "sample" else "population"
        return Convention(self.decimals, sigma)

    def figures(self) -> Iterator[Figure]:
        """Each as the interval that it denotes."""
        half, ddof = self.convention.half, self.convention.ddof
        for name, value in self.row_means.items():
            yield Figure("mean", "rows", (name,), value - half, value + half, value)
        for name, value in self.means.items():
            yield Figure("mean", "columns", (name,), value - half, value + half, value)
        for name, value in self.sigmas.items():
            yield Figure("sigma", "columns", (name,), max(value - half, Fraction(0)), value + half, value, ddof=ddof)

    def publication(self, known: Mapping[Cell, Fraction] | None = None) -> Publication:
        """For an audit. `known`: the cells of one owner, who is then a snooper too."""
        bounds = tuple(self.plan.measures[name] for name in self.measures)
        frame = Frame(self.rows, self.measures, bounds, self.absent)
        return Publication(frame, tuple(self.figures()), known or {}, convention=self.convention)

    def to_yaml(self, known: Mapping[str, Mapping[str, object]] | None = None) -> str:
        """A file for `sharewell reports audit`. With `known` it is the owner's alone."""
        table: dict[str, object] = {
            "rows": list(self.rows),
            "columns": list(self.measures),
            "domain": {name: [float(end) for end in self.plan.measures[name]] for name in self.measures},
            "decimals": self.decimals,
        }
        if self.absent:
            missing = {row: [m for m in self.measures if (row, m) in self.absent] for row in self.rows}
            table["absent"] = {row: measures for row, measures in missing.items() if measures}
        lines: dict[str, dict[str, dict[str, float]]] = {"rows": {}, "columns": {}}
        for figure in self.figures():
            if figure.value is not None:
                lines[figure.axis].setdefault(figure.lines[0], {})[figure.measure] = float(figure.value)
        content: dict[str, object] = {"report": self.plan.name, "table": table}
        content["published"] = {"sigma": self.convention.sigma, **lines}
        content |= {"known": known} if known else {}
        content["snoopers"] = {"outsider": True, "owners": list(known or ())}
        content |= {"protect": self.plan.protect} if self.plan.protect else {}
        head = f"# Gathered from {len(self.rows)} owners; cells are rounded to {self.plan.decimals} decimal(s).\n"
        return head + _yaml(content)

    def to_json(self) -> dict[str, object]:
        """The report for owners, if the plan shows it to them."""
        named = {"means": self.means, "sigmas": self.sigmas, "row_means": self.row_means}
        content: dict[str, object] = {
            key: {name: str(value) for name, value in figures.items()} for key, figures in named.items()
        }
        return content | {"rows": list(self.rows), "absent": sorted(map(list, self.absent))}

    @classmethod
    def of_json(cls, plan: Plan, content: Json) -> Proposed:
        """A report as the mediator sent it. An owner cannot check a sum by its own part, and takes it on trust."""
        try:
            means, sigmas, row_means = (
                {name: number(content[key][name]) for name in names if name in content[key]}
                for key, names in (("means", plan.measures), ("sigmas", plan.measures), ("row_means", plan.owners))
            )
            rows = tuple(name for name in plan.owners if name in content["rows"])
            absent = frozenset((str(row), str(measure)) for row, measure in content["absent"])
        except (KeyError, TypeError, ValueError):
            raise DataError("the mediator's report — does not follow the protocol") from None
        cells = {(row, measure) for row in rows for measure in means}
        if len(rows) < plan.threshold or set(sigmas) != (set(means) if plan.squares else set()) or not absent <= cells:
            raise DataError("the mediator's report — over fewer owners than the threshold, or not of one table")
        return cls(plan, plan.decimals, rows, means, sigmas, row_means, absent)


def _yaml(content: Mapping[str, object], level: int = 0) -> str:
    """Mappings line by line, what is inside the third in one line; JSON is YAML, so that names need no other care."""
    lines = ""
    for key, value in content.items():
        quoted = json.dumps(key, ensure_ascii=False) if level else key
        if isinstance(value, Mapping) and value and level < 2 and key != "snoopers":
            lines += f"{'  ' * level}{quoted}:\n{_yaml(value, level + 1)}"
        else:
            lines += f"{'  ' * level}{quoted}: {json.dumps(value, ensure_ascii=False)}\n"
    return lines


@dataclass(frozen=True)
class Gathered:
    """All that the mediator learns. `absent` cells were announced as not reported."""

    plan: Plan
    owners: tuple[str, ...]
    sums: Mapping[str, Sums] = field(repr=False)
    row_means: Mapping[str, Fraction] = field(default_factory=dict, repr=False)
    absent: frozenset[Cell] = frozenset()

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.sums)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Owners of the plan who are in no sum."""
        return tuple(name for name in self.plan.owners if name not in self.owners)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Measures that fewer owners report than the threshold."""
        return tuple(name for name in self.plan.measures if name not in self.measures)

    def proposed(self, decimals: int | None = None) -> Proposed:
        """The report, its figures rounded to this many decimals (the plan's). More than those: as the mediator sees it.

        An owner whose only measures were left out has no row.
        """
        digits = self.plan.decimals if decimals is None else decimals
        if not 0 <= digits <= MOST_DECIMALS:
            raise PolicyError(f"decimals — must be from 0 to {MOST_DECIMALS}")
        rows = tuple(owner for owner in self.owners if any((owner, m) not in self.absent for m in self.measures))
        variances = {name: one.variance(self.plan.sigma) for name, one in self.sums.items()}
        return Proposed(
            self.plan,
            digits,
            rows,
            {name: rounded_to(one.mean, digits) for name, one in self.sums.items()},
            {name: rounded_root(variance, digits) for name, variance in variances.items() if variance is not None},
            {name: rounded_to(mean, digits) for name, mean in self.row_means.items()},
            frozenset(cell for cell in self.absent if cell[0] in rows),
        )

    def to_json(self) -> dict[str, object]:
        """Exact numbers, for the mediator alone."""
        return {
            "report": self.plan.name,
            "plan": self.plan.fingerprint,
            "owners": list(self.owners),
            "dropped": list(self.dropped),
            "left_out": list(self.left_out),
            "threshold": self.plan.threshold,
            "columns": {
                name: {
                    "count": one.count,
                    "sum": str(one.total),
                    "squares": None if one.squares is None else str(one.squares),
                }
                for name, one in self.sums.items()
            },
            "row_means": {name: str(mean) for name, mean in self.row_means.items()},
            "absent": sorted(map(list, self.absent)),
        }
