"""What attacks share."""
