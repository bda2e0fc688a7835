"""Ask pytauargus for the optimal suppression of a table of sums under the p % rule, in up to five minutes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

import pandas as pd
import pytauargus


def main(names: list[str], rows: list[list[object]], p: int) -> dict[str, object]:
    frame = pd.DataFrame(rows, columns=[*names, "amount"])
    before = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as place:  # the solver writes logs where it runs
        os.chdir(place)
        found = pytauargus.protect(frame, names, "amount", f"P({p},1)", "OPT(1,5)", workdir=place)
        seconds = time.perf_counter() - before[0], time.process_time() - before[1]
        cells = found.tables[0].dataframe()
        os.chdir("/")
    columns = [*names, "status", "lower", "upper"]
    return {"wall": seconds[0], "cpu": seconds[1], "cells": cells[columns].to_numpy().tolist()}


print(json.dumps(main(**json.loads(sys.argv[1]))))
