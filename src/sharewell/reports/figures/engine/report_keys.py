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
from sharewell.policy.mistakes import Reading
from sharewell.reports.figures.attacks.snooper import Snooper
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.limits import criteria
from sharewell.reports.figures.engine.proposal import Proposal
from sharewell.reports.figures.engine.report_file import (
    Fields,
    WrittenLevels,
    WrittenSearch,
    WrittenTable,
    level,
    proposal,
    snoopers_of,
)
from sharewell.reports.figures.engine.snoopers import Snoopers

if TYPE_CHECKING:
    from sharewell.policy.model import Named

KEYS = ("table", "publish", "snoopers", "protect", "search")
_WHERE = ("values", "absent")


@dataclass(frozen=True)
class Asked:
    """One report of a policy. `must` are the limits of `protect`."""

    name: str
    given: Fields = field(repr=False)
    must: tuple[ByCell, ...]
    snoopers: Snoopers
    search: Fields

    def proposal(self, read: Source, noted: Reading | None = None, at: Place = ()) -> Proposal:
        """With its cells; PolicyError lists every name that is not in the table."""
        reading = noted or Reading(Document(), Path())
        table = {**self.given["table"], "values": read}
        keys = {key: self.given[key] for key in ("publish", "snoopers", "search") if self.given.get(key) is not None}
        limits = self.given.get("protect") or {"default": {"width": 0}}  # they may stand under `require` alone
        found = proposal(reading, {"report": self.name, "table": table, "protect": limits, **keys}, at)
        if found is None or reading.mistakes:
            raise PolicyError(reading.mistakes)
        return found


def asked(reading: Reading, name: str, fields: Fields, path: Place) -> Asked:
    """The keys as far as they can be understood without the data; mistakes are in the reading."""
    given = {key: fields[key] for key in KEYS if key in fields}
    table = reading.fields(WrittenTable, fields["table"], (*path, "table"))
    for key in _WHERE:
        if key in table:
            what = "cells are not written into a policy, whose hash is public"
            reading.mistake((*path, "table", key), what, "name their file under `read`; an empty cell is absent")
    search = reading.fields(WrittenSearch, fields.get("search", {}), (*path, "search"))
    nested = search.get("levels") == "nested"
    if search.get("levels", "classic") not in ("classic", "nested"):
        reading.mistake((*path, "search", "levels"), "must be classic or nested")
    publish = fields.get("publish")
    if not isinstance(publish, dict) or not publish or not set(publish) <= {"rows", "columns"}:
        what = "a report says what it would publish of rows and of columns"
        reading.mistake((*path, "publish"), what, "such as publish: {columns: {center: mean}}")
    else:
        for axis, levels in publish.items():
            told = reading.fields(WrittenLevels, levels or {}, (*path, "publish", axis))
            for key in [key for key in told if key != "sigma"]:
                level(reading, key, told[key], (*path, "publish", axis, key), nested)
    snoopers = snoopers_of(reading, fields.get("snoopers"), (*path, "snoopers"))
    must: tuple[ByCell, ...] = ()
    if "protect" in fields:
        try:
            must = criteria(reading, fields["protect"], (*path, "protect"), snoopers)
        except PolicyError as error:
            reading.borrow(error, (*path, "protect"))
    return Asked(name, given, must, snoopers, search)


@dataclass
class Noting(Reading):
    """Mistakes by their place in the policy, for whoever knows its lines."""

    found: list[tuple[Place, str, str, bool]] = field(default_factory=list)

    def mistake(self, path: Place, what: str, hint: str = "", *, where: Place | None = None) -> None:
        super().mistake(path, what, hint, where=where)
        self.found.append((path, what, hint, False))


def disagreements(
    asked: Asked, read: Source, attacks: Sequence[Named], path: Place
) -> list[tuple[Place, str, str, bool]]:
    """(place, what, hint, is the data at fault?) of all in which a report and its cells disagree."""
    noted = Noting(Document(), Path())
    try:
        found = asked.proposal(read, noted, path)
        for one in attacks:
            try:
                found.publication.knowledge(*(one.built.rows if isinstance(one.built, Snooper) else ()))
            except PolicyError as error:
                noted.borrow(error, one.at)
    except PolicyError as error:
        if not noted.found:
            noted.borrow(error, path)
    except SharewellError as error:
        what, _, hint = str(error).splitlines()[0].rpartition(" — ")
        there = read.path is None or read.path.is_file()
        return [*noted.found, ((*path, "read"), what or hint, hint if what else "", there)]
    return noted.found
