"""Which column says whom a record is about: by its name, or because the people of a file can be told apart by it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sharewell.proposal.content import shape
from sharewell.proposal.listed_names import all_written_as_names
from sharewell.proposal.names import (
    by_name,
    ends_as_key,
    is_event_key,
    is_person_key,
    is_person_number,
    is_plain_id,
    is_record_key,
    is_sample_key,
    is_technical_key,
    is_user_key,
    tokens,
)
from sharewell.proposal.profile import Facts
from sharewell.proposal.role_inference import LEAST_ROWS, Verdict
from sharewell.proposal.singling_out import different
from sharewell.proposal.special_cells import form_of
from sharewell.roles import Role

_NEARLY_ALL = 0.98
"""This many of its values go with one date of birth, or one name: some are mistyped."""
_FEWEST = 5
_SURE = 3
"""Ranks below this one are certain enough not to be marked as a guess."""


def choose_subject(columns: Sequence[Facts], sentence: str | None = None) -> tuple[str | None, Verdict | None]:
    """The one column that says whom a record is about; `told`: somebody said which.

    A person key by name, else a number of a person that repeats, the samples of a table of SNPs, a record number of a
    study, an id that repeats, and at last a column whose values each go with one date of birth or one name, or are
    written like numbers of persons and repeat, or a number of a person that every record has of its own. Names are no
    key: two people have one.
    """
    if sentence is not None:
        chosen = next((facts for facts in columns if facts.name == sentence), None)
        return (sentence, _verdict(chosen, "you said so", 0, 0)) if chosen else (None, None)
    ranked = []
    redcap = any(tokens(facts.name)[:1] == ("redcap",) for facts in columns)
    snps = _are_mostly_snps(columns)
    for place, facts in enumerate(columns):
        rank, why = (2, _SAMPLES) if snps and is_sample_key(facts.name) else _by_name(facts, redcap)
        usable = facts.kind in ("text", "number", "none") and (not facts.rows or facts.missing <= facts.rows / 2)
        if why and usable and (facts.distinct > 1 or facts.rows < LEAST_ROWS):
            ranked.append((rank, facts.missing, place, facts, why))
    if not ranked:
        guesses = ((_by_content, _CONTENT), (_by_shape, _SHAPE), (_by_number, _NUMBER), (_by_stem, BY_STEM))
        for found, reason in ((guess(columns), reason) for guess, reason in guesses):
            if found is not None:
                return found.name, _verdict(found, reason, _SURE, 0)
        return None, None
    rank, _, _, facts, why = min(ranked, key=lambda entry: entry[:3])
    if _holds_names(facts):
        if (number := _by_number(columns)) is not None:
            return number.name, _verdict(number, _NUMBER, _SURE, 0)
        if parts_of_person(columns):
            return None, None
    others = sum(entry[0] <= 1 for entry in ranked if entry[3] is not facts)
    return facts.name, _verdict(facts, why, rank, others)


def parts_of_person(columns: Sequence[Facts]) -> tuple[str, ...]:
    """The columns that name a person together, where none does alone: names of the person's own, and a date of birth.

    Nearly every row must have each of them: a row that lacks one names nobody. Empty if there are no such columns.
    """
    filled = [facts for facts in columns if facts.rows >= LEAST_ROWS and facts.missing <= _MOST_LACKING * facts.rows]
    names = [facts.name for facts in filled if _is_own_name(facts) and facts.distinct > 1]
    born = [facts.name for facts in filled if facts.kind == "date" and _topic(facts) == "birth"]
    return (*names, born[0]) if names and born else ()


def joined_verdict(joined: Facts, parts: Sequence[str]) -> Verdict:
    """Why a column that the file does not have is its person."""
    why = f"unsure: no column numbers the persons, so {' + '.join(parts)} are joined: whoever agrees in all is one"
    reasons = [why, f"{joined.distinct} persons in {joined.rows} records"]
    if joined.missing:
        reasons.append(f"{joined.missing} records lack a part, and their person is unknown")
    return Verdict(Role.SUBJECT, tuple(reasons), sure=False)


def repeated_people(columns: Sequence[Facts]) -> tuple[tuple[str, ...], int] | None:
    """The columns of names and the date of birth, and how many people they tell apart, if these are fewer than records.

    Where no column is the person, each record would count as one.
    """
    names = [facts for facts in columns if (meaning := by_name(facts.name)) and meaning.identifier == "names"]
    born = [facts for facts in columns if facts.kind == "date" and _topic(facts) == "birth"]
    anchors = [facts for facts in (*names, *born) if 2 * facts.missing <= facts.rows]
    if not names or not born or len(anchors) < 2 or anchors[0].rows < LEAST_ROWS:
        return None
    people = np.zeros(anchors[0].rows, dtype=np.int64)
    for facts in anchors:
        people = np.unique(people * (facts.distinct + 1) + facts.codes, return_inverse=True)[1].astype(np.int64)
    count = int(people.max()) + 1
    return (tuple(facts.name for facts in anchors), count) if count < _NEARLY_ALL * len(people) else None


def _is_own_name(facts: Facts) -> bool:
    """Is it a name of the person, and not of a relative or of staff, nor an earlier name?"""
    if _holds_names(facts):
        return True
    meaning = by_name(facts.name)
    own = meaning is not None and meaning.identifier == "names"
    return own and facts.kind == "text" and _OTHERS.isdisjoint(tokens(facts.name))


def _holds_names(facts: Facts) -> bool:
    """Is it called the key of a person, such as `Patient`, but holds several words for each and no digits?"""
    if facts.kind != "text" or not is_person_key(facts.name) or not len(facts.sample):
        return False
    return all_written_as_names(facts.sample)


_OTHERS = {
    *("mother", "mothers", "mutter", "father", "fathers", "vater", "spouse", "guardian", "contact", "relative", "kin"),
    *("doctor", "physician", "provider", "nurse", "surgeon", "user", "login", "emergency", "signature", "initials"),
    *("maiden", "geburtsname", "geburtsnaam", "naissance", "birth", "meisjesnaam", "alias", "nickname"),
    *("middle", "second", "segundo", "prefix", "tussenvoegsel"),
}
"""Words of names that are not the person's, or that people often leave out."""
_MOST_LACKING = 0.05
_CONTENT = "unsure: it repeats, and each of its values goes with one date of birth or one name; if not, make it drop"


