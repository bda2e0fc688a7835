"""The words that column names are made of, from `data/column_names.toml`, which says how to add one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Literal

from sharewell.io.shipped import shipped_text
from sharewell.roles import Role

Topic = Literal["", "birth", "death", "age", "sex", "postal", "free text", "diagnosis"]


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


_TABLE = tomllib.loads(shipped_text("column_names.toml"))
PERSON_KEYS, PERSON_NUMBERS, LIST_KEYS, TECHNICAL_KEYS = (
    Words(**_TABLE[name]) for name in ("person_keys", "person_numbers", "list_keys", "technical_keys")
)
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
    )
    for row in _TABLE["meanings"]
)
