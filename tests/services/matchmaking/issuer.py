"""Somebody outside who vouches for members: keys that it publishes, tokens it signs."""

import http.server
import json
import ssl
import threading
import time
from contextlib import contextmanager
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER = "https://members.example"
AUDIENCE = "anpai.example"

MAKERS: dict[str, tuple[Any, Any]] = {
    "RS256": (lambda: rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    "ES256": (lambda: ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
    "EdDSA": (ed25519.Ed25519PrivateKey.generate, OKPAlgorithm),
}


class Issuer:
    """`set` is what it publishes."""

    def __init__(self, *algorithms: str) -> None:
        self.keys: dict[str, tuple[str, Any]] = {}
        for algorithm in algorithms or ("RS256",):
            self.add(algorithm, algorithm.lower())

    def add(self, algorithm: str, id: str) -> None:
        self.keys[id] = algorithm, MAKERS[algorithm][0]()

    @property
    def set(self) -> bytes:
        return json.dumps({"keys": [self.published(id) for id in self.keys]}).encode()

    def published(self, id: str) -> dict[str, Any]:
        algorithm, key = self.keys[id]
        shown = MAKERS[algorithm][1].to_jwk(key.public_key(), as_dict=True)
        return {**shown, "kid": id, "use": "sig", "alg": algorithm}

    def token(self, id: str = "", subject: str = "42", **changed: Any) -> str:
        """Good, but for what is changed; None takes a claim away."""
        named = id or next(iter(self.keys))
        algorithm, key = self.keys[named]
        return jwt.encode(
            claims(subject, **changed), key, algorithm, headers={"kid": named}
        )


def claims(subject: str = "42", **changed: Any) -> dict[str, Any]:
    usual = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": subject,
        "name": "Anna Żółć",
        "exp": int(time.time()) + 60,
    }
    return {key: it for key, it in (usual | changed).items() if it is not None}


class Site(http.server.ThreadingHTTPServer):
    """Publishes what an issuer has, and counts how often somebody looked."""

    looked = 0
    answer: Any = None
    daemon_threads = True


class Page(http.server.BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.looked += 1
        body = self.server.answer()
        self.send_response(200 if body else 503)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def published(answer: Any, files: Any) -> Any:
    """A site in TLS; its address is `https://127.0.0.1:port/keys`."""
    site = Site(("127.0.0.1", 0), Page)
    site.answer = answer
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.cert, files.key)
    site.socket = context.wrap_socket(site.socket, server_side=True)
    threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield site, f"https://127.0.0.1:{site.server_address[1]}/keys"
    finally:
        site.shutdown()
        site.server_close()
