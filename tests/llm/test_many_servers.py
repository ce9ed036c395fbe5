"""Several servers, each with its own trouble."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from contextlib import ExitStack

import pytest
from requests_for_tests import MODEL, request, section
from scripted_server import ScriptedServer, running

from curation.errors import InputError, OutsideError
from curation.json_reader import loads
from curation.llm.engine import Answer, Message, ModelIdentity, Request, recomputed_key
from curation.llm.http import HttpEngine
from curation.recipe import Sampler

GARBAGE = b"<html>gateway</html>"


def engine(*urls: str, identity: ModelIdentity = MODEL, **changes: object) -> HttpEngine:
    return HttpEngine(section(urls[0], **changes), identity, urls)


def ask(asked: HttpEngine, count: int, problem: str = "p") -> list[Answer]:
    return list(asked.answer(request(problem, index) for index in range(count)))


def closed_port() -> str:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}/v1"


def test_requests_are_shared_by_servers_and_each_is_answered_once() -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(running(ScriptedServer(delay_s=0.01))) for _ in range(3)]
        answers = ask(engine(*[server.url for server in servers], concurrency=2), 60)
        seeds = Counter(payload["seed"] for server in servers for payload in server.payloads)
        assert len(seeds) == 60 == sum(seeds.values())
        assert all(len(server.payloads) >= 10 and server.most_at_once <= 2 for server in servers)
    assert sorted(answer.response.sample_index for answer in answers) == list(range(60))


def test_slow_server_gets_less_and_keeps_nobody_waiting() -> None:
    with running(ScriptedServer(delay_s=0.4)) as slow, running(ScriptedServer(delay_s=0.01)) as fast:
        assert len(ask(engine(slow.url, fast.url, concurrency=2), 40)) == 40
        assert len(fast.payloads) > 2 * len(slow.payloads) >= 2


@pytest.mark.parametrize("fault", [(500, {}, b"out of memory"), (503, {"Retry-After": "0"}, b""), (200, {}, GARBAGE)])
def test_broken_server_is_left_out_and_its_requests_go_to_the_other(fault: tuple[int, dict[str, str], bytes]) -> None:
    with running(ScriptedServer(faults=[fault] * 10_000)) as broken, running(ScriptedServer(delay_s=0.005)) as good:
        answers = ask(engine(broken.url, good.url, attempts=3, concurrency=4), 200)
        assert all(answer.response.failure is None for answer in answers)
        assert len(answers) == len(good.payloads) == 200
        assert len(broken.payloads) < 40


def test_server_that_dies_in_the_middle_loses_nothing() -> None:
    with ExitStack() as stack:
        good = stack.enter_context(running(ScriptedServer(delay_s=0.01)))
        dying = ScriptedServer(delay_s=0.01)
        end = ExitStack()
        end.enter_context(running(dying))
        answers: list[Answer] = []
        for answer in engine(dying.url, good.url).answer(request("p", index) for index in range(80)):
            answers.append(answer)
            if len(answers) == 20:
                dying.tear_after = lambda _: 2
                end.close()
        assert len({answer.response.response_id for answer in answers}) == 80
        assert all(answer.response.failure is None for answer in answers)
        assert len(dying.payloads) < 60


def test_server_that_comes_back_is_used_again() -> None:
    with running(ScriptedServer(faults=[(503, {}, b"loading")] * 3)) as late, running(ScriptedServer()) as good:
        good.delay_s = 0.1
        assert len(ask(engine(late.url, good.url, attempts=1, concurrency=1), 60)) == 60
        assert late.answered.total() > 5


def test_all_dead_are_named() -> None:
    urls = closed_port(), closed_port()
    with pytest.raises(OutsideError, match="none of the 2 servers answers") as caught:
        ask(engine(*urls, attempts=1), 3)
    assert all(url in str(caught.value) for url in urls)
    told = "/chat/completions answers HTTP 404 no model test-model"
    with (
        running(ScriptedServer(faults=[(404, {}, b"no model test-model")] * 9)) as wrong,
        pytest.raises(OutsideError, match=told) as caught,
    ):
        ask(engine(wrong.url, urls[0]), 3)
    assert wrong.url in str(caught.value)
    with pytest.raises(InputError, match="no http address"):
        engine(urls[0], "ftp://x")


def test_limit_follows_what_a_server_bears_and_nothing_is_lost_to_429() -> None:
    with running(ScriptedServer(delay_s=0.02, capacity=3)) as server:
        answers = ask(engine(server.url, concurrency=64, attempts=6), 150)
        assert all(answer.response.failure is None for answer in answers)
        refused = len(server.payloads) - 150
    assert 0 < refused < 75


def test_limit_grows_to_the_most_while_all_goes_well() -> None:
    with running(ScriptedServer(delay_s=0.25)) as server:
        assert len(ask(engine(server.url, concurrency=24, stream=False), 120)) == 120
        assert 16 < server.most_at_once <= 24


def test_stalled_stream_is_given_up_and_asked_again() -> None:
    poison = request("p", 3).seed

    def stall(payload: dict[str, object]) -> int | None:
        first = [asked["seed"] for asked in server.payloads].count(poison) == 1
        return 2 if payload["seed"] == poison and first else None

    with running(ScriptedServer(stall_after=stall, delay_s=0.05)) as server:
        answers = ask(engine(server.url, stall_s=1.5, concurrency=2, timeout_s=60), 150)
        assert all(answer.response.failure is None for answer in answers)
        assert len(server.payloads) == 151
        # The others went on meanwhile, so that the server as a whole was never silent.
        assert server.payloads[-1]["seed"] != poison


def test_server_that_writes_to_nobody_is_left_out_though_it_takes_connections() -> None:
    with running(ScriptedServer(stall_after=lambda _: 1)) as hung, running(ScriptedServer(delay_s=0.01)) as good:
        answers = ask(engine(hung.url, good.url, stall_s=1.5, concurrency=2, timeout_s=60), 60)
        assert all(answer.response.failure is None for answer in answers)
        assert len(good.payloads) == 60
    with (
        running(ScriptedServer(stall_after=lambda _: 1)) as hung,
        pytest.raises(OutsideError, match=r"stalled: no token from the server for 0\.2 s"),
    ):
        ask(engine(hung.url, stall_s=0.2, attempts=1, timeout_s=60), 2)


def test_torn_stream_is_no_response() -> None:
    with running(ScriptedServer(tear_after=lambda _: 2, write=lambda _: "one two three")) as server:
        (answer,) = ask(engine(server.url), 1)
        assert len(server.payloads) == 2
    assert answer.response.text is None
    assert "cut off" in (answer.response.failure or "")


def test_choices_of_one_call_are_told_apart_and_their_tokens_counted() -> None:
    with running(ScriptedServer(write=lambda _: "so it is", choices=2)) as server:
        asked = engine(server.url, choices=4, concurrency=1)
        wanted = [request(problem, index) for problem in ("a", "b") for index in range(4)]
        answers = list(asked.answer(wanted))
        assert [payload.get("n", 1) for payload in server.payloads].count(4) == 2
    by_request = {(answer.response.problem_id, answer.response.sample_index): answer.response for answer in answers}
    assert len(by_request) == 8
    assert {by_request["a", index].text for index in range(2)} == {"so it is 0", "so it is 1"}
    assert [by_request["a", index].completion_tokens for index in range(2)] == [4, 4]
    assert by_request["a", 0].logprobs is None
    assert by_request["a", 0].response_id == wanted[0].key(MODEL)


def test_logprobs_are_stored_where_asked_for_and_versions_always() -> None:
    with running(ScriptedServer(write=lambda _: "so it is")) as server:
        (answer,) = ask(engine(server.url, logprobs=1), 1)
        (plain,) = ask(engine(server.url), 1)
        assert server.payloads[0]["top_logprobs"] == 1
    assert loads(answer.response.logprobs or "") == [[word, "-0.25", {"x": "-2"}] for word in ("so", " it", " is")]
    assert plain.response.logprobs is None
    assert plain.response.response_id == answer.response.response_id
    versions = loads(plain.response.versions or "")
    assert isinstance(versions, dict)
    assert (versions["served_model"], versions["server"]) == ("served-model", "build-7")
    assert "curation" in versions


def test_completion_endpoint_takes_the_prompt_as_it_is_and_has_keys_of_its_own() -> None:
    form = ModelIdentity("test-model", "r1", "completion")
    with running(ScriptedServer(write=lambda payload: payload["prompt"] + "!")) as server:
        (answer,) = ask(engine(server.url, identity=form, endpoint="completion"), 1)
        assert server.payloads[0]["path"] == "/v1/completions"
        two = Request("p", "solve", (Message("system", "s"), Message("user", "u")), Sampler(), 0)
        with pytest.raises(InputError, match="2 messages"):
            list(engine(server.url, identity=form, endpoint="completion").answer([two]))
    assert answer.response.text == "What is p?!"
    assert answer.response.response_id != request("p").key(MODEL)
    assert recomputed_key(answer.response) == answer.response.response_id


def test_whole_answers_where_streams_are_not_wanted() -> None:
    with running(ScriptedServer(write=lambda _: "whole")) as server:
        (answer,) = ask(engine(server.url, stream=False), 1)
        assert "stream" not in server.payloads[0]
    assert answer.response.text == "whole"


def test_engine_ends_when_its_reader_stops() -> None:
    with running(ScriptedServer(delay_s=0.05)) as server:
        answers = engine(server.url).answer(request("p", index) for index in range(1000))
        next(answers)
        answers.close()  # type: ignore[attr-defined]
        assert len(server.payloads) < 40
        assert not [thread for thread in threading.enumerate() if thread.name == "http engine"]
