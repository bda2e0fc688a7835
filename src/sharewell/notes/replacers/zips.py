"""ZIP codes → their first three digits where more than 20,000 people live behind them, else 000 (Safe Harbor).

>>> zip3("02139"), zip3("03601-4307"), zip3("K1A 0B1")
('021', '000', None)
"""

from __future__ import annotations

import re

from sharewell.errors import DataError
from sharewell.hierarchy.zips import SafeHarborZip

ZIP = re.compile(r"(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])")


def zip3(written: str) -> str | None:
    """What may be published of a ZIP code; nothing of what is none."""
    try:
        return SafeHarborZip().chain(written.strip())[-2]
    except DataError:
        return None
