"""Bots: ordinary clients in a process of their own."""
