"""What noise cost."""
