"""What mechanisms share. No criterion and no verifier imports it."""
