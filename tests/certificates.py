"""Certificates as an operator has them: an authority, and what it has signed."""

import datetime
import ipaddress
import socket
import ssl
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

HOUR = datetime.timedelta(hours=1)


class Files(NamedTuple):
    """One certificate and its key."""

    cert: Path
    key: Path


class Authority:
    """Signs for 127.0.0.1 and for names; whoever trusts it is given its `file`."""

    def __init__(self, folder: Path, name: str = "an authority") -> None:
        self._folder = folder
        self._name = named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        is_ca = x509.BasicConstraints(ca=True, path_length=None)
        itself = builder(self._name, self._name, self._key).add_extension(is_ca, True)
        self.file = folder / f"{name}.pem".replace(" ", "-")
        self.file.write_bytes(pem_of(itself.sign(self._key, hashes.SHA256())))

    def sign(self, name: str, *others: str) -> Files:
        """A certificate for this name, and files of it."""
        files = Files(self._folder / f"{name}.crt", self._folder / f"{name}.crt.key")
        key = ec.generate_private_key(ec.SECP256R1())
        names: list[x509.GeneralName] = [x509.DNSName(one) for one in (name, *others)]
        names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        of = builder(named(name), self._name, key).add_extension(
            x509.SubjectAlternativeName(names), False
        )
        files.key.write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        )
        files.cert.write_bytes(pem_of(of.sign(self._key, hashes.SHA256())))
        return files


def builder(subject: x509.Name, issuer: x509.Name, key: Any) -> Any:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - HOUR)
        .not_valid_after(now + 24 * HOUR)
    )


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def pem_of(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.PEM)


def serial_of(files: Files) -> int:
    return x509.load_pem_x509_certificate(files.cert.read_bytes()).serial_number


def shown_by(address: str) -> int:
    """The serial number of the certificate that this listener shows."""
    host, _, port = address.rpartition(":")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((host, int(port)), 30) as plain,
        context.wrap_socket(plain) as line,
    ):
        raw = line.getpeercert(binary_form=True)
    assert raw is not None
    return x509.load_der_x509_certificate(raw).serial_number