_SHAPE = "unsure: it repeats, and its values look like persons' numbers; if they are not, make it drop"
_NUMBER = "unsure: a person's number, different in every record; can a person have several records, with other numbers?"
BY_STEM = "unsure: each cell is one word and a number, and they repeat, like persons' numbers; if not, make it drop"
_SAMPLES = "it identifies the samples in a table of SNPs"
_STEMMED = re.compile(r"\s*([^\W\d_]{1,6}[-_ .]?)\d{1,9}\s*")
_FIRST_COLUMNS, _LEAST_STEMMED = 3, 20
_LEAST_SNPS, _MOST_OTHERS = 5, 0.5


def _are_mostly_snps(columns: Sequence[Facts]) -> bool:
    """Has nearly every column the copies of an allele, 0, 1 or 2?"""
    snps = sum(form_of(facts).what == "alleles" for facts in columns)
    return snps >= _LEAST_SNPS and len(columns) - snps <= _MOST_OTHERS * snps


def _by_shape(columns: Sequence[Facts]) -> Facts | None:
    """A column of social security or birth numbers that repeat: each is one person."""
    repeated = [facts for facts in columns if facts.kind == "text" and 1 < facts.distinct < facts.filled]
    likenesses = ((facts, shape(facts.sample)) for facts in repeated if facts.missing <= facts.rows / 2)
    return next((facts for facts, one in likenesses if one and one.enough and one.numbers_persons), None)


