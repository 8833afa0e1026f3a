"""A person plays in a terminal, leaves, comes back, gives up."""

import stat

from rich.cells import cell_len

from tests.terminal.pty import PROMPT, Terminal


def play(stack, *options, name="Anna", language="en"):
    where = ("--dir", str(stack.folder), "--lang", language, "--name", name)
    return Terminal("play", *options, *where)


def test_a_person_plays_leaves_comes_back_and_gives_up(stack):
    with play(stack, "skirmish") as terminal:
        terminal.reads(PROMPT)
        terminal.types("?")
        assert "Soldiers in hand" not in terminal.reads(PROMPT)  # not the board again
        terminal.types("99")
        terminal.reads("There is no option 99.")
        terminal.reads(PROMPT)
        terminal.types("1")
        terminal.reads("Anna lays ")
        terminal.reads(PROMPT)
        terminal.types("q")
        assert terminal.ends() == 0
        hint = f"Go on with: anpai play --resume --dir {stack.folder} --name Anna"
        assert hint in terminal.shown
    with play(stack, "--resume") as terminal:
        terminal.reads("▒")  # what was laid still lies there
        terminal.reads(PROMPT)
        terminal.types("concede")
        terminal.reads("Type concede once more.")
        terminal.types("concede")
        terminal.reads("Anna gives up.")
        terminal.reads("anpai verify t-")
        assert terminal.ends() == 0


def test_a_person_plays_gwent_and_types_the_pass(stack):
    with play(stack, "gwent", name="Dora") as terminal:
        assert "Northern Realms: shoulder to shoulder" in terminal.reads(PROMPT)
        terminal.types("? 3")
        terminal.reads("For each round that you win you draw a card.")
        terminal.reads(PROMPT)
        terminal.types("3")
        assert "keep the hand (Enter)" in terminal.reads(PROMPT)
        terminal.types("")
        assert "  0 pass\n" in terminal.reads(PROMPT)
        terminal.types("")
        terminal.reads("0 for: pass.")
        terminal.reads(PROMPT)
        terminal.types("0")
        terminal.reads("Dora passes.")
        terminal.reads("— ")
        terminal.types("q")
        assert terminal.ends() == 0


def test_ctrl_c_keeps_the_seat_which_is_offered_the_next_time(stack):
    with play(stack, "skirmish", name="Cem") as terminal:
        terminal.reads(PROMPT)
        terminal.presses_ctrl_c()
        assert terminal.ends() == 130
        assert "Your seat is kept." in terminal.shown
        assert "Traceback" not in terminal.shown
    with play(stack, "skirmish", name="Cem") as terminal:
        terminal.reads("Go on there? [Y/n] ")
        terminal.presses_ctrl_c()
        assert terminal.ends() == 130
    with play(stack, "skirmish", name="Cem") as terminal:
        terminal.reads("Go on there? [Y/n] ")
        terminal.types("y")
        terminal.reads(PROMPT)
        terminal.types("concede")
        terminal.types("concede")
        assert terminal.ends() == 0


def test_a_chinese_evening_fits_in_80_columns(stack):
    options = ("skirmish", "--seats", "3")
    with play(stack, *options, name="陈晨", language="zh") as terminal:
        terminal.reads("编号（? 说明，h 帮助）：")
        terminal.types("h")
        terminal.reads("编号（? 说明，h 帮助）：")
        terminal.types("q")
        assert terminal.ends() == 0
        lines = terminal.shown.split("牌桌 t-", 1)[1].splitlines()[1:]
        board = lines[: next(i for i, line in enumerate(lines) if "编号" in line)]
        assert max(map(cell_len, board)) <= 80
        assert "士兵手牌" in terminal.shown


def test_two_people_meet_in_a_private_room(stack):
    room = ("--room", "new", "--seats", "2", "--bots", "0")
    with play(stack, "skirmish", *room) as anna:
        anna.reads("anpai play --room ")
        anna.reads("\n")
        code = anna.shown.split("Room ", 1)[1].split(".", 1)[0]
        options = ("--dir", str(stack.folder), "--lang", "en", "--name", "Ben")
        with Terminal("play", "--room", code, *options) as ben:
            ben.reads("Table t-")
            anna.reads("Table t-")
            ben.reads("Round 1")
            ben.types("concede")
            ben.types("concede")
            assert ben.ends() == 0
        anna.reads("Anna wins")
        assert anna.ends() == 0


def test_a_token_is_kept_for_its_owner_alone(stack):
    files = list((stack.folder / "players").iterdir())
    assert files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
