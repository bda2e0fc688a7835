"""What an attacker could do with DNA."""
