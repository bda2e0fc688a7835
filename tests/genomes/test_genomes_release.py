"""DNA through a policy: every format, every form, and a verifier that trusts the files alone."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError, SharewellError
from sharewell.genomes import Genotypes, Snps
from sharewell.genomes.wing import GenomesWing
from sharewell.io.sources import Source
from sharewell.pipeline.compare import compare_policy
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.policy.schema import json_schema

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_DNA_KEY}
datasets:
  dna:
    kind: genomes
    read: {bed: cohort.bed}
    require: [minor-frequency: {floor: 0.1}, safe-number: {max_power: 0.9}]
    using: {frequency-floor: {floor: 0.1, decimals: 3}}
    attacks: [wip: {reference: {bed: others.bed}}, kinship]
    utility: [frequency-error]
write: {csv: out}
"""
SEQUENCES = ["AATTA", "AATGA", "ATTCA", "AATGA", "AATTA", "ATTCA"]
FASTA = "".join(f">s{i + 1} {'flu' if i % 2 else 'gout'}\n{text}\n" for i, text in enumerate(SEQUENCES))
OF_SEQUENCES = [
    ("read: {bed: cohort.bed}", "read: {fasta: dna.fa}"),
    ("[minor-frequency: {floor: 0.1}, safe-number: {max_power: 0.9}]", "[k-identical: {k: 2}]"),
    ("{frequency-floor: {floor: 0.1, decimals: 3}}", "dnala"),
    ("[wip: {reference: {bed: others.bed}}, kinship]", "[]"),
    ("[frequency-error]", "[lattice-distance]"),
]
Written = Callable[..., Path]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")


def people(seed: int = 1, count: int = 40, snps: int = 60) -> tuple[Genotypes, Genotypes]:
    draw = np.random.default_rng(seed)
    calls = draw.binomial(2, draw.uniform(0.02, 0.5, snps), (2 * count, snps)).astype(np.int8)
    calls[draw.random(calls.shape) < 0.01] = -1
    sites = Snps.of(
        [f"rs{i}" for i in range(snps)],
        chromosome=["1"] * 30 + ["10"] * 15 + ["2"] * (snps - 45),
        position=draw.permutation(snps) + 1,
        effect=["A"] * snps,
        other=["G"] * snps,
    )
    whole = Genotypes.of(calls, persons=[f"who{i}" for i in range(2 * count)], snps=sites)
    return whole.take(persons=slice(0, count)), whole.take(persons=slice(count, None))


def published(directory: Path) -> list[list[str]]:
    with (directory / "public" / "dna.csv").open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """A policy with its files beside it."""
    cohort, others = people()
    cohort.write_bed(tmp_path / "cohort.bed")
    others.write_bed(tmp_path / "others.bed")
    (tmp_path / "dna.fa").write_text(FASTA)

    def write(*changes: tuple[str, str]) -> Path:
        text = POLICY
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "policy.yaml").write_text(text)
        return tmp_path / "policy.yaml"

    return write


def test_frequencies_are_released_and_verified(written: Written, tmp_path: Path) -> None:
    done = release(check(written()))
    found = verify(done.directory)
    assert found.ok
    assert done.reproducible
    assert {str(finding.tier) for finding in found.findings["dna"]} == {"steward"}
    header, *rows = published(done.directory)
    assert header == ["id", "chromosome", "position", "effect", "other", "frequency", "people"]
    places = [(int(row[1]), int(row[2])) for row in rows]
    assert places == sorted(places)
    assert "who" not in str(rows)
    dictionary = json.loads((done.directory / "public" / "dictionary.json").read_text())
    assert dictionary["dna"]["id"]["form"] == "frequencies"
    assert dictionary["dna"]["frequency"]["decimals"] == 3


def test_the_wings_own_verb_releases_too(written: Written) -> None:
    policy = written()
    assert main(["genomes", "release", str(policy)]) == 0


