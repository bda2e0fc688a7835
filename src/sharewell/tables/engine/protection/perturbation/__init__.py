"""Values that are changed on purpose."""
