"""The protos are written as agreed: linted, and half of them prose."""

from pathlib import Path

import pytest

from tests.contract.contract import PROTOS, buf

LEAST_PROSE = 0.5  # of what there is to read, in characters


def test_the_protos_pass_every_standard_rule_and_all_is_commented():
    assert "use: [STANDARD, COMMENTS]" in (PROTOS / "buf.yaml").read_text()

    found = buf("lint", PROTOS)

    assert (found.returncode, found.stdout) == (0, "")


def test_an_uncommented_message_is_noticed(tmp_path):
    (tmp_path / "buf.yaml").write_text((PROTOS / "buf.yaml").read_text())
    (tmp_path / "a.proto").write_text('syntax = "proto3";\nmessage Bare {}\n')

    found = buf("lint", tmp_path)

    assert 'Message "Bare" should have a non-empty comment' in found.stdout


@pytest.mark.parametrize("path", sorted(PROTOS.rglob("*.proto")), ids=lambda p: p.stem)
def test_half_of_a_proto_is_prose(path: Path):
    lines = [line.strip() for line in path.read_text().splitlines() if line.strip()]
    prose = sum(len(line) for line in lines if line.startswith("//"))

    assert prose / sum(map(len, lines)) >= LEAST_PROSE


def test_no_comment_puts_something_off():
    for path in PROTOS.rglob("*.proto"):
        assert "TODO" not in path.read_text(), path
