"""The words that notes show: what counts of a note where several datasets of a person are joined.

Everything between blanks counts, exactly as it is written, so that nobody has to recognise a drug, a place or an
occupation: AIDS is not aids, and neither HIV+ nor HIV? is HIV-. Full stops, commas, colons, exclamation marks, round
brackets and quotation marks around it do not count. What stands in other brackets is one word: the mark or the
published cell that another step wrote there. Words in small letters that only hold sentences together tell nothing of
anybody, and do not count.

>>> [text for _, _, text in words_shown("The patient, [60-69], is HIV+ and takes <500 mg (daily).")]
['The', 'patient', '[60-69]', 'is', 'HIV+', 'takes', '<500', 'mg', 'daily']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from hashlib import blake2b

from sharewell.notes.engine.rewritten_text import Change

HIDDEN = "[…]"
"""What is shown in the place of words that are left out. It holds no letter and no figure, and is no word."""
_PIECE = re.compile(r"\[[^\[\]\n]{1,60}\]|\{[^{}\n]{1,60}\}|[^\s\[\]{}]+|[\[\]{}]")
_AROUND = '.,;:!()"“”„«»‘…—'
"""What may stand around a word without being part of it."""
_CONNECTING = frozenset(
    re.findall(r"\w+", "a an and as at but by for from in into of on or per so than that the then this to with")
)


def words_shown(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of everything that counts, in order."""
    for match in _PIECE.finditer(text):
        if match[0] == HIDDEN:
            continue
        word = match[0].rstrip(_AROUND)
        end = match.start() + len(word)
        word = word.lstrip(_AROUND)
        if word and word not in _CONNECTING:
            yield end - len(word), end, word


def without_words(text: str, changes: Sequence[Change], hidden: Collection[str]) -> tuple[str, tuple[Change, ...]]:
    """A published note without some words, and the map of what was replaced in it.

    A piece that was written by an earlier step goes as a whole. Between two words that stay there is one mark at most,
    however many words were left out there: the words that connect them go, too, or their number would be seen.

    >>> without_words("Seen by Dr. Ortiz in Rome.", (Change(8, 19, "NAME", 8, 17),), {"Ortiz", "Rome"})[0]
    'Seen by […].'
    """
    words = list(words_shown(text))
    spans = [_whole(start, end, changes) for start, end, word in words if word in hidden]
    if not spans:
        return text, tuple(changes)
    spans += [match.span() for match in _PIECE.finditer(text) if match[0] == HIDDEN]
    stay = [start for start, _, word in words if word not in hidden]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if joined and (start <= joined[-1][1] or bisect_left(stay, joined[-1][1]) == bisect_left(stay, start)):
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return _rewritten(text, changes, joined)


def with_sign(text: str, changes: Sequence[Change], secret: bytes) -> tuple[str, tuple[Change, ...]]:
    """The note with the sign of words that were left out. One that shows none loses a word, whichever is drawn.

    A sign beside a text that lacks nothing would be told from others by its place, and tell that nothing is lacking.
    Whatever is left out of one note may then have been left out of any other. A note without words gets the bare sign.

    >>> with_sign("Seen today.", (), b"")[0], with_sign("Seen […].", (), b"")[0], with_sign("", (), b"")[0]
    ('[…] today.', 'Seen […].', ' […]')
    """
    if HIDDEN in text:
        return text, tuple(changes)
    if words := sorted({word for _, _, word in words_shown(text)}):
        drawn = int.from_bytes(blake2b(text.encode(errors="surrogatepass"), key=secret, digest_size=8).digest())
        return without_words(text, changes, {words[drawn % len(words)]})
    end = _place(len(text), changes, first=False)
    return f"{text} {HIDDEN}", (*changes, Change(end, end, "OTHER", len(text), len(text) + 1 + len(HIDDEN)))


def _whole(start: int, end: int, changes: Sequence[Change]) -> tuple[int, int]:
    """A span of the published text, with every replaced piece that it touches."""
    touched = [one for one in changes if one.published_start < end and start < one.published_end]
    return min([start, *(one.published_start for one in touched)]), max([end, *(one.published_end for one in touched)])


def _rewritten(
    text: str, changes: Sequence[Change], spans: Sequence[tuple[int, int]]
) -> tuple[str, tuple[Change, ...]]:
    """The text with a mark in place of each span; spans cut no replaced piece."""
    pieces = [(start, end, True) for start, end in spans]
    inside = [any(start <= one.published_start and one.published_end <= end for start, end in spans) for one in changes]
    kept = [one for one, gone in zip(changes, inside, strict=True) if not gone]
    pieces += [(one.published_start, one.published_end, False) for one in kept]
    kind_of = {one.published_start: one.kind for one in kept}
    parts, changed, last, length = list[str](), list[Change](), 0, 0
    for start, end, gone in sorted(pieces):
        new = HIDDEN if gone else text[start:end]
        parts += (text[last:start], new)
        length += start - last
        before = _place(start, changes, first=True), _place(end, changes, first=False)
        changed.append(Change(*before, "OTHER" if gone else kind_of[start], length, length + len(new)))
        length, last = length + len(new), end
    return "".join((*parts, text[last:])), tuple(changed)


def _place(published: int, changes: Sequence[Change], *, first: bool) -> int:
    """Where a place of the published text was in the original: before a piece that begins there, or behind one."""
    moved = 0
    for one in changes:
        if one.published_end <= published and not (first and one.published_start == published):
            moved = one.end - one.published_end
    return published + moved
