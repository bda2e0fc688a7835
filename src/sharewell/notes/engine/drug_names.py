"""Names of drugs: from lists, from misspelt or split forms, from shorthand, and from the words around them.

Forms that are also something else (neo, levo, dig, potassium) count only beside a dose, a drip or words such as
"patient on". A word that no list knows is a misspelling if it is long, begins like a drug and differs from it in one
letter (two in long words); words of English and of the clinic never are, names of people only where a cue stands by.
An unknown word is still taken for a drug where the phrase leaves no doubt ("dose of X", "X drip", "X 5 mg").

Source: cue patterns and lexicon after the detector of PACS (Ghemri and Kannah, Privacy in Medical Data Publishing),
which prints two of its cues; all else is our own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from sharewell.io.shipped import ShippedPatterns
from sharewell.notes.engine.drug_lexicon import Term, by_ending, lexicon
from sharewell.notes.engine.drug_spelling import generic, misspelt, ready
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.pattern_pieces import DOSE_UNIT
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon as word_list

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_CUES = ShippedPatterns("notes/drug_cues.toml")
"""What stands around drugs."""
_ION_WORDS = frozenset(["mg", "k", "ca", "phos"])
_LAST_OF_CUES = frozenset(["on", "a", "an", "of", "iv", "to"])
_NEAR = 48
_GAPS = frozenset([" ", "-", "/", " / ", "'", "’", " #", "#", "–", ". ", " - ", "."])
_LIST = re.compile(r"(?:,? ?(?:and|or|then|vs|versus|plus|instead of|for|with|&|\+|/|,) ?(?:iv |po )?|/|, )")
_STOP = re.compile(r"[.;!?]\s|\n")
_NO_NAMES = word_list("drug_names_measured")
"""Of the longer list or near to a drug, but said of labs, foods and devices."""
_NEVER = word_list("drug_names_never")
_WORD = re.compile(r"[a-z]+")
_GLUED = re.compile(rf"([a-z]{{4,}})\d+(?:{DOSE_UNIT}|g|gm|meq|u)?")
_IN_THE_BODY = frozenset(["fluid and electrolyte", "vitamin or mineral", "hormone", "antidiabetic"])
"""Groups of substances that a laboratory measures in everybody."""
_FLUIDS = frozenset(
    ["ns", "nss", "nsaline", "saline", "salin", "hypertonic", "lr", "hartmanns", "ringers", "csl", "rl"]
)
"""Of these groups, but no laboratory measures them."""
_SALTS = frozenset(["succ", "tart", "phos", "citrate", "glucose"])
"""After the name of a drug these are its salt."""
CLASS_WORD = "word for a class of drugs"
_SHORT = "shorthand for a drug, by its context"
_IN_BODY = "substance of the body, given as a drug"


class Drugs:
    """Finds names of drugs and words for their classes."""

    name: ClassVar[str] = "drugs"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        return list(drug_spans(Text.of(text)))

    def ready(self) -> None:
        """Load all lists."""
        ready()
        _long_names()


def drug_spans(text: Text) -> list[Span]:
    """Names of drugs in a note, in order; found once."""
    return text.remembered(_found)


def drug_ends(text: Text) -> dict[int, Span]:
    """Where a drug's name ends → the first that ends there."""
    return text.remembered(_by_end)


def _by_end(text: Text) -> dict[int, Span]:
    return {span.end: span for span in reversed(drug_spans(text))}


def _found(text: Text) -> list[Span]:
    spans: list[Span] = []
    doubtful: list[Span] = []
    past = 0
    for at in _places(text):
        if at < past:
            continue
        span, sure, width = _at(text, at)
        if span is not None:
            (spans if sure else doubtful).append(span)
        past = at + width
    spans += _ions(text)
    return sorted([*spans, *_listed(text, spans, doubtful)], key=lambda span: span.start)


def _places(text: Text) -> list[int]:
    """Which tokens a drug may begin at: few, and told by the words alone."""
    places: set[int] = set()
    tokens, positions, pairs = text.tokens, text.positions, _pairs()
    last = len(tokens) - 1
    for word in positions:
        if not (mark := _mark(word)):
            continue
        if mark & _BEGINS:
            places.update(positions[word])
        elif mark & _JOINS:
            for at in positions[word]:
                if at < last and _joins(word, tokens[at + 1][2]):
                    places.add(at)
        if mark & _SECOND:
            for at in positions[word]:
                before = tokens[at - 1][2] if at else ""
                if len(before) > 4 and before[:2] + word[0] in pairs and _may_pair(before, word):
                    places.add(at - 1)
    return sorted(places)


