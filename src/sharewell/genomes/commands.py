"""Look at DNA: who would be recognised in published frequencies, who is related. What it prints is confidential."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, from_one, print_json, print_table
from sharewell.cli.reader_options import add_reader_options, detected
from sharewell.cli.release import arguments as release_arguments

if TYPE_CHECKING:
    from sharewell.io.sources import Source


_FILE = "PLINK .bed, VCF, or a table with one row per person and one column per SNP"

_SITES = "of VCF: sites of several alternatives are refused, or split into a SNP for each (refuse)"
_CALLS = "of VCF: calls of one allele are refused, counted twice, or taken for missing (refuse)"


def _outcome(size: Mapping[str, int], withheld: int) -> str:
    """The line for data that tells of all people together. Sequences are records, and have no such line."""
    return f"{size['snps']} SNP(s) of {size['persons']} people" if "snps" in size else ""


WORDS = KindWords(counted=("SNPs", "snps"), outcome=_outcome)


def arguments(parser: argparse.ArgumentParser) -> None:
    subs = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    who = subs.add_parser(
        "membership", help="measure how well members of a pool are recognised from its allele frequencies"
    )
    who.add_argument("--pool", required=True, metavar="FILE", help=f"{_FILE}; or a table of frequencies")
    who.add_argument("--reference", required=True, metavar="FILE", help="people, or frequencies, of the same ancestry")
    who.add_argument("--targets", metavar="FILE", help="people to look for (default: those of the pool)")
    who.add_argument("--truth", metavar="FILE", help="members, one per line (default: the people of the pool)")
    who.add_argument("--fpr", type=_rate, default=0.05, metavar="RATE", help="false-positive rate (0.05)")
    words = ("auto", "targets", "reference", "theory")
    who.add_argument("--nulls", choices=words, default="auto", help="who sets the threshold (auto)")
    kin = subs.add_parser("kinship", help="count pairs of relatives, by degree")
    kin.add_argument("file", metavar="FILE", help=_FILE)
    kin.add_argument("--snps", type=from_one, default=20_000, metavar="N", help="use at most this many SNPs (20000)")
    frequencies_parser = subs.add_parser(
        "frequencies", help="write unprotected allele frequencies as a CSV or Parquet file"
    )
    frequencies_parser.add_argument("file", metavar="FILE", help=_FILE)
    frequencies_parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="never replaced")
    made = subs.add_parser(
        "release", help="the same as `sharewell release`, for a policy with datasets of kind genomes"
    )
    release_arguments(made)
    for sub in (who, kin, frequencies_parser):
        sub.add_argument("--multiallelic", choices=("refuse", "split"), default="refuse", help=_SITES)
        sub.add_argument("--haploid", choices=("refuse", "double", "missing"), default="refuse", help=_CALLS)
        sub.add_argument(
            "--subject", metavar="COLUMN", help="for a table: the column that identifies the person (the first)"
        )
        add_reader_options(sub)
        add_json(sub)


def run(args: argparse.Namespace) -> int:
    if args.what == "release":
        from sharewell.cli.release import run as release

        return release(args)
    return {"membership": _membership, "kinship": _kinship, "frequencies": _frequencies}[args.what](args)


def _membership(args: argparse.Namespace) -> int:
    from sharewell.genomes.engine.inspection import membership
    from sharewell.number_format import show

    given = {"fpr": args.fpr, "nulls": args.nulls, "subject": args.subject}
    targets = None if args.targets is None else _source(args, args.targets)
    results = membership(_source(args, args.pool), _source(args, args.reference), targets, args.truth, **given)
    if args.json:
        print_json(results)
        return 0
    print(
        f"{results['snps']} SNPs, {results['people']} people in the pool, {results['reference']} in the reference; "
        f"{results['members']} members and {results['null_people']} others compared ({results['nulls']})"
    )
    heads = ("statistic", "AUC", "±", f"power at {args.fpr:g}", "±", "nominal threshold: false positives", "power")
    parts = ("auc", "auc_error", "power", "power_error", "nominal_fpr", "nominal_power")
    rows = [(name, *(show(one[part]) for part in parts)) for name, one in results["statistics"].items()]
    limit = results["bound"]
    rows.append(("theory's limit", show(limit["auc"]), "", show(limit["power"]), "", "", ""))
    known = limit["if_known"]
    rows.append(("… population known", show(known["auc"]), "", show(known["power"]), "", "", ""))
    print_table(heads, rows)
    for caution in results["cautions"]:
        print(f"caution  {caution}")
    print("thresholds are set by people who are not members; what this shows of your people is for you alone")
    return 0


def _kinship(args: argparse.Namespace) -> int:
    from sharewell.genomes.attacks.kinship import Kinship
    from sharewell.genomes.engine.sources import opened_people

    finding = Kinship(args.snps).mount(opened_people(_source(args, args.file), "people", args.subject))
    if args.json:
        print_json(finding.to_json())
        return 0
    details = finding.details
    if details is None:
        print(f"undecided: {finding.note}")
        return 0
    pairs = {"same": details.same, "first": details.first, "second": details.second, "third": details.third}
    rows = [(degree, "too few SNPs to tell" if count is None else str(count)) for degree, count in pairs.items()]
    print(f"{details.persons} people, {details.snps} SNPs, {details.pairs} pairs; {details.relatives} with a relative")
    print_table(("degree", "pairs"), rows)
    print(finding.note)
    return 0


def _frequencies(args: argparse.Namespace) -> int:
    from sharewell.genomes.engine.inspection import frequencies_of
    from sharewell.genomes.engine.sources import opened
    from sharewell.io.writing import refuse_existing, write_table

    refuse_existing(args.out)
    table = frequencies_of(opened(_source(args, args.file), args.subject)).arrow
    write_table(args.out, table, "parquet" if args.out.suffix == ".parquet" else "csv")
    if args.json:
        print_json({"written": str(args.out), "snps": table.num_rows})
        return 0
    print(f"{args.out}: {table.num_rows} SNPs, as they were counted: not protected, keep the file to yourself")
    return 0


def _source(args: argparse.Namespace, path: str) -> Source:
    """The file, with how a table is to be read, and odd calls of a VCF file."""
    from dataclasses import replace

    return replace(detected(args, Path(path)), multiallelic=args.multiallelic, haploid=args.haploid)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
    return rate
