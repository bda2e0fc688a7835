"""Datasets in which a person is whoever has the same name and date of birth, for want of a number.

`clean: {person: {join: [...]}}` makes the column, which is the `subject`. Its parts are dropped unless the policy gives
them roles of their own. Spellings that differ make two persons of one, so that criteria count too many: the share of
persons who may be counted twice is measured, said, and refused above what the policy accepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from sharewell.errors import Mistake, PolicyError, SharewellError
from sharewell.io.joined_person import USUAL_DOUBTFUL, JoinedPerson
from sharewell.io.sources import Source, sources_in
from sharewell.io.yaml_positions import Document, dotted
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.dataset_files import algorithms_of, files_of
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import ColumnRule, Dataset, Disagreement, Policy
from sharewell.roles import Role

if TYPE_CHECKING:
    from sharewell.double_persons import Doubles

_FIRST_ROWS = 10_000


def joined_roles(
    reading: MistakeCollector, read: Source | None, rules: dict[str, ColumnRule], path: Place
) -> Iterator[str]:
    """Give parts without a role the role drop, and say what departs from what is usual. Nothing but the person may be
    joined."""
    for name, one in _joined(read):
        if name not in rules or rules[name].role is not Role.SUBJECT:
            what = "a joined column names persons, and has no role subject"
            reading.mistake((*path, "columns", name), what, f"write {name}: subject")
        for part in one.parts:
            rules.setdefault(part, ColumnRule(Role.DROP))
        place = dotted((*path, "read", "clean", name))
        yield (
            f"{place}: no number tells persons apart, but {len(one.parts)} columns joined into one: two people who"
            " agree in all count as one, and one whose entries differ counts as two"
        )
        yield from _unusual(place, one)


def unusual_lists(dataset: Dataset, path: Place) -> Iterator[str]:
    """What departs from what is usual in further files: more persons of a list may be counted twice."""
    for place, source in files_of(dataset, path):
        for name, one in _joined(source) if source is not dataset.read else ():
            yield from _unusual(dotted((*place, "clean", name)), one)


def _unusual(place: str, one: JoinedPerson) -> Iterator[str]:
    if one.doubtful > USUAL_DOUBTFUL:
        yield f"{place}: {_percent(one.doubtful)} of the persons may be counted twice; usual is {_USUAL}"


def doubles_among(sources: Sequence[Source]) -> Iterator[tuple[str, JoinedPerson, Doubles]]:
    """Every joined person that several files name, and how many may be counted twice over all of them."""
    for name, _ in _joined(sources[0]):
        same = [(source, name) for source in sources if name in source.joined]
        if len(same) > 1:
            yield name, *_over_all(same)


def _over_all(files: Sequence[tuple[Source, str]]) -> tuple[JoinedPerson, Doubles]:
    """Each file may have one spelling of everybody, and another file another one. The file that accepts least
    decides."""
    from sharewell.double_persons import doubles_in

    return min((source.joined[name] for source, name in files), key=lambda one: one.doubtful), doubles_in(files)


def tied_files(policy: Policy) -> list[tuple[Source, str]]:
    """The files of datasets that are tied by person, and the joined columns that name their persons.

    Joint criteria look for a person's records by that name: somebody who is spelled otherwise in a second file is
    judged as two people, neither of whom has all of the records.
    """
    results = []
    tied = [one for one in policy.datasets.values() if one.tied] if policy.person is not None else []
    for dataset in tied:
        subjects = [name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT]
        files = (dataset.read, *dataset.own.people())
        results += [(source, name) for source in files for name in subjects if name in source.joined]
    return results if len(results) > 1 else []


def tie_problems(policy: Policy) -> Iterator[Disagreement]:
    """What makes the tie of datasets by joined persons unusable. A source that cannot be read is told of elsewhere."""
    if files := tied_files(policy):
        try:
            strictest, found = _over_all(files)
        except SharewellError:
            return
        if found.share > strictest.doubtful:
            what, hint = _too_many(strictest, found)
            yield ("person",), f"over the {len(files)} files that it ties: {what}", hint, False


def counted_together(dataset: Dataset, path: Place) -> Iterator[tuple[Place, list[Source]]]:
    """Files in which a person of one name counts once: a dataset's own rows, and lists said to be comparable."""
    if more := dataset.own.people():
        yield (*path, "read"), [dataset.read, *more]
    for place, lists in _lists_of(dataset):
        if len(lists) > 1:
            yield place, lists


def doubles_of(source: Source) -> Iterator[tuple[str, JoinedPerson, Doubles]]:
    """Every joined person of a file, and how many may be counted twice."""
    from sharewell.double_persons import doubles_in

    for name, one in _joined(source):
        yield name, one, doubles_in([(source, name)])


def refuse_doubtful(policy: Policy) -> None:
    """Raise PolicyError where more persons may be counted twice than the policy accepts."""
    document = Document(positions=dict(policy.positions))
    mistakes = []
    problems = [join_problems(dataset, ("datasets", name)) for name, dataset in policy.datasets.items()]
    for place, what, hint, _ in chain(*problems, tie_problems(policy)):
        mistakes.append(Mistake(*document.at(place), dotted(place), what, hint))
    if mistakes:
        raise PolicyError(mistakes, policy.path.name)


