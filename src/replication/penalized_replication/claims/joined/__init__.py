"""What joins scenarios: verdicts side by side, all policies compared, a confirmation."""
