"""How a server's limit and health follow what comes of its requests; time is given, not waited for."""

from __future__ import annotations

from curation.llm.server_load import ServerLoad, TroubleError, pause_s

BUSY = TroubleError("busy", "HTTP 429")
DOWN = TroubleError("down", "refused")
ODD = TroubleError("odd", "HTTP 500")


def server(most: int = 64, patience: int = 3) -> ServerLoad:
    return ServerLoad("http://a/v1", most, patience)


def fill(load: ServerLoad, now: float) -> int:
    count = 0
    while load.has_room(now):
        load.began()
        count += 1
    return count


def round_of_answers(load: ServerLoad, now: float, seconds: float = 1.0, first_token_s: float | None = None) -> int:
    count = fill(load, now)
    for _ in range(count):
        load.answered(now, now + seconds, first_token_s)
    return count


def test_limit_grows_to_the_most_and_no_further() -> None:
    load = server(most=40)
    given = [round_of_answers(load, float(now)) for now in range(40)]
    assert given[0] == 8
    assert given == sorted(given)
    assert given[-1] == max(given) == 40


def test_limit_does_not_grow_where_there_is_too_little_work_to_fill_it() -> None:
    load = server()
    for now in range(50):
        load.began()
        load.answered(float(now), now + 0.5)
    assert load.limit == 8


def test_one_burst_of_429_halves_the_limit_once_and_growth_is_slow_after() -> None:
    load = server()
    for now in range(3):
        round_of_answers(load, float(now))
    before = load.limit
    for _ in range(fill(load, 10.0)):
        load.troubled(10.0, 10.5, BUSY, "r")
    assert load.limit == before / 2
    assert load.failures == 1
    assert not load.has_room(10.5)
    after = round_of_answers(load, 100.0)
    assert load.failures == 0
    assert int(before / 2) == after
    assert round_of_answers(load, 101.0) <= after + 1


def test_retry_after_is_waited_for_and_no_longer() -> None:
    load = server()
    load.began()
    load.troubled(0.0, 1.0, TroubleError("busy", "HTTP 503", 60.0), "r")
    assert not load.has_room(60.9)
    assert load.has_room(61.1)


def test_server_that_is_down_is_tried_with_one_request_and_comes_back() -> None:
    load = server(patience=2)
    for _ in range(fill(load, 0.0)):
        load.troubled(0.0, 0.1, DOWN, "r")
    assert not load.dead
    assert fill(load, 50.0) == 1
    load.troubled(50.0, 50.1, DOWN, "r")
    assert load.dead
    assert load.reason == "refused"
    assert fill(load, 100.0) == 1
    load.answered(100.0, 101.0)
    assert not load.dead
    assert fill(load, 101.0) > 1


def test_odd_answers_to_a_few_requests_are_not_the_servers_fault() -> None:
    load = server(patience=1)
    for now in range(30):
        load.began()
        load.troubled(float(now), now + 0.5, ODD, f"poison {now % 7}")
    assert not load.dead
    for now in range(30, 38):
        load.began()
        load.troubled(float(now), now + 0.5, ODD, f"request {now}")
    assert load.dead


def test_queue_at_the_server_ends_growth_and_long_prompts_do_not() -> None:
    queueing, prefilling = server(), server()
    for now in range(0, 600, 10):
        waiting = max(0.2, 9.0 * (1 - 8 / queueing.limit))
        round_of_answers(queueing, float(now), 10.0 if waiting > 1 else 1.0, waiting)
        round_of_answers(prefilling, float(now), 1.0, 0.9)
    assert 8 <= queueing.limit < 32
    assert prefilling.limit == 64


def test_pauses_grow_and_are_bounded() -> None:
    assert all(0.25 <= pause_s(1) <= 0.5 for _ in range(50))
    assert all(15 <= pause_s(1000) <= 30 for _ in range(50))
