"""Groups of near rows."""
