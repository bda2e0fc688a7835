"""The data column by column, the setting, and who answers for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.cleaning import cleaning
from sharewell.dossier.column_changes import invented, published_as
from sharewell.dossier.glossary import term
from sharewell.dossier.identifiability import QUESTIONS, unmeasured
from sharewell.dossier.markup import Html, element, facts, filled_table, folded, items, joined, name, names
from sharewell.dossier.verdict import key_figures
from sharewell.dossier.views import Dataset, leaves, mapping, number, sequence, text
from sharewell.dossier.wing_dossier import dossiers, first_answer
from sharewell.dossier.words import CONTEXTS, LINKABILITY, NOTHING, ROLES, count, detail, kind_title, share
from sharewell.plain_data import Json

WHERE_POLICY = "internal/policy.yaml; without what is confidential, in public/certificate.json"
UNSIGNED = "nobody: someone could have altered the files and recomputed the hashes"
BESIDE = (
    "the recipient's security and privacy practices",
    "who might try to re-identify, why and with what means",
    "how those concerned were told, and what harm a disclosure could do",
)
COUNTED = ("Distinct, before → after", "Missing before", "Exact cells kept")
NOT_CLAIMED = (
    "That the data is anonymous in law: criteria are met or not as stated; the decision stays with the controller.",
    "Protection from an attacker who knows more than the columns marked quasi, or who combines this release with "
    "others about the same people, unless a criterion above says so.",
    "That the roles, hierarchies and thresholds of the policy are the right ones: these are judgements of those who "
    "wrote and approved it.",
    "How likely an attempt is: probabilities are those of the attackers described, given that they try.",
    "Conformity with ISO/IEC 27559:2022: the appendix only says where the page addresses its clauses.",
)


def setting(certificate: Mapping[str, Json]) -> Html:
    """To whom, under which conditions and by which thresholds; and what has to be filed beside the page."""
    release, profile = mapping(certificate.get("release")), mapping(certificate.get("profile"))
    context = text(release.get("context"))
    pairs = [
        ("Recipient", text(release.get("recipient")) or "not named"),
        ("Setting", CONTEXTS.get(context, context or "not stated")),
    ]
    if profile:
        named = text(profile.get("name"))
        pairs.append(("Profile", joined([text(profile.get("title")) or named, " (", name(named), ")"])))
        pairs.append(("Source of its thresholds", text(profile.get("citation")) or "not cited"))
    else:
        pairs.append(("Profile", "none: the thresholds are those of the policy alone"))
    notes = [text(note) for note in sequence(profile.get("notes")) if text(note)]
    return joined(
        [
            facts(pairs),
            folded("Notes of the profile", items(notes), paper=True) if notes else None,
            element("h3", "To be filed beside this page"),
            element("p", "Software cannot see these:"),
            items(BESIDE),
        ]
    )


def data_section(data: Sequence[Dataset]) -> Html:
    """One fold for each dataset."""
    if not data:
        return element("p", "This release contains no dataset.")
    return joined([_dataset(dataset) for dataset in data])


def _dataset(dataset: Dataset) -> Html:
    return element(
        "section",
        element("h3", name(dataset.name)),
        _what(dataset),
        key_figures(dataset),
        _knowledge(dataset),
        folded(
            "The one column" if len(dataset.columns) == 1 else f"All {len(dataset.columns)} columns",
            _columns(dataset),
            paper=True,
        ),
        cleaning(dataset),
        *(one.section(dataset) for one in dossiers()),
    )


def _what(dataset: Dataset) -> Html:
    """Its kind, its file and what criteria count, in a sentence."""
    file, unit = text(dataset.claimed.get("file")), text(dataset.claimed.get("unit"))
    kind = kind_title(dataset.kind)
    return element(
        "p",
        kind[:1].upper() + kind[1:],
        joined([", published as ", name(file)]) if file else None,
        f". Criteria count {unit}." if unit else ". The unit of protection is not stated.",
    )


def _knowledge(dataset: Dataset) -> Html:
    """Attack modelling in two sentences: what an attacker is taken to know, and to want."""
    if words := first_answer(lambda one: one.knowledge(dataset)):
        return element("p", words)
    quasi, sensitive = dataset.having("quasi"), dataset.having("sensitive")
    known = joined(["An attacker is assumed to know ", names(quasi) if quasi else "none of the columns"])
    wanted = joined([", and to want ", names(sensitive)]) if sensitive else "; no column is marked sensitive"
    return element("p", known, wanted, ".")


def _columns(dataset: Dataset) -> Html | None:
    """One row for each column that is published; the others in a sentence."""
    rows, gone = [], []
    for column, known in dataset.columns.items():
        if not dataset.publishes(column):
            gone.append(column)
            continue
        role = text(known.get("role"))
        was, now = number(known.get("distinct_before")), number(known.get("distinct_after"))
        distinct = NOTHING if was is None and now is None else f"{count(was)} → {count(now)}"
        missing, kept = count(number(known.get("missing_before"))), share(dataset.exact_shares.get(column))
        pairs = [ROLES.get(role, role or NOTHING), published_as(known), invented(known)]
        rows.append([name(column), *pairs, distinct, missing, kept])
    heads = ["Column", "Role", "How published", "Such as (invented)", *COUNTED]
    listed = filled_table("Published columns", heads, rows, words=[1, 2, 3])
    return joined([listed, element("p", "Not published: ", names(gone), ".") if gone else None])


def governance(certificate: Mapping[str, Json]) -> Html:
    """Keys, hashes, deviations."""
    policy = mapping(certificate.get("policy"))
    deviations = [text(one) for one in sequence(certificate.get("deviations")) if text(one)]
    pairs = [
        ("Signed by", _hash(certificate.get("signed_by"), UNSIGNED)),
        ("Policy approved by a second person", _hash(policy.get("approved_by"), "no")),
        ("Policy (salted SHA-256)", _hash(policy.get("salted_sha256"), "not recorded")),
        (
            term("commitment", "Key commitment"),
            _hash(mapping(certificate.get("key_commitment")).get("commitment"), "none"),
        ),
        ("The policy itself", WHERE_POLICY),
    ]
    none = "None." if mapping(certificate.get("profile")) else "None: no profile was chosen."
    return joined(
        [
            facts(pairs),
            element("h3", "Deviations from the profile, and from what is usual"),
            element("div", items(deviations), class_="weigh") if deviations else element("p", none),
            folded("Published files and their hashes", _files(certificate)),
            folded("Software that made the release", _versions(certificate)),
        ]
    )


def not_claimed(data: Sequence[Dataset]) -> Html:
    """What must not be read into the release."""
    return items([*_unclaimed(data), *NOT_CLAIMED])


def _unclaimed(data: Sequence[Dataset]) -> list[Html]:
    """What follows from this release's own gaps comes before what holds for every release."""
    sentences = []
    for which in QUESTIONS:
        silent = [dataset.name for dataset in data if unmeasured(which, dataset)]
        if silent:
            sentences.append(joined([f"Anything about {which.lower()} in ", names(silent), ": it was not measured."]))
    for one in dossiers():
        of_kind: dict[str, list[str]] = {}
        for dataset in data:
            if words := one.unclaimed(dataset):
                of_kind.setdefault(words, []).append(dataset.name)
        sentences += [joined([words, names(listed), "."]) for words, listed in of_kind.items()]
    if len(data) > 1 and any(unmeasured(LINKABILITY, dataset) for dataset in data):
        sentences.append(joined(["Anything that shows only when the datasets are joined on the person."]))
    return sentences


def _hash(value: object, none: str) -> Html | str:
    return element("code", text(value)) if text(value) else none


def _files(certificate: Mapping[str, Json]) -> Html | None:
    rows = [[name(file), _hash(digest, NOTHING)] for file, digest in mapping(certificate.get("files")).items()]
    return filled_table("Published files", ["File", "SHA-256"], rows, words=[1])


def _versions(certificate: Mapping[str, Json]) -> Html | None:
    held = {"sharewell": text(certificate.get("version")) or None, **mapping(certificate.get("versions"))}
    rows = [[path, detail("", value)] for path, value in leaves(held) if path and value is not None]
    return filled_table("Software", ["Package", "Version"], rows, words=[1])
