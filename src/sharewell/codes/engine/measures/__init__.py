"""What measures of utility share."""
