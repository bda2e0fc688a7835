"""What only datasets of reports may say. A report is one of two things.

A table of patients: `measure` and `owners`. Quasi columns are its dimensions, the subject tells persons apart,
everything else is dropped. The column that `measure` names is added up; `owners` are further files with the same
columns.

Figures about owners and their measures: `table`, `publish`, `snoopers`, `protect` and `search`, as in a report file.
What `read` names has the cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from sharewell import registry
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.parameters import values_of, with_values
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.model import (
    Auto,
    Configured,
    ConfiguredAlgorithm,
    ConfiguredCriterion,
    Dataset,
    Disagreement,
    OwnKeys,
)
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy
from sharewell.roles import Role, did_you_mean

if TYPE_CHECKING:
    from sharewell.policy.profiles import Facts
    from sharewell.reports.figures.engine.checks.cell_limits import ByCell
    from sharewell.reports.figures.engine.report_file import ReportKeys

FIGURES = ("table", "snoopers", "protect", "search")
_PATIENTS = (
    *("measure", "owners", "columns", "rest", "map"),
    *("demographics", "visit", "date", "sequence", "system", "unit"),
)
"""Keys of a dataset that have no meaning for figures."""
_SNOOPERS = ("outsider", "owners", "coalitions")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.DROP)


@dataclass(frozen=True, kw_only=True)
class ReportsSpec:
    """The keys as they are written."""

    measure: Annotated[str | None, "Of reports: the column that is added up; persons are counted if left out."] = None
    owners: Annotated[list[Json] | None, "Of reports: files of further owners, with the same columns."] = None
    table: Annotated[JsonObject | None, "Of reports of owners: rows and columns of the table, and its domain."] = None
    snoopers: Annotated[JsonObject | None, "Of reports of owners: who is simulated."] = None
    protect: Annotated[JsonObject | None, "Of reports of owners: limits of all cells, of rows and of cells."] = None
    search: Annotated[JsonObject | None, "Of reports of owners: weights, and levels to keep."] = None


@dataclass(frozen=True)
class ReportSources(OwnKeys):
    """Of a table of patients: the column that is added up, and files of further owners. Of a report: its figures."""

    measure: str | None = None
    owners: tuple[Source, ...] = ()
    figures: ReportKeys | None = None
    """Of reports of owners and measures: what would be published, who snoops, and every limit."""

    @property
    def persons_in(self) -> Literal["internal"]:
        """The true cells are the evidence."""
        return "internal"

    def files(self) -> tuple[tuple[Place, Source], ...]:
        return tuple((("owners", i), owner) for i, owner in enumerate(self.owners))

    def more_rows(self) -> tuple[Source, ...]:
        return self.owners

    def column_files(self, read: Source) -> tuple[Source, ...]:
        return () if self.figures is not None else super().column_files(read)

    def against_data(self, dataset: Dataset, readable: bool, path: Place) -> Iterable[Disagreement] | None:
        """Columns of figures are measures, and have no roles."""
        if self.figures is None:
            return None
        from sharewell.reports.figures.engine.report_file import disagreements

        return disagreements(self.figures, dataset.read, dataset.attacks, path) if readable else ()

    def beside(self, dataset: Dataset, earlier: Sequence[Dataset], path: Place) -> Iterable[Disagreement]:
        """Two reports of figures about the same cells tell more together than each was audited for."""
        for other in earlier if self.figures is not None else ():
            if report_sources(other).figures is not None and other.read.path == dataset.read.path:
                what = f"'{other.name}' is a report of the same cells, and two tell more together than each does"
                yield (*path, "read"), what, "keep one", False


def report_sources(dataset: Dataset) -> ReportSources:
    """What a dataset of reports says of its sources."""
    return dataset.own if isinstance(dataset.own, ReportSources) else ReportSources()


def proposed_figures(dataset: Dataset) -> ReportKeys:
    """The figures of a dataset that has them."""
    figures = report_sources(dataset).figures
    if figures is None:
        raise TypeError(f"{dataset.name} is not a report of figures")
    return figures


class ReportsPolicy(WingPolicy):
    """Tables of counts and sums of patients, or figures about owners and their measures."""

    kind = "reports"
    keys = ReportsSpec
    usual_measure = "table-error"

    def schema(self) -> dict[str, Schema]:
        return {"owners": {"type": "array", "items": {"$ref": "#/$defs/source"}}}

    def schema_without_columns(self) -> Schema:
        return {"required": ["table"]}

    def without_columns(self, draft: Draft) -> bool:
        return "table" in draft.fields

    def elsewhere(self, draft: Draft) -> None:
        super().elsewhere(draft)
        _check_publish(draft)

    def read(self, draft: Draft) -> ReportSources:
        _check_publish(draft)
        if "table" in draft.fields:
            return _read_figures(draft)
        for key in FIGURES:
            if key in draft.fields:
                what = f"{key} is a key of reports of figures, which have a `table`; this dataset has none"
                draft.mistake((key,), what, "say table: {rows: …, domain: […]}, or take it out")
        files = enumerate(draft.fields.get("owners", []))
        owners = [source(draft.reading, file, (*draft.path, "owners", i)) for i, file in files]
        return ReportSources(draft.fields.get("measure"), tuple(owner for owner in owners if owner is not None))

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """A table holds dimensions and numbers; nothing of a person's own is published with it."""
        if "table" in draft.fields:
            return
        _check_measure(draft)
        if not draft.having(Role.QUASI):
            draft.mistake(("columns",), "the table has no dimension", "give the columns to group by the role quasi")
        for name, rule in draft.rules.items():
            if rule.role not in _ROLES:
                what = f"a table holds dimensions and numbers, so that a column cannot be {rule.role}"
                draft.mistake(("columns", name), what, "drop it; to add it up, name it under `measure` too")
            if rule.style is not None:
                draft.mistake(("columns", name, "style"), "a dimension has no style", "take the style out")
        if draft.rest is not None and draft.rest is not Role.DROP:
            draft.mistake(("rest",), f"the other columns of a table cannot be {draft.rest}", "say rest: drop")
        draft.refuse_pseudonyms("a table holds no person, so there is no pseudonym")

    def called(self, own: OwnKeys) -> str:
        return self.kind if _figures(own) is None else "reports of owners"

    def from_profile(self, facts: Facts) -> tuple[ConfiguredCriterion, ...]:
        """What a profile asks of tables of counts."""
        if facts.threshold is None:
            return ()
        parameters = {"threshold": facts.threshold} | ({} if facts.rounded is None else {"rounded": facts.rounded})
        built = registry.lookup(self.kind, "criteria", "cell-protection")(**parameters)
        return (ConfiguredAlgorithm("cell-protection", parameters, built, from_profile=True, at=("profile",)),)

    def criteria(
        self, draft: Draft, own: OwnKeys, written: Sequence[ConfiguredCriterion]
    ) -> tuple[ConfiguredCriterion, ...]:
        """Each criterion for the snoopers that the report names, and the limits of `protect`."""
        figures = _figures(own)
        if figures is None:
            return tuple(written)
        limits = [
            ConfiguredAlgorithm(one.name, _parameters(one), one, at=(*draft.path, "protect"))
            for one in figures.criteria
        ]
        return (*(_with_snoopers(draft, figures, one) for one in written), *limits)

    def mechanism_written(self, draft: Draft, own: OwnKeys, given: Json) -> Json:
        """The mechanism with what `search` says; each said once."""
        figures = _figures(own)
        search = {} if figures is None else figures.search
        wanted = {key: search[key] for key in ("weights", "keep") if search.get(key) is not None}
        if not wanted or (isinstance(given, str) and given not in ("aggregate", "auto")):
            return given
        if isinstance(given, dict):
            draft.mistake(("search",), "`using` has parameters too", "say weights and keep under one of them")
            return given
        return {"aggregate": wanted}

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Configured | None]) -> None:
        """Refuse algorithms for tables of patients in reports of owners, and the other way round."""
        of_figures = _figures(own) is not None
        about, data = (
            ("tables of patients", "figures of owners") if of_figures else ("figures of owners", "a table of patients")
        )
        for one in named:
            if one is None or isinstance(one.built, Auto):
                continue
            if getattr(one.built, "of_tables", False) is of_figures:
                draft.reading.mistake(one.at, f"'{one.name}' is about {about}, and this is {data}", "take it out")


