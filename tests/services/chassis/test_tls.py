"""TLS on both listeners of a service, renewed while it runs."""

import asyncio
import gc
import http.client
import socket
import ssl
import time
from dataclasses import replace

import grpc
import pytest
from cryptography import x509

from services.chassis import client
from services.chassis.client import CLIENT_OPTIONS, Peer, finishing
from services.chassis.config import ConfigError
from services.chassis.server import start
from services.chassis.tls import dial, tls_of
from tests.certificates import Authority, serial_of, shown_by
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME, Echo, Text, bind_echo


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


@pytest.fixture
def files(authority):
    return authority.sign("engine.internal")


@pytest.fixture
def told(config, authority, files):
    return replace(
        config, tls_cert=files.cert, tls_key=files.key, tls_ca=authority.file
    )


@pytest.fixture
async def secure(told):
    service = await start("engine", told, bind_echo(Echo()))
    yield service
    await service.stop()


async def echoed(channel):
    async with channel:
        call = channel.unary_unary(
            f"/{NAME}/Echo", Text.SerializeToString, Text.FromString
        )
        return (await call(Text(value="hello"), timeout=10)).value


def trusting(service, authority, *own):
    roots = authority.file.read_bytes()
    key, chain = own or (None, None)
    credentials = grpc.ssl_channel_credentials(roots, key, chain)
    return grpc.aio.secure_channel(service.address, credentials)


async def test_who_trusts_the_authority_is_served(secure, authority):
    assert await echoed(trusting(secure, authority)) == "hello"


async def test_our_services_call_each_other_in_tls(secure, told):
    channel = dial(secure.address, tls_of(told), CLIENT_OPTIONS)

    assert await echoed(channel) == "hello"


async def test_who_trusts_another_authority_is_not(secure, tmp_path):
    stranger = Authority(tmp_path, "a stranger")

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await echoed(trusting(secure, stranger))

    assert error.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_nothing_is_served_in_the_clear(secure):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await echoed(grpc.aio.insecure_channel(secure.address))

    assert error.value.code() is grpc.StatusCode.UNAVAILABLE


def page(service, authority):
    context = ssl.create_default_context(cafile=str(authority.file))
    host, _, port = service.metrics_address.rpartition(":")
    line = http.client.HTTPSConnection(host, int(port), timeout=30, context=context)
    line.request("GET", "/metrics")
    return line.getresponse().read().decode()


async def test_operators_read_in_tls_as_well(secure, authority):
    assert "anpai_calls_total" in await asyncio.to_thread(page, secure, authority)


async def test_operators_who_read_in_the_clear_get_nothing(secure):
    def read():
        line = http.client.HTTPConnection(secure.metrics_address, timeout=10)
        line.request("GET", "/metrics")
        return line.getresponse().read()

    with pytest.raises((http.client.HTTPException, OSError)):
        await asyncio.to_thread(read)


async def test_one_who_is_silent_holds_no_other_reader_up(secure, authority):
    host, _, port = secure.metrics_address.rpartition(":")
    with socket.create_connection((host, int(port)), 5):
        assert "anpai_calls_total" in await asyncio.to_thread(page, secure, authority)


async def test_a_renewed_certificate_is_taken_up_without_a_restart(
    secure, authority, files
):
    before = serial_of(files)
    listeners = (secure.address, secure.metrics_address)
    assert [await asyncio.to_thread(shown_by, one) for one in listeners] == [before] * 2

    after = serial_of(authority.sign("engine.internal"))

    assert after != before
    assert [await asyncio.to_thread(shown_by, one) for one in listeners] == [after] * 2
    assert await echoed(trusting(secure, authority)) == "hello"


async def test_operators_are_told_when_it_ends(secure, authority, files):
    told = secure.metrics.registry.get_sample_value("anpai_certificate_ends_seconds")
    shown = x509.load_pem_x509_certificate(files.cert.read_bytes())

    assert told == shown.not_valid_after_utc.timestamp() > time.time()


