"""The JSON Schema of a policy, for editors: from the same records that loading uses, and from the registry."""

from __future__ import annotations

from sharewell import registry
from sharewell.io.sources import DNA, FORMATS
from sharewell.parameters import Parameter, parameters_of
from sharewell.plain_data import Hint, JsonObject
from sharewell.policy.algorithms import AUTO
from sharewell.policy.bounds import KEYS, STRICTEST, Promise
from sharewell.policy.cleaning import SHORT, CleaningSpec, NumberSpec, Zip5Spec
from sharewell.policy.columns import ANYWAY, TYPES
from sharewell.policy.datasets import PUBLISH
from sharewell.policy.mistakes import known_fields
from sharewell.policy.policy_file import VERSION
from sharewell.policy.profiles import FACTS
from sharewell.policy.sources import FOLDER, evidence, lists_of_files, several_sources
from sharewell.policy.specs import (
    AutoSpec,
    ColumnSpec,
    CompareSpec,
    PolicySpec,
    ReleaseSpec,
    SecretsSpec,
    SourceSpec,
    WriteSpec,
)
from sharewell.policy.wing_policy import dataset_record, policies
from sharewell.protocols import AnyMeasure
from sharewell.roles import TIMES, Role
from sharewell.styles import STYLES, Decimals

Schema = JsonObject
_REFERENCE: Schema = {"type": "string", "pattern": "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$"}


