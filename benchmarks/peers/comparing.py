"""Ratios of CPU seconds, theirs to ours, beside what both lose: everything from a dataframe to a dataframe, warm."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.house import Result
from benchmarks.peers.installing import ask, interpreter
from benchmarks.peers.people import QUASI, SENSITIVE, People
from sharewell.hierarchy import Tree
from sharewell.tables import (
    NCP,
    EntropyLDiversity,
    KAnonymity,
    LDiversity,
    Mondrian,
    OptimalRecoding,
    Table,
    TCloseness,
)

Answer = TypeVar("Answer")
SUPPRESS = 0.04


def peers(data: Path | None, rows: int) -> Iterator[Result]:
    """Every peer that can be installed."""
    with tempfile.TemporaryDirectory() as name:
        people = People(data, Path(name))
        for peer, compare in (("pycanon", _pycanon), ("anjana", _anjana), ("anonypy", _anonypy)):
            python = interpreter(peer)
            if python is None:
                yield Result(f"{peer}: skipped, could not install", None)
            else:
                yield from compare(python, people, Path(name))


def _pycanon(python: Path, people: People, scratch: Path) -> Iterator[Result]:
    """Checking: one number of the raw table, from a frame."""
    frame = _frame(people)
    theirs = ask(python, "pycanon", file=str(people.file), quasi=QUASI, sensitive=SENSITIVE)
    ours: dict[str, tuple[Any, list[str], int]] = {
        "k_anonymity": (KAnonymity(1), [], 15),
        "l_diversity": (LDiversity(1), [SENSITIVE], 50),
        "entropy_l_diversity": (EntropyLDiversity(1), [SENSITIVE], 50),
        "t_closeness": (TCloseness(1), [SENSITIVE], 50),
    }
    for measure, (criterion, sensitive, bar) in ours.items():

        def check(criterion: Any = criterion, sensitive: list[str] = sensitive) -> Any:
            return criterion.check(Table.of(frame, quasi=QUASI, sensitive=sensitive, rest="keep")).value

        seconds, value = _warm(check)
        if measure != "entropy_l_diversity" and abs(float(value) - theirs[measure]["value"]) > 1e-9:
            raise SystemExit(f"{criterion.name}: ours and pycanon's differ")  # its entropy is rounded down
        what = f"checking {criterion.name} on {people.label}"
        yield Result(f"{what}, CPU", 1000 * seconds, "ms")
        yield Result(f"{what}, pycanon's CPU to ours", theirs[measure]["seconds"] / seconds, "×", bar, "≥")


def _anjana(python: Path, people: People, scratch: Path) -> Iterator[Result]:
    """One level for each column, k = 5, some records withheld: their search beside the proven optimum."""
    frame = _frame(people)
    trees = {name: Tree.from_csv(path, separator=";") for name, path in people.hierarchies.items()}
    mechanism = OptimalRecoding(suppress=SUPPRESS, loss="loss", aggregate="arithmetic-mean")

    def protect() -> Any:
        table = Table.of(frame, quasi=QUASI, sensitive=[SENSITIVE], hierarchies=trees)
        released = mechanism.protect(table, [KAnonymity(5)]).data
        return table, released, released.frame

    seconds, (table, released, _) = _warm(protect, 3)
    into, paths = scratch / "anjana.csv", {name: str(path) for name, path in people.hierarchies.items()}
    question = {"file": str(people.file), "quasi": QUASI, "k": 5, "suppress": SUPPRESS, "into": str(into)}
    theirs = ask(python, "anjana", hierarchies=paths, **question)
    shown = Table.of(_read(into), quasi=QUASI, hierarchies=trees, published=True)
    loss, their_loss = (100 * float(NCP().score(table, after).value or 0) for after in (released, shown))
    what = f"one level a column on {people.label}, k = 5"
    yield Result(f"{what}, CPU", 1000 * seconds, "ms")
    yield Result(f"{what}, anjana's CPU to ours", theirs["seconds"] / seconds, "×", 20, "≥")
    yield Result(f"{what}, anjana's NCP", their_loss, "%")
    yield Result(f"{what}, our NCP", loss, "%", their_loss)


def _anonypy(python: Path, people: People, scratch: Path) -> Iterator[Result]:
    """Mondrian: losses as if the tightest range or set of each class were published, whatever is."""
    frame = _frame(people)
    for k in (10, 25, 50, 100):

        def protect(k: int = k) -> Any:
            table = Table.of(frame, quasi=QUASI, sensitive=[SENSITIVE])
            released = Mondrian().protect(table, [KAnonymity(k)])
            return table, released, released.data.frame

        seconds, (table, released, _) = _warm(protect)
        classes = released.data.classes
        class_of = np.empty(table.rows, dtype=np.intp)
        class_of[released.rows[classes.order]] = classes.class_of
        theirs = ask(python, "anonypy", file=str(people.file), quasi=QUASI, sensitive=SENSITIVE, k=k)
        their_loss = 100 * tightest(table, np.array(theirs["classes"]))
        what = f"Mondrian on {people.label}, k = {k}"
        yield Result(f"{what}, CPU", 1000 * seconds, "ms")
        yield Result(f"{what}, anonypy's CPU to ours", theirs["seconds"] / seconds, "×", 100, "≥")
        yield Result(f"{what}, anonypy's NCP", their_loss, "%")
        yield Result(f"{what}, our NCP", 100 * tightest(table, class_of), "%", their_loss)


def tightest(table: Table, class_of: NDArray[np.intp]) -> float:
    """The mean loss of a cell if each class published its tightest range (of numbers) or set (of anything else)."""
    order = np.argsort(class_of, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(class_of[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    total = 0.0
    for column in table.quasi:
        codes = column.codes[order]
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        if column.numbers is not None:
            loss = column.range_loss(low, high)
        else:
            pairs = np.unique(class_of * column.size + column.codes) // column.size
            loss = (np.bincount(pairs)[np.unique(class_of)] - 1) / max(1, column.size - 1)
        total += float(loss @ sizes)
    return total / (table.rows * len(table.quasi))


def _warm(call: Callable[[], Answer], repeats: int = 9) -> tuple[float, Answer]:
    """The least CPU seconds of a call that was made once before, and what it returns."""
    answer, seconds = call(), []
    for _ in range(repeats):
        began = time.process_time()
        answer = call()
        seconds.append(time.process_time() - began)
    return min(seconds), answer


def _frame(people: People) -> Any:
    import pandas as pd

    return pd.read_csv(people.file, sep=";")


def _read(path: Path) -> Any:
    import pandas as pd

    return pd.read_csv(path, sep=";", dtype=str)
