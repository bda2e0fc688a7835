"""What an attacker could learn from a published table."""
