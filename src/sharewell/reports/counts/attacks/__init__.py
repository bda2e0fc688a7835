"""What an attacker could do."""
