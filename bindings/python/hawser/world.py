"""Worlds: load or build, step, read, save."""

from __future__ import annotations

import difflib
import os
from typing import Any, Callable, Iterable, NamedTuple, Sequence

import numpy as np

from . import _core
from .errors import Error
from .results import Results
from .scene import Scene, _scalar

Vector = Sequence[float]


class BodyState(NamedTuple):
    """Motion of a body; world axes except ``rate`` and ``rate_acceleration``, which are in body axes."""

    position: np.ndarray
    attitude: np.ndarray
    velocity: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    rate_acceleration: np.ndarray


class Event(NamedTuple):
    """Something that happened during a step."""

    kind: str
    time: float
    value: float
    a: str
    b: str
    end: int
    point: tuple[float, float, float]


class HydroInput(NamedTuple):
    """What hydrodynamics of your own are given. ``velocity`` is of the body relative to the earth, in body axes, linear and then angular;
    water in world axes at the buoyancy centre, or just below the surface where that is in the air."""

    time: float
    position: tuple[float, float, float]
    attitude: tuple[float, float, float, float]
    velocity: tuple[float, float, float, float, float, float]
    stream: tuple[float, float, float]
    stream_acceleration: tuple[float, float, float]
    surface: float
    density: float
    gravity: float
    mass: float


_NO_MATRIX = ((0.0,) * 6,) * 6


def _hydro_output(result: Any) -> tuple[Any, ...]:
    """As the extension reads it; a wrench alone, or a mapping."""
    if not isinstance(result, dict):
        return result, _NO_MATRIX, _NO_MATRIX, _NO_MATRIX, (0.0, 0.0, 0.0, float("nan"))
    unknown = set(result) - {"wrench", "added_mass", "damping", "stiffness", "potential", "dissipation", "work", "submerged"}
    if unknown:
        raise ValueError(f"hydrodynamics have no {', '.join(sorted(unknown))}")
    matrices = [result.get(key, _NO_MATRIX) for key in ("added_mass", "damping", "stiffness")]
    rest = [result.get(key, 0.0) for key in ("potential", "dissipation", "work")]
    return (result.get("wrench", (0.0,) * 6), *matrices, (*rest, result.get("submerged", float("nan"))))


class Fluid(NamedTuple):
    """Water or air at points; world axes."""

    velocity: np.ndarray
    acceleration: np.ndarray
    density: np.ndarray
    surface: np.ndarray
    surface_rate: np.ndarray


class Watch:
    """Chosen channels. ``values`` is one array that holds the numbers after the last step, without a copy."""

    def __init__(self, core: _core.Watch) -> None:
        self._core = core
        self.names: list[str] = core.names
        self.values: np.ndarray = np.asarray(core.values)

    def __getitem__(self, name: str) -> float:
        return self.values[self.names.index(name)]

    def __len__(self) -> int:
        return len(self.names)


class Cable:
    """Nodes and elements of a cable, end a first. Arrays show the world's own memory: no copy, read only, and the numbers
    change with the next step (take ``.copy()`` of what has to stay)."""

    def __init__(self, world: "World", name: str) -> None:
        self._world = world
        self.name = name
        world._cable(name, "length")  # it exists

    @property
    def positions(self) -> np.ndarray:
        """Nodes x 3, m."""
        return np.asarray(self._world._cable(self.name, "positions"))

    @property
    def velocities(self) -> np.ndarray:
        """Nodes x 3, m/s."""
        return np.asarray(self._world._cable(self.name, "velocities"))

    @property
    def tensions(self) -> np.ndarray:
        """Of the elements, N."""
        return np.asarray(self._world._cable(self.name, "tensions"))

    @property
    def lengths(self) -> np.ndarray:
        """Of the elements, stretched, m."""
        return np.asarray(self._world._cable(self.name, "lengths"))

    @property
    def length(self) -> float:
        """Unstretched, m."""
        return self._world._cable(self.name, "length")

    @property
    def twist(self) -> float:
        """Between the clamps, rad."""
        return self._world._cable(self.name, "twist")


