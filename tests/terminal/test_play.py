"""A person plays in a terminal, leaves, comes back, gives up."""

import json
import stat
import subprocess
import sys

from rich.cells import cell_len

from tests.terminal.conftest import wait_until
from tests.terminal.pty import PROMPT, Terminal

AGAIN = "The same once more, with the same players? [y/N] "


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
        terminal.reads(AGAIN)
        terminal.types("")
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
        terminal.reads(AGAIN)
        terminal.types("n")
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


def table_shown(terminal):
    terminal.reads("Table t-")
    terminal.reads(". ")
    return "t-" + terminal.shown.split("Table t-", 1)[1].split(".", 1)[0]


def test_whoever_makes_a_room_says_who_may_look_on(stack):
    watching = ("--dir", str(stack.folder), "--lang", "en")
    for spectators, told in (
        ("none", "Only those who play see this table before its end."),
        ("delayed", "Whoever looks on here is 20 events behind"),
        ("open", "Round 1"),
    ):
        room = ("--room", "new", "--seats", "2", "--bots", "1")
        with play(stack, "skirmish", *room, "--spectators", spectators) as anna:
            table = table_shown(anna)
            anna.reads(PROMPT)
            with Terminal("watch", table, *watching) as carl:
                carl.reads(told)
            anna.types("concede")
            anna.types("concede")
            anna.reads(AGAIN)


def test_who_may_look_on_is_settled_with_a_new_room_alone(stack):
    with play(stack, "skirmish", "--spectators", "none") as anna:
        anna.reads("Who may look on is settled with a new room")
        assert anna.ends() == 1


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
            anna.types("/say [bold]Good luck, {name}!")
            ben.reads("Anna: [bold]Good luck, {name}!")
            anna.types("/team Only us")
            anna.reads("Not said: channel must be TABLE, where everybody plays alone.")
            ben.types("concede")
            ben.types("concede")
            ben.reads(AGAIN)
            ben.types("")
            assert ben.ends() == 0
        anna.reads("Anna wins")
        anna.reads(AGAIN)
        anna.types("")
        assert anna.ends() == 0
        assert "Your rating" not in anna.shown  # they have chosen each other


def test_a_party_finds_one_table(stack):
    code = json_of(stack, "party", "new", name="Ida")["code"]
    with (
        play(stack, "--party", code, name="Jan") as jan,
        play(stack, "skirmish", "--seats", "2", name="Ida") as alone,
    ):
        jan.reads(f"Party {code}: waiting for Ida to find a table.")
        alone.reads(PROMPT)  # who does not name the party plays alone
        alone.types("concede")
        alone.types("concede")
        alone.reads(AGAIN)
        assert seats_in_the_end(stack, "Ida", number=0) == []
        with play(
            stack, "skirmish", "--seats", "3", "--party", code, name="Ida"
        ) as ida:
            table = ida.reads("Round 1").split("Table t-", 1)[1][:16]
            jan.reads(f"Table t-{table}")
            for one in (ida, jan):
                one.types("q")
                assert one.ends() == 0
    members = json_of(stack, "party", name="Jan")["members"]
    assert [each["name"] for each in members] == ["Ida", "Jan"]


def test_who_joins_a_party_that_waits_already_waits_for_it_to_ask_anew(stack):
    code = json_of(stack, "party", "new", name="Olga")["code"]
    leads = ("skirmish", "--seats", "3", "--party", code)
    with play(stack, *leads, "--wait", "600", name="Olga") as olga:
        olga.reads("Waiting for other players (1 waiting).")
        with play(stack, "--party", code, name="Pit") as pit:
            olga.reads("the party has changed; enter again")
            assert olga.ends() == 1
            pit.reads("waiting for Olga to find a table")
            with play(stack, *leads, name="Olga") as again:
                assert table_shown(again) == table_shown(pit)
                for one in (again, pit):
                    one.types("q")
                    assert one.ends() == 0


