"""What a client writes down is whole, whatever became of it while it wrote."""

import json

import pytest


async def sat_down(player, seat, file):
    async with player.sit(seat, record=file):
        return file.read_text()


@pytest.mark.parametrize("torn", ['{"revi', '{"revision": 3, "upd', "{"])
async def test_a_line_that_was_not_ended_is_left_out(player, seat, tmp_path, torn):
    file = tmp_path / "heard.jsonl"
    before = await sat_down(player, seat, file)
    file.write_text(before + torn)

    after = await sat_down(player, seat, file)

    assert after.startswith(before)
    kinds = [set(json.loads(line)) for line in after.splitlines()]
    assert kinds == [{"table", "viewer", "commitment"}, *[{"revision", "update"}] * 2]


async def test_a_record_whose_first_line_was_not_ended_is_begun_anew(
    player, seat, tmp_path
):
    file = tmp_path / "heard.jsonl"
    whole = await sat_down(player, seat, file)
    file.write_text(whole[:20])

    assert await sat_down(player, seat, file) == whole


@pytest.mark.parametrize("other", ["my notes", "my notes\n{", '{"table": "t-2"}\n{'])
async def test_a_file_of_something_else_stays_as_it_is(player, seat, tmp_path, other):
    file = tmp_path / "notes.txt"
    file.write_text(other)

    with pytest.raises(FileExistsError, match="something else"):
        await sat_down(player, seat, file)

    assert file.read_text() == other