def test_the_public_folder_alone_is_verified_with_persons_attested(written: Written, tmp_path: Path) -> None:
    done = release(check(written()))
    shutil.copytree(done.directory / "public", tmp_path / "alone")
    found = verify(tmp_path / "alone")
    assert found.ok
    assert {str(finding.tier) for finding in found.findings["dna"]} == {"attested"}
    assert all(finding.value is not None for finding in found.findings["dna"])


def test_the_order_of_persons_and_snps_changes_nothing(written: Written, tmp_path: Path) -> None:
    first = release(check(written()))
    cohort, _ = people()
    order = np.random.default_rng(3)
    cohort.take(order.permutation(cohort.rows), order.permutation(cohort.count)).write_bed(tmp_path / "cohort.bed")
    second = release(check(written(("name: r", "name: r2"))))
    for name in ("dna.csv", "dictionary.json"):
        assert (first.directory / "public" / name).read_bytes() == (second.directory / "public" / name).read_bytes()


@pytest.mark.parametrize("what", ["frequency", "people", "row", "persons"])
def test_tampering_is_found(written: Written, what: str) -> None:
    """A changed file is not the one that was certified, and evidence of fewer people does not fit."""
    done = release(check(written()))
    if what == "persons":
        path = done.directory / "internal" / "persons" / "dna.parquet"
        pq.write_table(pq.read_table(path).slice(1), path)
        assert not verify(done.directory).ok
        return
    path = done.directory / "public" / "dna.csv"
    lines = path.read_text().splitlines()
    cells = lines[1].split(",")
    cells[{"frequency": 5, "people": 6, "row": 0}[what]] = "0.001"
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n")
    assert not verify(done.directory).ok


def test_evidence_of_fewer_people_than_counted_is_refused(written: Written) -> None:
    """Even if every hash were made anew."""
    directory = release(check(written())).directory
    columns = json.loads((directory / "public" / "dictionary.json").read_text())["dna"]
    evidence = pq.read_table(directory / "internal" / "persons" / "dna.parquet")
    wing, source = GenomesWing(), Source.of(directory / "public" / "dna.csv")
    assert wing.reopen(source, columns, evidence).people == 40
    with pytest.raises(DataError, match="39 person"):
        wing.reopen(source, columns, evidence.slice(1))
    with pytest.raises(DataError, match="no known form"):
        wing.reopen(source, {name: {**facts, "form": "other"} for name, facts in columns.items()})
    with pytest.raises(DataError, match="columns"):
        wing.reopen(source, {"id": columns["id"]})


def test_attacks_are_told_before_and_after(written: Written) -> None:
    told = release(check(written())).findings["datasets"]["dna"]
    wip, kin, chosen = told["attacks"]
    assert (chosen["name"], chosen["before"]) == ("selection-membership", None)
    assert chosen["after"]["details"]["candidates"] == 60
    assert wip["before"]["details"]["snps"] == 60
    assert wip["after"]["details"]["snps"] == told["after"]["snps"] < 60
    assert wip["after"]["details"]["members"] == 40
    assert kin["after"]["value"] is None
    assert "before release" in kin["before"]["note"]
    assert [risk["name"] for risk in told["before"]["risks"]] == ["kinship", "membership"]
    assert told["columns"]["genotypes"]["distinct_after"] == told["after"]["snps"]


def test_named_sources_are_known_again_by_their_hash(written: Written, tmp_path: Path) -> None:
    asked = (
        "[membership-power: {max_power: 0.99, pool: {bed: cohort.bed}, reference: {bed: others.bed}, knows: reference}]"
    )
    policy = written(("[minor-frequency: {floor: 0.1}, safe-number: {max_power: 0.9}]", asked))
    done = release(check(policy))
    tiers = [[str(f.tier) for f in verify(done.directory, with_=w).findings["dna"]] for w in (None, tmp_path)]
    assert tiers == [["attested"], ["steward"]]
    embedded = json.loads((done.directory / "public" / "certificate.json").read_text())["policy"]["redacted"]
    assert embedded["datasets"]["dna"]["require"][0]["parameters"]["pool"]["format"] == "bed"
    assert "cohort" not in json.dumps(embedded)


