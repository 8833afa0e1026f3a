"""Matchmaking: who plays with whom, and where."""
