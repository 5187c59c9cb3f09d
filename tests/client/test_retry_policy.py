"""When a client tries again."""

from diskwars_client.retry_policy import DEFAULT_RETRY_POLICY, RetryPolicy

POLICY = RetryPolicy(initial_delay_seconds=0.25, quick_delay_seconds=1, quick_attempts=5, max_delay_seconds=7)


def test_pause_stays_short_while_a_killed_server_may_start_again_and_then_grows() -> None:
    longest = [POLICY.reconnect_delay(attempt, 1) for attempt in range(10)]
    assert longest == [0.25, 0.5, 1, 1, 1, 2, 4, 7, 7, 7]
    assert POLICY.reconnect_delay(10**9, 1) == 7


def test_half_of_each_pause_is_random() -> None:
    assert [POLICY.reconnect_delay(4, share) for share in (0, 0.5, 1)] == [0.5, 0.75, 1]


def test_usual_policy_tries_every_second_for_as_long_as_a_server_needs_to_start() -> None:
    shortest = [DEFAULT_RETRY_POLICY.reconnect_delay(attempt, 0) for attempt in range(1000)]
    quick = [pause for pause in shortest if pause <= 0.5]
    assert sum(quick) > 15
    assert shortest[-1] == DEFAULT_RETRY_POLICY.max_delay_seconds / 2
