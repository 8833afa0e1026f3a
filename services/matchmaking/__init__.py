"""Matchmaking: players, tickets, rooms, parties and ratings."""
