"""``motionkit calibrate kinematic`` and ``plan``: files that state everything, tables, JSON, refusals."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import motionkit as mk
from motionkit.calibration._screw_errors import corrected, terms
from motionkit.cli import main

ARM = mk.SerialChain.six_axis_example()


def kinematic_file(folder, **changed):
    """Fourteen poses of an arm whose axes are off by 1 mm and 1 mrad, in millimetres and degrees, joints reversed."""
    rng = np.random.default_rng(1)
    parameters = terms(ARM, ("axes", "tool"), (), turned_tool=True)
    real = corrected(ARM, mk.SE3.identity(), parameters, rng.normal(size=30) * 1e-3)[0]
    samples = []
    for q in rng.uniform(-1.8, 1.8, (14, 6)):
        pose = real.forward(q)
        samples.append(
            {
                "joints": np.degrees(q[::-1]).tolist(),
                "position": (pose.translation * 1000.0).tolist(),
                "quaternion": pose.rotation.xyzw.tolist(),
            }
        )
    data = {
        "motionkit": "calibrate-kinematic/1",
        "robot": {"urdf": "six_axis_example"},
        "units": {"length": "mm", "angle": "deg"},
        "joint_order": list(ARM.joint_names)[::-1],
        "measured": "measuring_T_tip",
        "quaternion_order": "xyzw",
        "samples": samples,
        **changed,
    }
    path = folder / "samples.json"
    path.write_text(json.dumps(data))
    return str(path), real


def test_kinematic_json_and_corrected_robot(tmp_path, capsys) -> None:
    path, real = kinematic_file(tmp_path)
    written = tmp_path / "corrected.urdf"
    assert main(["calibrate", "kinematic", path, "--urdf", str(written), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rank"] == found["parameters"] == 30
    assert found["after"]["position_rms"] < 1e-9 < 1e-3 < found["before"]["position_rms"]
    base = found["measuring_T_base"]
    chain = mk.SerialChain.from_urdf(written)
    q = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2]
    place = mk.SE3(mk.SO3.from_wxyz(base["wxyz"]), base["xyz"])
    assert np.abs((place * chain.forward(q)).matrix() - real.forward(q).matrix()).max() < 1e-9


def test_kinematic_table(tmp_path, capsys) -> None:
    path, _ = kinematic_file(tmp_path)
    assert main(["calibrate", "kinematic", path]) == 0
    out = capsys.readouterr().out
    assert "nominal axes" in out and "held out" in out and "30 of 30 parameters can be told" in out


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"units": {"length": "mm"}}, "angle"),
        ({"unit": 1}, "unit"),
        ({"quaternion_order": None}, "null|quaternion_order"),
        ({"joint_order": ["j1", "j2", "j3", "j4", "j5", "j5"]}, "joint_order"),
        ({"units": {"length": "m", "angle": "deg"}}, "in millimetres"),
        ({"samples": []}, "got none"),
    ],
)
def test_kinematic_refusals(tmp_path, capsys, changed, words) -> None:
    path, _ = kinematic_file(tmp_path, **changed)
    assert main(["calibrate", "kinematic", path]) == 2
    assert re.search(words, capsys.readouterr().err)


PLAN = """\
motionkit: calibrate-plan/1
robot: {urdf: six_axis_example}
units: {length: mm, angle: deg}
mount: eye_in_hand
quaternion_order: wxyz
camera: {fx: 500, fy: 500, cx: 320, cy: 240, width: 640, height: 480}
target_size: [100, 80]
distance: [200, 350]
flange_T_camera: {position: [50, 0, 0], quaternion: [0.7071067811865476, 0, 0.7071067811865476, 0]}
base_T_target: {position: [550, 0, 0], quaternion: [0, 1, 0, 0]}
stations: 5
candidates: 60
largest_tilt: 40
"""


def test_plan(tmp_path, capsys) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    assert main(["calibrate", "plan", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["joint_order"] == list(ARM.joint_names) and len(found["stations"]) == 5
    for station in found["stations"]:
        q = np.array(station["q"])
        assert (q > ARM.lower).all() and (q < ARM.upper).all()
        assert 0.2 - 1e-5 < math.hypot(*station["camera_T_target"]["xyz"]) < 0.35 + 1e-5
    assert main(["calibrate", "plan", str(path)]) == 0
    assert "views are in the image and within reach" in capsys.readouterr().out


def test_plan_needs_the_guess_of_its_mount(tmp_path, capsys) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN.replace("eye_in_hand", "eye_to_hand"))
    assert main(["calibrate", "plan", str(path)]) == 2
    assert "base_T_camera is missing" in capsys.readouterr().err


def test_unknown_calibration(capsys) -> None:
    assert main(["calibrate", "kinematics", "x"]) == 2
    assert "did you mean 'kinematic'" in capsys.readouterr().err


def test_schemas_are_those_of_the_classes_that_read() -> None:
    """``python tools/calibration_schema.py`` writes them anew."""
    from motionkit.cli._calibration_files import FOLDER, SCHEMAS, json_schema

    for name, form in SCHEMAS.items():
        written = json.dumps(json_schema(form))
        assert json.loads((FOLDER / name).read_text(encoding="utf-8")) == json.loads(written)
        assert form.__name__ in written
