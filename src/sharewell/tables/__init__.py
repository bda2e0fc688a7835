"""Tables: demographics and other data with one row a record."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.tables.attacks.linkage import Linkage
    from sharewell.tables.attacks.prosecutor import Prosecutor
    from sharewell.tables.criteria.k_anonymity import KAnonymity
    from sharewell.tables.criteria.l_diversity import LDiversity
    from sharewell.tables.dataset import Table
    from sharewell.tables.mechanisms.mondrian import Mondrian
    from sharewell.tables.utility.discernibility import Discernibility
    from sharewell.tables.utility.ncp import NCP

__all__ = [
    "Discernibility",
    "KAnonymity",
    "LDiversity",
    "Linkage",
    "Mondrian",
    "NCP",
    "Prosecutor",
    "Table",
]

__getattr__ = exporting(
    __name__,
    {
        "Discernibility": "sharewell.tables.utility.discernibility",
        "KAnonymity": "sharewell.tables.criteria.k_anonymity",
        "LDiversity": "sharewell.tables.criteria.l_diversity",
        "Linkage": "sharewell.tables.attacks.linkage",
        "Mondrian": "sharewell.tables.mechanisms.mondrian",
        "NCP": "sharewell.tables.utility.ncp",
        "Prosecutor": "sharewell.tables.attacks.prosecutor",
        "Table": "sharewell.tables.dataset",
    },
)
