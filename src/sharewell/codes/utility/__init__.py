"""What it cost, for sets of codes."""
