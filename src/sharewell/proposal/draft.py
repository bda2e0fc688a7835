"""The draft itself: YAML with a reason beside every proposal, as comments. People decide, not the draft."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sharewell.errors import PolicyError
from sharewell.io.shipped import shipped_text
from sharewell.proposal.singling_out import MOST_ROWS
from sharewell.proposal.survey import ColumnLook, Survey, safe_name, survey
from sharewell.roles import Role

K = 11
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_COMMENT_COLUMN = 44
_PLAIN = re.compile(r"[^\W\d_][\w]*(?:[./-]\w+)*|_\w*[^\W\d_]\w*")
_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"}
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_DOMAINS: Mapping[str, str] = {"age": "{low: 0, high: 110, bins: 11}", "sex": "{values: [F, M]}"}
"""What is public about columns of a topic; a steward who writes it otherwise changes the draft."""
LONGEST_KEY = 200
"""YAML allows 1024 characters in a key of the short form; longer ones are written with a question mark."""

_TEXTS: dict[str, str] = tomllib.loads(shipped_text("draft.toml"))


@dataclass(frozen=True)
class Proposal:
    """What was seen in each file, and the draft as YAML."""

    surveys: tuple[Survey, ...]
    text: str

    @classmethod
    def of(
        cls, paths: Sequence[Path], *, name: str = "draft", base: Path | None = None, questions: bool = False
    ) -> Proposal:
        """`base` is the folder in which the policy will lie: paths in a policy are relative to it.

        questions: the files stay with their steward, who answers questions about them.
        """
        if safe_name(name) != name:
            raise PolicyError(f"name — must be usable as a folder name — such as {safe_name(name)}")
        surveys = tuple(survey(paths))
        return cls(surveys, _text(surveys, name, base or Path(), questions))


def propose(paths: Sequence[Path], *, name: str = "draft", base: Path | None = None) -> str:
    """The draft of a policy for these files, as YAML with comments."""
    return Proposal.of(paths, name=name, base=base).text


def _text(surveys: Sequence[Survey], name: str, base: Path, questions: bool) -> str:
    lines = [_TEXTS["head"] + "sharewell: 1", "release:", f"  name: {scalar(name)}"]
    lines += ["  # recipient: who receives it", "  # context: non-public   # or public", _TEXTS["secrets"].rstrip()]
    if len(surveys) > 1:
        lines += _TEXTS["several"].rstrip().splitlines() + _shared(surveys)
    lines.append("datasets:")
    for dataset in surveys:
        lines += _asked(dataset, base) if questions else _dataset(dataset, base)
    return "\n".join([*lines, "write: {parquet: out/}   # out/<release name>/public and …/internal; or csv", ""])


def _shared(surveys: Sequence[Survey]) -> list[str]:
    """Subject columns that several files have in common."""
    by_subject: dict[str, list[str]] = {}
    for dataset in surveys:
        if dataset.subject is not None:
            by_subject.setdefault(dataset.subject, []).append(dataset.name)
    shared = {subject: names for subject, names in by_subject.items() if len(names) > 1}
    return [
        f"# The same person column, {scalar(subject)}, is in: {', '.join(names)}." for subject, names in shared.items()
    ]


def _dataset(dataset: Survey, base: Path) -> list[str]:
    assert dataset.source.path is not None
    lines = [f"  {scalar(dataset.name)}:", *(f"    # {line}" for line in _remarks(dataset))]
    path = scalar(_relative(dataset.source.path, base))
    lines += ["    kind: tables", f"    read: {{{dataset.source.format}: {path}}}"]
    lines += ["    columns:", *(line for column in dataset.columns for line in _column(column))]
    return [*lines, *_require(dataset)]


def _asked(dataset: Survey, base: Path) -> list[str]:
    """A dataset that answers questions. Domains are public knowledge, so none is taken from the data."""
    assert dataset.source.path is not None
    path = scalar(_relative(dataset.source.path, base))
    known = {column.name: _DOMAINS[column.topic] for column in dataset.columns if column.topic in _DOMAINS}
    lines = [f"  {scalar(dataset.name)}:", *(f"    # {line}" for line in _TEXTS["questions"].strip().splitlines())]
    lines += ["    kind: queries", f"    read: {{{dataset.source.format}: {path}}}", "    columns:"]
    for column in dataset.columns:
        role = column.role if column.role is Role.SUBJECT or column.name in known else Role.DROP
        asked = Role.SENSITIVE if column.role is Role.SENSITIVE else Role.QUASI
        reason = "; ".join(column.reasons) if role is column.role else f"to ask about it: {asked}, and a domain"
        entries = entry(column.name, str(role), " " * 6)
        lines += [*entries[:-1], f"{entries[-1]:<{_COMMENT_COLUMN}}  # {reason}"]
    lines += ["    domains:   # from a code book, never from the data", *_domain_lines(known)]
    several = "{rows: 1}" if dataset.subject is not None else "{unit: record}   # every row is another person"
    return [*lines, f"    contributions: {several}", *_TEXTS["budget"].strip("\n").splitlines()]


def _domain_lines(known: Mapping[str, str]) -> list[str]:
    if not known:
        return ["      # such as ward: {values: [A, B, C]} or cost: {low: 0, high: 50000, bins: 10}"]
    return [line for name, domain in known.items() for line in entry(name, domain, " " * 6)]


def _remarks(dataset: Survey) -> list[str]:
    """What is true of the file as a whole."""
    persons = "" if dataset.persons is None else f", {dataset.persons} persons"
    lines = [f"{dataset.rows} records, {len(dataset.columns)} columns{persons}"]
    if 2 * dataset.names_like_values >= len(dataset.columns):
        lines.append(f"CAREFUL: {dataset.names_like_values} column names look like values. Has the file a header line?")
        lines.append("If it has none, this draft shows a record: delete it.")
    if refused := sum(bool(_CONTROL.search(column.name)) for column in dataset.columns):
        lines.append(f"CAREFUL: {refused} column names hold control characters, which a policy refuses: rename them.")
    if dataset.subject is None:
        lines.append(
            "No column says whom a record is about. If a person can have several records, give the column that"
        )
        lines.append("names the person the role subject: without it records are counted, not persons.")
    lines += single_lines(dataset)
    if not dataset.having(Role.QUASI):
        lines.append("No quasi column was found: all records form one class. Is there nothing that others may know?")
    if (dataset.rows if dataset.persons is None else dataset.persons) < K:
        lines.append(f"Fewer than {K} {_unit(dataset)}: nothing can meet k: {K} below.")
    return lines


def _unit(dataset: Survey) -> str:
    return "records" if dataset.persons is None else "persons"


def single_lines(dataset: Survey) -> list[str]:
    """`age + sex + zip make 63 % of the persons unique`, for each set that was measured."""
    part = f" (on {MOST_ROWS} of {dataset.rows} records)" if dataset.sampled else ""
    lines = []
    for combination in dataset.singled:
        count = len(combination.columns)
        columns = f"All {count} quasi columns together" if count > 4 else " + ".join(map(scalar, combination.columns))
        verb = "makes" if count == 1 else "make"
        lines.append(f"{columns} {verb} {percent(combination.share)} of the {_unit(dataset)} unique{part}")
    return lines


def percent(share: float) -> str:
    """
    >>> percent(0), percent(0.004), percent(0.63), percent(0.999), percent(1)
    ('0 %', 'less than 1 %', '63 %', 'more than 99 %', '100 %')
    """
    if 0 < share < 0.01:
        return "less than 1 %"
    return "more than 99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def _column(column: ColumnLook) -> list[str]:
    fields = [f"role: {column.role}"]
    fields += [f"hierarchy: {column.hierarchy}"] if column.hierarchy else []
    fields += [f'type: {{date: "{column.date_form}"}}'] if column.date_form else []
    lines = entry(column.name, str(column.role) if len(fields) == 1 else "{" + ", ".join(fields) + "}", " " * 6)
    reason = "; ".join((*column.reasons, counted(column)))
    return [*lines[:-1], f"{lines[-1]:<{_COMMENT_COLUMN}}  # {reason}"]


def counted(column: ColumnLook) -> str:
    """The measures of a column in a few words."""
    missing = f", {column.missing} missing" if column.missing else ""
    return f"{column.distinct} different{missing}, separates {percent(column.separation)} of pairs"


def _require(dataset: Survey) -> list[str]:
    sensitive = dataset.having(Role.SENSITIVE)
    lines = [
        "    require:",
        f"      # {K} is customary, not a law: CMS shows no cell of 1 to 10 persons, and the 0.09 of the European",
        f"      # Medicines Agency is 1/{K}, rounded. Choose what your setting needs; see `sharewell profiles`.",
        f"      - k-anonymity: {{k: {K}}}",
    ]
    if sensitive and all(column.distinct > 1 for column in sensitive):
        lines.append("      # at least two values of each sensitive column in every class; more is better")
        lines.append("      - l-diversity: {l: 2}")
    elif sensitive:
        lines.append("      # a sensitive column has fewer than two values, so l-diversity cannot hold")
    return [*lines, "    using: mondrian", "    attacks: [prosecutor]", "    utility: [ncp, discernibility]"]


def _relative(path: Path, base: Path) -> str:
    """As a policy in `base` would name the file: relative, unless an absolute path outside was given."""
    absolute, folder = path.absolute(), base.absolute()
    if path.is_absolute() and not absolute.is_relative_to(folder):
        return path.as_posix()
    return Path(os.path.relpath(absolute, folder)).as_posix()


def scalar(text: str) -> str:
    """The text as one YAML scalar on one line, in quotes if it needs them: any YAML reader gives the same text back.

    >>> print(scalar("age"), scalar("no"), scalar("a: b"), scalar("1e3"), scalar("line\\nbreak"))
    age "no" "a: b" "1e3" "line\\nbreak"
    """
    if _PLAIN.fullmatch(text) and text.isprintable() and text.lower() not in _WORDS:
        return text
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    number = ord(char)
    return f"\\x{number:02X}" if number < 0x100 else f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


def entry(key: str, value: str, indent: str) -> list[str]:
    """`key: value`; a very long key gets lines of its own."""
    written = scalar(key)
    if len(written) <= LONGEST_KEY:
        return [f"{indent}{written}: {value}"]
    return [f"{indent}? {written}", f"{indent}: {value}"]
