"""What attackers could do."""
