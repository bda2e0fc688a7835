"""In which encoding a text is written: by its byte order mark, by its zero bytes, or by what its bytes can mean.

The rule, the same for every command: a byte order mark decides; text in which every other byte is zero is UTF-16; what
is valid UTF-8 is UTF-8. Any other text is windows-1252 if that encoding defines all of its bytes. (Latin-1 differs from
it only from 0x80 to 0x9f, where it has control characters that nobody writes; without such bytes both read the same.)
Encodings of other scripts use the same bytes. Where signs beyond ASCII stand in rows of three or more, as in no Western
word, or signs such as ³ and ¿ inside words, as Polish letters would, the text is refused until somebody names its
encoding; and so it is where its letters are those of Czech, Turkish or the like (`national_letters`).
Text in which most signs beyond ASCII are valid UTF-8 and some are not was put together from two encodings, and is
refused, as is whatever else is left.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from sharewell.errors import DataError
from sharewell.io.national_letters import is_garbled, likely_encodings

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks. Those of UTF-32 come first, since one of them begins with one of UTF-16."""
WINDOWS = "windows-1252"
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_VALID_UTF8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_WINDOWS_ALONE = re.compile(rb"[\x80-\x9f]")
_ROWS_OF_SIGNS = re.compile(rb"[\x80-\xff]{3,}|[\x80-\x9f][\x80-\xff]|[\x80-\xff][\x80-\x9f]")
_SIGN_IN_WORD = re.compile(rb"[A-Za-z][\xa3\xa5\xaf\xb3\xb6\xb9\xbc\xbf](?=[A-Za-z])")
_MOST_OF_ANOTHER_SCRIPT, _MOST_IN_WORDS = 0.5, 0.05
_LEAST_OF_ANOTHER_SCRIPT = 6
"""Bytes beyond ASCII; of fewer nothing can be said."""
_ESCAPED = re.compile(rb"\x1b[$(][@A-Z]")
"""Japanese text of seven bits: valid UTF-8, and not meant so."""
_LEAST_ZEROS, _MOST_ZEROS = 0.3, 0.02
"""Of UTF-16 text: the share of zero bytes in one half of the byte pairs, and in the other."""


@dataclass(frozen=True)
class Encoding:
    """An encoding and why it was chosen; a reader must be told it unless it finds it by itself."""

    name: str
    reason: str
    found_by_reader: bool

    @property
    def to_name(self) -> str | None:
        """What a policy says of it: nothing of plain UTF-8, and of a byte order mark what it means."""
        return None if self.found_by_reader and self.name == "utf-8" else self.name


def marked(start: bytes) -> str | None:
    """The encoding that a byte order mark names."""
    return next((name for mark, name in MARKS if start.startswith(mark)), None)


def detect_encoding(start: bytes, whole: bool, label: str) -> Encoding:
    """The encoding of a text by its first bytes; `whole`: are these all of them? A DataError where none fits."""
    if mark := marked(start):
        return Encoding(mark, "a byte order mark at its beginning says so", found_by_reader=True)
    if wide := utf_16(start):
        return Encoding(wide, "every other byte is zero, and it has no byte order mark", found_by_reader=False)
    place = first_invalid(start, "utf-8", whole)
    if place is None and _ESCAPED.search(start):
        raise DataError(f"{label} — text with escape sequences, as in iso2022_jp — name its encoding (iso2022_jp?)")
    if place is None:
        return Encoding("utf-8", "", found_by_reader=True)
    line = line_of(start, place)
    if _is_mixed(start):
        problem = f"line {line}: not valid UTF-8, although most signs beyond ASCII are"
        raise DataError(f"{label} — {problem} — two encodings were put together: export it again in one")
    if _UNDEFINED.search(start):
        problem = f"line {line}: text that is neither UTF-8 nor UTF-16 nor {WINDOWS}"
        raise DataError(f"{label} — {problem} — {ADVICE_NAME_IT}")
    if (likely := likely_encodings(start)) and not _stands_in_rows(start):
        named = dict.fromkeys(encoding for encoding, _ in likely)
        problem = f"line {line}: not valid UTF-8, and its letters are those of {likely[0][1]} in {likely[0][0]}"
        advice = f"ask who exported it, and name its encoding ({', '.join(named)}? or {WINDOWS}?)"
        raise DataError(f"{label} — {problem}, and of no Western language in {WINDOWS} — {advice}")
    if _is_of_another_script(start):
        problem = f"line {line}: text that is neither UTF-8 nor, it seems, in a Western European encoding"
        raise DataError(f"{label} — {problem} — {ADVICE_OTHER_SCRIPT}")
    if is_garbled(start):
        problem = f"line {line}: not valid UTF-8, and in {WINDOWS} words would have signs and capitals in their middle"
        raise DataError(f"{label} — {problem} — {ADVICE_OLD_SYSTEMS}")
    same = "" if _WINDOWS_ALONE.search(start) else "; Latin-1 would read the same"
    return Encoding(WINDOWS, f"line {line} is not valid UTF-8, and all bytes are defined there{same}", False)


