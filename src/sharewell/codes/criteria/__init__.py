"""What must hold for sets of codes."""
