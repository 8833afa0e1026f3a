"""Build hook: stubs for every proto, typed, beside the SDK.

`python hatch_build.py` does the same for a checkout. Nothing is done when the stubs
already belong to these protos and this generator.
"""

import hashlib
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
SDK = HERE / "src" / "anpai"
STAMP = SDK / ".stubs"


class StubsHook(BuildHookInterface):
    """A wheel gets the stubs; a source distribution gets the protos to make them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            build_data["force_include"][str(protos())] = "protos"
        else:
            refresh()


def protos() -> Path:
    """Inside a source distribution the protos lie here, in a checkout at its root."""
    for folder in (HERE / "protos", HERE.parents[1] / "protos"):
        if folder.is_dir():
            return folder
    raise SystemExit("anpai: no protos/ folder found to generate the stubs from")


def refresh() -> None:
    sources = sorted(protos().rglob("*.proto"))
    wanted = fingerprint(sources)
    if not sources or (STAMP.exists() and STAMP.read_text() == wanted):
        return
    with tempfile.TemporaryDirectory() as made:
        generate(sources, Path(made))
        install(Path(made) / "anpai")
    STAMP.write_text(wanted)


def fingerprint(sources: list[Path]) -> str:
    digest = hashlib.sha256()
    for part in ("grpcio-tools", "mypy-protobuf"):
        digest.update(f"{part} {version(part)}\n".encode())
    for source in sources:
        digest.update(f"{source.relative_to(protos())}\n".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def generate(sources: list[Path], out: Path) -> None:
    import grpc_tools
    from grpc_tools import protoc

    well_known = Path(grpc_tools.__file__).parent / "_proto"
    failed = protoc.main(
        [
            "protoc",
            f"--proto_path={protos()}",
            f"--proto_path={well_known}",
            f"--plugin=protoc-gen-mypy={plugin('mypy')}",
            f"--plugin=protoc-gen-mypy_grpc={plugin('mypy_grpc')}",
            f"--python_out={out}",
            f"--grpc_python_out={out}",
            f"--mypy_out={out}",
            f"--mypy_grpc_out={out}",
            *map(str, sources),
        ]
    )
    if failed:
        raise SystemExit("anpai: protoc refused the protos, see above")
    for package in sorted(out.glob("anpai/**/")):
        (package / "__init__.py").touch()


def plugin(name: str) -> str:
    """protoc's plugins lie beside this Python, which need not be on the PATH."""
    beside = Path(sys.executable).parent
    found = shutil.which(f"protoc-gen-{name}", path=str(beside))
    found = found or shutil.which(f"protoc-gen-{name}")
    if found is None:
        raise SystemExit(f"anpai: protoc-gen-{name} is missing: install mypy-protobuf")
    return found


def install(made: Path) -> None:
    """Replace file by file, so that a running process never finds a package gone."""
    for package in (child for child in made.iterdir() if child.is_dir()):
        home = SDK / package.name
        fresh = {path.relative_to(package) for path in package.rglob("*.py*")}
        for path in fresh:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(package / path, home / path)
        for path in home.rglob("*.py*"):
            if path.suffix != ".pyc" and path.relative_to(home) not in fresh:
                path.unlink()


if __name__ == "__main__":
    refresh()
