"""What the rules of the workflow need beside the science: jobs, runs, staleness, costs."""
