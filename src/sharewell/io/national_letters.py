"""Whose letters are these bytes? Czech in windows-1250 is valid windows-1252, and reads as `Dvoøák`.

Encodings of European languages give the same bytes to other letters, so that no byte is wrong in any of them. But a
language has few letters beyond ASCII: as windows-1252, Czech text has `ø`, `è`, `ì` and `ù` beside `á` and `í`, as no
Western language does. Of every alphabet it is measured which share of the bytes in words are its letters. Where one of
another encoding has nearly all and no Western one does, windows-1252 is in doubt.

>>> likely_encodings("Dvořák, Jiří; Nováčková, Božena; Říha, Zdeněk".encode("cp1250"))
(('windows-1250', 'Czech'),)
>>> likely_encodings("Müller, Jörg; Weiß, Käthe; Böhm, Günter; Fröhlich".encode("cp1252"))
()

Encodings of DOS and of old Macs show in another way: as windows-1252 they put signs into the middle of words
(`M„kinen`, `Se‡n`), and capitals behind small letters (`KŠthe`), as nobody writes.

>>> [is_garbled("Mäkinen, Seán, Käthe".encode(code)) for code in ("cp437", "mac_roman", "cp1252")]
[True, True, False]
"""

from __future__ import annotations

import re
from collections import Counter

_WESTERN = {
    "German, French, Italian, Dutch": "äöüßéèêëàâçùûîïôœæÿìò",
    "languages of the North": "åäöøæéüßàèóô",
    "Spanish, Portuguese, Catalan": "áéíóúñüçãõâêôàèòïî",
    "Icelandic": "áéíóúýðþæö",
    "Estonian, Finnish": "õäöüšžåé",
    "Irish, Welsh": "áéíóúâêîôûŵŷàèìòù",
}
_OTHERS = {
    "Czech": ("áčďéěíňóřšťúůýžöü", "windows-1250", "iso-8859-2"),
    "Slovak": ("áäčďéíĺľňóôŕšťúýž", "windows-1250", "iso-8859-2"),
    "Polish": ("ąćęłńóśźż", "windows-1250", "iso-8859-2"),
    "Hungarian": ("áéíóöőúüű", "windows-1250", "iso-8859-2"),
    "Croatian or Slovene": ("čćđšž", "windows-1250", "iso-8859-2"),
    "Romanian": ("ăâîşţ", "windows-1250", "iso-8859-2"),
    "Turkish": ("çğıİöşüâîû", "windows-1254"),
    "Lithuanian": ("ąčęėįšųūž", "windows-1257"),
    "Latvian": ("āčēģīķļņšūž", "windows-1257"),
    "Vietnamese": ("ăâđêôơưáéíóúàèìòù\u0300\u0309\u0303\u0301\u0323", "windows-1258"),
}
"""The letters of a language, and the encodings in which they may be written."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[A-Za-z][A-Za-z\x80-\xff]*")
_NO_LETTERS = frozenset(b"\x80\x82\x84\x85\x86\x87\x89\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b\xa0\xa4\xa6\xa7\xa8\xa9")
_SIGNS = _NO_LETTERS | frozenset(b"\xab\xac\xad\xae\xb0\xb4\xb5\xb7\xb8\xbb")
"""Signs in all of these encodings: quotation marks, degrees, blanks."""
_LEAST = 3
"""Bytes beyond ASCII in words; of fewer nothing can be said."""
_BEHIND = re.compile(rb"[\xa0\xaa\xb0\xb2\xb3\xb9\xba\xae\x99\x85\x92\x94\xbb\x9b]+\Z")
"""Signs that may end a word: powers, ordinals, degrees, quotation marks."""
_ICELANDIC_TOO = re.compile("[áéíóúæ]", re.IGNORECASE)
_LEAST_OF_ICELANDIC = 0.15
"""Of its letters; without them ý, þ and ð are the ı, ş and ğ of Turkish."""
_TILDES = re.compile("õ(?!e)", re.IGNORECASE)
"""Portuguese has õ before e alone; elsewhere it is Estonian, or the ő of Hungarian."""
_MOST_TILDES = 0.02
_INSIDE = re.compile(
    r"(?<=[^\W\d_])(?:[€‚ƒ„…†‡ˆ‰‹“”•˜™›¡¢£¤¥¦§¨©ª«¬®¯°±²³µ¶¸¹º»¼½¾¿×÷]|(?<=[a-zß-ÿ])[ŠŒŽŸÀ-ÖØ-Þ])(?=[^\W\d_]|[ŠŒŽŸ])"
    r"|(?<=[a-zß-ÿ])[‚ƒ„ˆŠŒŽŸ¤¢£¡](?!\w)"
)
"""Signs between letters, and capitals between or behind small letters."""
_DASHES = re.compile(r"(?<=[^\W\d_])[–—](?=[a-z])")
"""Where they stand for letters, others do as well."""
_MOST_GARBLED = 0.08
_NEARLY_ALL, _MOST_WESTERN = 0.97, 0.92


def likely_encodings(content: bytes) -> tuple[tuple[str, str], ...]:
    """(encoding, language) that fit text which no Western language does; nothing if one does, or if none fits.

    O(bytes)
    """
    words = (_BEHIND.sub(b"", word) for word in _WORD.findall(content))
    counts = Counter(byte for word in words for byte in word if byte >= 0x80 and byte not in _SIGNS)
    total = counts.total()
    if total < _LEAST:
        return ()
    shown = content.decode("windows-1252", "replace")
    alphabets = [letters for name, letters in _WESTERN.items() if _may_be(name, shown, total)]
    western = max(_share(counts, letters, "windows-1252") for letters in alphabets)
    if western > _MOST_WESTERN * total:
        return ()
    fits = {
        (encoding, language): _share(counts, letters, encoding)
        for language, (letters, *encodings) in _OTHERS.items()
        for encoding in encodings
    }
    likely = [one for one, share in fits.items() if share >= _NEARLY_ALL * total]
    return tuple(sorted(likely, key=lambda one: -fits[one]))


def _may_be(alphabet: str, shown: str, total: int) -> bool:
    """May a text with so many letters beyond ASCII be in this alphabet, by what every such text has?"""
    if alphabet == "Icelandic":
        return len(_ICELANDIC_TOO.findall(shown)) >= _LEAST_OF_ICELANDIC * total
    if alphabet == "Spanish, Portuguese, Catalan":
        return len(_TILDES.findall(shown)) <= _MOST_TILDES * total
    return True


def is_garbled(content: bytes) -> bool:
    """Would its words, as windows-1252, have signs and capitals where no word has them?"""
    shown = content.decode("windows-1252", "replace")
    garbled = len(_INSIDE.findall(shown))
    garbled += len(_DASHES.findall(shown)) if garbled else 0
    letters = sum("À" <= sign <= "ÿ" or sign in "ŠŒŽšœžŸ" for sign in shown)
    return garbled > _MOST_GARBLED * (letters + garbled)


def _share(counts: Counter[int], letters: str, encoding: str) -> int:
    """How many of these bytes are letters of the alphabet."""
    known = set((letters + letters.upper()).encode(encoding, "ignore"))
    return sum(number for byte, number in counts.items() if byte in known)
