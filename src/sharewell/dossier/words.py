"""The page's vocabulary: numbers as people read them, and a plain name for every term."""

from __future__ import annotations

from collections import ChainMap
from functools import cache

from sharewell.dossier.markup import NOTHING as NOTHING
from sharewell.dossier.views import Attack, Dataset, FindingView, Number, value_of
from sharewell.dossier.wing_dossier import Vocabulary, dossiers

FIXED = "\u00a0"
"""A space that does not break, between a number and its unit."""
THIN = "\u202f"
"""A narrow space that does not break, between thousands."""

TIERS = {
    "recipient": "The recipient can re-check it from the published files alone.",
    "steward": "The steward can re-check it with the internal files or a named source, recognised by its hash.",
    "attested": "Only the certificate says so; no file of this release lets anyone re-check it.",
}
ROLES = {
    "subject": "the person of the row",
    "drop": "not published",
    "quasi": "quasi: may be known",
    "sensitive": "sensitive",
    "keep": "kept",
    "shift": "date",
    "text": "free text",
}
CONTEXTS = {
    "public": "Public: anyone may hold the data, for any purpose, and no agreement binds them.",
    "non-public": "Non-public: the data goes to the named recipient, under the agreement that accompanies this page.",
}
SINGLING_OUT, LINKABILITY, INFERENCE, OTHER = "Singling out", "Linkability", "Inference", "Other measurements"
COMMON = Vocabulary(
    titles={"ncp": "Detail lost (NCP)"},
    labels={
        "average": "average over records",
        "at_risk": "share of records above the threshold",
        "failing": "classes that fail",
        "average_class": "average class size",
        "exact_cells": "exact cells kept",
        "people": "people on the list, or counted",
        "columns": "matched by",
    },
    shares=frozenset({"average", "at_risk", "threshold", "exact_cells", "share", "error"}),
    in_percent=frozenset({"ncp"}),
    concerns={
        INFERENCE: ("inference", "attribute", "membership", "sensitive"),
        LINKABILITY: ("link", "trail", "composition", "intersection", "identification"),
        SINGLING_OUT: ("anonymity", "unique"),
    },
)
"""Words that several kinds of data share, and words by which the names of algorithms yet to come are understood."""
PERCENT_UNITS = frozenset({"probability", "share"})
COUNTED = frozenset({"persons", "records", "values"})


@cache
def _known(vocabularies: tuple[Vocabulary, ...]) -> Vocabulary:
    concerns = {
        which: tuple(hint for one in vocabularies for hint in one.concerns.get(which, ()))
        for which in (INFERENCE, LINKABILITY, SINGLING_OUT)  # the first whose hint fits is taken
    }
    return Vocabulary(
        dict(ChainMap(*(dict(one.titles) for one in vocabularies))),
        dict(ChainMap(*(dict(one.labels) for one in vocabularies))),
        frozenset().union(*(one.shares for one in vocabularies)),
        frozenset().union(*(one.means for one in vocabularies)),
        frozenset().union(*(one.in_percent for one in vocabularies)),
        dict(ChainMap(*(dict(one.who_fits) for one in vocabularies))),
        concerns,
    )


def vocabulary() -> Vocabulary:
    """The words of every kind of data."""
    return _known((COMMON, *(one.words for one in dossiers())))


def kind_title(kind: str) -> str:
    """What a kind of data is called; one that nobody knows by its name."""
    return next((one.title for one in dossiers() if one.kind == kind), kind)


def is_mean(attack: str) -> bool:
    """Is its value a mean over the people attacked, not the largest probability?"""
    return attack in vocabulary().means


def concern(algorithm: str) -> str:
    """Which of the three questions of WP216 an algorithm speaks to, by the words of its name.

    >>> concern("l-diversity"), concern("linkage"), concern("km-anonymity"), concern("something new")
    ('Inference', 'Linkability', 'Singling out', 'Other measurements')
    """
    known = vocabulary().concerns
    plain = algorithm.lower().replace("_", "-").replace(" ", "-")
    return next((which for which, hints in known.items() if any(hint in plain for hint in hints)), OTHER)


