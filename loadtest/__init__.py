"""Evenings with names: crowds of players that come, play, vanish and come back."""
