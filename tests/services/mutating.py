"""Messages that nearly make sense, and bytes that nearly are messages.

All of it follows from one seed: what broke a service breaks it again.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

ODD_TEXTS = (
    *(
        "",
        " ",
        "\x00",
        "a" * 5000,
        "a" * 30_000,
        "暗牌" * 40,
        "\u202eanna",
        "\ud7ff",
        "t-",
        "../..",
        "*",
    ),
    *("{}", "skirmish/", "/", "gwent", "-1", "0", "None", "{table}", "%s%n", "'--"),
)
ODD_NUMBERS = (0, 1, 2, 5, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1)
NUMBERS = {
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
}

Known = Mapping[str, Sequence[Any]]


class Mutator:
    """`known` are values by the names of fields that mean something to the services."""

    def __init__(self, dice: random.Random, known: Known) -> None:
        self._dice = dice
        self._known = known

    def raw(self, descriptor: Descriptor) -> bytes:
        """A message of this type, more or less."""
        whole: bytes = self.message(descriptor).SerializeToString()
        for _ in range(self._dice.choice((0, 0, 0, 0, 0, 1, 1, 3))):
            whole = self._bent(whole)
        return whole

    def message(self, descriptor: Descriptor, depth: int = 0) -> Any:
        message = GetMessageClass(descriptor)()
        for field in descriptor.fields:
            if self._dice.random() < (0.85 if depth < 4 else 0.2):
                self._fill(message, field, depth)
        return message

    def _fill(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        if field.is_repeated:
            number = self._dice.choice((0, 1, 1, 2, 2, 3, 4, 40))
            many = [self._value(field, depth) for _ in range(number)]
            getattr(message, field.name).extend(many)
        elif field.message_type:
            getattr(message, field.name).CopyFrom(self._value(field, depth))
        else:
            setattr(message, field.name, self._value(field, depth))

    def _value(self, field: FieldDescriptor, depth: int) -> Any:
        if field.message_type:
            return self.message(field.message_type, depth + 1)
        if field.name in self._known and self._dice.random() < 0.8:
            return self._dice.choice(self._known[field.name])
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return self._dice.random() < 0.5
        if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
            return self._dice.choice((0.0, -1.0, 1e308, float("inf"), float("nan")))
        if field.enum_type:
            return self._dice.choice((0, 1, 2, 77))
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self._dice.randbytes(self._dice.choice((0, 1, 31, 32, 33, 300)))
        if field.type == FieldDescriptor.TYPE_STRING:
            return self._dice.choice(ODD_TEXTS)
        return self._number(field)

    def _number(self, field: FieldDescriptor) -> int:
        least, most = NUMBERS[field.cpp_type]
        odd = self._dice.choice(ODD_NUMBERS)
        return odd if least <= odd <= most else self._dice.randint(least, most)

    def _bent(self, raw: bytes) -> bytes:
        """With one thing wrong about its bytes."""
        at = self._dice.randrange(len(raw) + 1)
        to = min(len(raw), at + self._dice.choice((1, 2, 8, 100)))
        ways = (
            lambda: raw[:at],
            lambda: raw[:at] + raw[to:],
            lambda: raw[:at] + raw[at:to] * 3 + raw[to:],
            lambda: raw[:at] + self._dice.randbytes(to - at) + raw[to:],
            lambda: raw[:at] + b"\xff" * 9 + raw[at:],
            lambda: raw[to:] + raw[:to],
        )
        return self._dice.choice(ways)()
