"""What protection cost."""
