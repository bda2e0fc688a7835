"""Clauses 6, 7 and 9: the setting, the data, and who answers for it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sharewell.dossier.cleaning import cleaning
from sharewell.dossier.identifiability import QUESTIONS, unmeasured
from sharewell.dossier.markup import Html, element, facts, items, joined, name, names, table
from sharewell.dossier.sizes import persons, records
from sharewell.dossier.views import Dataset, leaves, mapping, number, sequence, text
from sharewell.dossier.wing_dossier import dossiers, first_answer
from sharewell.dossier.words import CONTEXTS, LINKABILITY, NOTHING, ROLES, count, detail, kind_title, share
from sharewell.plain_data import Json

UNSTYLED = {"keep": "as it is", "sensitive": "as it is", "shift": "shifted", "text": "protected in place"}
UNSIGNED = "nobody: someone could have altered the files and recomputed the hashes"
BESIDE = (
    "the recipient's security and privacy practices (6.2.2)",
    "who might try to re-identify, why and with what means (6.2.3)",
    "how those concerned were told, and what harm a disclosure could do (6.3)",
)
COUNTED = ("Distinct, before → after", "Missing before", "Exact cells kept")
NOT_CLAIMED = (
    "That the data is anonymous in law: criteria are met or not as stated; the decision stays with the controller.",
    "Protection from an attacker who knows more than the columns marked quasi, or who combines this release with "
    "others about the same people, unless a criterion above says so.",
    "That the roles, hierarchies and thresholds of the policy are the right ones: these are judgements of those who "
    "wrote and approved it.",
    "How likely an attempt is: probabilities are those of the attackers described, given that they try.",
    "Conformity with ISO/IEC 27559:2022: this page only follows the order of its clauses.",
)


def context(certificate: Mapping[str, Json]) -> Html:
    release, profile = mapping(certificate.get("release")), mapping(certificate.get("profile"))
    setting = text(release.get("context"))
    told = [
        ("Release", name(text(release.get("name")))),
        ("Recipient", text(release.get("recipient")) or "not named"),
        ("Setting", CONTEXTS.get(setting, setting or "not stated")),
    ]
    if profile:
        named = text(profile.get("name"))
        told.append(("Profile", joined([text(profile.get("title")) or named, " (", name(named), ")"])))
        told.append(("Source of its thresholds", text(profile.get("citation")) or "not cited"))
    else:
        told.append(("Profile", "none: the thresholds are those of the policy alone"))
    notes = [text(note) for note in sequence(profile.get("notes")) if text(note)]
    return element(
        "section",
        element("h2", "6 Context assessment", id="context"),
        facts(told),
        joined([element("h3", "Notes of the profile"), items(notes)]) if notes else None,
        element("h3", "Not part of this page"),
        element("p", "Software cannot see these; they belong in the file beside it:"),
        items(BESIDE),
        aria_labelledby="context",
    )


def data_assessment(data: Sequence[Dataset]) -> Html:
    blocks = [_dataset(dataset) for dataset in data]
    return element(
        "section",
        element("h2", "7 Data assessment", id="data"),
        *(blocks or [element("p", "This release holds no dataset.")]),
        aria_labelledby="data",
    )


def _dataset(dataset: Dataset) -> Html:
    size = first_answer(lambda one: one.size(dataset)) or [records(dataset), persons(dataset)]
    told = [
        ("Kind", kind_title(dataset.kind)),
        ("File", name(text(dataset.claimed.get("file"))) if text(dataset.claimed.get("file")) else NOTHING),
        ("Unit of protection", text(dataset.claimed.get("unit")) or "not stated"),
        *size,
    ]
    return element(
        "section",
        element("h3", name(dataset.name)),
        facts(told),
        _knowledge(dataset),
        _columns(dataset) if dataset.columns else None,
        cleaning(dataset),
        *(one.section(dataset) for one in dossiers()),
    )


def _knowledge(dataset: Dataset) -> Html:
    """Attack modelling in two sentences: what an attacker is taken to know, and to want."""
    if words := first_answer(lambda one: one.knowledge(dataset)):
        return element("p", words)
    quasi, sensitive = dataset.having("quasi"), dataset.having("sensitive")
    known = joined(["An attacker is taken to know ", names(quasi) if quasi else "none of the columns"])
    wanted = joined([", and to want ", names(sensitive)]) if sensitive else "; no column is marked sensitive"
    return element("p", known, wanted, ".")


def _columns(dataset: Dataset) -> Html:
    rows = []
    for column, known in dataset.columns.items():
        role = text(known.get("role"))
        meaning = f"{role}: {ROLES[role]}" if role in ROLES else role or NOTHING
        published = dataset.publishes(column)
        was, now = number(known.get("distinct_before")), number(known.get("distinct_after")) if published else None
        distinct = NOTHING if was is None and now is None else f"{count(was)} → {count(now)}"
        hierarchy = text(known.get("hierarchy"))
        style = " by ".join(filter(None, [text(known.get("style")), hierarchy])) or UNSTYLED.get(role, NOTHING)
        style = style if published else "not published"
        missing, kept = count(number(known.get("missing_before"))), share(dataset.exact_shares.get(column))
        rows.append([name(column), meaning, text(known.get("kind")) or NOTHING, style, distinct, missing, kept])
    seen = ["Column", "Role", "Read as", "How published"]
    return table("Columns", [*seen, *COUNTED], rows, words=[1, 2, 3])


def governance(certificate: Mapping[str, Json], data: Sequence[Dataset]) -> Html:
    policy = mapping(certificate.get("policy"))
    deviations = [text(one) for one in sequence(certificate.get("deviations")) if text(one)]
    told = [
        ("Policy (salted SHA-256)", _hash(policy.get("salted_sha256"), "not recorded")),
        ("Approved by a second person", _hash(policy.get("approved_by"), "no")),
        ("Key commitment", _hash(mapping(certificate.get("key_commitment")).get("commitment"), "none")),
        ("Signed by", _hash(certificate.get("signed_by"), UNSIGNED)),
    ]
    none = "None." if mapping(certificate.get("profile")) else "None: no profile was chosen."
    return element(
        "section",
        element("h2", "9 De-identification governance", id="governance"),
        facts(told),
        element("h3", "Deviations from the profile, and from what is usual"),
        element("div", items(deviations), class_="weigh") if deviations else element("p", none),
        element("h3", "What this release does not claim", id="not-claimed"),
        items([*_unclaimed(data), *NOT_CLAIMED]),
        _files(certificate),
        _versions(certificate),
        _policy(policy),
        aria_labelledby="governance",
    )


def _unclaimed(data: Sequence[Dataset]) -> list[Html]:
    """What follows from this release's own gaps comes before what holds for every release."""
    told = []
    for which in QUESTIONS:
        silent = [dataset.name for dataset in data if unmeasured(which, dataset)]
        if silent:
            told.append(joined([f"Anything about {which.lower()} in ", names(silent), ": it was not measured."]))
    for one in dossiers():
        of_kind: dict[str, list[str]] = {}
        for dataset in data:
            if words := one.unclaimed(dataset):
                of_kind.setdefault(words, []).append(dataset.name)
        told += [joined([words, names(listed), "."]) for words, listed in of_kind.items()]
    if len(data) > 1 and any(unmeasured(LINKABILITY, dataset) for dataset in data):
        told.append(joined(["Anything that shows only when the datasets are joined on the person."]))
    return told


def _hash(value: object, none: str) -> Html | str:
    return element("code", text(value)) if text(value) else none


def _files(certificate: Mapping[str, Json]) -> Html:
    rows = [[name(file), _hash(digest, NOTHING)] for file, digest in mapping(certificate.get("files")).items()]
    if not rows:
        return joined([element("h3", "Files"), element("p", "The certificate lists no file.")])
    return joined([element("h3", "Files"), table("Published files", ["File", "SHA-256"], rows, words=[1])])


def _versions(certificate: Mapping[str, Json]) -> Html:
    held = {"sharewell": text(certificate.get("version")), **mapping(certificate.get("versions"))}
    rows = [[path, detail("", value)] for path, value in leaves(held) if path and value is not None]
    software = table("Software", ["Package", "Version"], rows, words=[1])
    return joined([element("h3", "Versions"), software] if rows else [])


def _policy(policy: Mapping[str, Json]) -> Html | None:
    redacted = policy.get("redacted")
    if not redacted:
        return None
    plain = json.dumps(redacted, indent=2, ensure_ascii=False, default=str)
    return joined([element("h3", "The policy, redacted"), element("pre", plain, tabindex="0")])
