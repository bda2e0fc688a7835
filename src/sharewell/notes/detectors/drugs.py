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
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.drug_lexicon import Term, by_ending, key, lexicon
from sharewell.notes.lexicons import people, words
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_AMOUNT = (
    r"(?:\d[\d,]*(?:\.\d+)?|\.\d+|one|two|three|four|five|ten|half|an?)(?: ?(?:-|to) ?\d+(?:\.\d+)?)?[ -]?"
    r"(?:mgs?|mcgs?|ugs?|µg|μg|gms?|g|grams?|milligrams?|micrograms?|meqs?|mmol|units?|u|mls?|ccs?|tabs?"
    r"|tablets?|caps?|capsules?|pills?"
    r"|puffs?|amps?|ampules?|ampoules?|vials?|gtts?|drops?|liters?|l|nebs?|runs?|riders?)(?:/(?:kg|hr?"
    r"|hour|min|day)){0,3}"
)
_AFTER = re.compile(
    r"[ \t]*(?:\(|,|-|:|at|@|to|was|of|dose|infusion|drip)?[ \t]*(?:at |@ ?)?" + _AMOUNT + r"(?![\w]|/(?:dl|l|ml)\b)"
    r"|[ \t]*(?:at|@) ?\d|[ \t]*1 ?: ?\d{2}|[ \t]*\d{1,2}%"
    r"|[ \t](?:chlo|sulf|phos|gluc)[a-z]+|[ \t]+(?:toxicity|toxic|allergy)\b"
    r"|[ \t-]*(?:drips?|gtts?|infusions?|bolus(?:es)?|ivpb|ivp|ivss|pca|syringes?|vials?|ampules?|tablets?"
    r"|tabs?|capsules?|inhalers?|nebs?|nebulizers?|"
    r"patch(?:es)?|pills?|iv|po|im|sq|subq|sc|pushe?d?|boluse?d|dose|doses|supplement(?:s|ation)?"
    r"|replacements?|repletion|riders?|runs?|overdose|"
    r"(?:was |were |is |been )?(?:not )?(?:given|stopped|weaned|titrated|infusing|restarted|hung|bolused"
    r"|discontinued|administered|d/?c'?e?d|(?:running|infusing) at))\b"
)
_AFTER_STRONG = re.compile(
    r"[ \t]*(?:at )?(?:\d[\d,]*(?:\.\d+)?|\.\d+) ?(?:mgs?|mcgs?|ug|gm?|meq|units?|tabs?|tablets?"
    r"|puffs?)(?:/(?:kg|hr?|hour|min)){0,2}(?![\w]|/(?:dl|l|ml)\b)"
    r"|[ \t]*(?:drips?|gtts?|infusion|ivpb|ivp|tablets?|tabs?)\b"
)
_BEFORE = re.compile(
    r"(?:\bon"
    r"|\b(?:dos(?:e|es|age)|bolus(?:es)?|drip|gtt|infusion|amps?|ampules?|tabs?|tablets?|push|bag|syringe"
    r"|vial|course|rate|concentration|administration|units|mg|mcg|gm?|meq|ml|cc|rx|prescription"
    r"|order) (?:of|for)"
    r"|\b(?:given|gave|received|receiving|administered|hung|hanging|restarted|titrat(?:e|ed|ing)"
    r"|bolused(?: with)?|wean(?:ed|ing)?(?: off)?|off|iv|po|ivp|im|sent|instead of|rather than|allergic to"
    r"|allergy to|prescribed|taking|takes|taken|used|uses|tried"
    r"|start(?:ed|ing)?|stopped|held|discontinued|infus(?:ed|ing)|ordered|replaced with|repleted with"
    r"|pushed|resumed?|prn"
    r"|(?:\d|\.\d+|\d\d+) ?(?:mgs?|mcgs?|ug|gm?|grams?|meqs?|mmol|units?|u|mls?|cc|amps?|ampules?|tabs?|l|liters?)))"
    r"(?: (?:of|iv|po|the|a|an|some|his|her|more|additional|extra|first|second|high|low|dose|home|both"
    r"|wrong|more|prn|maximum|max|continuous)){0,2}[ \t]+$"
)
_BEFORE_STRONG = re.compile(
    r"\b(?:(?:patient|pt) (?:is |was |had been |remained |currently )?on(?: an?)?|(?:(?:over)?dos(?:e|es"
    r"|age)|bolus|infusion|drip|gtt|mg|mcg|gm?|meq|units|concentration) of|started on(?: an?)?(?: iv)?"
    r"|maintained on|allergic to|allergy to)[ \t]+$"
)
_VALUE = re.compile(
    r"(?:['’]s)? ?(?:levels?|lab|values?|of|was|is|=|:|were|at|came|result|from|-|\()? ?(?:back |low "
    r"|high |elevated |noted |at |of |down |up )?(?:to )?[<>]?\d+(?:\.\d+)?"
    r"(?![\d.]| ?(?:mgs?|mcg|gm?|grams?|meqs?|mmol|units?|u|mls?|cc|amps?|tabs?|tablets?|/hr|%)(?!\w"
    r"|/(?:dl|l|ml)\b))|(?:['’]s)? (?:levels?|labs?|values?|deficiency|channel|intake|diet|balance"
    r"|concentration)\b"
)
_GAPS = frozenset([" ", "-", "/", " / ", "'", "’", " #", "#", "–", ". ", " - ", "."])
_LIST = re.compile(r"(?:,? ?(?:and|or|then|vs|versus|plus|instead of|for|with|&|\+|/|,) ?(?:iv |po )?|/|, )")
_STOP = re.compile(r"[.;!?]\s|\n")
_NO_NAMES = frozenset(
    [
        "cortisol",
        "insulin-like",
        "histamine",
        "dopaminergic",
        "dobhoff",
        "glucometer",
        "creatinine",
        "subclavian",
        "norepinephrin",
        "troponin",
        "lactate",
        "ferritin",
        "hemoglobin",
        "transferrin",
        "bilirubin",
        "amylase",
        "lipase",
        "prolactin",
        "thyroglobulin",
        "calcitonin",
        "gastrin",
        "renin",
        "albumin",
        "globulin",
        "gamma",
        "fibrinogen",
        "haptoglobin",
        "ceruloplasmin",
        "homocysteine",
        "procalcitonin",
        "gelatin",
        "pectin",
        "lecithin",
        "lanolin",
        "collagen",
        "elastin",
        "keratin",
        "antigen",
        "ethanol",
        "alcohol",
        "methanol",
        "acetone",
        "oxygen",
        "nitrogen",
        "helium",
        "water",
        "levofed",
        "extubated",
        "intubated",
        "reintubated",
        "cholesterol",
        "triglycerides",
        "peanut",
        "shellfish",
        "gluten",
        "lactose",
        "latex",
        "silicone",
        "albumen",
        "plasma",
        "platelet",
        "platelets",
        "platlets",
        "sepsis",
        "stent",
        "mucocyst",
        "mucocysts",
    ]
)
"""Of the longer list or near to a drug, but said of labs, foods and devices."""
_NEVER = frozenset(
    [
        "medication",
        "medications",
        "meds",
        "drug",
        "drugs",
        "patient",
        "pt",
        "icu",
        "order",
        "unit",
        "nurse",
        "pump",
        "rate",
        "line",
        "fluid",
        "fluids",
        "blood",
    ]
)
_WORD = re.compile(r"[a-z]+")
_GLUED = re.compile(r"([a-z]{4,})\d+(?:mg|mcg|g|gm|meq|ml|units?|u)?")
_IN_THE_BODY = frozenset(["fluid and electrolyte", "vitamin or mineral", "hormone", "antidiabetic"])
"""Groups of substances that a laboratory measures in everybody."""
_NEAR = 48
_HEAD = 8
"""Only so many letters are left out of; the rest of a candidate is compared afterwards."""


