from __future__ import annotations

import functools

import pytest

from curation.answers.reward import compute_score, reward_func


def _as_trl_calls(function: object, completions: list[object], **columns: object) -> object:
    """Call a reward function with the keywords that TRL's GRPO trainer gives it."""
    assert callable(function)
    return function(
        prompts=["?"] * len(completions),
        completions=completions,
        completion_ids=[[1]] * len(completions),
        trainer_state=object(),
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
        **columns,
    )


def test_trl_convention_with_conversations() -> None:
    completions = [
        [{"role": "assistant", "content": r"It is \boxed{\frac{1}{2}}."}],
        [{"role": "assistant", "content": r"It is \boxed{\frac{1}{3}}."}],
        [{"role": "assistant", "content": r"It is \boxed{a/bc}."}],
        [{"role": "assistant", "content": "no idea"}],
    ]
    assert _as_trl_calls(reward_func, completions, solution=["0.5"] * 4) == [1.0, 0.0, None, None]


def test_trl_convention_with_texts() -> None:
    assert _as_trl_calls(reward_func, [r"\boxed{4}", "The answer is 5."], answer=["4", "4"], level=[1, 2]) == [1.0, 0.0]


def test_no_answer_can_earn_nothing() -> None:
    strict = functools.partial(reward_func, no_answer=0.0)
    assert _as_trl_calls(strict, ["I give up.", r"\boxed{4"], answer=["4", "4"]) == [0.0, 0.0]


def test_missing_answers_are_an_error() -> None:
    with pytest.raises(ValueError, match="right answer"):
        reward_func(prompts=["?"], completions=["4"])
    with pytest.raises(ValueError, match="right answer"):
        reward_func(prompts=["?"], completions=["4"], answer=["4", "5"])


def test_trl_accepts_what_we_return() -> None:
    rewards = pytest.importorskip("trl.rewards")
    completions = [[{"role": "assistant", "content": rf"It is \boxed{{{answer}}}."}] for answer in ("7", "8")]
    solution = [r"\boxed{7}", r"\boxed{7}"]
    theirs = _as_trl_calls(rewards.accuracy_reward, completions, solution=solution)
    assert _as_trl_calls(reward_func, completions, solution=solution) == theirs == [1.0, 0.0]


def test_verl_convention() -> None:
    right = compute_score(data_source="math", solution_str=r"\boxed{0.5}", ground_truth=r"\frac12", extra_info={"i": 1})
    assert (right["score"], right["unknown"], right["pred"]) == (1.0, 0.0, "0.5")
    wrong = compute_score("math", r"\boxed{0.6}", r"\frac12")
    assert (wrong["score"], wrong["verdict"]) == (0.0, "different")
    unknown = compute_score("math", "no idea", "3")
    assert (unknown["score"], unknown["unknown"]) == (0.0, 1.0)
