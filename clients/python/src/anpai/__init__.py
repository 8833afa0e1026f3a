"""Anpai for Python: connect, sit, watch, answer."""
