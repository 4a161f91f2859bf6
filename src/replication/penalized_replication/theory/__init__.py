"""Theory that single claims need: conditions of examples, sleeping arms, rivals' regret."""
