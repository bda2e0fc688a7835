"""Words of the calendar, as patterns in lower case: what reading a date needs (`replacers/date_spellings`)."""

from __future__ import annotations

MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
ORDINAL = (
    "(?:thirty[ -]first|thirtieth|twenty[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|twentieth"
    "|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    "|(?:thir|four|fif|six|seven|eigh|nine)teenth)"
)
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)"
_TENS = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_TEENS = "(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
UNDER_HUNDRED = f"(?:{_TENS}(?:[ -]{_ONES})?|{_TEENS}|oh[ -]{_ONES}|{_ONES})"
SPOKEN_YEAR = f"(?:(?:twenty|nineteen|eighteen)[ -]{UNDER_HUNDRED}|two thousand(?: (?:and )?{UNDER_HUNDRED})?)"
YEAR = r"(?:1[89]\d\d|20\d\d)"