class World(_core.World):
    """A world that is ready to step. Make one with :func:`hawser.load` or :func:`hawser.build`.

    ``world[name]`` reads a channel or an input, ``world[name] = value`` sets an input. One thread at a time may use a world;
    steps release Python's lock, so that threads run worlds side by side. A world is a context manager: leaving it closes it.
    """

    @classmethod
    def load(cls, path: str | os.PathLike[str], statics: bool | None = None, **sets: Any) -> "World":
        """Loads a scene file. ``statics=True`` settles it to static equilibrium first. Other keywords are set over what the
        file says; dots of a path are written as two underscores, or the paths are given in ``set={"bodies.load.mass": 5}``."""
        values = dict(sets.pop("set", {}))
        values.update({key.replace("__", "."): value for key, value in sets.items()})
        if statics is not None:
            values["start.statics"] = statics
        return _core.load(cls, os.fspath(path), [f"{key}={_flow(value)}" for key, value in values.items()])

    @classmethod
    def parse(cls, text: str, name: str = "scene", folder: str | os.PathLike[str] | None = None) -> "World":
        """Makes a world of the text of a scene. Files that it names are sought in ``folder``; None: it names none."""
        return _core.parse(cls, text, name, None if folder is None else os.fspath(folder))

    @classmethod
    def _build(cls, scene: Scene, folder: str | os.PathLike[str] | None) -> "World":
        writer = scene._write()
        try:
            return cls.parse("\n".join(writer.lines) + "\n", "scene", folder)
        except Error as error:
            if 0 < error.line <= len(writer.paths):
                error.key = writer.paths[error.line - 1]
            raise

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        duration: float | None = None,
        interval: float | None = None,
        channels: str | Iterable[str] | None = None,
    ) -> Results:
        """Steps for ``duration`` s and records channels every ``interval`` s: by default what the scene says."""
        info = self.info or {"duration": 0.0, "interval": 0.01, "record": []}
        interval = info["interval"] if interval is None else interval
        duration = info["duration"] if duration is None else duration
        if not interval > 0 or not duration >= 0:
            raise ValueError("an interval above 0 s and a duration of at least 0 s are needed")
        if channels is None:
            channels = info["record"]
        patterns = [channels] if isinstance(channels, str) else list(channels)
        rows = int(np.floor(duration / interval + 1e-9)) + 1
        return Results(*self._record(interval, rows, patterns))

    def watch(self, *patterns: str) -> Watch:
        """Channels by names or patterns (``*`` for any characters) as one array that is filled anew after each step.
        ``world.time`` comes first; without a pattern all channels do."""
        return Watch(self._watch(list(patterns)))

    def read(self, *patterns: str) -> dict[str, float]:
        """Values of channels now, by name."""
        watch = self.watch(*patterns)
        return dict(zip(watch.names, watch.values.tolist()))

    def _raise_missing(self, name: str, setting: bool) -> None:
        """Called where there is no channel or no input of this name."""
        if setting and name in self.channels:
            raise KeyError(f"{name} is a channel: it can be read, not set")
        names = list(self.inputs) if setting else [*self.channels, *self.inputs]
        near = difflib.get_close_matches(name, names, 1, 0.5)
        what = "input" if setting else "channel or input"
        raise KeyError(f"there is no {what} {name}" + (f"; did you mean {near[0]}?" if near else ""))

    def restore(self, state: bytes, adopt: bool = False) -> None:
        """Restores what :meth:`save` gave. ``adopt``: also of a model with the same objects whose numbers are others."""
        self._restore(state, adopt)

    def branch(self) -> "World":
        """An independent copy with the same state."""
        return self._branch()

    @property
    def cables(self) -> list[str]:
        """Names of the cables."""
        return self._names("cables")

    @property
    def bodies(self) -> list[str]:
        """Names of bodies and links."""
        return self._names("bodies")

    def cable(self, name: str) -> Cable:
        """A cable's nodes and elements."""
        return Cable(self, name)

    def body(self, name: str) -> BodyState:
        """Motion of a body, or of a link as ``mechanism.link``."""
        return BodyState(*(np.array(part) for part in self._body(name)))

    def set_body(
        self,
        name: str,
        position: Vector | None = None,
        attitude: Vector | None = None,
        velocity: Vector | None = None,
        rate: Vector | None = None,
    ) -> None:
        """Places a free or prescribed body; what is not given stays. ``attitude`` is (w, x, y, z)."""
        self._set_body(name, position, attitude, velocity, rate)

    def apply_force(
        self,
        name: str,
        force: Vector = (0, 0, 0),
        torque: Vector = (0, 0, 0),
        at: Vector = (0, 0, 0),
        frame: str = "body",
    ) -> None:
        """Adds a force (N) and torque (N m) that act until :meth:`clear_forces`; ``frame`` ("body" or "world") is that of the
        vectors and of the point."""
        if frame not in ("body", "world"):
            raise ValueError(f"frame is 'body' or 'world', not {frame!r}")
        self._apply(name, force, torque, at, frame == "body")

    def add_force(self, body: str, function: Callable[..., Any], at: Vector = (0, 0, 0)) -> None:
        """Adds a force law of your own at a point of a body (body frame).

        ``function(time, position, attitude, velocity, rate)`` gets the motion of that point in world axes as tuples and returns
        ``(force, torque)`` in world axes, or ``(force, torque, damping, stiffness)`` with 6 x 6 matrices: minus the derivatives
        by velocity and rate, and by displacement and rotation. They let stiff laws take long steps and may be left out. The
        function depends on its arguments only: the solver calls it at trial points. An exception in it ends the step and
        comes out of it. The world is prepared again; with ``statics`` it settles again."""
        self._add_force(body, function, at)

    def set_hydrodynamics(
        self, body: str, function: Callable[[HydroInput], Any] | None, builtin: bool = False
    ) -> None:
        """Replaces what water does to a body or link by a function of your own, or adds to the built-in model with ``builtin``; None gives the
        built-in model back.

        ``function(h)`` gets a :class:`HydroInput` and returns the wrench, six numbers (N, N m) at the body's origin in body axes, or a
        mapping with any of ``wrench``, ``added_mass`` (6 x 6: multiplies the acceleration; symmetric, not negative), ``damping`` and
        ``stiffness`` (6 x 6, minus the wrench's derivatives with velocity and displacement; may be approximate, let stiff models take
        long steps), ``potential`` (J), ``dissipation`` and ``work`` (W, for the balance of energy), ``submerged`` (0..1). Buoyancy is part of
        it. The function depends on its argument only. The world is prepared again; with ``statics`` it settles again."""
        law = None if function is None else (lambda *values: _hydro_output(function(HydroInput(*values))))
        self._set_hydro(body, law, builtin)

    def add_sensor(self, name: str, function: Callable[["World"], float], unit: str = "1") -> None:
        """Adds a channel ``name.value``: ``function()`` gives it whenever it is read."""
        self._add_sensor(name, unit, function)

    def at(self, time: float, **inputs: float) -> None:
        """Schedules inputs to be set at a time; dots of their names are written as two underscores. Steps end exactly there."""
        for name, value in inputs.items():
            self._add_event(time, name.replace("__", "."), value)

    def schedule(self, time: float, name: str, value: float) -> None:
        """Schedules one input to be set at a time."""
        self._add_event(time, name, value)

    def observe(self, function: Callable[[], Any] | None) -> None:
        """Calls ``function()`` after each sub-step of the solver; it may read the world. None ends it."""
        self._observe(function)

    def events(self) -> list[Event]:
        """What happened during the last step; kept from ``keep_events(True)`` on."""
        return [Event(*event) for event in self._events()]

    def fluid(self, points: Any, time: float | None = None) -> Fluid:
        """Water or air at points (n x 3, m) and a time, by default now."""
        rows = np.atleast_2d(np.asarray(points, dtype=float)).tolist()
        table = np.asarray(self._fluid(rows, self.time if time is None else time))
        return Fluid(table[:, 0:3], table[:, 3:6], table[:, 6], table[:, 7], table[:, 8])

    def __repr__(self) -> str:
        try:
            return f"<hawser.World at {self.time:g} s: {len(self.channels)} channels>"
        except ValueError:
            return "<hawser.World, closed>"


def _flow(value: Any) -> str:
    """A value as YAML on one line."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def load(path: str | os.PathLike[str], statics: bool | None = None, **sets: Any) -> World:
    """Loads a scene file and makes its world; see :meth:`World.load`."""
    return World.load(path, statics, **sets)


def build(folder: str | os.PathLike[str] | None = ".", **keys: Any) -> World:
    """Makes a world of a scene given as keyword arguments with the keys of scene files; errors name the argument.

    >>> world = build(bodies=[{"name": "stone", "mass": 2.0}])
    """
    return Scene(**keys).world(folder)
