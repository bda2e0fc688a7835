"""How noisy tables are made."""
