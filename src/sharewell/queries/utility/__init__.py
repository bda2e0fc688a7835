"""What it cost, for data about which questions are asked."""
