from __future__ import annotations

import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from requests_for_tests import MODEL, engine, request
from scripted_server import Fault, ScriptedServer, completion, running

from curation.errors import InputError, OutsideError
from curation.llm.engine import Answer, ModelIdentity

OK = {"Content-Type": "application/json"}


def only(answers: list[Answer]) -> Answer:
    assert len(answers) == 1
    return answers[0]


def test_request_carries_the_prompt_the_sampler_and_a_seed_of_its_own() -> None:
    with running(ScriptedServer()) as server:
        answers = list(engine(server.url).answer(request("p1", index) for index in range(5)))
    assert sorted(answer.response.sample_index for answer in answers) == list(range(5))
    payload = server.payloads[0]
    assert payload["path"] == "/v1/chat/completions"
    assert payload["messages"] == [{"role": "user", "content": "What is p1?"}]
    assert (payload["model"], payload["temperature"], payload["max_tokens"]) == ("test-model", 1.0, 64)
    assert len({payload["seed"] for payload in server.payloads}) == 5
    for answer in answers:
        response = answer.response
        assert response.response_id == answer.request.key(MODEL)
        assert (response.text, response.finish_reason) == (f"seed {answer.request.seed}", "stop")
        assert (response.prompt_tokens, response.completion_tokens) == (7, 3)


def test_key_holds_what_changes_a_response_and_nothing_else() -> None:
    key = request().key(MODEL)
    changed = [
        request(prompt="What is p1? ").key(MODEL),
        request(index=1).key(MODEL),
        request(seed=1).key(MODEL),
        request().key(ModelIdentity("other", "r1")),
        request().key(ModelIdentity("test-model", "r2")),
    ]
    assert len({key, *changed}) == 6
    assert request("p9", prompt="What is p1?").key(MODEL) == key
    with running(ScriptedServer()) as first, running(ScriptedServer()) as second:
        ids = {
            only(list(engine(server.url, concurrency=number).answer([request()]))).response.response_id
            for number, server in ((1, first), (7, second))
        }
    assert ids == {key}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ((500, {}, b"out of memory"), "HTTP 500 out of memory"),
        ((502, {"Retry-After": "0"}, b""), "HTTP 502"),
        ((200, OK, b"<html>gateway</html>"), "no JSON"),
        ((200, OK, completion("half")[:60]), "no JSON"),
        ((200, {"Content-Length": "500"}, completion("torn")[:40]), "the connection failed"),
        ((200, OK, b""), "the answer is empty"),
        ((200, OK, b"\xff\xfe"), "no JSON"),
        ((200, OK, b'{"choices": []}'), "choices"),
        ((200, OK, b'{"choices": [{"message": {"content": "x"}}]}'), "finish_reason"),
        ((200, OK, b'{"choices": [{"message": {"content": ["x"]}, "finish_reason": "stop"}]}'), "content"),
        ((200, OK, completion("x\ud800")), "surrogate"),
        ((200, OK, completion("x", "abort")), "gave up"),
        (None, "the connection failed"),
    ],
)
def test_fault_is_retried_and_never_taken_for_a_response(fault: Fault | None, reason: str) -> None:
    with running(ScriptedServer(faults=[fault])) as server:
        passed = only(list(engine(server.url).answer([request()])))
        assert passed.response.text == f"seed {request().seed}"
        assert len(server.payloads) == 2
    with running(ScriptedServer(faults=[fault] * 2)) as server:
        answer = only(list(engine(server.url).answer([request()])))
        assert len(server.payloads) == 2
    assert answer.may_pass
    assert answer.response.text is None
    assert answer.response.finish_reason is None
    assert reason in (answer.response.failure or "")


def test_retry_after_is_honoured_as_seconds_and_as_a_date() -> None:
    with running(ScriptedServer(faults=[(429, {"Retry-After": "1"}, b"")])) as server:
        assert only(list(engine(server.url).answer([request()]))).response.text is not None
        assert server.arrivals[1] - server.arrivals[0] >= 1.0
    moment = datetime.now(UTC) + timedelta(seconds=2)
    faults: list[Fault | None] = [(503, {"Retry-After": format_datetime(moment, usegmt=True)}, b"")]
    with running(ScriptedServer(faults=faults)) as server:
        assert only(list(engine(server.url).answer([request()]))).response.text is not None
        assert datetime.now(UTC) >= moment.replace(microsecond=0)
    # A wait longer than a request may take is not waited for.
    with running(ScriptedServer(faults=[(429, {"Retry-After": "3600"}, b"")])) as server:
        with pytest.raises(OutsideError, match="HTTP 429"):
            list(engine(server.url).answer([request()]))
        assert len(server.payloads) == 1