class Drugs:
    """Finds names of drugs and words for their classes."""

    name: ClassVar[str] = "drugs"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        cached = text.__dict__.get("_drugs")
        if cached is None:
            cached = text.__dict__["_drugs"] = _found(text)
        return list(cached)


def _found(text: Text) -> list[Span]:
    found: list[Span] = []
    doubtful: list[Span] = []
    tokens, at = text.tokens, 0
    lex, english = lexicon(), words()
    plain = [(low := token.lower) in english or low.isdigit() for token in tokens] + [True]
    while at < len(tokens):
        word = tokens[at].lower
        split = len(word) < 5 and at + 1 < len(tokens) and tokens[at + 1].lower in lex.terms  # "nor epinephrine"
        if plain[at] and plain[at + 1] and not split and word not in lex.terms and word not in lex.longest:
            at += 1  # most words of a note
            continue
        span, sure, width = _at(text, at)
        if span is not None:
            (found if sure else doubtful).append(span)
        at += width
    return sorted([*found, *_listed(text, found, doubtful)], key=lambda span: span.start)


def _listed(text: Text, found: list[Span], doubtful: list[Span]) -> Iterator[Span]:
    """Doubtful forms beside a drug in a list ("neo and levo"), and brands in a sentence with other drugs."""
    low = text.folded
    starts, ends = {span.start for span in found}, {span.end for span in found}
    for span in doubtful:
        match = _LIST.match(low, span.end)
        near = [end for end in range(max(0, span.start - 14), span.start) if end in ends]
        if (match and match.end() in starts) or any(_LIST.fullmatch(low, end, span.start) for end in near):
            starts.add(span.start)
            ends.add(span.end)
            yield span
        elif (
            span.reason.startswith("short")
            and text[span.start].isupper()
            and not text.caseless
            and span.end - span.start > 4
        ):
            before, _, after = low[max(0, span.start - 60) : span.end + 60].partition(low[span.start : span.end])
            left, right = span.start - len(_STOP.split(before)[-1]), span.end + len(_STOP.split(after)[0])
            if any(left <= other.start < right for other in found):
                yield span


