"""Signing players in: a token that engine and vault check without asking."""

import secrets
import time
import unicodedata
from dataclasses import dataclass

from services.chassis.errors import AnpaiError
from services.chassis.keys import Keys
from services.chassis.tokens import Kind, player_token
from services.matchmaking.timings import SECOND, TIMINGS, Timings

LONGEST_NAME = 32


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`expires_at` is in seconds since 1970."""

    token: str
    player: str
    expires_at: int


class SignIn:
    """Nothing is kept: the signed token is all there is of a guest."""

    def __init__(self, keys: Keys, timings: Timings = TIMINGS):
        self._keys = keys
        self._seconds = timings.sign_in // SECOND

    def guest(self, name: str, *, bot: bool = False) -> SignedIn:
        """A player nobody has been before; `bot` if it says so. INVALID_FIELD."""
        player = f"p-{secrets.token_hex(10)}"
        expires_at = int(time.time()) + self._seconds
        kind = Kind.BOT if bot else Kind.GUEST
        token = self._token(player, good_name(name), kind)
        return SignedIn(token, player, expires_at)

    def bot(self, player: str, name: str) -> str:
        """A token with which a bot plays as anybody else would."""
        return self._token(player, name, Kind.BOT)

    def _token(self, player: str, name: str, kind: Kind) -> str:
        return player_token(self._keys, player, name, kind, self._seconds)


def good_name(name: str) -> str:
    """As it is shown: in one form of its letters, without blanks around it."""
    shown = unicodedata.normalize("NFC", name).strip()
    if not (0 < len(shown) <= LONGEST_NAME and shown.isprintable()):
        allowed = f"1 to {LONGEST_NAME} printable characters"
        raise AnpaiError(
            "INVALID_FIELD", f"A name is {allowed}.", field="name", allowed=allowed
        )
    return shown
