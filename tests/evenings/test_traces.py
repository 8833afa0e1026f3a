"""What is traced of an evening: one request through all services, and no secret."""

import pytest

from services.local import disclosure
from tests.evenings.canary import canaries_in

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def spans(watched):
    """By id, each with the service it comes from."""
    return {
        span.span_id: (service_of(resource), span)
        for export in watched.exports
        for resource in export.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    }


@pytest.fixture(scope="module")
def text(watched):
    return "\n".join(str(export) for export in watched.exports)


def service_of(resource_spans):
    about = resource_spans.resource.attributes
    return {one.key: one.value.string_value for one in about}["service.name"]


def line_of(spans, service, name):
    """Every such span with all that lies above it, from the top: service and name."""
    for of, span in spans.values():
        if (of, span.name) == (service, name):
            line = [(of, span.name)]
            while span.parent_span_id:
                of, span = spans[span.parent_span_id]
                line.insert(0, (of, span.name))
            yield line


def test_a_table_for_tickets_is_followed_through_all_services(spans):
    assert [
        ("anpai-matchmaking", "seat"),
        ("anpai-engine", "/anpai.engine.internal.v1.EngineInternalService/OpenTable"),
        ("anpai-vault", "/anpai.vault.v1.VaultService/OpenTable"),
        ("anpai-vault", "store vault.open"),
    ] in list(line_of(spans, "anpai-vault", "store vault.open"))


def test_an_answer_is_followed_to_the_ledger_and_the_journal(spans):
    answer = [("anpai-engine", "Sit/answer"), ("anpai-engine", "table")]
    dealt = [("anpai-engine", "chance"), ("anpai-vault", "resolve")]

    assert [*answer, *dealt, ("anpai-vault", "store vault.resolve")] in list(
        line_of(spans, "anpai-vault", "store vault.resolve")
    )
    assert [*answer, ("anpai-engine", "store append")] in list(
        line_of(spans, "anpai-engine", "store append")
    )


def test_a_call_that_is_passed_on_stays_one_trace(spans):
    name = "/anpai.engine.v1.EngineService/GetView"

    assert [("anpai-engine", name)] * 2 in list(line_of(spans, "anpai-engine", name))


def test_each_answer_on_a_stream_is_a_trace_of_its_own(spans):
    answers = [span for _, span in spans.values() if span.name == "Sit/answer"]

    assert len({span.trace_id for span in answers}) == len(answers) > 10


def test_a_span_tells_a_table_a_number_and_how_it_ended_and_no_more(spans):
    told = {one.key for _, span in spans.values() for one in span.attributes}

    assert told <= {"anpai.table", "anpai.number", "anpai.ended"}
    assert not any(span.events or span.links for _, span in spans.values())
    assert not any(span.status.message for _, span in spans.values())


def test_no_span_has_a_face(watched, text):
    assert canaries_in(text) == set()
    assert canaries_in(watched.games[0].text.decode()) != set()


def test_no_span_has_a_token(watched, text):
    tokens = [
        sent.message.token
        for game in watched.games
        for one in game.played
        for sent in one.tap.sent
        if sent.path.endswith("/SignIn")
    ]

    assert tokens
    assert not any(token in text for token in tokens)
    assert "Bearer" not in text


def test_no_span_has_a_choice_or_a_card(watched, text):
    chosen = set()
    for game in watched.games:
        paper = disclosure.read(game.text)
        for at in range(len(paper.journal)):
            entry = disclosure.entry_in(paper.journal, at)
            chosen |= {entry.answer_id, *(entry.choice or ())}
    long = {one for one in chosen if len(one) > 8}

    assert len(long) > 50
    assert [one for one in long if one in text] == []


def test_all_stop_in_order_and_hand_their_last_spans_over(watched):
    assert watched.exit_codes == {0}
