"""What an attacker could do with sets of codes."""
