"""What several claims are measured by."""
