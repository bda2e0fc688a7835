"""The page's six figures: which numbers go into which drawing. Each returns None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sharewell.dossier import bins
from sharewell.dossier.figures import Chart, Series, figure
from sharewell.dossier.markup import Html, filled_table, joined, name, table
from sharewell.dossier.views import Attack, Dataset, FindingView, Number, histogram, mapping, number, sequence
from sharewell.dossier.words import (
    NOTHING,
    amount,
    attack_title,
    count,
    in_percent,
    is_mean,
    required,
    share,
    title,
    vocabulary,
)

HISTOGRAMS = frozenset({"records_by_risk", "classes_by_size", "records_by_size", "support", "roc"})
"""Details that are drawn, and so need no second table."""


def risk(dataset: Dataset, attack: Attack, key: str) -> Html | None:
    """Records by the probability of picking the right one, on the original and on the release."""
    before = histogram(attack.before.risk.get("records_by_risk")) if attack.before else {}
    after = histogram(attack.after.risk.get("records_by_risk")) if attack.after else {}
    edges = bins.filled(bins.RISK_EDGES, before, after)
    if not edges:
        return None
    names = [bins.risk_name(edge, edges) for edge in edges]
    pair = _pair(before, after, edges)
    chart = Chart(
        key,
        f"Records by probability of re-identification, {attack.name}, {dataset.name}",
        _summary(pair, names, "records"),
        tuple(names),
        pair,
        count,
    )
    rows = [[n, count(b), count(a)] for n, b, a in zip(names, pair[0].values, pair[1].values, strict=True)]
    numbers = table("Records by probability", ["Probability", "Before", "After"], rows)
    caption = joined(["Risk before and after: ", title(attack.name), ", ", name(dataset.name)])
    note = f"Before: {_total(before, 'records')}. After: {_total(after, 'records')}."
    return figure(caption, [chart], numbers, note)


def support(dataset: Dataset, attack: Attack, key: str) -> Html | None:
    """How many records may hold what is known of a person: the fewer, the nearer the attacker is to the person."""
    histograms = [sequence(one.details.get("support")) if one else [] for one in (attack.before, attack.after)]
    shares = [
        {number(mapping(bin_).get("low")): number(mapping(bin_).get("share")) for bin_ in bins_} for bins_ in histograms
    ]
    ends = {number(mapping(one).get("low")): number(mapping(one).get("high")) for bins_ in histograms for one in bins_}
    lows = sorted(low for low in ends if low is not None and any(one.get(low) for one in shares))
    if not lows:
        return None
    names = [_records(low, ends[low]) for low in lows]
    pair = (
        Series("Before", "before", tuple(shares[0].get(low) if shares[0] else None for low in lows)),
        Series("After", "after", tuple(shares[1].get(low) if shares[1] else None for low in lows)),
    )
    heading = f"Records that may hold what is known, {attack.name}, {dataset.name}"
    chart = Chart(key, heading, _summary(pair, names, "", share), tuple(names), pair, share, top=1)
    rows = [[n, share(b), share(a)] for n, b, a in zip(names, pair[0].values, pair[1].values, strict=True)]
    numbers = table("Records that may be meant", ["Records", "Before", "After"], rows)
    who_fits = vocabulary().who_fits.get(attack.name)
    note = who_fits or "Share of the sets of codes that an attacker may know, by how many records may hold them all."
    what = "people" if who_fits else "records"
    caption = joined([f"Among how many {what}: ", attack_title(attack), ", ", name(dataset.name)])
    return figure(caption, [chart], numbers, note)


def _records(low: Number, high: Number | None) -> str:
    if high is None:
        return f"{count(low)} or more"
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def sizes(dataset: Dataset, before: FindingView | None, after: FindingView | None, key: str) -> Html | None:
    """Classes, and the records in them, by the size of the class."""
    results = [mapping(one.details) if one else {} for one in (before, after)]
    records = [histogram(one.get("records_by_size")) for one in results]
    classes = [histogram(one.get("classes_by_size")) for one in results]
    edges = bins.filled(bins.SIZE_EDGES, *records, *classes)
    if not edges:
        return None
    names = [bins.size_name(edge, edges) for edge in edges]
    charts, columns = [], []
    for what, (was, now) in (("Records", records), ("Classes", classes)):
        pair = _pair(was, now, edges)
        columns += [series.values for series in pair]
        heading, summary = f"{what} by class size", _summary(pair, names, what.lower())
        charts.append(Chart(f"{key}-{what.lower()}", heading, summary, tuple(names), pair, count))
    heads = ["Class size", "Records before", "Records after", "Classes before", "Classes after"]
    rows = [[n, *map(count, values)] for n, *values in zip(names, *columns, strict=True)]
    caption = joined(["Class sizes: how many records share the same published values, ", name(dataset.name)])
    note = "A class is all records that show the same values in the columns an attacker may know."
    return figure(caption, charts, table("Class sizes", heads, rows), note)


def columns(dataset: Dataset, key: str) -> Html | None:
    """What was changed in each column: cells that kept their exact value, and detail lost."""
    scored, kept = dataset.detail_lost, dataset.exact_shares
    lost = {part.column: part.value for part in scored.parts if part.column} if scored else {}
    shown = [n for n in dict.fromkeys([*kept, *lost]) if kept.get(n) is not None or lost.get(n) is not None]
    if not shown:
        return None
    pair = (
        Series("Exact cells kept", "after", tuple(kept.get(n) for n in shown)),
        Series("Detail lost (NCP)", "before", tuple(lost.get(n) for n in shown)),
    )
    heading = f"What was changed in each column, {dataset.name}"
    summary = _summary(pair, shown, "", share)
    chart = Chart(key, heading, summary, tuple(shown), pair, share, top=1)
    rows = [[name(n), share(k), share(v)] for n, k, v in zip(shown, pair[0].values, pair[1].values, strict=True)]
    numbers = table("Change per column", ["Column", "Exact cells kept", "Detail lost (NCP)"], rows)
    caption = joined(["What was changed in each column, ", name(dataset.name)])
    note = "NCP is the share of a column's detail that is gone: 0 % as it was, 100 % nothing left."
    return figure(caption, [chart], numbers, note)


def attacks(dataset: Dataset, key: str) -> Html | None:
    """How far each attack gets, on the original and on the release. Only probabilities share a scale and are drawn."""
    if not dataset.attacks:
        return None
    rows = [[attack_title(one), amount(one.before), amount(one.after)] for one in dataset.attacks]
    caption = joined(["Attacks before and after, ", name(dataset.name)])
    numbers = filled_table(caption, ["Attack", "Before", "After"], rows)
    drawn = [
        one
        for one in dataset.attacks
        if _unit(one) == "probability" and (_value(one.before), _value(one.after)) != (None, None)
    ]
    if not drawn or numbers is None:
        return numbers
    pair = (
        Series("Before", "before", tuple(_value(one.before) for one in drawn)),
        Series("After", "after", tuple(_value(one.after) for one in drawn)),
    )
    names = [attack_title(one) for one in drawn]
    heading = f"Probability of success of each attack, {dataset.name}"
    chart = Chart(key, heading, _summary(pair, names, "", share), tuple(names), pair, share, top=1)
    means = [title(one.name) for one in drawn if is_mean(one.name)]
    note = "The largest probability over all records, for an attacker who knows exactly what the attack assumes."
    note += f" For {' and '.join(dict.fromkeys(means))}, the mean." if means else ""
    return figure(caption, [chart], numbers, note)


def utility(dataset: Dataset, key: str) -> Html | None:
    """What protection cost beside the detail lost. Several measures from 0 to 100 % are drawn; the table has all."""
    if not [one for one in dataset.utility if one is not dataset.detail_lost]:
        return None
    rows = [[title(one.name), amount(one), required(one), one.note or NOTHING] for one in dataset.utility]
    caption = joined(["What it cost, ", name(dataset.name)])
    numbers = filled_table(caption, ["Measure", "Value", "Promised", "Note"], rows, words=[3])
    drawn = [one for one in dataset.utility if in_percent(one) and one.value is not None and 0 <= one.value <= 1]
    if len(drawn) < 2 or numbers is None:
        return numbers
    names = [title(one.name) for one in drawn]
    only = (Series("Value", "after", tuple(one.value for one in drawn)),)
    chart = Chart(
        key, f"What it cost, {dataset.name}", _summary(only, names, "", share), tuple(names), only, share, top=1
    )
    return figure(caption, [chart], numbers)


def _pair(before: Mapping[float, int], after: Mapping[float, int], edges: Sequence[float]) -> tuple[Series, Series]:
    """A bin that a histogram does not list is empty; a histogram that is not there at all is unknown."""
    return (
        Series("Before", "before", tuple(before.get(e, 0) if before else None for e in edges)),
        Series("After", "after", tuple(after.get(e, 0) if after else None for e in edges)),
    )


def _summary(
    series: Sequence[Series], names: Sequence[str], what: str, show: Callable[[Number | None], str] = count
) -> str:
    """The drawing in words, short enough to be listened to: where each series is highest. The table has the rest."""
    sentences = []
    for one in series:
        known = [(value, n) for value, n in zip(one.values, names, strict=True) if value is not None]
        if known:
            value, where = max(known, key=lambda pair: pair[0])
            sentences.append(f"{one.name}: highest at {where}, {show(value)} {what}".rstrip() + ".")
        else:
            sentences.append(f"{one.name}: not measured.")
    return " ".join([*sentences, "The table that follows holds every number."])


def _total(counts: Mapping[float, int], what: str) -> str:
    return f"{count(sum(counts.values()))} {what}" if counts else "not measured"


def _unit(attack: Attack) -> str:
    return next((one.unit for one in (attack.after, attack.before) if one and one.unit), NOTHING)


def _value(view: FindingView | None) -> Number | None:
    return view.value if view else None
