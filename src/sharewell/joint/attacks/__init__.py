"""What an attacker could do who knows people and some of their codes."""
