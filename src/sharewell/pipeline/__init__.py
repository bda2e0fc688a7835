"""A release: plan it, run it, verify it as a stranger would."""
