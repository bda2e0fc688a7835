"""Blocks of people, rewritten in turn or by several processes. No exception carries a word of a note."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias

from sharewell.errors import DataError, SharewellError
from sharewell.notes.data import WorkSettings
from sharewell.notes.engine.rewritten_text import NoteOwner, Preloadable, Remembering, Rewriter, RewrittenNote

if TYPE_CHECKING:
    import pyarrow as pa

WORTH_PROCESSES = 2000
"""Fewer notes are rewritten in one process: starting workers would take longer."""
_AHEAD = 2
"""Blocks that wait for each process."""
UNCLEAR = "could not be rewritten"
"""Why a note is withheld on which a mechanism failed unexpectedly."""
_mechanism: Rewriter | None = None


@dataclass(frozen=True)
class PersonNotes:
    """One person's notes, and their places in the block."""

    owner: NoteOwner
    places: tuple[int, ...]
    texts: Sequence[str] = field(repr=False)


@dataclass(frozen=True)
class Failure:
    """What failed in a worker process: the kind of the error, and its message only if it is an error of ours."""

    kind: str
    said: str = ""


Block: TypeAlias = "tuple[int, pa.Table]"
Results = dict[int, RewrittenNote]


def each_block(
    mechanism: Rewriter, blocks: Iterator[Block], people: Callable[[pa.Table], list[PersonNotes]], work: WorkSettings
) -> Iterator[tuple[int, pa.Table, Mapping[int, RewrittenNote]]]:
    """(number, block, place → what is published) of every block, in the order in which they are finished."""
    if work.processes > 1:
        first, blocks = _first_blocks(blocks)
        if sum(block.num_rows for _, block in first) >= WORTH_PROCESSES:
            yield from _in_processes(mechanism, chain(first, blocks), people, work)
            return
        blocks = iter(first)
    for number, block in blocks:
        results = _results_or_raise(rewrite_all(mechanism, people(block)))
        work.report_progress(block.num_rows)
        yield number, block, results


def _first_blocks(blocks: Iterator[Block]) -> tuple[list[Block], Iterator[Block]]:
    """The first blocks, as many as would be worth other processes, and the rest."""
    first: list[Block] = []
    while sum(block.num_rows for _, block in first) < WORTH_PROCESSES:
        more = next(blocks, None)
        if more is None:
            break
        first.append(more)
    return first, blocks


def _in_processes(
    mechanism: Rewriter, blocks: Iterator[Block], people: Callable[[pa.Table], list[PersonNotes]], work: WorkSettings
) -> Iterator[tuple[int, pa.Table, Results]]:
    """By several processes, started afresh so that they hold nothing of this one.

    What a mechanism remembers stays here: a process is given what belongs to its people, and its results are learnt.
    """
    context = multiprocessing.get_context("spawn")
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(work.processes, context, initializer=_prepare, initargs=(mechanism,)) as pool:
        waiting: dict[Future[Results | Failure], tuple[Block, list[PersonNotes]]] = {}
        try:
            while True:
                for number, block in islice(blocks, work.processes * _AHEAD - len(waiting)):
                    persons = people(block)
                    waiting[pool.submit(_rewrite, persons, _recalled(mechanism, persons))] = (number, block), persons
                if not waiting:
                    return
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    (number, block), persons = waiting.pop(done)
                    results = _results_or_raise(_result(done))
                    _learn(mechanism, persons, results)
                    work.report_progress(block.num_rows)
                    yield number, block, results
        except BaseException:  # an interrupt, above all: nobody waits until blocks that are begun are finished
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in {*multiprocessing.active_children()}.difference(others):
                worker.terminate()
            raise


def _recalled(mechanism: Rewriter, people: list[PersonNotes]) -> dict[int, list[RewrittenNote]]:
    """Of people whose notes were rewritten before, what was made of them."""
    if not isinstance(mechanism, Remembering):
        return {}
    recalled = ((number, mechanism.recall(one.texts, one.owner)) for number, one in enumerate(people))
    return {number: notes for number, notes in recalled if notes is not None}


def _learn(mechanism: Rewriter, people: list[PersonNotes], results: Results) -> None:
    if isinstance(mechanism, Remembering):
        for one in filter(lambda one: one.texts, people):
            mechanism.learn(one.texts, one.owner, [results[place] for place in one.places])


def _result(done: Future[Results | Failure]) -> Results | Failure:
    try:
        return done.result()
    except Exception as error:  # the process itself has died
        return Failure(type(error).__name__)


def _results_or_raise(result: Results | Failure) -> Results:
    if isinstance(result, Failure):
        message = result.said or f"a note could not be rewritten ({result.kind}) — its text is not shown"
        raise DataError(message) from None
    return result


def _prepare(mechanism: Rewriter) -> None:
    """Once in each process: word lists are loaded, and stay. Interrupts are for the parent."""
    global _mechanism
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _mechanism = mechanism
    with suppress(Exception):  # the first note reports what is wrong
        if isinstance(mechanism, Preloadable):
            mechanism.ready()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever, with notes in its memory."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _rewrite(people: list[PersonNotes], recalled: Mapping[int, list[RewrittenNote]]) -> Results | Failure:
    assert _mechanism is not None
    if isinstance(_mechanism, Remembering):
        for number, notes in recalled.items():
            _mechanism.remember(people[number].texts, people[number].owner, notes)
    return rewrite_all(_mechanism, people)


def rewrite_all(mechanism: Rewriter, people: list[PersonNotes]) -> Results | Failure:
    """Rewrite the notes of these people; a failure carries no word of them."""
    results: Results = {}
    try:
        for person in people:
            if person.texts:
                results |= zip(person.places, _rewritten(mechanism, person.texts, person.owner), strict=True)
    except SharewellError as error:
        return Failure(type(error).__name__, str(error))
    except Exception as error:
        return Failure(type(error).__name__)
    return results


def _rewritten(mechanism: Rewriter, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
    """Rewrite one person's notes. A note that cannot be rewritten is withheld, and the others do not depend on it."""
    rewritten_notes = _try_rewrite(mechanism, texts, owner)
    if rewritten_notes is not None:
        return rewritten_notes
    alone = [_try_rewrite(mechanism, [text], owner) if len(texts) > 1 else None for text in texts]
    good = [index for index, note in enumerate(alone) if note is not None]
    rest = _try_rewrite(mechanism, [texts[index] for index in good], owner) if 0 < len(good) < len(texts) else None
    published = dict(zip(good, rest, strict=True)) if rest is not None else {}
    return [published.get(index) or RewrittenNote.withhold(UNCLEAR) for index in range(len(texts))]


def _try_rewrite(mechanism: Rewriter, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote] | None:
    """The notes rewritten; None if they made the mechanism fail. Errors of the policy or the machine are raised."""
    try:
        return mechanism.rewrite(texts, owner)
    except (SharewellError, ImportError, OSError):
        raise
    except Exception:
        return None
