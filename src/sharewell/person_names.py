"""What stands for a person in one published dataset: the pseudonym, and the number of days that the dates move.

Whatever publishes all rows of a person under one name, or moves dates, asks here and nowhere else, so that two datasets
whose persons are to be linked need to agree on the key and on the name of the dataset alone.

>>> key = Key(b"an example key of enough bytes..")
>>> key_of_names(key, "visits").pseudonym("person 1") == key_of_names(key, "visits").pseudonym("person 1")
True
>>> key_of_names(key, "visits").pseudonym("person 1") == key_of_names(key, "visits", piece=1).pseudonym("person 1")
False
>>> shift_of(key, "visits", "person 1", 30) == shift_of(key, "visits", "person 1", 30), shift_of(key, "visits", "", 1)
(True, 1)
"""

from __future__ import annotations

from sharewell.keys import Key

_SCOPE = "all rows of a person"


def key_of_names(key: Key, dataset: str, piece: int = 0) -> Key:
    """The key under which a person has one name in all rows; `piece` counts the parts into which these were broken."""
    return key.scoped(dataset, _SCOPE, str(piece)) if piece else key.scoped(dataset, _SCOPE)


def shift_of(key: Key, dataset: str, person: str, most_days: int) -> int:
    """By how many days the dates of a person move in a dataset, where they may move by this many at most."""
    return key.shift_days(dataset, person, most_days)
