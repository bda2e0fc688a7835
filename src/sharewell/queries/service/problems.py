"""What the service says when it does not answer: a code and a sentence, as `application/problem+json` (RFC 9457).

A refusal says nothing that depends on a row. What is wrong with a question is told, because question and policy alone
decide it: a column that the data has and the policy does not declare is as unknown as one that nobody has. What is left
of a budget is told, because charges alone decide it. Whatever goes wrong later is one sentence, the same for all.
"""

from __future__ import annotations

import traceback
from pathlib import Path

from sharewell.errors import BudgetExhausted, PolicyError, SharewellError
from sharewell.plain_data import JsonObject

_SENTENCES: dict[str, tuple[int, str]] = {
    "not-json": (400, "The request must be one JSON object, sent as application/json."),
    "wrong-request": (400, "The request has a field that is unknown, missing or of the wrong type."),
    "unauthorised": (401, "There is no valid token: it is missing, mistyped, expired or revoked."),
    "forbidden": (403, "The token does not allow this."),
    "not-found": (404, "There is nothing here."),
    "wrong-method": (405, "This address does not take that method."),
    "too-slow": (408, "The request was not sent in time."),
    "budget-exhausted": (409, "Too little of the budget is left. Nothing was charged."),
    "too-large": (413, "The request is too large."),
    "wrong-question": (422, "The question cannot be asked."),
    "too-many": (429, "There were too many requests. Wait before the next one."),
    "failed": (500, "The question could not be answered. What was charged stays charged."),
    "busy": (503, "The service is handling too many requests. Nothing was charged."),
    "not-ready": (503, "The data cannot be read. Nothing was charged. Tell the steward of the data."),
    "unavailable": (503, "The ledger cannot be used now. Tell the steward of the data."),
    "stopping": (503, "The service is stopping. Ask the same again later: an answer that was paid for is stored."),
    "still-working": (504, "The answer takes long. Ask the same again later: it will be stored, at no further cost."),
}
"""Code → status and sentence."""
CODES = {code: status for code, (status, _) in _SENTENCES.items()}


class Refused(Exception):
    """A request that is not answered, by its code."""

    def __init__(self, code: str, detail: str = "", retry_after: float = 0.0) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        return CODES[self.code]

    def to_json(self) -> JsonObject:
        claim: JsonObject = {"type": "about:blank", "status": self.status, "code": self.code}
        return {**claim, "title": _SENTENCES[self.code][1], **({"detail": self.detail} if self.detail else {})}


def refused(error: BaseException) -> Refused:
    """What an analyst is told of an error.

    >>> refused(RuntimeError("a cell with a name")).to_json()["title"]
    'The question could not be answered. What was charged stays charged.'
    """
    match error:
        case Refused():
            return error
        case BudgetExhausted():
            return Refused("budget-exhausted", str(error))
        case PolicyError():
            return Refused("wrong-question", "; ".join(map(str, error.mistakes)))
        case SharewellError():
            return Refused("unavailable")
    return Refused("failed")


def log_line(error: BaseException) -> str:
    """What the steward is told of an error that is no refusal: no question, and no value of a cell."""
    if isinstance(error, SharewellError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    inner = [frame for frame in frames if "sharewell" in frame.filename]
    place = f"{Path(inner[-1].filename).name}:{inner[-1].lineno}" if inner else "unknown"
    return f"unforeseen {type(error).__name__} at {place}"