def _by_number(columns: Sequence[Facts]) -> Facts | None:
    """A number of a person that every record has and that never repeats: better than names, unless these do repeat."""
    numbers = [facts for facts in columns if is_person_number(facts.name) and facts.kind in ("text", "number")]
    complete = [facts for facts in numbers if facts.rows >= LEAST_ROWS and facts.distinct == facts.rows]
    return complete[0] if complete and repeated_people(columns) is None else None


def _by_stem(columns: Sequence[Facts]) -> Facts | None:
    """One of the first columns whose cells are one word and a number (`u17`, `KD-0042`), and repeat.

    Were they published, a class would list them, and its records might be those of a few people.
    """
    for facts in columns[:_FIRST_COLUMNS]:
        if facts.kind != "text" or by_name(facts.name) is not None or is_event_key(facts.name):
            continue
        if not _LEAST_STEMMED <= facts.distinct < facts.filled or facts.missing > facts.rows / 2:
            continue
        forms = [_STEMMED.fullmatch(value) for value in facts.sample.to_pylist()]
        if all(forms) and len({form[1] for form in forms if form}) == 1:
            return facts
    return None


def _by_name(facts: Facts, redcap: bool) -> tuple[int, str]:
    repeated = facts.distinct < facts.filled
    if _holds_names(facts):
        return _SURE, "unsure: names of people, some of whom may share one; use a number of the person if there is one"
    if is_person_key(facts.name):
        return 0, "named like the key of a person"
    if is_person_number(facts.name) and repeated:
        return 1, "named like a person's number, and it repeats: a person can have several records"
    if is_record_key(facts.name) and (repeated or redcap):
        return 2, "named like the record of a participant in a study"
    if is_record_key(facts.name):
        return _SURE, "unsure: a record number that never repeats; can a participant have several records?"
    if is_user_key(facts.name) and repeated:
        return _SURE, "unsure: named like a user of a device, and it repeats; if users are staff, make it drop"
    if is_plain_id(facts.name) and repeated:
        return _SURE, "unsure: an id that repeats, as the key of a person does; if it is not, make it drop"
    return _SURE, ""


def _verdict(facts: Facts, why: str, rank: int, others: int) -> Verdict:
    reasons = [why]
    if facts.rows:
        reasons.append(f"{facts.distinct} persons in {facts.rows} records")
    if facts.missing:
        reasons.append(f"{facts.missing} records without it count as one person")
    if others:
        reasons.append(f"{others} other column(s) could be it too and are dropped")
    return Verdict(Role.SUBJECT, tuple(reasons), sure=rank < _SURE)


def _by_content(columns: Sequence[Facts]) -> Facts | None:
    """A key that repeats and that tells people apart: each of its values has one date of birth, or one name."""
    anchors = [facts for facts in columns if _identifies(facts) and facts.distinct > _FEWEST]
    candidates = [
        facts
        for facts in columns
        if facts.kind in ("text", "number")
        and _FEWEST < facts.distinct < facts.filled
        and facts.missing <= facts.rows / 2
        and (by_name(facts.name) is None or is_technical_key(facts.name))
        and not is_event_key(facts.name)
    ]
    fitting = [facts for facts in candidates if anchors and all(_determines(facts, anchor) for anchor in anchors)]
    return max(fitting, key=lambda facts: (ends_as_key(facts.name), -facts.distinct), default=None)


def _identifies(facts: Facts) -> bool:
    meaning = by_name(facts.name)
    return meaning is not None and (meaning.topic == "birth" or meaning.identifier == "names")


def _topic(facts: Facts) -> str:
    meaning = by_name(facts.name)
    return meaning.topic if meaning else ""


def _determines(key: Facts, anchor: Facts) -> bool:
    """Whether nearly every value of the key that occurs several times goes with one value of the other column."""
    counts = np.bincount(key.codes, minlength=key.distinct + 1)[: key.distinct]
    several = np.flatnonzero(counts > 1)
    if not len(several):
        return False
    width = int(anchor.codes.max(initial=0)) + 1
    pairs = different(key.codes * width + anchor.codes)
    partners = np.bincount(pairs // width, minlength=key.distinct + 1)[several]
    return bool((partners == 1).mean() >= _NEARLY_ALL)
