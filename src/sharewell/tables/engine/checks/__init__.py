"""What criteria share. Nothing here imports what protects."""
