"""The contract as data: every proto of ours, its services, fields and comments."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.descriptor_pool import DescriptorPool

# Its extension must be known, or the access of a method cannot be read.
from anpai.access.v1 import access_pb2

ROOT = Path(__file__).parents[2]
PROTOS = ROOT / "protos"
RELEASED = Path(__file__).parent / "released.binpb"
BUF = Path(sys.executable).parent / "buf"

PUBLIC = ("anpai.matchmaking.v1", "anpai.engine.v1", "anpai.audit.v1")


def buf(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run buf; what it says is in stdout and stderr."""
    return subprocess.run(
        [str(BUF), *map(str, arguments)], capture_output=True, text=True, check=False
    )


@cache
def files() -> tuple[descriptor_pb2.FileDescriptorProto, ...]:
    """Our protos and what they import, each after its imports."""
    built = subprocess.run(
        [str(BUF), "build", str(PROTOS), "-o", "-"], capture_output=True, check=True
    )
    return tuple(descriptor_pb2.FileDescriptorSet.FromString(built.stdout).file)


@cache
def pool() -> DescriptorPool:
    pool = DescriptorPool()
    for file in files():
        pool.Add(file)
    return pool


def ours() -> list[descriptor_pb2.FileDescriptorProto]:
    return [file for file in files() if file.package.startswith("anpai.")]


def methods() -> Iterator[MethodDescriptor]:
    for file in ours():
        for service in file.service:
            full_name = f"{file.package}.{service.name}"
            yield from pool().FindServiceByName(full_name).methods


def access_of(method: MethodDescriptor) -> int:
    """Read through the bytes: the pool's own options do not know our extension."""
    raw = method.GetOptions().SerializeToString()
    return int(
        descriptor_pb2.MethodOptions.FromString(raw).Extensions[access_pb2.access]
    )


def reachable(*names: str) -> Iterator[FieldDescriptor]:
    """Every field of these messages and of the messages in them."""
    waiting = [pool().FindMessageTypeByName(name) for name in names]
    seen: set[str] = set()
    while waiting:
        message = waiting.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        yield from message.fields
        waiting.extend(inner(message))


def inner(message: Descriptor) -> list[Descriptor]:
    return [field.message_type for field in message.fields if field.message_type]
