"""The anpai command: play, watch, verify, and run it all at home."""
