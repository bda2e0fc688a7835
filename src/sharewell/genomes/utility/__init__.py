"""What it cost, for DNA."""
