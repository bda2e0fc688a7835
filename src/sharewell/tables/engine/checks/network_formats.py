"""How addresses of networks are written: mail, web, internet (with port, path or mask) and hardware addresses.

>>> [network_format(text) for text in ("bo@example.org/x", "see example.org/p", "192.168.1.1:80", "[2001:db8::1]:443")]
['an e-mail address', 'a web address', 'a network address', 'a network address']
>>> [network_format(text) for text in ("MAC00:1a:2b:3c:4d:5e", "001a.2b3c.4d5e", "A*02:01:01:01", "10:15:30", "E.coli")]
['a network address', 'a network address', None, None, None]
"""

from __future__ import annotations

import ipaddress
import re

MAIL, WEB, NETWORK, PICTURE = "an e-mail address", "a web address", "a network address", "a picture"
_MAIL = re.compile(r"[^\s@,;:<>()\[\]{}\"']+ ?@ ?[^\W_](?:[\w-]*\.)+[^\W\d_]{2,}")
_MAIL_IN_WORDS = re.compile(r"[\w.+-]+ ?[\[({<] ?at ?[\])}>] ?[\w-]+|[\w.+-]+ at [\w-]+ dot [a-z]{2,}", re.IGNORECASE)
_WEB = re.compile(r"[a-z][a-z0-9+.-]*://|\bwww[0-9]?\.[\w-]|\bhttps?:|\bmailto:", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?<![\w@.-])[a-z0-9][a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|mil|info|io|app|health|int)(?![\w-])"
    r"|(?<![\w@.-])[a-z0-9][a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2}/[\w~?-]",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\bdata:(?:image|audio|video)/|[\w)-]\.(?:jpe?g|png|gif|tiff?|bmp|heic|dcm|wav|mp[34])\b", re.IGNORECASE
)
_FOUR = re.compile(r"(?<![0-9])(?<![0-9]\.)[0-9]{1,3}(?: ?[\[(]?\.[\])]? ?[0-9]{1,3}){3}(?![0-9])(?!\.[0-9])")
_COLONS = re.compile(r"(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]{1,4})?")
_PAIRS = re.compile(r"[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Fa-f]|\1[0-9A-Fa-f])")
_QUADS = re.compile(r"[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}(?![0-9A-Fa-f]|\.[0-9])")


def network_format(text: str) -> str | None:
    """What kind of address a normalised text holds; None if none."""
    if "@" in text and _MAIL.search(text):
        return MAIL
    if ("at" in text or "AT" in text) and _MAIL_IN_WORDS.search(text):
        return MAIL
    if ("." in text or ":" in text) and _PICTURE.search(text):
        return PICTURE
    if ("." in text or ":" in text) and (_WEB.search(text) or _DOMAIN.search(text)):
        return WEB
    return NETWORK if _holds_address(text) else None


def _holds_address(text: str) -> bool:
    if text.count(".") >= 3 and any(_is_four(match[0]) for match in _FOUR.finditer(text)):
        return True
    if text.count(":") >= 2 and any(_is_six(match[0]) for match in _COLONS.finditer(text)):
        return True
    if any(_HAS_LETTER.search(match[0]) or match[1] == ":" for match in _PAIRS.finditer(text)):
        return True
    return any(_HAS_LETTER.search(match[0]) for match in _QUADS.finditer(text))


_HAS_LETTER = re.compile(r"[A-Fa-f]")


def _is_four(text: str) -> bool:
    return all(int(part.strip(" []()")) <= 255 for part in text.split("."))


def _is_six(text: str) -> bool:
    """An address of version 6 with some length to it: `1:2:3:4:5:6:7:8` and `12::30` are rather ratios and times."""
    bare = text if text.endswith("::") else text.rstrip(":")
    if max(map(len, bare.split(":"))) < 3:
        return False
    try:
        ipaddress.IPv6Address(bare)
    except ValueError:
        return False
    return True
