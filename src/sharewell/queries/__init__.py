"""Queries: the steward keeps the data and answers questions about it, under a budget of differential privacy."""
