"""One stack of processes for all that is measured here."""

import pytest

from clients.bench.stage import fresh_stack, stack_in


@pytest.fixture(scope="session")
def folder():
    """Of a running stack with two engine workers, where seats wait to be taken."""
    with fresh_stack(workers=2, told={"ANPAI_SEAT_WAIT": "86400"}) as folder:
        yield folder


@pytest.fixture
def stack(folder):
    return stack_in(folder)


@pytest.fixture
def said():
    """A list of all steps that are told, as `said.append` would have them."""
    return Steps()


class Steps(list[str]):
    def __call__(self, key, **values):
        self.append(key)
