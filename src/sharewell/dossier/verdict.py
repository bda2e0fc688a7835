"""Does every criterion hold, who can re-check it, what to weigh first, and the key figures of each dataset."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from sharewell.dossier.glossary import algorithm
from sharewell.dossier.markup import Html, element, facts, items, joined, name, table
from sharewell.dossier.sizes import out_of
from sharewell.dossier.views import Dataset, FindingView, mapping, number, sequence, text, worst
from sharewell.dossier.wing_dossier import dossiers, first_answer
from sharewell.dossier.words import FIXED, NOTHING, TIERS, amount, count, required, several, share
from sharewell.plain_data import Json

STATES = {
    True: ("holds", f"✓{FIXED}holds"),
    False: ("fails", f"✗{FIXED}fails"),
    None: ("undecided", f"?{FIXED}undecided: counts as failed"),
}


@dataclass(frozen=True)
class Judgement:
    """One criterion of one dataset, as the certificate claims it and as it was found; `found.ok` is what counts."""

    dataset: str
    found: FindingView
    disputed: bool
    """The certificate and the findings do not say the same; the worse of the two counts."""


def judgements(dataset: Dataset) -> list[Judgement]:
    """Everything that was judged: the certificate's claims first, then what only the findings have."""
    attacks = [attack.after for attack in dataset.attacks if attack.after is not None]
    return _weighed(dataset.name, dataset.claims, dataset.criteria, attacks)


def criteria(dataset: Dataset) -> list[FindingView]:
    """Every criterion once, with the verdict that counts; also those that judge nothing."""
    judged = [one.found for one in _weighed(dataset.name, dataset.claims, dataset.criteria)]
    return judged + [one for one in dataset.criteria if not one.judges]


def _weighed(dataset: str, *sources: Sequence[FindingView]) -> list[Judgement]:
    """What several sources say of one criterion is one judgement; what one of them says twice is two criteria."""
    same: dict[tuple[Hashable, int], list[FindingView]] = {}
    for views in sources:
        times: Counter[Hashable] = Counter()
        for one in views:
            if one.judges:
                asked = (one.name, one.column, one.sense, one.bound)
                times[asked] += 1
                same.setdefault((asked, times[asked]), []).append(one)
    return [_weigh(dataset, group) for group in same.values()]


def _weigh(dataset: str, group: Sequence[FindingView]) -> Judgement:
    """One criterion told twice is one judgement. A value that the certificate keeps back comes from the findings."""
    first = group[0]
    states = [one.verdict for one in group]
    known = next((one for one in group if one.value is not None), first)
    settled = dataclasses.replace(
        first,
        ok=worst(states),
        judged=True,
        value=known.value,
        unit=known.unit or first.unit,
        note=first.note or known.note,
        parts=next((one.parts for one in reversed(group) if one.parts), ()),
        details=next((one.details for one in group if one.details), {}),
    )
    return Judgement(dataset, settled, len(set(states)) > 1)


def mark(ok: bool | None) -> Html:
    """A verdict as sign, word and colour, so that none of them is needed alone."""
    tone, words = STATES[ok]
    return element("span", words, class_=f"mark {tone}")


def tone(verdicts: Sequence[bool]) -> str:
    """Colour of the verdict."""
    return "plain" if not verdicts else "holds" if all(verdicts) else "fails"


def criteria_section(judged: Sequence[Judgement]) -> Html:
    """Every criterion with its verdict, and what the tiers mean."""
    if not judged:
        return element("p", "The policy requires no criterion.")
    return joined([_criteria(judged), _tiers(judged)])


def sentence(data: Sequence[Dataset], verdicts: Sequence[bool]) -> str:
    """The verdict in a sentence, from whether each criterion holds: of single datasets, and of several together."""
    if not data:
        return "This release contains no dataset."
    if not verdicts:
        return "The policy requires no criterion, so nothing was judged."
    if all(verdicts):
        return "The one criterion holds." if len(verdicts) == 1 else f"All {len(verdicts)} criteria hold."
    if len(verdicts) == 1:
        return "The one criterion does not hold."
    bad = len(verdicts) - sum(verdicts)
    return f"{bad} of {len(verdicts)} criteria {'does' if bad == 1 else 'do'} not hold."


def _criteria(judged: Sequence[Judgement]) -> Html:
    rows = []
    for one in judged:
        result = one.found
        heading = joined([algorithm(result.name), joined([" of ", name(result.column)]) if result.column else None])
        tier = result.tier or "not recorded"
        rows.append([heading, mark(result.ok), required(result), amount(result), name(one.dataset), tier])
    heads = ["Criterion", "Verdict", "Required", "Reached", "Dataset", "Who can re-check"]
    return table("Criteria", heads, rows, words=[1, 4, 5])


