"""Solvers, one library a file."""
