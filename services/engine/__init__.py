"""The engine: tables in progress, their rules and their journals."""
