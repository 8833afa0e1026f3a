"""One file a command: what `anpai <name>` does."""
