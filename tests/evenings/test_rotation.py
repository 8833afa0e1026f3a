"""New keys and certificates while everybody plays: nobody is turned away who should not
be."""

import asyncio
import time

import grpc
import jwt

import anpai
from anpai.faults import NotSignedIn
from services.chassis.keys import forget_old_keys, load_keys, make_keys, rotate_key
from tests.certificates import Authority
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


async def answers(table, number):
    """Give so many, or as many as the game still takes."""
    async for _ in table:
        if question := table.question:
            await table.answer(*question.options[: question.min])
            number -= 1
        if not number:
            return


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

    def of_a_player(self):
        roots = self.trusted.read_bytes()
        key, chain = self.shown.key.read_bytes(), self.shown.cert.read_bytes()
        return grpc.ssl_channel_credentials(roots, key, chain)

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


async def plays_on(town, certificates, token, seat, number):
    """With what a player would show who comes in now."""
    shown = certificates.of_a_player()
    async with anpai.connect(f"grpcs://{town.server}", token=token, tls=shown) as house:
        async with house.sit(seat) as table:
            await answers(table, number)
        return table.outcome


async def test_one_authority_is_exchanged_for_another_and_only_then_parts_restart(
    own_store, keys_folder, tmp_path
):
    """What a service showed and trusted when it began is nothing to it by then."""
    certificates = Certificates(tmp_path)
    told = certificates.told()
    async with a_town(own_store, keys_folder, tmp_path, workers=1, **told) as town:
        where = (f"grpcs://{town.server}",)
        async with anpai.connect(*where, tls=certificates.of_a_player()) as anna:
            token = await anna.sign_in("Anna", bot=True)
            variant = {"variant": "solo", "seats": 1}
            seat = await (await anna.enter("gwent", **variant)).seat()
        assert await plays_on(town, certificates, token, seat, 3) is None

        certificates.trust_another()
        certificates.sign_anew()
        certificates.forget_the_old()
        for part in (town.vault, town.matchmaking):
            part.kill()
            await part.start()

        async with asyncio.timeout(90):
            outcome = await plays_on(town, certificates, token, seat, 1000)
        assert outcome is not None
