"""Frame graphs: routing, bits, depth, the different failures, moving frames, threads and copies."""

import copy
import functools
import pickle
import threading

import numpy as np
import pytest

import motionkit as mk


def bits(T):
    return T.matrix().tobytes(), T.parts


def through_root(graph, target, source):
    """The other route, all the way up and down again: the control of A9."""

    def from_root(name):
        way = []
        while graph.parent(name) is not None:
            way.append(graph.lookup(graph.parent(name), name))
            name = graph.parent(name)
        return functools.reduce(lambda a, b: a * b, way[::-1], mk.SE3.identity())

    return from_root(target).inverse() * from_root(source)


def spine(depth, rng):
    """A graph whose frames s0, s1, … hang one below the other."""
    graph = mk.FrameGraph()
    graph.declare_root("s0")
    for k in range(1, depth + 1):
        graph.declare_frame(f"s{k}", f"s{k - 1}", mk.SE3.random(rng))
    return graph


# ---- A9
def test_two_tools_on_one_wrist_are_the_product_of_their_edges_bit_for_bit():
    """A9: under a spine of 20 edges; routing through the root is about 5e-16 away, and differs in its bits."""
    rng = np.random.default_rng(1)
    distances, different = [], 0
    for _ in range(50):
        graph = spine(20, rng)
        wrist_T_a, wrist_T_b = mk.SE3.random(rng), mk.SE3.random(rng)
        a = graph.declare_frame("a", "s20", wrist_T_a)
        b = graph.declare_frame("b", "s20", wrist_T_b)
        found = graph.lookup(a, b)
        assert bits(found) == bits(wrist_T_a.inverse() * wrist_T_b)
        other = through_root(graph, "a", "b")
        different += bits(other) != bits(found)
        distances.append(np.abs(other.matrix() - found.matrix()).max())
    print(f"through the root: {np.median(distances):.1e} away (median), other bits in {different} of 50")
    assert different == 50 and 1e-16 < np.median(distances) < 2e-15


def test_parent_to_child_gives_the_stored_bits_and_child_to_parent_their_inverse():
    """A9: where starting at the identity would change bits."""
    rng = np.random.default_rng(2)
    changed = 0
    for _ in range(500):
        pose = mk.SE3.random(rng)
        graph = mk.FrameGraph()
        graph.declare_root("parent")
        graph.declare_frame("child", "parent", pose)
        assert bits(graph.lookup("parent", "child")) == bits(pose)
        assert bits(graph.lookup("child", "parent")) == bits(pose.inverse())
        changed += bits(mk.SE3.identity() * pose) != bits(pose)
    print(f"one more product with the identity changes the bits of {changed} poses in 500")
    assert changed > 100  # the control: about a third


def test_a_way_down_is_the_product_of_its_edges_from_the_top():
    rng = np.random.default_rng(3)
    graph = spine(6, rng)
    edges = [graph.lookup(f"s{k}", f"s{k + 1}") for k in range(6)]
    assert bits(graph.lookup("s0", "s6")) == bits(functools.reduce(lambda a, b: a * b, edges))
    assert bits(graph.lookup("s6", "s2")) == bits((edges[2] * edges[3] * edges[4] * edges[5]).inverse())


def test_what_is_outside_the_way_has_no_part_in_the_answer():
    rng = np.random.default_rng(4)
    graph = spine(5, rng)
    graph.declare_frame("a", "s5", mk.SE3.random(rng))
    graph.declare_frame("b", "s5", mk.SE3.random(rng))
    before = bits(graph.lookup("a", "b"))
    graph.set_transform("s3", mk.SE3.from_translation((1e9, 0, 0)))
    assert bits(graph.lookup("a", "b")) == before


# ---- A8
def test_a_lookup_is_target_from_source():
    graph = mk.FrameGraph()
    world = graph.declare_root("world")
    arm = graph.declare_frame("arm", world, mk.SE3.from_translation((1, 0, 0)))
    graph.declare_frame("camera", world, mk.SE3.from_translation((0, 0, 2)))
    assert graph.lookup(arm, "camera").translation.tolist() == [-1, 0, 2]
    assert graph.lookup("camera", "arm").translation.tolist() == [1, 0, -2]
    assert graph.lookup("arm", arm) == mk.SE3.identity()


def test_random_trees_agree_with_products_of_matrices():
    rng = np.random.default_rng(5)
    for _ in range(20):
        graph = mk.FrameGraph()
        graph.declare_root("f0")
        absolute = [np.eye(4)]
        for k in range(1, 40):
            above = int(rng.integers(k))
            pose = mk.SE3.random(rng)
            graph.declare_frame(f"f{k}", f"f{above}", pose)
            absolute.append(absolute[above] @ pose.matrix())
        for i, j in rng.integers(0, 40, (60, 2)):
            want = np.linalg.inv(absolute[i]) @ absolute[j]
            # up to 20 products on the matrices' side, which nothing renormalises
            assert np.abs(graph.lookup(f"f{i}", f"f{j}").matrix() - want).max() < 5e-14


