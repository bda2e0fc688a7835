"""What an attacker could learn from answers and from published noisy tables."""
