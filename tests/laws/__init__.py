"""What every game must pass, in every variant, with every number of seats."""
