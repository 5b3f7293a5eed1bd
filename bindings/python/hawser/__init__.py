"""Hawser: cables, winches, cranes, loads, ships and vehicles at sea, from Python.

>>> import hawser
>>> world = hawser.load("scene.yaml")      # doctest: +SKIP
>>> world.step(1 / 60)                     # doctest: +SKIP
>>> world["wire.a.tension"], world.time    # doctest: +SKIP

The keys of scenes, the names of channels and inputs, units and axes are those of the program: docs/scenes.md.
"""

from . import _core
from .errors import (
    ArgumentError,
    Error,
    FileError,
    FormatError,
    LimitError,
    ModelError,
    NumericError,
    OrderError,
    Stopped,
)
from .results import Results, convert, read
from .scene import Scene
from .world import BodyState, Cable, Event, Fluid, HydroInput, Watch, World, build, load

__version__ = _core.version
__all__ = [
    "ArgumentError",
    "BodyState",
    "Cable",
    "Error",
    "Event",
    "FileError",
    "Fluid",
    "HydroInput",
    "FormatError",
    "LimitError",
    "ModelError",
    "NumericError",
    "OrderError",
    "Results",
    "Scene",
    "Stopped",
    "Watch",
    "World",
    "build",
    "convert",
    "load",
    "read",
]
