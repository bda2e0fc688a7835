"""Numbers and addresses that stand for a person → others of the same form that belong to nobody.

Social Security numbers begin with 9 and have a group below 50, as neither they nor taxpayer numbers do; telephone
numbers have the area code 555 (abroad the country 999); internet addresses are of ranges that nobody may use; e-mail
and web addresses end in `.example`. Names in an e-mail address become the same surrogates as in the text, so that
rosa.delgado@ goes with Rosa Delgado. Other identifiers keep digits for digits and letters for letters.

>>> from sharewell.keys import Key
>>> draws = Draws(Key(b"an example key of enough bytes.."))
>>> phone(draws, "(617) 253-1000")[:5], social_number(draws, "078-05-1120")[0]
('(555)', '9')
>>> mail(draws, lambda word: {"rosa": "Sara", "delgado": "Smith"}.get(word), "Rosa.Delgado7@gmail.com").split(".")[0]
'Sara'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sharewell.notes.replacers.keyed_draws import Draws, cased
from sharewell.notes.replacers.names import another_word

_EXTENSION = re.compile(r"[ ,]{0,2}(?:x|ext\.?|extension)[ :]?\d+$", re.IGNORECASE)


def identifier(draws: Draws, written: str) -> str:
    """A record, account, plan, licence, device or other number."""
    return draws.like("identifier", written)


def phone(draws: Draws, written: str) -> str:
    """A telephone, fax or pager number; its extension is a number of its own."""
    tail = _EXTENSION.search(written)
    number = written[: tail.start()] if tail else written
    end = draws.like("extension", written[tail.start() :]) if tail else ""
    digits = "".join(sign for sign in number if sign.isdigit())
    area_start = _area(number, digits)
    if area_start is None:
        return draws.like("phone", number) + end
    area = "555" if len(digits) - area_start in (7, 10) else "999"
    return draws.fresh(number, lambda turn: _filled(number, _phone(draws, digits, area_start, area, turn))) + end


def _phone(draws: Draws, digits: str, area_start: int, area: str, turn: str) -> str:
    """Keyed by the last seven digits: with and without the area code it is one number."""
    drawn = _drawn(draws, "phone", digits[-7:], turn)
    rest = "".join(next(drawn) for _ in range(len(digits) - area_start - 3)) if len(digits) - area_start > 3 else ""
    return digits[:area_start] + area + rest[::-1]


def _area(number: str, digits: str) -> int | None:
    """Where the three digits begin that must belong to nobody."""
    if len(digits) == 11 and digits[0] == "1":
        return 1
    if len(digits) in (7, 10) and not number.lstrip("( ").startswith("+"):
        return 0
    return 0 if len(digits) > 7 else None


def social_number(draws: Draws, written: str) -> str:
    """Nine digits that were never given to anybody; other lengths (the last four) keep their form."""
    digits = "".join(sign for sign in written if sign.isdigit())
    if len(digits) != 9:
        return draws.like("social", written)

    def draw(turn: str) -> str:
        drawn = _drawn(draws, "social", digits, turn)
        group = 1 + draws.number(49, "group", digits, turn)
        area, serial = next(drawn) + next(drawn), "".join(next(drawn) for _ in range(4))
        return _filled(written, f"9{area}{group:02d}{serial}")

    return draws.fresh(written, draw)


def internet_address(draws: Draws, written: str) -> str:
    """Of 240.0.0.0/4, which is reserved; of 2001:db8::/32, which is for examples; a device's own keeps its form."""
    if re.fullmatch(r"\d+\.\d+\.\d+\.\d+(.*)", written, re.DOTALL):
        rest = re.sub(r"^\d+\.\d+\.\d+\.\d+", "", written)
        four = (240 + draws.number(16, "ip 0", written), *(draws.number(256, f"ip {i}", written) for i in (1, 2, 3)))
        return ".".join(map(str, four)) + draws.like("port", rest)
    groups = written.split(":")
    if len(groups) > 6 or "::" in written:
        shown = [f"{draws.number(65536, f'ip {i}', written):x}" for i in range(6)]
        return ":".join(("2001", "db8", *shown))
    hexadecimal = _nibbles(draws, written)
    return "".join(next(hexadecimal) if sign.isalnum() else sign for sign in written)


def _nibbles(draws: Draws, written: str) -> Iterator[str]:
    return (f"{byte % 16:x}" for byte in draws.stream("address", written))


def _drawn(draws: Draws, purpose: str, digits: str, turn: str) -> Iterator[str]:
    return (str(byte % 10) for byte in draws.stream(purpose, digits, turn) if byte < 250)


def _filled(written: str, digits: str) -> str:
    """The form of a number with other digits."""
    fill = iter(digits)
    return "".join(next(fill) if sign.isdigit() else sign for sign in written)


Named = Callable[[str], str | None]
"""A word in lower case → the surrogate if it is part of a name."""
_WORDS = ("mail", "post", "inbox", "letter", "home", "web", "net", "page", "site", "online", "link", "connect")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[\W_]+")


def mail(draws: Draws, named: Named, written: str) -> str:
    """An e-mail address."""
    local, sign, domain = written.rpartition("@")
    if not sign:
        return draws.like("mail", written)
    return f"{_words(draws, named, local)}{sign}{_domain(draws, domain)}"


def web(draws: Draws, named: Named, written: str) -> str:
    """A web address, or a handle (@name)."""
    if written.startswith("@"):
        return f"@{_words(draws, named, written[1:])}"
    scheme, sign, rest = written.rpartition("://")
    host, slash, path = rest.partition("/")
    www = "www." if host.lower().startswith("www") else ""
    return f"{scheme}{sign}{www}{_domain(draws, host)}{slash}{draws.like('path', path)}"


def _domain(draws: Draws, domain: str) -> str:
    word = _WORDS[draws.number(len(_WORDS), "domain", domain.lower())]
    return f"{word}{draws.number(900, 'domain number', domain.lower()) + 100}.example"


def _words(draws: Draws, named: Named, written: str) -> str:
    pieces = (
        _word(draws, named, piece) if piece.isalpha() else draws.like("mail", piece) if piece.isdigit() else piece
        for piece in _PIECE.findall(written)
    )
    return "".join(pieces)


def _word(draws: Draws, named: Named, word: str) -> str:
    """A name, an initial before a name (rdelgado), or other letters."""
    low = word.lower()
    if surrogate := named(low):
        return cased(surrogate, word)
    if surrogate := named(low[1:]):
        return cased(draws.like("mail", word[0]) + surrogate.lower(), word)
    return cased(another_word(draws, low), word) if len(word) > 3 else draws.like("mail", word)
