"""The ledger of budgets: what may be spent, what was spent, on what, and proof that nobody has changed it since."""

from sharewell.queries.engine.ledger.budget_ledger import Ledger, question_digest
from sharewell.queries.engine.ledger.ledger_place import move_ledger
from sharewell.queries.engine.ledger.records import Balance, ChainCheck, Charge, Recount, StoredAnswer

__all__ = ["Balance", "ChainCheck", "Charge", "Ledger", "Recount", "StoredAnswer", "move_ledger", "question_digest"]
