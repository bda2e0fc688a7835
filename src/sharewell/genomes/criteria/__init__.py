"""What must hold for DNA."""
