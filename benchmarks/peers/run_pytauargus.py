"""Ask pytauargus for the optimal suppression of a table of sums under the p % rule, in up to five minutes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import pytauargus
from pytauargus.engine import Engine


class Timed(Engine):  # type: ignore[misc]
    """CPU seconds of hiding cells alone: reading rows and rules comes before."""

    seconds: float

    def suppress(self, cmd: object) -> None:
        before = time.process_time()
        super().suppress(cmd)
        Timed.seconds = time.process_time() - before


def main(names: list[str], rows: list[list[object]], p: int, repeats: int, trees: dict[str, str]) -> dict[str, object]:
    """The least of some runs in one process. trees: hierarchies of dimensions, as lines of codes below `@`."""
    frame = pd.DataFrame(rows, columns=[*names, "amount"])
    pytauargus.engine.Engine = Timed
    seconds = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as place:  # the solver writes logs where it runs
            os.chdir(place)
            files = {name: str(Path(place, f"{name}.hrc")) for name in trees}
            for name, lines in trees.items():
                Path(files[name]).write_text(lines, encoding="utf-8")
            found = pytauargus.protect(
                frame, names, "amount", f"P({p},1)", "OPT(1,5)", workdir=place, hrc=files or None
            )
            seconds.append(Timed.seconds)
            cells = found.tables[0].dataframe()
            os.chdir("/")
    return {"cpu": min(seconds), "cells": cells[[*names, "status"]].to_numpy().tolist()}


print(json.dumps(main(**json.loads(sys.argv[1]))))