def _at(text: Text, at: int) -> tuple[Span | None, bool, int]:
    """What begins at a token: a span, whether it is sure, and how many tokens it takes."""
    lex, tokens = lexicon(), text.tokens
    token = tokens[at]
    term, width = _longest(text, at)
    if width == 1 and not (term and term.sure) and (pair := _pair(text, at)):
        return pair, True, 2
    if term is not None and token.lower not in _NO_NAMES:
        start, end = token.start, tokens[at + width - 1].end
        if term.sure:
            reason = "name of a drug" if term.name else "word for a class of drugs"
            return Span(start, end, "DRUG", 0.92 if term.known else 0.75, reason), True, width
        if lex.classes[term.name][1] in _IN_THE_BODY and _VALUE.match(text.folded, end):
            return None, False, width
        sure = _supported(text.folded, start, end)
        return Span(start, end, "DRUG", 0.7, "shorthand for a drug, by its context"), sure, width
    if not token.lower[:1].isalpha() or len(token.lower) < 4:
        return None, False, 1
    if glued := _GLUED.fullmatch(token.lower):
        term = lex.terms.get(glued[1])
        if term is not None and term.sure:
            return (
                Span(token.start, token.start + len(glued[1]), "DRUG", 0.85, "name of a drug glued to a number"),
                True,
                1,
            )
    return _unlisted(text, at)


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
    one, *rest = text.tokens[at : at + 2]
    if not rest or len(one.lower) < 5 or text[one.end : rest[0].start] not in (" ", "-"):
        return None
    both = one.lower + rest[0].lower
    if (
        len(both) < 12
        or one.lower[:2] + rest[0].lower[0] not in _pairs()
        or not both.isalpha()
        or (one.lower in words() and rest[0].lower in words())
    ):
        return None
    if len(rest[0].lower) < 4 or lexicon().terms.get(rest[0].lower) or not _misspelt(both, False):
        return None
    return Span(one.start, rest[0].end, "DRUG", 0.7, "misspelt name of a drug")


