"""Partitioning against a population list, by instance disclosure."""
