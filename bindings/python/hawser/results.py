"""Tables of channels over time."""

from __future__ import annotations

import os
from typing import Any, Iterator

import numpy as np

from . import _core


class Results:
    """Rows of named channels; the first one is ``world.time``.

    ``results["wire.a.tension"]`` is a column without a copy, ``results.time`` that of the times, ``results.table`` all of it,
    ``results.frame()`` a pandas.DataFrame with the time as its index.
    """

    def __init__(self, names: list[str], units: list[str], table: Any, info: dict[str, Any] | None = None) -> None:
        self.names = list(names)
        self.units = dict(zip(names, units))
        self.table = np.asarray(table)
        self.info = dict(info or {})
        self._columns = {name: i for i, name in enumerate(self.names)}

    @property
    def time(self) -> np.ndarray:
        """Times of the rows, s."""
        return self["world.time"]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.table[:, self._columns[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.table)

    def vector(self, name: str) -> np.ndarray:
        """Columns ``name.x``, ``name.y`` and ``name.z``, rows x 3."""
        return self.table[:, [self._columns[f"{name}.{axis}"] for axis in "xyz"]]

    def frame(self):
        """A pandas.DataFrame with the time as its index."""
        import pandas

        frame = pandas.DataFrame(self.table, columns=self.names).set_index("world.time")
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        return f"<hawser.Results: {len(self)} rows of {len(self.names)} channels>"


def read(path: str | os.PathLike[str]) -> Results:
    """Reads results: HDF5, CSV, or VTK as ``hawser convert`` writes it; a folder stands for the results.h5 in it."""
    names, units, table, info = _core.open_results(os.fspath(path))
    return Results(names, units, table, info)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Writes results as another kind of file, told by its ending."""
    _core.convert_results(os.fspath(source), os.fspath(target))