def json_schema() -> Schema:
    """Draft 2020-12. Editors take it from `sharewell schema > policy.schema.json`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sharewell policy",
        **record_schema(PolicySpec, _parts()),
        "$defs": {"source": _source(), "role": {"enum": [str(role) for role in Role]}, **_rooms()},
    }


def _parts() -> dict[str, Schema]:
    return {
        "sharewell": {"const": VERSION},
        "release": record_schema(ReleaseSpec),
        "datasets": {"type": "object", "minProperties": 1, "additionalProperties": dataset_schema()},
        "profile": {"oneOf": [{"const": facts.name, "description": facts.title} for facts in FACTS]},
        "secrets": record_schema(SecretsSpec, {"key": _REFERENCE, "sign": _REFERENCE}),
        "write": _one_of(record_schema(WriteSpec), list(known_fields(WriteSpec))),
    }


def record_schema(record: type, parts: dict[str, Schema] | None = None) -> Schema:
    """A mapping with the fields of a record; `parts` replace what the annotations say."""
    known = parameters_of(record)
    properties = {one.name: dict((parts or {}).get(one.name) or _typed(one.hint)) | _about(one) for one in known}
    plain: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    needed = [one.name for one in known if one.required]
    if needed:
        plain["required"] = needed
    if record.__doc__:
        plain["description"] = record.__doc__.strip().splitlines()[0]
    return plain


def _about(one: Parameter) -> Schema:
    """What it means, and what it is if left out."""
    about: Schema = {"description": one.help} if one.help else {}
    return about | (
        {"default": one.default} if isinstance(one.default, str | int | float) and one.default != "" else {}
    )


def _typed(hint: Hint) -> Schema:
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.errors import PydanticInvalidForJsonSchema

    try:
        schema = TypeAdapter(hint, config=ConfigDict(arbitrary_types_allowed=True)).json_schema()
    except PydanticInvalidForJsonSchema:
        return {}
    return _without_null(schema)


def _without_null(schema: Schema) -> Schema:
    """An optional key is left out rather than empty, so editors need not offer null."""
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else {**schema, "anyOf": kinds} if kinds else schema


def _one_of(schema: Schema, names: list[str]) -> Schema:
    return {**schema, "oneOf": [{"required": [name]} for name in names]}


def _source() -> Schema:
    cleaned: Schema = {"type": "object", "additionalProperties": _cleaning()}
    parts: dict[str, Schema] = {"subjects": {"$ref": "#/$defs/source"}, "clean": cleaned}
    return _one_of(record_schema(SourceSpec, parts), [*FORMATS, FOLDER, *DNA])


def _cleaning() -> Schema:
    """The steps of one column: a short word, or a mapping."""
    yes: Schema = {"type": "boolean"}
    forms: Schema = {"type": "array", "minItems": 1, "items": {"type": "string"}}
    parts: dict[str, Schema] = {
        "recode": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}},
        "zip5": {"anyOf": [yes, record_schema(Zip5Spec)]},
        "date": {"anyOf": [{"type": "string"}, forms]},
        "number": {"anyOf": [yes, record_schema(NumberSpec)]},
    }
    return {"anyOf": [{"enum": list(SHORT)}, record_schema(CleaningSpec, parts)]}


def dataset_schema() -> Schema:
    """One dataset: the keys of every kind of data, and `columns` wherever its kind needs them."""
    date = {"type": "object", "properties": {"date": {"type": "string"}}, "required": ["date"]}
    role: Schema = {"$ref": "#/$defs/role"}
    column: dict[str, Schema] = {
        "role": role,
        "type": {"anyOf": [{"enum": list(TYPES)}, date]},
        "time": {"enum": list(TIMES)},
        "style": {"anyOf": [{"enum": list(STYLES)}, _mean()]},
    }
    anyway: Schema = {"type": "object", "properties": {name: {"const": word} for name, word in ANYWAY.items()}}
    anyway |= {"required": list(ANYWAY), "additionalProperties": False}
    anyway |= {"description": "Published as it is although it looks like an identifier, or singles people out."}
    columns = {"anyOf": [role, anyway, record_schema(ColumnSpec, column)]}
    parts: dict[str, Schema] = {
        "kind": {"enum": list(registry.kinds())},
        "read": {"$ref": "#/$defs/source"},
        "columns": {"type": "object", "additionalProperties": columns},
        "using": {"anyOf": [{"const": AUTO}, _auto(), {"$ref": "#/$defs/mechanisms"}]},
        "require": {"type": "array", "items": {"$ref": "#/$defs/criteria"}},
        "attacks": {"type": "array", "items": {"$ref": "#/$defs/attacks"}},
        "utility": {"type": "array", "items": {"$ref": "#/$defs/utility"}},
        "rest": role,
        "publish": {"anyOf": [{"enum": list(PUBLISH)}, {"type": "object"}]},
        "compare": _compare(),
    }
    kinds = sorted(policies(), key=lambda one: one.kind)
    for one in kinds:
        parts |= one.schema()
    bare = [schema for one in kinds if (schema := one.schema_without_columns()) is not None]
    plain = record_schema(dataset_record(), parts) | {"if": {"anyOf": bare}, "else": {"required": ["columns"]}}
    spared = {key: [one.kind for one in kinds if key in one.optional] for one in kinds for key in one.optional}
    if spared:
        plain["required"] = [key for key in plain["required"] if key not in spared]
        plain["allOf"] = [
            {"if": {"properties": {"kind": {"enum": names}}}, "else": {"required": [key]}}
            for key, names in sorted(spared.items())
        ]
    return plain


def _auto() -> Schema:
    """Mechanisms to be tried, and the measure that decides."""
    parts: dict[str, Schema] = {
        "among": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/mechanisms"}},
        "measure": {"$ref": "#/$defs/utility"},
    }
    settings = record_schema(AutoSpec, parts) | {"type": ["object", "null"]}
    return {"type": "object", "properties": {AUTO: settings}, "required": [AUTO], "additionalProperties": False}


def _compare() -> Schema:
    names = "|".join(entry.name for entry in registry.entries(room="attacks"))
    lists: Schema = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/criteria"}}
    parts: dict[str, Schema] = {
        "require": {"type": "array", "items": lists},
        "using": {"type": "array", "items": {"$ref": "#/$defs/mechanisms"}},
        "risk": {"anyOf": [{"$ref": "#/$defs/attacks"}, {"type": "string", "pattern": f"^({names})[.][a-z_]+$"}]},
        "measure": {"$ref": "#/$defs/utility"},
    }
    return record_schema(CompareSpec, parts)


def _mean() -> Schema:
    properties = {"mean": _typed(Decimals)}
    return {"type": "object", "properties": properties, "required": ["mean"], "additionalProperties": False}


def _bounds(measure: type[AnyMeasure]) -> dict[str, Schema]:
    """The side on which a measure can be bounded."""
    key = next(key for key, sense in KEYS.items() if sense == measure.sense)
    return {key: _typed(Promise) | {"description": "What the release promises; otherwise nothing is released."}}


def _or_strictest(parameter: Schema, *, listed: bool = True) -> Schema:
    """The schema of a parameter that may also be `strictest`; listed: or `{strictest: [values to try]}`."""
    kinds = {kind.get("type") for kind in (parameter, *parameter.get("anyOf", []))}
    if not kinds & {"integer", "number"}:
        return parameter
    values: Schema = {"type": "object", "properties": {STRICTEST: {"type": "array", "minItems": 1}}}
    values |= {"required": [STRICTEST], "additionalProperties": False}
    about: Schema = {key: parameter[key] for key in ("description", "default") if key in parameter}
    number = {key: value for key, value in parameter.items() if key not in about}
    ways = [*parameter.get("anyOf", [number]), {"const": STRICTEST}, *([values] if listed else [])]
    return {"anyOf": ways, **about}


def _rooms() -> dict[str, Schema]:
    return {
        room: {"anyOf": [form for entry in registry.entries(room=room) for form in _forms(entry)]}
        for room in registry.ROOMS
    }


def _forms(entry: registry.Entry) -> list[Schema]:
    """A bare name where no parameter is needed, and a name with its parameters."""
    algorithm, summary = entry.load(), entry.summary
    source: Schema = {"$ref": "#/$defs/source"}
    several, many = several_sources(algorithm), {"anyOf": [source, {"type": "array", "items": source, "minItems": 1}]}
    sources: dict[str, Schema] = {name: many if name in several else source for name in evidence(algorithm)}
    sources |= {name: {"type": "array", "items": {"type": "string"}} for name in lists_of_files(algorithm)}
    parameters = record_schema(algorithm, sources) | {"description": summary}
    if entry.room == "utility":
        parameters["properties"] |= _bounds(algorithm)
    if entry.room == "criteria":
        parameters["properties"] = {name: _or_strictest(one) for name, one in parameters["properties"].items()}
        for one in policies():
            parameters["properties"] |= one.criteria_schema().get(entry.name, {}) if one.kind == entry.kind else {}
    if entry.room == "mechanisms":
        own = parameters["properties"]
        parameters["properties"] = {name: _or_strictest(one, listed=False) for name, one in own.items()}
    full = {
        "type": "object",
        "description": summary,
        "properties": {entry.name: parameters},
        "required": [entry.name],
        "additionalProperties": False,
    }
    if "required" in parameters:
        return [full]
    parameters["type"] = ["object", "null"]
    return [{"const": entry.name, "description": summary}, full]
