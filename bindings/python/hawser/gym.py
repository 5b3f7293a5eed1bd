"""An environment for learning agents, in the shape of Gymnasium: ``reset`` and ``step``, ``action_space`` and
``observation_space``. Gymnasium itself is not needed; where it is installed, the spaces are its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import NumericError
from .scene import Scene

try:
    from gymnasium.spaces import Box
except ImportError:

    class Box:  # type: ignore[no-redef]
        """Numbers between bounds, as in gymnasium.spaces."""

        def __init__(self, low: Any, high: Any, shape: tuple[int, ...], dtype: Any = np.float32) -> None:
            self.low = np.full(shape, low, dtype=dtype)
            self.high = np.full(shape, high, dtype=dtype)
            self.shape = shape
            self.dtype = np.dtype(dtype)
            self._random = np.random.default_rng()

        def seed(self, seed: int | None = None) -> None:
            self._random = np.random.default_rng(seed)

        def sample(self) -> np.ndarray:
            finite = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(finite, self.low, -1), np.where(finite, self.high, 1)
            return self._random.uniform(low, high).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            x = np.asarray(x)
            return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


class StationKeeping:
    """A vehicle holds its station on a tether in a current.

    Action: surge, sway, heave and yaw of the pilot's stick, each in -1..1 (docs/vehicles.md). Observation (float32, 13 numbers): position relative
    to the station (m, body axes of heading), velocity (m/s, the same axes), heading as cosine and sine, rate of turn (rad/s),
    pull of the tether (N / 100, world axes) and the speed of the current (m/s). Reward: minus the distance from the station (m) and
    a tenth of the effort, in each second. An episode ends ``terminated`` when the vehicle is farther than ``reach`` metres
    away or the solver fails, ``truncated`` after ``seconds``. A seed decides current and start, and equal seeds and actions
    give equal numbers, bit by bit.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode = None

    def __init__(
        self, seconds: float = 60.0, interval: float = 0.1, reach: float = 10.0, depth: float = 20.0, length: float = 30.0
    ) -> None:
        self.seconds, self.interval, self.reach, self.depth, self.length = seconds, interval, reach, depth, length
        self.action_space = Box(-1.0, 1.0, (4,), np.float32)
        self.observation_space = Box(-np.inf, np.inf, (13,), np.float32)
        self.np_random = np.random.default_rng()
        self.world = None

    def _make(self, current: np.ndarray, start: np.ndarray):
        scene = Scene(
            duration=self.seconds,
            environment={"water": {"density": 1025}, "current": {"uniform": current}, "seabed": {"depth": 2 * self.depth}},
        )
        scene.vehicle("rov", model="bluerov2_heavy", position=start, armed=True, mode="stabilize")
        # two straight halves with a bend to the side: a tether that floats evenly has no catenary
        stern = np.array([-0.2, 0.0, 0.0])
        top, end = np.array([-5.0, 0.0, -1.0]), start + stern
        slack = np.sqrt(max(self.length**2 - np.sum((end - top) ** 2), 0.0)) / 2
        aside = np.array([-(end - top)[1], (end - top)[0], 0.0])
        middle = (top + end) / 2 + slack * aside / max(np.linalg.norm(aside), 1e-9)
        scene.cable(
            "tether",
            sections=[{"type": "rov_tether_7_6", "length": self.length, "elements": 16}],
            ends={"a": {"on": "earth", "at": top}, "b": {"on": "rov", "at": stern}},
            shape={"points": [top, middle, end]},
        )
        return scene.world(None)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins an episode; ``options`` may give ``current`` (m/s, 3 numbers) and ``offset`` (m, 3 numbers)."""
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        options = options or {}
        angle, speed = self.np_random.uniform(0, 2 * np.pi), self.np_random.uniform(0.1, 0.5)
        offset = self.np_random.uniform(-2, 2, 3)
        current = np.array(options.get("current", [speed * np.cos(angle), speed * np.sin(angle), 0.0]), dtype=float)
        offset = np.array(options.get("offset", offset), dtype=float)
        if self.world is not None:
            self.world.close()
        self.station = np.array([0.0, 0.0, -self.depth])
        self.current = current
        self.world = self._make(current, self.station + offset)
        self._watch = self.world.watch("rov.heading", "tether.b.force.*")
        return self._observe(), {"current": current}

    def _observe(self) -> np.ndarray:
        state = self.world.body("rov")
        w, x, y, z = state.attitude
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        c, s = np.cos(yaw), np.sin(yaw)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        self._offset = state.position - self.station
        parts = [turn @ self._offset, turn @ state.velocity, [c, s, state.rate[2]]]
        parts += [self._watch.values[-3:] / 100, [np.hypot(*self.current[:2])]]
        return np.concatenate(parts).astype(np.float32)

    def step(self, action: Any):
        """Advances by ``interval`` seconds with the stick at ``action``."""
        if self.world is None:
            raise RuntimeError("call reset() before step()")
        action = np.clip(np.asarray(action, dtype=float), -1.0, 1.0)
        if action.shape != (4,):
            raise ValueError(f"an action is 4 numbers, not {action.shape}")
        for name, value in zip(("surge", "sway", "heave", "yaw"), action):
            self.world[f"rov.pilot.{name}"] = float(value)
        failed = False
        try:
            self.world.step(self.interval)
        except NumericError:
            failed = True
        observation = self._observe()
        distance = float(np.linalg.norm(self._offset))
        reward = -(distance + 0.1 * float(action @ action)) * self.interval
        terminated = failed or distance > self.reach
        truncated = not terminated and self.world.time >= self.seconds - 0.5 * self.interval
        return observation, reward, terminated, truncated, {"distance": distance, "failed": failed}

    def render(self) -> None:
        """Nothing is drawn; ``hawser view`` shows scenes and results."""

    def close(self) -> None:
        """Frees the world."""
        if self.world is not None:
            self.world.close()
            self.world = None
