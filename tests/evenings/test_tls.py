"""An evening in TLS: every listener, every call between services, bots and players."""

import asyncio
import ssl
import subprocess
import sys
import urllib.request

import anpai
from tests.certificates import Authority
from tests.evenings.processes import Process
from tests.evenings.town import a_town


async def test_a_game_is_played_where_nothing_goes_in_the_clear(
    own_store, keys_folder, tmp_path
):
    authority = Authority(tmp_path)
    files = authority.sign("anpai")
    told = {
        "ANPAI_TLS_CERT": files.cert,
        "ANPAI_TLS_KEY": files.key,
        "ANPAI_TLS_CA": authority.file,
    }
    async with a_town(own_store, keys_folder, tmp_path, **told) as town:
        bots = Process(
            "tls-bots",
            "clients.bots.host",
            tmp_path,
            ANPAI_SERVER=f"grpcs://{town.server}",
            ANPAI_KEYS=keys_folder,
            **told,
        )
        try:
            await bots.start()
            page = await asyncio.to_thread(
                read, f"https://{bots.metrics_address}/metrics", authority.file
            )
            outcome, told_by = await played(f"grpcs://{town.server}", authority.file)
        finally:
            bots.kill()
        assert "anpai_bot_seats_playing" in page
        assert outcome is not None
        assert len(told_by) > 1000
        assert listed(f"grpcs://{town.server}", authority.file).returncode == 0


def read(url, ca):
    context = ssl.create_default_context(cafile=str(ca))
    with urllib.request.urlopen(url, timeout=10, context=context) as page:
        return page.read().decode()


async def played(server, ca):
    """One game against a bot, and its disclosure."""
    async with anpai.connect(server, tls=ca) as house:
        await house.sign_in("Anna", bot=True)
        ticket = await house.enter("skirmish", seats=2, bots=1)
        async with house.sit(await ticket.seat()) as table:
            async for _ in table:
                if question := table.question:
                    await table.answer(*question.options[: question.min])
        return table.outcome, await house.disclosure(table.id)


def listed(server, ca):
    """What the command says that there is to play."""
    command = ["clients.terminal", "--ca", str(ca), "games", "--server", server]
    return subprocess.run([sys.executable, "-m", *command], capture_output=True)
