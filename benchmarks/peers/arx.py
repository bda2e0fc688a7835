"""ARX beside ours: the proven optimum of every model on Adult, in CPU seconds.

`python -m benchmarks arx --data DIR --arx JAR` runs both, case after case; without a jar only ours is shown. Both go
from rows in memory to a readable output (encoding, search, and the output of the best levels), with fresh criteria each
time, the same number of runs to warm up and the same number that count, of which the least is taken. ARX is timed by
the CPU seconds of its searching thread alone: neither its compiler nor its garbage collector counts. Ours are the CPU
seconds of the whole process.
Compiled code is there before: `SHAREWELL_COMPILE=1` prepares a machine that has not done such work yet.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.house import Result
from benchmarks.optima import Data, matching
from benchmarks.search import ADULT as NINE
from sharewell.roles import Role, Schema
from sharewell.tables import (
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    LDiversity,
    MarketerRisk,
    OptimalRecoding,
    RecursiveLDiversity,
    Table,
    TCloseness,
)

SENSITIVE = "occupation"
EIGHT = tuple(name for name in NINE if name != SENSITIVE)
HIERARCHY = "adult_hierarchy_{}.csv"
WARM, REPEATS = 1, 3


@dataclass(frozen=True)
class Case:
    """One configuration, as ARX's driver reads it."""

    name: str
    models: str
    suppress: float = 0.04
    loss: str = "loss"
    bar: float = 10.0
    """How many times our CPU seconds ARX's must be."""

    @property
    def sampled(self) -> bool:
        return self.models.startswith(("k-map", "delta-presence"))

    @property
    def sensitive(self) -> bool:
        return not self.sampled and any(model.split(":")[0] not in TABLE_MODELS for model in self.models.split())


TABLE_MODELS = ("k-anonymity", "average-risk")
CASES = [
    Case("k = 5, nothing withheld", "k-anonymity:5", 0.0, bar=1),
    Case("k = 5, 4 %", "k-anonymity:5"),
    Case("k = 5, 100 %", "k-anonymity:5", 1.0, bar=5),
    Case("distinct 5-diversity, 4 %", "l-diversity:5"),
    Case("entropy 5-diversity, 4 %", "entropy-l-diversity:5"),
    Case("recursive (4,5)-diversity, 4 %", "recursive-l-diversity:4:5"),
    Case("k = 5 and 0.2-closeness, equal, 4 %", "k-anonymity:5 t-closeness-equal:0.2"),
    Case("k = 5 and 0.2-closeness, hierarchical, 4 %", "k-anonymity:5 t-closeness-hierarchical:0.2"),
    Case("k = 5, distinct l = 3 and 0.2-closeness, 4 %", "k-anonymity:5 l-diversity:3 t-closeness-equal:0.2"),
    Case("3-likeness, 4 %", "beta-likeness:3", bar=5),
    Case("3-likeness, 50 %", "beta-likeness:3", 0.5, bar=5),
    Case("2-disclosure, 4 %", "delta-disclosure:2", bar=5),
    Case("5-map of a sample, 4 %", "k-map:5"),
    Case("presence ≤ 0.2 of a sample, 4 %", "delta-presence:0:0.2"),
    Case("average risk ≤ 1 %, 4 %", "average-risk:0.01"),
    Case("k = 5, 4 %, discernibility", "k-anonymity:5", loss="discernibility", bar=5),
    Case("k = 5, 4 %, average class size", "k-anonymity:5", loss="class-size", bar=5),
    Case("k = 5, 4 %, ambiguity", "k-anonymity:5", loss="ambiguity", bar=5),
    Case("k = 5, 4 %, entropy", "k-anonymity:5", loss="entropy", bar=5),
    Case("k = 5, 4 %, precision", "k-anonymity:5", loss="precision", bar=5),
    Case("k = 5, 4 %, height", "k-anonymity:5", loss="height", bar=5),
]


def arx(data: Path | None, rows: int, jar: Path | None = None) -> Iterator[Result]:
    """Ours and ARX's, case by case, and how they compare."""
    folder = None if data is None else data / "arx"
    if folder is None or not (folder / "adult.csv").is_file():
        yield Result("optimal recoding beside ARX: skipped, give --data DIR with arx/adult.csv", None)
        return
    adult = Adult(folder)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        theirs = None
        if jar is not None and jar.is_file() and shutil.which("java") and shutil.which("javac"):
            theirs = stack.enter_context(running(jar, adult, Path(name)))
        else:
            yield Result("ARX: skipped, give --arx JAR (and have java and javac)", None)
        for case in CASES:
            answer = None if theirs is None else theirs(case)
            seconds, details = ours(case, adult)
            yield Result(f"{case.name}, CPU", seconds, "s")
            if answer is None:
                continue
            their_seconds, their_loss = answer
            if not math.isclose(details.loss, their_loss, rel_tol=1e-6):
                yield Result(f"{case.name}, ARX's loss less ours", their_loss - details.loss, "", 0, "≥")
            yield Result(f"{case.name}, ARX's CPU", their_seconds, "s")
            yield Result(f"{case.name}, ARX's CPU to ours", their_seconds / seconds, "×", case.bar, "≥")