async def test_without_tls_nothing_ends(running):
    value = running.metrics.registry.get_sample_value

    assert value("anpai_certificate_ends_seconds") == 0


async def test_one_that_does_not_fit_its_key_is_not_taken(secure, authority, files):
    before = serial_of(files)
    files.cert.write_bytes(authority.sign("another").cert.read_bytes())

    for listener in (secure.address, secure.metrics_address):
        assert await asyncio.to_thread(shown_by, listener) == before


async def test_where_clients_are_asked_for_theirs_nobody_comes_without(told, authority):
    service = await start("engine", replace(told, tls_clients=True), bind_echo(Echo()))
    ours = dial(service.address, tls_of(told), CLIENT_OPTIONS)
    assert await echoed(ours) == "hello"

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await echoed(trusting(service, authority))

    assert error.value.code() is grpc.StatusCode.UNAVAILABLE
    await service.stop()


# ---- those who call ------------------------------------------------------------------


class Asking(Echo):
    """Tells who calls: the serial number of what was shown."""

    def __init__(self):
        super().__init__()
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def sleep(self, request, context):
        self.asked.set()
        await self.may_answer.wait()
        return request

    async def echo(self, request, context):
        (shown,) = context.auth_context()["x509_pem_cert"]
        return Text(value=str(x509.load_pem_x509_certificate(shown).serial_number))


class EchoStub:
    def __init__(self, channel):
        coded = (Text.SerializeToString, Text.FromString)
        self.Echo = channel.unary_unary(f"/{NAME}/Echo", *coded)
        self.Later = channel.unary_unary(f"/{NAME}/Sleep", *coded)
        self.Chat = channel.stream_stream(f"/{NAME}/Chat", *coded)


@pytest.fixture
async def asking(told):
    """Serves nobody who shows nothing; its own files are others than a peer's."""
    echo = Asking()
    service = await start("engine", replace(told, tls_clients=True), bind_echo(echo))
    service.echo = echo
    yield service
    await service.stop()


@pytest.fixture
async def peer(asking, told, authority, monkeypatch):
    monkeypatch.setattr(client, "LOOK_SECONDS", 0.0)
    files = authority.sign("matchmaking")
    tls = tls_of(replace(told, tls_cert=files.cert, tls_key=files.key))
    peer = Peer(asking.address, tls=tls)
    peer.files = files
    yield peer
    await peer.close()


async def shown_to(peer):
    request, reply = Text(value="who am I?"), Text
    told = await peer.ask(peer.stub(EchoStub).Echo, request, reply, 10)
    return int(told.value)


async def said(chat, word):
    await chat.write(Text(value=word))
    return (await chat.read()).value


async def test_who_calls_shows_a_renewed_certificate_without_a_restart(peer, authority):
    before = serial_of(peer.files)
    assert await shown_to(peer) == before
    async with finishing(peer.stub(EchoStub).Chat()) as chat:
        assert await said(chat, "one") == "ONE"

        after = serial_of(authority.sign("matchmaking"))

        assert [await shown_to(peer) for _ in range(3)] == [after] * 3
        assert await said(chat, "two") == "TWO", "what runs goes on"
    assert after != before


async def test_however_often_it_is_renewed_no_call_that_runs_is_broken_off(
    peer, authority, monkeypatch
):
    monkeypatch.setattr(client, "GRACE_SECONDS", 0.05)
    async with finishing(peer.stub(EchoStub).Chat()) as chat:
        assert await said(chat, "one") == "ONE"
        for _ in range(3):
            serial = serial_of(authority.sign("matchmaking"))
            assert await shown_to(peer) == serial
            while peer._closing:
                await asyncio.wait(peer._closing)
            gc.collect()
            assert await said(chat, "two") == "TWO"