def _tiers(judged: Sequence[Judgement]) -> Html:
    """All three are explained whether used or not: an officer should know which one is missing."""
    pairs = []
    for tier, sentence in TIERS.items():
        number_of = sum(one.found.tier == tier for one in judged)
        pairs.append((f"{tier} ({number_of})", sentence))
    unknown = sum(one.found.tier not in TIERS for one in judged)
    if unknown:
        pairs.append((f"not recorded ({unknown})", "The certificate does not say who can re-check it."))
    return joined([element("h3", "Who can re-check"), facts(pairs)])


def points(certificate: Mapping[str, Json], data: Sequence[Dataset], judged: Sequence[Judgement]) -> list[Html]:
    """What a careful reader would ask about first."""
    deviations = [text(one) for one in sequence(certificate.get("deviations")) if text(one)]
    sentences: list[Html] = []
    if deviations:
        lead = f"The policy deviates from its profile, or from the usual, in {several(len(deviations), 'point')}:"
        sentences.append(joined([element("strong", lead), items(deviations)]))
    for one in judged:
        if one.disputed:
            lead = f"The certificate and the findings differ on {one.found.name} of "
            sentences.append(joined([lead, name(one.dataset), "; the worse of the two is shown."]))
    for dataset in data:
        if not any(one.dataset == dataset.name for one in judged):
            sentences.append(joined(["The policy requires no criterion of ", name(dataset.name), "."]))
        lookalikes = mapping(dataset.claimed.get("lookalikes")) | mapping(dataset.found.get("lookalikes"))
        for column, alike in lookalikes.items():
            many = several(number(alike), "value")
            lead = f": {many} of "
            rest = (
                " differ from another only in case, spaces, invisible characters, Unicode form or decimals. Such"
                " persons and sensitive values count as one (not persons whose decimals differ), others as different."
            )
            sentences.append(joined([name(dataset.name), lead, name(column), rest]))
        sentences += [joined([name(dataset.name), ": ", words]) for words in _joined_persons(dataset)]
        sentences += [joined([name(dataset.name), ": ", words]) for one in dossiers() for words in one.remarks(dataset)]
        if text(dataset.claimed.get("unit")) == "records":
            lead = " counts records, not persons: someone with several records is protected less than the figures say."
            sentences.append(joined([name(dataset.name), lead]))
    pairs = len(sequence(mapping(certificate.get("together")).get("not_judged")))
    if pairs:
        was = "was" if pairs == 1 else "were"
        lead = f"{several(pairs, 'pair')} of datasets about the same people {was} not judged together (see below)."
        sentences.append(joined([lead]))
    if certificate.get("signed_by") is None:
        lead = "Unsigned: someone could have altered the files and recomputed the hashes."
        sentences.append(
            joined([element("strong", lead), " Sign releases: ", element("code", "sharewell keygen"), "."])
        )
    if mapping(certificate.get("policy")).get("approved_by") is None:
        sentences.append(joined(["No second person has approved the policy."]))
    return sentences


def _joined_persons(dataset: Dataset) -> list[str]:
    """How many persons may be counted twice, where no number tells them apart: as found, or else as claimed."""
    if found := [text(one) for one in sequence(dataset.found.get("joined_persons"))]:
        return found
    claimed = mapping(dataset.claimed.get("joined_person"))
    twice = several(number(claimed.get("perhaps_twice")), "person")
    by = f"persons are identified by {count(number(claimed.get('columns')))} columns, not by a number"
    return [f"{by}, and {twice} may be counted twice."] if claimed else []


def key_figures(dataset: Dataset) -> Html | None:
    """The handful of numbers that are asked for in every meeting; those not known are left out."""
    after, before = dataset.after, dataset.before
    own = first_answer(lambda one: one.key_figures(dataset))
    published = ("records published", out_of(dataset.rows, number(before.get("rows"))))
    figures = own if own is not None else [published, *_people(before, after)]
    smallest = next((one for one in [*dataset.criteria, *dataset.claims] if one.name == "k-anonymity"), None)
    if smallest is not None:
        figures.append((f"{smallest.unit or 'records'} in the smallest class", count(smallest.value)))
    figures.append(("classes", count(number(after.get("classes")))))
    figures.append(("records withheld", _withheld(after, before, "records", "rows")))
    figures += [("detail lost (NCP)", amount(one)) for one in dataset.utility if one.name == "ncp"]
    known = [(term, value) for term, value in figures if value != NOTHING]
    return facts(known, "figures") if known else None


def _people(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[tuple[str, str]]:
    pairs = [("persons published", out_of(number(after.get("persons")), number(before.get("persons"))))]
    return [*pairs, ("persons withheld", _withheld(after, before, "persons", "persons"))]


def _withheld(after: Mapping[str, Json], before: Mapping[str, Json], what: str, whole: str) -> str:
    gone, of = number(after.get(f"suppressed_{what}")), number(before.get(whole))
    return f"{count(gone)} ({share(gone / of)})" if gone is not None and of else count(gone)