def _check_publish(draft: Draft) -> None:
    if isinstance(draft.fields.get("publish"), dict) and "table" not in draft.fields:
        draft.mistake(("publish",), "figures are published of reports of owners, which have a `table`")


def _check_measure(draft: Draft) -> None:
    measure = draft.fields.get("measure")
    if measure is None:
        return
    if measure not in draft.rules:
        draft.mistake(("measure",), f"no column '{measure}' in `columns`", did_you_mean(measure, draft.rules))
    elif draft.rules[measure].role is not Role.DROP:
        what = f"column '{measure}' has the role {draft.rules[measure].role}, and only its sums are published"
        draft.mistake(("measure",), what, "give it the role drop: it is added up all the same")
    if not draft.having(Role.SUBJECT):
        draft.mistake(
            ("measure",),
            "how much each person adds to a sum is known only if a column is the subject",
            "name it in `columns`",
        )


def _read_figures(draft: Draft) -> ReportSources:
    from sharewell.reports.figures.engine.report_file import report_keys

    for key in _PATIENTS:
        if key in draft.fields:
            draft.mistake(
                (key,), f"{key} is a key of tables of patients, and this dataset is a report of figures", "take it out"
            )
    if draft.name.lower() in ("certificate", "dictionary"):
        draft.mistake((), "a report writes a JSON file of this name, and so does every release for itself", "rename it")
    return ReportSources(figures=report_keys(draft.reading, draft.name, draft.fields, draft.path))


def _figures(own: OwnKeys) -> ReportKeys | None:
    return own.figures if isinstance(own, ReportSources) else None


def _with_snoopers(draft: Draft, figures: ReportKeys, criterion: ConfiguredCriterion) -> ConfiguredCriterion:
    """A criterion that `require` names, for the snoopers that the report names."""
    twice = [key for key in _SNOOPERS if key in criterion.parameters]
    for key in twice:
        what = "who snoops is said once for a report"
        draft.reading.mistake((*criterion.at, key), what, f"say {key} under `snoopers`")
    known, wanted = values_of(criterion.built), values_of(figures.snoopers)
    snoopers = {key: wanted[key] for key in _SNOOPERS if key in known}
    return criterion if twice else replace(criterion, built=with_values(criterion.built, **snoopers))


def _parameters(criterion: ByCell) -> dict[str, object]:
    """Parameters that differ from the defaults, without the snoopers."""
    usual = values_of(type(criterion)())
    given = {name: value for name, value in values_of(criterion).items() if name not in _SNOOPERS}
    return {name: value for name, value in given.items() if value != usual[name]}
