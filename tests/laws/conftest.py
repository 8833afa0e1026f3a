"""Each law runs over every case."""

import pytest

from tests.laws.playing import CASES


@pytest.fixture(params=CASES, ids=str)
def case(request):
    return request.param
