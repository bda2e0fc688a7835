"""A person by several columns: name and date of birth of a row, written so that most spellings of one person agree.

`clean: {person: {join: [last, first, birth_date]}}` adds a column that the file does not have. Its cells are the parts
of each row after their own cleaning, reduced to what people seldom write in two ways:

- accents and other marks go (`Renée`, `Renee`), and letters with a stroke or two letters in one become plain ones
  (`Łukasz`, `Lukasz`; `Bjørn`, `Bjorn`; `Weiß`, `Weiss`);
- `ä`, `ae` and `a` are one, and so are `ö`, `oe`, `o` and `ü`, `ue`, `u` (`Müller`, `Mueller`, `Muller`);
- whatever is neither a letter nor a digit goes, blanks too (`O'Brien`, `OBrien`; `Mc Donald`, `McDonald`), and so does
  case; a date that the file types is written without its time of day;
- parts stand in the order of their characters, so that swapped columns make no other person.

Two people who agree in all of this count as one. That is the safe side where many persons are asked for, and not where
a share of persons is bounded: of those released, say, among those who exist.
What still differs counts as two: `sharewell.double_persons` measures how much of that looks like one person.

A row that lacks a part, or has one without any letter or digit, names nobody: its person is unknown, as where the cell
of a person column is empty. Criteria never count such a record as one more person in a class.

>>> import pyarrow as pa
>>> rows = pa.chunked_array([pa.array([("Müller", "Anna", "1950-03-04"), ("ANNA ", "Mueller", "1950-03-04"),
...                                    ("O'Brien", "Sean", None)], pa.struct({"a": "str", "b": "str", "c": "str"}))])
>>> named, account = JoinedPerson(parts=("a", "b", "c")).apply(rows)
>>> named.to_pylist(), account.unread
(['19500304|anna|muller', '19500304|anna|muller', None], 1)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sharewell.io.cleaning import Cleaning, as_texts
from sharewell.io.cleaning_account import Account, StepAccount

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

STEP = "join"
USUAL_DOUBTFUL = Fraction(1, 100)
"""The share of persons who may be counted twice that is let go without a word in the policy."""
_PLAIN = str.maketrans(
    {"ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "a", "œ": "o", "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": "n", "ı": "i"}
)
_UMLAUTS = re.compile("(?<=[aou])e")
_APART = re.compile(r"[\s,;./-]+")
_BETWEEN = "|"
"""Between parts; no part holds it."""


@dataclass(frozen=True)
class JoinedPerson(Cleaning):
    """How a column of persons is made of others: `apply` takes a column of structs of the parts."""

    parts: tuple[str, ...] = ()
    """Columns by our names, cleaned as the policy says of each."""
    doubtful: Fraction = USUAL_DOUBTFUL
    """The share of persons who may be counted twice that the steward accepts."""

    def apply(self, column: pa.ChunkedArray, missing: Sequence[str] = ()) -> tuple[pa.ChunkedArray, Account]:
        """The persons of rows of parts, a column of structs; the account counts rows that name nobody as unread.

        O(rows) in arrays, and one call of Python for each distinct part and each distinct person.
        """
        import numpy as np
        import pyarrow as pa

        rows = CodedParts.of(column)
        persons, place = rows.distinct()
        names = [_BETWEEN.join(parts) for parts in persons]
        filled = np.any([codes >= 0 for codes in rows.codes], axis=0)
        account = Account(
            int(filled.sum()),
            (StepAccount(STEP, int((place >= 0).sum()), int((filled & (place < 0)).sum())),),
        )
        written = pa.array([*names, None], pa.string()).take(pa.array(np.where(place < 0, len(names), place)))
        return pa.chunked_array([written]), account

    @property
    def steps(self) -> tuple[str, ...]:
        return (STEP,)

    def columns(self, name: str) -> tuple[str, ...]:
        return self.parts

    def problem(self, account: Account) -> str | None:
        """Rows that name nobody have a meaning: nothing is refused for them."""
        return None


def rows_of(table: pa.Table, parts: Sequence[str]) -> pa.ChunkedArray:
    """These columns of a table as one column of structs."""
    import pyarrow as pa

    columns = [table[part].combine_chunks() for part in parts]
    return pa.chunked_array([pa.StructArray.from_arrays(columns, names=list(parts))])


@dataclass(frozen=True)
class CodedParts:
    """The parts of some rows, each distinct one reduced once."""

    codes: tuple[NDArray[np.int64], ...]
    """Of each part: for every row the place of its reduced text; −1 where it lacks the part."""
    texts: tuple[tuple[str, ...], ...]
    """Of each part: the distinct reduced texts."""
    orders: tuple[tuple[frozenset[str], ...], ...]
    """Of each of these texts: the words that it was written in, sorted."""

    @classmethod
    def of(cls, rows: pa.ChunkedArray) -> CodedParts:
        import pyarrow as pa

        whole = rows.combine_chunks()
        whole = whole if isinstance(whole, pa.StructArray) else pa.concat_arrays(whole.chunks)
        return cls(*zip(*map(_coded, whole.flatten()), strict=True))

    def distinct(self) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
        """The persons, each by its reduced parts in order, and for every row the place of its own; −1: nobody."""
        import numpy as np

        rows = len(self.codes[0])
        one, known = np.zeros(rows, dtype=np.int64), np.ones(rows, dtype=bool)
        for codes, texts in zip(self.codes, self.texts, strict=True):
            one = np.unique(one * (len(texts) + 1) + codes + 1, return_inverse=True)[1].astype(np.int64)
            known &= codes >= 0
        _, first, inverse = np.unique(one[known], return_index=True, return_inverse=True)
        chosen = [codes[known][first].tolist() for codes in self.codes]
        parts = [[texts[place] for place in some] for texts, some in zip(self.texts, chosen, strict=True)]
        persons = [tuple(sorted(some)) for some in zip(*parts, strict=True)]
        place = np.full(rows, -1, dtype=np.int64)
        place[known] = inverse
        return persons, place


def reduced(text: str) -> str:
    """What is left of a part.

    >>> [reduced(text) for text in ("Müller", "MUELLER", "O’Brien-Østergård", "1950-03-04", " ? ")]
    ['muller', 'muller', 'obrienostergard', '19500304', '']
    """
    plain = text.lower()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
        plain = "".join(one for one in plain if not unicodedata.combining(one)).translate(_PLAIN)
    return _UMLAUTS.sub("", "".join(filter(str.isalnum, plain)))


def sorted_words(text: str) -> str:
    """The reduced words of a part in the order of their characters.

    >>> sorted_words("Müller, Anna"), sorted_words("anna mueller")
    ('annamuller', 'annamuller')
    """
    return "".join(sorted(map(reduced, _APART.split(text))))


def _coded(part: pa.Array) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[frozenset[str], ...]]:
    """Codes, reduced texts, and the sorted words of each."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_dictionary(part.type):
        part = part.cast(part.type.value_type)
    if pa.types.is_timestamp(part.type):
        part = part.cast(pa.timestamp("us")).cast(pa.date32(), safe=False)
    encoded = as_texts(pa.chunked_array([part])).combine_chunks().dictionary_encode()
    places: dict[str, int] = {}
    orders: list[set[str]] = []
    given = []
    for text in encoded.dictionary.to_pylist():
        left = reduced(text)
        place = places.setdefault(left, len(places)) if left else -1
        given.append(place)
        if place == len(orders):
            orders.append(set())
        if place >= 0:
            orders[place].add(sorted_words(text))
    place_of = np.array([*given, -1], dtype=np.int64)
    indices = encoded.indices.fill_null(len(given)).to_numpy(zero_copy_only=False)
    return place_of[indices], tuple(places), tuple(map(frozenset, orders))
