"""Names of months as exports write them in English, German, French, Spanish, Italian, Dutch and Portuguese.

No name stands for two months, so that a form need not say its language. Accents may be left out; a short name may end
with a point.
"""

from __future__ import annotations

import unicodedata

_FULL = (
    "january januar jänner janvier enero gennaio januari janeiro",
    "february februar feber février febrero febbraio februari fevereiro",
    "march märz mars marzo maart março",
    "april avril abril aprile",
    "may mai mayo maggio mei maio",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août agosto augustus",
    "september septembre septiembre settembre setembro setiembre",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre diciembre dicembre dezembro",
)
_SHORT = (
    "jan jän janv ene gen",
    "feb fév févr fev",
    "mar mär mrz mrt",
    "apr avr abr",
    "may mai mag mei",
    "jun juin giu",
    "jul juil lug",
    "aug août ago",
    "sep sept set",
    "oct okt ott out",
    "nov",
    "dec dez déc dic",
)


def _numbered(rows: tuple[str, ...]) -> dict[str, int]:
    """Each name, with and without accents, in small letters → its month."""
    names = {name: month for month, row in enumerate(rows, 1) for name in row.split()}
    return names | {_plain(name): month for name, month in names.items()}


def _plain(name: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))


FULL_MONTHS = _numbered(_FULL)
SHORT_MONTHS = _numbered(_SHORT)
MONTH_NUMBERS = FULL_MONTHS | SHORT_MONTHS


def alternatives(names: dict[str, int]) -> str:
    """The names for a regular expression, the longest first: `juin` is not `jun` with something behind it."""
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))
