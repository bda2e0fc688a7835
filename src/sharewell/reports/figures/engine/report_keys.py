"""What a policy says of a report of owners and measures: the keys of a report file, nested in the dataset.

The cells are what `read` names, never the policy itself: its hash is public, and short texts can be guessed. Structure
is checked when the policy is loaded; names of rows and columns when its data is at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import PolicyError, SharewellError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Disagreement
from sharewell.reports.figures.attacks.snooper import Snooper
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.limits import criteria
from sharewell.reports.figures.engine.needs import Snoopers
from sharewell.reports.figures.engine.plan import Proposal
from sharewell.reports.figures.engine.report_file import (
    Fields,
    LevelsSpec,
    TableSpec,
    level,
    proposal,
    search_of,
    snoopers_of,
)

if TYPE_CHECKING:
    from sharewell.policy.model import ConfiguredAttack


KEYS = ("table", "publish", "snoopers", "protect", "search")


@dataclass(frozen=True)
class ReportKeys:
    """One report of a policy."""

    name: str
    fields: Fields = field(repr=False)
    must: tuple[ByCell, ...]
    """The limits of `protect`."""
    snoopers: Snoopers
    search: Fields
    loaded: Proposal | None = field(default=None, repr=False)
    """The proposal itself, where a report file was loaded already."""

    def proposal(self, read: Source, reading: MistakeCollector | None = None, path: Place = ()) -> Proposal:
        """With its cells; PolicyError lists every name that is not in the table."""
        if self.loaded is not None:
            return self.loaded
        reading = reading or MistakeCollector(Document(), Path())
        table = {**self.fields["table"], "values": read}
        keys = {key: self.fields[key] for key in ("publish", "snoopers", "search") if self.fields.get(key) is not None}
        limits = self.fields.get("protect") or {"default": {"width": 0}}  # they may stand under `require` alone
        result = proposal(reading, {"report": self.name, "table": table, "protect": limits, **keys}, path)
        if result is None or reading.mistakes:
            raise PolicyError(reading.mistakes)
        return result


def report_keys(reading: MistakeCollector, name: str, fields: Fields, path: Place) -> ReportKeys:
    """The keys as far as they can be understood without the data; mistakes are in the reading."""
    table = reading.fields(TableSpec, fields["table"], (*path, "table"))
    for key in ("values", "absent"):
        if key in table:
            what = "cells are not written into a policy, whose hash is public"
            reading.mistake((*path, "table", key), what, "name their file under `read`; an empty cell is absent")
    search, nested = search_of(reading, fields, path)
    publish = fields.get("publish")
    if not isinstance(publish, dict) or not publish or not set(publish) <= {"rows", "columns"}:
        what = "a report says what it would publish of rows and of columns"
        reading.mistake((*path, "publish"), what, "such as publish: {columns: {center: mean}}")
    else:
        for axis, levels in publish.items():
            place = (*path, "publish", axis)
            for key, value in reading.fields(LevelsSpec, levels or {}, place).items():
                if key != "sigma":
                    level(reading, key, value, (*place, key), nested)
    snoopers = snoopers_of(reading, fields.get("snoopers"), (*path, "snoopers"))
    must: tuple[ByCell, ...] = ()
    if "protect" in fields:
        try:
            must = criteria(reading, fields["protect"], (*path, "protect"), snoopers)
        except PolicyError as error:
            reading.borrow(error, (*path, "protect"))
    return ReportKeys(name, {key: fields[key] for key in KEYS if key in fields}, must, snoopers, search)


@dataclass
class _PlacedMistakes(MistakeCollector):
    """Mistakes by their place in the policy; the caller knows the lines."""

    placed: list[Disagreement] = field(default_factory=list)

    def mistake(self, path: Place, what: str, hint: str = "", *, where: Place | None = None) -> None:
        super().mistake(path, what, hint, where=where)
        self.placed.append((path, what, hint, False))


def disagreements(
    keys: ReportKeys, read: Source, attacks: Sequence[ConfiguredAttack], path: Place
) -> list[Disagreement]:
    """All in which a report and its cells disagree."""
    reading = _PlacedMistakes(Document(), Path())
    try:
        publication = keys.proposal(read, reading, path).publication
        for attack in attacks:
            try:
                publication.knowledge(*(attack.built.rows if isinstance(attack.built, Snooper) else ()))
            except PolicyError as error:
                reading.borrow(error, attack.at)
    except PolicyError as error:
        if not reading.placed:
            reading.borrow(error, path)
    except SharewellError as error:
        what, _, hint = str(error).splitlines()[0].rpartition(" — ")
        readable = read.path is None or read.path.is_file()
        return [*reading.placed, ((*path, "read"), what or hint, hint if what else "", readable)]
    return reading.placed
