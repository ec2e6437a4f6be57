"""Field report: a call named solve takes a single step and leaves 29 of 100 millimetres.

Wanted: ``inverse`` solves and reports what is left; the single step has a name of its own. (Report 22.)
"""

import numpy as np

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
SEED = np.array([0.0, -1.0, 1.5, 0.0, 1.0, 0.0])


def test_a_tenth_of_a_metre_is_solved_and_a_step_is_called_one():
    start = ARM.forward(SEED)
    target = mk.SE3(start.rotation, start.translation + np.array([0.0, 0.1, 0.0]))
    report = ARM.inverse(target, SEED)
    assert report.position_error <= 1e-9
    assert report.iterations > 1
    # the control: one differential step leaves millimetres
    once = SEED + ARM.differential_inverse(SEED, [0.0, 0.1, 0.0, 0.0, 0.0, 0.0], damping=1e-6)
    left = float(np.linalg.norm(ARM.forward(once).translation - target.translation))
    print(f"one step leaves {1e3 * left:.1f} mm of 100")
    assert left > 1e-3
