"""Reports: negative masses and tensors that no body has were simulated, with eigenvalues of -1e76 or none noticed."""

import pytest

import motionkit as mk


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("negmass", "expected a positive mass"),
        ("neginertia", "no negative principal moment"),
        ("tri", "no principal moment above the sum of the other two"),
    ],
)
def test_dynamics_refuses_the_link_by_name_with_its_moments(name, says, request):
    file = request.path.parents[1] / "data" / "urdf_defects" / f"{name}.urdf"
    model = mk.RobotModel.from_urdf(file)
    assert any(says in finding.rule or says[9:] in finding.rule for finding in model.check())
    for make in (mk.DynamicChain.from_urdf, mk.DynamicTree.from_urdf):
        with pytest.raises(mk.InvalidInertia, match=f"link 'l1': .*{says}") as caught:
            make(file)
        assert caught.value.link == "l1"
        assert "principal moments" in str(caught.value) or "kg" in str(caught.value)


def test_the_same_robot_without_the_defect_is_not(request):
    file = request.path.parents[1] / "data" / "urdf_defects" / "ok.urdf"
    assert mk.DynamicChain.from_urdf(file).mass_matrix([0.1, 0.2])[0, 0] > 0.0


def test_inertia_at_the_base_is_no_concern_of_the_motors(request):
    folder = request.path.parents[1] / "data" / "urdf_defects"
    with_base = mk.DynamicChain.from_urdf(folder / "base_inertia.urdf")
    assert with_base.dynamic_model.values == mk.DynamicChain.from_urdf(folder / "ok.urdf").dynamic_model.values