def test_a_beacon(written: Written) -> None:
    power = "[beacon-power: {max_power: 0.95, pool: {bed: cohort.bed}, reference: {bed: others.bed}, queries: [5]}]"
    policy = written(
        ("[minor-frequency: {floor: 0.1}, safe-number: {max_power: 0.9}]", power),
        ("{frequency-floor: {floor: 0.1, decimals: 3}}", "beacon-release"),
        ("wip: {reference: {bed: others.bed}}", "beacon: {reference: {bed: others.bed}}"),
        ("    utility: [frequency-error]\n", ""),
    )
    done = release(check(policy))
    assert verify(done.directory).ok
    assert {row[5] for row in published(done.directory)[1:]} <= {"yes", "no"}
    facts = json.loads((done.directory / "public" / "dictionary.json").read_text())["dna"]["answer"]
    assert facts["falsified"]
    assert facts["style"] == "falsified"


def test_sequences_from_fasta_with_labels(written: Written) -> None:
    labelled = ("kind: genomes\n", "kind: genomes\n    labels: description\n")
    diverse = ("[k-identical: {k: 2}]", "[k-identical: {k: 2}, diverse-sequences: {l: 2}]")
    done = release(check(written(*OF_SEQUENCES, labelled, diverse)))
    assert verify(done.directory).ok
    rows = published(done.directory)
    assert rows[0] == ["sequence", "label"]
    assert len({row[0] for row in rows[1:]}) <= 3
    assert len(rows) == 7


def test_sequences_from_a_table(written: Written, tmp_path: Path) -> None:
    lines = [f"p{i},{text},flu,x" for i, text in enumerate(SEQUENCES)]
    (tmp_path / "dna.csv").write_text("\n".join(["who,dna,illness,more", *lines]) + "\n")
    columns = "read: {csv: dna.csv}\n    columns: {who: subject, dna: quasi, illness: sensitive}\n    rest: drop"
    done = release(check(written(*OF_SEQUENCES, ("read: {fasta: dna.fa}", columns))))
    assert verify(done.directory).ok
    assert published(done.directory)[0] == ["dna", "illness"]


def test_sequences_of_several_lengths_name_the_option(written: Written, tmp_path: Path) -> None:
    (tmp_path / "dna.fa").write_text(FASTA + ">s7 flu\nAATGGA\n")
    (tmp_path / "ref.fa").write_text(">r\nAATGGA\n")
    with pytest.raises(DataError, match="align:"):
        release(check(written(*OF_SEQUENCES)))
    aligned = ("kind: genomes\n", "kind: genomes\n    align: {fasta: ref.fa}\n")
    assert verify(release(check(written(*OF_SEQUENCES, aligned))).directory).ok


def test_genotypes_from_a_table_and_as_sequences(written: Written, tmp_path: Path) -> None:
    cohort, _ = people()
    rows = [",".join([who, *("" if call < 0 else str(call) for call in calls)]) for who, calls in _listed(cohort)]
    (tmp_path / "dna.csv").write_text("\n".join([",".join(["who", *cohort.snps.id]), *rows]) + "\n")
    table = (
        "read: {bed: cohort.bed}",
        "read: {csv: dna.csv}\n    columns: {who: subject, rs0: quasi}\n    rest: quasi",
    )
    attacks = ("wip: {reference: {bed: others.bed}}, ", "")
    done = release(check(written(table, attacks)))
    assert verify(done.directory).ok
    few = cohort.take(persons=slice(0, 12), snps=slice(0, 6))
    few.write_bed(tmp_path / "cohort.bed")
    from_bed = ("read: {fasta: dna.fa}", "read: {bed: cohort.bed}")
    again = release(check(written(*OF_SEQUENCES, from_bed, ("name: r", "name: r2"))))
    assert verify(again.directory).ok


def _listed(data: Genotypes) -> list[tuple[str, list[int]]]:
    return list(zip(data.persons, data.array().tolist(), strict=True))


