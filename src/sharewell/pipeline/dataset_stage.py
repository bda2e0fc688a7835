"""One dataset of a release: opened, protected, written, attacked and measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import cast

from sharewell import registry
from sharewell.errors import Infeasible
from sharewell.findings import json_details
from sharewell.io.atomic import journal_in
from sharewell.io.plain_files import sha256
from sharewell.io.unused_memory import give_back
from sharewell.io.writing import make_directories, write_salted, write_table, write_text
from sharewell.key_scope import dataset_key
from sharewell.keys import Key
from sharewell.pipeline import certificate as cert
from sharewell.pipeline import sized_steps
from sharewell.pipeline.cleaning_accounts import accounts_of
from sharewell.pipeline.completion import completed
from sharewell.pipeline.extracted_tables import table_of, written_back
from sharewell.pipeline.joint_protection import Prepared, protect_jointly, remembering
from sharewell.pipeline.measurement import measure
from sharewell.pipeline.mechanism_choice import Chosen, choose
from sharewell.pipeline.person_ties import linked, tie_key, tied
from sharewell.pipeline.text_columns import RewrittenColumns, protect_text_columns, write_subjects
from sharewell.plain_data import JsonObject
from sharewell.policy.doubtful_persons import claimed_doubles, double_cautions
from sharewell.policy.model import Dataset, Policy
from sharewell.policy.redact import shown_parameters
from sharewell.progress import Progress, ProgressStep
from sharewell.protocols import NamesOfPeople
from sharewell.wing import PEOPLE, Claim, Data, Original, Published, Records, Wing

_TELL_EVERY = 5.0
"""Seconds between two words on progress."""
SCRATCH = "scratch"


@dataclass(frozen=True)
class DatasetResult:
    """What one dataset contributes to the certificate (claim) and to internal/ (findings)."""

    claim: Claim
    findings: JsonObject
    dataset: Dataset
    """As it was protected in the end, with every choice made."""
    reproducible: bool
    released: Records | None
    """For attacks on several datasets; None where there is one alone, whose memory the judge of its file can use."""
    people: NamesOfPeople | None = None
    """How its people are called, where datasets are compared by that."""


@dataclass(frozen=True)
class Stage:
    """What every dataset of one release shares."""

    policy: Policy
    key: Key
    partial: Path
    """Where the release is made."""
    progress: Progress
    processes: int

    @cached_property
    def persons(self) -> Key | None:
        """The key of the names of persons in all tied datasets."""
        return tie_key(self.key, self.policy)

    @property
    def _alone(self) -> bool:
        """Is there one dataset, and nothing to attack together with it?"""
        [first, *others] = self.policy.datasets.values()
        return not others and first.extract is None and not self.policy.release.after

    def all_datasets(self) -> dict[str, DatasetResult]:
        """Every dataset; a table that is made from notes comes before the notes, which show what it publishes."""
        results: dict[str, DatasetResult] = {}
        ready = self._protected_together()
        for name, dataset in self.policy.datasets.items():
            if name in ready:
                results[name] = self._finished(ready.pop(name))
                continue
            using = dataset.using
            if dataset.extract is not None:
                self.progress(f"extracting a table from {name}")
                table = table_of(self.policy, dataset)
                made = self._prepared(table)
                results[table.name] = written = self._finished(made)
                dataset = written_back(dataset, table, made.chosen, self.partial, written.claim.file, self.key)
            results[name] = result = self.one_dataset(dataset)
            if dataset.extract is not None:  # the mechanism as the policy names it: the criterion tells what it wrote
                results[name] = replace(result, dataset=replace(result.dataset, using=using))
        return results

    def _protected_together(self) -> dict[str, Prepared]:
        """The datasets that a joint mechanism protects, all in memory; none where the policy names none."""
        person = self.policy.person
        if person is None or not (person.using or any(one.built.of_rows for one in person.require)):
            return {}
        named = person.named_datasets
        prepared = {name: self._prepared(one) for name, one in self.policy.datasets.items() if name in named}
        self.progress("protecting all of them together")
        prepared, done = protect_jointly(person, prepared)
        details = {} if done is None else json_details(done.details)
        return {name: replace(one, details=details) for name, one in prepared.items()}

    def one_dataset(self, dataset: Dataset) -> DatasetResult:
        return self._finished(self._prepared(dataset))

    def _prepared(self, dataset: Dataset) -> Prepared:
        """Opened and protected by itself."""
        wing = registry.wing(dataset.kind)
        can = wing.capabilities()
        self.progress(sized_steps.reading(dataset))
        scratch = self.partial / SCRATCH
        kept = journal_in(self.partial, self.policy.sha256) if can.journal else scratch
        original = wing.open(dataset, self.policy.path.parent, kept)
        give_back()
        wing.refuse_unpublishable(original, dataset)
        dataset = completed(dataset, original)
        content = cast(Original, original).content  # published forms, which a wing may also handle, have none
        key = tied(dataset, dataset_key(self.key, self.policy.release.scope, dataset, content), self.persons)
        self.progress(f"protecting {dataset.name}")
        if can.workers is not None:
            report = _counted(f"protecting {dataset.name}", original.rows, self.progress)
            original = can.workers.with_workers(original, self.processes, report)
        original = wing.reserve(original, dataset)
        worked, asked = remembering(dataset, wing, self.policy.person)
        chosen = _chosen(wing, original, worked, key, self.progress)
        return Prepared(dataset, wing, original, key, chosen, asked=asked)

    def _finished(self, ready: Prepared) -> DatasetResult:
        """Written, attacked and measured."""
        wing, original, key, chosen = ready.wing, ready.original, ready.key, ready.chosen
        dataset, scratch = chosen.dataset, self.partial / SCRATCH
        protected, texts = protect_text_columns(wing, chosen.protected, dataset, key, self.processes)
        self.progress(sized_steps.working("writing", dataset, original))
        published = wing.publish(original, protected, dataset, key, scratch)
        alike = wing.lookalikes(original)
        claim = self._written(dataset, published, key, texts)
        del published  # it is on disk: what comes now needs the memory
        give_back()
        claim = replace(_with_lookalikes(claim, alike), joined_person=claimed_doubles(dataset, self.policy))
        if chosen.scores:
            claim = replace(claim, utility=[cert.promise(finding) for finding in chosen.scores.values()])
        self.progress(sized_steps.working("measuring", dataset, original))
        findings = measure(wing, original, chosen, self.progress) | ({"lookalikes": alike} if alike else {})
        findings |= {"texts": texts.findings} if texts.findings else {}
        accounts = accounts_of(dataset, self.policy.path.parent)
        findings |= {"cleaning": [one.to_json() for one in accounts]} if accounts else {}
        doubles = list(double_cautions(dataset, self.policy))
        findings |= {"joined_persons": doubles} if doubles else {}
        findings |= {"protected_together": ready.details} if ready.details else {}
        released = None if self._alone else chosen.protected.data
        people = wing.names_of_people(original, dataset)
        return DatasetResult(claim, findings, dataset, chosen.protected.reproducible, released, people)

    def _written(self, dataset: Dataset, published: Published, key: Key, texts: RewrittenColumns) -> Claim:
        """Write everything that the wing hands over, and say what was written."""
        name, style, link = dataset.name, self.policy.write.format, None
        if dataset.link:
            published, link = linked(published)
        public, internal = self.partial / "public", self.partial / "internal"
        file = f"{name}.{style}"
        write_table(public / file, published.table, style)
        mechanism: JsonObject = {"name": dataset.using.name, "parameters": shown_parameters(dataset.using)}
        if dataset.mechanism.falsifies:
            mechanism["falsifies"] = True
        rows = published.table.num_rows
        claim = Claim(dataset.kind, file, rows, published.dictionary, mechanism, unit=published.unit)
        if published.evidence is not None:
            evidence = internal / "persons" / f"{name}.parquet"
            make_directories(evidence.parent)
            write_salted(evidence, published.evidence, key.digest("evidence", name))
            claim = replace(claim, persons="internal", persons_sha256=sha256(evidence))
        if link is not None:
            claim = replace(claim, persons="linked", link=link)
        elif published.evidence is None and dataset.publish != "none":
            claim = replace(claim, persons="published")
        self._write_pages(name, published)
        claim = replace(claim, pages=[f"{name}{ending}" for ending in published.pages])
        claim = replace(claim, text_columns=write_subjects(internal, name, published.subjects, texts, key))
        for folder, table in (("offsets", published.offsets), ("maps", published.mapping)):
            if table is not None:
                make_directories(internal / folder)
                write_table(internal / folder / f"{name}.parquet", table, "parquet")
        return claim

    def _write_pages(self, name: str, published: Published) -> None:
        """Pages for readers, and files for the steward alone."""
        for ending, content in published.pages.items():
            write_text(self.partial / "public" / f"{name}{ending}", content)
        if published.internal_files or published.people is not None:
            make_directories(self.partial / "internal" / name, private=True)
        for file, content in published.internal_files.items():
            write_text(self.partial / "internal" / name / file, content, private=True)
        if published.people is not None:
            write_table(self.partial / "internal" / name / PEOPLE, published.people, "parquet")


def _with_lookalikes(claim: Claim, alike: dict[str, int]) -> Claim:
    if not alike:
        return claim
    of = {facts.get("of", name) for name, facts in claim.columns.items() if isinstance(facts.get("of", name), str)}
    return replace(claim, lookalikes={name: count for name, count in alike.items() if name in of})


def _counted(what: str, rows: int, progress: Progress) -> Callable[[int], None]:
    """Reports now and then how far work on this many records is."""
    done, reported, begun = 0, 0.0, time.monotonic()

    def report(more: int) -> None:
        nonlocal done, reported
        done, now = done + more, time.monotonic()
        if now - reported >= _TELL_EVERY or done >= rows:
            reported = now
            progress(ProgressStep.of(what, min(done, rows), rows, now - begun))

    return report


def _chosen(wing: Wing[Data], original: Data, dataset: Dataset, key: Key, progress: Progress) -> Chosen[Data]:
    """Protect; where that fails, look for what would help before saying so."""
    try:
        return choose(wing, original, dataset, key, progress)
    except Infeasible as error:
        from sharewell.pipeline.relax import explained

        raise explained(wing, original, dataset, error, progress) from None
