"""The language of a note, by the share of words that hold its sentences together; and when nobody can tell.

Detectors know English. In another language they find little, and a note in which little is found looks clean. So a note
is taken for English unless something speaks against it: letters of another script, stop words of another language, a
quarter of the note in another language, or long words of which English knows hardly any. Such a note is not judged
clean; whoever releases notes withholds it and counts it.

A telegram is no foreign tongue. Abbreviations, numbers and words below five letters are no evidence at all ("Pt s/p
CABG POD2, afeb, VSS"), nor are names and drugs, so that short notes, vital signs and lists of numbers pass. Only where
there are eight long words and English stop words are missing must English know most of the long words.

>>> judge("Der Patient wurde gestern mit Schmerzen in der Brust aufgenommen und ist nun stabil.").language
'de'
>>> english("BP 120/80 HR 72 afeb, d/c home"), english("Пациент поступил вчера с болью в груди")
(True, False)

What it does not do: tell apart languages that share their stop words, or find single foreign words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from sharewell.notes.gazetteer import plain
from sharewell.notes.lexicons import people, words
from sharewell.notes.stop_words import STOP_WORDS

ENGLISH = "en"
_STOP_WORDS = {
    "cs": "a aby ale ani ano jak jako je jeho její jsem jsou již k kde která které který na nebo není od po pod"
    " podle pro"
    " protože před při s se si ten tím to u v ve však z za že byl byla bylo",
    "da": "af alle at blev da de den der det dig du efter eller en er et for fra har havde hun i ikke jeg kan med"
    " men mig og"
    " også om på sig skal som til ud under var ved vi vil være",
    "de": "aber als am an auch auf aus bei bis das dass dem den der des die durch ein eine einem einen einer er es"
    " für haben"
    " hat ich ihr im in ist kein keine mit nach nicht noch nur oder seit sich sie sind über um und unter von vor war"
    " wegen wir wird wurde zu zum zur",
    "es": "al como con cuando de del desde donde el ella en entre era es esta este fue ha hace hasta la las le lo"
    " los más me"
    " muy no o para pero por porque que se sin sobre son su sus también tiene un una y ya",
    "fi": "ei eikä ennen että he hän ja jo joka kanssa kun kuin me mutta myös ne niin nyt ole oli olla on ovat se"
    " sekä sen tai tämä vain vielä",
    "fr": "à au aux avec ce ces cette dans de depuis des du elle en est et il ils je la le les leur mais ne nous on"
    " ou où par"
    " pas plus pour qui que sa sans ses si son sont sur un une vous était",
    "hu": "a az egy és hogy nem is van volt meg már csak de ha mint még ki el be le fel után alatt között miatt ezt"
    " azt",
    "it": "a al alla anche che ci come con da dal dei del della delle di e è era gli ha hanno il in la le lo ma nel"
    " nella non"
    " o per più quando questo se si sono su un una",
    "nl": "aan al als bij dat de die dit door een en er haar heeft het hij ik in is je kan maar met naar niet nog of"
    " om ook"
    " op over te tot uit van voor was wat werd wordt ze zij zijn",
    "pl": "a ale był była było czy dla do i ich jak jako jego jej jest już lub ma może na nie od o oraz po pod przez"
    " przy"
    " się są tak to w we z za ze że który która",
    "pt": "a ao as com como da das de do dos e ela ele em entre era foi há mais mas muito na nas não no nos o os ou"
    " para pela"
    " pelo por quando que se sem seu sua também tem um uma",
    "ro": "a al au că care ce cu de din după este eu fi în la le mai nu o pe pentru pot prin sau se sunt și un una"
    " unei",
    "sv": "alla att av blev de den det du där efter eller en ett från för ha har hade hon han i inte jag kan med men"
    " mot när"
    " och om på sig ska som till under upp ut var vid vi är",
    "tr": "ama bir bu çok da daha de değil en gibi için ile ise kadar ki mi ne o olan olarak olduğu sonra şu ve veya"
    " var ya",
    "af": "aan as by dat die dit en ek het hom hulle hy in is kan maar met na nie nog of om ons op sal sy te toe uit"
    " van"
    " vir was wat word",
    "id": "ada adalah akan atau bisa dalam dan dari dengan di dia ini itu karena ke namun oleh pada saat saya sebagai"
    " sudah telah tidak untuk yang",
    "hi": "aap aur hai hain ho hota ka kar ke ki ko kya main mein nahi par se tha toh wala yeh woh bhi",
}  # fmt: skip
"""Language → words that hold its sentences together; facts of each language, the most frequent ones."""
_WORD = re.compile(r"[^\W\d_]+")
_WINDOW = 14
_FEWEST = 8
"""So many words at least are needed for a judgement."""
_SOME = 0.14
"""A share of stop words that a text of running words reaches, and a list of words does not."""
_LONG = 8
"""So many long words at least, if English is denied for want of known ones."""
_MIXED = 0.25
"""More of a note than that in another language: it is mixed."""
_KNOWN = 0.4
"""Without stop words, English must know that share of the long words."""
_LETTERS = 60
"""Few words of many letters are no words."""
_MOST = 400
"""So many windows are looked at; of a longer note every second, third, …"""


class Judged(NamedTuple):
    """A language as a code of two letters, or None; the share of its stop words; how many words were judged."""

    language: str | None
    share: float
    tokens: int


def english(text: str) -> bool:
    """Whether a note may be treated as English. False: withhold it."""
    return judge(text).language == ENGLISH


def judge(text: str) -> Judged:
    """The language of a text. None: another script, a mixture, or nothing that speaks for any language known here."""
    said = [word.lower() for word in _WORD.findall(_composed(text))]
    if _foreign_script(said):
        return Judged(None, 0.0, len(said))
    counted = [word for word in said if len(word) > 1]
    if len(counted) < _FEWEST:
        letters = sum(map(len, counted))
        unknown = [word for word in counted if len(word) > 4 and not _known(word)]
        if letters > _LETTERS and len(unknown) > len(counted) / 2:
            return Judged(None, 0.0, len(counted))
        best, share = _best(counted)
        strange = best != ENGLISH and share >= 0.3 and len(unknown) * 2 >= len(counted) > 2
        return Judged(best if strange else ENGLISH, share, len(counted))
    language, share = _whole(counted)
    return Judged(language, share, len(counted))


def _whole(counted: Sequence[str]) -> tuple[str | None, float]:
    """The judgement over windows of some words each."""
    step = _WINDOW // 2  # they overlap, so that a change of language falls on the edge of one
    last = max(0, len(counted) - _WINDOW)
    starts = sorted({*range(0, last, step), last})
    judged = [_window(counted[at : at + _WINDOW]) for at in starts[:: len(starts) // _MOST + 1]]
    foreign = sum(language != ENGLISH for language, _ in judged) / len(judged)
    if foreign < _MIXED:
        return ENGLISH, sum(share for _, share in judged) / len(judged)
    language, share = _best(counted)
    return (language if foreign >= 1 - _MIXED and language != ENGLISH and share >= _SOME else None), share


def _window(window: Sequence[str]) -> tuple[str | None, float]:
    """English unless stop words of another language prevail, or English knows hardly a long word."""
    counts: dict[str, int] = {}
    table = _languages()
    for word in window:
        for language in table.get(word, ()):
            counts[language] = counts.get(language, 0) + 1
    most = counts.get(ENGLISH, 0)
    if most and most == max(counts.values()) and most / len(window) >= _SOME:  # so nearly always
        return ENGLISH, most / len(window)
    shares = _shares(window)
    mine = shares[ENGLISH]
    language = max(shares, key=lambda key: (shares[key], key == ENGLISH))
    share = shares[language]
    if language == ENGLISH and mine >= _SOME:
        return ENGLISH, mine
    strange = _strange(window)
    several = sum(language in _languages()[word] for word in {*window} & _languages().keys())
    enough = several >= (2 if strange > 1 - _KNOWN else 3)  # an address abroad has one or two of them
    if language != ENGLISH and enough and share >= _SOME and share > 1.25 * mine and strange > 0.3:
        return language, share
    if mine < _SOME and len([word for word in window if len(word) > 4]) >= _LONG and strange > 1 - _KNOWN:
        return None, mine
    return ENGLISH, mine


def _best(said: Sequence[str]) -> tuple[str, float]:
    """The language with the largest share of stop words; English on a tie."""
    shares = _shares(said)
    language = max(shares, key=lambda key: (shares[key], key == ENGLISH))
    return language, shares[language]


def _shares(said: Sequence[str]) -> dict[str, float]:
    """The share of stop words of each language."""
    counts = dict.fromkeys((ENGLISH, *_STOP_WORDS), 0)
    table = _languages()
    for word in said:
        for language in table.get(word, ()):
            counts[language] += 1
    return {language: count / max(1, len(said)) for language, count in counts.items()}


def _strange(window: Sequence[str]) -> float:
    """The share of longer words that neither English nor a list of names knows."""
    long = [word for word in window if len(word) > 4]
    return sum(not _known(word) for word in long) / len(long) if long else 1.0


@lru_cache(maxsize=1 << 14)  # bounded: notes stream in constant memory
def _known(word: str) -> bool:
    from sharewell.notes.drug_lexicon import lexicon

    bare = plain(word)
    if bare in words() or (bare.endswith("s") and bare[:-1] in words()):
        return True
    return people().get(bare, "").isupper() or bare in lexicon().terms


def _foreign_script(said: Sequence[str]) -> bool:
    """More than three tenths of the letters are of no Latin alphabet."""
    letters = sum(map(len, said))
    if not letters or all(map(str.isascii, said)):
        return False
    odd = sum(not _latin(letter) for word in said if not word.isascii() for letter in word)
    return odd > 0.3 * letters and odd > 3


@cache
def _latin(letter: str) -> bool:
    return letter.isascii() or "LATIN" in unicodedata.name(letter, "")


def _composed(text: str) -> str:
    """Accents in one piece with their letters, so that words stay whole."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    """Stop word → the languages that have it."""
    lists = {ENGLISH: STOP_WORDS, **{language: frozenset(listed.split()) for language, listed in _STOP_WORDS.items()}}
    every = frozenset[str]().union(*lists.values())
    return {word: tuple(language for language, known in lists.items() if word in known) for word in every}
