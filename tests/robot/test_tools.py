"""B10: with a tool, pose, Jacobian and inverse speak of the tool."""

import numpy as np
import pytest

import motionkit as mk

TOOL = mk.SE3(mk.SO3.from_rpy(0.2, -0.4, 1.1), (0.03, -0.02, 0.125))
Q = np.deg2rad([15.0, -70, 95, 20, 55, -30])


@pytest.fixture(params=["example", "joints"])
def chain(request):
    if request.param == "example":
        return mk.SerialChain.six_axis_example()
    example = mk.SerialChain.six_axis_example()
    return mk.SerialChain.from_joints([*example.joints, mk.Joint.fixed("flange", example.forward(np.zeros(6)))])


def test_pose_is_the_flange_times_the_tool(chain):
    assert np.allclose(
        chain.with_tool(TOOL).forward(Q).matrix(), (chain.forward(Q) * TOOL).matrix(), rtol=0, atol=1e-15
    )


def test_jacobian_refers_to_the_tool(chain):
    """The tool's point moves with v + w x r; in the tool's own axes the twist is that of the adjoint."""
    J, Jt = chain.jacobian(Q), chain.with_tool(TOOL).jacobian(Q)
    arm = chain.forward(Q).rotation * TOOL.translation
    assert np.allclose(Jt[3:], J[3:], rtol=0, atol=1e-15)
    assert np.allclose(Jt[:3], J[:3] + np.cross(J[3:].T, arm).T, rtol=0, atol=1e-15)
    own = TOOL.inverse().adjoint() @ chain.jacobian(Q, "tool")
    assert np.allclose(chain.with_tool(TOOL).jacobian(Q, "tool"), own, rtol=0, atol=1e-14)
    # the base origin is the same point for both
    assert np.allclose(chain.with_tool(TOOL).jacobian(Q, "base_origin"), chain.jacobian(Q, "base_origin"), atol=1e-15)


def test_inverse_brings_the_tool_to_the_target(chain):
    tooled = chain.with_tool(TOOL)
    target = tooled.forward(Q)
    answer = tooled.inverse(target, Q + 0.05).q
    # 1e-9 m and rad are what the solver promises
    assert np.allclose(tooled.forward(answer).matrix(), target.matrix(), rtol=0, atol=2e-9)
    assert np.linalg.norm(chain.forward(answer).translation - target.translation) > 0.1


def test_a_tool_replaces_the_one_before_and_the_identity_takes_it_off(chain):
    other = chain.with_tool(mk.SE3.from_translation((0, 0, 1.0)))
    assert other.with_tool(TOOL) == chain.with_tool(TOOL)
    assert np.array_equal(other.with_tool(mk.SE3.identity()).forward(Q).matrix(), chain.forward(Q).matrix())
    assert chain.tool is None
    assert other.tool == mk.SE3.from_translation((0, 0, 1.0))


def test_the_chain_itself_is_unchanged(chain):
    before = chain.forward(Q)
    longer = chain.with_tool(TOOL)
    assert chain.forward(Q) == before
    assert longer.reach == pytest.approx(chain.reach, abs=0.2)
    assert longer.joint_names == chain.joint_names
    assert longer.limits == chain.limits


def test_a_matrix_is_no_tool(chain):
    with pytest.raises(mk.KindMismatch, match=r"SE3\.from_matrix"):
        chain.with_tool(np.eye(4))
