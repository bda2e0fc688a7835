"""Reports: tables of owners and measures, of which only means, deviations and rankings are published."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.reports.attacks.snooper import Snooper
    from sharewell.reports.attacks.table_interval import TableInterval
    from sharewell.reports.auditing import Audit, audit
    from sharewell.reports.criteria.cell_protection import CellProtection
    from sharewell.reports.criteria.entropy import Entropy
    from sharewell.reports.criteria.local_privacy import LocalPrivacy
    from sharewell.reports.criteria.protection import Protection
    from sharewell.reports.criteria.width import Width
    from sharewell.reports.loading import load
    from sharewell.reports.mechanisms.aggregate import Aggregate
    from sharewell.reports.mechanisms.cell_suppression import CellSuppression
    from sharewell.reports.mechanisms.controlled_rounding import ControlledRounding
    from sharewell.reports.mechanisms.randomised_response import RandomisedResponse
    from sharewell.reports.model import Convention, Frame, Knowledge, Levels, Publication, Report
    from sharewell.reports.plan import Plan
    from sharewell.reports.proposal import Proposal
    from sharewell.reports.snoopers import Snoopers
    from sharewell.reports.tables.dataset import CountTable
    from sharewell.reports.tables.jj import read_jj, to_jj
    from sharewell.reports.tables.reading import read_table
    from sharewell.reports.tables.tabulating import tabulate
    from sharewell.reports.tables.together import PublishedRecords, judge_together
    from sharewell.reports.utility.report_loss import ReportLoss
    from sharewell.reports.utility.suppressed_share import SuppressedShare

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
        "Aggregate": "sharewell.reports.mechanisms.aggregate",
        "Audit": "sharewell.reports.auditing",
        "CellProtection": "sharewell.reports.criteria.cell_protection",
        "CellSuppression": "sharewell.reports.mechanisms.cell_suppression",
        "ControlledRounding": "sharewell.reports.mechanisms.controlled_rounding",
        "Convention": "sharewell.reports.model",
        "CountTable": "sharewell.reports.tables.dataset",
        "Entropy": "sharewell.reports.criteria.entropy",
        "Frame": "sharewell.reports.model",
        "Knowledge": "sharewell.reports.model",
        "Levels": "sharewell.reports.model",
        "LocalPrivacy": "sharewell.reports.criteria.local_privacy",
        "Plan": "sharewell.reports.plan",
        "Proposal": "sharewell.reports.proposal",
        "Protection": "sharewell.reports.criteria.protection",
        "Publication": "sharewell.reports.model",
        "PublishedRecords": "sharewell.reports.tables.together",
        "RandomisedResponse": "sharewell.reports.mechanisms.randomised_response",
        "Report": "sharewell.reports.model",
        "ReportLoss": "sharewell.reports.utility.report_loss",
        "Snooper": "sharewell.reports.attacks.snooper",
        "Snoopers": "sharewell.reports.snoopers",
        "SuppressedShare": "sharewell.reports.utility.suppressed_share",
        "TableInterval": "sharewell.reports.attacks.table_interval",
        "Width": "sharewell.reports.criteria.width",
        "audit": "sharewell.reports.auditing",
        "judge_together": "sharewell.reports.tables.together",
        "load": "sharewell.reports.loading",
        "read_jj": "sharewell.reports.tables.jj",
        "read_table": "sharewell.reports.tables.reading",
        "tabulate": "sharewell.reports.tables.tabulating",
        "to_jj": "sharewell.reports.tables.jj",
    },
)
