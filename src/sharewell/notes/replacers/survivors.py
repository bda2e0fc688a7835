"""The last look: whatever is known of the person and still stands in what would be published becomes a tag.

A surrogate may happen to be a known word, and words may come to stand side by side that did not before. So the text is
searched twice, by the detectors' own search and by that of the judge (`criteria.searching`), as it is written and as a
reader sees it, until both find nothing; if that does not end, nothing is published.

>>> tag_survivors("Seen with May.", [], Known.of(names=["May Ortiz"])).text
'Seen with **NAME.'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sharewell.notes.engine.checks.known_value_search import Search
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.readable_text import readable
from sharewell.notes.engine.rewritten_text import Edit, RewrittenNote, apply_edits
from sharewell.notes.replacers.tags import tag

LINE = "___"
"""What stands for a tag that is itself the name of the person, such as Mr. Name."""
_ROUNDS = 200


def tag_survivors(text: str, edits: Sequence[Edit], known: Known | None) -> RewrittenNote:
    """The note with its edits and, for what is found after them, tags; withheld if that does not end."""
    ordered = sorted(edits)
    for turn in range(_ROUNDS):
        made = apply_edits(text, ordered)
        hits = known_hits(made.text or "", known) if known else []
        if not hits:
            return made
        ordered = _hidden(ordered, made, hits, first=not turn)
    return RewrittenNote.withhold("known identifier")


def known_hits(text: str, known: Known) -> list[tuple[int, int, str]]:
    """What either search finds: start, end and kind."""
    hits = known.search(text)
    shown, places = readable(text)
    if places is not None:
        hits += [(*places.original(start, end), kind) for start, end, kind in known.search(shown)]
    return [*hits, *((start, end, kind) for kind, start, end in _judge(known).found(text))]


@lru_cache(maxsize=64)
def _judge(known: Known) -> Search:
    return Search.of(known.values)


def _hidden(edits: list[Edit], made: RewrittenNote, hits: Sequence[tuple[int, int, str]], first: bool) -> list[Edit]:
    """Edits that hide what was found as well: whatever touches is one edit, with a tag for each hit in it."""
    text, changes, left = made.text or "", made.changes, _apart(hits)
    kept: list[Edit] = []
    at = number = apart = 0  # the next edit and hit, and by how much places of the original are ahead
    while number < len(left):
        low, high, kind = left[number]
        while at < len(edits) and changes[at].published_end <= low:
            apart = changes[at].end - changes[at].published_end
            kept.append(edits[at])
            at += 1
        begin = low + apart
        if at < len(edits) and changes[at].published_start <= low:
            low, begin = changes[at].published_start, changes[at].start
        pieces: list[str] = []
        while True:
            if number < len(left) and left[number][0] < high:
                start, end, what = left[number]
                pieces += (text[low:start], tag(what) if first else LINE)
                low, high, number = end, max(high, end), number + 1
            elif at < len(edits) and changes[at].published_start < high:
                apart = changes[at].end - changes[at].published_end
                high, at = max(high, changes[at].published_end), at + 1
            else:
                break
        kept.append(Edit(begin, high + apart, kind, "".join((*pieces, text[low:high]))))
    return [*kept, *edits[at:]]


def _apart(hits: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Hits that do not overlap: those that do are one."""
    apart: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(hits):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]), apart[-1][2])
        else:
            apart.append((start, end, kind))
    return apart
