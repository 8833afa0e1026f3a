"""A whole game in one process, and the check of a finished one."""
