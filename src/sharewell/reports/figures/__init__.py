"""Reports of owners and measures: means, deviations and rankings."""
