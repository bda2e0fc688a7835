"""What it cost, for people and their codes together."""
