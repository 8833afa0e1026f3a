"""What a bot host is told by its environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anpai.tls import SECURE, Tls, showing


@dataclass(frozen=True, slots=True)
class Config:
    """`engines` are where tables are played, if not where players are told to go. `tls`
    is a file of roots to trust, if any. `think` is in seconds. `metrics_listen` is for
    operators, who are shown the `certificate` with its key, if any, as is whoever is
    called in TLS and asks for one. `address_file` is written once the host offers
    seats, `seats_file` keeps those it plays."""

    server: str
    keys: Path
    engines: tuple[str, ...] = ()
    tls: bool | Path = False
    certificate: tuple[Path, Path] | None = None
    capacity: int = 200
    think: float = 0.0
    metrics_listen: str | None = None
    address_file: Path | None = None
    seats_file: Path | None = None

    def credentials(self) -> Tls:
        """What to call with."""
        is_secure = self.tls or self.server.startswith(SECURE)
        if self.certificate is None or not is_secure:
            return self.tls
        ca = self.tls if isinstance(self.tls, Path) else None
        return showing(*self.certificate, ca)


def config_from(environ: Mapping[str, str]) -> Config:
    """Raises ValueError, with a sentence for the operator."""
    told = {name: value for name, value in environ.items() if value}
    if "ANPAI_KEYS" not in told:
        raise ValueError("ANPAI_KEYS is not set: the folder with bots.key.")
    return Config(
        server=told.get("ANPAI_SERVER", "127.0.0.1:8400"),
        keys=Path(told["ANPAI_KEYS"]),
        engines=tuple(told.get("ANPAI_ENGINES", "").replace(",", " ").split()),
        tls=_path(told, "ANPAI_TLS_CA") or False,
        certificate=_certificate(told),
        capacity=_number(told, "ANPAI_CAPACITY", 200),
        think=_number(told, "ANPAI_THINK_MS", 0) / 1000,
        metrics_listen=_address(told, "ANPAI_METRICS_LISTEN"),
        address_file=_path(told, "ANPAI_ADDRESS_FILE"),
        seats_file=_path(told, "ANPAI_SEATS_FILE"),
    )


def _number(told: Mapping[str, str], name: str, usual: int) -> int:
    text = told.get(name, str(usual))
    if not text.isdecimal():
        raise ValueError(f'{name} must be a whole number, not "{text}".')
    return int(text)


def _address(told: Mapping[str, str], name: str) -> str | None:
    text = told.get(name)
    if text is not None and not re.fullmatch(r".+:\d{1,5}", text):
        raise ValueError(f'{name} must be host:port, not "{text}".')
    return text


def _certificate(told: Mapping[str, str]) -> tuple[Path, Path] | None:
    cert, key = _path(told, "ANPAI_TLS_CERT"), _path(told, "ANPAI_TLS_KEY")
    if cert is not None and key is not None:
        return cert, key
    if cert or key:
        raise ValueError("ANPAI_TLS_CERT and ANPAI_TLS_KEY belong together.")
    return None


def _path(told: Mapping[str, str], name: str) -> Path | None:
    return Path(told[name]) if name in told else None