ADVICE_NAME_IT = "ask who exported it, and name its encoding (cp850? mac_roman? shift_jis?)"

ADVICE_OLD_SYSTEMS = "ask who exported it, and name its encoding (cp850? cp437? cp852? mac_roman? big5?)"

ADVICE_OTHER_SCRIPT = "ask who exported it, and name its encoding (cp1250? cp1251? koi8-r? shift_jis? gbk?)"


def proposed(start: bytes, label: str) -> str | None:
    """The encoding to write for text that is not in the one it was read in; None if none can be proposed."""
    try:
        encoding = detect_encoding(start, False, label)
    except DataError:
        return None
    return None if encoding.found_by_reader else encoding.name


def utf_16(start: bytes) -> str | None:
    """UTF-16 without a mark: in most scripts separators, digits and letters have a zero half.

    >>> utf_16("age;sex".encode("utf-16-le")), utf_16("age;sex".encode("utf-16-be")), utf_16(b"age;sex")
    ('utf-16-le', 'utf-16-be', None)
    """
    pairs = len(start) // 2
    if pairs < 2 or b"\0" not in start:
        return None
    first, second = start[: 2 * pairs : 2].count(0) / pairs, start[1 : 2 * pairs : 2].count(0) / pairs
    for name, zeros, others in (("utf-16-le", second, first), ("utf-16-be", first, second)):
        if zeros >= _LEAST_ZEROS and others <= _MOST_ZEROS and first_invalid(start, name, False) is None:
            return name
    return None


def first_invalid(content: bytes, encoding: str, whole: bool) -> int | None:
    """The place of the first byte that the encoding does not allow."""
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(content, whole)
    except UnicodeDecodeError as error:
        return error.start
    return None


def line_of(content: bytes, place: int) -> int:
    """The line of a byte, by whichever line ends the text has."""
    before = content[:place]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _is_mixed(start: bytes) -> bool:
    valid = sum(len(result) for result in _VALID_UTF8.findall(start))
    return 2 * valid > len(_BEYOND_ASCII.findall(start))


def _is_of_another_script(start: bytes) -> bool:
    """
    >>> [_is_of_another_script((text * 9).encode(code)) for text, code in [
    ...     ("Иванов;", "koi8-r"), ("Michałowski;", "cp1250"), ("Müller, 10 m³;", "cp1252")]]
    [True, True, False]
    """
    beyond = len(_BEYOND_ASCII.findall(start))
    in_words = len(_SIGN_IN_WORD.findall(start))
    return beyond >= _LEAST_OF_ANOTHER_SCRIPT and (_stands_in_rows(start) or in_words > _MOST_IN_WORDS * beyond)


def _stands_in_rows(start: bytes) -> bool:
    """Are most signs beyond ASCII in rows, as words of another script are?"""
    beyond = len(_BEYOND_ASCII.findall(start))
    return sum(map(len, _ROWS_OF_SIGNS.findall(start))) > _MOST_OF_ANOTHER_SCRIPT * beyond
