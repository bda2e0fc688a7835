"""The data types."""