def _ions(text: Text) -> Iterator[Span]:
    tokens, past = text.tokens, 0
    for at in text.where(_ION_WORDS):
        start = tokens[at][0]
        if start >= past and text[start].isupper() and (match := _CUES["ion"].match(text, start)):
            past = match.end()
            yield Span(start, past, "DRUG", 0.6, "sign of an element, with an amount")


_BEGINS, _JOINS, _SECOND, _UNKNOWN = 1, 2, 4, 8


@lru_cache(maxsize=1 << 14)  # bounded: notes stream in constant memory
def _mark(word: str) -> int:
    """What a word may be, whatever stands around it: a drug begins; some words after it make a name with it; it is the
    second part of a misspelt name; no list knows it."""
    joins = _JOINS if word in _seconds() or _begins_long(word) else 0
    if word in lexicon().terms:
        return joins | _BEGINS
    if len(word) < 4 or word in words():
        return joins
    if not word[0].isalpha():
        return joins | _SECOND
    if word not in _NO_NAMES and _WORD.fullmatch(word):
        return joins | _SECOND | _BEGINS | _UNKNOWN
    return joins | _SECOND | (_BEGINS if word.isalpha() or _glued(word) else 0)


def _joins(word: str, after: str) -> bool:
    """Is a word the second of a name that another begins, or the rest of one that is split in two?"""
    if len(both := word + after) > 7 and both in lexicon().terms:
        return True
    return word in _seconds() and after in _seconds()[word]


def _begins_long(word: str) -> bool:
    """Is a word the beginning of a long name? Names that it begins stand right behind it in order."""
    names = _long_names()
    after = bisect_right(names, word)
    return after < len(names) and names[after].startswith(word)


@cache
def _long_names() -> list[str]:
    """Names of one word that may be split in two, in order."""
    return sorted([form for form in lexicon().terms if len(form) > 7 and " " not in form])


@cache
def _seconds() -> dict[str, set[str]]:
    """First word of a name of several → the second ones."""
    results: dict[str, set[str]] = {}
    for form in [form for form in lexicon().terms if " " in form]:
        first, second = form.split(" ", 2)[:2]
        results.setdefault(first, set()).add(second)
    return results


@lru_cache(maxsize=1 << 14)
def _glued(word: str) -> str:
    """The sure name in a word that ends in a number and perhaps a unit."""
    match = _GLUED.fullmatch(word)
    term = lexicon().terms.get(match[1]) if match else None
    return match[1] if match and term and term.sure else ""


def _listed(text: Text, spans: list[Span], doubtful: list[Span]) -> Iterator[Span]:
    """Doubtful forms beside a drug in a list ("neo and levo"), in a sentence with other drugs if they are nothing else,
    and those of a drug that the note names or doses elsewhere."""
    low = text.folded
    starts, ends = {span.start for span in spans}, {span.end for span in spans}
    named = {_name(low, span) for span in spans} - {""} if any(span.reason == _SHORT for span in doubtful) else set()
    for one, two in pairwise(doubtful):  # ket/prop
        if one.reason == two.reason == _SHORT and low[one.end : two.start] == "/":
            starts.add(one.start)
            ends.add(one.end)
    for span in doubtful:
        match = _LIST.match(low, span.end)
        near = [end for end in range(max(0, span.start - 14), span.start) if end in ends]
        if (
            span.start in starts
            or (match and match.end() in starts)
            or any(_LIST.fullmatch(low, end, span.start) for end in near)
        ):
            starts.add(span.start)
            ends.add(span.end)
            yield span
        elif span.reason == _SHORT and (_name(low, span) in named or _in_company(text, span, spans)):
            yield span


def _name(low: str, span: Span) -> str:
    """The generic name of what a span writes."""
    return generic(low[span.start : span.end])


def _in_company(text: Text, span: Span, spans: list[Span]) -> bool:
    """Is shorthand that is no other word, or a brand in capitals, in one sentence with a drug?"""
    low, written = text.folded, text.folded[span.start : span.end]
    capital = text[span.start].isupper()
    brand = capital and not text.caseless and len(written) > 4
    name = written in people() and (capital or text.caseless)
    if not brand and (len(written) < 4 or written in words() or name):
        return False
    before, after = low[max(0, span.start - 60) : span.start], low[span.end : span.end + 60]
    left, right = span.start - len(_STOP.split(before)[-1]), span.end + len(_STOP.split(after)[0])
    return any(left <= other.start < right for other in spans)


