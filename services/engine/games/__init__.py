"""The games, each a folder of rules on the kernel."""
