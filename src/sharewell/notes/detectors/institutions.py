"""Institutions in any case: a name, and the words for a kind of house behind it.

"royal poole infirmary", "COOPER & JONES LLC", "turner's pharmacy", "our lady of sorrows medical center": without the
help of capitals, the words for a house tell where a name ends, and what stands before it is read backwards as long as
it is a place, a surname, a word English does not know, or a word such as "royal". "ortho clinic" and "the pain center"
name nobody. `tail_end` says how far the words for a house go behind a name that was found otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sharewell.notes.detectors.capitals import SENTENCE_WORDS, gap
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND
from sharewell.notes.engine.gazetteer import countries, places, plain
from sharewell.notes.engine.lexicons import eponyms, people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed

STRONG = lexicon("institutions_strong")
"""Words that end a name of a house wherever a name stands before them."""
WEAK = lexicon("institutions_weak")
"""Words that do so after a place, or where "at", "from" or "to" stands before the name."""
_PAIRS = frozenset(
    phrase.strip()
    for line in """
    medical center | medical centre | medical group | medical practice | medical associates | medical clinic
    health center | health centre | health system | health services | health clinic | health department | health trust
    health care | urgent care | primary care | eye care | nursing home | care home | funeral home | rest home
    care center | care centre | nursing center | nursing centre | assisted living | supported living | senior living
    independent living | skilled nursing | heart associates | pain spine | and spine
    auto body | auto repair | auto parts | auto sales | body shop | barber shop | and die | tool die | cold storage
    self storage | shopping centre | shopping center | shopping mall | state park | national park | caravan park
    trailer park | retail park | business park | industrial estate | public works | works department | police department
    fire department | law centre | law firm | law office | community center | community centre | leisure centre
    sports centre | mental health | behavioral health | post office | truck stop
    gas station | train station | bus station | police station | fire station | fire hall | chapter house | high school
    middle school | primary school | credit union | savings bank | steel works | car wash | meat packing | and sons
    funeral directors | funeral parlour | retirement village | retirement community | housing estate | air base
    air force | naval base | army depot | general hospital | day care | animal hospital | general store | hair salon
    nail salon | and partners | and associates | and co | and daughters | sheriff s | county jail
    correctional facility | correctional center | detention center | residential home | surgery center | surgery centre
    dental care
    foot and ankle | and ankle | ear nose | physical therapy | fertility center | blood bank | cancer center
    food bank | youth club | golf club | rugby club | football club | cricket club | country club
    """.strip().splitlines()
    for phrase in line.split("|")
)
_MIDDLE = lexicon("institutions_middle")
_MIDDLE |= frozenset(phrase.split()[0] for phrase in _PAIRS) - {"and", "sheriff"}
"""What may stand between a name and the last word for a house."""
_JOINERS = frozenset(("and", "of"))
_GAPS = frozenset((" ", "  ", "-", "'", "’", " & ", ". "))
_NAME_GAPS = frozenset((" ", "  ", "-", " & ", "'", "’"))
_MOST = 7
_BEFORE = listed("at from in to for by near the via of @ outside into toward towards with and or is was per called")
_PREFIXES = listed(
    """
    royal queen king prince princess saint st sainte mount mt north south east west new old upper lower great little
    port lake fort ft sacred holy san santa good our
    """
)
_ROYAL = listed("royal queen king prince princess saint st sainte mount mt fort ft san santa")
_NATURE = lexicon("institutions_nature")
PLAIN_KINDS = lexicon("institutions_plain_kinds")
_AFTER_NOT = listed("stay course bed day days admission admissions acquired visit records policy wide based nurse")


def tail_end(text: Text, at: int, weak: bool) -> int:
    """Which token stands after the words for a house that begin at one, right behind a name; the same one if none do.

    With `weak`, also after words that mean a house only behind a place.
    """
    tokens, low = text.tokens, text.lowered
    best = at
    end = at
    last = min(len(tokens), at + _MOST)
    while end < last:
        word, joint = low[end], gap(text, end, end)
        if joint not in _GAPS or (joint == ". " and low[end - 1] != "st"):
            break
        if word == "s" and joint not in ("'", "’"):
            break
        if word == "in" and (joint != "-" or low[end - 1] not in ("walk", "drop")):
            break
        if end == at and word in _JOINERS and not (end + 1 < last and f"{word} {low[end + 1]}" in _PAIRS):
            break
        if _is_tail(low[end - 1] if end > at else "", word, weak):
            best = end + 1
        elif word not in _MIDDLE and word not in _JOINERS:
            break
        end += 1
    alone = best == at + 1 and best < len(tokens) and gap(text, at, best) == " "
    return at if alone and low[best] in _AFTER_NOT else best


def _is_tail(before: str, word: str, weak: bool) -> bool:
    return word in STRONG or (weak and word in WEAK) or (bool(before) and f"{before} {word}" in _PAIRS)


def housed(text: Text, kind: str, start: int, end: int) -> tuple[int, int]:
    """A name that was found, with the words for a house behind it and "royal" or "st" before it, in any case."""
    starts, low = text.starts, text.lowered
    first = starts.get(start, 0)
    before = low[first - 1] if first and text.gaps[first] in (" ", "  ", ". ") else ""
    at = starts.get(end + 1) or starts.get(end + 2) or starts.get(end + 3) or 0
    grown = end
    if at and text.gaps[at] in _GAPS and low[at] in _BEHIND and low[at - 1] not in _NO_NAMES:
        after = tail_end(text, at, kind != "NAME" or before in _BEFORE or before in _PREFIXES)
        part = after == at + 1 and low[at] in _PARTS and text.written[at].islower() and not text.caseless
        if after > at and before not in _TITLES and not (part and not text[start].islower()):
            grown = text.tokens[after - 1].end
    royal = before in _ROYAL and not text.written[first - 1].istitle() and (grown > end or kind != "NAME")
    if royal or (before == "the" and grown > end and low[at] == "practice"):
        start = text.tokens[first - 1].start
    return start, grown


_PARTS = listed("lab labs nursery warehouse church store stores bakery ortho clinic library drug drugs base station")
"""In small letters after a name with capitals they are a part of the house, or any house there."""
_TITLES = TITLES | listed("mx sr sister nurse")
_LAST = STRONG | WEAK | frozenset(pair.split()[1] for pair in _PAIRS)


_IN_PAIRS = listed("body die spine storage living works park ankle estate stop")
"""Last words that mean a house only in pairs: Auto Body, Tool and Die."""
_BEHIND = _LAST | _MIDDLE | _JOINERS
_NO_NAMES = PLAIN_KINDS | SHORTHAND


def institutions(text: Text) -> Iterator[Span]:
    """Names before words for a house, where capitals do not tell."""
    low, tokens, written, caseless = text.lowered, text.tokens, text.written, text.caseless
    past = -1
    for at in text.where(_LAST):
        if at <= past or (not caseless and written[at].istitle() and low[at] not in _IN_PAIRS):
            continue  # other rules read capitals
        first = at
        while first and at - first < _MOST - 1 and gap(text, first - 1, first) in _GAPS:
            word = low[first - 1]
            if word == "in" and gap(text, 0, first - 1) != "-":
                break
            if not (word in _MIDDLE or word in _JOINERS) or (word == "s" and gap(text, 0, first - 1) not in ("'", "’")):
                break
            first -= 1
        for begin in range(first, at + 1):  # a word such as "county" may belong to the name itself
            start = _name_start(text, begin)
            if start == begin:
                continue
            end = tail_end(text, begin, True)
            if end > begin and _counts(text, start, begin, end):
                past = end
                yield Span(tokens[start].start, tokens[end - 1].end, "ORGANISATION", 0.6, "name and words for a house")
            break


def holy(text: Text) -> Iterator[Span]:
    """Our Lady of …, St …, where capitals do not tell."""
    low, tokens = text.lowered, text.tokens
    for at in text.where(_HOLY):
        if not text.caseless and text.written[at].istitle():
            continue
        name = at + 1
        if low[at] == "our":
            name = at + 3 + (low[at + 3 : at + 4] == ["the"])
            if low[at + 1 : at + 3] != ["lady", "of"]:
                continue
        if name >= len(low) or len(low[name]) < 3 or gap(text, name - 1, name) not in (" ", ". "):
            continue
        told = at == 0 or low[at - 1] in _BEFORE or gap(text, at - 1, at) not in (" ", "  ")
        known = weight(low[name])
        end = tail_end(text, name + 1, True)
        if low[at] == "our" or (known == 3 and told and low[name] in people()) or (known and end > name + 1):
            yield Span(tokens[at].start, tokens[end - 1].end, "ORGANISATION", 0.6, "house named after a saint")


_HOLY = listed("our st saint sainte")


def homes(text: Text) -> Iterator[Span]:
    """The Elms at Poole: what homes and estates are called."""
    low, tokens, written = text.lowered, text.tokens, text.written
    for at in text.where(_AT):
        if at < 2 or at + 1 >= len(low) or low[at - 2] != "the" or text.gaps[at] != " " or text.gaps[at + 1] != " ":
            continue
        titled = not text.caseless and written[at - 1].istitle() and written[at + 1].istitle()
        if (titled and written[at - 2] == "The") or (low[at - 1] in _NATURE and plain(low[at + 1]) in places().marks):
            yield Span(tokens[at - 2].start, tokens[at + 1].end, "ORGANISATION", 0.6, "home at a place")


_AT = frozenset(["at"])


def acronyms(text: Text) -> Iterator[Span]:
    """QEUH, krmc: a hospital by its letters, where the note says that somebody is, comes from or goes there."""
    low, written, tokens = text.lowered, text.written, text.tokens
    formed_like = [word for word in text.words if word.endswith(_ENDS) and 2 < len(word) < 7 and word not in words()]
    for at in sorted({*text.where(_HOSPITALS), *(at for word in formed_like for at in text.positions[word])}):
        there = at > 0 and low[at - 1] in _THERE and text.gaps[at] == " "
        there = there or (at + 1 < len(low) and low[at + 1] in _THEN)
        word = low[at]
        if not (written[at].isupper() or text.caseless):
            continue
        formed = there and word not in _NO_HOSPITALS and _LETTERS.fullmatch(word)
        if low[at - 1 : at] == ["milan"] or low[at + 1 : at + 2] in (["criteria"], ["in"], ["out"]):
            continue  # who may have a new liver
        beside = there or (written[at].isupper() and text.upper_share < 0.4)
        if formed or (word in _HOSPITALS and beside):
            yield Span(tokens[at].start, tokens[at].end, "ORGANISATION", 0.56, "hospital by its letters")


_THERE = listed("from at to via transferred transfer xfer @ into")
_THEN = listed("transfer xfer txfr ed er ward icu campus records")
_ENDS = ("mc", "gh", "uh", "rh", "mh")
_LETTERS = re.compile(r"[a-z]{1,3}(?:mc|gh|uh|rmc|vamc|rh|mh)")
_NO_HOSPITALS = listed(
    "pmh fmh psh cmc mmc pbmc bmc crh trh gnrh ghrh lhrh tmc pmc hgh rgh gmh omh ugh rch dmc smh adh"
)
_HOSPITALS = lexicon("institutions_hospitals")
"""Hospitals that go by their letters."""


def _name_start(text: Text, end: int) -> int:
    """Where a name begins that ends before a token; the same token if none does."""
    start = end
    while start and end - start < 4 and (start == 0 or gap(text, start - 1, start) in _NAME_GAPS or start == end):
        if gap(text, start - 1, start) not in _GAPS:
            break
        word = text.lowered[start - 1]
        if word == "s":
            break
        if word in ("of", "the") and start < end and _lady(text, start - 1):
            return _lady(text, start - 1) - 1
        if not (weight(word) or (start < end and word in _PREFIXES)):
            break
        start -= 1
    if start < end and start and text.lowered[start - 1] in ("st", "mt", "ft") and gap(text, start - 1, start) == ". ":
        start -= 1
    return start


def _lady(text: Text, at: int) -> int:
    """One more than the token where "our lady of (the)" begins that ends at a token; 0 if none does."""
    low = text.lowered
    if low[at] == "the":
        at -= 1
    return at - 1 if at > 1 and low[at] == "of" and low[at - 1] in ("lady", "sisters") and low[at - 2] == "our" else 0


@cache
def weight(word: str) -> int:
    """3: a place, a surname or no word at all; 2: a word that many houses are named after; 1: a surname that is an
    everyday word; 0: no part of a name."""
    bare = plain(word)
    if len(bare) < 3 or not bare.isalpha() or bare in SENTENCE_WORDS or bare in PLAIN_KINDS or bare in SHORTHAND:
        return 0
    if bare in PRODUCTS or bare in _MIDDLE or bare in _LAST or bare in countries() or eponyms().get(bare) is False:
        return 0
    level = words().get(bare)
    listed_one = bare in people() or bare in places().marks
    if level is None or level == "4":
        return 3 if listed_one else 3 * (len(bare) > 4 and level is None and not _of_medicine(bare))
    if bare in _NATURE:
        return 2
    if listed_one and level in "23":
        return 2
    return int(bare in people() and people()[bare] in "SB")


_MEDICAL = re.compile(r".*(?:ology|ologist|iatric|iatrics|ectomy|oscopy|otomy|ic|al|ive|pathy|ing|itis|tion|ed|cillin)")


def _of_medicine(word: str) -> bool:
    return _MEDICAL.fullmatch(word) is not None


def _counts(text: Text, start: int, begin: int, end: int) -> bool:
    """Is it a name? In the case of the words for a house, told by its words or by what stands around them."""
    low, tokens = text.lowered, text.tokens
    if not text.caseless:
        said, tail = text[tokens[start].start : tokens[begin - 1].end], text[tokens[begin].start : tokens[end - 1].end]
        if said[0].isupper() and tail[0].isupper() and tail[-2:].islower():
            return low[end - 1] in _IN_PAIRS and any(map(weight, low[start:begin]))
        if said != said.lower() and not (said.isupper() and tail.isupper()):
            return False  # other rules read capitals
        if tail != tail.lower() and not tail.isupper():
            return False
    weights = [weight(word) for word in low[start:begin]]
    head = low[end - 1]
    strong = head in STRONG or end - begin > 1
    told = start == 0 or low[start - 1] in _BEFORE or gap(text, start - 1, start) not in (" ", "  ")
    if 3 in weights:
        return strong or told
    royal = low[start] in _ROYAL or low[start] == "our"
    if royal and any(weights[1:]):
        return strong
    if 2 in weights:
        return told and (strong or head in ("clinic", "ward", "house", "lodge", "manor"))
    return told and strong and end - begin > 1 and low[begin] != "s"
