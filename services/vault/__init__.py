"""The vault: faces nobody has turned up, chance, ledger and proofs."""
