"""The interactive service: analysts ask over HTTP, and the steward keeps the data."""
