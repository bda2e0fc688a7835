"""What it cost, for reports and tables."""
