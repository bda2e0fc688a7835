"""Shamir's sharing over a prime field: any t points give the secret, fewer say nothing about it.

>>> points = share(2**255 + 19, 3, range(1, 6), lambda n: bytes(range(1, n + 1)))
>>> [combined(weights(some), points) == 2**255 + 19 for some in ((2, 3, 5), (1, 4, 5), (2, 3))]
[True, True, False]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

PRIME = 2**521 - 1
"""A Mersenne prime, well above the 256 bits of a secret."""
BYTES = 66
_DRAWN = 82
"""Bytes drawn for a coefficient: 128 bits more than the prime has, so that what is left over is even enough."""


def share(secret: int, threshold: int, places: Iterable[int], draw: Callable[[int], bytes]) -> dict[int, int]:
    """The points of a random polynomial of degree threshold − 1 whose value at 0 is the secret."""
    if not 0 <= secret < PRIME:
        raise ValueError("a secret must lie in the field")
    drawn = [int.from_bytes(draw(_DRAWN), "big") % PRIME for _ in range(threshold - 1)]
    points = {}
    for x in places:
        y = 0
        for coefficient in drawn:
            y = (y + coefficient) * x % PRIME
        points[x] = (y + secret) % PRIME
    return points


def weights(places: Iterable[int]) -> dict[int, int]:
    """Lagrange's coefficients at 0. They depend on the places alone, and serve for many secrets."""
    xs, coefficients = list(places), {}
    for x in xs:
        above, below = 1, 1
        for other in xs:
            if other != x:
                above, below = above * other % PRIME, below * (other - x) % PRIME
        coefficients[x] = above * pow(below, -1, PRIME) % PRIME
    return coefficients


def combined(coefficients: Mapping[int, int], points: Mapping[int, int]) -> int:
    """The value at 0 of the polynomial through these points. Whether they are enough, the caller must know."""
    return sum(weight * points[x] for x, weight in coefficients.items()) % PRIME
