"""How reports and tables are reduced until it holds."""
