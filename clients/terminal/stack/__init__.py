"""Everything Anpai needs, as child processes of one `anpai up`.

Why processes: a worker that is killed must not take the others along, and what runs
here is then the same as what runs in production.
"""
