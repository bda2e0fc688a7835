"""Re-check a release from its files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sharewell.cli.showing import add_json, print_json, print_table
from sharewell.legible import legible


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("release", type=Path, help="the release directory, or its public folder")
    parser.add_argument("--with", dest="with_", type=Path, metavar="DIR", help="the internal folder, for a steward")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the public key that must have signed the release")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.errors import VerificationFailed
    from sharewell.findings import show
    from sharewell.release.verify import verify

    found = verify(args.release, with_=args.with_, key=args.key)
    if args.json:
        print_json(
            {
                "ok": found.ok,
                "attested": found.attested,
                "signer": found.signer,
                "problems": list(found.problems),
                "cautions": list(found.cautions),
                "datasets": {name: [f.to_json() for f in findings] for name, findings in found.findings.items()},
            }
        )
    else:
        rows = [
            (
                name,
                f"{f.name} of {f.column}" if f.column else f.name,
                f"{f.sense} {show(f.bound)}",
                f"{show(f.value)} {f.unit}",
                "FAILS" if f.failed else "holds",
                f.tier,
            )
            for name, findings in found.findings.items()
            for whole in findings
            for f in (whole, *(part for part in whole.parts if part.tier != whole.tier))
        ]
        print_table(("dataset", "criterion", "bound", "found", "", "tier"), rows)
        print(f"signer   {found.signer}")
        for caution in found.cautions:
            print(f"caution  {legible(caution)}")
        for problem in found.problems:
            print(f"FAILS    {legible(problem)}", file=sys.stderr)
        told = "verified" if not found.attested else f"verified, but for {found.attested} attested claim(s)"
        print(told if found.ok else f"NOT verified: {len(found.problems)} problem(s)")
    return 0 if found.ok else VerificationFailed.exit_code
