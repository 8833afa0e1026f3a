"""Games as they were once played: the rules must still give them, event by event."""