async def test_a_call_that_runs_while_it_is_renewed_gets_its_answer(
    peer, asking, authority
):
    request = Text(value="slowly")
    slow = peer.ask(peer.stub(EchoStub).Later, request, Text, 30)
    running = asyncio.create_task(slow)
    await asking.echo.asked.wait()
    serial = serial_of(authority.sign("matchmaking"))
    assert await shown_to(peer) == serial

    asking.echo.may_answer.set()

    assert (await running).value == "slowly"


async def test_one_who_calls_takes_no_certificate_that_does_not_fit_its_key(
    peer, authority
):
    before = await shown_to(peer)
    peer.files.cert.write_bytes(authority.sign("another").cert.read_bytes())
    assert await shown_to(peer) == before

    after = serial_of(authority.sign("matchmaking"))

    assert await shown_to(peer) == after


@pytest.mark.parametrize("torn", [b"", b"-----BEGIN CERTIFICATE-----\nMIIB"])
async def test_authorities_that_are_torn_while_they_are_copied_are_not_taken(
    peer, authority, torn
):
    """By neither side: who comes meanwhile is served as before."""
    before, whole = await shown_to(peer), authority.file.read_bytes()

    authority.file.write_bytes(torn)
    assert await shown_to(peer) == before
    authority.file.write_bytes(whole)

    after = serial_of(authority.sign("matchmaking"))
    assert await shown_to(peer) == after


async def test_one_authority_is_exchanged_for_another_without_a_restart(
    peer, asking, authority, tmp_path
):
    """Both trust both, then each shows what the new one has signed, then the old one
    is forgotten."""
    (tmp_path / "new").mkdir()
    new = Authority(tmp_path / "new", "a new one")
    old = authority.file.read_bytes()

    authority.file.write_bytes(old + new.file.read_bytes())
    for name in ("engine.internal", "matchmaking"):
        for path in new.sign(name):
            path.replace(tmp_path / path.name)
        assert await shown_to(peer) == serial_of(peer.files)
    authority.file.write_bytes(new.file.read_bytes())

    assert await shown_to(peer) == serial_of(peer.files)
    stale = trusting(asking, new, *(path.read_bytes() for path in old_pair(authority)))
    with pytest.raises(grpc.aio.AioRpcError):
        await echoed(stale)


def old_pair(authority):
    files = authority.sign("stale")
    return files.key, files.cert


async def test_addresses_that_no_certificate_names_are_called_by_a_name_they_share(
    told, authority, tmp_path
):
    shared = Authority(tmp_path, "b").sign("anpai")
    trusted = replace(
        told, tls_cert=shared.cert, tls_key=shared.key, tls_ca=tmp_path / "b.pem"
    )
    service = await start("engine", trusted, bind_echo(Echo()))
    there = service.address.replace("127.0.0.1", "localhost")

    with pytest.raises(grpc.aio.AioRpcError):
        await echoed(dial(there, tls_of(trusted), CLIENT_OPTIONS))
    named = replace(trusted, tls_name="anpai")

    assert await echoed(dial(there, tls_of(named), CLIENT_OPTIONS)) == "hello"
    await service.stop()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"tls_key": None}, "ANPAI_TLS_CERT and ANPAI_TLS_KEY belong together"),
        ({"tls_cert": None, "tls_key": None}, "ANPAI_TLS_CERT is not set, and"),
        ({"tls_ca": None, "tls_clients": True}, "ANPAI_TLS_CLIENTS needs ANPAI_TLS_CA"),
    ],
)
def test_half_a_setting_is_a_sentence(told, changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        tls_of(replace(told, **changes))


def test_authorities_that_are_none_are_a_sentence(told, tmp_path):
    (tmp_path / "none.pem").write_text("none")

    with pytest.raises(ConfigError, match="ANPAI_TLS_CA: no certificate in PEM"):
        tls_of(replace(told, tls_ca=tmp_path / "none.pem"))


def test_files_that_are_no_pair_are_a_sentence(told, authority):
    another = authority.sign("another")

    with pytest.raises(ConfigError, match="no certificate in PEM with its key"):
        tls_of(replace(told, tls_key=another.key))
