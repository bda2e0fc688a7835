"""Looking at DNA from the command line: who would be recognised, who is related, what frequencies there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sharewell.errors import DataError
from sharewell.findings import json_details
from sharewell.genomes.attacks.homer import Homer
from sharewell.genomes.attacks.likelihood_ratio import LikelihoodRatio
from sharewell.genomes.attacks.wip import WIP
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.attackers.frequency_attack import Nulls
from sharewell.genomes.engine.sources import opened, opened_people
from sharewell.io.sources import Source
from sharewell.plain_data import JsonObject
from sharewell.spelling import fold

STATISTICS = {"LR": LikelihoodRatio, "WIP": WIP, "Homer": Homer}
LINED_UP = ("snps", "left_out", "people", "reference", "targets", "members", "null_people", "nulls")
"""What is the same for all statistics."""
REACHED = ("auc", "auc_error", "power", "power_error", "fpr", "above", "others_above", "nominal_fpr", "nominal_power")
"""What each reaches at the empirical threshold; beside it what the threshold of theory would have done."""
MEMBER, PERSON = "member", "person"
"""The columns of a table of members."""
_YES, _NO = ("1", "true", "yes"), ("0", "false", "no", "")


def membership(
    pool: Source | Path | str,
    reference: Source | Path | str,
    targets: Source | Path | str | None = None,
    truth: Source | Path | str | None = None,
    *,
    fpr: float = 0.05,
    nulls: Nulls = "auto",
    subject: str | None = None,
) -> JsonObject:
    """How well each statistic tells members of a pool from other people, and what theory allows.

    pool: genotypes, or published frequencies. targets: people to score; the pool itself, where it has people. truth: a
    list of members, one a line; without it, everybody in a pool of people is one, and otherwise nobody is known.
    """
    mix = opened(pool, subject)
    people = None if isinstance(mix, Frequencies) else mix
    if targets is None and people is None:
        raise DataError("membership — frequencies alone hold nobody to look for — name targets")
    released = frequencies_of(mix)
    others = opened(reference, subject)
    scored = people if targets is None else opened_people(targets, "targets", subject)
    members = members_of(truth) if truth is not None else None if people is None else frozenset(people.persons)
    results = {
        name: attack(others, scored, fpr, nulls).mount(released, members).details for name, attack in STATISTICS.items()
    }
    every = {name: json_details(details) for name, details in results.items()}
    one = next(iter(every.values()))
    return {
        "statistics": {name: {part: details[part] for part in REACHED} for name, details in every.items()},
        "bound": one["bound"] | {"fpr": fpr, "if_known": one["bound_if_known"]},
        **{part: one[part] for part in LINED_UP},
        "cautions": list(_cautions(mix, others)),
    }


def _cautions(pool: Genotypes | Frequencies, reference: Genotypes | Frequencies) -> Iterator[str]:
    """What makes the figures tell less than they seem to."""
    if isinstance(pool, Genotypes) and isinstance(reference, Genotypes):
        both = len(set(map(fold, pool.persons)) & set(map(fold, reference.persons)))
        if both:
            yield (
                f"{both} of {reference.rows} people of the reference are in the pool: its frequencies are those of "
                "members, and the attack looks weaker than it is; give people who are not in the pool"
            )
    elif np.array_equal(frequencies_of(pool).frequency, frequencies_of(reference).frequency, equal_nan=True):
        yield "the reference has the frequencies of the pool itself, so that no member stands out; give another"


def frequencies_of(data: Genotypes | Frequencies) -> Frequencies:
    return data if isinstance(data, Frequencies) else Frequencies.of(data)


def members_of(listed: Source | Path | str) -> frozenset[str]:
    """Names from a file: a list, one a line; or a table with `person` and `member` (yes or no, 1 or 0).

    A list may have `person` or `member` for a header; any other first line is a name as well.
    """
    source = listed if isinstance(listed, Source) else Source.named(Path(listed))  # a list is no table
    names = source.names()
    if PERSON in names and MEMBER in names:
        cells = source.read([PERSON, MEMBER]).to_pydict()
        words = [str(word if word is not None else "").strip().lower() for word in cells[MEMBER]]
        if odd := sum(word not in (*_YES, *_NO) for word in words):
            raise DataError(f"{source.label} — of {odd} of {len(words)} row(s) it is neither yes nor no — write 1 or 0")
        return frozenset(str(who).strip() for who, word in zip(cells[PERSON], words, strict=True) if word in _YES)
    column = next((name for name in (MEMBER, PERSON) if name in names), names[0])
    header = [] if column in (MEMBER, PERSON) else [column]
    results = (*header, *source.read([column])[column].to_pylist())
    return frozenset(str(name).strip() for name in results if name is not None and str(name).strip())
