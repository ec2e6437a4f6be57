"""Finds the joint path that keeps the tool on a line, or says where along it and why there is none.

The arm is led along from its start, so it stays on its branch: at every knot the joints are solved to rounding and
their exact first and second derivatives give the next guess. A knot is accepted only while the guess is good, which
makes the steps as small as the geometry needs; where they would have to become smaller than ``SMALLEST`` of the line,
the arm is at a singularity or at the end of its reach. Pacing in time does not belong here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import LineCrossesLimit, LineOutOfReach, LineThroughSingularity, Unreachable
from ..kernels import chain as chain_kernels
from ..kernels import inverse as inverse_kernels
from ..kernels import line as line_kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..robot import SerialChain
from ._joint_path import JointPath
from .line import Line, LineTolerance

FloatArray = NDArray[np.float64]

SINGULAR = 1e-6  # least sine of a row of the Jacobian: a wrist 1e-5 rad from straight is about there
SMALLEST = 1e-5  # of the line: a turn of the arm that fits into less is a singularity for any real move
GUESS = 0.1  # of the step: how far the solved joints may be from the guess; Newton's method is safe well beyond it
LARGEST_STEP = 0.2  # rad or m a joint may move between knots, so that no turn of the path is stepped over
EXACT = 1e-13  # m and rad: knots are solved to rounding, because the path's third derivative magnifies their error
SHARE = 0.25  # of the tolerance that the refinement uses; the rest covers what lies between the places measured
PLACES = np.arange(1, 8) / 8.0  # where a cell is measured: a quintic's error has its extrema near these
MOST_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class Followed:
    """A joint path that keeps the tool on its line.

    Attributes:
        path: the joints over the line's parameter.
        fractions: parameters of the knots.
        manipulability: Yoshikawa's measure at the knots.
        deviation: largest distance of the tool from the line that was measured between knots, m.
        deviation_rotation: largest angle, rad.
    """

    path: JointPath
    fractions: FloatArray
    manipulability: FloatArray
    deviation: float
    deviation_rotation: float


def follow(chain: SerialChain, start_q: FloatArray, line: Line, tolerance: LineTolerance, knots: int) -> Followed:
    """The joint path along a line from a configuration that is on its start.

    Raises:
        LineOutOfReach: a part of the line cannot be reached.
        LineThroughSingularity: a joint would have to be infinitely fast.
        LineCrossesLimit: a joint would have to leave its range.
    """
    tracker = _Tracker(chain, line)
    fractions, states, measure = tracker.march(start_q, knots)
    fractions, states, measure, worst = tracker.refine(fractions, states, measure, tolerance)
    tracker.refuse_sign_change(fractions, states)
    path = JointPath.through(fractions, states)
    _refuse_limit_crossing(chain, line, path)
    return Followed(path, fractions, measure[:, 0].copy(), float(worst[0]), float(worst[1]))


class _Tracker:
    """The kernels that solve and differentiate the joints on one line, with their arrays."""

    def __init__(self, chain: SerialChain, line: Line) -> None:
        n = chain.n
        self.chain = chain
        self.line = line
        self.n = n
        self.scale = 2.0 / chain.reach
        self.free = Model(np.column_stack([np.full(n, -np.inf), np.full(n, np.inf), np.zeros(n)]))

    def solve(self, fractions: FloatArray, guesses: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Joints on the line at parameters from guesses, limits left aside, (T, n), and where it succeeded."""
        n = self.n
        rows = np.empty((len(fractions), n + 5))
        run_rows(
            inverse_kernels.solve,
            self.chain.kernel_model,
            self.free,
            self.line.poses(fractions),
            np.ascontiguousarray(guesses),
            EXACT,
            EXACT,
            1e-9,
            self.scale,
            12,
            rows,
            scratch=7 * n + 6 * max(6, n) + 36,
        )
        # at rest a rounding above EXACT is as good as the arithmetic gets
        close = (rows[:, n + 1] <= 1e3 * EXACT) & (rows[:, n + 2] <= 1e3 * EXACT)
        return rows[:, :n].copy(), close

    def states(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Joints with their first two derivatives, (T, n, 3), and manipulability and least sine, (T, 2)."""
        n = self.n
        rows = np.empty((len(q), 2 * n + 2))
        model = self.line.kernel_model
        run_rows(line_kernels.rates, self.chain.kernel_model, model, q, rows, scratch=18 * n + 60)
        return np.stack([q, rows[:, :n], rows[:, n : 2 * n]], axis=2), rows[:, 2 * n :]

    def march(self, start_q: FloatArray, knots: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Knots, states and manipulabilities from the start of the line to its end."""
        grid = np.linspace(0.0, 1.0, knots)
        fractions, (states, measures) = [0.0], self.states(start_q[None])
        collected, measured = [states[0]], [measures[0]]
        step = 1.0
        while fractions[-1] < 1.0:
            s, state = fractions[-1], collected[-1]
            target = (
                float(grid[np.searchsorted(grid, s * (1.0 + 1e-12) + 1e-12, side="right")]) if s < grid[-2] else 1.0
            )
            h = min(step, target - s)
            reached = s + h if h < target - s else target
            h = reached - s
            guess = state[:, 0] + h * (state[:, 1] + 0.5 * h * state[:, 2])
            accepted = None
            if measured[-1][1] > SINGULAR and np.max(np.abs(guess - state[:, 0])) <= LARGEST_STEP:
                accepted = self._advance(state, h, reached, guess)
            if accepted is None:
                step = 0.5 * h
                if step < SMALLEST:
                    self._stuck(s, state)
                continue
            fractions.append(reached)
            collected.append(accepted[0])
            measured.append(accepted[1])
            step = 2.0 * h
        return np.array(fractions), np.array(collected), np.array(measured)

    def _advance(
        self, state: FloatArray, h: float, reached: float, guess: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """State and manipulability one step on, or None when the step is too long to trust."""
        at = np.array([reached])
        q, close = self.solve(at, guess[None])
        if not close[0] or np.max(np.abs(q[0] - guess)) > GUESS * max(float(np.max(np.abs(q[0] - state[:, 0]))), 1e-9):
            return None
        states, measures = self.states(q)
        if self.n > 6:
            # the line leaves the elbow free: take the motion that the derivatives describe (two-derivative trapezoid)
            new = states[0]
            mean = state[:, 0] + 0.5 * h * (state[:, 1] + new[:, 1]) + h * h / 12.0 * (state[:, 2] - new[:, 2])
            q, close = self.solve(at, mean[None])
            if not close[0]:
                return None
            states, measures = self.states(q)
        return None if measures[0, 1] <= SINGULAR else (states[0], measures[0])

    def refine(
        self, fractions: FloatArray, states: FloatArray, measure: FloatArray, tolerance: LineTolerance
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Halve the cells in which the tool strays until none does; the last value is the worst deviation measured."""
        while True:
            path = JointPath.through(fractions, states)
            strayed = self._deviations(path)
            worst = np.max(strayed.reshape(-1, 2), axis=0)
            allowed = SHARE * np.array([tolerance.position, tolerance.rotation])
            bad = np.flatnonzero(np.any(strayed > allowed, axis=(1, 2)))
            if not len(bad):
                return fractions, states, measure, worst
            middle = 0.5 * (fractions[bad] + fractions[bad + 1])
            q, close = self.solve(middle, path.positions(middle))
            if not np.all(close) or len(fractions) + len(bad) > MOST_CELLS:
                first = int(np.flatnonzero(~close)[0]) if not np.all(close) else 0
                self._stuck(float(fractions[bad[first]]), states[bad[first]])
            new_states, new_measure = self.states(q)
            order = np.argsort(np.concatenate([fractions, middle]), kind="stable")
            fractions = np.concatenate([fractions, middle])[order]
            states = np.concatenate([states, new_states])[order]
            measure = np.concatenate([measure, new_measure])[order]

    def _deviations(self, path: JointPath) -> FloatArray:
        """Distance and angle of the tool from the line inside every cell, (m, places, 2)."""
        low, width = path.knots[:-1, None], np.diff(path.knots)[:, None]
        places = np.ascontiguousarray((low + width * PLACES).reshape(-1))
        poses = np.empty((len(places), 12))
        run_rows(chain_kernels.forward, self.chain.kernel_model, path.positions(places), poses)
        return self.line.deviations(poses, places).reshape(len(width), len(PLACES), 2)

    def refuse_sign_change(self, fractions: FloatArray, states: FloatArray) -> None:
        """Refuse a line on which a six-joint arm passes from one branch to another through a singularity."""
        if self.n != 6:
            return
        signs, sizes = np.linalg.slogdet(self.chain.jacobian_batch(np.ascontiguousarray(states[:, :, 0])))
        changed = np.flatnonzero(signs != signs[0])
        if len(changed):
            k = int(changed[0])
            a, b = np.exp(sizes[k - 1]), np.exp(sizes[k])
            self._singular(float(fractions[k - 1] + (fractions[k] - fractions[k - 1]) * a / (a + b)), states[k])

    def _stuck(self, s: float, state: FloatArray) -> NoReturn:
        """Say why the arm cannot go on at ``s``: the end or the next stretch out of reach, else a singularity."""
        for ahead, what in ((1.0, "its end"), (min(s + max(0.01, 0.1 * (1.0 - s)), 1.0), "the place ahead")):
            try:
                self.chain.inverse_any(self.line.pose(ahead))
            except Unreachable as error:
                raise LineOutOfReach(
                    f"the line leaves the reach of the arm {_where(self.line, s)}: {what}, at {ahead:.0%}, stays "
                    f"{error.distance:.3g} m away from anything the arm reaches; move the line closer to the arm or "
                    "turn the tool",
                    fraction=s,
                    distance=s * self.line.length,
                ) from error
        self._singular(s, state)

    def _singular(self, s: float, state: FloatArray) -> NoReturn:
        fastest = self.chain.joint_names[int(np.nanargmax(np.abs(state[:, 1])))]
        raise LineThroughSingularity(
            f"the line passes through a singularity of the arm {_where(self.line, s)}: joint {fastest!r} would have to "
            "be infinitely fast; use movej, shift the line, or tilt the tool so that it passes by",
            fraction=s,
            distance=s * self.line.length,
            joint=fastest,
        )


def _where(line: Line, s: float) -> str:
    return f"at {s:.2%} of the line ({s * line.length * 1e3:.2f} of {line.length * 1e3:.2f} mm)"


def _refuse_limit_crossing(chain: SerialChain, line: Line, path: JointPath) -> None:
    """Refuse a path that leaves a joint's range; between knots by the exact extrema of the cells that might."""
    low, high = path.hull()
    cells = np.flatnonzero(np.any((low < chain.lower) | (high > chain.upper), axis=1))
    for cell in cells.tolist():
        fractions = _extrema(path, cell)
        q = path.positions(fractions)
        outside = np.argwhere((q < chain.lower) | (q > chain.upper))
        if len(outside):
            row, joint = int(outside[0, 0]), int(outside[0, 1])
            value = float(q[row, joint])
            limit = float(chain.upper[joint] if value > chain.upper[joint] else chain.lower[joint])
            name, s = chain.joint_names[joint], float(fractions[row])
            unit = "m" if chain.limits[joint].kind == "prismatic" else "rad"
            raise LineCrossesLimit(
                f"joint {name!r} would have to leave its range {_where(line, s)}: {value:.6g} {unit} against the limit "
                f"{limit:.6g} {unit}; start from another configuration of the arm or shift the line",
                fraction=s,
                distance=s * line.length,
                joint=name,
                value=value,
                limit=limit,
            )


def _extrema(path: JointPath, cell: int) -> FloatArray:
    """Parameters of the cell's ends and of every extremum of a joint inside it, in order, with a grid between them."""
    slopes = np.diff(path.controls[cell].reshape(-1, 6), axis=1)
    binomials = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
    found: list[float] = []
    for slope in slopes:
        powers = np.zeros(5)
        for k, weight in enumerate(slope * binomials):
            # Bernstein to powers: t^k (1 - t)^(4 - k), highest power first
            term = np.polymul(np.poly(np.zeros(k)), np.polymul([1.0], np.poly(np.ones(4 - k)) * (-1.0) ** (4 - k)))
            powers += weight * np.pad(np.atleast_1d(term), (5 - np.size(term), 0))
        roots = np.roots(powers) if np.any(powers) else np.zeros(0)
        found.extend(float(r.real) for r in roots if abs(r.imag) < 1e-9 and 0.0 < r.real < 1.0)
    inside = np.unique(np.concatenate([np.linspace(0.0, 1.0, 33), found]))
    return np.ascontiguousarray(path.knots[cell] + (path.knots[cell + 1] - path.knots[cell]) * inside)
