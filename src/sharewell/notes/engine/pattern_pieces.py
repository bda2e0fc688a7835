"""Pieces of patterns, in lower case, that rules and code share: months, days, spoken numbers, titles and units.

In a file of rules `{month}` stands for `PIECES["month"]`, unless the file has a piece `month` of its own. Criteria have
pieces of their own (`engine/checks`): a judge that took its words from here would miss what the detectors miss.

>>> import re
>>> [bool(re.fullmatch(MONTH, word)) for word in ("may", "sept", "october", "octo")]
[True, True, True, False]
"""

from __future__ import annotations

from sharewell.calendar_names import MONTHS, SHORT_MONTHS, WEEKDAYS
from sharewell.io.compiled_patterns import compiled
from sharewell.io.shipped import ShippedPatterns
from sharewell.notes.engine.word_lists import TITLES

_ENDINGS = {
    "may": "",
    "june": "e?",
    "july": "y?",
    "september": "t?(?:ember)?",
}
"""How a month goes on after its first three letters, where it is not all or nothing."""
MONTH = "(?:" + "|".join(month[:3] + _ENDINGS.get(month, f"(?:{month[3:]})?") for month in MONTHS) + ")"
"""A month in full or in short."""
SHORT_MONTH = "|".join(SHORT_MONTHS)
"""Its first three letters: what the patterns that hold this make of it is theirs to say."""
WHOLE_MONTH = "(?:" + "|".join(MONTHS) + ")"
WEEKDAY = "(?:" + "|".join(day.removesuffix("day") for day in WEEKDAYS) + ")day"
_TENTHS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
ORDINAL = (
    f"(?:thirty[ -]first|thirtieth|twenty[ -](?:{_TENTHS})|twentieth|{_TENTHS}|tenth|eleventh|twelfth"
    "|(?:thir|four|fif|six|seven|eigh|nine)teenth)"
)
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)"
_TENS = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_TEENS = "(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
UNDER_HUNDRED = f"(?:{_TENS}(?:[ -]{_ONES})?|{_TEENS}|oh[ -]{_ONES}|{_ONES})"
SPOKEN_YEAR = f"(?:(?:twenty|nineteen|eighteen)[ -]{UNDER_HUNDRED}|two thousand(?: (?:and )?{UNDER_HUNDRED})?)"
YEAR = r"(?:1[89]\d\d|20\d\d)"
TITLE = "|".join(sorted(TITLES, key=lambda word: (-len(word), word)))
"""A title before a name; a pattern adds the ranks and callings that it needs."""
DOSE_UNIT = "mg|mcg|ml|units?"
"""What follows the number of most doses. A pattern that looks whether a number is a measure adds what else may follow
where it looks: not the same things follow an age, a day or a house number."""
MEASURE = (
    rf" ?(?:{DOSE_UNIT}\b|[µμ]g|ug|cc|g\b|gm|kg|iu\b|u/|meq|mmol|mol|cells|copies|cfu|/(?=[a-z])|%|x ?10|k\b|per |steps"
    r"|miles|dollars|usd|eur|bpm|mmhg|mm\b|cm\b|ng|pg|fl\b|iu/|years?|yrs?|days?|weeks?|hours?|hrs?|minutes?|mins?"
    r"|degrees|ppm|hz|kcal|cal\b|lbs?\b|litres?|liters?|pounds?|euros?|rupees|tablets?|tabs?\b|capsules?|caps\b|doses?"
    r"|patients|people|rpm|watts?|j\b|calories|pack|cigarettes|times|nm\b|kpa|cmh2o)"
)
"""What shows that the number before it measures or counts something, and is no identifier."""
PIECES = {
    "month": MONTH,
    "short_month": SHORT_MONTH,
    "whole_month": WHOLE_MONTH,
    "weekday": WEEKDAY,
    "ordinal": ORDINAL,
    "under_hundred": UNDER_HUNDRED,
    "spoken_year": SPOKEN_YEAR,
    "year": YEAR,
    "title": TITLE,
    "dose_unit": DOSE_UNIT,
    "measure": MEASURE,
}


def patterns(name: str, **more: str) -> ShippedPatterns:
    """The patterns of a file of `sharewell/data`, with these and more pieces; each is compiled once on a machine."""
    return ShippedPatterns(name, compiled, **PIECES, **more)
