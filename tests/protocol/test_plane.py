"""Is the geometry exact: at its limits, against slow oracles, and on the vectors that other languages read?"""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol import plane

SIZES = (44_450, 57_150, 76_200)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")

diameters = st.one_of(st.sampled_from(SIZES), st.integers(1, 10**6).map(lambda half: 2 * half))
coordinates = st.integers(-(10**6), 10**6)


def cosine(angle: Decimal) -> Decimal:
    term, total, k = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -65:
        k += 2
        term = -term * angle * angle / (k * (k - 1))
        total += term
    return total


def test_the_directions_are_the_multiples_of_5_degrees_rounded_to_nearest() -> None:
    with localcontext() as context:
        context.prec = 70
        for step, direction in enumerate(plane.DIRECTIONS):
            x = cosine(PI * step / 36) * 2**30
            y = cosine(PI * (step - 18) / 36) * 2**30
            assert direction == (int(x.to_integral_value(ROUND_HALF_EVEN)), int(y.to_integral_value(ROUND_HALF_EVEN)))
    assert len(plane.DIRECTIONS) == 72


@given(coordinates, coordinates, diameters)
def test_a_flip_in_any_direction_is_a_legal_flip(dx: int, dy: int, diameter: int) -> None:
    if (dx, dy) == (0, 0):
        return
    fx, fy = plane.flip_toward(dx, dy, diameter)
    assert plane.is_flip(fx, fy, diameter)
    assert fx * dx >= 0
    assert fy * dy >= 0
    assert plane.flip_toward(-dy, dx, diameter) == (-fy, fx)


@given(st.integers(-200, 200), diameters)
def test_a_flip_at_a_step_is_a_legal_flip_and_opposite_steps_cancel(step: int, diameter: int) -> None:
    fx, fy = plane.flip_at(step, diameter)
    assert plane.is_flip(fx, fy, diameter)
    assert plane.flip_at(step + 36, diameter) == (-fx, -fy)
