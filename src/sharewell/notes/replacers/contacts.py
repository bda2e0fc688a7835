"""E-mail and web addresses → addresses under `.example`, which nobody may own.

Names in them become the same surrogates as in the text, so that rosa.delgado@ goes with Rosa Delgado.

>>> from sharewell.keys import Key
>>> draws = Draws(Key(b"an example key of enough bytes.."))
>>> mail(draws, lambda word: {"rosa": "Sara", "delgado": "Smith"}.get(word), "Rosa.Delgado7@gmail.com").split(".")[0]
'Sara'
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sharewell.notes.replacers.keyed_draws import Draws, cased
from sharewell.notes.replacers.names import another_word

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
