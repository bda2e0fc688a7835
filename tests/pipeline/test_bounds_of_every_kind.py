"""Bounds both ways in every kind of data: criteria given, utility given, or both, which is refused if it cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sharewell.errors import Infeasible, PolicyError
from sharewell.number_format import show
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = "sharewell: 1\nrelease: {name: r1}\ndatasets:\n  one:\n"

KINDS: dict[str, tuple[str, str, str, str, str]] = {
    "tables": (
        "kind: tables\n    read: {csv: EX/joint/patients.csv}\n"
        "    columns: {patient_id: subject, age: quasi, sex: quasi, zip: drop}",
        "k-anonymity: {k: VALUE}",
        "mondrian",
        "ncp: {at_most: BOUND}",
        "0.3",
    ),
    "codes": (
        "kind: codes\n    read: {csv: EX/diagnoses/diagnoses.csv}\n    columns: {patient_id: subject, visit_id: drop,"
        " date: drop, position: drop, code: {role: quasi, hierarchy: icd9cm}}",
        "km-anonymity: {k: VALUE, m: 2}",
        "apriori",
        "ncp: {at_most: BOUND}",
        "0.2",
    ),
    "sequences": (
        "kind: genomes\n    read: {fasta: EX/genomes/sequences.fasta}",
        "k-identical: {k: VALUE}",
        "{dnala: {k: VALUE}}",
        "bases-kept: {at_least: BOUND}",
        "0.9",
    ),
    "bins": (
        "kind: genomes\n    read: {csv: EX/genomes/sequences.csv}\n    columns: {person: subject, sequence: quasi}",
        "snp-bins: {B: 3, B_prime: VALUE}",
        "{binning: {B: 3, B_prime: VALUE}}",
        "bases-kept: {at_least: BOUND}",
        "0.7",
    ),
    "frequencies": (
        "kind: genomes\n    read: {bed: EX/genomes/cohort.bed}",
        "minor-frequency: {floor: {strictest: [0.05, 0.1, 0.2, 0.3, 0.4]}}",
        "{frequency-floor: {floor: VALUE}}",
        "snps-kept: {at_least: BOUND}",
        "0.7",
    ),
    "beacon": (
        "kind: genomes\n    read: {bed: EX/genomes/cohort.bed}",
        "beacon-power: {max_power: VALUE, pool: {bed: EX/genomes/cohort.bed},"
        " reference: {bed: EX/genomes/reference.bed}}",
        "beacon-release",
        "true-answers: {at_least: BOUND}",
        "0.9",
    ),
    "counts": (
        "kind: reports\n    read: {csv: EX/reports-table/north.csv}\n    columns: {patient_id: subject, name: drop,"
        " ward: quasi, illness: quasi, sex: drop, cost: drop}",
        "cell-protection: {threshold: VALUE}",
        "cell-suppression",
        "suppressed-share: {at_most: BOUND}",
        "0.2",
    ),
    "figures": (
        "kind: reports\n    read: {csv: EX/reports/rates.csv}\n    table: {rows: plan, domain: [0, 100], decimals: 1}\n"
        "    publish: {rows: {center: mean}, columns: {center: mean}}\n    snoopers: {outsider: true, owners: all}",
        "width: {least: {strictest: [1, 5, 60, 90]}}",
        "aggregate",
        "report-loss: {at_most: BOUND}",
        "1",
    ),
    "gathering": (
        "kind: reports\n    read: {csv: EX/reports-table/north.csv}\n    columns: {patient_id: subject, name: drop,"
        " ward: drop, illness: drop, sex: quasi, cost: drop}",
        "local-privacy: {epsilon: VALUE}",
        "{randomised-response: {epsilon: VALUE, values: [F, M]}}",
        "estimate-error: {at_most: BOUND}",
        "0.1",
    ),
    "notes": (
        "kind: notes\n    read: {jsonl: EX/plausible/notes.jsonl}\n    columns: {note_id: drop, patient_id: subject,"
        " body: text}",
        "t-plausible: {t: {strictest: [2, 4, 8]}, tree: {csv: EX/plausible/diseases.csv}}",
        "{t-plausibility: {t: VALUE, tree: {csv: EX/plausible/diseases.csv}}}",
        "clinical-terms-kept: {at_least: BOUND}",
        "0.5",
    ),
    "joint": (
        "kind: joint\n    read: {csv: EX/diagnoses/diagnoses.csv}\n    demographics: {csv: EX/joint/patients.csv}\n"
        "    columns: {patient_id: subject, visit_id: drop, date: drop, position: drop, age: quasi, sex: quasi,"
        " zip: drop, code: {role: quasi, hierarchy: icd9cm}}",
        "k-km-anonymity: {k: {strictest: [2, 5, 11]}, m: 2}",
        "{rt-anonymization: {bound: 0.6}}",
        "ncp: {at_most: BOUND}",
        "0.37",
    ),
    "queries": (
        "kind: queries\n    read: {csv: EX/queries/visits.csv}\n    rest: drop\n    columns: {patient_id: subject,"
        " ward: quasi, sex: quasi}\n    domains: {ward: {values: [A, B, C]}, sex: {values: [F, M]}}\n"
        "    contributions: {rows: 3}\n    neighbours: add-remove\n    budget: {epsilon: 50, ledger: ledger.sqlite}",
        "differential-privacy: {epsilon: VALUE}",
        "{noisy-marginals: {epsilon: VALUE}}",
        "noise-error: {at_most: BOUND}",
        "10",
    ),
}
STRICT: dict[str, tuple[str, str, bool]] = {
    "tables": ("20", "0.05", True),
    "codes": ("20", "0.2", True),
    "sequences": ("20", "0.9", True),
    "bins": ("20", "0.9", False),
    "frequencies": ("0.4", "0.7", True),
    "beacon": ("0.1", "0.9", True),
    "counts": ("20", "0", True),
    "figures": ("90", "1", True),
    "gathering": ("0.1", "0.1", True),
    "notes": ("4", "1.01", False),
    "joint": ("11", "0.37", True),
    "queries": ("0.2", "10", True),
}
"""A value of the criterion and a bound on utility that cannot both be kept; and would a weaker criterion help?"""


def policy(tmp_path: Path, kind: str, *, value: str = "strictest", bound: str | None = None) -> Path:
    dataset, criterion, using, measure, usual = KINDS[kind]
    own = criterion if value == "strictest" else criterion.replace(_listed(criterion), "VALUE")
    require, mechanism = (text.replace("VALUE", value) for text in (own, using))
    utility = measure.replace("BOUND", bound or usual)
    text = f"{HEAD}    {dataset}\n    require: [{require}]\n    using: {mechanism}\n    utility: [{utility}]\n"
    path = tmp_path / "policy.yaml"
    path.write_text(text.replace("EX/", f"{EXAMPLES}/") + "write: {csv: out}\n")
    return path


def _listed(criterion: str) -> str:
    """The values to try, where a criterion lists some."""
    start = criterion.find("{strictest:")
    return criterion[start : criterion.find("}", start) + 1] if start >= 0 else "VALUE"


@pytest.mark.parametrize("kind", KINDS)
def test_the_strictest_criterion_that_utility_allows_is_taken(tmp_path: Path, kind: str) -> None:
    path = policy(tmp_path, kind)
    done = release(check(path))
    assert verify(done.directory).ok
    one = done.findings["datasets"]["one"]
    [promised] = one["utility"]
    assert promised["ok"] is True
    chosen = one["mechanism"]["chosen"]
    assert any("is the strictest tried that keeps" in text for text in chosen)
    rungs = load(path).datasets["one"].require[0].rungs
    taken = next(r for r in rungs if f"= {_shown(r, rungs)} is the strictest" in chosen[0])
    tried = {trial["what"] for trial in one["mechanism"]["tried"] if not trial["holds"]}
    assert taken is rungs[-1] or tried, "what is stricter was tried, and does not keep the bound"


def _shown(rung: Any, rungs: Any) -> str:
    key = next(k for k, v in rung.parameters.items() if v != rungs[0].parameters[k] or v != rungs[-1].parameters[k])
    return show(rung.parameters[key])


@pytest.mark.parametrize("kind", KINDS)
def test_both_that_cannot_be_kept_release_nothing_and_say_what_would_help(tmp_path: Path, kind: str) -> None:
    value, bound, helps = STRICT[kind]
    with pytest.raises(Infeasible) as caught:
        release(check(policy(tmp_path, kind, value=value, bound=bound)))
    assert caught.value.blocking
    criterion = KINDS[kind][1].partition(":")[0]
    assert any(text.startswith(f"{criterion} with ") for text in caught.value.relaxations) is helps
    assert not (tmp_path / "out" / "r1").exists()


def test_a_mechanism_follows_only_what_is_the_strictest(tmp_path: Path) -> None:
    path = policy(tmp_path, "sequences")
    path.write_text(path.read_text().replace("k-identical: {k: strictest}", "k-identical: {k: 3}"))
    with pytest.raises(
        PolicyError, match=r"k: strictest takes the value that a criterion reaches, and no criterion has k: strictest"
    ):
        load(path)
    path.write_text(path.read_text().replace("dnala: {k: strictest}", "dnala: {k: {strictest: [2, 3]}}"))
    with pytest.raises(PolicyError, match="the values to try belong to the criterion"):
        load(path)


def test_what_a_mechanism_followed_is_recorded_as_if_it_had_been_written(tmp_path: Path) -> None:
    done = release(check(policy(tmp_path, "sequences")))
    told = done.findings["datasets"]["one"]["mechanism"]
    k = told["parameters"]["k"]
    assert f"k-identical with k = {k} is the strictest tried" in told["chosen"][0]


def test_noise_is_never_accepted_by_looking_at_the_data(tmp_path: Path) -> None:
    path = policy(tmp_path, "queries")
    path.write_text(path.read_text().replace("noise-error", "query-error"))
    with pytest.raises(PolicyError, match="would accept or reject noise by looking at the data"):
        load(path)


def test_what_others_would_have_hidden_is_not_told_of_hidden_cells(tmp_path: Path) -> None:
    done = release(check(policy(tmp_path, "counts")))
    [words] = done.findings["datasets"]["one"]["mechanism"]["chosen"]
    assert "the next" not in words
