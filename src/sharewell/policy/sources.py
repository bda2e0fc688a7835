"""`read:` and every other place that names a file: a mapping with one format, its path, and how to read it."""

from __future__ import annotations

import codecs
from typing import get_args, get_origin, get_type_hints

from sharewell.io.cleaning import Cleaning
from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.sources import DNA, FORMATS, Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.cleaning import FileDefaults, cleanings
from sharewell.policy.mistakes import MistakeCollector, hints_of, known_fields
from sharewell.policy.specs import SourceSpec
from sharewell.policy.wing_policy import policies, policy_of

FOLDER = "folder"
"""The word for a folder of notes."""
_WORDS = {FOLDER: NOTES_FOLDER}
"""Formats that a policy names by another word."""
_SETTINGS = ("encoding", "separator", "newlines", "decimal", "thousands", "day_first", "sheet", "skip", "columns")
_GOES_WITH = {
    "encoding": ("csv", FOLDER),
    "separator": ("csv",),
    "newlines": ("csv",),
    "sheet": ("excel",),
    "skip": ("csv", "excel"),
    "subjects": (FOLDER,),
}
"""Settings that only some formats have."""
_DECIMALS, _THOUSANDS = (".", ","), (".", ",", " ", "'", "_")
VARIANTS = ("multiallelic", "haploid")
"""What a source of variants says of odd calls."""


def source(reading: MistakeCollector, given: Json, path: Place) -> Source | None:
    """The source that a mapping describes. Whether the file is there is not asked here."""
    if isinstance(given, Source):  # of another dataset of the policy
        return given
    known = _formats(reading, path)
    if not isinstance(given, dict):
        reading.mistake(path, "must be a mapping such as {csv: people.csv}", f"formats: {', '.join(known)}")
        return None
    before = len(reading.mistakes)
    fields = reading.fields(SourceSpec, given, path)
    formats = [form for form in (*FORMATS, FOLDER, *DNA) if form in fields]
    if len(formats) != 1 and len(reading.mistakes) == before:
        what = "names no file" if not formats else f"names {len(formats)} files"
        reading.mistake(path, what, f"give one of {', '.join(known)} with a path")
    for form in formats:
        if form not in known:
            kinds = " or ".join(one.kind for one in policies() if form in one.more_formats)
            reading.mistake((*path, form), f"{form} is for datasets of kind {kinds}", f"formats: {', '.join(known)}")
    clean = _cleanings(reading, fields, path) if "clean" in fields else {}
    if len(formats) == 1:
        _check(reading, fields, formats[0], path)
        if not fields[formats[0]]:
            reading.mistake((*path, formats[0]), "the path is empty")
    subjects = source(reading, fields["subjects"], (*path, "subjects")) if "subjects" in fields else None
    if len(reading.mistakes) > before:
        return None
    missing = tuple(
        reading.document.texts.get((*path, "missing", i), "") for i in range(len(fields.get("missing", ())))
    )
    settings: JsonObject = {key: fields[key] for key in _SETTINGS if key in fields}
    if formats[0] == "vcf":
        settings |= {key: value for key in VARIANTS if (value := _of_variants(reading, fields, path, key)) is not None}
    form = _WORDS.get(formats[0], formats[0])
    where = reading.base / fields[formats[0]]
    return Source(where, form, missing=missing, clean=clean, subjects=subjects, **settings)


def evidence(algorithm: type) -> list[str]:
    """The names of the fields that take a source."""
    hints = hints_of(algorithm)
    annotated = {name for name, hint in hints.items() if Source in (hint, *get_args(hint))}
    return [name for name in known_fields(algorithm) if name == "population" or name in annotated]


def several_sources(algorithm: type) -> set[str]:
    """Those of these fields that take a list of sources, too."""
    return {name for name, hint in hints_of(algorithm).items() if tuple[Source, ...] in get_args(hint)}


def sources(reading: MistakeCollector, given: Json, path: Place) -> Source | list[Source] | None:
    """One source, or a list of sources."""
    if not isinstance(given, list):
        return source(reading, given, path)
    if not given:
        reading.mistake(path, "the list is empty", "name a file such as {csv: people.csv}")
    every = [source(reading, one, (*path, i)) for i, one in enumerate(given)]
    return [one for one in every if one is not None]


