"""What an owner or a stranger can infer from a report."""
