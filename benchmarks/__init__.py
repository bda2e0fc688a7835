"""Benchmarks: each prints what it measured and the bar it must reach."""
