"""What must hold in published notes."""
