"""Run by the Python that knows anjana: k-anonymity by its search. CPU seconds; the release goes to a file."""

import csv
import json
import sys
import time
from pathlib import Path

import pandas as pd
from anjana.anonymity import k_anonymity

question = json.loads(sys.argv[1])
frame = pd.read_csv(question["file"], sep=";", dtype=str)
hierarchies = {}
for name, path in question["hierarchies"].items():
    with Path(path).open(encoding="utf-8", newline="") as file:
        levels = zip(*csv.reader(file, delimiter=";"), strict=True)
        hierarchies[name] = {i: pd.Series(level) for i, level in enumerate(levels)}
began = time.process_time()
found = k_anonymity(frame, [], question["quasi"], question["k"], 100 * question["suppress"], hierarchies)
seconds = time.process_time() - began
found[question["quasi"]].to_csv(question["into"], sep=";", index=False)
print(json.dumps({"seconds": seconds}))
