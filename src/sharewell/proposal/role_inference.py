"""From a column's name and measures to a proposed role, with the reasons in sentences.

The first rule of `_RULES` that answers decides. Direct identifiers come first, and a column that no rule knows is
quasi: protecting a harmless column costs some detail, publishing an identifying one exposes a person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import pyarrow.compute as pc

from sharewell.hierarchy.dates import Dates
from sharewell.proposal.content import Likeness, contacts, icd, is_free_text, is_nested, long_numbers, shape
from sharewell.proposal.listed_names import are_people, tells_of_people
from sharewell.proposal.names import (
    Meaning,
    Topic,
    by_name,
    ends_as_key,
    is_event_key,
    is_person_key,
    is_technical_key,
    numbers_are_labels,
    tokens,
)
from sharewell.proposal.profile import ISO, Facts
from sharewell.proposal.singling_out import alone
from sharewell.roles import Role
from sharewell.written_types import free_text, mistyped

LEAST_ROWS = 20
"""Below this many records "always the same" and "always different" say nothing."""
_NEARLY_ALL = 0.9
_FEW_VALUES, _SELDOM = 50, 0.1
"""Fewer values than these, in less than this share of the records, cannot be published."""
_MOST, _ENOUGH_RECORDS = 0.5, 50
"""Of so many records: text of which most values belong to one record each is no category."""
_ZIP = r"^\d{5}(-?\d{4})?$"
_SHORT_ZIP = r"^\d{3,4}$"
_MOST_INSTANTS = 20_000
_MOST_CATEGORIES = 50
_LONGEST_EVENTS = 40
"""Hospitals hardly export events of more years than these."""
_MOST_OF_ALL = (0.05, 0.95)
"""Between these shares of the dates: a day that stands for "no value", such as 1900-01-01, says nothing."""
_TELEPHONES = "telephone numbers"
_KEY = "named like a reference number, which may lead to other files"


@dataclass(frozen=True)
class Verdict:
    """A proposed role and why. `sure` is False for a guess; `date_form` is set where the policy must name it."""

    role: Role
    reasons: tuple[str, ...]
    hierarchy: str | None = None
    date_form: str | None = None
    sure: bool = True
    topic: Topic = ""
    labels: bool = False
    """Whether its numbers are labels without an order, to be read as text."""


@dataclass(frozen=True, eq=False)
class Case:
    """What a rule may look at."""

    facts: Facts
    meaning: Meaning | None
    has_subject: bool

    @property
    def named(self) -> str:
        return f"named like {self.meaning.what}" if self.meaning else ""

    @property
    def is_date(self) -> bool:
        return self.facts.kind in ("date", "instant")

    @cached_property
    def likeness(self) -> Likeness | None:
        """The form of identifiers that its values have."""
        return shape(self.facts.sample) if self.facts.kind in ("text", "instant") else None


def judge(facts: Facts, *, has_subject: bool) -> Verdict:
    """The role of a column that is not the subject."""
    case = Case(facts, by_name(facts.name), has_subject)
    verdict = next(answer for rule in _RULES if (answer := rule(case)) is not None)
    if verdict.role is Role.QUASI and _is_seldom_filled(facts):
        why = (
            f"but only {facts.filled} of {facts.rows} records have a value: shared with enough others, none would show"
        )
        return Verdict(Role.DROP, (*verdict.reasons, why), topic=verdict.topic)
    if verdict.role is not Role.DROP and (some := case.likeness) is not None and not some.enough:
        note = f"look at it: {some.hits} of {some.of} values examined are {some.what}"
        verdict = replace(verdict, reasons=(*verdict.reasons, note))
    if verdict.role in (Role.QUASI, Role.SENSITIVE) and facts.kind == "number" and _has_labels(facts, verdict):
        verdict = replace(verdict, reasons=(*verdict.reasons, "its numbers are labels without an order"), labels=True)
    return verdict


def _is_seldom_filled(facts: Facts) -> bool:
    """So few have a value that no class of people who do can be made beside other columns: the column would cost detail
    elsewhere, and be published empty."""
    return facts.rows >= LEAST_ROWS and 0 < facts.filled < min(_FEW_VALUES, _SELDOM * facts.rows)


def _has_labels(facts: Facts, verdict: Verdict) -> bool:
    """Numbers of a hierarchy, such as postcodes, are ordered by it; a measure has decimals."""
    return verdict.hierarchy is None and facts.whole_numbers and numbers_are_labels(facts.name)


Rule = Callable[[Case], Verdict | None]


def _when(condition: Callable[[Case], bool], role: Role, reason: str) -> Rule:
    """A rule that always gives the same answer."""
    return lambda case: Verdict(role, (reason,)) if condition(case) else None


def _event_or_birth(case: Case) -> Verdict | None:
    """Dates: birth and death are quasi; events keep their intervals if there is a person to shift them by."""
    if not case.is_date:
        return None
    topic: Topic = case.meaning.topic if case.meaning else ""
    if topic in ("birth", "death"):
        return _dated(case.facts, (case.named,), topic)
    if _spans_lives(case.facts):
        why = f"unsure: dates over more than {_LONGEST_EVENTS} years, like dates of birth"
        return replace(_dated(case.facts, (why,), "birth"), sure=False)
    if case.has_subject:
        why = "the date of an event; all dates of a person move together, so that intervals stay"
        form = case.facts.date_form if case.facts.kind == "date" and case.facts.date_form != ISO else None
        return Verdict(Role.SHIFT, (why,), date_form=form)
    why = "the date of an event, which others may know; without a subject it cannot be shifted"
    return _dated(case.facts, (why,), "")


def _spans_lives(facts: Facts) -> bool:
    """Dates of birth under a name that no rule knows would be published nearly unchanged if they were shifted."""
    form = facts.date_form
    if form is None or facts.distinct < LEAST_ROWS:
        return False
    length = len("2019-01-02") if form == ISO else None
    years = [datetime.strptime(text[:length], form).year for text in facts.sample.to_pylist()]
    low, high = (sorted(years)[round(share * (len(years) - 1))] for share in _MOST_OF_ALL)
    return high - low > _LONGEST_EVENTS


def _dated(facts: Facts, reasons: tuple[str, ...], topic: Topic) -> Verdict:
    if facts.kind == "instant":
        listed = facts.distinct <= _MOST_INSTANTS and all(map(Dates().lists, facts.values.to_pylist()))
        return Verdict(Role.QUASI, reasons, "date" if listed else None, topic=topic)
    return Verdict(Role.QUASI, reasons, date_form=facts.date_form, topic=topic)


def _direct_by_name(case: Case) -> Verdict | None:
    meaning = case.meaning
    if meaning and meaning.role is Role.DROP and meaning.topic != "free text":
        return Verdict(Role.DROP, (f"{case.named}: a direct identifier",))
    return None


def _direct_by_content(case: Case) -> Verdict | None:
    likeness = case.likeness
    # Boston, Massachusetts could pass for a person, and 03/04/2020 for a telephone number.
    says_nothing_else = case.meaning is None or (likeness is not None and likeness.what == _TELEPHONES)
    if likeness and likeness.enough and (likeness.strong or (says_nothing_else and not case.facts.unclear_dates)):
        counts = f"{likeness.hits} of {likeness.of} values examined"
        return Verdict(Role.DROP, (f"{counts} look like {likeness.what}",))
    return None


def _people_by_content(case: Case) -> Verdict | None:
    """However few they are: a set of sentences or names would be published as it is."""
    if case.facts.kind != "text" or case.meaning is not None:
        return None
    values = case.facts.sample.to_pylist()
    if are_people(values):
        return Verdict(Role.DROP, ("most of its values are names of people: a direct identifier",))
    if tells_of_people(values):
        return Verdict(Role.DROP, ("many of its values contain a person's name: free text",), topic="free text")
    return None


def _contacts_within(case: Case) -> Verdict | None:
    if case.facts.kind == "text" and (hits := contacts(case.facts.sample)):
        counts = f"{hits} of {len(case.facts.sample)} values examined"
        return Verdict(Role.DROP, (f"{counts} contain a telephone number or an e-mail address",))
    return None


def _source_key(case: Case) -> Verdict | None:
    """The primary key of what happened, or a key of many values: never something that others know or want."""
    facts = case.facts
    few = facts.distinct <= _MOST_CATEGORIES or facts.distinct * 10 <= facts.filled
    if is_event_key(facts.name) or (ends_as_key(facts.name) and not few and facts.filled >= LEAST_ROWS):
        return Verdict(Role.DROP, (_KEY,))
    return None


def _free_text(case: Case) -> Verdict | None:
    facts, by_its_name = case.facts, bool(case.meaning and case.meaning.topic == "free text")
    if facts.kind not in ("text", "none"):
        return None
    share = facts.distinct / facts.filled if facts.filled else 0.0
    long = is_free_text(facts.sample, share)
    if by_its_name or long or (case.meaning is None and free_text(facts.values, facts.filled) is not None):
        words = "long strings of many words" if long else "strings of several words that hardly repeat"
        why = case.named if by_its_name else f"{words}: free text"
        instead = "role text would publish it with its identifiers replaced"
        return Verdict(Role.DROP, (why, instead), topic="free text")
    return None


def _quasi_by_name(case: Case) -> Verdict | None:
    if not case.meaning or case.meaning.role is not Role.QUASI:
        return None
    facts, reasons = case.facts, [case.named]
    if facts.unclear_dates:
        reasons.append("its dates have several formats, or day and month are ambiguous: set type: {date: …}")
    if facts.kind == "text" and case.meaning.topic != "postal" and _is_mostly_own(facts):
        reasons.append("most records have a value of their own, so only its first characters are published")
        return Verdict(Role.QUASI, tuple(reasons), "prefix", topic=case.meaning.topic)
    if case.meaning.topic != "postal" or not facts.distinct:
        return Verdict(Role.QUASI, tuple(reasons), topic=case.meaning.topic)
    matches = pc.match_substring_regex
    is_zip = pc.all(matches(facts.values, _ZIP)).as_py()
    if not is_zip and pc.any(matches(facts.values, _ZIP)).as_py() and pc.any(matches(facts.values, _SHORT_ZIP)).as_py():
        reasons.append("some have fewer than five digits: were leading zeros lost?")
    return Verdict(Role.QUASI, tuple(reasons), "zip" if is_zip else "prefix", topic="postal")


def _sensitive(case: Case) -> Verdict | None:
    facts, meaning = case.facts, case.meaning
    by_its_name = meaning is not None and meaning.role is Role.SENSITIVE
    if not by_its_name and (meaning is not None or facts.kind != "text"):
        return None
    about_codes = bool(meaning and meaning.topic == "diagnosis")
    tree = icd(facts.sample, named_so=about_codes)
    if not by_its_name and tree is None:
        return None
    if _is_constant(facts):
        why = f"{case.named or 'ICD codes'}, but all records have the same value: everybody in the release has it"
        return Verdict(Role.KEEP, (why,))
    reasons = [case.named] if by_its_name else []
    reasons += [f"its values are codes of {tree}"] if tree else []
    topic: Topic = "diagnosis" if about_codes or tree else "care" if meaning and meaning.topic == "care" else ""
    return Verdict(Role.SENSITIVE, tuple(reasons), tree, topic=topic)


def _concept(case: Case) -> Verdict | None:
    """Numbers of concepts without which rows mean nothing: what was measured, the sort of visit, the result."""
    *about, last, end = ("", "", *tokens(case.facts.name))
    if (last, end) != ("concept", "id") or case.facts.kind not in ("text", "number") or _is_constant(case.facts):
        return None
    what = " ".join(about).strip()
    if what in _RESULTS:
        return Verdict(Role.SENSITIVE, ("the concept number of a result or a cause",))
    if what in _SUBJECTS:
        return Verdict(Role.QUASI, ("the concept number that says what the row is about",))
    return None


_SUBJECTS = {"measurement", "observation", "visit", "visit detail", "device", "specimen", "unit", "procedure"}
_RESULTS = {"value as", "cause"}
"""Concepts of OMOP by what stands before `_concept_id`; those of types, sources and operators are left out."""


def _is_constant(facts: Facts) -> bool:
    return facts.rows >= LEAST_ROWS and facts.distinct == 1 and not facts.missing


def _time_of_day(case: Case) -> Verdict | None:
    """A set of times to the minute is nearly as good as an exact one."""
    result = mistyped(case.facts.values) if case.facts.kind == "text" else None
    if result is None or result.what != "times of day":
        return None
    return Verdict(Role.QUASI, ("times of day, which are generalised to their first characters",), "prefix")


def _nearly_unique(case: Case) -> Verdict | None:
    """A value for nearly every record: an identifier of the record or of the person."""
    facts = case.facts
    may_identify = facts.kind == "text" or facts.whole_numbers
    share = facts.distinct / facts.filled if facts.filled else 0.0
    if may_identify and facts.filled > 1 and share >= 0.5 and long_numbers(facts.sample):
        return Verdict(Role.DROP, ("numbers of nine digits or more that seldom repeat: identifiers",))
    if may_identify and facts.filled >= LEAST_ROWS and share >= _NEARLY_ALL:
        why = "unsure: nearly every record has a value of its own, like an identifier"
        return Verdict(Role.DROP, (why,), sure=False)
    if facts.kind == "text" and _is_mostly_own(facts):
        why = "unsure: most records have a value of their own, and a published set would list these values"
        return Verdict(Role.DROP, (why,), sure=False)
    return None


def _is_mostly_own(facts: Facts) -> bool:
    """Have most records, among those with a value, one that no other record has?"""
    return facts.filled >= _ENOUGH_RECORDS and alone(facts.codes[facts.codes < facts.distinct], None) >= _MOST


def _unsure(case: Case) -> Verdict:
    facts = case.facts
    if not facts.rows:
        return Verdict(Role.QUASI, ("unsure: no records to examine; quasi is the cautious choice",), sure=False)
    if facts.unclear_dates:
        why = "unsure: dates in several formats, or with day and month ambiguous: set type: {date: …}"
        return Verdict(Role.QUASI, (why,), sure=False)
    return Verdict(Role.QUASI, ("unsure: no rule applies; quasi is the cautious choice",), sure=False)


_RULES: tuple[Rule, ...] = (
    _when(
        lambda case: case.facts.kind == "unreadable",
        Role.DROP,
        "nested or binary cells, which cannot be protected; convert them to plain columns first",
    ),
    _when(lambda case: case.facts.kind == "none" and case.facts.rows > 0, Role.DROP, "no record has a value"),
    _when(
        lambda case: is_person_key(case.facts.name) and not case.is_date,
        Role.DROP,
        "named like the key of a person, but another column is the subject, or it has too few values",
    ),
    _when(
        lambda case: case.facts.kind == "text" and is_nested(case.facts.sample),
        Role.DROP,
        "lists or objects in JSON, which cannot be protected; convert them to plain columns first",
    ),
    _event_or_birth,
    _direct_by_name,
    _direct_by_content,
    _free_text,
    _people_by_content,
    _contacts_within,
    _source_key,
    _quasi_by_name,
    _sensitive,
    _concept,
    _when(
        lambda case: is_technical_key(case.facts.name) and "concept" in tokens(case.facts.name),
        Role.DROP,
        "a concept number; if the rows mean nothing without it, make it quasi, with type: text",
    ),
    _when(
        lambda case: is_technical_key(case.facts.name),
        Role.DROP,
        _KEY,
    ),
    _when(
        lambda case: _is_constant(case.facts),
        Role.KEEP,
        "the same in every record, so it singles out nobody; check that it may be known",
    ),
    _time_of_day,
    _nearly_unique,
    _unsure,
)