def test_a_lookup_fills_a_buffer():
    rng = np.random.default_rng(6)
    graph = spine(4, rng)
    out = np.full((4, 4), np.nan)
    for target, source in (("s0", "s4"), ("s3", "s1"), ("s2", "s2")):
        assert graph.lookup(target, source, out=out) is out
        assert out.tobytes() == graph.lookup(target, source).matrix().tobytes()
    for bad, error in (
        (np.empty((3, 4)), mk.WrongLength),
        (np.empty((4, 4), order="F"), mk.WrongLength),
        (np.empty((4, 4), dtype=np.float32), mk.KindMismatch),
    ):
        with pytest.raises(error, match=r"FrameGraph\.lookup: out"):
            graph.lookup("s0", "s1", out=bad)


def test_thirty_two_edges_are_allowed_and_the_thirty_third_is_not():
    graph = spine(32, np.random.default_rng(7))
    assert np.isfinite(graph.lookup("s0", "s32").matrix()).all()
    with pytest.raises(mk.FrameTooDeep, match=r"33 edges below its root.*at most 32"):
        graph.declare_frame("s33", "s32", mk.SE3.identity())
    assert "s33" not in graph.frames
    graph.declare_frame("beside", "s31", mk.SE3.identity())  # the same depth again is fine


def test_several_roots_and_the_names_in_order():
    graph = mk.FrameGraph()
    assert graph.frames == ()
    graph.declare_root("a")
    graph.declare_root("b")
    graph.declare_frame("a1", "a", mk.SE3.identity())
    assert graph.frames == ("a", "b", "a1")
    assert [graph.parent(name) for name in graph.frames] == [None, None, "a"]
    a2 = graph.declare_frame("a2", "a1", mk.SE3.identity())
    assert graph.id("a2") == a2 and a2.name == "a2" and graph.parent(a2) == "a1"


# ---- A10
def two_graphs():
    graphs = mk.FrameGraph(), mk.FrameGraph()
    for graph in graphs:
        graph.declare_root("world")
        graph.declare_root("island")
        graph.declare_frame("tool0", "world", mk.SE3.identity())
    return graphs


def test_the_failures_of_a_lookup_are_different_errors():
    graph, other = two_graphs()
    with pytest.raises(
        mk.UnknownFrame, match=r"no frame 'tool'; did you mean 'tool0'\? valid names: island, tool0, world"
    ):
        graph.lookup("world", "tool")
    with pytest.raises(mk.ForeignFrame, match="'tool0' is an id of another graph") as foreign:
        graph.lookup("world", other.id("tool0"))
    assert isinstance(foreign.value, mk.UnknownFrame) and foreign.value.name == "tool0"
    with pytest.raises(mk.Disconnected, match=r"'tool0' and 'island'.*different roots, 'world' and 'island'") as apart:
        graph.lookup("tool0", "island")
    assert not isinstance(apart.value, mk.UnknownFrame)
    kinds = (mk.UnknownFrame, mk.Disconnected, mk.DuplicateFrame, mk.FrameTooDeep)
    assert all(issubclass(a, mk.FrameError) for a in kinds)
    assert not any(issubclass(a, b) for a in kinds for b in kinds if a is not b)


def test_try_lookup_answers_instead_of_raising():
    graph, other = two_graphs()
    for target, source, reason, word in (
        ("world", "tool", "unknown", "did you mean"),
        (other.id("world"), "tool0", "foreign", "another graph"),
        ("island", "tool0", "disconnected", "different roots"),
    ):
        failure = graph.try_lookup(target, source)
        assert not failure and isinstance(failure, mk.LookupFailure)
        assert failure.reason == reason and word in failure.message
        assert pickle.loads(pickle.dumps(failure)) == failure and reason in repr(failure)
    found = graph.try_lookup("world", "tool0")
    assert found and found == graph.lookup("world", "tool0")


def test_declaring_twice_is_refused_and_changes_nothing():
    graph, _ = two_graphs()
    before = copy.deepcopy(graph)
    for declare in (
        lambda: graph.declare_root("tool0"),
        lambda: graph.declare_frame("world", "tool0", mk.SE3.from_translation((1, 1, 1))),
        lambda: graph.declare_frame("tool0", "tool0", mk.SE3.identity()),
    ):
        with pytest.raises(mk.DuplicateFrame, match="already"):
            declare()
    assert graph == before


