"""Hierarchies: ever more general labels for a value, compiled to arrays that every algorithm can use.

>>> from sharewell.hierarchy import named
>>> named("zip").chain("02139")
('02139', '021*', '0*', '*')
"""

from sharewell.hierarchy.categories import Ordered
from sharewell.hierarchy.chains import ROOT, HierarchyGap
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.gaps import Gaps, gaps
from sharewell.hierarchy.icd import ICD9CM, ICD10CM
from sharewell.hierarchy.intervals import Intervals
from sharewell.hierarchy.levels import Flat, Hierarchy, Levels, compile_chains
from sharewell.hierarchy.prefixes import Prefixes
from sharewell.hierarchy.safe_harbor_ages import SafeHarborAge, SafeHarborBirth
from sharewell.hierarchy.specs import NAMES, from_spec, named
from sharewell.hierarchy.tree import Tree
from sharewell.hierarchy.zips import SafeHarborZip, Zip

__all__ = [
    "Dates",
    "Flat",
    "Gaps",
    "Hierarchy",
    "HierarchyGap",
    "ICD10CM",
    "ICD9CM",
    "Intervals",
    "Levels",
    "NAMES",
    "Ordered",
    "Prefixes",
    "ROOT",
    "SafeHarborAge",
    "SafeHarborBirth",
    "SafeHarborZip",
    "Tree",
    "Zip",
    "compile_chains",
    "from_spec",
    "gaps",
    "named",
]
