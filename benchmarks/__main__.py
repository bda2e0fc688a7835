"""`make bench`: run benchmarks, print figures beside their bars, exit 1 if a bar is missed.

Each is a function (data, rows) that yields results. `python -m benchmarks peers clustering` runs some of them.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from pathlib import Path

from benchmarks.house import Result
from benchmarks.page import write_section

BENCHMARKS = {
    "start": "house:start",
    "init": "drafts:init",
    "release": "release:release",
    "first-run": "first_run:first_run",
    "interruption": "interruption:interruption",
    "step-paces": "step_paces:step_paces",
    "hospital": "house:hospital",
    "mondrian": "mondrian:mondrian",
    "packing": "packing:packing",
    "clustering": "clustering:clustering",
    "search": "search:search",
    "instance": "instance:instance",
    "codes": "codes:codes",
    "joint": "joint:joint",
    "genomes": "genomes:genomes",
    "genomes-sequences": "genomes_sequences:genomes_sequences",
    "genomes-membership": "genomes_membership:genomes_membership",
    "reports": "reports:reports",
    "reports-tables": "reports_tables:reports_tables",
    "publications": "publications:publications",
    "synthetic": "synthetic:synthetic",
    "notes": "notes:notes",
    "notes-streaming": "notes_streaming:notes_streaming",
    "ledger": "ledger:ledger",
    "queries": "queries:queries",
    "service": "service:service",
    "truth": "truth:truth",
    "properties": "properties:properties",
    "peers": "peers.comparing:peers",
    "arx": "peers.arx:arx",
}
"""Name → module:function, loaded when it is asked for."""


def main() -> int:
    known = [name for name, place in BENCHMARKS.items() if importlib.util.find_spec(_module(place))]
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", choices=[[], *known], metavar="name", help=f"of {', '.join(known)}; or all")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of large tables (default: one million)")
    parser.add_argument("--data", type=Path, help="directory of data that may not enter the project")
    parser.add_argument("--arx", type=Path, help="a jar of ARX with what it needs, to be run beside ours")
    parser.add_argument(
        "--page", type=Path, help="a Markdown page to write the figures to, such as docs/performance.md"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results: list[Result] = []
    for name in args.names or known:
        place = BENCHMARKS[name]
        module = importlib.import_module(_module(place))
        benchmark = getattr(module, place.partition(":")[2])
        given = (args.data, args.rows, args.arx) if name == "arx" else (args.data, args.rows)
        own: list[Result] = []
        for result in benchmark(*given):
            own.append(result)
            if not args.json:
                print(result, flush=True)
        results += own
        if args.page is not None:
            write_section(args.page, name, module.__doc__ or "", own)
    if args.json:
        print(json.dumps([result.__dict__ for result in results], indent=1))
    return 0 if all(result.reached for result in results) else 1


def _module(place: str) -> str:
    return f"benchmarks.{place.partition(':')[0]}"


sys.exit(main())
