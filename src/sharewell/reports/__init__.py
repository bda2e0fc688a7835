"""Reports: tables of owners and measures, of which only means, deviations and rankings are published."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Audit": ".figures.engine.audit",
    "Convention": ".figures.data",
    "CountTable": ".counts.data",
    "Frame": ".figures.data",
    "Knowledge": ".figures.data",
    "Levels": ".figures.data",
    "Plan": ".figures.engine.plan",
    "Proposal": ".figures.engine.plan",
    "Publication": ".figures.data",
    "PublishedRecords": ".counts.engine.together",
    "Report": ".figures.data",
    "Snoopers": ".figures.engine.needs",
    "audit": ".figures.engine.audit",
    "judge_together": ".counts.engine.together",
    "load": ".figures.engine.report_file",
    "read_jj": ".counts.engine.jj",
    "read_table": ".counts.engine.tabulation",
    "tabulate": ".counts.engine.tabulation",
    "to_jj": ".counts.engine.jj",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
