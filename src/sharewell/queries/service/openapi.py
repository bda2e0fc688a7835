"""The description of the API for programs (OpenAPI 3.1) and, made from it, for people."""

from __future__ import annotations

import json
from html import escape
from importlib.metadata import version

from sharewell.io.shipped import shipped_text
from sharewell.plain_data import Json, JsonObject
from sharewell.queries.question import MEASURES
from sharewell.queries.service.problems import CODES, Refused

_SHIPPED: JsonObject = json.loads(shipped_text("service/schemas.json").replace("MEASURES", ", ".join(MEASURES)))
"""What is asked, and what each place answers; `$ref` names a piece that several of them share."""


def _schema(name: str) -> JsonObject:
    return {key: _with_pieces(one) for key, one in _SHIPPED[name].items()}


def _with_pieces(content: Json) -> Json:
    if isinstance(content, list):
        return [_with_pieces(one) for one in content]
    if not isinstance(content, dict):
        return content
    if "$ref" in content:
        return _schema(str(content["$ref"]).removeprefix("#/"))
    return {key: _with_pieces(one) for key, one in content.items()}


_ASKED = _schema("Question")
_PLACES = (
    ("/ask", "post", "ask", "Ask a question, for a part of the budget"),
    ("/cost", "post", "ask", "See what a question would cost, free of charge"),
    ("/budget", "get", "budget", "See what is left of the budget"),
    ("/history", "get", "budget", "See what was asked before"),
    ("/history/{charge}", "get", "budget", "See the answer to an earlier question again, free of charge"),
    ("/schema", "get", "", "See what may be asked about"),
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
            path: {method: _operation(path, scope, summary, _schema(path))} for path, method, scope, summary in _PLACES
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": _problem_schema()},
        },
    }


def _operation(path: str, scope: str, summary: str, claim: JsonObject) -> JsonObject:
    asks = path in ("/ask", "/cost")
    codes = [*_USUAL, *(_OF_QUESTIONS if asks else ()), *(_OF_ANSWERS if path == "/ask" else ())]
    codes += ["not-found"] if "{" in path else []
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(CODES[code], []).append(code)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    refusals = {
        str(status): {"description": " ".join(f"{code}: {_sentence(code)}" for code in result), "content": problem}
        for status, result in sorted(by_status.items())
    }
    answer = {"200": {"description": claim["description"], "content": {"application/json": {"schema": claim}}}}
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
    properties = {**texts, "status": {"type": "integer"}, "code": {"enum": sorted(CODES)}}
    return {"type": "object", "description": "Why there is no answer (RFC 9457).", "properties": properties}


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
    request = f"<h3>Request</h3>{_fields(_ASKED)}<pre>{escape(_example())}</pre>"
    body = request if "requestBody" in operation else ""
    [content] = operation["responses"]["200"]["content"].values()
    answer = f"<h3>Answer</h3>{_fields(content['schema'])}"
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
    return json.dumps(
        {name: one["example"] for name, one in _ASKED["properties"].items() if "example" in one}, indent=1
    )
