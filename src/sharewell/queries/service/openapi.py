"""The description of the API for programs (OpenAPI 3.1) and, made from it, for people."""

from __future__ import annotations

import json
from html import escape
from importlib.metadata import version

from sharewell.plain_data import Json, JsonObject
from sharewell.queries.question import MEASURES
from sharewell.queries.service.problems import CODES, Refused

_QUESTION_EXAMPLE: JsonObject = {"measure": {"mean": "age"}, "filter": {"sex": "F"}, "group_by": ["ward"]}
_LOSS: JsonObject = {
    "type": "object",
    "description": "Privacy loss, as exact decimal numbers; null: not stated.",
    "properties": {name: {"type": ["string", "null"]} for name in ("epsilon", "delta", "rho")},
}
_ROW: JsonObject = {
    "type": "object",
    "description": "One group: its labels, the noisy value, and where the true one lies with 95 % probability.",
    "properties": {
        "group": {"type": "object"},
        "value": {"type": ["number", "string"]},
        "low": {"type": ["number", "null"]},
        "high": {"type": ["number", "null"]},
    },
}
_ACCURACY: JsonObject = {
    "type": "object",
    "description": "Noise, its scale, and by how much each value is off at most, with 95 % probability.",
    "properties": {
        "noise": {"type": "string"},
        "scale": {"type": "number"},
        "sensitivity": {"type": "number"},
        "half_width": {"type": ["number", "null"]},
        "confidence": {"type": "number"},
        "note": {"type": "string"},
    },
}


def _object(description: str, **properties: Json) -> JsonObject:
    return {"type": "object", "description": description, "properties": properties}


_ASKED: JsonObject = {
    **_object(
        "A question and its price: epsilon, or rho where the budget counts zcdp.",
        question={
            "type": "object",
            "description": f"measure ({', '.join(MEASURES)}), and optionally filter and group_by.",
            "example": _QUESTION_EXAMPLE,
        },
        epsilon={"type": "number", "description": "How much of the budget it may cost.", "example": 0.1},
        rho={"type": "number"},
        dry_run={"type": "boolean", "description": "true: only say what it would cost.", "default": False},
    ),
    "required": ["question"],
    "additionalProperties": False,
}
_COST = _object(
    "What the question would cost. Nothing was charged, and no row was read.",
    question={"type": "string"},
    loss=_LOSS,
    groups={"type": "integer"},
    accuracy=_ACCURACY,
)
_ANSWER = _object(
    "Noisy numbers. stored: you asked the same question before; this is that answer, free of charge.",
    question={"type": "string"},
    rows={"type": "array", "items": _ROW},
    accuracy=_ACCURACY,
    loss=_LOSS,
    remaining={"type": "object", "additionalProperties": _LOSS},
    charge={"type": "integer"},
    neighbours={"type": "string"},
    rows_per_person={"type": "integer"},
    stored={"type": "boolean"},
)
_BALANCE = _object("An account.", cap=_LOSS, spent=_LOSS, remaining=_LOSS, guarantee=_LOSS, charges={"type": "integer"})
_BUDGET = _object(
    "What the analyst, and all analysts together, have left.",
    dataset={"type": "string"},
    analyst={"type": "string"},
    accounting={"enum": ["pure", "zcdp"]},
    own=_BALANCE,
    everybody=_BALANCE,
)
_HISTORY = _object(
    "What the analyst has asked, the newest last.",
    charges={"type": "integer"},
    newest={"type": "array", "items": {"type": "object"}},
)
_EARLIER = _object(
    "The answer that one of the analyst's own charges paid for.",
    question={"type": "string"},
    rows={"type": "array", "items": _ROW},
    accuracy=_ACCURACY,
    loss=_LOSS,
    charge={"type": "integer"},
    stored={"type": "boolean"},
)
_SCHEMA = _object(
    "What is public: columns with their labels or bounds. It comes from the policy, never from the data.",
    dataset={"type": "string"},
    columns={"type": "array", "items": {"type": "object"}},
    rows_per_person={"type": "integer"},
    neighbours={"type": "string"},
    accounting={"enum": ["pure", "zcdp"]},
    minimum_seconds={"type": "number"},
)
_PLACES: tuple[tuple[str, str, str, str, JsonObject], ...] = (
    ("/ask", "post", "ask", "Ask a question, for a part of the budget", _ANSWER),
    ("/cost", "post", "ask", "See what a question would cost, free of charge", _COST),
    ("/budget", "get", "budget", "See what is left of the budget", _BUDGET),
    ("/history", "get", "budget", "See what was asked before", _HISTORY),
    ("/history/{charge}", "get", "budget", "See the answer to an earlier question again, free of charge", _EARLIER),
    ("/schema", "get", "", "See what may be asked about", _SCHEMA),
)
_USUAL = ("unauthorised", "forbidden", "too-many", "unavailable", "busy")
_OF_QUESTIONS = ("not-json", "wrong-request", "too-large", "wrong-question", "still-working")
_OF_ANSWERS = ("budget-exhausted", "failed", "not-ready")


