"""Named frames and the transforms between them: :class:`FrameGraph`. Poses are in ``se3``; time is nowhere."""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from ..errors import (
    Disconnected,
    DuplicateFrame,
    ForeignFrame,
    FrameError,
    FrameTooDeep,
    KindMismatch,
    UnknownFrame,
    did_you_mean,
)
from ..kernels import quat, rigid
from . import _inputs
from ._inputs import FloatArray
from .se3 import SE3, Rigid, fill_matrix, se3_from_bits

MAX_DEPTH = 32
"""How many edges a frame may be below its root."""

_IDENTITY: Rigid = (quat.IDENTITY, (0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class FrameId:
    """A frame of one particular graph, as :meth:`FrameGraph.declare_root` and ``declare_frame`` give it.

    It is good for the graph that made it and for copies of that graph; another graph refuses it, whatever its name.

    Attributes:
        name: the name of the frame.
        graph: which graph it belongs to; only equality has a meaning.
        index: its place in the order of declaration.
    """

    name: str
    graph: str = field(repr=False)
    index: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class LookupFailure:
    """Why :meth:`FrameGraph.try_lookup` found no transform. It counts as false.

    Attributes:
        reason: ``"unknown"`` (no frame of that name), ``"foreign"`` (an id of another graph) or ``"disconnected"``
            (two frames without a common root).
        message: what was asked, and what would help.
    """

    reason: Literal["unknown", "foreign", "disconnected"]
    message: str

    def __bool__(self) -> Literal[False]:
        return False


class FrameGraph:
    """Frames in a tree: every frame but a root hangs on one parent by one transform.

    Several roots are allowed; frames of different roots have no transform between them. A frame is named by its
    :class:`FrameId` or by its name, and cycles cannot be made, since a parent has to exist first. Moving a frame
    (:meth:`set_transform`) replaces one edge, and everything below follows.

    A lookup goes through the lowest common ancestor of the two frames, so that nothing outside the way between them
    has a part in the answer, nor in its rounding: between two tools on one wrist it is, bit for bit,
    ``wrist_T_a.inverse() * wrist_T_b``. On each side the product starts at the first edge below the ancestor, as in
    ``a_T_b * b_T_c * c_T_d``. From parent to child it is the stored pose itself.

    Reading is safe from any number of threads while others declare and set: every edge is seen whole. A lookup over
    several edges that are being set one after the other may see some of them before and some after.

    >>> import motionkit as mk
    >>> graph = mk.FrameGraph()
    >>> world = graph.declare_root("world")
    >>> arm = graph.declare_frame("arm", world, mk.SE3.from_translation((1, 0, 0)))
    >>> camera = graph.declare_frame("camera", world, mk.SE3.from_translation((0, 0, 2)))
    >>> graph.lookup(arm, "camera").translation
    array([-1.,  0.,  2.])
    """

    def __init__(self) -> None:
        self._token = uuid.uuid4().hex
        self._index: dict[str, int] = {}
        self._names: list[str] = []
        self._parents: list[int] = []
        self._depths: list[int] = []
        self._poses: list[SE3] = []
        self._declaring = threading.Lock()

    # ---- building
    def declare_root(self, name: str) -> FrameId:
        """Add a frame without a parent.

        Args:
            name: not empty, not yet in the graph.

        Raises:
            DuplicateFrame: the graph has the name already.
            FrameError: the name is empty.
            KindMismatch: the name is no text.
        """
        with self._declaring:
            return self._add(name, -1, 0, SE3.identity())

    def declare_frame(self, name: str, parent: FrameId | str, pose: SE3) -> FrameId:
        """Add a frame below another.

        Args:
            name: not empty, not yet in the graph.
            parent: the frame it hangs on.
            pose: the pose of the new frame in its parent, ``parent_T_name``.

        Raises:
            DuplicateFrame: the graph has the name already.
            ForeignFrame: ``parent`` is an id of another graph.
            FrameError: the name is empty.
            FrameTooDeep: the frame would be more than 32 edges below its root.
            KindMismatch: ``pose`` is no SE3, or the name no text.
            UnknownFrame: ``parent`` is no frame of this graph.
        """
        with self._declaring:
            above = self._resolve(parent)
            depth = self._depths[above] + 1
            if depth > MAX_DEPTH:
                raise FrameTooDeep(
                    f"frame {name!r} would be {depth} edges below its root, on {self._names[above]!r}; at most "
                    f"{MAX_DEPTH} are allowed: join fixed transforms into one, or hang the frame higher up"
                )
            return self._add(name, above, depth, _pose(pose, f"frame {name!r}"))

    def set_transform(self, frame: FrameId | str, pose: SE3) -> None:
        """Move a frame, and with it all that hangs on it: replace ``parent_T_frame``. O(1).

        Raises:
            ForeignFrame: an id of another graph.
            FrameError: the frame is a root, which has no parent to be moved in.
            KindMismatch: ``pose`` is no SE3.
            UnknownFrame: no frame of this graph.
        """
        k = self._resolve(frame)
        if self._parents[k] < 0:
            raise FrameError(f"frame {self._names[k]!r} is a root: it has no parent in which it could be moved")
        self._poses[k] = _pose(pose, f"frame {self._names[k]!r}")

    # ---- asking
    @overload
    def lookup(self, target: FrameId | str, source: FrameId | str) -> SE3: ...
    @overload
    def lookup(self, target: FrameId | str, source: FrameId | str, out: FloatArray) -> FloatArray: ...
    def lookup(self, target: FrameId | str, source: FrameId | str, out: FloatArray | None = None) -> SE3 | FloatArray:
        """The pose of ``source`` in ``target``: ``target_T_source``, which takes coordinates from source to target.

        Args:
            target: the frame in which the answer is given.
            source: the frame whose pose is asked for. The same as ``target`` gives the identity.
            out: a C-contiguous float64 (4, 4) to fill with the homogeneous matrix and return instead.

        Returns:
            The pose, or ``out``. O(edges between the two).

        Raises:
            Disconnected: the frames have different roots.
            ForeignFrame: an id of another graph.
            KindMismatch: ``out`` is no array of float64.
            UnknownFrame: no frame of this graph.
            WrongLength: ``out`` has another shape or layout.
        """
        if out is not None:
            _inputs.check_out(out, (4, 4), "FrameGraph.lookup: out")
        parts = self._route(self._resolve(target), self._resolve(source))
        if out is None:
            return se3_from_bits(parts)
        fill_matrix(parts, out)
        return out

    def try_lookup(self, target: FrameId | str, source: FrameId | str) -> SE3 | LookupFailure:
        """As :meth:`lookup`, but a transform that does not exist is an answer and not an error.

        Returns:
            The pose, or a :class:`LookupFailure`, which counts as false and says why.

        >>> import motionkit as mk
        >>> graph = mk.FrameGraph()
        >>> _ = graph.declare_root("world"), graph.declare_root("elsewhere")
        >>> found = graph.try_lookup("world", "elsewhere")
        >>> bool(found), found.reason
        (False, 'disconnected')
        """
        try:
            return self.lookup(target, source)
        except ForeignFrame as error:
            return LookupFailure("foreign", error.message)
        except UnknownFrame as error:
            return LookupFailure("unknown", error.message)
        except Disconnected as error:
            return LookupFailure("disconnected", error.message)

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of all frames in the order of their declaration, which has every parent before its children."""
        return tuple(self._index)

    def id(self, name: str) -> FrameId:
        """The id of a frame; raises UnknownFrame when there is none of that name."""
        return FrameId(name, self._token, self._resolve(name))

    def parent(self, frame: FrameId | str) -> str | None:
        """The name of the frame that this one hangs on, None for a root; raises like :meth:`set_transform`."""
        above = self._parents[self._resolve(frame)]
        return None if above < 0 else self._names[above]

    # ---- inside
    def _add(self, name: str, parent: int, depth: int, pose: SE3) -> FrameId:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"expected the name of a frame as text, got {name!r}")
        if not name:
            raise FrameError("expected the name of a frame, got an empty text")
        if name in self._index:
            raise DuplicateFrame(
                f"the graph has a frame {name!r} already; set_transform moves it, and another frame needs another name",
                name=name,
            )
        self._names.append(name)
        self._parents.append(parent)
        self._depths.append(depth)
        self._poses.append(pose)
        self._index[name] = len(self._names) - 1  # last, so that a reader never sees half a frame
        return FrameId(name, self._token, self._index[name])

    def _resolve(self, frame: FrameId | str) -> int:
        if isinstance(frame, FrameId):
            k = frame.index
            if frame.graph != self._token or k >= len(self._names) or self._names[k] != frame.name:
                raise ForeignFrame(
                    f"frame {frame.name!r} is an id of another graph; use an id that this graph gave, or the name",
                    name=frame.name,
                )
            return k
        if not isinstance(frame, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"expected a frame as its FrameId or its name, got {type(frame).__name__}")
        k = self._index.get(frame, -1)
        if k < 0:
            raise UnknownFrame(f"the graph has no frame {frame!r}; {did_you_mean(frame, self.frames)}", name=frame)
        return k

    def _route(self, target: int, source: int) -> Rigid:
        parents = self._parents
        depths = self._depths
        to_source: list[int] = []
        to_target: list[int] = []
        s = source
        t = target
        while s != t:
            if depths[s] == 0 and depths[t] == 0:
                raise Disconnected(
                    f"no transform between {self._names[target]!r} and {self._names[source]!r}: they hang on different "
                    f"roots, {self._names[t]!r} and {self._names[s]!r}; declare one root below the other"
                )
            if depths[s] >= depths[t]:
                to_source.append(s)
                s = parents[s]
            else:
                to_target.append(t)
                t = parents[t]
        if not to_target:
            return self._down(to_source) if to_source else _IDENTITY
        back = rigid.invert(self._down(to_target))
        return rigid.compose(back, self._down(to_source)) if to_source else back

    def _down(self, way: list[int]) -> Rigid:
        """The product of the edges of a way that is listed from below, starting at the topmost edge."""
        made = self._poses[way[-1]].parts
        for k in way[-2::-1]:
            made = rigid.compose(made, self._poses[k].parts)
        return made

    # ---- as a value
    def _content(self) -> dict[str, tuple[str | None, SE3]]:
        return {name: (self.parent(name), self._poses[k]) for name, k in self._index.items()}

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, FrameGraph) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a graph changes

    def __repr__(self) -> str:
        roots = [name for name, k in self._index.items() if self._parents[k] < 0]
        return f"<FrameGraph of {len(self._names)} frames, roots: {', '.join(roots) or 'none'}>"

    def __getstate__(self) -> dict[str, Any]:
        with self._declaring:
            state = self.__dict__.copy()
            for name in ("_index", "_names", "_parents", "_depths", "_poses"):
                state[name] = state[name].copy()
        del state["_declaring"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._declaring = threading.Lock()


def _pose(value: object, what: str) -> SE3:
    if not isinstance(value, SE3):
        raise KindMismatch(f"{what}: expected its pose as an SE3, got {type(value).__name__}")
    return value
