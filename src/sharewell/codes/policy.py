"""The policy keys of datasets of codes: `visit`, `date`, `sequence`, `system`, `unit`, and `separator` of a column.

One record is published for each person (or visit), with the codes alone. So every other column is the subject or is
dropped; the columns that the keys name are read and dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

from sharewell.codes.engine.code_crosswalk import Ambiguous, CodeMapping, Unmapped
from sharewell.hierarchy.crosswalk import SHIPPED
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import JsonObject
from sharewell.policy.mistakes import known_fields
from sharewell.policy.model import Dataset, OwnKeys
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, WingPolicy
from sharewell.roles import Role, did_you_mean

_ROLES = (Role.SUBJECT, Role.QUASI, Role.DROP)


@dataclass(frozen=True, kw_only=True)
class CodesSpec:
    """The keys as they are written."""

    visit: Annotated[str | None, "Of codes: the column that identifies the visits of a person."] = None
    date: Annotated[str | None, "Of codes: the column with the date of the visit."] = None
    sequence: Annotated[str | None, "Of codes: the column with the place of a code in its visit."] = None
    system: Annotated[str | None, "Of codes: the column that names the classification of a code."] = None
    unit: Annotated[Literal["person", "visit"] | None, "Of codes: whose set is published; a person's if left out."] = (
        None
    )
    crosswalk: Annotated[JsonObject | None, "Of codes: by which table they are mapped to another classification."] = (
        None
    )


_CROSSWALK: dict[str, tuple[str, ...]] = {
    "gems": tuple(SHIPPED),
    "ambiguous": get_args(Ambiguous),
    "unmapped": get_args(Unmapped),
}
"""Settings of a crosswalk beside its file, and what each may say."""


@dataclass(frozen=True)
class CodeColumns(OwnKeys):
    """The columns of visits, their dates, the places of codes, and the classification."""

    visit: str | None = None
    date: str | None = None
    sequence: str | None = None
    system: str | None = None
    unit: Literal["person", "visit"] = "person"
    """Whose set of codes is one record."""
    crosswalk: CodeMapping | None = field(default=None, compare=False)
    """How codes are mapped to another classification, before anything else."""

    def named(self) -> dict[str, str]:
        """Key → column, for those that are given."""
        columns = {"visit": self.visit, "date": self.date, "sequence": self.sequence, "system": self.system}
        return {key: column for key, column in columns.items() if column is not None}

    def tied_to(self) -> object:
        """Without a crosswalk, as in the first releases, so that each of them can be made again with its key."""
        return self if self.crosswalk is None else (self, self.crosswalk)

    def files(self) -> tuple[tuple[Place, Source], ...]:
        file = None if self.crosswalk is None else self.crosswalk.source
        return () if file is None else ((("crosswalk",), file),)


def code_columns(dataset: Dataset) -> CodeColumns:
    """The keys of a dataset of codes."""
    return dataset.own if isinstance(dataset.own, CodeColumns) else CodeColumns()


class CodesPolicy(WingPolicy):
    """Sets of codes, one a person or visit."""

    kind = "codes"
    keys = CodesSpec
    reads_lists = True

    def elsewhere(self, draft: Draft) -> None:
        self.misplaced(draft, "is for datasets of codes")
        for name, rule in draft.rules.items():
            if rule.separator is not None:
                draft.mistake(("columns", name, "separator"), "a separator is for a column of codes", "take it out")
        self.read(draft)  # reports other mistakes in these keys

    def read(self, draft: Draft) -> CodeColumns:
        """The columns that the keys name. Each must be one of `columns`, and dropped."""
        keys: dict[str, Any] = {
            key: draft.fields[key] for key in known_fields(CodesSpec) if draft.fields.get(key) is not None
        }
        if "crosswalk" in keys:
            keys["crosswalk"] = _crosswalk(draft, keys["crosswalk"])
        for key, column in keys.items():
            if key not in ("unit", "crosswalk"):
                _check_named(draft, key, column)
        if keys.get("unit") == "visit" and not {"visit", "date"} & set(keys):
            draft.mistake(("unit",), "unit: visit needs to know the visits", "name their column under `visit`")
        if keys.get("unit") == "visit" and not draft.having(Role.SUBJECT):
            problem = "visits are numbered within a person, and no column identifies the person"
            draft.mistake(("unit",), problem, "give the column of the person, or of the visit, the role subject")
        return CodeColumns(**keys)

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """Refuse columns that a record of codes cannot publish."""
        if not draft.having(Role.QUASI):
            draft.mistake(("columns",), "no column holds codes", "give the column of the codes the role quasi")
        for name, rule in draft.rules.items():
            if rule.role not in _ROLES:
                problem = f"a record of codes holds nothing but codes, so that a column cannot be {rule.role}"
                draft.mistake(("columns", name), problem, "drop it, or publish it with the people (kind: joint)")
            if rule.style is not None:
                draft.mistake(("columns", name, "style"), "codes are published as labels", "take the style out")
        if draft.rest is not None and draft.rest is not Role.DROP:
            draft.mistake(
                ("rest",), f"the other columns of a dataset of codes cannot be {draft.rest}", "say rest: drop"
            )
        draft.refuse_pseudonyms("a record of codes is published without a pseudonym, so there is none to keep")


def _crosswalk(draft: Draft, given: JsonObject) -> CodeMapping | None:
    """A table that ships (`gems`) or a file, and what becomes of codes with several counterparts, or none."""
    settings = {key: value for key, value in given.items() if key in (*_CROSSWALK, "of")}
    before = len(draft.reading.mistakes)
    for key, known in _CROSSWALK.items():
        if key in settings and settings[key] not in known:
            hint = did_you_mean(str(settings[key]), known) or f"one of {', '.join(known)}"
            draft.mistake(("crosswalk", key), f"no such setting of {key}", hint)
    if "of" in settings and (not isinstance(settings["of"], str) or draft.fields.get("system") is None):
        what = "of names the system whose codes are mapped, and no column names the systems"
        draft.mistake(("crosswalk", "of"), what, "name that column under `system`, or take it out")
    if "of" not in settings and draft.fields.get("system") is not None:
        draft.mistake(
            ("crosswalk",), "a column names the systems", "say of which the codes are mapped, such as of: ICD9"
        )
    file = {key: value for key, value in given.items() if key not in settings}
    result = source(draft.reading, file, (*draft.path, "crosswalk")) if file or "gems" not in settings else None
    if result is not None and "gems" in settings:
        draft.mistake(("crosswalk",), "names a file and a table that ships", "keep one")
    return None if len(draft.reading.mistakes) > before else CodeMapping(result, **settings)


def _check_named(draft: Draft, key: str, column: str) -> None:
    if column not in draft.rules:
        draft.mistake((key,), f"no column '{column}' in `columns`", did_you_mean(column, draft.rules))
    elif draft.rules[column].role is not Role.DROP:
        problem = f"column '{column}' has the role {draft.rules[column].role}, and only codes are published"
        draft.mistake((key,), problem, "give it the role drop: it is read all the same")
