"""What must hold for people and their codes together."""
