"""Guards: named questions about what a pattern matched, which a regular expression asks badly or not at all.

A rule names them: `guards = ["luhn", "digits_at_least:5", "not_after:versions"]`. What stands behind the colon is a
number, or the name of a lexicon. A guard is a function below; `sharewell notes rules guards` shows the docstrings.
"""

from __future__ import annotations

from sharewell.calendar_names import MONTHS
from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.gazetteer import countries, places, plain
from sharewell.notes.engine.lexicons import eponym, eponym_words, nameness, people, words
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import lexicon
from sharewell.notes.matcher.rule import Candidate, Guard, GuardList

_DIGITS = compiled(r"\d+")
_LETTERS = compiled(r"[^\W\d_]+")
_WORDS = compiled(r"[^\W_]+")
_CLOCK = compiled(r"(?:[01]\d|2[0-3])[0-5]\d")
_DATE_OR_LIST = compiled(r"\d\. |^\d{1,2}/\d{1,2}/(?:\d\d|\d{4})(?!\d)")
_LONG_MONTHS = frozenset(MONTHS) - {"may", "june", "july"}
_LAST_WORD = compiled(r"([^\W_]+)[^\w\n]{0,4}\Z")
_CODE_AFTER = compiled(r",?[ \n]{1,2}\d{4,5}\b|,?[ \n][A-Z]\d[A-Z] \d[A-Z]\d")
_LOCATED = compiled(r"\b(?:in|from|to|near|of|at) \Z")
_BEYOND_LATIN = "\u0370"
_LOUD, _SHORT, _LONG, _MESSAGE, _LIKE_A_NAME = 0.4, 3, 4, 240, 20
_NEXT_WORD = compiled(r"[^\w\n]{0,4}([^\W_]+)")


OF_FORM = GuardList()
_plain, _numbered, _worded = OF_FORM.add, OF_FORM.add_numbered, OF_FORM.add_worded


@_plain
def not_clocks(candidate: Candidate) -> bool:
    """Its groups of digits are not all times of day (0830 0915)."""
    return not all(map(_CLOCK.fullmatch, _DIGITS.findall(candidate.written)))


@_plain
def not_round(candidate: Candidate) -> bool:
    """Its groups of digits are not all multiples of five (500 250 125)."""
    return any(int(group) % 5 for group in _DIGITS.findall(candidate.written))


@_plain
def not_a_numeric_date(candidate: Candidate) -> bool:
    """It is no date such as 3/4/2021, and no item of a list follows a full stop in it."""
    return _DATE_OR_LIST.search(candidate.written) is None


@_plain
def has_letter(candidate: Candidate) -> bool:
    """A letter is in it."""
    return _LETTERS.search(candidate.written) is not None


@_plain
def capital(candidate: Candidate) -> bool:
    """It begins with a capital."""
    return candidate.written[:1].isupper()


@_plain
def cased_note(candidate: Candidate) -> bool:
    """The note has capitals and small letters as usual, so that capitals tell something."""
    return not candidate.text.caseless


@_plain
def caseless_note(candidate: Candidate) -> bool:
    """The note is all in capitals or small letters, so that capitals tell nothing."""
    return candidate.text.caseless


@_plain
def small_word_before(candidate: Candidate) -> bool:
    """The word before it is in small letters, or it begins with a nought."""
    last = _LAST_WORD.search(candidate.text, max(0, candidate.start - 20), candidate.start)
    return candidate.written[:1] == "0" or (last is not None and last[1].islower())


@_plain
def british_spells(candidate: Candidate) -> bool:
    """The note writes spells of time in the British way: 3/52 for three weeks."""
    return candidate.text.remembered(_spells_in_the_british_way)


def _spells_in_the_british_way(text: Text) -> bool:
    return any(sign in text.folded for sign in ("/52", "/40", "tds", "/12 ago"))


@_plain
def ends_in_eponym(candidate: Candidate) -> bool:
    """Its last word is a medical eponym (Willis, Langerhans)."""
    last = plain(" ".join(candidate.lower.split()).rpartition(" ")[2])
    return last in eponym_words() or last.removesuffix("s").rstrip("'’") in eponym_words()


