"""Bytes that are no message, and messages that make no sense, on every method."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.__main__ import House
from tests.contract.contract import access_of, methods
from tests.one_store import store_process  # noqa: F401
from tests.services.callers import Caller, everybody
from tests.services.raw import A_MOMENT, SECONDS, End, end_of, path_of, server_of
from tests.services.test_access import OPENED_BY, target_of

METHODS = {path_of(method): method for method in methods()}

# A tag that never ends, a length beyond the end, a group that nobody opened, groups in
# groups without end.
NO_MESSAGES = [b"\xff\xff\xff", b"\x0a\x05ab", b"\x0c", b"\x0b" * 10_000]

few = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

Send = Any


@pytest.fixture
async def send(house: House, keys_folder) -> AsyncIterator[Send]:
    """Sends bytes to a method as somebody who may call it."""
    open_ = {one.address: grpc.aio.insecure_channel(one.address) for one in house.all}

    async def send_it(path: str, raw: bytes, patience: float = A_MOMENT) -> End:
        method = METHODS[path]
        channel = open_[server_of(house, method)]
        who = caller_for(path, everybody(keys_folder, target_of(path)))
        return await end_of(channel, method, raw, who.metadata, patience)

    yield send_it
    for channel in open_.values():
        await channel.close()


def caller_for(path: str, callers: dict[str, Caller]) -> Caller:
    service = OPENED_BY.get(access_of(METHODS[path]))
    return callers[f"the {service} service" if service else "a guest"]


@pytest.mark.parametrize("path", METHODS)
async def test_bytes_that_are_no_message_are_called_so(path, send):
    for raw in NO_MESSAGES:
        end = await send(path, raw, SECONDS)

        assert end.code is grpc.StatusCode.INVALID_ARGUMENT
        assert end.reason == "MALFORMED_MESSAGE"


@few
@given(data=st.data())
async def test_any_bytes_get_an_answer_of_ours(data, send):
    path = data.draw(st.sampled_from(sorted(METHODS)))
    raw = data.draw(st.binary(max_size=200))

    assert_is_ours(await send(path, raw))


@few
@given(data=st.data())
async def test_any_message_gets_an_answer_of_ours(data, send):
    path = data.draw(st.sampled_from(sorted(METHODS)))
    message = data.draw(messages(METHODS[path].input_type))

    assert_is_ours(await send(path, message.SerializeToString()))


def assert_is_ours(end: End) -> None:
    """Let in or refused with a reason; never a fault, never where in our code."""
    assert end.code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), end
    assert end.code is grpc.StatusCode.OK or end.reason, end
    assert "Traceback" not in end.told
    assert ".py" not in end.told


SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.CPPTYPE_STRING: st.text(max_size=80),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(0, 99),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(),
}
BYTES = st.binary(max_size=80)


@st.composite
def messages(draw: Any, descriptor: Descriptor) -> Any:
    """Some message of this type, each field set or not."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if draw(st.booleans()):
            fill(draw, message, field)
    return message


def fill(draw: Any, message: Any, field: FieldDescriptor) -> None:
    if field.message_type:
        value: Any = messages(field.message_type)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        value = BYTES
    else:
        value = SCALARS[field.cpp_type]
    if field.is_repeated:
        getattr(message, field.name).extend(draw(st.lists(value, max_size=3)))
    elif field.message_type:
        getattr(message, field.name).CopyFrom(draw(value))
    else:
        setattr(message, field.name, draw(value))
