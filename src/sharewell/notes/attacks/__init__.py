"""What an attacker could learn from published notes."""
