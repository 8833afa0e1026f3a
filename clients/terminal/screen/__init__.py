"""A table as text: the board, what happened, what is asked."""
