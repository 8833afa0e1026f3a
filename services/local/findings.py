"""What a check finds wrong, in a sentence for whoever asked."""


class Finding(Exception):
    """Something in a disclosure that cannot be as it says; the text says what."""
