"""The backend: matchmaking, engine and vault on one chassis."""