def lists_of_files(algorithm: type) -> dict[str, type[Source]]:
    """The fields that take a list of paths, and what sort of source each is."""
    sorts: dict[str, type[Source]] = {}
    for name, hint in hints_of(algorithm).items():
        for one in (hint, *get_args(hint)):
            inside = get_args(one)[0] if get_origin(one) is list else None
            if isinstance(inside, type) and issubclass(inside, Source):
                sorts[name] = inside
    return sorts


def _cleanings(reading: MistakeCollector, fields: JsonObject, path: Place) -> dict[str, Cleaning]:
    """`clean`, with what the source says of all its columns."""
    kind = _dataset(reading, path).get("kind")
    reads_lists = not isinstance(kind, str) or policy_of(kind).reads_lists
    lists_in = "" if reads_lists else " or ".join(one.kind for one in policies() if one.reads_lists)
    return cleanings(reading, fields["clean"], (*path, "clean"), FileDefaults.of(fields), lists_in)


def _of_variants(reading: MistakeCollector, fields: JsonObject, path: Place, key: str) -> Json:
    """How odd calls are read: as the source says, or else as its dataset does, so that all its files agree."""
    if key in fields:
        return fields[key]
    given = _dataset(reading, path).get(key)
    return given if given in get_args(get_type_hints(Source)[key]) else None


def _formats(reading: MistakeCollector, path: Place) -> tuple[str, ...]:
    """Files of DNA, say, are for datasets of DNA: the path tells in which dataset a source stands."""
    kind = _dataset(reading, path).get("kind")
    return (*FORMATS, *policy_of(kind).more_formats) if isinstance(kind, str) else FORMATS


def _dataset(reading: MistakeCollector, path: Place) -> JsonObject:
    """The dataset in which a path lies, as it is written."""
    plain = reading.document.plain
    for step in path[:2]:
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain if isinstance(plain, dict) else {}


def _check(reading: MistakeCollector, fields: JsonObject, form: str, path: Place) -> None:
    for key, formats in _GOES_WITH.items():
        if key in fields and form not in formats:
            whose = " and ".join({FOLDER: "folders of notes"}.get(one, f"{one} files") for one in formats)
            reading.mistake((*path, key), f"{key} is for {whose} only", "take it out")
    _check_numbers(reading, fields, path)
    for key in VARIANTS:
        if key in fields and "vcf" not in fields:
            reading.mistake((*path, key), f"{key} is for vcf files only", "take it out")
    if "separator" in fields and (len(fields["separator"]) != 1 or fields["separator"] in '"\r\n'):
        reading.mistake((*path, "separator"), "separator must be one character", 'such as ";" or "\\t"')
    if "encoding" in fields:
        try:
            "".encode(fields["encoding"])
            codecs.lookup(fields["encoding"])
        except (LookupError, ValueError):
            reading.mistake((*path, "encoding"), "there is no encoding of this name", "try utf-8 or windows-1252")
    for key in ("columns", "missing", "clean", "decimal", "thousands", "day_first"):
        if key in fields and any(form in fields for form in DNA):
            reading.mistake((*path, key), f"{key} is for tables, and DNA is none", "take it out")
    renamed = list(fields.get("columns", {}).values())
    if len(set(renamed)) < len(renamed):
        reading.mistake((*path, "columns"), "two of our names stand for one column of the file", "keep one")
    for i, item in enumerate(fields.get("missing", ())):
        if isinstance(item, dict | list):
            reading.mistake((*path, "missing", i), "an entry of missing must be text")


def _check_numbers(reading: MistakeCollector, fields: JsonObject, path: Place) -> None:
    decimal, thousands = fields.get("decimal"), fields.get("thousands")
    if decimal is not None and decimal not in _DECIMALS:
        reading.mistake((*path, "decimal"), "decimal must be a point or a comma", 'such as decimal: ","')
    if thousands is not None and thousands not in _THOUSANDS:
        reading.mistake((*path, "thousands"), "thousands must be one of . , ' _ or a space")
    if thousands is not None and thousands == (decimal or "."):
        reading.mistake((*path, "thousands"), "decimal and thousands are the same sign", "name two different ones")