def _at(text: Text, at: int) -> tuple[Span | None, bool, int]:
    """What begins at a token: a span, whether it is sure, and how many tokens it takes."""
    lex, tokens = lexicon(), text.tokens
    token = tokens[at]
    mark, after = _mark(token.lower), tokens[at + 1].lower if at + 1 < len(tokens) else ""
    joined = mark & _JOINS and _joins(token.lower, after)
    term, width = _longest(text, at) if joined else (lex.terms.get(token.lower), 1)
    if width == 1 and not (term and term.sure) and _may_pair(token.lower, after) and (pair := _pair(text, at)):
        return pair, True, 2
    if term is not None and (width > 1 or token.lower not in _NO_NAMES):
        start, end = token.start, tokens[at + width - 1].end
        if _graded(text.folded, start, end) or (token.lower == "saline" and _in_a_title(text, at)):
            return None, False, width
        if term.sure:
            reason = "name of a drug" if term.name else CLASS_WORD
            return Span(start, end, "DRUG", _certainty(text, term, start, end), reason), True, width
        low, body = text.folded, lex.classes.get(term.name, ("", ""))[1] in _IN_THE_BODY
        if body and token.lower not in _FLUIDS and _measured(low, end):
            return None, False, width
        if token.lower in _SALTS and _follows_a_drug(text, at):
            return None, False, width
        sure = _supported(low, start, end) or (not body and _numbered(low, end)) or _aside(low, start, end)
        sure = sure or (token.lower in _FLUIDS and _poured(low, start, end))
        return Span(start, end, "DRUG", 0.7, _IN_BODY if body else _SHORT), sure, width
    if mark & _UNKNOWN:
        return _unlisted(text, at)
    if len(token.lower) > 3 and (glued := _glued(token.lower)):
        return Span(token.start, token.start + len(glued), "DRUG", 0.85, "name of a drug glued to a number"), True, 1
    return None, False, 1


def _certainty(text: Text, term: Term, start: int, end: int) -> float:
    """How certain a listed name is: most where nobody is called so, and still above a title where an amount follows."""
    if not term.known:
        return 0.75
    nobody = end - start > 4 and text.folded[start:end] not in people()
    if nobody or _amount_after(text.folded, end):
        return 0.95
    return 0.6 if _named(text, end) and people().get(text.folded[start:end], "") in _GIVEN else 0.92


def _named(text: Text, end: int) -> bool:
    """Does a surname in title case follow, perhaps after an initial? Yasmin M Aziz."""
    match = _SURNAME.match(text, end)
    return match is not None and people().get(match["surname"].lower(), "") in _SURNAMES


_SURNAME = re.compile(r" (?:[A-Z]\.? )?(?P<surname>[A-Z][a-z]{2,})\b")
_GIVEN, _SURNAMES = frozenset("gbGB"), frozenset("sbSB")


def _longest(text: Text, at: int) -> tuple[Term | None, int]:
    """The longest listed form that begins at a token, and how many tokens it takes."""
    lex, tokens = lexicon(), text.tokens
    word = tokens[at].lower
    best, width = lex.terms.get(word), 1
    joined, plain = word, word
    for more in range(1, max(lex.longest.get(word, 1), 2 if len(word) > 1 and word.isalpha() else 1)):
        if at + more >= len(tokens) or text[tokens[at + more - 1].end : tokens[at + more].start] not in _GAPS:
            break
        after = tokens[at + more].lower
        joined, plain = f"{joined} {after}", plain + after
        term = lex.terms.get(joined)
        if term is None and more == 1 and len(plain) > 7 and best is None:  # "nor epinephrine" is one word
            term = lex.terms.get(plain)
            term = term if term and term.known else None
        if term is not None:
            best, width = term, more + 1
    return best, width


def _pair(text: Text, at: int) -> Span | None:
    """Two words that together misspell a drug: "potasium chloride"."""
    one, two = text.tokens[at : at + 2]
    if text[one.end : two.start] not in (" ", "-"):
        return None
    return Span(one.start, two.end, "DRUG", 0.7, "misspelt name of a drug")


def _may_pair(one: str, two: str) -> bool:
    """Do two words together misspell a drug?"""
    both = one + two
    if len(one) < 5 or len(two) < 4 or len(both) < 12 or one[:2] + two[0] not in _pairs() or not both.isalpha():
        return False
    return not (one in words() and two in words()) and two not in lexicon().terms and bool(misspelt(both, False))


