"""Whose letters are these bytes? Czech in windows-1250 is valid windows-1252, and reads as `Dvoøák`.

Encodings of European languages give the same bytes to other letters, so that no byte is wrong in any of them. But a
language has few letters beyond ASCII: as windows-1252, Czech text has `ø`, `è`, `ì` and `ù` beside `á` and `í`, as no
Western language does. Of every alphabet it is measured which share of the bytes in words are its letters. Where one of
another encoding has nearly all and no Western one does, windows-1252 is in doubt.

>>> likely_encodings("Dvořák, Jiří; Nováčková, Božena; Říha, Zdeněk".encode("cp1250"))
(('windows-1250', 'Czech'),)
>>> likely_encodings("Müller, Jörg; Weiß, Käthe; Böhm, Günter; Fröhlich".encode("cp1252"))
()
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
}
"""The letters of a language, and the encodings in which they may be written."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[A-Za-z][A-Za-z\x80-\xff]*")
_NO_LETTERS = frozenset(b"\x80\x82\x84\x85\x86\x87\x89\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b\xa0\xa4\xa6\xa7\xa8\xa9")
_SIGNS = _NO_LETTERS | frozenset(b"\xab\xac\xad\xae\xb0\xb4\xb5\xb7\xb8\xbb")
"""Signs in all of these encodings: quotation marks, degrees, blanks."""
_LEAST = 6
"""Bytes beyond ASCII in words; of fewer nothing can be said."""
_NEARLY_ALL, _MOST_WESTERN = 0.97, 0.92


def likely_encodings(content: bytes) -> tuple[tuple[str, str], ...]:
    """(encoding, language) that fit text which no Western language does; nothing if one does, or if none fits.

    O(bytes)
    """
    counts = Counter(byte for word in _WORD.findall(content) for byte in word if byte >= 0x80 and byte not in _SIGNS)
    total = counts.total()
    if total < _LEAST:
        return ()
    western = max(_share(counts, letters, "windows-1252") for letters in _WESTERN.values())
    if western > _MOST_WESTERN * total:
        return ()
    fits = {
        (encoding, language): _share(counts, letters, encoding)
        for language, (letters, *encodings) in _OTHERS.items()
        for encoding in encodings
    }
    likely = [one for one, share in fits.items() if share >= _NEARLY_ALL * total]
    return tuple(sorted(likely, key=lambda one: -fits[one]))


def _share(counts: Counter[int], letters: str, encoding: str) -> int:
    """How many of these bytes are letters of the alphabet."""
    known = set((letters + letters.upper()).encode(encoding, "ignore"))
    return sum(number for byte, number in counts.items() if byte in known)
