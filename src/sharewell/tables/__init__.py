"""Tables: demographics and other data with one row a record."""

from sharewell.tables.attacks.linkage import Linkage
from sharewell.tables.attacks.prosecutor import Prosecutor
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.criteria.l_diversity import LDiversity
from sharewell.tables.dataset import Table
from sharewell.tables.mechanisms.mondrian import Mondrian
from sharewell.tables.utility.discernibility import Discernibility
from sharewell.tables.utility.ncp import NCP

__all__ = ["Discernibility", "KAnonymity", "LDiversity", "Linkage", "Mondrian", "NCP", "Prosecutor", "Table"]