@_plain
def no_range_of_years(candidate: Candidate) -> bool:
    """It begins with a year and a month, and is no range of years (2010-12 may be one, 2019-05 is none)."""
    year, month, *_ = *map(int, _DIGITS.findall(candidate.written)), 0, 0
    return month < year % 100


@_plain
def may_in_cased_note(candidate: Candidate) -> bool:
    """It is not the word may in a note that is all in capitals or small letters."""
    return candidate.lower != "may" or not candidate.text.caseless


@_plain
def no_short_shout(candidate: Candidate) -> bool:
    """It is no abbreviation of three capitals in a note that is written as usual."""
    return not (len(candidate.written) == 3 and candidate.written.isupper() and not candidate.text.caseless)


@_plain
def split_month(candidate: Candidate) -> bool:
    """Its groups head and tail make the name of a month."""
    groups = candidate.match.groupdict()
    return ((groups.get("head") or "") + (groups.get("tail") or "")).lower() in _LONG_MONTHS


@_plain
def not_shouted(candidate: Candidate) -> bool:
    """It is not all in capitals, unless the whole note is."""
    return candidate.text.caseless or not candidate.written.isupper()


@_plain
def quiet_note(candidate: Candidate) -> bool:
    """The note is not mostly in capitals."""
    return candidate.text.upper_share <= _LOUD


@_plain
def small_or_caseless(candidate: Candidate) -> bool:
    """It is all in small letters, or the note has no case."""
    return candidate.text.caseless or candidate.written.islower()


@_plain
def uncommon_word(candidate: Candidate) -> bool:
    """It holds a word of four letters or more that English hardly knows."""
    return any(map(_uncommon, _LETTERS.findall(candidate.lower)))


@_plain
def uncommon_if_alone(candidate: Candidate) -> bool:
    """If it is one word, English does not use it every day, and it is no acronym of two letters."""
    named = _LETTERS.findall(candidate.lower)
    if len(named) != 1:
        return True
    return words().get(plain(named[0]), "9") >= "3" and not (
        len(candidate.written) < _SHORT and candidate.written.isupper()
    )


@_plain
def all_people(candidate: Candidate) -> bool:
    """Each of its words with a capital is a name of a person."""
    return all(word.lower() in people() for word in _LETTERS.findall(candidate.written) if word[0].isupper())


@_plain
def no_english_word(candidate: Candidate) -> bool:
    """It is no word of English."""
    return candidate.lower not in words()


@_plain
def no_country(candidate: Candidate) -> bool:
    """It is no country."""
    return candidate.lower not in countries()


@_plain
def no_acronym(candidate: Candidate) -> bool:
    """It is neither an acronym of the clinic nor a common word of English."""
    return candidate.lower not in lexicon("acronyms") and words().get(candidate.lower, "9") > "2"


@_plain
def initials_in_capitals(candidate: Candidate) -> bool:
    """It is in capitals, or in small letters without a vowel."""
    return candidate.written.isupper() or (candidate.written.islower() and not set(candidate.written) & set("aeiou"))


@_plain
def two_syllables(candidate: Candidate) -> bool:
    """Its second half is a syllable of Korean or Chinese given names, and its first half no word of English."""
    first, last, *_ = *_LETTERS.findall(candidate.lower), "", ""
    return last in lexicon("syllables") and (first in people() or first not in words())


@_plain
def ends_in_surname(candidate: Candidate) -> bool:
    """Its last word is a surname, or in no list, and no everyday word or eponym."""
    last = plain(["", *_LETTERS.findall(candidate.lower)][-1])
    if len(last) < _SHORT or last in lexicon("name_words_never") or eponym(last) is False:
        return False
    mark, level = people().get(last, ""), words().get(last, "9")
    return level > "2" if not mark else mark in "sSbB" and (level > "1" or mark.isupper())