def test_vcf(written: Written, tmp_path: Path) -> None:
    pytest.importorskip("cyvcf2")
    head = "##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description=x>\n"
    names = [f"s{i}" for i in range(30)]
    lines = ["\t".join(["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", *names])]
    draw = np.random.default_rng(2)
    for snp in range(20):
        calls = ["/".join(map(str, draw.integers(0, 2, 2))) for _ in names]
        lines.append("\t".join(["1", str(snp + 1), f"rs{snp}", "A", "G", ".", "PASS", ".", "GT", *calls]))
    (tmp_path / "c.vcf").write_text(head + "\n".join(lines) + "\n")
    key = "\n".join(["sample,person", *(f"{name},{'' if name == 's0' else name}" for name in names)]) + "\n"
    (tmp_path / "key.csv").write_text(key)
    read = ("read: {bed: cohort.bed}", "read: {vcf: c.vcf}\n    persons: {csv: key.csv}")
    done = release(check(written(read, ("wip: {reference: {bed: others.bed}}, ", ""))))
    assert verify(done.directory).ok
    assert done.findings["datasets"]["dna"]["before"]["persons"] == 29


def test_plan_tells_relatives_and_members(written: Written, capsys: pytest.CaptureFixture[str]) -> None:
    found = plan(check(written()))["dna"]
    assert found.outcome.feasible
    assert found.size == {"rows": 40, "persons": 40, "snps": 60}
    assert main(["plan", str(written())]) == 0
    assert "SNP(s) of 40 people" in capsys.readouterr().out


def test_mechanisms_are_compared(written: Written) -> None:
    floors = "[frequency-floor: {floor: 0.2}, frequency-floor: {floor: 0.1}]"
    sides = f"compare: {{using: {floors}, risk: wip, measure: ld-error}}"
    risk = ("risk: wip", "risk: {wip: {reference: {bed: others.bed}}}")
    found = compare_policy(check(written(("    utility:", f"    {sides}\n    utility:"), risk)))["dna"]
    assert [point.why_not for point in found.points] == ["", ""]
    assert all(point.risk < found.risk_before and 0 < point.withheld < 1 for point in found.points)