def test_a_party_plays_the_same_once_more_together(stack):
    code = json_of(stack, "party", "new", name="Mia")["code"]
    leads = ("skirmish", "--seats", "3", "--party", code)
    with play(stack, "--party", code, name="Nils") as nils:
        nils.reads("waiting for Mia to find a table")  # he is in it before she looks
        with play(stack, *leads, name="Mia") as mia:
            both = (mia, nils)
            before = {table_shown(one) for one in both}
            assert len(before) == 1
            for one in both:
                one.reads("Round 1")
                one.types("concede")
                one.types("concede")
            for one in both:
                one.reads(AGAIN)
            nils.types("y")
            nils.reads("waiting for Mia to find a table")
            mia.types("y")
            again = {next_table(one) for one in both}
            assert len(again) == 1
            assert again != before
            for one in both:
                one.types("q")
                assert one.ends() == 0


def next_table(terminal):
    terminal.reads("Table t-")
    terminal.reads("Commitment")
    return "t-" + terminal.shown.rpartition("Table t-")[2].split(".", 1)[0]


def test_t60_bots_come_after_the_wait_for_people(stack):
    with play(stack, "skirmish", "--seats", "3", "--wait", "1", name="Kim") as kim:
        kim.reads("Waiting for other players (1 waiting).")
        kim.reads("Table t-")
        kim.reads(PROMPT)
        kim.types("q")
        assert kim.ends() == 0


def test_strangers_are_rated_and_play_again(stack):
    queue = ("skirmish", "--seats", "2", "--bots", "0")
    with (
        play(stack, *queue, name="Eva") as eva,
        play(stack, *queue, name="Finn") as finn,
    ):
        for one in (eva, finn):
            one.reads("Are you there? Press Enter within ")
            one.types("")
        finn.reads("Round 1")
        finn.types("concede")
        finn.types("concede")
        assert "+" in eva.reads("place 1.").split("Your rating")[1]
        assert "(-" in finn.reads("place 2.").split("Your rating")[1]
        for one in (eva, finn):
            one.reads(AGAIN)
            one.types("y")
        for one in (eva, finn):
            one.reads("Table t-")
        eva.reads("Round 1")
        finn.reads("Round 1")
        told = json_of(stack, "leaderboard", "skirmish", name="Eva")
        assert [one["name"] for one in told["players"][:2]] == ["Eva", "Finn"]
        assert told["own"]["points"] == told["players"][0]["points"] > 1000
        [seat] = seats_in_the_end(stack, "Eva", number=1)
        assert (seat["game"], seat["rated"]) == ("skirmish", False)
        assert seat["table"] in eva.shown
        for one in (eva, finn):
            one.types("q")
            assert one.ends() == 0


def test_t36_who_sits_at_several_tables_goes_on_at_the_one_he_names(stack):
    for _ in range(2):
        with play(stack, "skirmish", name="Gil") as gil:
            if "Go on there?" in gil.reads_one_of("Go on there? [Y/n] ", PROMPT):
                gil.types("n")
                gil.reads(PROMPT)
            gil.types("q")
            assert gil.ends() == 0
    newest, oldest = [one["table"] for one in json_of(stack, "tables", name="Gil")]

    with play(stack, "--table", oldest, name="Gil") as gil:
        gil.reads(f"Table {oldest}.")
        gil.reads(PROMPT)
        gil.types("concede")
        gil.types("concede")
        gil.reads(AGAIN)
        gil.types("n")
        assert gil.ends() == 0

    [seat] = seats_in_the_end(stack, "Gil", number=1)
    assert seat["table"] == newest
    with play(stack, "--table", oldest, name="Gil") as gil:
        gil.reads(f"You have no seat at table {oldest}")
        assert gil.ends() == 1


def seats_in_the_end(stack, name, number):
    """Where one sits: that a game is over is known a little later."""
    found = []

    def are_so_many():
        found[:] = json_of(stack, "tables", name=name)
        return len(found) == number

    wait_until(are_so_many)
    return found


def json_of(stack, *command, name):
    where = ("--dir", str(stack.folder), "--name", name, "--json")
    done = subprocess.run(
        [sys.executable, "-m", "clients.terminal", *command, *where],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_a_token_is_kept_for_its_owner_alone(stack):
    json_of(stack, "tables", name="Tom")
    files = list((stack.folder / "players").iterdir())
    assert files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