def _unlisted(text: Text, at: int) -> tuple[Span | None, bool, int]:
    """A word in no list: a misspelling, an ending that tells, or a cue."""
    token = text.tokens[at]
    word, low = token.lower, text.folded
    if word in words() or word in _NO_NAMES or not _WORD.fullmatch(word):
        return None, False, 1
    before = bool(_BEFORE_STRONG.search(low, max(0, token.start - _NEAR), token.start))
    after = bool(_AFTER_STRONG.match(low, token.end))
    cued = before or after
    name = word in people()
    if len(word) >= 7 and not name and by_ending(word):
        return Span(token.start, token.end, "DRUG", 0.75, "ending of a name of a drug"), True, 1
    if (cued or not name) and _misspelt(word, cued or _supported(low, token.start, token.end)):
        return Span(token.start, token.end, "DRUG", 0.7 if cued else 0.6, "misspelt name of a drug"), True, 1
    if not name and len(word) >= 5 and _misspelt(word, True):
        return Span(token.start, token.end, "DRUG", 0.6, "misspelt name of a drug beside another"), False, 1
    if cued and len(word) >= 5 and (after or not name) and word not in _NEVER and not word.endswith(_ENGLISH):
        return Span(token.start, token.end, "DRUG", 0.5, "unknown word where a drug stands"), True, 1
    return None, False, 1


_ENGLISH = (
    "ing",
    "ed",
    "tion",
    "ment",
    "ness",
    "ly",
    "itis",
    "osis",
    "emia",
    "ectomy",
    "otomy",
    "scopy",
    "graphy",
    "uria",
    "able",
)


def _supported(low: str, start: int, end: int) -> bool:
    """Do the words around speak of a drug?"""
    return bool(_AFTER.match(low, end) or _BEFORE.search(low, max(0, start - _NEAR), start))


@cache
def _pairs() -> frozenset[str]:
    """How names of two words begin: two letters and one letter."""
    forms = (
        form.split(" ") for form, term in lexicon().terms.items() if term.known and term.sure and form.count(" ") == 1
    )
    return frozenset(one[:2] + two[0] for one, two in forms)


@cache
def _index() -> dict[str, tuple[str, ...]]:
    """Beginnings of names with up to two letters left out → the names."""
    found: dict[str, list[str]] = {}
    for form, term in lexicon().terms.items():
        form = form.replace(" ", "", 1) if len(form) >= 12 else form
        if term.known and term.sure and len(form) >= 5 and form.isalpha():
            for short in _shorter(form, _allowed(len(form), True)):
                found.setdefault(short, []).append(form)
    return {short: tuple(forms) for short, forms in found.items()}


def _allowed(length: int, cued: bool) -> int:
    """How many letters may differ."""
    if cued:
        return 0 if length < 4 else 1 if length < 7 else 2
    return 0 if length < 6 else 1 if length < 9 else 2


def _shorter(word: str, letters: int) -> set[str]:
    """The beginning of a word with up to so many letters left out, never the first one."""
    head = word[:_HEAD]
    found = {head}
    if letters:
        found |= (once := {head[:i] + head[i + 1 :] for i in range(1, len(head))})
    if letters > 1:
        found.update(part[:i] + part[i + 1 :] for part in once for i in range(1, len(part)))
    return found


@lru_cache(maxsize=20_000)  # bounded: notes stream in constant memory
def _misspelt(word: str, cued: bool) -> str:
    """The drug that a word misspells, or nothing."""
    best, least = "", 3
    index = _index()
    for short in _shorter(word, _allowed(len(word), cued)):
        for name in index.get(short, ()):
            allowed = min(_allowed(len(word), cued), _allowed(len(name), cued))
            if word[0] == name[0] and (apart := _distance(word, name)) <= allowed and apart < least:
                best, least = name, apart
    return best


def _distance(one: str, two: str) -> int:
    """Letters inserted, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def meant(written: str) -> str:
    """The listed form that a written one stands for, misspelt or split as it may be; itself if nobody knows it.

    >>> meant("norephinephrine"), meant("Potasium chloride"), meant("pressors")
    ('norepinephrine', 'potassium chloride', 'pressors')
    """
    lex, low = lexicon(), key(written)
    if low in lex.terms:
        return low
    joined = low.replace(" ", "")
    form = joined if joined in lex.terms else _misspelt(joined, True)
    return (form if form in lex.terms else _two_words().get(form, "")) or low


@cache
def _two_words() -> dict[str, str]:
    """Names of two words, written as one → as they are."""
    return {
        form.replace(" ", ""): form for form, term in lexicon().terms.items() if term.known and form.count(" ") == 1
    }
