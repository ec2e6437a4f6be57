"""A trajectory that is slowed down, held and gone on with while it runs, on its path: :class:`Override`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits, KindMismatch, Refused
from ._online_problem import explain_numbers, limits_table, problem_table
from ._pieces import Scaled, Stopping, Track, total
from ._transition import Caps, joining, stopping
from .limits import MotionLimits
from .paced import Paced, Trajectory, paced
from .samples import FloatArray, MotionSample, check_out, finite, finite_vector

LOOKED_AT = 2001  # instants of a plan at which its peaks are looked for
MARGIN = 1e-3  # of a rate above 1, since peaks lie between instants
DELAYS = (0.0, *np.geomspace(1.0, 1000.0, 10).tolist())  # cycles by which a change may begin later
SHARES = tuple(0.5**k for k in range(1, 8))  # of a rate that cannot be taken up from rest at once
AT_REST = 1e-9  # share of a limit below which an end is at rest


@dataclass(frozen=True, slots=True, eq=False)
class Override:
    """A trajectory under feed-rate override; make it with :meth:`of`, and change it with :meth:`change`.

    ``rate`` 0.3 means: 0.3 of the speed that the plan has at each place of the path. While a change is under way the
    path parameter takes the quickest way found that keeps velocity, acceleration and jerk of every axis within its
    limits; it never goes back, so the path is neither left nor run twice. Nothing here is changed in place: a change
    gives a new object, which agrees with the old one up to the time of the change.

    Attributes:
        trajectory: what is played.
        rate: the rate last asked for; 0 while it is held.
        changed: time of the last change, s.
        begun: time at which that change took effect, s; later than ``changed`` where the limits left no other way.
        duration: time at which the end of the trajectory is reached, s; infinite while it is held short of it.
    """

    trajectory: Trajectory
    rate: float
    changed: float
    begun: float
    duration: float
    _plan: Paced = field(repr=False)
    _caps: Caps = field(repr=False)
    _period: float = field(repr=False)
    _track: Track = field(repr=False)

    @classmethod
    def of(
        cls,
        trajectory: Trajectory,
        limits: Sequence[MotionLimits] | ArrayLike | None = None,
        *,
        rate: float = 1.0,
        period: float = 1e-3,
    ) -> Override:
        """A trajectory from its start on.

        Args:
            trajectory: any with ``duration`` and ``sample_many`` that ends at rest. One with ``progress`` and ``along``
                (:class:`SynchronizedTrajectory`, :class:`CartesianPlan`) stops as quickly as its path allows; any other
                is slowed down by its clock, which takes longer while it speeds up or brakes.
            limits: of the axes, as planners take them; None: those of the trajectory. Where the trajectory itself is
                beyond them, what it does there is the limit.
            rate: to begin with, above 0; 1 or less, or what :attr:`maximum_rate` allows.
            period: of the cycle that will sample it, s; limits are looked at every half of it.

        Raises:
            KindMismatch: it is no trajectory, or does not end at rest, or a rate other than 1 is to begin in motion.
            InvalidLimits: there are no limits, or they make no sense, or the period is not above zero.
            WrongLength: there are not n limits.
            NotFinite: a number is not finite.
            Refused: the limits do not allow the rate.

        >>> import motionkit as mk
        >>> move = mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 0.0], [[2, 8, 40], [2, 8, 40]])
        >>> play = mk.Override.of(move).change(0.5, 0.25)
        >>> round(play.duration, 3), play.hold(0.6).duration
        (3.573, inf)
        """
        plan = paced(trajectory)
        cycle = finite(period, "period")
        if cycle <= 0.0:
            raise InvalidLimits(f"period is {cycle!r}; give the time of a cycle in seconds, above zero", joint="")
        ends = plan.sample_many(np.array([0.0, plan.duration]))
        caps = _caps_of(trajectory, plan, limits, ends.position.shape[1])
        for row, what in ((1, "end"), (0, "begin")):
            moving = np.abs(ends.velocity[row]) > AT_REST * caps.velocity
            if moving.any() and (row == 1 or rate != 1.0):
                i = int(moving.argmax())
                raise KindMismatch(
                    f"expected a trajectory that {what}s at rest, axis {i} {what}s with velocity "
                    f"{float(ends.velocity[row, i])!r}; give its target no velocity",
                    joint=f"axis {i}",
                )
        whole = Track((0.0,), (Scaled(plan, 0.0, 1.0),))
        made = cls(trajectory, 1.0, 0.0, 0.0, plan.duration, plan, caps, cycle, whole)
        wanted = made._checked(rate)
        if wanted == 0.0:
            raise InvalidLimits("rate is 0: give a rate above zero, and hold(0.0) what is not to begin", joint="")
        track = Track((0.0,), (Scaled(plan, 0.0, wanted),))
        return replace(made, rate=wanted, duration=total(track), _track=track)

    @property
    def maximum_rate(self) -> float:
        """The highest rate that the limits allow from end to end; 1 or more, and 1 for what moves at a limit.

        >>> import motionkit as mk
        >>> limits = [mk.MotionLimits(2, 8, 40)]
        >>> slow = mk.SynchronizedTrajectory.plan([0.0], [2.0], [mk.MotionLimits(1, 2, 5)])
        >>> round(mk.Override.of(slow, limits).maximum_rate, 3)
        1.998
        """
        sample = self._plan.sample_many(np.linspace(0.0, self._plan.duration, LOOKED_AT))
        caps = self._caps
        tiny = np.finfo(np.float64).tiny

        def room(up: FloatArray, down: FloatArray, values: FloatArray) -> float:
            used = np.maximum(values / up, -values / down).max(initial=tiny)
            return float(1.0 / max(used, tiny))

        rates = (
            room(caps.velocity, caps.velocity_back, sample.velocity),
            math.sqrt(room(caps.acceleration, caps.braking, sample.acceleration)),
            math.cbrt(room(caps.jerk, caps.jerk, sample.jerk)),
        )
        return max(min(rates) * (1.0 - MARGIN), 1.0)

    def change(self, t: float, rate: float) -> Override:
        """Another rate from time ``t`` on.

        Args:
            t: s; not before the last change took effect or was asked for.
            rate: 0 holds, 1 is the plan.

        Raises:
            NotFinite: a number is not finite.
            InvalidLimits: the rate is negative, or ``t`` lies before the last change.
            Refused: the limits do not allow the rate; ``amount`` is how much too high it is.
        """
        at, wanted = finite(t, "t"), self._checked(rate)
        if at < self.changed:
            raise InvalidLimits(
                f"t is {at!r}, before the last change at {self.changed!r}; changes are made in the order of time",
                joint="",
            )
        if wanted == self.rate or at >= self.duration:
            return replace(self, rate=wanted, changed=at, begun=at)
        stood = False
        for delay in DELAYS:
            begins = at + delay * self._period
            if begins >= self.duration or stood:
                break
            track = self._changed(begins, wanted)
            if track is not None:
                return replace(self, rate=wanted, changed=at, begun=begins, duration=total(track), _track=track)
            stood = self.standing(begins)
        if self.duration == math.inf:
            return self._by_steps(at, wanted)
        # there is no time left for anything but what is under way, which ends at rest at the end
        return replace(self, rate=wanted, changed=at, begun=self.duration)

    def _by_steps(self, at: float, wanted: float) -> Override:
        """From rest in the midst of a plan that is at its limits there: at a lower rate first."""
        for share in SHARES:
            track = self._changed(at, share * wanted)
            if track is not None:
                slow = replace(self, rate=share * wanted, changed=at, begun=at, duration=total(track), _track=track)
                again = slow.change(track.starts[-1], wanted)
                return replace(again, changed=at, begun=at)
        raise Refused(
            "no way back into motion was found that keeps the limits; plan from here to the end anew",
            reason="limits",
            amount=0.0,
        )

    def hold(self, t: float) -> Override:
        """Come to rest on the path from time ``t`` on; :meth:`change` with rate 0."""
        return self.change(t, 0.0)

    def resume(self, t: float, rate: float = 1.0) -> Override:
        """Go on at a rate from time ``t`` on, at rest or still coming to rest; :meth:`change`."""
        return self.change(t, rate)

    def standing(self, t: float) -> bool:
        """Whether the axes are at rest at ``t`` and stay so unless something is changed."""
        start, piece = self._track.last(t)
        return t >= self.duration or (isinstance(piece, Stopping) and t - start >= piece.lasts)

    def progress(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """The path parameter at times (T,) in s: fields (T,); of a plan without one its time, in s.

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        return self._track.progress(finite_vector(ts, "times"))

    @overload
    def sample(self, t: float) -> MotionSample[FloatArray]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[FloatArray] | FloatArray:
        """All axes at time ``t``.

        Args:
            t: in s, any finite time; before 0 at rest at the start.
            out: (4, n) filled with positions, velocities, accelerations and jerks, and returned, when given.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4, n).
        """
        sample = self._track.motion_at(finite(t, "t"))
        rows = [sample.position[0], sample.velocity[0], sample.acceleration[0], sample.jerk[0]]
        if out is None:
            return MotionSample(*rows)
        check_out(out, (4, len(rows[0])))
        out[:] = rows
        return out

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """All axes at times (T,) in s; fields (T, n).

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        return self._track.motion(finite_vector(ts, "times"))

    def _checked(self, rate: float) -> float:
        wanted = finite(rate, "rate")
        if wanted < 0.0:
            raise InvalidLimits(f"rate is {wanted!r}; give 0 to hold, or a rate above zero", joint="")
        if wanted > 1.0:
            most = self.maximum_rate
            if wanted > most:
                raise Refused(
                    f"rate is {wanted!r}, the limits of the axes allow {most:.4g}; give at most that, or plan with "
                    "higher limits",
                    reason="limits",
                    amount=wanted - most,
                )
        return wanted

    def _changed(self, at: float, rate: float) -> Track | None:
        """The track with another rate from ``at`` on; None where no way from there keeps the limits."""
        start, piece = self._track.last(at)
        if isinstance(piece, Scaled):
            time = float(piece.times(np.array([at - start]))[0])
            if piece.rate == rate:
                return self._track
        else:
            time = self._time_of(float(self._track.progress(np.array([at])).position[0]))
        if at <= 0.0 or (time <= 0.0 and self.standing(at)):
            if rate > 0.0:
                return self._track.then(at, Scaled(self._plan, 0.0, rate))
        progress = self._track.progress(np.array([at]))
        state = np.array([progress.position[0], progress.velocity[0], progress.acceleration[0]])
        until = start + piece.lasts if self.duration == math.inf else self.duration
        fastest = float(self._track.progress(np.linspace(at, max(until, at), LOOKED_AT)).velocity.max())
        if rate == 0.0:
            found = stopping(self._plan, self._caps, state, time, fastest, until - at, self._period)
            return None if found is None else self._track.then(at, found)
        joined = joining(self._plan, self._caps, state, time, rate, rate < self.rate, fastest, self._period)
        if joined is None:
            return None
        way, rest = joined
        return self._track.then(at, way).then(at + way.lasts, rest)

    def _time_of(self, parameter: float) -> float:
        """Time of the plan at a path parameter, by bisection."""
        low, high = 0.0, self._plan.duration
        for _ in range(60):
            middle = 0.5 * (low + high)
            if float(self._plan.progress(np.array([middle])).position[0]) <= parameter:
                low = middle
            else:
                high = middle
        return low


def _caps_of(trajectory: Any, plan: Paced, limits: Any, n: int) -> Caps:
    """Limits of the axes, widened to what the plan itself does where it is beyond them."""
    given = getattr(trajectory, "limits", None) if limits is None else limits
    if given is None:
        raise InvalidLimits(
            f"{type(trajectory).__name__} does not say which limits it keeps; give limits=, one MotionLimits an axis",
            joint="",
        )
    sample = plan.sample_many(np.linspace(0.0, plan.duration, LOOKED_AT))
    moves = np.ptp(sample.position, axis=0) > 0.0
    if not isinstance(given, np.ndarray) and len(given) == n and all(isinstance(x, MotionLimits) for x in given):
        # what does not move may have limits that are not set
        given = [limit if moving else MotionLimits(1.0, 1.0, 1.0) for limit, moving in zip(given, moves, strict=True)]
    table, _ = limits_table(given, n)
    still = np.zeros((n, 3))
    problems = problem_table(still, still, table, 0.0)
    problems[~moves, 6:11] = 1.0
    if not (np.isfinite(problems).all() and (problems[:, 6:11] > 0.0).all()):
        raise explain_numbers(problems)
    caps = [problems[:, 6], problems[:, 7], problems[:, 8], problems[:, 9], problems[:, 10]]
    peaks = [
        sample.velocity.max(axis=0),
        -sample.velocity.min(axis=0),
        sample.acceleration.max(axis=0),
        -sample.acceleration.min(axis=0),
        np.abs(sample.jerk).max(axis=0),
    ]
    return Caps(*(np.maximum(cap, peak) for cap, peak in zip(caps, peaks, strict=True)))
