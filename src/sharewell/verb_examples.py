"""Examples of every verb, as its `--help` shows them. A test parses all of them, and runs those of the usual way."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "hospital": (
        "sharewell hospital ward --patients 300",
        "sharewell hospital large --patients 1000 --no-notes --seed 11",
    ),
    "demo": ("sharewell demo", "sharewell demo --patients 200 --replace"),
    "init": (
        "sharewell init patients.csv -o draft.yaml",
        "sharewell init patients.csv visits.csv --name diabetes-2026",
    ),
    "risk": (
        "sharewell risk patients.csv",
        "sharewell risk patients.csv --quasi sex,zip --subject patient_id --k 5",
    ),
    "attack": (
        "sharewell attack patients.csv --quasi sex,zip --sensitive illness",
        "sharewell attack diagnoses.csv 'code-linkage: {knowledge: visit}' \\\n"
        "    --kind codes --subject patient_id --quasi code --keys 'visit: visit_id'",
    ),
    "check": ("sharewell check policy.yaml", "sharewell check policy.yaml --json"),
    "plan": ("sharewell plan policy.yaml", "sharewell plan policy.yaml --json"),
    "compare": (
        "sharewell compare policy.yaml --k 2,5,11",
        "sharewell compare policy.yaml --k 5 --using mondrian,mdav --out map",
    ),
    "keygen": ("sharewell keygen steward", "sharewell keygen --secret release.key"),
    "approve": (
        "sharewell approve policy.yaml --sign officer.key",
        "sharewell approve out/r1 --sign officer.key --key steward.pub",
    ),
    "release": ("sharewell release policy.yaml", "sharewell release policy.yaml --replace"),
    "verify": ("sharewell verify out/r1", "sharewell verify out/r1/public --key steward.pub"),
    "diff": ("sharewell diff out/r1 out/r2", "sharewell diff out/r1/public out/r2/public --json"),
    "notes": (
        "sharewell notes detect notes.jsonl",
        "sharewell notes protect notes.jsonl --out protected.jsonl",
    ),
    "notes evaluate": ("sharewell notes evaluate marked.jsonl", "sharewell notes evaluate marked.jsonl --json"),
    "notes detect": (
        "sharewell notes detect notes.jsonl",
        "sharewell notes detect notes.jsonl --text text --out spans.jsonl",
    ),
    "notes annotate": (
        "sharewell notes annotate notes.jsonl --out notes.html",
        "sharewell notes annotate notes.jsonl --blank --out blank.html",
    ),
    "notes tag": (
        "sharewell notes tag notes.jsonl --out tagged.jsonl",
        "sharewell notes tag notes.jsonl --model house.model --out tagged-better.jsonl",
    ),
    "notes correct": (
        "sharewell notes correct tagged.jsonl --out tagged.html",
        "sharewell notes correct marked.jsonl --out again.html",
    ),
    "notes train": (
        "sharewell notes train marked.jsonl --out house.model",
        "sharewell notes train marked.jsonl corrected.jsonl --out house.model --curve curve.svg",
    ),
    "notes persistence": (
        "sharewell notes persistence notes.jsonl --clusters 2",
        "sharewell notes persistence notes.jsonl --clusters 2 --out persistence.html",
    ),
    "notes protect": (
        "sharewell notes protect notes.jsonl --out protected.jsonl",
        "sharewell notes protect notes.jsonl --out shifted.jsonl --dates shift --key file:release.key",
    ),
    "genomes": (
        "sharewell genomes kinship cohort.bed",
        "sharewell genomes membership --pool cohort.bed --reference reference.bed",
    ),
    "genomes membership": (
        "sharewell genomes membership --pool cohort.bed --reference reference.bed",
        "sharewell genomes membership --pool cohort.bed --reference reference.bed --fpr 0.01",
    ),
    "genomes kinship": (
        "sharewell genomes kinship cohort.bed",
        "sharewell genomes kinship cohort.bed --snps 5000",
    ),
    "genomes frequencies": (
        "sharewell genomes frequencies cohort.bed --out frequencies.csv",
        "sharewell genomes frequencies cohort.bed --out frequencies.parquet",
    ),
    "genomes release": (
        "sharewell genomes release policy.yaml",
        "sharewell genomes release policy.yaml --replace",
    ),
    "reports": (
        "sharewell reports audit report.yaml",
        "sharewell reports release report.yaml --to out",
    ),
    "reports audit": (
        "sharewell reports audit report.yaml",
        "sharewell reports audit report.yaml --snooper outsider --exact",
    ),
    "reports aggregate": (
        "sharewell reports aggregate report.yaml",
        "sharewell reports aggregate report.yaml --nodes 2000",
    ),
    "reports release": (
        "sharewell reports release report.yaml",
        "sharewell reports release report.yaml --to published",
    ),
    "reports gather": (
        "sharewell reports gather plan plan.yaml",
        "sharewell reports gather mediator plan.yaml --folder shared --out report.yaml",
    ),
    "reports gather plan": (
        "sharewell reports gather plan plan.yaml",
        "sharewell reports gather plan plan.yaml --json",
    ),
    "reports gather mediator": (
        "sharewell reports gather mediator plan.yaml --folder shared --out report.yaml",
        "sharewell reports gather mediator plan.yaml --port 8500 --out report.yaml",
    ),
    "reports gather owner": (
        "sharewell reports gather owner plan.yaml --folder shared --name A --key A.key --values A.csv",
        "sharewell reports gather owner plan.yaml --port 8500 --name A --key A.key --values A.csv",
    ),
    "reports gather randomise": (
        "sharewell reports gather randomise answers.csv --subject id --columns smokes\n"
        "      --epsilon 1 --key file:release.key --out randomised.csv",
        "sharewell reports gather randomise answers.csv --subject id --columns smokes\n"
        "      --values no,yes --epsilon 0.5 --key file:release.key --out drawn.csv",
    ),
    "reports gather estimate": (
        "sharewell reports gather estimate randomised.csv",
        "sharewell reports gather estimate randomised.csv --json",
    ),
    "extract": (
        "sharewell extract privacy diagnoses.csv --subject patient_id --code code \\\n      --k 5 --out privacy.csv",
        "sharewell extract utility diagnoses.csv --subject patient_id --code code\n"
        "      --hierarchy icd9cm --out utility.csv",
    ),
    "ask": (
        "sharewell ask questions.yaml '{measure: count, filter: {sex: F}}' \\\n      --epsilon 0.1 --dry-run",
        "sharewell ask questions.yaml @question.json --epsilon 0.1",
    ),
    "budget": ("sharewell budget questions.yaml", "sharewell budget questions.yaml --analyst Ada"),
    "serve": (
        "sharewell serve questions.yaml",
        "sharewell serve questions.yaml --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
    ),
    "token": (
        "sharewell token new questions.yaml --analyst Ada --days 30",
        "sharewell token list questions.yaml",
    ),
    "token new": (
        "sharewell token new questions.yaml --analyst Ada --days 30",
        "sharewell token new questions.yaml --analyst Ada --scopes budget",
    ),
    "token list": ("sharewell token list questions.yaml", "sharewell token list questions.yaml --analyst Ada"),
    "token revoke": (
        "sharewell token revoke questions.yaml --analyst Ada",
        "sharewell token revoke questions.yaml --token 3f9c61d0a2b4",
    ),
    "catalogue": (
        "sharewell catalogue --kind tables --room criteria",
        "sharewell catalogue k-anonymity",
    ),
    "profiles": ("sharewell profiles", "sharewell profiles --json"),
    "hierarchy": (
        "sharewell hierarchy show icd10cm E11.9",
        "sharewell hierarchy gaps diagnoses.csv --hierarchy icd9cm --column code",
    ),
    "hierarchy gaps": (
        "sharewell hierarchy gaps diagnoses.csv --hierarchy icd9cm --column code",
        "sharewell hierarchy gaps wards.csv",
    ),
    "hierarchy show": (
        "sharewell hierarchy show icd10cm E11.9 A00",
        "sharewell hierarchy show '{intervals: {width: 5}}' 42",
    ),
    "schema": ("sharewell schema", "sharewell schema > policy.schema.json"),
    "completion": (
        "sharewell completion bash > ~/.local/share/bash-completion/completions/sharewell",
        "sharewell completion fish > ~/.config/fish/completions/sharewell.fish",
    ),
}
"""Words of the verb → commands."""


def told(words: str) -> str:
    """The end of a verb's help."""
    return "examples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[words]) if words in EXAMPLES else ""
