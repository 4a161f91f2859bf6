"""What joins the claims of several scenarios: verdicts side by side, all policies, a confirmation."""
