"""What must stay open about every cell of a report."""
