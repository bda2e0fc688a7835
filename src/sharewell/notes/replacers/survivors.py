"""The last check of a rewritten note: known identifiers of the person that still stand in it become tags.

A surrogate may happen to be a known word, and words may come to stand side by side that did not before. So the text is
searched, as written and as a reader sees it, by the detectors' search and by that of the criterion, until neither finds
anything; if that does not end, the note is withheld.

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
KNOWN = "known identifier"
"""Why a note is withheld in which one still stands."""
_ROUNDS = 200


def tag_survivors(text: str, edits: Sequence[Edit], known: Known | None) -> RewrittenNote:
    """The note with its edits and, for what is found after them, tags; withheld if that does not end."""
    ordered = sorted(edits)
    for turn in range(_ROUNDS):
        note = apply_edits(text, ordered)
        hits = known_hits(note.text or "", known) if known else []
        if not hits:
            return note
        ordered = _hide_hits(ordered, note, hits, first=not turn)
    return RewrittenNote.withhold(KNOWN)


def known_hits(text: str, known: Known) -> list[tuple[int, int, str]]:
    """What either search finds: start, end and kind."""
    hits = known.search(text)
    shown, places = readable(text)
    if places is not None:
        hits += [(*places.original(start, end), kind) for start, end, kind in known.search(shown)]
    return [*hits, *((start, end, kind) for kind, start, end in _judge(known).hits(text))]


@lru_cache(maxsize=64)
def _judge(known: Known) -> Search:
    return Search.of(known.values)


def _hide_hits(edits: list[Edit], note: RewrittenNote, hits: Sequence[tuple[int, int, str]], first: bool) -> list[Edit]:
    """Edits that hide what was found as well: whatever touches is one edit, with a tag for each hit in it."""
    text, changes, separate_hits = note.text or "", note.changes, _apart(hits)
    kept: list[Edit] = []
    edit_index = hit_index = apart = 0  # the next edit and hit, and by how much places of the original are ahead
    while hit_index < len(separate_hits):
        low, high, kind = separate_hits[hit_index]
        while edit_index < len(edits) and changes[edit_index].published_end <= low:
            apart = changes[edit_index].end - changes[edit_index].published_end
            kept.append(edits[edit_index])
            edit_index += 1
        begin = low + apart
        if edit_index < len(edits) and changes[edit_index].published_start <= low:
            low, begin = changes[edit_index].published_start, changes[edit_index].start
        pieces: list[str] = []
        while True:
            if hit_index < len(separate_hits) and separate_hits[hit_index][0] < high:
                start, end, hit_kind = separate_hits[hit_index]
                pieces += (text[low:start], tag(hit_kind) if first else LINE)
                low, high, hit_index = end, max(high, end), hit_index + 1
            elif edit_index < len(edits) and changes[edit_index].published_start < high:
                apart = changes[edit_index].end - changes[edit_index].published_end
                high, edit_index = max(high, changes[edit_index].published_end), edit_index + 1
            else:
                break
        kept.append(Edit(begin, high + apart, kind, "".join((*pieces, text[low:high]))))
    return [*kept, *edits[edit_index:]]


def _apart(hits: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Hits that do not overlap: those that do are one."""
    apart: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(hits):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]), apart[-1][2])
        else:
            apart.append((start, end, kind))
    return apart