def _unlisted(text: Text, at: int) -> tuple[Span | None, bool, int]:
    """A word in no list: a misspelling, an ending that tells, or a cue."""
    token = text.tokens[at]
    word, low = token.lower, text.folded
    name = word in people()
    if len(word) >= 7 and not name and by_ending(word):
        return Span(token.start, token.end, "DRUG", 0.75, "ending of a name of a drug"), True, 1
    after = _amount_after(low, token.end)
    cued = after or (at > 0 and _told_before(low, token.start, text.tokens[at - 1].lower))
    if name and not cued:
        return None, False, 1
    near = bool(misspelt(word, True))
    if near and not cued and _in_a_name(text, at):
        return None, False, 1
    if near and misspelt(word, cued or _supported(low, token.start, token.end)):
        return Span(token.start, token.end, "DRUG", 0.8 if cued else 0.6, "misspelt name of a drug"), True, 1
    if near and not name and len(word) >= 5:
        return Span(token.start, token.end, "DRUG", 0.6, "misspelt name of a drug beside another"), False, 1
    least = 4 if after and not name else 5
    if not cued or word in _NEVER or word.endswith(_ENGLISH) or _follows_a_drug(text, at):
        return None, False, 1
    if len(word) >= least and (after or not name):
        return Span(token.start, token.end, "DRUG", 0.5, "unknown word where a drug stands"), True, 1
    return None, False, 1


def _follows_a_drug(text: Text, at: int) -> bool:
    """Is a word right after the name of a drug? It is a form of it, or its salt."""
    before = lexicon().terms.get(text.tokens[at - 1].lower) if at else None
    sure = before and before.name and (before.sure or text.tokens[at].lower in _SALTS)
    return bool(sure) and text.gaps[at] == " "


def _in_a_title(text: Text, at: int) -> bool:
    """Is a word in title case before another such word, as in the name of a town or a hospital?"""
    after = text.written[at + 1] if at + 1 < len(text.written) else ""
    return text.written[at].istitle() and after.istitle() and text.gaps[at + 1] == " "


def _in_a_name(text: Text, at: int) -> bool:
    """Is a word part of an address on the net, or in capitals beside a name of a person?"""
    token = text.tokens[at]
    if token.start and text[token.start - 1] in "@./_":
        return True
    if not text[token.start].isupper() or text.caseless:
        return False
    near = [text.tokens[other] for other in (at - 1, at + 1) if 0 <= other < len(text.tokens)]
    return any(
        text[other.start].isupper()
        and other.lower in people()
        and text[min(other.end, token.end) : max(other.start, token.start)] == " "
        for other in near
    )


_ENDS = "ing ed tion ment ness ly itis osis emia ectomy otomy scopy graphy uria able"
_ENGLISH = tuple(_ENDS.split())


@cache
def _pairs() -> frozenset[str]:
    """How names of two words begin: two letters and one letter."""
    forms = (
        form.split(" ") for form, term in lexicon().terms.items() if term.known and term.sure and form.count(" ") == 1
    )
    return frozenset(one[:2] + two[0] for one, two in forms)


def _supported(low: str, start: int, end: int) -> bool:
    """Do the words around speak of a drug?"""
    return bool(_CUES["after"].match(low, end) or _CUES["before"].search(low, max(0, start - _NEAR), start))


def _aside(low: str, start: int, end: int) -> bool:
    """Is a drug named aside, without an amount: "no bicarb.", "after mag,", "…, mero if worse"?"""
    if _CUES["in_case"].match(low, end):
        return bool(_CUES["listed"].search(low, max(0, start - 3), start))
    return bool(_CUES["aside_after"].match(low, end) and _CUES["aside_before"].search(low, max(0, start - 12), start))


def _poured(low: str, start: int, end: int) -> bool:
    """Is shorthand for a fluid beside a volume ("500 LR", "NS 1000", "30/kg of LR")?"""
    return bool(_CUES["volume_after"].match(low, end) or _CUES["volume_before"].search(low, max(0, start - 12), start))


def _numbered(low: str, end: int) -> bool:
    """Does a bare number or a level come next, as after shorthand for a drug ("vaso .04", "dig level")?"""
    return bool(_CUES["number"].match(low, end) or _CUES["level"].match(low, end))


def _amount_after(low: str, end: int) -> bool:
    """Does an amount come next that leaves no doubt?"""
    return bool(_CUES["after_strong"].match(low, end))


def _told_before(low: str, start: int, word: str) -> bool:
    """Do the words before leave no doubt? `word` is the last one."""
    return word in _LAST_OF_CUES and bool(_CUES["before_strong"].search(low, max(0, start - _NEAR), start))


def _measured(low: str, end: int) -> bool:
    """Is a substance of the body followed by its value?"""
    return bool(_CUES["value"].match(low, end))


def _graded(low: str, start: int, end: int) -> bool:
    """Is ASA a class of fitness for anaesthesia rather than aspirin?"""
    return low[start:end] == "asa" and bool(_CUES["grade"].match(low, end))
