"""How a table is made to satisfy criteria."""
