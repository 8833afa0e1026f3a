"""docs/fairness.md says what the code does: vector, tables, and the other verifier."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from services.engine.kernel import chance
from services.engine.kernel import event as happened
from services.engine.kernel.ask import question_id
from services.engine.kernel.entry import Entry, EntryKind, Veil, chained, digest_of
from services.local.verify import verify
from services.vault.chain import commitment_of, first_key, next_key, veil_of
from services.vault.holdings import Holdings
from services.vault.ledger import Recorded
from tests.services.local.conftest import finished

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "fairness.md").read_text()
VECTOR = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[-1])
SEED = bytes.fromhex(VECTOR["seed"])

# Other languages this machine has; the page's own verifier is in JavaScript.
NODES = [found for found in (shutil.which("node"),) if found]


def rows(heading):
    """The rows of the first table under a heading: what stands between backticks."""
    section = PAGE.split(f" {heading}\n", 1)[1]
    table = re.search(r"\n\|---[-|]*\n((?:\|.*\n)+)", section)
    assert table is not None
    return [re.findall(r"`([^`]+)`", row) for row in table[1].splitlines()]


def test_the_vector_begins_with_the_seeds_own():
    assert VECTOR["commitment"] == commitment_of(SEED)
    assert VECTOR["veil"] == veil_of(SEED).hex()
    key = first_key(SEED, VECTOR["table"], VECTOR["nonces"])
    assert VECTOR["key0"] == key.hex()


def test_the_vectors_entry_and_question_are_named_by_their_past():
    entry, question = VECTOR["entry"], VECTOR["question"]

    assert entry["hash"] == chained(entry["previous"], entry["items"])
    assert question["id"] == question_id(question["journal_hash"], question["seat"])


def test_every_batch_of_the_vector_comes_out():
    holdings, key = Holdings(VECTOR["table"], SEED), bytes.fromhex(VECTOR["key0"])
    veil = Veil(veil_of(SEED))
    for batch in VECTOR["batches"]:
        asked = (batch["journal_hash"], batch["seat"], batch["choice"])
        assert batch["digest"] == digest_of(veil, *asked, batch["operations"])
        key = next_key(key, batch["digest"])
        assert batch["key"] == key.hex()
        results = holdings.resolve(batch["digest"], batch["operations"])
        assert batch["head"] == holdings.head
        assert batch["results"] == json.loads(json.dumps(results))


def test_the_vector_has_every_operation():
    verbs = {one[-1] for batch in VECTOR["batches"] for one in batch["operations"]}

    assert verbs == {kind.__args__[0] for kind in verb_types()}


def verb_types():
    return [kind.__annotations__["verb"] for kind in chance.Operation.__args__]


def test_the_page_lists_every_operation_with_its_items():
    listed = [row[0] for row in rows("Operations")]

    made = []
    for kind in chance.Operation.__args__:
        *items, _ = kind._fields
        verb = kind._field_defaults["verb"]
        made.append(f'[{", ".join(items)}, "{verb}"]')
    assert listed == made


def test_the_page_lists_every_item_of_an_entry():
    items = [row[0] for row in rows("Journal")]
    kinds = next(row[1:] for row in rows("Journal") if row[0] == "kind")

    assert items == list(Entry._fields)
    assert set(kinds) == {kind.value for kind in EntryKind}


def test_the_page_lists_every_event_with_its_fields():
    *events, moved, shown = rows("Events")

    assert events == [
        [kind.__name__, *kind._fields] for kind in happened.Event.__args__
    ]
    assert tuple(moved[1:]) == happened.CardMoved._fields
    assert tuple(shown[2:]) == happened.CardShown._fields


def test_the_page_lists_every_part_of_a_disclosure(paper):
    parts = [part for row in rows("The disclosure") for part in row if part.isalpha()]

    assert parts == ["format", "table", "game", "seed", "ledger", "journal", "events"]
    assert set(parts) == set(json.loads(paper))
    assert json.loads(paper)["format"] in PAGE
    assert list(Recorded._fields) == ["digest", "head", "operations", "results"]


@pytest.mark.parametrize("node", NODES)
def test_t10_a_verifier_in_another_language_agrees(node, tmp_path):
    table = finished(seed=8, seats=3, names=("Anné", "张", "🂡"))

    told = run(node, tmp_path, table.disclosure(), table.commitment)

    assert told == (
        f"Agrees: {len(table.ledger)} batches of chance, "
        f"{len(table.entries)} entries of the journal.\n"
    )


@pytest.mark.parametrize("node", NODES)
def test_both_verifiers_find_a_dealt_card_that_was_changed(node, paper, tmp_path):
    parts = json.loads(paper)
    deal = next(one for one in parts["ledger"] if one[3][0][0])
    deal[3][0][0][0][1] = "king"

    told = run(node, tmp_path, json.dumps(parts))

    number = parts["ledger"].index(deal) + 1
    assert told == f"Does not agree: result of batch {number} of the ledger differs.\n"
    assert verify(parts).problem.startswith(f"Batch {number} of the ledger: results")


def run(node, folder, text, *more):
    (folder / "disclosure.json").write_text(text)
    command = [node, DOCS / "fairness_check.mjs", folder / "disclosure.json", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr
