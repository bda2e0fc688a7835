"""The HTTP side of the service: who asks is found out, limits hold, and every reply takes a multiple of one time.

Rows, noise and ledger are the business of `desk`. A reply goes out at a multiple of the minimum time, whatever it says:
refusals, answers from the store and fresh answers cannot be told apart within one multiple.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sharewell.plain_data import Json, JsonObject
from sharewell.queries.open_dataset import OpenDataset
from sharewell.queries.question import each_key_once
from sharewell.queries.service.desk import Desk
from sharewell.queries.service.limits import Limits, RateLimits, remaining_wait
from sharewell.queries.service.openapi import description, description_page
from sharewell.queries.service.page import FILES, page_file
from sharewell.queries.service.problems import Refused, log_line, refused
from sharewell.queries.service.tokens import Token, Tokens
from sharewell.queries.service.workers import Workers

Log = Callable[[str], None]
Work = Callable[[Token, Mapping[str, Json]], JsonObject]
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every reply. No other site may read one: there is no CORS header."""


class Service:
    """One dataset, its limits, and the application that serves it."""

    def __init__(self, data: OpenDataset, limits: Limits | None = None, log: Log = lambda line: None) -> None:
        self.data, self.limits, self._log = data, limits or Limits(), log
        self.workers = Workers(self.limits.at_once, self.limits.computing)
        self._desk = Desk(data, self.limits, self.workers, log)
        self._rates = RateLimits(self.limits)
        self.app: ASGIApp = _with_headers(self._application())

    def begin(self) -> None:
        """Read the rows in the background, so that the first question need not wait for it."""
        threading.Thread(target=self._desk.prepare, daemon=True).start()

    def close(self) -> None:
        """Send away who waits, give work that is under way a moment, and close the dataset."""
        self.workers.stop()
        self.workers.join(0.3)
        self.data.close()

    def _application(self) -> Starlette:
        desk = self._desk
        api = [
            Route("/ask", self._endpoint(desk.ask, "ask"), methods=["POST"]),
            Route("/cost", self._endpoint(desk.cost, "ask"), methods=["POST"]),
            Route("/budget", self._endpoint(desk.budget, "budget"), methods=["GET"]),
            Route("/history", self._endpoint(desk.history, "budget"), methods=["GET"]),
            Route("/history/{charge:int}", self._endpoint(desk.earlier, "budget"), methods=["GET"]),
            Route("/schema", self._endpoint(desk.schema, None), methods=["GET"]),
        ]
        documents = [
            Route("/openapi.json", _document(json.dumps(description()).encode(), "application/json")),
            Route("/docs", _document(description_page().encode(), "text/html; charset=utf-8")),
            *(Route(path, _document(page_file(path), kind)) for path, kind in FILES.items()),
        ]
        return Starlette(routes=[*api, *documents], exception_handlers={HTTPException: _no_such_place})

    def _endpoint(self, work: Work, scope: str | None) -> Callable[[Request], Awaitable[Response]]:
        async def reply(request: Request) -> Response:
            start = time.monotonic()
            try:
                body = await self._body(request) if request.method == "POST" else dict(request.path_params)
                shown = _bearer(request)
                statement = await self.workers.run(lambda: self._work(work, scope, shown, body), self.limits.patience)
                response = _json(statement)
            except Exception as error:
                problem = refused(error)
                if problem.code in ("failed", "unavailable"):
                    self._log(log_line(error))
                response = _problem(problem)
            await asyncio.sleep(remaining_wait(time.monotonic() - start, self.limits.minimum))
            return response

        return reply

    def _work(self, work: Work, scope: str | None, shown: str, body: Mapping[str, Json]) -> JsonObject:
        """In a thread: who is it, may they, and what do they get."""
        token = Tokens(self.data.ledger(), self.data.name).bearer(shown)
        if wait := self._rates.wait(None if token is None else token.name):
            raise Refused("too-many", retry_after=wait)
        if token is None:
            raise Refused("unauthorised")
        if scope is not None and scope not in token.scopes:
            raise Refused("forbidden", f"it needs the scope {scope}")
        return work(token, body)

    async def _body(self, request: Request) -> JsonObject:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refused("not-json")
        try:
            raw = await asyncio.wait_for(self._received(request), self.limits.sending)
        except TimeoutError:
            raise Refused("too-slow") from None
        except ClientDisconnect:  # nothing was charged yet, and nobody reads this
            raise Refused("not-json") from None
        return _parsed(raw)

    async def _received(self, request: Request) -> bytes:
        most, raw = self.limits.body, bytearray()
        if (stated := request.headers.get("content-length", "")).isdecimal() and int(stated[:18]) > most:
            raise Refused("too-large")
        async for piece in request.stream():
            raw += piece
            if len(raw) > most:
                raise Refused("too-large")
        return bytes(raw)


def _parsed(raw: bytes) -> JsonObject:
    def refuse(word: str) -> Json:
        raise ValueError(word)

    try:
        body = json.loads(raw.decode(), parse_constant=refuse, object_pairs_hook=each_key_once)
        json.dumps(body, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError):
        raise Refused("not-json") from None
    if not isinstance(body, dict):
        raise Refused("not-json")
    return body


def _bearer(request: Request) -> str:
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    return shown.strip() if scheme.lower() == "bearer" else ""


def _json(claim: JsonObject, status: int = 200, kind: str = "application/json", **headers: str) -> Response:
    content = json.dumps(claim, ensure_ascii=True, allow_nan=False)
    return Response(content, status, {name.replace("_", "-"): value for name, value in headers.items()}, kind)


def _problem(problem: Refused) -> Response:
    headers = {"www_authenticate": 'Bearer realm="sharewell"'} if problem.status == 401 else {}
    if problem.retry_after:
        headers["retry_after"] = str(int(problem.retry_after) + 1)
    return _json(problem.to_json(), problem.status, "application/problem+json", **headers)


async def _no_such_place(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _problem(Refused("wrong-method" if status == 405 else "not-found"))


def _document(content: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def reply(request: Request) -> Response:
        return Response(content, media_type=kind)

    return reply


def _with_headers(app: ASGIApp) -> ASGIApp:
    added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        await app(scope, receive, sent)

    return wrapped
