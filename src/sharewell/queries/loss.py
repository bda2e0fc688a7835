"""Privacy loss in exact whole numbers: what an answer costs, what an account may spend, what it has spent.

Epsilon is counted in units of 10⁻⁹, rho in units of 10⁻¹², delta in units of 10⁻¹⁸. Amounts between two units are
rounded up, so that no account shows less than was spent. A loss states what is known about a mechanism: that it is
(epsilon, delta)-differentially private, that it is rho-zCDP, or both. What it does not state (None) is unbounded.

>>> Loss.of(epsilon=0.1) + Loss.of(epsilon="0.2", delta="1e-6")
Loss(epsilon=300000000, delta=1000000000000, rho=None)
>>> print(Loss.of(epsilon="1/3"))
epsilon 0.333333334
>>> Loss.of(epsilon=0.5) <= Loss.of(epsilon=1), Loss.of(rho=0.01) <= Loss.of(epsilon=1)
(True, False)

Zero-concentrated differential privacy (Bun and Steinke, 2016) adds up rho. Epsilon follows from the total at a stated
delta: rho + 2·√(rho · ln(1/delta)).

>>> total = Loss.of(rho=0.5)
>>> in_decimals(epsilon_at(total.rho, Loss.of(epsilon=0, delta="1e-6").delta), EPSILON)
'5.75652177'
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, InvalidOperation
from fractions import Fraction

from sharewell.errors import DataError
from sharewell.plain_data import JsonObject

EPSILON, DELTA, RHO = 9, 18, 12
"""Decimal places that are counted."""
MOST = 10**18
"""The largest amount: an epsilon of 10⁹, a rho of 10⁶, a delta of 1. Two of them fit into 64 bits."""
_LONGEST_TEXT = 100
_PRECISE = Context(prec=80, rounding=ROUND_CEILING)

Amount = int | float | str | Fraction | Decimal
"""How people and programs write an amount. A float means the decimal number that Python shows for it: 0.1 is one tenth.
Who means the binary number nearest to it writes `Fraction(0.1)`, which is rounded up."""


@dataclass(frozen=True)
class Loss:
    """What a mechanism may give away, in whole units; see `Loss.of` for amounts as people write them."""

    epsilon: int | None = None
    delta: int = 0
    rho: int | None = None

    def __post_init__(self) -> None:
        for name, units in (("epsilon", self.epsilon), ("delta", self.delta), ("rho", self.rho)):
            if units is not None and (type(units) is not int or not 0 <= units <= MOST):
                raise DataError(f"privacy loss — {name} is not a whole number of units from 0 to {MOST} — use Loss.of")
        if self.epsilon is None and self.rho is None:
            raise DataError("privacy loss — neither epsilon nor rho is given — state at least one")
        if self.epsilon == 0 and self.rho:
            raise DataError(
                "privacy loss — epsilon 0 and a rho above 0 contradict each other — leave epsilon out"
                " if the mechanism is bounded by rho alone"
            )

    @classmethod
    def of(cls, epsilon: Amount | None = None, delta: Amount = 0, rho: Amount | None = None) -> Loss:
        """A loss from numbers or texts such as 0.5, "1e-6" or "1/3", rounded up.

        Negative, infinite and huge amounts, and what is not a number, are refused.
        """
        return cls(
            None if epsilon is None else _units("epsilon", epsilon, EPSILON),
            _units("delta", delta, DELTA),
            None if rho is None else _units("rho", rho, RHO),
        )

    @property
    def is_zero(self) -> bool:
        return not self.epsilon and not self.delta and not self.rho

    @property
    def rho_bound(self) -> int | None:
        """Rho as stated, or epsilon²/2, which bounds it where delta is 0; None where neither is known."""
        if self.rho is not None or self.epsilon is None or self.delta:
            return self.rho
        return math.ceil(Fraction(self.epsilon * self.epsilon, 2 * 1_000_000))  # units: 10⁻¹⁸ by 10⁻¹²

    def __add__(self, other: Loss) -> Loss:
        """Both losses in turn. Where only one states rho, epsilon²/2 stands for that of the other if delta is 0."""
        epsilon = None if self.epsilon is None or other.epsilon is None else self.epsilon + other.epsilon
        rho = None
        if not (self.rho is other.rho is None) and self.rho_bound is not None and other.rho_bound is not None:
            rho = self.rho_bound + other.rho_bound
        return Loss(epsilon, self.delta + other.delta, rho)

    def __le__(self, other: Loss) -> bool:
        """Is it no greater in any respect? What is not stated counts as unbounded."""
        pairs = ((self.epsilon, other.epsilon), (self.delta, other.delta), (self.rho, other.rho))
        return all(most is None or (one is not None and one <= most) for one, most in pairs)

    def __lt__(self, other: Loss) -> bool:
        return self <= other and self != other

    def __str__(self) -> str:
        parts = (("epsilon", self.epsilon, EPSILON), ("delta", self.delta or None, DELTA), ("rho", self.rho, RHO))
        return ", ".join(f"{name} {in_decimals(units, places)}" for name, units, places in parts if units is not None)

    def to_json(self) -> JsonObject:
        """Exact, as decimal texts.

        >>> Loss.of(epsilon=0.5).to_json()
        {'epsilon': '0.5', 'delta': '0', 'rho': None}
        """
        return {
            "epsilon": None if self.epsilon is None else in_decimals(self.epsilon, EPSILON),
            "delta": in_decimals(self.delta, DELTA),
            "rho": None if self.rho is None else in_decimals(self.rho, RHO),
        }

    @classmethod
    def from_json(cls, stated: JsonObject) -> Loss:
        if not isinstance(stated, dict) or set(stated) - {"epsilon", "delta", "rho"}:
            raise DataError("privacy loss — not a mapping of epsilon, delta and rho — write it as to_json does")
        return cls.of(stated.get("epsilon"), stated.get("delta", 0), stated.get("rho"))


NO_GUARANTEE = Loss(0, MOST)
"""Of an exact answer: (0, 1)-differential privacy, which every mechanism has and which promises nothing."""


def epsilon_at(rho: int, delta: int) -> int:
    """Units of epsilon that rho-zCDP comes to at this delta (units of both), rounded up."""
    if not 0 < delta < MOST:
        raise DataError("delta — must lie between 0 and 1 — state the delta at which epsilon is to be given")
    total = Decimal(rho).scaleb(-RHO)
    # Decimal rounds logarithms and roots to the nearest; one step up makes each an upper bound.
    logarithm = _PRECISE.next_plus(_PRECISE.ln(_PRECISE.divide(Decimal(MOST), Decimal(delta))))
    logarithm = _PRECISE.next_plus(logarithm)
    root = _PRECISE.next_plus(_PRECISE.sqrt(_PRECISE.multiply(total, logarithm))) if rho else Decimal(0)
    return math.ceil(_PRECISE.scaleb(_PRECISE.add(total, _PRECISE.multiply(Decimal(2), root)), EPSILON))


def rho_within(epsilon: int, delta: int) -> int:
    """The largest rho (in units) that comes to no more than this epsilon at this delta.

    >>> rho = rho_within(Loss.of(epsilon=1).epsilon, 10**12)
    >>> epsilon_at(rho, 10**12) <= 10**9 < epsilon_at(rho + 1000, 10**12)
    True
    """
    low, high = 0, min(MOST, epsilon * 1000)  # rho is no more than epsilon
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if epsilon_at(middle, delta) <= epsilon else (low, middle - 1)
    return low


def in_decimals(units: int, places: int) -> str:
    """Units as an exact decimal number, such as 0.5."""
    return f"{Decimal(units).scaleb(-places).normalize():f}"


def _units(name: str, amount: Amount, places: int) -> int:
    """The amount in whole units, rounded up."""
    value = _fraction(name, amount)
    if value < 0:
        raise DataError(f"{name} — is negative — state a number of 0 or more")
    units: int = math.ceil(value * 10**places)
    if units > MOST:
        raise DataError(f"{name} — is above {in_decimals(MOST, places)} — no budget is that large")
    return units


def _fraction(name: str, amount: Amount) -> Fraction:
    if isinstance(amount, bool):
        raise DataError(f"{name} — is true or false — state a number")
    if isinstance(amount, int | Fraction):
        return Fraction(amount)
    text = repr(float(amount)) if isinstance(amount, float) else str(amount)
    over, slash, under = text.partition("/")
    value, divisor = _decimal(name, over), _decimal(name, under) if slash else Fraction(1)
    if not divisor:
        raise DataError(f"{name} — is divided by zero — state a number")
    return value / divisor


def _decimal(name: str, text: str) -> Fraction:
    """An exact number, from a text that is not long and has no exponent that would fill the memory."""
    try:
        if len(text) > _LONGEST_TEXT:
            raise InvalidOperation
        value = Decimal(text.strip())
    except InvalidOperation:
        raise DataError(f"{name} — is not a number — write it like 0.5, 1e-6 or 1/3") from None
    if not value.is_finite():
        raise DataError(f"{name} — is infinite or no number — state a finite one; a mechanism without noise has none")
    if value and abs(value.adjusted()) > _LONGEST_TEXT:
        raise DataError(f"{name} — is far too large or too small — state a number that a budget can hold")
    return Fraction(value)