def test_bad_declarations_are_refused():
    graph, other = two_graphs()
    one = mk.SE3.identity()
    for call, error in (
        (lambda: graph.declare_frame("x", "nowhere", one), mk.UnknownFrame),
        (lambda: graph.declare_frame("x", "x", one), mk.UnknownFrame),  # its own parent: no cycles
        (lambda: graph.declare_frame("x", other.id("world"), one), mk.ForeignFrame),
        (lambda: graph.declare_frame("x", "world", np.eye(4)), mk.KindMismatch),
        (lambda: graph.declare_root(""), mk.FrameError),
        (lambda: graph.declare_root(3), mk.KindMismatch),
        (lambda: graph.lookup(0, "world"), mk.KindMismatch),
        (lambda: graph.set_transform("world", one), mk.FrameError),
        (lambda: graph.set_transform("nowhere", one), mk.UnknownFrame),
        (lambda: graph.set_transform(other.id("tool0"), one), mk.ForeignFrame),
        (lambda: graph.set_transform("tool0", np.eye(4)), mk.KindMismatch),
        (lambda: graph.id("nowhere"), mk.UnknownFrame),
    ):
        with pytest.raises(error):
            call()
    assert graph == other and "x" not in graph.frames


# ---- A12
def test_moving_one_joint_moves_everything_below_it_and_nothing_else():
    """A12: one edge is replaced."""
    rng = np.random.default_rng(8)
    graph = spine(6, rng)
    graph.declare_frame("side", "s2", mk.SE3.random(rng))
    before = {name: bits(graph.lookup("s0", name)) for name in graph.frames}
    below = bits(graph.lookup("s3", "s6"))
    joint = mk.SE3.random(rng)
    graph.set_transform("s3", joint)
    for name in graph.frames:
        moved = bits(graph.lookup("s0", name)) != before[name]
        assert moved == (name in ("s3", "s4", "s5", "s6"))
    assert bits(graph.lookup("s3", "s6")) == below
    assert bits(graph.lookup("s2", "s3")) == bits(joint)


# ---- threads and copies
def test_readers_never_see_half_an_edge_or_half_a_frame():
    """Whatever a reader gets is one of the poses that were set, whole."""
    graph = mk.FrameGraph()
    graph.declare_root("s0")
    graph.declare_frame("s1", "s0", mk.SE3.identity())
    poses = [mk.SE3(mk.SO3.exp((0, 0, a)), (a, 2 * a, 3 * a)) for a in np.linspace(0, 3, 50)]
    stop = threading.Event()
    problems = []

    def write():
        k = 0
        while not stop.is_set():
            graph.set_transform("s1", poses[k % 50])
            if k < 2000:
                graph.declare_frame(f"n{k}", "s1", mk.SE3.identity())
            k += 1

    def read():
        try:
            for _ in range(3000):
                T = graph.lookup("s0", graph.frames[-1])
                if T.parts not in known:
                    problems.append(T)
        except Exception as error:
            problems.append(error)

    known = {p.parts for p in poses} | {(p * mk.SE3.identity()).parts for p in poses}
    known |= {mk.SE3.identity().parts}
    readers = [threading.Thread(target=read) for _ in range(3)]
    writer = threading.Thread(target=write)
    for thread in (writer, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    stop.set()
    writer.join()
    assert problems == []


def test_threads_that_declare_at_once_lose_nothing():
    graph = mk.FrameGraph()
    graph.declare_root("root")
    refused = []

    def declare():
        for k in range(300):
            try:
                graph.declare_frame(f"f{k}", "root", mk.SE3.from_translation((k, 0, 0)))
            except mk.DuplicateFrame:
                refused.append(k)

    threads = [threading.Thread(target=declare) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(graph.frames) == 301 and len(refused) == 900
    assert all(graph.lookup("root", f"f{k}").translation[0] == k for k in range(300))


def test_graphs_are_copied_compared_and_pickled():
    graph = spine(4, np.random.default_rng(9))
    tip = graph.id("s4")
    for other in (pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
        assert other == graph and other.frames == graph.frames
        assert bits(other.lookup("s0", tip)) == bits(graph.lookup("s0", tip))  # ids are good in a copy
        other.set_transform("s1", mk.SE3.identity())
        new = other.declare_frame("new", "s4", mk.SE3.identity())
        assert other != graph and "new" not in graph.frames
        with pytest.raises(mk.ForeignFrame):  # but not one that the original never gave
            graph.lookup("s0", new)
    assert pickle.loads(pickle.dumps(tip)) == tip and hash(tip) == hash(graph.id("s4")) and tip != graph.id("s3")
    assert repr(graph) == "<FrameGraph of 5 frames, roots: s0>" and repr(tip) == "FrameId(name='s4')"
    assert repr(mk.FrameGraph()) == "<FrameGraph of 0 frames, roots: none>" and graph != 1
    with pytest.raises(TypeError):
        hash(graph)


def test_the_same_index_of_a_copy_that_went_its_own_way_is_foreign():
    graph = spine(2, np.random.default_rng(10))
    other = copy.copy(graph)
    graph.declare_frame("mine", "s2", mk.SE3.identity())
    theirs = other.declare_frame("theirs", "s2", mk.SE3.identity())
    with pytest.raises(mk.ForeignFrame):
        graph.lookup("s0", theirs)
