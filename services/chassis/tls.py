"""TLS: what every listener shows, and whom we trust when we call.

A renewed certificate is taken up with the next connection, without a restart, and so is
whom else to trust; one that does not fit its key, or is torn, is not, and the log says
so.
"""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import structlog
from cryptography import x509

from services.chassis.config import ConfigError, ServiceConfig

log = structlog.get_logger()

Stamp = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Tls:
    """`name` is what the other services' certificates bear, where they are called by
    addresses that no certificate could name. `asks_clients` for theirs (mTLS)."""

    cert: Path
    key: Path
    ca: Path | None
    name: str | None
    asks_clients: bool

    def pair(self) -> tuple[bytes, bytes]:
        """The private key and the chain of certificates."""
        return self.key.read_bytes(), self.cert.read_bytes()

    def roots(self) -> bytes | None:
        return self.ca.read_bytes() if self.ca else None

    def for_clients(self) -> grpc.ChannelCredentials:
        """With our own certificate: whoever asks for one is shown it."""
        key, chain = self.pair()
        return grpc.ssl_channel_credentials(self.roots(), key, chain)

    def ends(self) -> float:
        """When the certificate ends, in seconds since 1970; 0 if it cannot be read."""
        try:
            shown = x509.load_pem_x509_certificate(self.cert.read_bytes())
        except (OSError, ValueError):
            return 0.0
        return shown.not_valid_after_utc.timestamp()

    def stamp(self) -> Stamp:
        """Another one as soon as a file is another."""
        found = [path.stat() for path in (self.cert, self.key, self.ca) if path]
        return tuple((one.st_mtime_ns, one.st_ino, one.st_size) for one in found)


def tls_of(config: ServiceConfig) -> Tls | None:
    """What the settings say, proven to fit together; ConfigError where they do not."""
    cert, key, ca = config.tls_cert, config.tls_key, config.tls_ca
    if cert is None and key is None:
        if ca or config.tls_name or config.tls_clients:
            raise ConfigError("ANPAI_TLS_CERT is not set, and the other ANPAI_TLS are.")
        return None
    if cert is None or key is None:
        raise ConfigError("ANPAI_TLS_CERT and ANPAI_TLS_KEY belong together.")
    if config.tls_clients and ca is None:
        raise ConfigError("ANPAI_TLS_CLIENTS needs ANPAI_TLS_CA, to know them by.")
    tls = Tls(cert, key, ca, config.tls_name, config.tls_clients)
    prove(tls)
    return tls


def prove(tls: Tls) -> None:
    try:
        refuse_none(tls.ca)
    except OSError:
        raise ConfigError("ANPAI_TLS_CA: no certificate in PEM.") from None
    try:
        http_context(tls)
    except (OSError, ValueError):
        raise ConfigError(
            "ANPAI_TLS_CERT, ANPAI_TLS_KEY: no certificate in PEM with its key."
        ) from None


def refuse_none(ca: Path | None) -> None:
    """OSError where there is no certificate in a file, or one that is torn."""
    if ca is not None:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca)


# ---- listening -----------------------------------------------------------------------


class Renewal:
    """Says when the files have changed for a pair that fits, and whole authorities."""

    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self._seen = tls.stamp()

    def is_due(self) -> bool:
        """Whether there is anything new since this was last asked."""
        try:
            stamp = self._tls.stamp()
            if stamp == self._seen:
                return False
            refuse_none(self._tls.ca)
            http_context(self._tls)
        except (OSError, ValueError) as error:
            log.warning("certificate not taken", error=type(error).__name__)
            return False
        self._seen = stamp
        log.info("certificate renewed")
        return True


def for_servers(tls: Tls) -> grpc.ServerCredentials:
    """Asked anew at each handshake, from a thread of gRPC's."""
    renewal = Renewal(tls)

    def shown() -> Any:
        return grpc.ssl_server_certificate_configuration([tls.pair()], tls.roots())

    def renewed() -> Any:
        return shown() if renewal.is_due() else None

    return grpc.dynamic_ssl_server_credentials(shown(), renewed, tls.asks_clients)


def http_context(tls: Tls) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(tls.cert, tls.key)
    return context


class HttpTls:
    """What a listener that speaks HTTP shows, now."""

    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self._renewal = Renewal(tls)
        self._context = http_context(tls)

    def wrap(self, connection: Any) -> Any:
        """The handshake is made with the first read, so that it holds nobody up."""
        if self._renewal.is_due():
            self._context = http_context(self._tls)
        return self._context.wrap_socket(
            connection, server_side=True, do_handshake_on_connect=False
        )


# ---- calling -------------------------------------------------------------------------


def dial(
    address: str, tls: Tls | None, options: list[tuple[str, Any]]
) -> grpc.aio.Channel:
    """A channel to another service: in TLS where we have it ourselves."""
    if tls is None:
        return grpc.aio.insecure_channel(address, options=options)
    if tls.name is not None:
        options = [*options, ("grpc.ssl_target_name_override", tls.name)]
    return grpc.aio.secure_channel(address, tls.for_clients(), options=options)
