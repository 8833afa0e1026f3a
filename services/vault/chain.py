"""Where chance comes from: a seed, what is published of it, and the chain of keys.

Pure. `docs/fairness.md` states every byte, with a test vector.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

import msgspec

SEED_BYTES = 32

_encode = json.JSONEncoder(
    ensure_ascii=True, separators=(",", ":"), sort_keys=True
).encode


_encode_fast = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> str:
    """JSON without spaces, keys sorted, ASCII only: the one form that is hashed."""
    return canonical_bytes(value).decode()


def canonical_bytes(value: Any) -> bytes:
    """The same, encoded.

    Two encoders agree on all that can be printed in ASCII; the slow one is needed to
    escape the rest.
    """
    text = _encode_fast(value)
    is_plain = text.isascii() and b"\x7f" not in text
    return text if is_plain else _encode(value).encode()


def commitment_of(seed: bytes) -> str:
    """What is published before play, in hex: SHA-256 of the seed."""
    return hashlib.sha256(seed).hexdigest()


_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))
_INNER_REST, _OUTER_REST = b"\x36" * 32, b"\x5c" * 32


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 with a key of 32 bytes.

    The same as `hmac.digest`, in a third less time: tables do it for every batch.
    """
    inner = hashlib.sha256(key.translate(_INNER_PAD) + _INNER_REST + message).digest()
    return hashlib.sha256(key.translate(_OUTER_PAD) + _OUTER_REST + inner).digest()


def veil_of(seed: bytes) -> bytes:
    """The key of a table's digests: known to vault and engine, never to a seat."""
    return hmac.digest(seed, b"anpai/veil", "sha256")


def first_key(seed: bytes, table_id: str, nonces: Sequence[str]) -> bytes:
    """Key 0: the seed, the table and what every seat gave towards chance."""
    text = canonical(["anpai/key", table_id, nonces])
    return hmac.digest(seed, text.encode(), "sha256")


def next_key(key: bytes, digest: str) -> bytes:
    """The key of the batch that has this digest, from the key of the batch before."""
    return keyed(key, bytes.fromhex(digest))


def next_head(head: str, digest: str) -> str:
    """The ledger's head after a batch: SHA-256 over the head before and its digest."""
    return hashlib.sha256(bytes.fromhex(head + digest)).hexdigest()
