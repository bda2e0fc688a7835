"""What only datasets that answer questions may say: `domains`, `contributions`, `neighbours`, `budget`, `mode`, …

Everything by which noise is measured stands here and is never taken from the data: which values a column can have,
between which bounds its numbers lie, and how many rows one person may contribute.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from annotated_types import Gt, Interval

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.opendp_noise import Accounting
from sharewell.plain_data import Json
from sharewell.policy.model import Configured, Dataset, Disagreement, OwnKeys
from sharewell.policy.secrets import is_reference
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy
from sharewell.queries.data import EVERY, ConfidentialTable, Domain, Neighbours, Range, Values
from sharewell.queries.engine.exact_control import Rule
from sharewell.queries.utility.noise_error import NoiseError
from sharewell.roles import Role, did_you_mean

_ROLES = (Role.SUBJECT, Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.DROP)
_USUAL_DELTA = 1e-6
_MOST_EPSILON = 50.0
NAMES_TAKEN = ("count",)
"""What the columns of a published table are called besides."""
_ENV = "env:"
_WRITTEN: dict[str, Schema] = {"values": {"anyOf": [{"type": "array", "minItems": 1}, {"$ref": "#/$defs/source"}]}}


@dataclass(frozen=True, kw_only=True)
class QueriesSpec:
    """The keys as they are written."""

    domains: Annotated[
        dict[str, Any] | None, "Of queries: the public values, or bounds, of each column that may be asked about."
    ] = None
    contributions: Annotated[dict[str, Any] | None, "Of queries: how many rows of one person count."] = None
    neighbours: Annotated[
        Literal["add-remove", "change-one"] | None,
        "Of queries: tables that must look alike differ by a person more or less, or by one who replaces another.",
    ] = None
    budget: Annotated[dict[str, Any] | None, "Of queries: how much privacy all answers together may cost."] = None
    mode: Annotated[
        Literal["noisy", "exact"] | None, "Of queries: noisy answers under a budget, or exact ones that are audited."
    ] = None
    exact: Annotated[dict[str, Any] | None, "Of queries with mode exact: how answers are audited."] = None


@dataclass(frozen=True, kw_only=True)
class DomainSpec:
    """What is public about a column: a list of values, or bounds of numbers."""

    values: Annotated[Any, "A list of values, or a source with one column of them, such as {csv: wards.csv}."] = None
    low: Annotated[float | None, "The least number; smaller ones count as it."] = None
    high: Annotated[float | None, "The largest number; larger ones count as it."] = None
    bins: Annotated[
        Annotated[int, Interval(ge=1, le=10_000)] | None, "Into how many bins of one width histograms cut."
    ] = None


@dataclass(frozen=True, kw_only=True)
class ContributionsSpec:
    """How much of one person counts."""

    rows: Annotated[
        Annotated[int, Interval(ge=1, le=1_000_000)] | None, "At most this many rows of one person count."
    ] = None
    unit: Annotated[Literal["person", "record"] | None, "record: every row is another person, none has a second."] = (
        None
    )


@dataclass(frozen=True, kw_only=True)
class BudgetSpec:
    """How much privacy all answers and publications together may cost."""

    epsilon: Annotated[Annotated[float, Interval(gt=0, le=_MOST_EPSILON)], "The most ε that all answers may add up to."]
    delta: Annotated[
        Annotated[float, Interval(gt=0, lt=1)] | None, "Of accounting zcdp: δ, 0.000001 if left out; none under pure."
    ] = None
    accounting: Annotated[
        Literal["pure", "zcdp"], "How losses add up: ε by itself (pure), or ρ, which allows more questions (zcdp)."
    ] = "pure"
    analyst: Annotated[Annotated[float, Gt(0)] | None, "The most ε of one analyst; all of it if left out."] = None
    account: Annotated[
        str | None, "The name of the account, which datasets about the same people share; the dataset's if left out."
    ] = None
    ledger: Annotated[
        str, "Where spending is recorded: a file beside the policy, or env:NAME with a URL of PostgreSQL."
    ] = "ledger.sqlite"


@dataclass(frozen=True, kw_only=True)
class ExactSpec:
    """What keeps exact answers from telling of few people."""

    least: Annotated[
        Annotated[int, Interval(ge=2, le=1_000_000)], "No set, and no difference of sets, of fewer people is answered."
    ] = 5
    rule: Annotated[
        Literal["cells", "sums"],
        "cells: all answers together cut people into cells of at least this many; sums: no combination isolates fewer.",
    ] = "cells"
    ledger: Annotated[str, "Where questions are recorded; as in budget."] = "ledger.sqlite"


@dataclass(frozen=True)
class Exact:
    """How exact answers are audited."""

    least: int = 5
    rule: Rule = "cells"


@dataclass(frozen=True)
class Budget:
    """What may be spent, and where it is recorded."""

    epsilon: float
    delta: float = 0.0
    accounting: Accounting = "pure"
    analyst: float | None = None
    ledger: str = "ledger.sqlite"
    """The path of a file, or `env:NAME`."""
    account: str = ""
    """What datasets about the same people call the account that they share."""


@dataclass(frozen=True)
class QueryKeys(OwnKeys):
    """What is public about the data, and what may be spent on it."""

    domains: Mapping[str, Domain] = field(default_factory=dict)
    rows_per_person: int = 1
    by_record: bool = False
    """Is every row another person?"""
    neighbours: Neighbours = "add-remove"
    budget: Budget | None = None
    lists: Mapping[str, Source] = field(default_factory=dict)
    """Column → the file with its public values."""
    exact: Exact | None = None
    """None: answers are noisy."""

    @property
    def unit(self) -> str:
        return "record" if self.by_record else "person"

    @property
    def counted(self) -> str:
        """What the losses of an account are about; other ones cannot be added to them."""
        return f"unit: {self.unit}, " + ("mode: exact" if self.exact else f"neighbours: {self.neighbours}")

    @property
    def persons_in(self) -> Literal["internal"]:
        """The entry of the ledger is the evidence."""
        return "internal"

    def files(self) -> tuple[tuple[Place, Source], ...]:
        return tuple((("domains", column, "values"), file) for column, file in self.lists.items())

    def beside(self, dataset: Dataset, earlier: Sequence[Dataset], path: Place) -> Iterable[Disagreement]:
        """What is told of the same people adds up, so it is paid from one account."""
        from sharewell.same_rows import same_rows  # it loads pyarrow, which most policies do not need

        for other in earlier:
            own = other.own if isinstance(other.own, QueryKeys) else QueryKeys()
            theirs = own.budget
            if self.budget is None or theirs is None:
                continue
            shared = (self.budget.account or dataset.name) == (theirs.account or other.name)
            if shared and self.budget.ledger == theirs.ledger and self.counted != own.counted:
                what = f"'{other.name}' shares its account, and counts losses with {own.counted}, which add up apart"
                yield (*path, "budget"), what, "say the same of both, or give each a ledger of its own", False
            if not same_rows(dataset.read, other.read):
                continue
            if not self.budget.account or self.budget.account != theirs.account:
                what = f"'{other.name}' is about the same people, and what both tell of a person adds up"
                yield (*path, "budget"), what, "name one account in both: budget: {account: …}", False
            elif self.budget != theirs:
                what = f"'{other.name}' says something else of the account that both share"
                yield (*path, "budget"), what, "say the same of it in both", False


def query_keys(dataset: Dataset) -> QueryKeys:
    """What a dataset that answers questions says of itself."""
    return dataset.own if isinstance(dataset.own, QueryKeys) else QueryKeys()


def confidential_table(dataset: Dataset) -> ConfidentialTable:
    """The data, unread, with what the policy says is public about it."""
    keys = query_keys(dataset)
    subject = next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), None)
    domains = {name: _listed(keys.lists[name]) if name in keys.lists else one for name, one in keys.domains.items()}
    roles = {name: str(dataset.columns[name].role) for name in domains}
    named = None if keys.by_record else subject
    return ConfidentialTable(dataset.read, domains, named, keys.rows_per_person, keys.neighbours, roles)


class QueriesPolicy(WingPolicy):
    """Data that stays with the steward, who answers questions about it."""

    kind = "queries"
    keys = QueriesSpec
    usual_measure = "query-error"
    optional = ("using",)

    def schema(self) -> dict[str, Schema]:
        from sharewell.policy.schema import record_schema

        return {
            "domains": {"type": "object", "additionalProperties": record_schema(DomainSpec, _WRITTEN)},
            "contributions": record_schema(ContributionsSpec),
            "budget": record_schema(BudgetSpec),
            "exact": record_schema(ExactSpec),
        }

    def read(self, draft: Draft) -> QueryKeys:
        domains, lists = _domains(draft)
        rows, by_record = _contributions(draft)
        neighbours = draft.fields.get("neighbours", "add-remove")
        if draft.fields.get("mode") == "exact":
            budget, exact = _exact(draft, rows, domains)
            return QueryKeys(domains, rows, by_record, neighbours, budget, lists, exact)
        if "exact" in draft.fields:
            draft.mistake(("exact",), "is for exact answers", "say mode: exact, or take it out")
        return QueryKeys(domains, rows, by_record, neighbours, _budget(draft), lists)

    def check(self, draft: Draft, own: OwnKeys) -> None:
        draft.refuse_pseudonyms("answers and noisy tables name nobody, so there is no pseudonym to keep")
        _check_columns(draft)
        if not draft.fields.get("neighbours") and draft.fields.get("mode") != "exact":
            draft.decide("neighbours: add-remove: tables that must look alike differ by one person more or less")
        if "using" not in draft.fields:
            draft.decide(
                "answers questions (`sharewell ask`) and publishes nothing; `using:` would publish a noisy table"
            )
            for key in ("require", "attacks", "utility", "compare"):
                if draft.fields.get(key):
                    draft.mistake((key,), f"nothing is published, so {key} has nothing to look at", "add using:")

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Configured | None]) -> None:
        for one in named:
            if one is not None and one.bound is not None and not isinstance(one.built, NoiseError):
                what = f"a bound on '{one.name}' would accept or reject noise by looking at the data"
                draft.reading.mistake(one.at, what, "measure it without a bound, or bound noise-error")


def _domains(draft: Draft) -> tuple[dict[str, Domain], dict[str, Source]]:
    """Every domain that could be understood, and the files that list values."""
    results: dict[str, Domain] = {}
    lists: dict[str, Source] = {}
    if not draft.fields.get("domains"):
        draft.mistake(("domains",), "no column may be asked about", "such as domains: {sex: {values: [F, M]}}")
    for name, given in draft.fields.get("domains", {}).items():
        place = (*draft.path, "domains", name)
        if name not in draft.rules:
            hint = did_you_mean(str(name), draft.rules) or "give it a role there"
            draft.mistake(("domains", name), f"no column '{name}' in `columns`", hint)
        elif draft.rules[name].role in (Role.SUBJECT, Role.DROP):
            what = f"column '{name}' has the role {draft.rules[name].role}, so nobody may ask about it"
            draft.mistake(("domains", name), what, "give it the role quasi, sensitive or keep, or take its domain out")
        before = len(draft.reading.mistakes)
        fields = draft.reading.fields(DomainSpec, given, place, apart=("values",))
        if len(draft.reading.mistakes) > before:
            continue
        values = fields.get("values")
        if isinstance(values, dict) and (file := source(draft.reading, values, (*place, "values"))) is not None:
            lists[name] = file
        if (domain := _domain(draft, name, fields)) is not None:
            results[name] = domain
    return results, lists


def _domain(draft: Draft, name: str, fields: Mapping[str, Json]) -> Domain | None:
    values, bounds = fields.get("values"), [key for key in ("low", "high", "bins") if key in fields]
    place: Place = ("domains", name)
    if (values is None) == (not bounds):
        what = "gives values and bounds" if bounds else "gives neither values nor bounds"
        draft.mistake(place, what, "give values: […], or low: and high:")
        return None
    if isinstance(values, dict):
        return Values(("listed in a file",))  # read with the data
    if values is not None:
        return _values(draft, place, values)
    if missing := [key for key in ("low", "high") if key not in fields]:
        draft.mistake(place, f"gives no {' and no '.join(missing)}", "numbers need both bounds, chosen without looking")
        return None
    try:
        return Range(fields["low"], fields["high"], fields.get("bins", 10))
    except (ValueError, OverflowError) as error:
        draft.mistake(place, str(error).replace(" — ", " ", 1))
        return None


def _values(draft: Draft, place: Place, given: Json) -> Values | None:
    """Texts as they stand in the file: 01 keeps its zero."""
    if not isinstance(given, list) or any(isinstance(one, dict | list) or one is None for one in given):
        draft.mistake((*place, "values"), "must be a list of values, or a source", "such as [F, M]")
        return None
    texts = draft.reading.document.texts
    words = [texts.get((*draft.path, *place, "values", i), str(one)) for i, one in enumerate(given)]
    if EVERY in words:
        draft.mistake((*place, "values"), f"{EVERY} stands for all values together", "call it by another name")
        return None
    try:
        return Values(tuple(words))
    except ValueError as error:
        draft.mistake((*place, "values"), str(error).partition(" — ")[2])
        return None


def _listed(file: Source) -> Values:
    """The public values that a file lists in its only column, or in the one called value."""
    names = file.names()
    column = "value" if "value" in names else names[0]
    if len(names) > 1 and column != "value":
        raise DataError(f"{file.label} — has {len(names)} columns — keep one, or call the one with the values value")
    words = [str(cell) for cell in file.read([column])[column].to_pylist() if cell is not None]
    try:
        return Values(tuple(words))
    except ValueError as error:
        raise DataError(f"{file.label} — {str(error).partition(' — ')[2]}") from None


def _contributions(draft: Draft) -> tuple[int, bool]:
    """(rows of one person that count, is every row another person?)"""
    given = draft.fields.get("contributions", {})
    fields = draft.reading.fields(ContributionsSpec, given, (*draft.path, "contributions")) if given else {}
    rows, by_record = fields.get("rows"), fields.get("unit") == "record"
    subjects = draft.having(Role.SUBJECT)
    if by_record and subjects:
        what = f"column '{subjects[0]}' identifies the person of a row, so that a person may have several"
        draft.mistake(("contributions", "unit"), what, "say unit: person, or drop the column")
    if by_record and rows not in (None, 1):
        draft.mistake(("contributions", "rows"), "unit: record says that nobody has a second row", "take it out")
    if not by_record and not subjects:
        what = "no column identifies the person of a row"
        hint = "give one the role subject, or say contributions: {unit: record} if every row is another person"
        draft.mistake(("columns",), what, hint)
    if not by_record and subjects and rows is None:
        draft.decide(
            "contributions: rows: 1: of a person with several rows one counts, chosen by a hash of its content"
        )
    return rows or 1, by_record


def _budget(draft: Draft) -> Budget | None:
    if "budget" not in draft.fields:
        draft.mistake(("budget",), "nothing says how much may be spent", "such as budget: {epsilon: 3, analyst: 1}")
        return None
    before = len(draft.reading.mistakes)
    fields = draft.reading.fields(BudgetSpec, draft.fields["budget"], (*draft.path, "budget"))
    if len(draft.reading.mistakes) > before:
        return None
    accounting, delta = fields.get("accounting", "pure"), fields.get("delta")
    if accounting == "pure" and delta is not None:
        draft.mistake(("budget", "delta"), "pure accounting has no delta", "take it out, or say accounting: zcdp")
    epsilon, analyst = fields["epsilon"], fields.get("analyst")
    if analyst is not None and analyst > epsilon:
        draft.mistake(("budget", "analyst"), "one analyst may spend more than all together", "make it smaller")
    where = _ledger_place(draft, fields, "budget")
    if accounting == "zcdp" and delta is None:
        draft.decide(f"budget: delta: {_USUAL_DELTA:g}")
    used = 0.0 if accounting == "pure" else (_USUAL_DELTA if delta is None else delta)
    account = (fields.get("account") or "").strip()
    return Budget(epsilon, used, accounting, analyst, where, account) if math.isfinite(epsilon) else None


def _exact(draft: Draft, rows: int, domains: Mapping[str, Domain]) -> tuple[Budget | None, Exact | None]:
    """Exact answers have no ε: their account has room for nothing that costs, and keeps what was asked."""
    for key, why in (
        ("budget", "exact answers have no epsilon, and no budget bounds them"),
        ("using", "a noisy table beside exact answers would be protected by neither"),
        ("neighbours", "exact answers have no neighbours that look alike"),
    ):
        if key in draft.fields:
            draft.mistake((key,), why, "take it out, or say mode: noisy")
    if rows != 1:
        what = "exact answers are audited by person, so that one row of a person counts"
        draft.mistake(("contributions", "rows"), what, "take it out, and ask a table that has a row a person")
    before = len(draft.reading.mistakes)
    fields = draft.reading.fields(ExactSpec, draft.fields.get("exact", {}), (*draft.path, "exact"))
    where = _ledger_place(draft, fields, "exact")
    if len(draft.reading.mistakes) > before:
        return None, None
    if fields.get("rule") == "sums":
        _refuse_yes_and_no(draft, domains)
        draft.decide(
            "rule: sums protects numbers of which nothing is known, but no codes for yes and no, and no small counts"
        )
    if not draft.having(Role.SENSITIVE):
        draft.decide("no column is sensitive: whatever filters use, the people of a set are taken to be known")
    return Budget(0.0, ledger=where), Exact(fields.get("least", 5), fields.get("rule", "cells"))


def _refuse_yes_and_no(draft: Draft, domains: Mapping[str, Domain]) -> None:
    """Sums of zeros and ones can be solved for: of numbers that may be such, none are told by the rule of sums."""
    for name in draft.having(Role.SENSITIVE):
        domain = domains.get(name)
        if isinstance(domain, Range) and domain.high - domain.low <= 1:
            what = f"numbers from {domain.low:g} to {domain.high:g} may code yes and no, which sums give away"
            draft.mistake(("domains", name), what, "say rule: cells, or declare a list of values")


def _ledger_place(draft: Draft, fields: Mapping[str, Json], key: str) -> str:
    """A file beside the policy, or env:NAME as it is written."""
    ledger = str(fields.get("ledger", "ledger.sqlite"))
    if not ledger.strip() or ("://" in ledger) or (ledger.startswith(_ENV) and not is_reference(ledger)):
        what = "must be a file beside the policy, or env:NAME"
        draft.mistake((key, "ledger"), what, "a URL holds a password, so it stands in an environment variable")
    return ledger if ledger.startswith(_ENV) else str(draft.reading.base / ledger)


def _check_columns(draft: Draft) -> None:
    """Who may be asked about has a domain; the rest is the subject, or is dropped."""
    domains = draft.fields.get("domains", {})
    for name, rule in draft.rules.items():
        if rule.role not in _ROLES:
            draft.mistake(("columns", name), f"a column of queries cannot be {rule.role}", "drop it")
        elif rule.role not in (Role.SUBJECT, Role.DROP) and name not in domains:
            what = f"column '{name}' has no domain, so nobody may ask about it"
            draft.mistake(("columns", name), what, "declare one under `domains`, or drop the column")
        if rule.hierarchy is not None or rule.style is not None:
            draft.mistake(("columns", name), "questions group by the labels of a domain", "give the role alone")
        if name in NAMES_TAKEN and name in domains:
            draft.mistake(
                ("columns", name), f"a published table has its own column {name}", "rename it with `columns:`"
            )
    if draft.rest not in (None, Role.DROP):
        draft.mistake(("rest",), "a column that is not named has no domain", "say rest: drop")
