"""What stands for a person in one published dataset: the pseudonym, and the number of days that the dates move.

Whatever publishes all rows of a person under one name, or moves dates, asks here and nowhere else, so that two datasets
whose persons are to be linked need to agree on the key and on the name of the dataset alone.

>>> key = Key(b"an example key of enough bytes..")
>>> pseudonym_of(key, "visits", "person 1") == pseudonym_of(key, "visits", "person 1")
True
>>> pseudonym_of(key, "visits", "person 1") == pseudonym_of(key, "visits", "person 1", piece=1)
False
>>> shift_of(key, "visits", "person 1", 30) == shift_of(key, "visits", "person 1", 30), shift_of(key, "visits", "", 1)
(True, 1)
"""

from __future__ import annotations

from sharewell.keys import Key

_SCOPE = "all rows of a person"


def pseudonym_of(key: Key, dataset: str, person: str, piece: int = 0) -> str:
    """The one name of a person in all rows of a dataset; `piece` counts the parts into which the rows were broken."""
    return key_of_names(key, dataset, piece).pseudonym(person)


def key_of_names(key: Key, dataset: str, piece: int = 0) -> Key:
    """The key under which such names are made."""
    return key.scoped(dataset, _SCOPE, str(piece)) if piece else key.scoped(dataset, _SCOPE)


def shift_of(key: Key, dataset: str, person: str, most_days: int) -> int:
    """By how many days the dates of a person move in a dataset, where they may move by this many at most."""
    return key.shift_days(dataset, person, most_days)
