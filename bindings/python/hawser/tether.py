"""The tether module by itself: a curve, solids and a length in; what it is wound round, where it is held and how it gets home out.

Geometry alone, no world: see include/hawser/tether.h for what each number means. Lengths in m, angles in rad.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _core

_KINDS = {"box": 0, "sphere": 1, "cylinder": 2, "capsule": 3, "hull": 4, "mesh": 5}


def _curve(points: Any) -> np.ndarray:
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError("a curve is an array of points with three coordinates each")
    return array


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in vector)
    return x, y, z


def _unit(vector: Any) -> tuple[float, float, float]:
    x, y, z = _three(vector)
    size = math.sqrt(x * x + y * y + z * z)
    if not size > 0 or not math.isfinite(size):
        raise ValueError("a direction needs a finite length above 0")
    return x / size, y / size, z / size


def winding(points: Any, at: Any, direction: Any = (0, 0, 1), reference: Any = ()) -> int | None:
    """How often the curve winds about an infinite axis, closed by the reference path from its end back to its start (by default
    the straight line). Exact; None where the curve touches the axis within rounding."""
    return _core.tether_winding(_curve(points), _curve(reference), _three(at), _unit(direction))


def linking(points: Any, loop: Any, reference: Any = ()) -> int | None:
    """How often the closed curve passes through a closed polygon, with sign. Exact; None where they touch within rounding."""
    return _core.tether_linking(_curve(points), _curve(reference), _curve(loop))


def swept_angle(points: Any, at: Any, direction: Any = (0, 0, 1), start: float = -math.inf, end: float = math.inf) -> float:
    """Angle through which the curve turns about an axis; of an axis that ends, only what runs beside it counts."""
    return _core.tether_swept(_curve(points), _three(at), _unit(direction), start, end)


class Measures(NamedTuple):
    """Of a curve: its length, its least radius of curvature and at which point, and the angle through which it turns."""

    length: float
    bend_radius: float
    bend_at: int
    turning: float


def measure(points: Any) -> Measures:
    """Length, least radius of curvature and turning of a curve."""
    return Measures(*_core.tether_measure(_curve(points)))


def capstan(friction: float, angle: float) -> float:
    """Tension ratio that a rope round a bollard holds by friction."""
    return _core.tether_capstan(friction, angle)


def hockle_index(GJ: float, EI: float, tension: float, twist: float, length: float) -> float:
    """How near a twisted tether is to throwing a loop; from 1 on it does."""
    return _core.tether_hockle(GJ, EI, tension, twist, length)


class Arc(NamedTuple):
    """A place where a tight tether is held; ``factor`` is the pull on the side of end a over that on the other side when it
    slips towards a."""

    solid: int
    first: int
    last: int
    point: tuple[float, float, float]
    at: float
    angle: float
    factor: float


class Space:
    """Solids that a tether cannot pass through.

    Each is a dict with the keys of a scene's shape: ``box`` (three edges), ``sphere`` (radius), ``cylinder`` or ``capsule`` (radius
    and length, axis z), ``mesh`` or ``hull`` (vertices and triangles), and ``position``, ``attitude`` (w, x, y, z).
    """

    def __init__(self, solids: Sequence[dict[str, Any]] = ()) -> None:
        self.count = len(solids)
        self._core = _core.tether_space([self._solid(i, dict(solid)) for i, solid in enumerate(solids)])

    @staticmethod
    def _solid(index: int, solid: dict[str, Any]) -> tuple[Any, ...]:
        position = _three(solid.pop("position", (0, 0, 0)))
        attitude = tuple(float(v) for v in solid.pop("attitude", (1, 0, 0, 0)))
        if len(solid) != 1 or next(iter(solid)) not in _KINDS or len(attitude) != 4:
            raise ValueError(f"solid {index} needs one of {', '.join(_KINDS)}, a position and an attitude of four numbers")
        ((kind, value),) = solid.items()
        size, radius, length, vertices, triangles = (0.0, 0.0, 0.0), 0.0, 0.0, None, None
        if kind == "box":
            size = _three(value)
        elif kind == "sphere":
            radius = float(value)
        elif kind in ("cylinder", "capsule"):
            radius, length = (float(v) for v in value)
        else:
            vertices = _curve(value[0])
            triangles = np.ascontiguousarray(value[1], dtype=np.intc).reshape(-1, 3)
        return _KINDS[kind], size, radius, length, vertices, triangles, position, attitude

    def tighten(self, points: Any, radius: float = 0.0) -> np.ndarray:
        """The curve pulled tight between its ends without passing through anything: the shortest of its homotopy class."""
        return np.frombuffer(_core.tether_tighten(self._core, _curve(points), radius)).reshape(-1, 3)

    def slack(self, points: Any, length: float, radius: float = 0.0) -> float:
        """How much of a tether of this length is left when it is pulled tight along the curve."""
        return length - measure(self.tighten(points, radius)).length

    def arcs(self, tight: Any, radius: float = 0.0, friction: float | Sequence[float] = 0.3) -> list[Arc]:
        """Where a tight curve is held, from end a on; a coefficient of friction for all solids, or for each."""
        frictions = np.ascontiguousarray(np.broadcast_to(np.asarray(friction, dtype=np.float64), (max(self.count, 1),)))
        return [Arc(*arc) for arc in _core.tether_arcs(self._core, _curve(tight), radius, frictions)]

    def route(self, tight: Any, radius: float = 0.0, clearance: float = 1.0) -> np.ndarray:
        """The way home along a tight curve, from end b to end a, that undoes every wrap: rows of x, y, z and what is clear."""
        return np.frombuffer(_core.tether_route(self._core, _curve(tight), radius, clearance)).reshape(-1, 4)

    def clearance(self, point: Any, reach: float = math.inf) -> tuple[float, int, tuple[float, float, float]]:
        """Distance of the nearest surface, which solid it is (-1: none), and the normal from it to the point."""
        return _core.tether_clearance(self._core, _three(point), reach)
