"""`make bench`: run every benchmark, print figures beside their bars, exit 1 if a bar is missed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks import clustering, house


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the large release (default: one million)")
    parser.add_argument("--patients", type=int, default=100_000, help="patients of the streamed hospital")
    parser.add_argument("--data", type=Path, help="directory of data that may not enter the project")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results = [*house.start_up(), *house.large_release(args.rows), *house.streamed_hospital(args.patients)]
    results += clustering.clustering(args.data, args.rows)
    if args.json:
        print(json.dumps([result.__dict__ for result in results], indent=1))
    else:
        for result in results:
            print(result)
    return 0 if all(result.reached for result in results) else 1


sys.exit(main())
