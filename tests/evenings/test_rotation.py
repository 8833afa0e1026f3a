"""New keys and certificates while everybody plays: nobody is turned away who should not
be."""

import asyncio
import time
from contextlib import asynccontextmanager

import jwt

import anpai
from anpai.faults import NotSignedIn
from anpai.tls import showing
from services.chassis.keys import forget_old_keys, load_keys, make_keys, rotate_key
from tests.certificates import Authority, serial_of, shown_by
from tests.evenings.players import answers
from tests.evenings.processes import Process
from tests.evenings.town import GAME, a_town

SERVICES = ("matchmaking", "engine", "bots")


def key_of(token):
    return jwt.get_unverified_header(token)["kid"]


async def until(holds, within=20.0):
    async with asyncio.timeout(within):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def is_known(server, token):
    async with anpai.connect(server, token=token) as house:
        try:
            await house.my_seats()
        except NotSignedIn:
            return False
        return True


async def test_keys_are_renewed_while_a_game_is_played(own_store, tmp_path):
    keys = tmp_path / "keys"
    make_keys(keys)
    old = load_keys(keys, "matchmaking").id
    async with (
        a_town(own_store, keys, tmp_path, bots=True) as town,
        anpai.connect(town.server) as anna,
        anpai.connect(town.server) as ben,
    ):
        before = await anna.sign_in("Anna", bot=True)
        assert key_of(before) == old
        seat = await (await anna.enter(GAME, seats=2, bots=1)).seat()
        async with anna.sit(seat) as table:
            await answers(table, 3)
            turning = (asyncio.to_thread(rotate_key, keys, one) for one in SERVICES)
            await asyncio.gather(*turning)
            new = load_keys(keys, "matchmaking").id

            async def has_turned():
                return key_of(await ben.sign_in("Ben", bot=True)) == new

            await until(has_turned)
            assert new != old
            assert await is_known(town.server, before)
            await answers(table, 1000)
        assert table.outcome is not None
        beside = await (await ben.enter(GAME, seats=2, bots=1)).seat()
        async with ben.sit(beside) as table:
            await answers(table, 1000)
        assert table.outcome is not None

        assert await asyncio.to_thread(forget_old_keys, keys, "matchmaking") == 1

        async def is_forgotten():
            return not await is_known(town.server, before)

        await until(is_forgotten)
        assert await is_known(town.server, await ben.sign_in("Ben"))


# ---- certificates --------------------------------------------------------------------


class Certificates:
    """One pair that all services show, and whom they trust: nobody else is served."""

    def __init__(self, folder):
        self._folder = folder
        self.trusted = folder / "trusted.pem"
        self._authorities = [self._new()]
        self.shown = self._authorities[0].sign("anpai")
        self._trust()

    def told(self):
        return {
            "ANPAI_TLS_CERT": self.shown.cert,
            "ANPAI_TLS_KEY": self.shown.key,
            "ANPAI_TLS_CA": self.trusted,
            "ANPAI_TLS_CLIENTS": "on",
        }

    def for_a_client(self):
        return showing(self.shown.cert, self.shown.key, self.trusted)

    def trust_another(self):
        self._authorities.append(self._new())
        self._trust()

    def sign_anew(self):
        self._authorities[-1].sign("anpai")

    def forget_the_old(self):
        del self._authorities[0]
        self._trust()

    def _new(self):
        return Authority(self._folder, f"authority {time.monotonic_ns()}")

    def _trust(self):
        roots = [one.file.read_bytes() for one in self._authorities]
        self.trusted.write_bytes(b"".join(roots))


@asynccontextmanager
async def bots_at(town, certificates, keys):
    """A host that shows its certificate to services and to operators."""
    told = {"ANPAI_SERVER": f"grpcs://{town.server}", "ANPAI_KEYS": keys}
    told |= certificates.told()
    bots = Process("tls-bots", "clients.bots.host", town.folder, **told)
    try:
        await bots.start()
        yield bots
    finally:
        bots.kill()


async def test_one_authority_is_exchanged_for_another_and_only_then_parts_restart(
    own_store, keys_folder, tmp_path
):
    """What anybody showed and trusted when he began is nothing to the others by then:
    to services, to bots, to a player who stays where she is."""
    certificates = Certificates(tmp_path)
    told = certificates.told()
    shown = certificates.for_a_client()
    async with (
        a_town(own_store, keys_folder, tmp_path, workers=1, **told) as town,
        bots_at(town, certificates, keys_folder) as bots,
        anpai.connect(f"grpcs://{town.server}", tls=shown) as anna,
    ):
        await anna.sign_in("Anna", bot=True)
        seat = await (await anna.enter(GAME, seats=2, bots=1)).seat()
        async with anna.sit(seat) as table:
            await answers(table, 2)

            certificates.trust_another()
            certificates.sign_anew()
            certificates.forget_the_old()
            for part in (town.vault, *town.engines, town.matchmaking):
                part.kill()
                await part.start()

            async with asyncio.timeout(90):
                await answers(table, 3)
                await table.concede()
                assert [event async for event in table]
            assert table.outcome is not None
            assert table.resumed
        assert await anna.my_seats() is not None
        own = serial_of(certificates.shown)
        assert await asyncio.to_thread(shown_by, bots.metrics_address) == own
