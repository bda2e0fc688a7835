"""Names of months by which the judge of published notes reads dates: English, and those of languages that have a pack.

Without accents, as the judge reads a text. The lists are its own: what the packs miss, it may still see.
"""

from __future__ import annotations

_ENGLISH = "january february march april may june july august september october november december"
_GERMAN = "januar februar marz april mai juni juli august september oktober november dezember"
_SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
_OTHERS = {"janner": 1, "jaenner": 1, "feber": 2, "mrz": 3, "maerz": 3, "setiembre": 9, "sept": 9}
_MONTHS = [(number, name) for names in (_ENGLISH, _GERMAN, _SPANISH) for number, name in enumerate(names.split(), 1)]

_OF_ENGLISH = frozenset(("ago",))
"""Three letters that are a word of English."""

MONTH = {spelt: n for n, name in reversed(_MONTHS) for spelt in (name[:3], name) if spelt not in _OF_ENGLISH} | _OTHERS
"""The word in lower case → the number of the month; three letters are enough."""
NAMED = "|".join(sorted(MONTH, key=lambda word: (-len(word), word)))
"""Every one of them, the longest first."""
ENGLISH = tuple(_ENGLISH.split())
SHORT = tuple(name[:3] for name in ENGLISH)
SHORT_ENGLISH = "|".join(SHORT)
_LONGER = {name: f"(?:{name[3:]})?" if name[3:] else "" for name in ENGLISH}
_LONGER |= {"june": "e?", "july": "y?", "september": "t?(?:ember)?"}
ENGLISH_NAMED = "|".join(name[:3] + longer for name, longer in _LONGER.items())
"""An English month in full or in short, as a pattern."""
