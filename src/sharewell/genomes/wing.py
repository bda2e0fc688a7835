"""How a release runs DNA: open genotypes or sequences, protect, publish, and open again as a stranger would."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import Attack, Criteria, DataError, Finding, Key, Mechanism, PolicyError, Protected, Role
from sharewell.genomes.attacks.beacon import Beacon
from sharewell.genomes.attacks.genotype_phenotype import GenotypePhenotype
from sharewell.genomes.attacks.kinship import Kinship
from sharewell.genomes.attacks.likelihood_ratio import LikelihoodRatio
from sharewell.genomes.attacks.selection_membership import SelectionMembership
from sharewell.genomes.attacks.sequence_linkage import SequenceLinkage
from sharewell.genomes.criteria.beacon_power import BeaconPower
from sharewell.genomes.criteria.k_identical import KIdentical
from sharewell.genomes.criteria.membership_power import MembershipPower
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.exact_counts import counts_file
from sharewell.genomes.engine.iupac_lattice import ANY
from sharewell.genomes.engine.membership_statistics import bound
from sharewell.genomes.engine.published_forms import FORMS, Explained, facts_of, places, reread, unprotected, written
from sharewell.genomes.engine.sample_persons import names_of, read_key
from sharewell.genomes.engine.shown_bases import with_shown_bases
from sharewell.genomes.engine.sources import opened_people
from sharewell.genomes.policy import genome_files
from sharewell.io.sources import DNA, Source
from sharewell.parameters import values_of, with_values
from sharewell.people_evidence import LABELS, owners_table, written_labels
from sharewell.plain_data import Json
from sharewell.policy.model import Auto, Dataset
from sharewell.protocols import AnyCriterion, Frame, NamesOfPeople, PersonFacts, RemovedFacts, Truth
from sharewell.spelling import fold
from sharewell.wing import Axes, Capabilities, Claim, Dictionary, Published, Trees, Wing

PERSON = "person"
"""The one column of the evidence: whose each sequence is, or who was counted."""
NAMED = "sample"
"""What names persons where no column does: the samples of the file."""
SEQUENCED = ("binning", "dnala")
"""Mechanisms that publish sequences: genotypes are read as such for them."""
FPR = 0.05
"""The false-positive rate at which risks are told."""
LOOKED_AT = {"snps": 5_000, "people": 1_000}
"""Of larger data, so much is looked at for relatives before a release; the attack itself takes all of it."""
ANSWERING = "beacon-release"
"""The mechanism that publishes answers of a beacon."""
_LADDERS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "safe-snps": {"max_power": (0.1, 0.25, 0.5, 0.75)},
    "frequency-floor": {"floor": (0.01, 0.02, 0.05, 0.1, 0.2)},
    "noisy-frequencies": {"epsilon": (0.25, 0.5, 1, 2, 4)},
    ANSWERING: {"carriers": (0, 1, 2, 3, 5)},
}
"""Mechanism → parameter → what a comparison sets it to; of epsilon, factors."""
UNLINKED = "by theory, for unlinked SNPs and an attacker who knows the frequencies of the population"


GenomeData = Genotypes | Sequences | Frequencies | BeaconAnswers


class GenomesWing(Wing[GenomeData]):
    """Genotypes or sequences, one of each person."""

    usual_risk = "likelihood-ratio"
    made_columns = frozenset({"site", "frequency", "answer", "people", "sequence", "label"})
    persons_by_subject = False
    counted_without_persons = "sequences"

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Genotypes | Sequences:
        """The original: a file of DNA, or a table with one row a person."""
        data = _read(dataset)
        using = dataset.using
        names = [one.name for one in using.built.candidates] if isinstance(using.built, Auto) else [using.name]
        if isinstance(data, Genotypes) and names and all(name in SEQUENCED for name in names):
            data = Sequences.of_genotypes(data)
        if (reference := genome_files(dataset).align) is not None:
            if not isinstance(data, Sequences):
                raise PolicyError(f"datasets.{dataset.name}.align — sequences are aligned, and these are genotypes")
            data = data.aligned(to=Sequences.from_fasta(_path(reference)))
        return data

    def open_published(self, dataset: Dataset) -> GenomeData | None:
        """A table of allele frequencies, or of the answers of a beacon."""
        names = set() if dataset.read.format in DNA else set(dataset.read.names())
        if "frequency" in names:
            return Frequencies.from_arrow(dataset.read.read())
        return BeaconAnswers.from_arrow(dataset.read.read()) if {"answer", "people"} <= names else None

    def describe(self, data: GenomeData) -> dict[str, dict[str, object]]:
        """Counts only."""
        if isinstance(data, Genotypes):
            missing = int(data.rows * data.count - data.counts()[1].sum())
            claim = {"role": str(Role.QUASI), "kind": "genotypes", "distinct": data.count, "missing": missing}
            return {"genotypes": claim}
        if isinstance(data, Sequences):
            distinct = len(np.unique(data.groups))
            results: dict[str, dict[str, object]] = {}
            results[data.column] = {"role": str(Role.QUASI), "kind": "sequence", "distinct": distinct, "missing": 0}
            if data.labels is not None:
                labels = {one for one in data.labels if one is not None}
                facts: dict[str, object] = {"role": str(Role.SENSITIVE), "kind": "label", "distinct": len(labels)}
                results[data.label_column] = facts | {"missing": data.labels.count(None)}
            return results
        return {"genotypes": {"role": str(Role.QUASI), "kind": data.form, "distinct": data.rows}}

    def risks(self, data: GenomeData) -> list[Finding]:
        """Relatives, and what frequencies of all SNPs would tell of members; of sequences, how many show the same."""
        if isinstance(data, Genotypes):
            return [Kinship(**LOOKED_AT).mount(data), _membership(data.count, data.rows, "if all were published, ")]
        if isinstance(data, Frequencies):
            return [_chosen_membership(data)]
        if isinstance(data, Sequences):
            reached = KIdentical(2).check(data)
            return [Finding("k-identical", reached.value, unit=reached.unit)]
        return []

    def size(self, data: GenomeData) -> dict[str, int]:
        if isinstance(data, Sequences):
            return {"rows": data.rows, "persons": data.rows, "classes": len(np.unique(data.groups))}
        if isinstance(data, Genotypes):
            return {"rows": data.rows, "persons": data.rows, "snps": data.count}
        return {"rows": data.rows, "persons": data.people, "snps": data.rows}

    def names_of_people(self, data: GenomeData, dataset: Dataset) -> NamesOfPeople | None:
        """Samples and persons: a file for each chromosome names the same."""
        assert isinstance(data, Genotypes | Sequences)
        return None if data.persons is None else names_of(data.persons, genome_files(dataset).persons)

    def preferences(self, data: GenomeData, criteria: Criteria[GenomeData]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        if isinstance(data, Sequences):
            return [("dnala", "it makes close sequences identical and loses least"), ("binning", "it bins SNPs")]
        return [("safe-snps", "it chooses useful SNPs"), ("frequency-floor", "it leaves out rare alleles")]

    def unprotected_form(
        self, original: GenomeData, released: GenomeData, attack: Attack[GenomeData]
    ) -> tuple[GenomeData, Truth[GenomeData]]:
        """What would be published without protection; for an attack that reads DNA of persons, the original."""
        truth = Truth(original, np.arange(original.rows))
        if _reads_persons(attack):
            return original, truth
        assert isinstance(original, Genotypes | Sequences)
        assert not isinstance(released, Genotypes)  # they are never published
        return unprotected(released.form, original), truth

    def attack_unprotected(self, attack: Attack[GenomeData], data: GenomeData) -> Finding:
        """An attack before anything is chosen: on all frequencies, on all answers of a beacon, or on persons."""
        if not _reads_persons(attack) and isinstance(data, Genotypes):
            truth = Truth(data, np.arange(data.rows))
            return attack.mount(unprotected("beacon" if attack.name == "beacon" else "frequencies", data), truth)
        return attack.mount(data)

    def default_attacks(self, dataset: Dataset, released: GenomeData) -> Sequence[Attack[Any]]:
        """On frequencies, what the choice of the SNPs gives away."""
        if not isinstance(released, Frequencies):
            return ()
        named = _named(dataset)
        phenotype = _first(one.phenotype for one in named if isinstance(one, _ByPhenotype))
        return (SelectionMembership(_reference(dataset), phenotype, persons=genome_files(dataset).persons),)

    def axes(self, dataset: Dataset, data: GenomeData) -> Axes[Any]:
        """By the form that is published: copies of a sequence, or members recognised by frequencies or answers."""
        reference = _reference(dataset)
        if isinstance(data, Sequences):
            return Axes(SequenceLinkage(), measure="bases-kept")
        if dataset.using.name == ANSWERING or isinstance(data, BeaconAnswers):
            asked: Literal["random", "rarest"] = "random" if reference is None else "rarest"
            return Axes(Beacon(reference, order=asked), measure="true-answers", simulated=True)
        using = dataset.using.built
        measure = "frequency-error" if not isinstance(using, Auto) and using.falsifies else "snps-kept"
        if reference is None:
            return Axes(SelectionMembership(), measure=measure)
        return Axes(LikelihoodRatio(reference), measure=measure, simulated=True)

    def variants(self, mechanism: Mechanism[GenomeData]) -> Sequence[Mechanism[GenomeData]]:
        """With more and less caution: power that is aimed at, least frequencies, noise, carriers who are denied."""
        own, result = values_of(mechanism), []
        for name, values in _LADDERS.get(mechanism.name, {}).items():
            base = own[name]
            assert isinstance(base, int | float)
            numbers = [base * factor for factor in values] if name == "epsilon" else values
            result += [with_values(mechanism, **{name: number}) for number in sorted({base, *numbers})]
        return result or (mechanism,)

    def capabilities(self) -> Capabilities[GenomeData]:
        return Capabilities(facts=self)

    def person_facts(self, data: GenomeData) -> PersonFacts | None:
        """The symbol at every place where sequences differ; frequencies and answers are nobody's."""
        if not isinstance(data, Sequences) or data.ids is None:
            return None
        places = np.flatnonzero(data.variable).tolist()
        cells = {str(place + 1): data.codes[:, place].astype(np.int64) for place in places}
        labels = {}
        if data.labels is not None:
            texts = sorted({label for label in data.labels if label is not None})
            number = {text: i for i, text in enumerate(texts)}
            labels[data.label_column] = np.array([number.get(one, -1) + 1 if one else 0 for one in data.labels])
        return PersonFacts(data.ids, cells, (), labels, places=tuple(cells))

    def too_few(self, data: GenomeData, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None:
        return None

    def without_facts(
        self,
        protected: Protected[GenomeData],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[GenomeData]:
        """With N at some places where sequences differ, and without some sequences."""
        data, rows = protected.data, np.flatnonzero(~records)
        assert isinstance(data, Sequences)
        assert data.ids is not None
        codes = data.codes.copy()
        if "places" in removed:
            places = np.flatnonzero(data.variable)
            codes[:, places] = np.where(removed["places"].reshape(data.rows, len(places)), ANY, codes[:, places])
        labels = None if data.labels is None else tuple(data.labels[row] for row in rows)
        left = replace(data, codes=codes[rows], ids=tuple(data.ids[row] for row in rows), labels=labels)
        return replace(protected, data=left, rows=protected.rows[rows])

    def protect(self, data: GenomeData, dataset: Dataset, key: Key) -> Protected[GenomeData]:
        _refuse_other_pools(data, dataset)
        return dataset.protect(data, key)

    def publish(
        self,
        original: GenomeData,
        protected: Protected[GenomeData],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        """Rows sorted by what they show: the order of the source is not published."""
        assert isinstance(original, Genotypes | Sequences)
        released = protected.data
        assert not isinstance(released, Genotypes)  # they are never published
        if isinstance(released, Sequences):
            released = with_shown_bases(released, original, protected.rows)
        people: list[str] = []
        if original.persons is not None:
            scoped = key.of_persons(dataset.name)
            rows = protected.rows if isinstance(released, Sequences) else range(original.rows)
            people = [scoped.pseudonym(original.persons[row]) for row in rows]
        table, order = written(released, people)
        evidence = pa.table({PERSON: pa.array(order, pa.string())}) if people else None
        of = [name for name, rule in dataset.columns.items() if rule.role in (Role.QUASI, Role.SENSITIVE)]
        facts = facts_of(released, of)
        dictionary = protected.details.dictionary if isinstance(protected.details, Explained) else {}
        for name, pairs in dictionary.items():
            facts[name] |= pairs | ({"style": "falsified"} if "falsified" in pairs else {})  # a recipient must know it
        inside: dict[str, str] = {}
        if isinstance(released, Frequencies) and isinstance(original, Genotypes):
            inside = counts_file(original, released, protected.rows[places(released.snps)])
        owners = None
        if isinstance(released, Sequences):
            subject = next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), NAMED)
            column = dataset.read.columns.get(subject, subject) if people else None
            shown = replace(released, ids=tuple(people) if people else None).order
            owners = owners_table(original.persons, protected.rows[shown], key, column)
            source, typed = Source() if people else dataset.read, column in dataset.read.joined
            inside[LABELS] = written_labels(source, original.rows, key, column, typed=typed)
        unit = "persons" if people else "sequences"
        return Published(table, facts, evidence, unit=unit, people=owners, internal_files=inside)

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> Frequencies | BeaconAnswers | Sequences:
        """The release as its file shows it."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        name = next((str(facts["form"]) for facts in columns.values() if "form" in facts), "")
        if name not in FORMS:
            raise DataError(f"{source.label} — the certificate names no known form of DNA")
        people = None
        if evidence is not None:
            if evidence.column_names != [PERSON]:
                raise DataError("the evidence about persons does not belong to this file")
            people = evidence[PERSON].to_pylist()
        return reread(name, source.read(), columns, people)

    def certified_unit(self, claim: Claim, asked: Mapping[str, Json]) -> str:
        return "sequences" if claim.persons == "none" else "persons"

    def contradictions(self, data: GenomeData, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """The dictionary says what each column of the form is; a mechanism may have had more to say of it."""
        assert isinstance(data, Frequencies | BeaconAnswers | Sequences)
        of = [name for name, rule in asked["columns"].items() if rule["role"] in (Role.QUASI, Role.SENSITIVE)]
        wrong = []
        for name, facts in facts_of(data, of).items():
            claim_of_column = claim.columns[name]
            style = {"style": "falsified"} if "falsified" in claim_of_column else {}
            if any(claim_of_column.get(part) != value for part, value in {**facts, **style}.items()):
                wrong.append(f"column {name} — is not what the dictionary says")
        return wrong


def _refuse_other_pools(data: GenomeData, dataset: Dataset) -> None:
    """A criterion that attacks a pool proves nothing if it is another one, or if its people have other names."""
    assert isinstance(data, Genotypes | Sequences)
    inside, key = frozenset(map(fold, data.persons or ())), genome_files(dataset).persons
    for one in dataset.require:
        if not isinstance(one.built, MembershipPower | BeaconPower):
            continue
        own = one.built.persons
        place = f"datasets.{dataset.name} — {one.name}"
        if (key is None) != (own is None) or (key is not None and dict(read_key(key)) != dict(read_key(own))):
            what = "its people would be called otherwise than those of the data"
            raise PolicyError(f"{place} — {what} — give the same key of persons to the dataset and to the criterion")
        people = opened_people(one.built.pool, f"{one.name} — pool", one.built.subject, own).persons
        if strange := sum(fold(person) not in inside for person in people):
            what = f"{strange} of {len(people)} person(s) of its pool are not in the data"
            raise DataError(f"{place} — {what} — name the file that is released")


@runtime_checkable
class _ByReference(Protocol):
    """Compares people with a reference."""

    @property
    def reference(self) -> Frame: ...


@runtime_checkable
class _ByPhenotype(Protocol):
    """Tells cases from controls."""

    @property
    def phenotype(self) -> Frame: ...


def _named(dataset: Dataset) -> list[object]:
    """Whatever the policy names for a dataset, with parameters."""
    return [dataset.using.built, *(one.built for one in (*dataset.require, *dataset.attacks))]


def _reference(dataset: Dataset) -> Frame:
    """The first reference that the policy names; None if it names none."""
    return _first(one.reference for one in _named(dataset) if isinstance(one, _ByReference))


def _reads_persons(attack: Attack[GenomeData]) -> bool:
    return attack.of_persons if isinstance(attack, Kinship | GenotypePhenotype) else False


def _first(given: Iterable[Frame]) -> Frame:
    """What is named first; of a number of people nothing can be read."""
    return next((one for one in given if one is not None and not isinstance(one, int)), None)


def _read(dataset: Dataset) -> Genotypes | Sequences:
    source, how = dataset.read, genome_files(dataset)
    if source.format == "bed":
        return Genotypes.from_bed(_path(source), persons=how.persons)
    if source.format == "vcf":
        return Genotypes.from_vcf(
            _path(source), multiallelic=how.multiallelic, haploid=how.haploid, persons=how.persons
        )
    if source.format == "fasta":
        return Sequences.from_fasta(_path(source), labels=how.labels, persons=how.persons)
    return _from_table(dataset)


def _from_table(dataset: Dataset) -> Genotypes | Sequences:
    """One quasi column with letters is a sequence; otherwise each is a SNP."""
    place = f"datasets.{dataset.name}.columns"
    names = dataset.read.names()
    roles = {name: dataset.columns[name].role if name in dataset.columns else dataset.rest for name in names}
    if bare := [name for name, role in roles.items() if role is None]:
        raise PolicyError(f"{place} — {len(bare)} column(s) of {dataset.read.label} without a role — or say rest:")
    quasi = [name for name, role in roles.items() if role is Role.QUASI]
    subject = next((name for name, role in roles.items() if role is Role.SUBJECT), None)
    label = next((name for name, role in roles.items() if role is Role.SENSITIVE), None)
    if not quasi:
        raise PolicyError(f"{place} — no column holds DNA — give SNPs, or the sequence, the role quasi")
    table = dataset.read.read([name for name in (subject, label, *quasi) if name is not None])
    alleles = {str(cell).strip() for cell in table[quasi[0]].to_pylist() if cell is not None}
    if len(quasi) == 1 and not alleles <= {"0", "1", "2", "-1", ""}:
        return Sequences.from_frame(table, sequence=quasi[0], subject=subject, sensitive=label)
    if subject is None:
        raise PolicyError(f"{place} — nobody is named — give one column the role subject")
    return Genotypes.from_frame(table, subject=subject, snps=quasi)


def _membership(snps: int, people: int, when: str) -> Finding:
    """The power of the best test, as far as theory goes."""
    value = bound(snps, people).power(FPR) if people else None
    note = f"{when}share of members recognised at a false-positive rate of {FPR:g}, {UNLINKED}"
    return Finding("membership", value, unit="probability", note=note)


def _chosen_membership(data: Frequencies) -> Finding:
    """The same of what is published: SNPs that were chosen by looking at the people tell more."""
    snps = data.rows
    if data.selection is not None:
        rarer = np.minimum(data.frequency, 1 - data.frequency)
        copies = int(2 * data.effective_people * np.nanmin(rarer, initial=0.5))
        snps = data.selection.equivalent(data.rows, copies)
    return _membership(snps, data.effective_people, "")


def _path(source: Source) -> Path:
    assert source.path is not None
    return source.path
