"""Every verb of the command line: the module behind it, its line of help, and the group in which help lists it.

Verbs of the pipeline are modules of `cli/`; those of one kind of data are in its own `commands`. Names alone stand
here, so that `sharewell --help` imports no verb. Examples of each are in `verb_examples`.
"""

from __future__ import annotations

from typing import NamedTuple

LOOK = "Look at the data"
DECIDE = "Decide what is released"
RELEASE = "Release"
CHECK = "Check a release"
QUESTIONS = "Answer questions, and keep the data"
ONE_KIND = "One kind of data"
REFERENCE = "Look things up"
TRY = "Try it without data of your own"


class Verb(NamedTuple):
    """One verb."""

    module: str
    """Below `sharewell`; it has `arguments(parser)` and `run(args)`."""
    group: str
    summary: str
    """What fits into one line of help."""


VERBS: dict[str, Verb] = {
    "init": Verb("cli.init", LOOK, "look at files and write a commented draft of a policy"),
    "risk": Verb("tables.commands", LOOK, "is a file already anonymous, and what risk does each column add?"),
    "attack": Verb("cli.attack", LOOK, "what would attackers learn from a file, if published unchanged?"),
    "check": Verb("cli.check", DECIDE, "find every mistake in a policy, each with its line"),
    "plan": Verb("cli.plan", DECIDE, "show what a release would do, and at what risk; changes nothing"),
    "compare": Verb("cli.compare", DECIDE, "compare criteria and mechanisms by risk and loss"),
    "keygen": Verb("cli.keygen", RELEASE, "create a signing key pair, or the secret key of releases"),
    "approve": Verb("cli.approve", RELEASE, "sign a policy or a finished release as a second person"),
    "release": Verb("cli.release", RELEASE, "protect, write, verify, attack, measure, certify"),
    "verify": Verb("cli.verify", CHECK, "re-check a release from its files"),
    "diff": Verb("cli.diff", CHECK, "show how two releases differ"),
    "notes": Verb("notes.commands", ONE_KIND, "clinical notes: find, mark and replace identifiers"),
    "genomes": Verb("genomes.commands", ONE_KIND, "DNA: who can be recognised in allele frequencies, who is related"),
    "reports": Verb("reports.commands", ONE_KIND, "reports of figures: what could a snooper infer from them?"),
    "extract": Verb("codes.commands", ONE_KIND, "diagnosis codes: list those that identify, or those of a disease"),
    "ask": Verb("queries.commands", QUESTIONS, "ask a question, for a part of the privacy budget"),
    "budget": Verb("queries.commands", QUESTIONS, "show what is left of a budget, who spent it and on what"),
    "serve": Verb("queries.commands", QUESTIONS, "answer questions over HTTP, with a page to ask them on"),
    "token": Verb("queries.commands", QUESTIONS, "create, list or revoke the tokens of analysts"),
    "catalogue": Verb("cli.catalogue", REFERENCE, "list criteria, mechanisms, attacks and measures; explain one"),
    "profiles": Verb("cli.profiles", REFERENCE, "list the named sets of thresholds, with citations"),
    "hierarchy": Verb("cli.hierarchy", REFERENCE, "look for gaps in a hierarchy, or show what covers a value"),
    "schema": Verb("cli.schema", REFERENCE, "print the JSON Schema of the policy file, for editors"),
    "completion": Verb("cli.completion", REFERENCE, "print the script with which a shell completes verbs and options"),
    "demo": Verb("cli.demo", TRY, "create a synthetic hospital and release it"),
    "hospital": Verb("cli.hospital", TRY, "write a synthetic hospital of any size"),
}
"""In the order of work, in which `sharewell --help` lists them."""


def groups() -> dict[str, list[str]]:
    """Group → its verbs, both in order."""
    results: dict[str, list[str]] = {}
    for name, verb in VERBS.items():
        results.setdefault(verb.group, []).append(name)
    return results