def join_problems(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """What makes a joined person unusable, in the dataset's own files and in lists of people that algorithms name.

    Twice in such a list, a person would hide among more people than there are. A source that cannot be read is told of
    elsewhere.
    """
    for place, source in files_of(dataset, path):
        try:
            for name, one in _joined(source):
                yield from _unread_dates(source, (*place, "clean", name), one)
            for name, one, found in doubles_of(source):
                if found.share > one.doubtful:
                    yield (*place, "clean", name), *_too_many(one, found), False
        except SharewellError:
            continue
    for place, sources in counted_together(dataset, path):
        try:
            for name, one, found in doubles_among(sources):
                if found.share > one.doubtful:
                    what, hint = _too_many(one, found)
                    yield place, f"over these {len(sources)} files, {name}: {what}", hint, False
        except SharewellError:
            continue


def double_cautions(dataset: Dataset, policy: Policy) -> Iterator[str]:
    """What a steward should know of persons that are joined, in sentences. What is counted over all tied datasets
    stands beside the people."""
    for _, source in files_of(dataset, ()):
        for name, _, found in doubles_of(source):
            yield caution(f"{name} of {source.label}", found)
    for _, sources in counted_together(dataset, ()):
        for name, _, found in doubles_among(sources):
            yield caution(f"{name} of {_names(sources)} together", found)
    if files := _tied_by(dataset, policy):
        yield caution(f"{files[0][1]} of {_names([one for one, _ in files])}, tied by person", _over_all(files)[1])


def _tied_by(dataset: Dataset, policy: Policy) -> list[tuple[Source, str]]:
    """The files that are tied to this dataset, if it is the one of the people."""
    return tied_files(policy) if policy.person is not None and policy.person.table == dataset.name else []


def _names(sources: Sequence[Source]) -> str:
    return " and ".join(dict.fromkeys(one.label for one in sources))


def claimed_doubles(dataset: Dataset, policy: Policy) -> dict[str, int] | None:
    """What a certificate says of it: counts, and no name of a column. They are over all files with rows of the
    dataset, and for the dataset of the people over all that are tied to it."""
    if files := _tied_by(dataset, policy):
        one, found = _over_all(files)
        return {"columns": len(one.parts), "perhaps_twice": found.twice}
    every = [dataset.read, *dataset.own.people()]
    for _, one, found in (*doubles_among(every), *doubles_of(dataset.read)):
        return {"columns": len(one.parts), "perhaps_twice": found.twice}
    return None


def caution(name: str, found: Doubles) -> str:
    """In a sentence."""
    many = f"{found.twice} of {found.persons} persons may be counted twice: their entries are nearly those of another"
    none = f"no entries of its {found.persons} persons are nearly those of another"
    rest = "two people with the same entries count as one, and one whose name changed counts as two"
    return f"{name}: {many if found.twice else none}; {rest}"


def _lists_of(dataset: Dataset) -> Iterator[tuple[Place, list[Source]]]:
    """The lists that name people by joined columns, of every algorithm that calls its lists comparable, and where."""
    for one in algorithms_of(dataset):
        if one.parameters.get("comparable"):
            subject = one.parameters.get("subject")
            for name, value in one.parameters.items():
                yield (*one.at, name), [source for source in sources_in(value) if subject in source.joined]


def _joined(source: Source | None) -> list[tuple[str, JoinedPerson]]:
    return [] if source is None else list(source.joined.items())


def _too_many(one: JoinedPerson, found: Doubles) -> tuple[str, str]:
    what = f"{found.twice} of {found.persons} persons may be counted twice ({_percent(found.share)}; at most"
    what += f" {_percent(one.doubtful)} are accepted), because their entries nearly equal those of another person"
    share = float(f"{float(found.share):.2g}")
    accepted = share if share >= found.share else round(share + 0.01, 2)
    hint = "correct the entries in the source, export a column that numbers the persons, or, if these are different"
    return what, f"{hint} people, say doubtful: {min(accepted, 1.0)}"


def _unread_dates(source: Source, place: Place, one: JoinedPerson) -> Iterator[Disagreement]:
    """Parts that are dates in another form than year, month, day: one date must not be two in another file or row."""
    import pyarrow as pa

    from sharewell.proposal.profile import COMPACT, ISO, measure
    from sharewell.written_types import mistyped

    table = next(iter(source.batches(list(one.parts), _FIRST_ROWS)), None)
    for part in one.parts if table is not None else ():
        assert table is not None
        if not pa.types.is_string(table[part].type):
            continue
        facts = measure(part, table[part])
        if facts.kind == "number" or (facts.kind == "date" and facts.date_form in (ISO, COMPACT)):
            continue
        result = mistyped(facts.values)
        if result is not None and result.what == "dates":
            what, hint = result.problem(part, may_be_text=False)
            yield place, f"its part {part} is {what}", hint.partition(", or give")[0], False


def _percent(share: object) -> str:
    return f"{100 * float(share):.3g} %"  # type: ignore[arg-type]


_USUAL = f"at most {_percent(USUAL_DOUBTFUL)}"