def test_refused_request_is_asked_once_and_is_no_reason_to_stop() -> None:
    with running(ScriptedServer(faults=[(400, {}, b'{"error": "the prompt is too long"}')])) as server:
        answers = list(engine(server.url, concurrency=1).answer(request("p", index) for index in range(2)))
        assert len(server.payloads) == 2
    assert [answer.may_pass for answer in answers] == [False, False]
    assert "refused: HTTP 400" in (answers[0].response.failure or "")
    assert answers[1].response.failure is None


def test_response_cut_at_the_token_limit_is_kept_as_such() -> None:
    with running(ScriptedServer(write=lambda _: completion("so the answer is 4", "length"))) as server:
        answer = only(list(engine(server.url).answer([request()])))
    assert (answer.response.text, answer.response.finish_reason) == ("so the answer is 4", "length")


def test_reasoning_is_kept_apart_under_both_names() -> None:
    for name in ("reasoning_content", "reasoning"):
        with running(ScriptedServer(write=lambda _, name=name: completion(None, "length", **{name: "hm"}))) as server:  # type: ignore[misc]
            response = only(list(engine(server.url).answer([request()]))).response
        assert (response.text, response.reasoning, response.finish_reason) == ("", "hm", "length")


def test_text_comes_through_untouched() -> None:
    text = "\\frac{1}{2} 007 1e5 \u2028 漢字 𝔸 \x0b\r\n \u0000"
    with running(ScriptedServer(write=lambda _: text)) as server:
        assert only(list(engine(server.url).answer([request(prompt=text)]))).response.text == text
        assert server.payloads[0]["messages"][0]["content"] == text


def test_number_in_flight_is_bounded_and_requests_are_read_lazily() -> None:
    read: list[int] = []

    def requests() -> object:
        for index in range(20):
            read.append(index)
            yield request("p", index)

    with running(ScriptedServer(delay_s=0.02)) as server:
        answers = engine(server.url, concurrency=3).answer(requests())  # type: ignore[arg-type]
        next(iter(answers))
        assert len(read) <= 4
        assert len(list(answers)) == 19
        assert server.most_at_once <= 3


def test_dead_server_stops_the_run_after_what_was_finished() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    asked: list[Answer] = []
    with pytest.raises(OutsideError, match=r"the server does not answer \(http.*: the connection failed.*rerun"):
        asked.extend(iter(engine(url, attempts=1).answer(request("p", index) for index in range(10_000))))
    finished: list[Answer] = []
    with running(ScriptedServer()) as server:

        def ask_until_it_breaks() -> None:
            requests = (request("p", index) for index in range(1000))
            for answer in engine(server.url, attempts=1, concurrency=2).answer(requests):
                finished.append(answer)
                if len(finished) == 5:
                    server.faults.extend([(500, {}, b"")] * 1000)

        with pytest.raises(OutsideError, match="HTTP 500"):
            ask_until_it_breaks()
    assert sum(answer.response.failure is None for answer in finished) >= 5
    assert len(finished) < 30


@pytest.mark.parametrize("status", [401, 403, 404])
def test_wrong_key_or_model_stops_at_once_and_the_key_is_not_told(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER_KEY", "sk-secret")
    body = json.dumps({"error": "the key sk-secret is not known"}).encode()
    with running(ScriptedServer(faults=[(status, {}, body)] * 9)) as server:
        with pytest.raises(OutsideError, match=f"HTTP {status} .*check url, model 'test-model' and the key") as caught:
            list(engine(server.url, api_key_variable="SERVER_KEY").answer([request()]))
        assert server.headers[0]["Authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in str(caught.value)


def test_configuration_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(InputError, match="NO_SUCH_KEY is not set"):
        engine("http://127.0.0.1:1/v1", api_key_variable="NO_SUCH_KEY")
    with pytest.raises(InputError, match="no http address"):
        engine("localhost:8000")


def test_slow_answer_meets_the_one_time_limit() -> None:
    with running(ScriptedServer(delay_s=1.0)) as server:
        answer = only(list(engine(server.url, attempts=1, timeout_s=0.2).answer([request()])))
    assert answer.may_pass
    assert "no answer within 0.2 s" in (answer.response.failure or "")
