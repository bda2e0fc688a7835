"""Reports: tables of owners and measures, of which only means, deviations and rankings are published."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.reports.counts.attacks.table_interval import TableInterval
    from sharewell.reports.counts.criteria.cell_protection import CellProtection
    from sharewell.reports.counts.data import CountTable
    from sharewell.reports.counts.engine.jj import read_jj, to_jj
    from sharewell.reports.counts.engine.published_table import read_table
    from sharewell.reports.counts.engine.tabulation import tabulate
    from sharewell.reports.counts.engine.together import PublishedRecords, judge_together
    from sharewell.reports.counts.mechanisms.cell_suppression import CellSuppression
    from sharewell.reports.counts.mechanisms.controlled_rounding import ControlledRounding
    from sharewell.reports.counts.utility.suppressed_share import SuppressedShare
    from sharewell.reports.figures.attacks.snooper import Snooper
    from sharewell.reports.figures.criteria.entropy import Entropy
    from sharewell.reports.figures.criteria.protection import Protection
    from sharewell.reports.figures.criteria.width import Width
    from sharewell.reports.figures.data import Convention, Frame, Knowledge, Levels, Publication, Report
    from sharewell.reports.figures.engine.audit import Audit, audit
    from sharewell.reports.figures.engine.plan import Plan
    from sharewell.reports.figures.engine.proposal import Proposal
    from sharewell.reports.figures.engine.report_file import load
    from sharewell.reports.figures.engine.snoopers import Snoopers
    from sharewell.reports.figures.mechanisms.aggregate import Aggregate
    from sharewell.reports.figures.utility.report_loss import ReportLoss
    from sharewell.reports.gathering.criteria.local_privacy import LocalPrivacy
    from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse

__all__ = [
    "Aggregate",
    "Audit",
    "CellProtection",
    "CellSuppression",
    "ControlledRounding",
    "Convention",
    "CountTable",
    "Entropy",
    "Frame",
    "Knowledge",
    "Levels",
    "LocalPrivacy",
    "Plan",
    "Proposal",
    "Protection",
    "Publication",
    "PublishedRecords",
    "RandomisedResponse",
    "Report",
    "ReportLoss",
    "Snooper",
    "Snoopers",
    "SuppressedShare",
    "TableInterval",
    "Width",
    "audit",
    "judge_together",
    "load",
    "read_jj",
    "read_table",
    "tabulate",
    "to_jj",
]

__getattr__ = exporting(
    __name__,
    {
        "Aggregate": "sharewell.reports.figures.mechanisms.aggregate",
        "Audit": "sharewell.reports.figures.engine.audit",
        "CellProtection": "sharewell.reports.counts.criteria.cell_protection",
        "CellSuppression": "sharewell.reports.counts.mechanisms.cell_suppression",
        "ControlledRounding": "sharewell.reports.counts.mechanisms.controlled_rounding",
        "Convention": "sharewell.reports.figures.data",
        "CountTable": "sharewell.reports.counts.data",
        "Entropy": "sharewell.reports.figures.criteria.entropy",
        "Frame": "sharewell.reports.figures.data",
        "Knowledge": "sharewell.reports.figures.data",
        "Levels": "sharewell.reports.figures.data",
        "LocalPrivacy": "sharewell.reports.gathering.criteria.local_privacy",
        "Plan": "sharewell.reports.figures.engine.plan",
        "Proposal": "sharewell.reports.figures.engine.proposal",
        "Protection": "sharewell.reports.figures.criteria.protection",
        "Publication": "sharewell.reports.figures.data",
        "PublishedRecords": "sharewell.reports.counts.engine.together",
        "RandomisedResponse": "sharewell.reports.gathering.mechanisms.randomised_response",
        "Report": "sharewell.reports.figures.data",
        "ReportLoss": "sharewell.reports.figures.utility.report_loss",
        "Snooper": "sharewell.reports.figures.attacks.snooper",
        "Snoopers": "sharewell.reports.figures.engine.snoopers",
        "SuppressedShare": "sharewell.reports.counts.utility.suppressed_share",
        "TableInterval": "sharewell.reports.counts.attacks.table_interval",
        "Width": "sharewell.reports.figures.criteria.width",
        "audit": "sharewell.reports.figures.engine.audit",
        "judge_together": "sharewell.reports.counts.engine.together",
        "load": "sharewell.reports.figures.engine.report_file",
        "read_jj": "sharewell.reports.counts.engine.jj",
        "read_table": "sharewell.reports.counts.engine.published_table",
        "tabulate": "sharewell.reports.counts.engine.tabulation",
        "to_jj": "sharewell.reports.counts.engine.jj",
    },
)
