"""What every service bolts onto; it knows no game."""
