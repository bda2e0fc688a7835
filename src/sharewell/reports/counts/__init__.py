"""Tables of counts and of sums, with their totals: what is published, and what a reader can conclude from it."""
