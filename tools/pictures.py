"""Draws the pictures of the documentation from the library's own numbers, as plain SVG.

``python tools/pictures.py`` writes them anew; a test compares what is in docs/pictures with what would be written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import motionkit as mk

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
INK, GRID = "#555", "#ddd"
BLUE, RED, GREEN = "#1f6fb4", "#c8442b", "#3a8f4c"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 300, 62, 12, 30, 44


@dataclass
class Panel:
    """One set of axes.

    Attributes:
        title, across, up: what the panel, its horizontal and its vertical axis show.
        lines: name, colour, values across and up.
        marks: heights of dashed lines.
    """

    title: str
    across: str
    up: str
    lines: list[tuple[str, str, np.ndarray, np.ndarray]] = field(default_factory=list)
    marks: list[float] = field(default_factory=list)

    def draw(self, x: float) -> list[str]:
        """Elements of the panel, whose left edge is at ``x``."""
        low_x = min(float(line[2].min()) for line in self.lines)
        high_x = max(float(line[2].max()) for line in self.lines)
        heights = [float(v) for line in self.lines for v in (line[3].min(), line[3].max())] + self.marks
        low_y, high_y = min(heights), max(heights)
        room = 0.06 * (high_y - low_y)
        low_y, high_y = low_y - room, high_y + room

        def across(value: float) -> float:
            return x + LEFT + (value - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT)

        def up(value: float) -> float:
            return HEIGHT - BOTTOM - (value - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM)

        parts = [text(x + LEFT, 18, self.title, "start", weight="bold")]
        for value in ticks(low_x, high_x):
            parts.append(stroke([(across(value), TOP), (across(value), HEIGHT - BOTTOM)], GRID, 1))
            parts.append(text(across(value), HEIGHT - BOTTOM + 15, f"{value:g}", "middle"))
        for value in ticks(low_y, high_y):
            parts.append(stroke([(x + LEFT, up(value)), (x + WIDTH - RIGHT, up(value))], GRID, 1))
            parts.append(text(x + LEFT - 6, up(value) + 4, f"{value:g}", "end"))
        for value in self.marks:
            parts.append(stroke([(x + LEFT, up(value)), (x + WIDTH - RIGHT, up(value))], INK, 1, dashed=True))
        for k, (name, colour, horizontal, vertical) in enumerate(self.lines):
            points = [(across(float(a)), up(float(b))) for a, b in zip(horizontal, vertical, strict=True)]
            parts.append(stroke(points, colour, 1.8))
            parts.append(text(x + WIDTH - RIGHT - 6, TOP + 15 + 15 * k, name, "end", colour))
        parts.append(text(x + LEFT + 0.5 * (WIDTH - LEFT - RIGHT), HEIGHT - 8, self.across, "middle"))
        parts.append(text(x + 12, HEIGHT - BOTTOM - 0.5 * (HEIGHT - TOP - BOTTOM), self.up, "middle", turned=True))
        return parts


def ticks(low: float, high: float) -> list[float]:
    """A few round numbers between."""
    size = 10.0 ** np.floor(np.log10(high - low))
    step = next(float(size * k) for k in (0.1, 0.2, 0.5, 1.0, 2.0) if (high - low) / (size * k) <= 6.0)
    return [round(step * k, 12) + 0.0 for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def stroke(points: Sequence[tuple[float, float]], colour: str, width: float, dashed: bool = False) -> str:
    """A polyline."""
    way = " ".join(f"{a:.2f},{b:.2f}" for a, b in points)
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>'


def text(
    x: float, y: float, words: str, anchor: str, colour: str = INK, weight: str = "normal", turned: bool = False
) -> str:
    """Words at a place."""
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    style = f'text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}{turn}>{words}</text>'


def picture(*panels: Panel) -> str:
    """Panels side by side."""
    width = WIDTH * len(panels)
    parts = [part for k, panel in enumerate(panels) for part in panel.draw(WIDTH * k)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>"]) + "\n"


def planned_anew() -> str:
    """Two axes whose limit of velocity swings, planned anew every 4 ms: on their line, and bowed."""
    start, goal = np.zeros((2, 3)), np.array([[2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    where, off = Panel("the way", "axis 1, rad", "axis 2, rad"), Panel("distance from the line", "time, s", "rad")
    for name, colour, synchronize in (("time", RED, "time"), ("line", BLUE, "line")):
        move = mk.OnlineTrajectory.plan(start, goal, limits(0.0), synchronize)  # type: ignore[arg-type]
        rows = [start[:, 0]]
        while len(rows) < 3000:
            rows.append(move.sample(0.004).position)
            if move.duration <= 0.004:
                break
            move = move.replan(0.004, limits(0.004 * len(rows)))
        way = np.array(rows)
        distance = np.abs(way @ np.array([-1.0, 2.0])) / np.sqrt(5.0)
        where.lines.append((f"synchronize={name!r}", colour, way[::10, 0], way[::10, 1]))
        off.lines.append(
            (f"{name}: at most {distance.max():.2g}", colour, 0.004 * np.arange(len(way))[::10], distance[::10])
        )
    return picture(where, off)


def limits(t: float) -> np.ndarray:
    """Velocity limits that swing against each other, of axes with other accelerations."""
    swing = 0.45 * np.sin(2.0 * t)
    return np.array([[0.55 + swing, 2.0, 5.0], [0.55 - swing, 1.0, 4.0]])


def stop_in_acceleration() -> str:
    """A stop from 0.05 m/s with -8 m/s^2: it ends behind its start."""
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 0.05, -8.0), mk.MotionLimits(2, 8, 40))
    ts = np.linspace(0.0, stop.duration, 121)
    sample = stop.sample_many(ts)
    position = Panel("position, m", "time, s", "m")
    position.lines.append((f"ends at {stop.stopping_distance:.3f}", BLUE, ts, sample.position))
    velocity = Panel("velocity, m/s", "time, s", "m/s")
    velocity.lines.append((f"down to {sample.velocity.min():.2f}", GREEN, ts, sample.velocity))
    velocity.marks.append(0.0)
    return picture(position, velocity)


def override() -> str:
    """A line of two axes, slowed down, held and gone on with, and a factor on time beside it."""
    rates = np.array([[2.0, 8.0, 40.0], [2.0, 8.0, 40.0]])
    move = mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 0.0], rates)
    play = mk.Override.of(move).change(0.5, 0.3).hold(1.4).resume(2.2)
    ts = np.linspace(0.0, play.duration, 401)
    sample = play.sample_many(ts)
    speed, force = Panel("velocity of axis 1", "time, s", "rad/s"), Panel("acceleration of axis 1", "time, s", "rad/s²")
    speed.lines.append(("0.3 at 0.5 s, held at 1.4 s, on at 2.2 s", BLUE, ts, sample.velocity[:, 0]))
    force.lines.append(("within ±8", BLUE, ts, sample.acceleration[:, 0]))
    force.marks += [-8.0, 8.0]
    return picture(speed, force)


PICTURES: dict[str, Callable[[], str]] = {
    "planned-anew.svg": planned_anew,
    "stop-in-acceleration.svg": stop_in_acceleration,
    "override.svg": override,
}


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
