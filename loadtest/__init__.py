"""Loading Anpai: many players at once, on this machine, and what it cost."""
