"""Protect, write, verify, attack, measure, certify."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import LOOKALIKES, add_json, print_json, print_table, print_verdict, progress
from sharewell.plain_data import Json, JsonObject

if TYPE_CHECKING:
    from sharewell.pipeline.run import Released


PROCESSES = 2
"""For work on one person after the other."""
UNSIGNED = (
    "Unsigned: someone could alter the files and recompute the hashes, and recipients could not tell."
    " Make a key with `sharewell keygen steward` and name it in the policy: secrets: {sign: file:steward.key}"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file")
    parser.add_argument(
        "--replace", action="store_true", help="replace an earlier release of this name, once the new one is verified"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.pipeline.run import release
    from sharewell.policy import check

    policy = check(args.policy)
    with progress(args.policy) as step:
        done = release(policy, step, processes=PROCESSES, replace=args.replace)
    if args.json:
        print_json(
            {
                "directory": str(done.directory),
                "dossier": str(done.dossier),
                "signed_by": done.signed_by,
                "cautions": list(done.cautions),
                "reproducible": done.reproducible,
                "beside_the_verdict": list(done.facts.lines()),
                **done.findings,
            }
        )
        return 0
    show(done)
    return 0


def show(done: Released) -> None:
    """Risk before and after, what holds, what it cost, where things are."""
    from sharewell.cli.cleaning_lines import cleaning_lines
    from sharewell.cli.kind_words import KindWords, of_all_kinds, of_kind

    words_of_kinds = of_all_kinds()
    risks = {risk: words for kind in words_of_kinds for risk, words in kind.risks.items()}
    averages = {risk: words for kind in words_of_kinds for risk, words in kind.averages.items()}
    for name, claim in done.findings["datasets"].items():
        before = {risk["name"]: risk for risk in claim["before"]["risks"]}
        after = {risk["name"]: risk for risk in claim["risks_after"]}
        what, part = of_kind(claim["kind"]).counted
        if part not in claim["before"] or part not in claim["after"]:
            what, part = KindWords().counted
        rows: list[tuple[object, ...]] = [(what, claim["before"][part], claim["after"][part])]
        for risk in [one for one in before if one in risks]:
            rows.append((risks[risk].format(unit=before[risk].get("unit", "")), *_values(before, after, risk)))
        for risk in [one for one in before if one in averages]:
            results = [side[risk].get("details", {}).get("average") for side in (before, after)]
            rows.append((averages[risk], *(_short(value) for value in results)))
        for attack in claim["attacks"]:
            results = [attack[side]["value"] if attack[side] else None for side in ("before", "after")]
            given = ", ".join(f"{key} {value}" for key, value in attack.get("parameters", {}).items())
            words = f"attack: {attack['name']}{f' ({given})' if given else ''}"
            rows.append((words, *(_short(value) for value in results)))
        print_table(("", "before", "after"), rows, title=name)
        criteria = [
            (_named(c), f"{c['sense']} {_short(c['bound'])}", _short(c["value"]), "holds", c["tier"])
            for c in claim["criteria"]
        ]
        print_table(("criterion", "bound", "reached", "", "who can re-check"), criteria)
        if claim["utility"]:
            costs = [(u["name"], _short(u["value"]), _promised(u)) for u in claim["utility"]]
            print_table(("cost", "value", "bound"), costs)
        for reason in claim["mechanism"]["chosen"]:
            print(f"chosen   {reason}")
        for line in cleaning_lines(claim.get("cleaning", ())):
            print(f"cleaned  {line}")
        for caution in claim.get("joined_persons", ()):
            print(f"caution  {caution}")
        for column, count in claim.get("lookalikes", {}).items():
            print(f"caution  {column}: {LOOKALIKES.format(count=count)}")
    _show_together(done.findings["together"])
    print(f"release  {done.directory}")
    print(f"dossier  {done.dossier}")
    print(f"signer   {done.signed_by or 'nobody'}")
    if done.signed_by is None:
        print(f"caution  {UNSIGNED}")
    for caution in done.cautions:
        print(f"caution  {caution}")
    if not done.reproducible:
        print(
            "note     this release cannot be reproduced: it has no secret key, or its noise is not drawn from the key"
        )
    print_verdict(_verdict(done.findings), done.facts)


def _verdict(findings: JsonObject) -> str:
    """The sentence about the criteria. They all hold: where one fails, no release is made."""
    groups = (*(dataset["criteria"] for dataset in findings["datasets"].values()), findings["together"]["criteria"])
    judged = sum("bound" in one for group in groups for one in group)
    return "The one criterion holds." if judged == 1 else f"All {judged} criteria hold."


def _show_together(claim: JsonObject) -> None:
    """What datasets of the same people tell together, and which pairs nobody judged."""
    rows = [
        (one["name"], ", ".join(one["datasets"]), _short(one["value"]), "holds" if room == "criteria" else "")
        for room in ("criteria", "attacks")
        for one in claim[room]
    ]
    if rows:
        print_table(("", "datasets", "reached", ""), rows, title="datasets about the same people, judged together")
    if claim["not_judged"]:
        pairs = "; ".join(" and ".join(pair) for pair in claim["not_judged"][:6])
        more = f"; {len(claim['not_judged']) - 6} more pairs" if len(claim["not_judged"]) > 6 else ""
        what = "no criterion judged everything that these datasets about the same people disclose together"
        print(f"caution  {what}: {pairs}{more}")


def _named(criterion: JsonObject) -> str:
    return f"{criterion['name']} of {criterion['column']}" if criterion.get("column") else criterion["name"]


def _values(before: JsonObject, after: JsonObject, name: str) -> tuple[str, str]:
    return _short(before[name]["value"]), _short(after[name]["value"]) if name in after else ""


def _promised(measured: JsonObject) -> str:
    return f"{measured['sense']} {_short(measured['bound'])}" if "bound" in measured else ""


def _short(value: Json) -> str:
    from sharewell.number_format import show as shown

    return shown(value["value"] if isinstance(value, dict) else value)
