"""What it can do and what that costs, measured: the numbers behind `anpai bench`."""
