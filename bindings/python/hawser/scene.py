"""Scenes in code: the keys of scene files as keyword arguments."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

_LISTS = ("bodies", "mechanisms", "cables", "winches", "sheaves", "vehicles", "forces", "events")


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, tuples and paths as what they stand for."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ".nan"
        if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        text = repr(value)
        # 1e9 without a point is a text in some readers of YAML
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    if isinstance(value, (int, str)):
        return json.dumps(value)
    raise TypeError(f"a scene cannot hold {value!r}")


class _Writer:
    """YAML in flow style, a line for each value, with the path of each line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.paths: list[str] = []

    def put(self, value: Any, path: str, before: str, after: str) -> None:
        value = _plain(value)
        if isinstance(value, Mapping):
            self._add(before + "{", path)
            for i, (key, item) in enumerate(value.items()):
                end = "," if i + 1 < len(value) else ""
                self.put(item, f"{path}.{key}" if path else str(key), json.dumps(str(key)) + ": ", end)
            self._add("}" + after, path)
        elif isinstance(value, (list, tuple)):
            self._add(before + "[", path)
            for i, item in enumerate(value):
                self.put(item, f"{path}[{i}]", "", "," if i + 1 < len(value) else "")
            self._add("]" + after, path)
        else:
            self._add(before + _scalar(value) + after, path)

    def _add(self, line: str, path: str) -> None:
        self.lines.append(line)
        self.paths.append(path)


class Scene:
    """A scene that is put together in code; every key of docs/scenes.md is a keyword here.

    >>> scene = Scene(duration=10, environment={"water": {}})
    >>> load = scene.body("load", mass=100, position=[0, 0, -5])
    """

    def __init__(self, **keys: Any) -> None:
        # a world in code runs as long as it is stepped; `duration` is what run() takes and what winches reserve cable for
        self.keys: dict[str, Any] = {"hawser": 1, "duration": 60.0}
        self.keys.update(keys)
        for name in _LISTS:
            if name in self.keys:
                self.keys[name] = list(self.keys[name])

    def add(self, section: str, **keys: Any) -> "Scene":
        """Adds an entry to a list of the scene, such as ``bodies`` or ``events``."""
        if section not in _LISTS:
            raise ValueError(f"{section!r} is none of the lists of a scene: {', '.join(_LISTS)}")
        self.keys.setdefault(section, []).append(keys)
        return self

    def body(self, name: str, **keys: Any) -> str:
        """Adds a body and returns its name."""
        self.add("bodies", name=name, **keys)
        return name

    def cable(self, name: str, **keys: Any) -> str:
        """Adds a cable and returns its name."""
        self.add("cables", name=name, **keys)
        return name

    def winch(self, name: str, **keys: Any) -> str:
        """Adds a winch and returns its name."""
        self.add("winches", name=name, **keys)
        return name

    def mechanism(self, name: str, **keys: Any) -> str:
        """Adds a mechanism and returns its name."""
        self.add("mechanisms", name=name, **keys)
        return name

    def vehicle(self, name: str, **keys: Any) -> str:
        """Adds a vehicle and returns its name."""
        self.add("vehicles", name=name, **keys)
        return name

    def force(self, **keys: Any) -> "Scene":
        """Adds a force."""
        return self.add("forces", **keys)

    def event(self, at: float, **keys: Any) -> "Scene":
        """Adds an event at a time in s."""
        return self.add("events", at=at, **keys)

    def _write(self) -> _Writer:
        writer = _Writer()
        writer.put(self.keys, "", "", "")
        return writer

    @property
    def text(self) -> str:
        """The scene as a file that ``hawser run`` takes (YAML)."""
        return "\n".join(self._write().lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def world(self, folder: str | os.PathLike[str] | None = "."):
        """Makes the world. Files that the scene names are sought in ``folder``; None: it names none."""
        from .world import World

        return World._build(self, folder)
