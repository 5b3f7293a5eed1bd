"""Exceptions: one class for each kind of failure, with the place in the file where there is one."""

from __future__ import annotations


class Error(Exception):
    """Something that Hawser refused or could not do.

    ``message`` is one sentence, ``hint`` what to try (or empty), ``object`` the name of the thing concerned, ``field`` its key,
    ``path`` the file, ``line`` and ``column`` the place in it from 1 (0: none), ``index`` the node, element or row (-1: none),
    ``time`` the simulated time in s (NaN where time has no meaning), ``key`` the path of the argument concerned when a scene
    was built in code, such as ``cables[0].sections[0].EA``.
    """

    status = 0
    path = ""
    message = ""
    object = ""
    field = ""
    hint = ""
    key = ""
    line = 0
    column = 0
    index = -1
    time = float("nan")

    def __init__(self, path: str = "", message: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        place = self.key
        if not place and self.line > 0:
            place = f"{self.path or 'scene'}:{self.line}:{self.column}"
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n{self.hint}" if self.hint else text


class ArgumentError(Error, ValueError):
    """An argument is unusable; the message names it."""


class OrderError(Error, RuntimeError):
    """The call is not allowed now."""


class ModelError(Error, ValueError):
    """A modelling mistake."""


class NumericError(Error, ArithmeticError):
    """The solver failed; the world keeps its last good state."""


class FileError(Error, OSError):
    """A file cannot be read or written."""

    def __init__(self, path: str = "", message: str = "") -> None:
        OSError.__init__(self, message)
        self.path = path
        self.message = message


class FormatError(Error, ValueError):
    """A file's content is not what it should be; ``line`` and ``column`` say where."""


class LimitError(Error, ValueError):
    """A built-in bound was exceeded."""


class Stopped(Error):
    """The caller asked to stop."""


_CLASSES = {
    -1: ArgumentError,
    -3: OrderError,
    -4: ModelError,
    -5: NumericError,
    -6: FileError,
    -7: FormatError,
    -8: LimitError,
    -9: Stopped,
}


def make_error(status: int, path: str, message: str) -> Error:
    """The exception for a status of the C library."""
    error = _CLASSES.get(status, Error)(path, message)
    error.status = status
    return error
