"""Short texts in another language: each is too short to tell, but all of them together do.

A remark of a few words is taken for English (`notes.engine.language`): a telegram is no foreign tongue. A column of
such remarks in another language would so be read by detectors that know English alone, and found clean. So many of them
are read as one text; if that is not English, or its different words tell another language, the column is refused. A
column of one or two phrases that recur is not recognised by this.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from sharewell.errors import Infeasible
from sharewell.notes.engine.language import foreign_vocabulary, mostly_english, words_of

BESIDE_TABLE = "text-agrees-with-table"
"""The criterion that holds texts against the rows of a table."""
SHORT = 12
"""Words: a longer text is judged by itself."""
FEWEST, MOST = 20, 300
"""Different short texts that are read as one."""
_LOOKED_AT = 20_000


def foreign_together(texts: Iterable[str]) -> bool:
    """Are there many short texts, more of them than long ones, that are not English together?"""
    short: dict[str, None] = {}
    long = 0
    for text in islice(texts, _LOOKED_AT):
        if not text or text in short:
            continue
        if len(words_of(text)) > SHORT:
            long += 1
            if long > MOST:  # more than there can be short ones
                return False
        else:
            short[text] = None
        if len(short) >= MOST:
            break
    if long > len(short):
        return False
    return foreign_vocabulary(short) or (len(short) >= FEWEST and not mostly_english("\n".join(short)))


def refuse_foreign_together(mechanism: str, column: str, texts: Iterable[str], beside_table: bool = False) -> None:
    """beside_table: the texts are held against rows of a table, by a criterion that knows English alone."""
    if not foreign_together(texts):
        return
    raise Infeasible(
        f"{mechanism} — column {column} — its short texts, read as one, are not in English, in which alone names are"
        f" found{' and texts held against their rows' if beside_table else ''}",
        relaxations=instead_of_english(column, beside_table),
    )


def instead_of_english(column: str, beside_table: bool) -> list[str]:
    """What a policy may say of a column that is not in English."""
    away = f"role drop for column {column}"
    if beside_table:
        own = "a dataset of kind notes that reads the same file, with using: {replace: {language: german}} or spanish"
        lenient = "agrees_with_table: false, with the language as above; the certificate lists the deviation"
        return [away, own, lenient]
    packs = "using: {replace: {language: german}}, or another language that has a pack"
    anything = "using: {replace: {language: any}}, once you have seen what it leaves: names are found in English alone"
    return [away, packs, anything]
