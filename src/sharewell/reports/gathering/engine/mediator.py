"""The mediator's side: collects what owners say, passes it on, and adds up. It is trusted with nothing.

`receive` takes one statement of the present stage, `close` ends the stage and returns what each owner is told next.
After the fifth stage `gathered` holds the sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sharewell.errors import DataError, Infeasible, VerificationFailed
from sharewell.reports.gathering.engine import shamir
from sharewell.reports.gathering.engine.fixed_point import decode_sums
from sharewell.reports.gathering.engine.messages import (
    REPORT,
    STAGES,
    Letter,
    mediator_message,
    number,
    read_statement,
    to_base64,
)
from sharewell.reports.gathering.engine.plan import WORD, Plan
from sharewell.reports.gathering.engine.proposed_report import Gathered
from sharewell.reports.gathering.engine.session import (
    SECRET,
    Session,
    add_masks,
    announcement,
    bytes_to_words,
    enough,
    public_of,
)

Owners = tuple[str, ...]


class Mediator:
    """One session. What it stores is all that the mediator learns."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.stage = STAGES[0]
        self.expected: Owners = plan.names
        self.statements: dict[str, dict[str, bytes]] = {stage: {} for stage in STAGES}
        self.letters: dict[str, dict[str, Letter]] = {stage: {} for stage in STAGES}
        self.session: Session | None = None
        self.measures: Owners = ()
        self.gathered: Gathered | None = None

    def receive(self, raw: bytes) -> str:
        """Take one statement, and say whose it is. A false, late or second one is refused and changes nothing."""
        about = self.plan.digest if self.session is None else self.session.digest
        letter = read_statement(self.plan, about, self.stage, raw)
        name = letter.sender
        if name not in self.expected:
            raise VerificationFailed(f"a statement of {name} — who left at an earlier stage, or was not addressed yet")
        if name in self.statements[self.stage]:
            raise VerificationFailed(f"a second statement of {name} at the stage {self.stage} — the first one counts")
        self._check(letter, raw)
        self.statements[self.stage][name], self.letters[self.stage][name] = raw, letter
        return name

    def close(self) -> dict[str, bytes]:
        """End the stage: the messages for the owners who remain. Refused if they are too few."""
        senders = self._senders(self.stage)
        enough(self.plan, len(senders), f"statements at the stage '{self.stage}'")
        messages = self._after(senders)
        self.expected = tuple(messages)
        later = STAGES.index(self.stage) + 1
        self.stage = STAGES[later] if later < len(STAGES) else "over"
        return messages

    def _senders(self, stage: str) -> Owners:
        return tuple(name for name in self.plan.owners if name in self.statements[stage])

    def _check(self, letter: Letter, raw: bytes) -> None:
        """Is a statement complete? Checked when it comes, not only when it is needed."""
        if self.stage == "keys":
            announcement(self.plan, raw)
        elif self.stage == "shares":
            others = set(self._senders("keys")) - {letter.sender}
            letter.raw("commitment", SECRET)
            if set(letter.by_owner(self.plan, "letters")) != others:
                raise DataError(f"{letter.said} — does not hold a letter for every other owner")
        elif self.stage == "numbers":
            letter.raw("numbers", WORD * self.plan.words * len(self.measures))
        elif self.stage == "survivors":
            if letter.owners(self.plan, "survivors") != self._senders("numbers"):
                raise DataError(f"{letter.said} — confirms another list than it was given")
        else:
            self._points(letter)
            self._mean(letter)

    def _after(self, senders: Owners) -> dict[str, bytes]:
        """What is passed on at the end of the stage."""
        statements = self.statements[self.stage]
        encoded = {name: to_base64(statements[name]) for name in senders}
        if self.stage == "keys":
            self.session = Session.of(self.plan, {name: statements[name] for name in senders})
            return dict.fromkeys(senders, mediator_message("keys", statements=encoded))
        if self.stage == "shares":
            self.measures = self.plan.gathered(self._open_session.present, senders)
            self._open_session.refuse_thin(self.measures, senders)
            letters = {name: self.letters["shares"][name].by_owner(self.plan, "letters") for name in senders}
            received = {
                name: {other: to_base64(letters[other][name]) for other in senders if other != name} for name in senders
            }
            return {name: mediator_message("shares", letters=received[name]) for name in senders}
        if self.stage == "numbers":
            self._open_session.refuse_thin(self.measures, senders)
            return dict.fromkeys(senders, mediator_message("survivors", survivors=list(senders)))
        if self.stage == "survivors":
            return dict.fromkeys(senders, mediator_message("unmasking", statements=encoded))
        self.gathered = self._added_up(senders)
        report = self.gathered.proposed().to_json() if self.plan.show_owners else None
        return dict.fromkeys(self._senders("numbers"), mediator_message(REPORT, report=report))

    def _added_up(self, senders: Owners) -> Gathered:
        """Add up the masked numbers; take off the self-masks of survivors and the pair masks of dropped owners."""
        session, survivors = self._open_session, self._senders("numbers")
        dropped = tuple(name for name in self._senders("shares") if name not in survivors)
        words = len(self.measures) * self.plan.words
        plus = [bytes_to_words(self.letters["numbers"][name].raw("numbers")) for name in survivors]
        seeds, keys = self._recovered(senders, survivors, dropped)
        minus = [session.self_mask(seeds[name], name, words) for name in survivors]
        place = self.plan.place
        for other in dropped:
            for name in survivors:
                side = minus if place[name] < place[other] else plus
                side.append(session.pair_mask(keys[other], other, name, words))
        sums = decode_sums(self.plan, self.measures, add_masks([0] * words, plus, minus))
        absent = frozenset(
            (name, measure)
            for name in survivors
            for measure, reported in zip(self.plan.measures, session.present[name], strict=True)
            if reported == "0" and measure in self.measures
        )
        for measure, of_measure in sums.items():
            if of_measure.count != len(survivors) - sum(missing == measure for _, missing in absent):
                raise DataError(f"measure {measure} — an owner's numbers are not those that it announced")
        means = {name: self._mean(self.letters["unmasking"][name]) for name in senders}
        reported = {name: mean for name, mean in means.items() if mean is not None}
        return Gathered(self.plan, survivors, sums, reported, absent)

    def _recovered(
        self, senders: Owners, survivors: Owners, dropped: Owners
    ) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Seeds and keys from a threshold of points, each compared with what its owner announced before."""
        session, chosen = self._open_session, senders[: self.plan.threshold]
        points = {name: self._points(self.letters["unmasking"][name]) for name in chosen}
        weights = shamir.weights(self.plan.place[name] for name in chosen)
        recovered: tuple[dict[str, bytes], dict[str, bytes]] = ({}, {})
        for kind, owners in enumerate((survivors, dropped)):
            for owner in owners:
                shares = {self.plan.place[name]: int.from_bytes(points[name][kind][owner], "big") for name in chosen}
                secret = shamir.combined(weights, shares)
                raw = secret.to_bytes(shamir.BYTES, "big")[-SECRET:]
                if kind == 0:
                    fits = session.commitment(raw, owner) == self.letters["shares"][owner].raw("commitment")
                else:
                    fits = public_of(raw) == session.announced[owner].masks
                if secret >> (8 * SECRET) or not fits:
                    raise VerificationFailed(f"the shares of {owner} — do not give its secret — one of them is false")
                recovered[kind][owner] = raw
        return recovered

    def _points(self, letter: Letter) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        seeds, keys = (letter.by_owner(self.plan, kind, shamir.BYTES) for kind in ("seeds", "keys"))
        survivors = self._senders("numbers")
        if tuple(seeds) != survivors or set(keys) != set(self._senders("shares")) - set(survivors):
            raise DataError(f"{letter.said} — does not hold the share of everybody's secret that is needed")
        return seeds, keys

    def _mean(self, letter: Letter) -> Fraction | None:
        if letter.content.get("mean") is None or not self.plan.row_means:
            return None
        lows, highs = zip(*self.plan.measures.values(), strict=True)
        try:
            mean = number(letter.content["mean"])
        except ValueError:
            mean = None
        if mean is None or not min(lows) <= mean <= max(highs):
            raise DataError(f"{letter.said} — the mean of its row is not a number within the ranges")
        return mean

    @property
    def _open_session(self) -> Session:
        if self.session is None:
            raise Infeasible("the gathering — has not begun")
        return self.session
