"""How losses add up on an account. The accounting is chosen when the account is opened, and never changed.

`pure`: epsilons add up, deltas add up (sequential composition). A loss that states rho alone cannot be counted.

`zcdp`: rhos add up; epsilon at the delta that the account states follows from their total. A pure loss counts as
epsilon²/2. Deltas add up besides: each is the chance that its mechanism keeps no bound at all. A loss with a delta and
without rho cannot be counted.

>>> from sharewell.queries.loss import Loss
>>> counted("zcdp", Loss.of(epsilon=1))
(500000000000, 0)
>>> print(guarantee("zcdp", 10**12, 500_000_000_000, 0))
epsilon 5.75652177, delta 0.000001
"""

from __future__ import annotations

from typing import Literal

from sharewell.errors import DataError
from sharewell.queries.loss import MOST, NO_GUARANTEE, Loss, epsilon_at, rho_within

Accounting = Literal["pure", "zcdp"]


def counted(accounting: Accounting, loss: Loss) -> tuple[int, int]:
    """The units of epsilon or rho, and of delta, that a loss takes from an account."""
    if accounting == "pure":
        if loss.epsilon is None:
            raise DataError(
                "privacy loss — states rho alone, the account counts epsilon"
                " — ask with a mechanism of pure differential privacy, or open an account with zcdp"
            )
        return loss.epsilon, loss.delta
    if loss.rho_bound is None:
        raise DataError(
            "privacy loss — states epsilon and delta, the account counts rho — state rho, or open an account with pure"
        )
    return loss.rho_bound, loss.delta


def cap_units(accounting: Accounting, cap: Loss, stated_delta: int) -> tuple[int, int]:
    """The most an account may spend, as it counts. A cap on epsilon becomes the largest rho that keeps within it."""
    if accounting == "pure":
        if stated_delta:
            raise DataError("account — a delta is stated for zcdp alone — with pure, the cap has the delta")
        if cap.epsilon is None:
            raise DataError("account — its cap states rho alone, the account counts epsilon — give a cap on epsilon")
        return cap.epsilon, cap.delta
    if not 0 < stated_delta < MOST:
        raise DataError("account — zcdp needs the delta at which epsilon is given — state one between 0 and 1")
    caps = [] if cap.rho is None else [cap.rho]
    if cap.epsilon is not None:
        caps.append(rho_within(cap.epsilon, stated_delta))
    return min(caps), cap.delta


def as_loss(accounting: Accounting, amount: int, delta: int) -> Loss:
    """What an account counts, as a loss."""
    return Loss(amount, delta) if accounting == "pure" else Loss(None, delta, amount)


def guarantee(accounting: Accounting, stated_delta: int, amount: int, delta: int, charges: int = 0) -> Loss:
    """The (epsilon, delta) that holds for everything charged to an account.

    Only exact answers cost nothing: of an account with charges that add up to nothing, nothing is promised.
    """
    if charges and not amount and not delta:
        return NO_GUARANTEE
    if accounting == "pure":
        return Loss(amount, delta)
    return Loss(min(MOST, epsilon_at(amount, stated_delta)), min(MOST, stated_delta + delta))