def count(value: Number | None) -> str:
    """A number.

    >>> count(1234567).replace(THIN, " "), count(0.123456), count(None)
    ('1 234 567', '0.1235', '—')
    """
    if value is None:
        return NOTHING
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return f"{int(value):,}".replace(",", THIN).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def share(value: Number | None) -> str:
    """A share or probability in percent; what is not all is never rounded to all, nor what is something to nothing.

    >>> [share(x).replace(THIN, " ") for x in (0, 0.0909, 1, 0.99999, 0.000001)]
    ['0 %', '9.09 %', '100 %', '> 99.9 %', '< 0.01 %']
    """
    if value is None:
        return NOTHING
    if 0 < value < 0.0001:
        return f"< 0.01{THIN}%"
    if 0.9995 <= value < 1:
        return f"> 99.9{THIN}%"
    return f"{100 * value:.3g}{THIN}%" if abs(value) < 10 else f"{count(100 * value)}{THIN}%"


def in_percent(view: FindingView) -> bool:
    return view.unit in PERCENT_UNITS or (view.name in vocabulary().in_percent and not view.unit)


def amount(view: FindingView | None) -> str:
    """What a finding reached, with its unit."""
    if view is None or view.value is None:
        return NOTHING
    if in_percent(view):
        return share(view.value)
    unit = view.unit.removesuffix("s") if view.value == 1 and view.unit in COUNTED else view.unit
    return f"{count(view.value)}{FIXED}{unit}" if unit else count(view.value)


def required(view: FindingView) -> str:
    """What was asked for; a fraction in its exact form first."""
    if view.bound is None and not view.bound_exact:
        return NOTHING
    limit = share(view.bound) if in_percent(view) else count(view.bound)
    bound = f"{view.bound_exact} = {limit}" if view.bound_exact else limit
    return f"{view.sense}{FIXED}{bound}" if view.sense else bound


def title(algorithm: str) -> str:
    return vocabulary().titles.get(algorithm, algorithm)


def attack_title(attack: Attack) -> str:
    """With its settings, so that the same attack under others is told apart."""
    return f"{title(attack.name)} ({attack.knowing})" if attack.knowing else title(attack.name)


def label(path: str) -> str:
    """A detail's path in words.

    >>> label("risk · at_risk"), label("new_thing")
    ('share of records above the threshold', 'new thing')
    """
    known, steps = vocabulary().labels, path.split(" · ")
    steps = steps[1:] if steps[0] == "risk" and len(steps) > 1 else steps
    return " · ".join(known.get(step, step.replace("_", " ") if i == 0 else step) for i, step in enumerate(steps))


def detail(path: str, value: str | Number | None) -> str:
    """A detail's value, in percent where it is a share."""
    if value is None or isinstance(value, str):
        return value or NOTHING
    return share(value) if vocabulary().shares & set(path.split(" · ")) else count(value)


def several(number: Number | None, one: str, many: str | None = None) -> str:
    """A counted noun.

    >>> several(1, "person"), several(3, "class", "classes"), several(None, "row")
    ('1 person', '3 classes', '— rows')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def mean_reached(dataset: Dataset, attack: str) -> str | None:
    """How often the strongest of some attacks finds a person, and how often it did before; None if none was mounted."""
    mounted = [one for one in dataset.attacks if one.name == attack and one.after is not None]
    worst = max(mounted, key=lambda one: value_of(one.after), default=None)
    if worst is None or worst.after is None or worst.after.value is None:
        return None
    was = worst.before.value if worst.before else None
    before = "" if was is None else compared_with(worst.after.value, was)
    return f"a chance of {share(worst.after.value)} on average{before}"


def compared_with(after: Number, before: Number) -> str:
    """What a share was before, in words that are true even where it has risen.

    >>> compared_with(0.0256, 0.0156).split(), compared_with(0.02, 1.0).split()[:3], compared_with(0.5, 0.5)
    ([',', 'before', '1.56', '%'], [',', 'down', 'from'], ', as before')
    """
    if share(after) == share(before):
        return ", as before"
    return f", {'down from' if after < before else 'before'} {share(before)}"
