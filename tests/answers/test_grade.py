from __future__ import annotations

import threading

import pytest

from curation.answers import grade


@pytest.mark.parametrize(
    ("verdict", "gold", "response"),
    [
        ("equal", "12", r"So we get \boxed{12}."),
        ("equal", "12", "12.0"),
        ("different", "12", r"First \boxed{12}; no, after all \boxed{13}."),
        ("equal", r"\frac12", "<think>a third?</think>The answer is $0.5$."),
        ("equal", "3, -1", r"The solutions are $\boxed{-1}$ and $\boxed{3}$."),
        ("equal", "B", "I think the correct answer is (B)."),
        ("different", "B", "So the answer is C"),
        ("equal", "B", r"The value is $\boxed{\frac34}$ (B)"),
        ("equal", r"\frac34", r"\boxed{\text{(B) } \frac{3}{4}}"),
        ("equal", "no", "Therefore the answer is **no**."),
        ("equal", r"\text{Tuesday}", "Tuesday"),
        ("equal", "7", "3 + 4 = 7"),
        ("different", "7", "3 + 4 = 8"),
        ("equal", "7", "The answer is 7."),
        ("equal", "42", "Final answer: 42 (since the other root is negative)"),
        ("different", "12", "The answer is 13, not 12."),
        ("equal", "B", "The correct option is B."),
        ("equal", "yes", "Yes, it always does."),
        ("equal", "5", "**5**"),
        ("equal", "1,250", "After all of that he is left with 1250 dollars in the bank"),
        ("unknown", "7", r"<think>it is \boxed{7}"),
        ("unknown", "7", r"it is \boxed{7"),
        ("unknown", "7", ""),
        ("unknown", "7", r"We substitute, so that \[ x = 3 +"),
    ],
)
def test_grades_whole_responses(verdict: str, gold: str, response: str) -> None:
    result = grade(gold, response)
    assert result.verdict == verdict, result


def test_the_path_says_how_the_answer_was_found() -> None:
    assert grade("7", "I add them up and there are 7 of them in there").path.startswith("last number; ")
    assert grade("7", r"\boxed{7}").path == "boxed; identical"
    assert grade("7", r"\boxed{7}").extracted == "7"
    nothing = grade("7", "I do not know.")
    assert (nothing.path, nothing.extracted) == ("no answer", None)


def test_threads_get_the_same_verdicts() -> None:
    pairs = [
        (r"\cos\frac{\pi}{5}", r"\frac{1+\sqrt5}{4}"),
        (r"\sqrt{18}", r"\boxed{3\sqrt2}"),
        ("x>2", r"(2,\infty)"),
    ] * 4
    found: list[str] = []

    def work() -> None:
        found.extend(grade(gold, pred).verdict for gold, pred in pairs)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["equal"] * (4 * len(pairs))


def test_a_ray_worker_gets_the_same_verdict() -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        remote = ray.remote(lambda: grade(r"\cos\frac{\pi}{5}", r"\frac{1+\sqrt5}{4}").verdict)
        assert ray.get(remote.remote()) == "equal"
    finally:
        ray.shutdown()