@_plain
def like_a_name(candidate: Candidate) -> bool:
    """A name of a person; in small letters a given name that is no word, or a frequent one."""
    mark, level = people().get(plain(candidate.lower), ""), words().get(plain(candidate.lower), "")
    if candidate.written[:1].isupper():
        return bool(mark) and level != "1"
    return (mark in ("G", "B") and level not in ("1", "2")) or (bool(mark) and not level)


@_plain
def given_name(candidate: Candidate) -> bool:
    """A given name with a capital, one that many bear, or one that is no word, or a word of no list with letters like a
    name; small letters count in a short note, and in one without case."""
    mark, level = people().get(plain(candidate.lower), ""), words().get(plain(candidate.lower), "")
    if candidate.written[:1].islower() and not (candidate.text.caseless or len(candidate.text) < _MESSAGE):
        return False
    capital = candidate.written[:1].isupper() and not candidate.text.caseless
    if mark in ("g", "b") and (capital or not level):
        return True
    return mark in ("G", "B") or (not mark and not level and nameness(plain(candidate.lower)) > _LIKE_A_NAME)


@_plain
def mostly_latin(candidate: Candidate) -> bool:
    """Most letters of the note are Latin: words of another script stand out."""
    return candidate.text.remembered(_is_mostly_latin)


def _is_mostly_latin(text: Text) -> bool:
    letters = _LETTERS.findall(text)
    return 2 * sum(len(run) for run in letters if run[0] < _BEYOND_LATIN) > sum(map(len, letters))


@_plain
def large_place(candidate: Candidate) -> bool:
    """The gazetteer knows it as a large city."""
    return _mark(candidate) == "*"


@_plain
def american_place(candidate: Candidate) -> bool:
    """The gazetteer knows it as a city or county of the US, or as a large city."""
    return _mark(candidate) in ("*", "u")


def _mark(candidate: Candidate) -> str:
    return places().get(plain(" ".join(_WORDS.findall(candidate.lower))), "")


@_plain
def comma_or_code(candidate: Candidate) -> bool:
    """A comma stands between its city and its state, or a postcode after them; in a note without case the gazetteer
    knows the city."""
    (start, city_ends), (state, end) = _place(candidate, "city"), _place(candidate, "state")
    if candidate.text.caseless and plain(candidate.text.folded[start:city_ends]) not in places():
        return False
    return "," in candidate.text[city_ends:state] or _CODE_AFTER.match(candidate.text, end) is not None


@_plain
def city_and_no_person(candidate: Candidate) -> bool:
    """Its city is in the gazetteer, and is no name of a person (Smith, PA) unless a word such as "in" stands before."""
    (start, city_ends), (_, end) = _place(candidate, "city"), _place(candidate, "state")
    city = plain(candidate.text.folded[start:city_ends])
    located = _LOCATED.search(candidate.text.folded, max(0, start - 8), start)
    coded = _CODE_AFTER.match(candidate.text, end)
    return bool(located or coded) or (city in places() and city not in people())


def _place(candidate: Candidate, group: str) -> tuple[int, int]:
    """Where a group of its pattern is; where all of it is if the pattern has no such group, or it is empty."""
    start, end = candidate.match.span(group) if group in candidate.match.re.groupindex else (-1, -1)
    return (start, end) if start >= 0 else (candidate.start, candidate.end)


def _uncommon(word: str) -> bool:
    return len(word) >= _LONG and words().get(plain(word), "9") > "3"


@_numbered
def digits_at_least(number: int) -> Guard:
    """It holds at least N digits."""
    return lambda result: sum(map(str.isdigit, result.written)) >= number


@_numbered
def digits_at_most(number: int) -> Guard:
    """It holds at most N digits."""
    return lambda result: sum(map(str.isdigit, result.written)) <= number


@_numbered
def alphanumerics_at_least(number: int) -> Guard:
    """It holds at least N letters and digits."""
    return lambda result: sum(map(str.isalnum, result.written)) >= number


@_worded
def after(words: frozenset[str]) -> Guard:
    """The word right before it is in the lexicon."""
    return lambda result: (last := _LAST_WORD.search(result.before)) is not None and last[1] in words


@_worded
def not_after(words: frozenset[str]) -> Guard:
    """The word right before it is not in the lexicon."""
    return lambda result: (last := _LAST_WORD.search(result.before)) is None or last[1] not in words


