"""Profiles: named thresholds with their source. A profile adds criteria; it never makes a release compliant by itself.

>>> profile("ipc-ontario-2025/high").criteria[0].parameters
{'k': 20}
>>> profile("hipaa-expert-determination").criteria
()

Where a source gives a largest probability, the class size enforced is the smallest k with 1/k within it. 0.09 is the
customary rounding of 1/11, so there the bound is 1/11 and k is 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sharewell.errors import Mistake, PolicyError
from sharewell.policy.model import Profile
from sharewell.policy.wing_policy import policies
from sharewell.roles import did_you_mean

_ELEVENTH = "0.09 is the customary rounding of 1/11: the bound is 1/11 and the least class enforced is k = 11."
_NOT_CLAIMED = (
    "Not enforced here, and not claimed: whether the release as a whole follows this text is for people to decide."
)
_IPC = "Information and Privacy Commissioner of Ontario, De-Identification Guidelines for Structured Data, October 2025"
_LADDER = (
    "K. El Emam, Guide to the De-Identification of Personal Health Information, CRC Press, 2013 (cell sizes in use)"
)


@dataclass(frozen=True)
class Facts:
    """What a source says, in our words."""

    name: str
    title: str
    citation: str
    notes: tuple[str, ...]
    k: int | None = None
    bound: Fraction | None = None
    criterion: str = ""
    """A criterion that is the rule itself; the policy gives its parameters."""
    no_shift: bool = False
    """Shifted dates are refused."""
    no_identifiers: bool = False
    """Columns published as they are, whose name is that of a direct identifier, are listed."""
    threshold: int | None = None
    """Of tables of counts: cells of fewer persons are hidden, and not to be derived."""
    rounded: int | None = None
    """Of tables of counts: to multiples of what the others are rounded."""


FACTS: tuple[Facts, ...] = (
    Facts(
        "hipaa-safe-harbor",
        "HIPAA Safe Harbor: 18 classes of identifiers removed",
        "45 CFR 164.514(b)(2)",
        (
            "Enforced by the mechanism safe-harbor, and proved from the published files by the criterion of that name: "
            "dates to the year, ages above 89 and years of birth that tell them as 90+, the first three digits of a "
            "zip code only where more than 20,000 people live, else 000, no smaller place, no column that is one of "
            "the identifiers or free text. Dates are not shifted, since only the year may stay.",
            "By the steward's word: which columns are none of the 18 kinds.",
            "Not enforced: that nobody has actual knowledge of who is who.",
            _NOT_CLAIMED,
        ),
        criterion="safe-harbor",
        no_shift=True,
        no_identifiers=True,
    ),
    Facts(
        "hipaa-expert-determination",
        "HIPAA Expert Determination: a very small risk, by an expert's judgement",
        "45 CFR 164.514(b)(1)",
        (
            "The rule says 'very small' and gives no number: none is added. Put the expert's own under `require`.",
            _NOT_CLAIMED,
        ),
    ),
    Facts(
        "hipaa-limited-data-set",
        "HIPAA Limited Data Set: 16 direct identifiers removed, under a data use agreement",
        "45 CFR 164.514(e)",
        (
            "Listed: columns published as they are whose name is that of a direct identifier.",
            "Enforced only if the policy asks for it (`require: limited-data-set`): that the 16 identifiers are gone. "
            "Dates and zips may stay. Not enforced: the data use agreement.",
            "No threshold is part of the rule: none is added.",
            _NOT_CLAIMED,
        ),
        no_identifiers=True,
    ),
    Facts(
        "ema-policy-0070",
        "European Medicines Agency, publication of clinical data",
        "EMA Policy 0070, external guidance on the anonymisation of clinical reports",
        (_ELEVENTH, "Not enforced: the anonymisation report and the review of narratives.", _NOT_CLAIMED),
        k=11,
        bound=Fraction(1, 11),
    ),
    Facts(
        "health-canada-prci",
        "Health Canada, Public Release of Clinical Information",
        "Health Canada, Guidance document on the Public Release of Clinical Information",
        (_ELEVENTH, "Not enforced: the anonymisation report and the review of narratives.", _NOT_CLAIMED),
        k=11,
        bound=Fraction(1, 11),
    ),
    Facts(
        "ipc-ontario-2025/low",
        "IPC Ontario, low invasion of privacy: 0.09",
        _IPC,
        (_ELEVENTH, _NOT_CLAIMED),
        k=11,
        bound=Fraction(1, 11),
    ),
    Facts(
        "ipc-ontario-2025/medium",
        "IPC Ontario, medium invasion of privacy: 0.075",
        _IPC,
        (
            "The bound is 0.075. k = 14 is enforced: 1/14 = 0.0714 is within it, 1/13 = 0.0769 is not. "
            "The guideline prints about 15.",
            _NOT_CLAIMED,
        ),
        k=14,
        bound=Fraction(3, 40),
    ),
    Facts(
        "ipc-ontario-2025/high",
        "IPC Ontario, high invasion of privacy: 0.05",
        _IPC,
        ("The bound is 0.05 = 1/20. k = 20 is enforced.", _NOT_CLAIMED),
        k=20,
        bound=Fraction(1, 20),
    ),
    Facts(
        "cms-cell-11",
        "CMS cell size suppression: no cell of 1 to 10",
        "Centers for Medicare & Medicaid Services, Cell Size Suppression Policy",
        (
            "For tables of records: k = 11 is enforced.",
            "For tables of counts (kind reports): cells of 1 to 10 are hidden, and none can be derived from totals. "
            "Not enforced: percentages published elsewhere.",
        ),
        k=11,
        threshold=11,
    ),
    Facts(
        "opensafely",
        "OpenSAFELY: counts up to 7 redacted, then rounded",
        "OpenSAFELY documentation, statistical disclosure control",
        (
            "For tables of records: k = 8 is enforced, so that no class has 7 persons or fewer.",
            "For tables of counts (kind reports): counts of 1 to 7 are hidden, the others rounded to the nearest 5, "
            "and no hidden one can be derived.",
        ),
        k=8,
        threshold=8,
        rounded=5,
    ),
    *(
        Facts(
            f"el-emam/{k}",
            f"Least cell size {k}",
            _LADDER,
            (f"k = {k} is enforced; the largest risk is 1/{k}.",),
            k,
            Fraction(1, k),
        )
        for k in (3, 5, 11, 20)
    ),
    Facts(
        "nih-gwas",
        "NIH genomic data sharing: de-identified, and nobody knows who is who",
        "NIH Genomic Data Sharing Policy, 2014; 45 CFR 164.514(b)(2); 45 CFR 46.102",
        (
            "No threshold is part of the policy: none is added.",
            "Not enforced: identities neither in the data nor readily ascertainable, random codes, controlled access.",
            _NOT_CLAIMED,
        ),
    ),
    Facts(
        "gdpr-wp216",
        "Opinion on anonymisation techniques: singling out, linkability, inference",
        "Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216)",
        (
            "Singling out: require a least class size, such as k-anonymity.",
            "Linkability: mount linkage attacks; pseudonyms within a class at most.",
            "Inference: require diversity or closeness of sensitive columns.",
            "The opinion gives no number: none is added.",
            _NOT_CLAIMED,
        ),
    ),
    Facts(
        "iso-27559",
        "ISO/IEC 27559: a framework for de-identification",
        "ISO/IEC 27559:2022",
        (
            "Context: who receives the data and what they can do with it; say it under `release`.",
            "Data: which columns identify; every column has a role.",
            "Identifiability: measured against a threshold that you choose; none is added.",
            "Governance: before, during and after the release; not enforced.",
            _NOT_CLAIMED,
        ),
    ),
)

_BY_NAME = {facts.name: facts for facts in FACTS}


def facts_of(name: str) -> Facts:
    """The facts behind a name; an unknown one is a PolicyError with a hint."""
    if name not in _BY_NAME:
        tail = [full for full in _BY_NAME if full.startswith(f"{name}/")]
        hint = f"one of {', '.join(tail)}" if tail else did_you_mean(name, _BY_NAME) or f"known: {', '.join(_BY_NAME)}"
        raise PolicyError([Mistake(0, 0, "profile", f"no profile named '{name}'", hint)])
    return _BY_NAME[name]


def profile(name: str) -> Profile:
    """The profile of a name, with its criteria built by the kinds of data that they are about."""
    facts, kinds = facts_of(name), policies()
    added = {one.kind: one.from_profile(facts) for one in kinds}
    criteria = tuple(criterion for one in kinds if one.profiled for criterion in added[one.kind])
    return Profile(facts.name, facts.title, facts.citation, criteria, facts.notes, facts.bound, added)


def profiles() -> list[Profile]:
    """All of them."""
    return [profile(facts.name) for facts in FACTS]
