"""Gwent (昆特牌): two sides muster units in three rows, best of three rounds."""
