"""The language of a column of text, read as one text: single remarks are often too short to tell.

>>> import pyarrow as pa
>>> german = ["Der Patient kommt mit Husten und Fieber.", "Keine Beschwerden seit der Operation."] * 4
>>> english = ["She was seen for a cough.", "No complaints since the operation."] * 4
>>> [language_of(pa.array(texts)) for texts in (german, english, ["N/A"])]
['german', 'english', 'english']
"""

from __future__ import annotations

from itertools import islice

import pyarrow as pa

ENGLISH, UNKNOWN = "english", ""
_MOST, _LONGEST = 300, 400
"""This many different texts are read, and this many signs of each."""


def language_of(values: pa.Array) -> str:
    """English, another one that notes can be read in, or `UNKNOWN`."""
    from sharewell.notes.engine.chosen_language import chosen_language
    from sharewell.notes.engine.language import english, mostly_english
    from sharewell.notes.engine.protection.short_texts import foreign_together
    from sharewell.notes.matcher.language_packs import language_packs

    there = (text[:_LONGEST] for text in values.cast(pa.string()).to_pylist() if text and text.strip())
    some = list(islice(there, _MOST))
    together = "\n".join(some)
    # A release withholds each text that is not English by itself: were it most of them, the column is not English.
    if mostly_english(together) and not foreign_together(some) and 2 * sum(map(english, some)) >= len(some):
        return ENGLISH
    return chosen_language(together, tuple(language_packs())) or UNKNOWN
