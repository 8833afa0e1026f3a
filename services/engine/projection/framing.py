"""Messages put together from pieces that are bytes already.

A field that holds a message is a tag, a length and that message's bytes; fields may
stand in any order. So what several viewers are sent alike is serialised once.
"""

from google.protobuf.message import Message

BYTES = 2  # the wire type


def field_of(kind: type[Message], name: str) -> bytes:
    """The tag of a field that holds one message, or each of many."""
    number = kind.DESCRIPTOR.fields_by_name[name].number
    return varint(number << 3 | BYTES)


def framed(field: bytes, message: bytes) -> bytes:
    """This field with this message."""
    return field + varint(len(message)) + message


def varint(number: int) -> bytes:
    """A number as the wire has it: seven bits a byte, the lowest first."""
    if number < 0x80:
        return bytes((number,))
    return bytes((number & 0x7F | 0x80,)) + varint(number >> 7)