class Adult:
    """The table, its hierarchies, and the rows of a sample."""

    def __init__(self, folder: Path) -> None:
        data = Data(folder)
        self.folder, self.whole = folder, data.frame("adult.csv")
        self.sample = matching(self.whole, data.frame("adult_subset.csv"))
        self.trees = {name: data.tree(HIERARCHY.format(name)) for name in NINE}
        self.part = self.whole.take(pa.array(self.sample))

    def table(self, case: Case) -> Table:
        quasi = EIGHT if case.sensitive else NINE
        roles = dict.fromkeys(quasi, Role.QUASI) | ({SENSITIVE: Role.SENSITIVE} if case.sensitive else {})
        frame = (self.part if case.sampled else self.whole).select(list(roles))
        trees = {name: self.trees[name] for name in roles}
        return Table.from_arrow(frame, Schema(roles), trees, kinds=dict.fromkeys(roles, "text"))

    def criteria(self, case: Case) -> list[Any]:
        return [self._criterion(*model.split(":")) for model in case.models.split()]

    def _criterion(self, name: str, *numbers: str) -> Any:
        first, last, people = numbers[0], numbers[-1], self.whole.select(list(NINE))
        made: Mapping[str, Any] = {
            "k-anonymity": lambda: KAnonymity(int(first)),
            "k-map": lambda: KMap(people, int(first), unit="record"),
            "delta-presence": lambda: DeltaPresence(people, last, min=first, unit="record"),  # type: ignore[arg-type]
            "l-diversity": lambda: LDiversity(int(first)),
            "entropy-l-diversity": lambda: EntropyLDiversity(first, unit="record"),  # type: ignore[arg-type]
            "recursive-l-diversity": lambda: RecursiveLDiversity(first, int(last), unit="record"),  # type: ignore[arg-type]
            "t-closeness-equal": lambda: TCloseness(first, distance="equal", unit="record"),  # type: ignore[arg-type]
            "t-closeness-hierarchical": lambda: TCloseness(first, distance="hierarchical", unit="record"),  # type: ignore[arg-type]
            "beta-likeness": lambda: BetaLikeness(first, unit="record"),  # type: ignore[arg-type]
            "delta-disclosure": lambda: DeltaDisclosure(first, unit="record"),  # type: ignore[arg-type]
            "average-risk": lambda: MarketerRisk(first, unit="record"),  # type: ignore[arg-type]
        }
        return made[name]()


def ours(case: Case, adult: Adult, warm: int = WARM, repeats: int = REPEATS) -> tuple[float, Any]:
    """From a frame to a frame, with fresh criteria."""
    seconds = []
    for _ in range(warm + repeats):
        must = adult.criteria(case)
        began = time.process_time()
        protected = OptimalRecoding(case.suppress, case.loss, steps=None).protect(adult.table(case), must)  # type: ignore[arg-type]
        protected.data.arrow  # noqa: B018 - the frame is made when it is first asked for
        seconds.append(time.process_time() - began)
    assert protected.details.proven
    return min(seconds[warm:]), protected.details


@contextmanager
def running(jar: Path, adult: Adult, scratch: Path) -> Iterator[Callable[[Case], tuple[float, float]]]:
    """ARX in a process of its own, which is asked for the seconds and the loss of one case after the other."""
    driver, sample = Path(__file__).with_name("RunArx.java"), scratch / "sample.txt"
    subprocess.run(["javac", "-cp", str(jar), "-d", str(scratch), str(driver)], check=True, capture_output=True)
    sample.write_text("\n".join(map(str, adult.sample)), encoding="utf-8")
    command = ["java", "-Xmx4g", "-cp", f"{jar}{os.pathsep}{scratch}", "RunArx"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]

        def answer(case: Case) -> tuple[float, float]:
            line = "\t".join(f"{key}={value}" for key, value in _given(case, adult, sample))
            process.stdin.write(line + "\n")
            process.stdin.flush()
            _, seconds, loss, _ = process.stdout.readline().rstrip("\n").split("\t")
            return float(seconds), math.nan if loss == "none" else float(loss)

        yield answer
        process.stdin.close()


def _given(case: Case, adult: Adult, sample: Path) -> Iterator[tuple[str, object]]:
    yield from {"name": case.name, "models": case.models, "suppress": case.suppress, "loss": case.loss}.items()
    yield from {"warm": WARM, "repeats": REPEATS, "data": adult.folder / "adult.csv"}.items()
    yield "hierarchies", adult.folder / HIERARCHY.format("*")
    yield "quasi", ",".join(EIGHT if case.sensitive else NINE)
    yield from [("sensitive", SENSITIVE)] if case.sensitive else [("sample", sample)] if case.sampled else []
