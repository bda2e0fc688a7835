"""The last look: whatever is known of the person and still stands in what would be published becomes a tag.

A surrogate may happen to be a known word, and words may come to stand side by side that did not before. So the text is
searched twice, by the detectors' own search and by that of the judge (`criteria.searching`), until both find nothing;
if that does not end, nothing is published.

>>> cleared("Seen with May.", [], Known.of(names=["May Ortiz"])).text
'Seen with **NAME.'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sharewell.notes.criteria.searching import Search, plain
from sharewell.notes.known import Known
from sharewell.notes.replacers.tags import tag
from sharewell.notes.rewriting import Change, Edit, Rewritten, rewritten

LINE = "___"
"""What stands for a tag that is itself the name of the person, such as Mr. Name."""
_ROUNDS = 200


def cleared(text: str, edits: Sequence[Edit], known: Known | None) -> Rewritten:
    """The note with its edits and, for what is found after them, tags; withheld if that does not end."""
    ordered = sorted(edits)
    for turn in range(_ROUNDS):
        made = rewritten(text, ordered)
        hits = found(made.text or "", known) if known else []
        if not hits:
            return made
        ordered = _hidden(ordered, made.changes, hits, first=not turn)
    return Rewritten.kept_back("known identifier")


def found(text: str, known: Known) -> list[tuple[int, int, str]]:
    """What either search finds: start, end and kind."""
    hits = known.search(text)
    judged = list(_judge(known).found(text))
    if judged:
        places = range(len(text)) if text.isascii() else _places(text)
        hits += [(places[start], places[end - 1] + 1, kind) for kind, start, end in judged]
    return hits


@lru_cache(maxsize=64)
def _judge(known: Known) -> Search:
    return Search.of(known.values)


def _places(text: str) -> list[int]:
    """Of each sign of the plain text, which sign of the text it comes from."""
    return [place for place, sign in enumerate(text) for _ in plain(sign)]


def _hidden(
    edits: list[Edit], changes: Sequence[Change], hits: Sequence[tuple[int, int, str]], first: bool
) -> list[Edit]:
    """Edits that hide what was found as well. One that touches an edit of this round waits for the next."""
    kept: list[Edit] = []
    at = done = 0
    for start, end, kind in _apart(hits):
        while at < len(edits) and changes[at].published_end <= start:
            kept.append(edits[at])
            at += 1
        past = at
        while past < len(edits) and changes[past].published_start < end:
            past += 1
        if start < done:
            continue
        touched, placed = edits[at:past], changes[at:past]
        before = changes[at - 1].end - changes[at - 1].published_end if at else 0
        head = tail = ""
        begin, finish = start + before, end + before
        if touched and placed[0].published_start <= start:
            begin, head = touched[0].start, touched[0].text[: start - placed[0].published_start]
        if touched:
            last = placed[-1]
            finish = last.end + max(0, end - last.published_end)
            tail = touched[-1].text[len(touched[-1].text) - max(0, last.published_end - end) :]
            tail = tail if last.published_end > end else ""
        kept.append(Edit(begin, finish, kind, f"{head}{tag(kind) if first else LINE}{tail}"))
        done, at = (placed[-1].published_end if placed else end), past
    return sorted([*kept, *edits[at:]])


def _apart(hits: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Hits that do not overlap: those that do are one."""
    apart: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(hits):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]), apart[-1][2])
        else:
            apart.append((start, end, kind))
    return apart
