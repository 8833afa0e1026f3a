"""Signing players in: a token that engine and vault check without asking."""

import secrets
import time
import unicodedata
from dataclasses import dataclass

from services.chassis.errors import AnpaiError
from services.chassis.keys import Keys
from services.chassis.tokens import Caller, Kind, player_token
from services.matchmaking.members import Members
from services.matchmaking.timings import SECOND, TIMINGS, Timings

LONGEST_NAME = 32
GUEST = "p-"  # begins the ids of guests, and of nobody else


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`expires_at` is in seconds since 1970."""

    token: str
    player: str
    expires_at: int


class SignIn:
    """Nothing is kept: the signed token is all there is of a player."""

    def __init__(
        self,
        keys: Keys,
        members: Members,
        timings: Timings = TIMINGS,
        *,
        guests: bool = True,
    ):
        self._keys = keys
        self._members = members
        self._seconds = timings.sign_in // SECOND
        self._renewable = timings.renewable // SECOND
        self._guests = guests

    async def player(self, name: str, external: str, *, bot: bool) -> SignedIn:
        """Whom the token from outside vouches for; without one, a guest."""
        if not external:
            return self.guest(name, bot=bot)
        player, called = await self._members.member(external)
        shown = good_name(name) if name else presentable(called)
        return self._signed_in(player, shown, Kind.BOT if bot else Kind.MEMBER)

    def guest(self, name: str, *, bot: bool = False) -> SignedIn:
        """A player nobody has been before; `bot` if it says so. INVALID_FIELD."""
        self._refuse_unless_guests()
        player = f"{GUEST}{secrets.token_hex(10)}"
        return self._signed_in(player, good_name(name), Kind.BOT if bot else Kind.GUEST)

    def renewed(self, who: Caller) -> SignedIn:
        """The same player, for another while. TOKEN_EXPIRED once a member has not been
        vouched for for too long: a guest has nobody to ask."""
        if who.id.startswith(GUEST):
            self._refuse_unless_guests()
        elif time.time() - who.since > self._renewable:
            raise AnpaiError("TOKEN_EXPIRED", "It is long ago; sign in again.")
        return self._signed_in(who.id, who.name, who.kind, who.since)

    def bot(self, player: str, name: str) -> str:
        """A token with which a bot plays as anybody else would."""
        return self._signed_in(player, name, Kind.BOT).token

    def _signed_in(
        self, player: str, name: str, kind: Kind, since: int = 0
    ) -> SignedIn:
        expires_at = int(time.time()) + self._seconds
        token = player_token(self._keys, player, name, kind, self._seconds, since)
        return SignedIn(token, player, expires_at)

    def _refuse_unless_guests(self) -> None:
        if not self._guests:
            raise AnpaiError(
                "GUESTS_NOT_ADMITTED",
                "Guests are not admitted here: sign in as a member.",
            )


def presentable(called: str) -> str:
    """As much of a name from outside as may be shown."""
    shown = unicodedata.normalize("NFC", called)
    shown = "".join(one for one in shown if one.isprintable()).strip()
    return shown[:LONGEST_NAME].strip() or "Member"


def good_name(name: str) -> str:
    """As it is shown: in one form of its letters, without blanks around it."""
    shown = unicodedata.normalize("NFC", name).strip()
    if not (0 < len(shown) <= LONGEST_NAME and shown.isprintable()):
        allowed = f"1 to {LONGEST_NAME} printable characters"
        raise AnpaiError(
            "INVALID_FIELD", f"A name is {allowed}.", field="name", allowed=allowed
        )
    return shown
