"""Games as they were once played, one disclosure each; the rules must still give them."""
