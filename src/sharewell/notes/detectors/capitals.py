"""Runs of capitalised words: what names of places and organisations are made of."""

from __future__ import annotations

from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import Text, Token
from sharewell.notes.engine.word_lists import lexicon, listed

LOW_JOINERS = listed(
    """
    of the and de la le du des del der den van von di da do dos el al los las y und et & upon
    """
)
SHORTENED = listed(
    """
    st mt ft dr mr mrs ms jr sr co u s a b c d e f g h j k l m n o p r t v w
    """
)
"""What a full stop may follow inside a name."""
SENTENCE_WORDS = lexicon("capitals_sentence_words")


def is_capital(text: Text, token: Token) -> bool:
    """Written like a name. Where case tells nothing, a word that English does not know is as good as a capital."""
    if not text.caseless:
        return text[token.start].isupper()
    return token.lower.isalpha() and words().get(token.lower, "9") > "2" and token.lower not in SENTENCE_WORDS


def shouted(text: str, token: Token) -> bool:
    """All in capitals, three letters and more."""
    said = text[token.start : token.end]
    return len(said) > 2 and said.isupper()


def gap(text: Text, left: int, right: int) -> str:
    """What stands between two neighbouring tokens."""
    return text.gaps[right]


def run_from(text: Text, at: int, most: int, joints: tuple[str, ...] = (" ", "-", ". ", "'", "’", "")) -> int:
    """The place after the last token of a run of capitalised words that starts at a token; joints may stand between."""
    tokens = text.tokens
    end = at
    while end < len(tokens) and end - at < most:
        token = tokens[end]
        between = ""
        if end > at:
            between = gap(text, end - 1, end)
            if between not in joints or (between == ". " and tokens[end - 1].lower not in SHORTENED):
                break
        if not (is_capital(text, token) or (text[token.start].isdigit() and end > at and between == " ")):
            if token.lower == "s" and end > at and gap(text, end - 1, end) in ("'", "’"):
                end += 1
                continue
            if token.lower in LOW_JOINERS and end > at and end + 1 < len(tokens) and is_capital(text, tokens[end + 1]):
                end += 1
                continue
            break
        end += 1
    return end
