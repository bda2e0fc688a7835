"""What a column's name says. Names are cut into words, so that `username` is not a `name` and `dosage` not an `age`.

>>> tokens("dateOfBirth"), tokens("PLZ-Wohnort"), tokens("icd10_code"), tokens("Straße")
(('date', 'of', 'birth'), ('plz', 'wohnort'), ('icd', '10', 'code'), ('strasse',))
>>> by_name("drug_name").what, by_name("name").what, by_name("hostname")
('a drug', "a person's name", None)

The words are in `data/column_names.toml`, which says how to add one.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from sharewell.io.shipped import shipped_text
from sharewell.roles import Role

Topic = Literal["", "birth", "death", "age", "sex", "postal", "free text", "diagnosis", "care"]


@dataclass(frozen=True)
class Words:
    """Phrases parted by commas: those that may stand among other words of a name, and those that must be the whole."""

    anywhere: str = ""
    whole: str = ""


@dataclass(frozen=True)
class Meaning:
    """What a name means, and the role that follows."""

    what: str
    role: Role
    words: Words
    topic: Topic = ""
    identifier: str = ""
    """The sort of identifier by which such values are searched for in notes; empty: they are not."""
    labels: bool = False
    """Whether its numbers are labels without an order."""


_TABLE = tomllib.loads(shipped_text("column_names.toml"))
PERSON_KEYS, PERSON_NUMBERS, RECORD_KEYS, USER_KEYS, SAMPLE_KEYS, EVENT_KEYS, LIST_KEYS, TECHNICAL_KEYS = (
    Words(**_TABLE[name])
    for name in (
        *("person_keys", "person_numbers", "record_keys", "user_keys", "sample_keys"),
        *("event_keys", "list_keys", "technical_keys"),
    )
)
_KEY_ENDINGS = {"id", "ids", "key", "sk", "pk", "fk", "uid", "uuid", "guid", "identifier"}
_CODED = {"concept", "type", "class", "code", "group", "status", "category", "kind"}
_LABELLED = {"concept", "code", "type", "kind", "category"}
RULES = tuple(
    Meaning(
        row["what"],
        Role(row["role"]),
        Words(
            f"{row['anywhere']},{PERSON_NUMBERS.anywhere if 'beside_person_numbers' in row else ''}",
            row.get("whole", ""),
        ),
        row.get("topic", ""),
        row.get("identifier", ""),
        row.get("labels", False),
    )
    for row in _TABLE["meanings"]
)
_LONGEST_RUN = 5
_NAMES = 1 << 14
"""Of this many names it is remembered what they say: every rule asks for it."""
_CUTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|[\W_]+")


@lru_cache(maxsize=_NAMES)
def tokens(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters without accents."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return tuple(word.casefold() for word in _CUTS.sub(" ", plain).split())


@lru_cache(maxsize=_NAMES)
def runs(words: tuple[str, ...]) -> frozenset[str]:
    """Every run of neighbouring words, glued: what a phrase is looked up in.

    >>> sorted(runs(("zip", "code")))
    ['code', 'zip', 'zipcode']
    """
    count = len(words)
    return frozenset("".join(words[i:j]) for i in range(count) for j in range(i + 1, min(count, i + _LONGEST_RUN) + 1))


@cache
def _glued(phrases: str) -> frozenset[str]:
    return frozenset(filter(None, ("".join(tokens(phrase)) for phrase in phrases.split(","))))


def says(words: Words, name: str) -> bool:
    """Whether a name holds one of these phrases anywhere, or is one of them as a whole (numbering aside)."""
    parts = tokens(name)
    names = {"".join(parts), "".join(part for part in parts if not part.isdigit())}
    return bool(runs(parts) & _glued(words.anywhere)) or bool(names & _glued(words.whole))


@lru_cache(maxsize=_NAMES)
def by_name(name: str) -> Meaning | None:
    """The first meaning whose phrases fit; direct identifiers come first, then quasi, then sensitive ones."""
    return next((meaning for meaning in RULES if says(meaning.words, name)), None)


def is_person_key(name: str) -> bool:
    """`patient_id`, `SUBJID`, `person`: the key that a study or a database gives a person."""
    return says(PERSON_KEYS, name)


def person_column(names: Sequence[str], preferred: str | None = None) -> str | None:
    """The column by which a list of people tells its persons apart: one of the name given, or one called like a key.

    >>> person_column(["age", "PatientID"]), person_column(["nhs", "person"], "nhs"), person_column(["name", "age"])
    ('PatientID', 'nhs', None)
    """
    if preferred is not None and preferred in names:
        return preferred
    known = (is_person_key, is_person_number, is_plain_id)
    return next((name for is_key in known for name in names if is_key(name)), None)


def is_list_key(name: str) -> bool:
    """`voter_id`, `name`, `uuid`: what may tell the people of a list apart, and may number something else."""
    return says(LIST_KEYS, name)


def is_person_number(name: str) -> bool:
    """A number that the outside world knows the person by: hospital, insurance or state."""
    return says(PERSON_NUMBERS, name)


def is_technical_key(name: str) -> bool:
    """`visit_id`, `uuid`, `row_number`: the number of something."""
    return says(TECHNICAL_KEYS, name)


def is_record_key(name: str) -> bool:
    """`record_id`, `study_id`: the number of a record, which in a study is a participant."""
    return says(RECORD_KEYS, name)


def is_event_key(name: str) -> bool:
    """`condition_occurrence_id`, `encounter_id`: the primary key of something that happened to a person."""
    return says(EVENT_KEYS, name)


def ends_as_key(name: str) -> bool:
    """Whether a name ends like that of a key, and is not the number of a concept.

    >>> ends_as_key("drug_exposure_id"), ends_as_key("drug_concept_id"), ends_as_key("idle")
    (True, False, False)
    """
    parts = tokens(name)
    return bool(parts) and parts[-1] in _KEY_ENDINGS and not _CODED & set(parts)


def numbers_are_labels(name: str) -> bool:
    """Whether numbers in a column of this name only tell things apart: 8507 is no smaller gender than 8532.

    >>> [numbers_are_labels(name) for name in ("gender_concept_id", "sex", "drug_code", "birth_year", "age_group")]
    [True, True, True, False, False]
    """
    meaning = by_name(name)
    return (meaning is not None and meaning.labels) or bool(_LABELLED & set(tokens(name)))


def is_user_key(name: str) -> bool:
    """`user`, `wearer_id`: whom a device or an application knows."""
    return says(USER_KEYS, name)


def is_sample_key(name: str) -> bool:
    """`sample_id`, `IID`: whose DNA a row is about, in a table of it. Elsewhere a person may have several samples."""
    return says(SAMPLE_KEYS, name)


def is_plain_id(name: str) -> bool:
    """`id` and nothing else."""
    return "".join(tokens(name)) == "id"