def test_what_cannot_hold_is_refused_with_what_helps(written: Written) -> None:
    with pytest.raises(SharewellError) as stopped:
        release(check(written(("safe-number: {max_power: 0.9}", "safe-number: {max_power: 0.06}"))))
    assert stopped.value.exit_code == 4


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("read: {bed: cohort.bed}", "read: {bed: cohort.bed}\n    columns: {a: quasi}", "has no columns"),
        ("kind: genomes", "kind: tables", "is for datasets of kind genomes"),
        ("kind: genomes", "kind: genomes\n    labels: description", "labels is for fasta"),
        ("kind: genomes", "kind: genomes\n    visit: v", "visit is for datasets of codes"),
        ("read: {bed: cohort.bed}", "read: {csv: x.csv}", "the key 'columns' is missing"),
        ("read: {bed: cohort.bed}", "read: {bed: cohort.bed, missing: [x]}", "missing is for tables"),
        ("kind: genomes", "kind: genomes\n    publish: within-class", "publish"),
        ("kind: genomes", "kind: genomes\n    align: {csv: x.csv}", "aligned to a FASTA file"),
        ("using: {frequency-floor: {floor: 0.1, decimals: 3}}", "using: dnala", "cannot make"),
        ("using: {frequency-floor: {floor: 0.1, decimals: 3}}", "using: beacon-release", "cannot make"),
    ],
)
def test_mistakes_in_the_policy(written: Written, old: str, new: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        load(written((old, new)))


def test_files_of_dna_are_for_dna_alone(tmp_path: Path) -> None:
    text = POLICY.replace("kind: genomes", "kind: tables").replace("read: {bed", "columns: {a: quasi}\n    read: {bed")
    (tmp_path / "policy.yaml").write_text(text)
    with pytest.raises(PolicyError, match="bed is for datasets of kind genomes"):
        load(tmp_path / "policy.yaml")


def test_missing_files_are_told_by_check(written: Written, tmp_path: Path) -> None:
    (tmp_path / "cohort.bed").unlink()
    with pytest.raises(SharewellError, match=r"cohort\.bed"):
        check(written())


def test_the_schema_knows_dna() -> None:
    dataset = json_schema()["properties"]["datasets"]["additionalProperties"]
    assert "columns" not in dataset["required"]
    assert dataset["else"] == {"required": ["columns"]}
    assert {"required": ["bed"]} in json_schema()["$defs"]["source"]["oneOf"]


class TestCommand:
    """`sharewell genomes`."""

    def test_membership_in_json(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        cohort, others = people(snps=400, count=60)
        cohort.write_bed(tmp_path / "pool.bed")
        others.take(persons=slice(0, 40)).write_bed(tmp_path / "reference.bed")
        both = np.vstack([cohort.array(), others.take(persons=slice(40, None)).array()])
        names = [*cohort.persons, *others.persons[40:]]
        Genotypes.of(both, persons=names, snps=cohort.snps).write_bed(tmp_path / "targets.bed")
        (tmp_path / "members.txt").write_text("\n".join(cohort.persons) + "\n")
        told = [f"{who},{int(who in cohort.persons)}" for who in names]
        (tmp_path / "members.csv").write_text("\n".join(["person,member", *told]) + "\n")
        given = [f"--{side}={tmp_path / f'{side}.bed'}" for side in ("pool", "reference", "targets")]
        shown = []
        for truth in ([], [f"--truth={tmp_path / 'members.txt'}"], [f"--truth={tmp_path / 'members.csv'}"]):
            assert main(["genomes", "membership", *given, *truth, "--json"]) == 0
            shown.append(json.loads(capsys.readouterr().out))
        assert shown[0] == shown[1] == shown[2]
        assert set(shown[0]["statistics"]) == {"LR", "WIP", "Homer"}
        assert {"auc", "power", "fpr"} <= set(shown[0]["statistics"]["LR"])
        assert shown[0]["statistics"]["LR"]["auc"] > 0.75
        assert shown[0]["bound"]["power"] > 0.4
        assert main(["genomes", "membership", *given]) == 0
        assert "theory's limit" in capsys.readouterr().out

    def test_frequencies_serve_as_a_pool(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        cohort, others = people()
        cohort.write_bed(tmp_path / "pool.bed")
        others.write_bed(tmp_path / "others.bed")
        out = tmp_path / "f.csv"
        assert main(["genomes", "frequencies", str(tmp_path / "pool.bed"), "--out", str(out), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["snps"] == 60
        assert main(["genomes", "frequencies", str(tmp_path / "pool.bed"), "--out", str(out)]) == 3
        capsys.readouterr()
        given = ["--pool", str(out), "--reference", str(tmp_path / "others.bed")]
        assert main(["genomes", "membership", *given]) == 3
        assert "name targets" in capsys.readouterr().err
        given += ["--targets", str(tmp_path / "pool.bed"), "--json"]
        assert main(["genomes", "membership", *given]) == 0
        assert json.loads(capsys.readouterr().out)["statistics"]["WIP"]["power"] is None

    def test_kinship(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        cohort, _ = people(snps=900)
        calls = cohort.array()
        calls[1] = calls[0]
        Genotypes.of(calls, persons=cohort.persons, snps=cohort.snps).write_bed(tmp_path / "c.bed")
        assert main(["genomes", "kinship", str(tmp_path / "c.bed"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["details"]["same"] == 1
        assert main(["genomes", "kinship", str(tmp_path / "c.bed")]) == 0
        assert "too few SNPs" in capsys.readouterr().out

    def test_bad_input_is_told_without_values(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "x.csv").write_text("who,rs1\nAnn,7\n")
        given = ["--pool", str(tmp_path / "x.csv"), "--reference", str(tmp_path / "x.csv")]
        assert main(["genomes", "membership", *given]) == 3
        told = capsys.readouterr().err
        assert "0, 1, 2" in told
        assert "Ann" not in told
