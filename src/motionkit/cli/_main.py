"""From an argument list to an exit code: finds the command, runs it, turns errors into messages.

Exit codes: 0 done, 1 the motion cannot be made, 2 the input is wrong, 130 interrupted. An error is one readable block
on stderr; with ``--json`` it is one JSON object on stdout as well, so that a pipe always gets JSON.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from .. import __version__
from ..errors import (
    CartesianError,
    EffortExceeded,
    MissingExtra,
    MotionkitError,
    NotConverged,
    ProofFailed,
    Refused,
    UnknownName,
    Unreachable,
    did_you_mean,
)

__all__ = ["COMMANDS", "main"]

DONE, IMPOSSIBLE, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

_IMPOSSIBLE = (CartesianError, EffortExceeded, NotConverged, ProofFailed, Refused, Unreachable)
"""Errors about a motion that cannot be made; all others are about the input."""

COMMANDS = {
    "run": "plan a robot program, prove it, and write the trajectory and the report",
    "demo": "the same for a program and an arm that come with the package",
    "check": "check a robot program or a robot file, without planning",
    "info": "joints, limits, links and reach of a robot",
    "fk": "pose of the tool for joint values",
    "ik": "joint values for a pose of the tool",
    "stop": "stopping distance and time, and the speed that is safe before an obstacle",
    "calibrate": "calibrate kinematic FILE, calibrate plan FILE: axes from measurements, and what to measure",
    "warmup": "compile every kernel now, so that nothing has to be compiled later",
    "cache": "show or empty the cache of compiled kernels",
    "doctor": "versions, machine and folders, for a bug report",
}
"""Each command with what it does; its module and function have its name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: what follows ``motionkit`` on the command line; None takes it from there.

    Returns:
        The exit code: 0 done, 1 the motion cannot be made, 2 the input is wrong, 130 interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview(), file=sys.stdout if words else sys.stderr)
        return DONE if words else WRONG_INPUT
    if words[0] == "--version":
        print(f"motionkit {__version__}")
        return DONE
    as_json = "--json" in words
    code = DONE
    try:
        code = _answer(words, as_json)
        sys.stdout.flush()  # a closed pipe is noticed here rather than while the interpreter ends
        return code
    except KeyboardInterrupt:
        print("motionkit: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code


def _answer(words: list[str], as_json: bool) -> int:
    try:
        if words[0] not in COMMANDS:
            message = f"unknown command {words[0]!r}; {did_you_mean(words[0], COMMANDS)}"
            raise UnknownName(message, name=words[0])
        if any(name.startswith("MOTIONKIT_") for name in os.environ) and not {"-h", "--help"} & set(words):
            from ..runtime import runtime_settings

            runtime_settings()  # a misspelt setting is an error before anything is done
        return _run(words[0], words[1:], as_json)
    except MotionkitError as error:
        return _report(error, as_json)
    except ImportError as error:
        from ..kernels._tier import CompilerMissing

        if not isinstance(error, CompilerMissing):
            raise
        return _report(MissingExtra(str(error), name="numba"), as_json)


def _run(command: str, words: list[str], as_json: bool) -> int:
    import tyro

    name, prog = command, f"motionkit {command}"
    if command == "calibrate":
        from .calibrate import CALIBRATIONS, find

        if words and words[0] in ("-h", "--help"):
            print(
                "\n".join(
                    [f"usage: {prog} WHAT FILE [--json]", "", *(f"  {k:<10}{v}" for k, v in CALIBRATIONS.items())]
                )
            )
            return DONE
        prog = f"{prog} {' '.join(words[:1])}"
        name, words = find(words)
    module = importlib.import_module(f"motionkit.cli.{name}")
    try:
        code = tyro.cli(
            getattr(module, name),
            prog=prog,
            args=words,
            config=(tyro.conf.FlagCreatePairsOff,),
        )
    except SystemExit as end:  # tyro has answered --help, or has said what is wrong with the arguments
        if end.code and as_json:
            from ._output import print_json

            message = f"wrong arguments, see stderr and '{prog} --help'"
            print_json({"error": {"class": "WrongArguments", "message": message, "exit_code": WRONG_INPUT}})
        return WRONG_INPUT if end.code else DONE
    return code if isinstance(code, int) else DONE


def _overview() -> str:
    lines = ["usage: motionkit COMMAND ...", "", "Robot kinematics and programs that prove their own output.", ""]
    lines += [f"  {command:<10}{what}" for command, what in COMMANDS.items()]
    lines += ["", "'motionkit COMMAND --help' tells more; 'motionkit --version' prints the version."]
    return "\n".join(lines)


def exit_code(error: MotionkitError) -> int:
    """1 for a motion that cannot be made, 2 for wrong input."""
    return IMPOSSIBLE if isinstance(error, _IMPOSSIBLE) else WRONG_INPUT


def _report(error: MotionkitError, as_json: bool) -> int:
    from ._output import print_error

    code = exit_code(error)
    print_error(error, code, as_json=as_json)
    return code
