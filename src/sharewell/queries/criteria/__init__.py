"""What must hold in published noisy tables."""