@_worded
def not_followed_by(words: frozenset[str]) -> Guard:
    """The word right after it is not in the lexicon."""
    return lambda result: (word := _NEXT_WORD.match(result.after)) is None or word[1] not in words


@_worded
def holds_none(words: frozenset[str]) -> Guard:
    """None of its own words is in the lexicon."""
    return lambda result: words.isdisjoint(_LETTERS.findall(result.lower))


@_worded
def is_none_of(words: frozenset[str]) -> Guard:
    """It is not, as a whole, in the lexicon."""
    return lambda result: result.lower not in words


@_worded
def telling(words: frozenset[str]) -> Guard:
    """One of its words before the last, of two letters or more, is not in the lexicon; or its only word is not."""

    def asked(candidate: Candidate) -> bool:
        named = _LETTERS.findall(candidate.lower)
        return any(len(word) > 1 and word not in words for word in named[:-1] or named)

    return asked


@_worded
def initials_not_in(words: frozenset[str]) -> Guard:
    """Its letters without dots and blanks are not in the lexicon."""
    return lambda result: "".join(_LETTERS.findall(result.lower)) not in words


@_worded
def uncommon_name(words: frozenset[str]) -> Guard:
    """One of its words before the last is no word of the lexicon, and English hardly knows it."""
    return lambda result: any(word not in words and _uncommon(word) for word in _LETTERS.findall(result.lower)[:-1])


@_worded
def near(words: frozenset[str]) -> Guard:
    """A word of the lexicon stands within a line's length of it."""
    return lambda result: not words.isdisjoint(_LETTERS.findall(f"{result.before} {result.after}"))


@_worded
def prefix_not_in(words: frozenset[str]) -> Guard:
    """The letters that it begins with are not in the lexicon."""
    return lambda result: _prefix(result) not in words


@_worded
def short_prefix_not_in(words: frozenset[str]) -> Guard:
    """It has five digits or more, a nought after its dash, or letters in front that are not in the lexicon."""

    def asked(candidate: Candidate) -> bool:
        prefix, low = _prefix(candidate), candidate.lower
        return prefix not in words or sum(map(str.isdigit, low)) > 4 or low.startswith("-0", len(prefix))

    return asked


def _prefix(candidate: Candidate) -> str:
    match = _LETTERS.match(candidate.lower)
    return match[0] if match else ""


@_plain
def falling_pair(candidate: Candidate) -> bool:
    """Its second number is smaller than its first, and they are no round range: a range grows."""
    one, two, *more = *_DIGITS.findall(candidate.written), "", ""
    if not two or more[2:]:
        return False
    return int(one) > int(two) and (two[0] == "0" or not (one.endswith("0") and two.endswith("0")))


@_plain
def last_word_no_word(candidate: Candidate) -> bool:
    """Its last word, if it is all letters, is no common word of English."""
    last = candidate.lower.rpartition(" ")[2]
    return not last.isalpha() or words().get(last, "9") >= "3"


@_worded
def begins_in(words: frozenset[str]) -> Guard:
    """All of its words with a capital and two letters or more, but for the last one, are in the lexicon."""
    return lambda result: all(
        word.lower() in words for word in _LETTERS.findall(result.written)[:-1] if len(word) > 1 and word[0].isupper()
    )


@_worded
def ends_in(words: frozenset[str]) -> Guard:
    """Its last word is in the lexicon."""
    return lambda result: _last(result) in words


@_worded
def ends_not_in(words: frozenset[str]) -> Guard:
    """Its last word is not in the lexicon."""
    return lambda result: _last(result) not in words


@_worded
def no_capital_in(words: frozenset[str]) -> Guard:
    """None of its words that begin with a capital is in the lexicon."""
    return lambda result: words.isdisjoint(
        word.lower() for word in _LETTERS.findall(result.written) if word[0].isupper()
    )


def _last(candidate: Candidate) -> str:
    words: list[str] = _LETTERS.findall(candidate.lower)
    return words[-1] if words else ""
