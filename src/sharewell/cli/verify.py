"""Re-check a release from its files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table, print_verdict, progress
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    from sharewell.pipeline.verify import Verification

MEMORY = 8.0
"""Gigabytes. A release may come from anybody, and a small file can unfold to any size."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("release", type=Path, help="the release directory, or its public folder")
    parser.add_argument(
        "--with", dest="with_", type=Path, metavar="DIR", help="the internal folder, or one with named sources"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="the public key that must have signed the release")
    parser.add_argument("--approver", type=Path, metavar="FILE", help="the public key that must have approved it")
    parser.add_argument(
        "--secret", metavar="WHERE", help="env:NAME or file:PATH, the release's secret key: recognises named sources"
    )
    parser.add_argument(
        "--earlier",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="an earlier release that this one names",
    )
    parser.add_argument(
        "--memory",
        type=float,
        default=MEMORY,
        metavar="GB",
        help=f"refuse files that need more memory than this (default: {MEMORY:g} GB)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.errors import VerificationFailed
    from sharewell.io.plain_files import memory_limit
    from sharewell.pipeline.verify import verify
    from sharewell.policy.secrets import resolve

    secret = None if args.secret is None else resolve(args.secret, Path())
    advice = "the files are damaged or hostile, or the release is large: give verify more with --memory"
    with progress(args.release) as step, memory_limit(args.memory, advice):
        result = verify(
            args.release,
            with_=args.with_,
            key=args.key,
            approver=args.approver,
            secret=secret,
            earlier=args.earlier,
            progress=step,
        )
    if args.json:
        print_json(
            {
                "ok": result.ok,
                "verdict": result.verdict,
                "beside_the_verdict": list(result.facts.lines()),
                "attested": result.attested,
                "signer": result.signer,
                "approval": result.approval,
                "problems": list(result.problems),
                "cautions": list(result.cautions),
                "not_covered": list(result.not_covered),
                "required": list(result.claims.required),
                "trusted": list(result.claims.trusted),
                "commitments": list(result.claims.commitments),
                "datasets": {name: [f.to_json() for f in findings] for name, findings in result.findings.items()},
            }
        )
    else:
        _show(result, signer_given=args.key is not None)
    return 0 if result.ok else VerificationFailed.exit_code


def _show(verification: Verification, signer_given: bool) -> None:
    from sharewell.number_format import show

    print(f"signer   {verification.signer}")
    print(f"approval {verification.approval}")
    rows = [
        (
            name,
            f"{f.name} of {f.column}" if f.column else f.name,
            f"{f.sense} {show(f.bound)}",
            f"{show(f.value)} {f.unit}",
            "FAILS" if f.failed else "holds",
            f.tier,
        )
        for name, findings in verification.findings.items()
        for whole in findings
        for f in (whole, *(part for part in whole.parts if part.tier != whole.tier))
    ]
    print_table(("dataset", "criterion", "bound", "found", "", "tier"), rows)
    for line in verification.claims.required:
        print(f"required {legible(line)}")
    for line in verification.claims.trusted:
        print(f"trusted  {legible(line)}")
    for name in verification.not_covered:
        print(f"not covered  {name}")
    for caution in verification.cautions:
        print(f"caution  {legible(caution)}")
    for problem in verification.problems:
        print(f"FAILS    {legible(problem)}", file=sys.stderr)
    print_verdict(_verdict(verification, signer_given), verification.facts)


def _verdict(verification: Verification, signer_given: bool) -> str:
    claims = sum(map(len, verification.findings.values()))
    rest = f"{verification.attested} of {claims} claim(s) rest on the certificate's word"
    sentences = {
        "failed": f"NOT verified: {len(verification.problems)} problem(s)",
        "not re-checked": f"NOT re-checked: {rest}; the hashes agree with it, which proves nothing about people",
        "partly verified": f"partly verified: {rest}",
        "verified": "verified",
    }[verification.verdict]
    return sentences if signer_given or not verification.ok else f"{sentences}; who made the release is not established"