def description() -> JsonObject:
    """The whole API as OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sharewell: questions about data that stays with its steward",
            "version": version("sharewell"),
            "description": "Every answer has noise and costs a part of a budget. Refusals say nothing about the data.",
        },
        "security": [{"token": []}],
        "paths": {
            path: {method: _operation(path, scope, summary, told)} for path, method, scope, summary, told in _PLACES
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": _problem_schema()},
        },
    }


def _operation(path: str, scope: str, summary: str, told: JsonObject) -> JsonObject:
    asks = path in ("/ask", "/cost")
    codes = [*_USUAL, *(_OF_QUESTIONS if asks else ()), *(_OF_ANSWERS if path == "/ask" else ())]
    codes += ["not-found"] if "{" in path else []
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(CODES[code], []).append(code)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    refusals = {
        str(status): {"description": " ".join(f"{code}: {_sentence(code)}" for code in found), "content": problem}
        for status, found in sorted(by_status.items())
    }
    answer = {"200": {"description": told["description"], "content": {"application/json": {"schema": told}}}}
    body: JsonObject = (
        {"requestBody": {"required": True, "content": {"application/json": {"schema": _ASKED}}}} if asks else {}
    )
    if "{" in path:
        named = {"name": "charge", "in": "path", "required": True, "schema": {"type": "integer"}}
        body = {"parameters": [named]}
    needs = f"Needs the scope {scope}." if scope else "Needs any valid token."
    return {"summary": summary, "description": needs, **body, "responses": {**answer, **refusals}}


def _sentence(code: str) -> str:
    return str(Refused(code).to_json()["title"])


def _problem_schema() -> JsonObject:
    texts = {name: {"type": "string"} for name in ("type", "title", "detail")}
    return _object(
        "Why there is no answer (RFC 9457).", **texts, status={"type": "integer"}, code={"enum": sorted(CODES)}
    )


def description_page() -> str:
    """The same as a page without script."""
    api = description()
    sections = [
        _section(method, path, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of sharewell</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<header><h1>API</h1><p><a href="/">Ask on a page</a> · <a href="/openapi.json">OpenAPI document</a></p></header>
<main class="documents">
<p>{escape(api["info"]["description"])} Every request carries <code>Authorization: Bearer TOKEN</code>.</p>
{"".join(sections)}
</main>
</body>
</html>
"""


def _section(method: str, path: str, operation: JsonObject) -> str:
    replies = "".join(
        f"<tr><th scope='row'>{status}</th><td>{escape(one['description'])}</td></tr>"
        for status, one in operation["responses"].items()
    )
    body = answer = ""
    if "requestBody" in operation:
        body = f"<h3>Request</h3>{_fields(_ASKED)}<pre>{escape(_example())}</pre>"
    [told] = operation["responses"]["200"]["content"].values()
    answer = f"<h3>Answer</h3>{_fields(told['schema'])}"
    return (
        f"<section><h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(operation['summary'])}."
        f" {escape(operation['description'])}</p>{body}{answer}"
        f"<h3>Replies</h3><div class='scroll'><table><tbody>{replies}</tbody></table></div></section>"
    )


def _fields(schema: JsonObject) -> str:
    rows = "".join(
        f"<tr><th scope='row'><code>{escape(name)}</code></th><td>{escape(_kind(one))}</td>"
        f"<td>{escape(one.get('description', ''))}</td></tr>"
        for name, one in schema["properties"].items()
    )
    return f"<div class='scroll'><table><tbody>{rows}</tbody></table></div>"


def _kind(schema: JsonObject) -> str:
    kind = schema.get("type") or schema.get("enum")
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _example() -> str:
    return json.dumps({"question": _QUESTION_EXAMPLE, "epsilon": 0.1}, indent=1)
