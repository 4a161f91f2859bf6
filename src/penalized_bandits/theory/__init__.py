"""What the theory says, as numbers to hold against simulations."""
