"""The page for recipients: what the files hold, what was done to each column, how to re-check it, what not to assume.

It stands in public/ as README.html and is made from the certificate alone, so that it tells nothing else. It holds
names and counts, no cell value, no time, and no hash: the certificate has the hash of this page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sharewell.dossier.column_changes import Fate, fate, invented, published_as
from sharewell.dossier.glossary import meaning
from sharewell.dossier.markup import Html, element, facts, filled_table, items, joined, name
from sharewell.dossier.style import RECIPIENT_CSS, head
from sharewell.dossier.views import Dataset, FindingView, datasets, mapping, sequence, text
from sharewell.dossier.wing_dossier import dossiers, first_answer
from sharewell.dossier.words import CONTEXTS, NOTHING, count, kind_title, required, several, title
from sharewell.plain_data import Json
from sharewell.registry import TEXT_KIND
from sharewell.wing import LINKED

CELLS = {
    "range": ("[20-25]", "a range, both ends included"),
    "set": ("{A,B}", "one of these values"),
    "node": ("0213*", "a group of values: here all that begin with 0213; other groups have a name of their own"),
    "labels": ("a label", "a code, or a group of codes that dictionary.json lists"),
}
"""How cells are written → an example, which is invented, and how to read it."""
ANY = ("*", "any value: it is withheld")
DONE = {
    Fate.KEPT: "nothing: unchanged",
    Fate.MOVED: "every date of a person is moved by a secret number of days",
    Fate.REWRITTEN: "identifiers were searched for and replaced",
    Fate.PSEUDONYM: "replaced by a pseudonym",
    Fate.NOISY: "values were deliberately changed: a value need not be true",
    Fate.MADE: "created for this release",
}
CHECKERS = {
    "recipient": "you, from these files",
    "steward": "the steward, who has files that you do not have",
    "attested": "nobody: only the certificate says so",
}
ALWAYS = (
    "That the data is legally anonymous, or that nobody can be recognised: criteria guarantee what they say, no more.",
    "That every person or record of the source is here: some may have been withheld.",
    "That a group, range or set says which of its values is true of a record.",
    "That this release may be joined with other data about the same people: that was not examined.",
)
HEADS = ("Column", "What it holds", "What was done", "Such as (invented)")
SUMS, VERIFY = "sha256sum -c SHA256SUMS", "sharewell verify ."


def recipient_page(certificate: Mapping[str, Json]) -> str:
    """One self-contained page. Equal certificates give equal bytes, whatever files they list."""
    certificate = mapping(certificate)
    data = datasets(certificate, {})
    title_ = text(mapping(certificate.get("release")).get("name")) or "unnamed release"
    sections = (
        ("What this is", _about(certificate)),
        ("The files", _files(certificate, data)),
        ("What the columns mean, and what was done to them", _columns(data)),
        ("What holds, and who can re-check it", _criteria(data)),
        ("How to re-check it", _recheck(text(certificate.get("signed_by")))),
        ("What must not be assumed", items(_assumptions(certificate, data))),
    )
    body = element(
        "body",
        element(
            "header", element("p", "Release of protected patient data", class_="over"), element("h1", name(title_))
        ),
        element(
            "main",
            *(element("section", element("h2", f"{i} {words}"), content) for i, (words, content) in _shown(sections)),
        ),
        element("footer", element("p", "Written from certificate.json. Names and counts; no cell values.")),
    )
    page = element("html", head(f"{title_} — for recipients", RECIPIENT_CSS), body, lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _shown(sections: Sequence[tuple[str, Html | None]]) -> Iterator[tuple[int, tuple[str, Html | None]]]:
    return enumerate((one for one in sections if one[1]), 1)


def _about(certificate: Mapping[str, Json]) -> Html:
    release, profile = mapping(certificate.get("release")), mapping(certificate.get("profile"))
    recipient, context = text(release.get("recipient")), text(release.get("context"))
    signer = text(certificate.get("signed_by"))
    approver = text(mapping(certificate.get("policy")).get("approved_by"))
    pairs: list[tuple[str, str]] = [("For", recipient)] if recipient else []
    if context:
        pairs.append(("Setting", CONTEXTS.get(context, context)))
    if profile:
        pairs.append(("Thresholds", joined([text(profile.get("title")) or text(profile.get("name"))])))
    pairs.append(("Made by", joined(["the holder of key ", element("code", signer)]) if signer else "not signed"))
    if approver:
        pairs.append(("Policy approved by", joined(["the holder of key ", element("code", approver)])))
    pairs.append(("Made with", "sharewell, which protects data, re-checks it and writes a certificate of what holds"))
    return facts(pairs)


def _files(certificate: Mapping[str, Json], data: Sequence[Dataset]) -> Html | None:
    rows: list[list[str]] = []
    for dataset in data:
        about = kind_title(dataset.kind)
        rows.append([name(text(dataset.claimed.get("file"))), about, count(dataset.rows)])
        pages = [text(page) for page in sequence(dataset.claimed.get("pages"))]
        rows += [[name(page), joined(["the same as ", name(text(dataset.claimed.get("file")))]), ""] for page in pages]
    rows += [
        [name("dictionary.json"), "what each column holds, for programs", ""],
        [name("certificate.json"), "what is claimed of the files, with their hashes", ""],
        [name("SHA256SUMS"), "hashes of all files", ""],
    ]
    if text(certificate.get("signed_by")):
        rows.append([name("certificate.sig"), "the signature of the certificate", ""])
    return filled_table("Files beside this page", ["File", "What it holds", "Rows"], rows, words=[1])


def _columns(data: Sequence[Dataset]) -> Html | None:
    blocks = []
    for dataset in data:
        columns = {column: mapping(known) for column, known in mapping(dataset.claimed.get("columns")).items()}
        if link := text(dataset.claimed.get("link")):
            columns = {link: {"role": "subject", "style": LINKED}, **columns}
        rows = [[name(column), _holds(known), _done(known), invented(known)] for column, known in columns.items()]
        listed = filled_table(f"Columns of {dataset.name}", HEADS, rows, words=[1, 2, 3])
        blocks.append(joined([element("h3", name(dataset.name)), listed]) if listed else None)
    return joined([*blocks, _cells(data)]) if any(blocks) else None


def _holds(known: Mapping[str, Json]) -> str:
    """In words of the kind of data, or by the role that the policy gave the column."""
    own = first_answer(lambda one: one.column_meaning(known))
    if own is not None:
        return own
    roles = {
        "subject": "the person of the row",
        "quasi": "something that others may know about a person",
        "sensitive": "something sensitive about a person",
        "keep": "a value of the source",
        "shift": "a date",
        "text": "free text",
    }
    return roles.get(text(known.get("role")), NOTHING)


def _done(known: Mapping[str, Json]) -> str:
    result = fate(known)
    if result is Fate.NOISY or result not in (Fate.COARSENED, Fate.USELESS, Fate.PSEUDONYM, Fate.MADE, Fate.KEPT):
        return DONE[result]
    style = text(known.get("style"))
    if result in (Fate.COARSENED, Fate.USELESS):
        or_gone = ", or left out," if style == "labels" else ","
        return f"{published_as(known)}{or_gone} wherever the exact value would disclose too much" if style else NOTHING
    return style if style and result is not Fate.KEPT else DONE[result]


def _cells(data: Sequence[Dataset]) -> Html | None:
    """How to read what is not an exact value, in all datasets."""
    columns = [known for dataset in data for known in mapping(dataset.claimed.get("columns")).values()]
    used = {text(mapping(known).get("style")) for known in columns}
    explained = [pair for style, pair in CELLS.items() if style in used]
    if not explained:
        return None
    rows = [[element("code", example), words] for example, words in [*explained, ANY]]
    legend = filled_table("Examples are invented", ["A cell such as", "means"], rows, words=[1])
    return joined([element("h3", "How to read a cell"), legend])


def _criteria(data: Sequence[Dataset]) -> Html | None:
    rows = []
    for dataset in data:
        claims = [(result, title(result.name), dataset.kind) for result in dataset.claims]
        texts = [(result, f"{title(result.name)}: {result.column}", TEXT_KIND) for result in dataset.text_claims]
        for result, called, kind in [*claims, *texts]:
            rows.append([called, meaning(result.name, kind), required(result), name(dataset.name), _who(result)])
    heads = ["Criterion", "In a sentence", "Required", "Dataset", "Who can re-check"]
    return filled_table("Criteria", heads, rows, words=[1, 3, 4])


def _who(view: FindingView) -> str:
    return CHECKERS.get(view.tier, "not recorded")


def _recheck(signer: str) -> Html:
    key = " --key SIGNER.pub" if signer else ""
    asked = (
        "SIGNER.pub is the public key of whoever made the release. Obtain it in another way than these files."
        if signer
        else "The release is not signed: someone could have altered the files and recomputed the hashes. Ask the sender"
        " to tell you the hash of certificate.json in another way."
    )
    return joined(
        [
            element("p", "Open a terminal in this folder. To check that the files arrived complete:"),
            element("p", element("code", SUMS), class_="command"),
            element("p", "To recompute from the files whether they meet the claims of the certificate:"),
            element("p", element("code", "pip install sharewell"), class_="command"),
            element("p", element("code", f"{VERIFY}{key}"), class_="command"),
            element("p", asked),
        ]
    )


def _assumptions(certificate: Mapping[str, Json], data: Sequence[Dataset]) -> list[Html]:
    """What follows from this release comes before what holds for every release."""
    sentences: list[Html] = []
    for dataset in data:
        results = [fate(mapping(known)) for known in mapping(dataset.claimed.get("columns")).values()]
        if dataset.mechanism.get("falsifies") is True or Fate.NOISY in results:
            sentences.append(
                joined(["That a value of ", name(dataset.name), " is true: values were deliberately changed."])
            )
        if Fate.MOVED in results:
            sentences.append(
                joined(["That dates of ", name(dataset.name), " are true, or those of two people comparable."])
            )
        if Fate.REWRITTEN in results:
            sentences.append(
                joined(["That texts of ", name(dataset.name), " are word for word, or free of all identifiers."])
            )
        sentences += [joined([words]) for one in dossiers() for words in one.assumptions(dataset)]
    pairs = sequence(mapping(certificate.get("together")).get("not_judged"))
    if pairs:
        lead = f"That its datasets were judged together: {several(len(pairs), 'pair')} about the same people "
        sentences.append(joined([lead, "was not" if len(pairs) == 1 else "were not", "."]))
    deviations = [text(one) for one in sequence(certificate.get("deviations")) if text(one)]
    if deviations:
        lead = "That everything follows the profile, or is as usual: the policy deviates in "
        sentences.append(joined([lead, several(len(deviations), "point"), ", which the certificate lists."]))
    return [*sentences, *(joined([words]) for words in ALWAYS)]
