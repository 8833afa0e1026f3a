"""Whether we speak in TLS, and whom we trust then."""

from pathlib import Path

import grpc

SECURE = "grpcs://"
PLAIN = "grpc://"

# True for the usual roots, a file of others, or credentials made elsewhere.
Tls = grpc.ChannelCredentials | bool | str | Path


def address_in(server: str) -> str:
    """`host:port` of what may begin with grpcs:// or grpc://."""
    return server.removeprefix(SECURE).removeprefix(PLAIN)


def credentials_for(server: str, tls: Tls) -> grpc.ChannelCredentials | None:
    """What to dial with; None for no TLS. OSError where the file cannot be read."""
    if isinstance(tls, str | Path):
        return grpc.ssl_channel_credentials(Path(tls).read_bytes())
    if isinstance(tls, bool):
        wanted = tls or server.startswith(SECURE)
        return grpc.ssl_channel_credentials() if wanted else None
    return tls


def showing(cert: Path, key: Path, ca: Path | None = None) -> grpc.ChannelCredentials:
    """With a certificate of our own, for servers that serve nobody without one; `ca` is
    whom we trust, else the usual roots."""
    roots = ca.read_bytes() if ca else None
    return grpc.ssl_channel_credentials(roots, key.read_bytes(), cert.read_bytes())
