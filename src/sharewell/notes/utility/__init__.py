"""What the protection of notes cost."""
