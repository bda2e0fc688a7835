"""What questions and publications stand on: noise, plans, rows on disk."""
