"""The only room that touches bytes: sources, shipped tables, atomic writing, the audit trail."""
