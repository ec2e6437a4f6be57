"""The known wrong forms that ``mutants.py`` plants: where, what is replaced by what, and which tests must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong form."""

    name: str
    requirement: str
    what: str
    file: str  # below src/motionkit
    old: str
    new: str
    tests: tuple[str, ...]


MATRIX_RPY = """
    m = to_matrix(q)
    c = sqrt(m[0] * m[0] + m[3] * m[3])
    lock = c < 1e-8
    roll = select(lock, like(c, 0.0), atan2(m[7], m[8]))
    yaw = select(lock, atan2(0.0 - m[1], m[4]), atan2(m[3], m[0]))
    return (roll, atan2(0.0 - m[6], c), yaw)
"""

MUTANTS: tuple[Mutant, ...] = (
    # ---- spatial
    Mutant(
        name="angle-by-acos",
        requirement="A3",
        what="the angle between rotations from an arccosine",
        file="kernels/quat.py",
        old="return 2.0 * atan2(sqrt(x * x + y * y + z * z), absolute(w))",
        new='return 2.0 * __import__("math").acos(min(1.0, abs(w)))',
        tests=("tests/spatial/test_so3.py",),
    ),
    Mutant(
        name="sign-of-quaternion-kept",
        requirement="A1",
        what="a product keeps the sign of the quaternion as it comes",
        file="kernels/rigid.py",
        old="return quat.canonical(quat.normalize(quat.multiply(a, b)))",
        new="return quat.normalize(quat.multiply(a, b))",
        tests=("tests/spatial/test_so3.py",),
    ),
    Mutant(
        name="product-not-renormalised",
        requirement="A2",
        what="a product is not divided by its norm",
        file="kernels/rigid.py",
        old="return quat.canonical(quat.normalize(quat.multiply(a, b)))",
        new="return quat.canonical(quat.multiply(a, b))",
        tests=("tests/spatial/test_so3.py",),
    ),
    Mutant(
        name="matrix-without-third-pivot",
        requirement="A4",
        what="a matrix of a half turn about z is read with a pivot near zero",
        file="kernels/quat.py",
        old="k = t3 > best",
        new="k = t3 > best + 4.0",
        tests=("tests/spatial/test_so3.py",),
    ),
    Mutant(
        name="log-without-series",
        requirement="A5",
        what="the logarithm divides by a vanishing sine",
        file="kernels/quat.py",
        old="f = select(small, 2.0 + n2 * (1.0 / 3.0), 2.0 * atan2(n, w * sign) / n) * sign",
        new="f = 2.0 * atan2(n, w * sign) / n * sign",
        tests=("tests/spatial/test_so3.py",),
    ),
    Mutant(
        name="rpy-from-matrix",
        requirement="A6",
        what="roll, pitch and yaw by the textbook matrix form",
        file="kernels/quat.py",
        old="\n    return (half_turn_range(p + m), pitch + 0.0, half_turn_range(p - m))\n",
        new=MATRIX_RPY,
        tests=("tests/spatial/test_rpy.py",),
    ),
    Mutant(
        name="lookup-through-root",
        requirement="A9",
        what="a lookup goes through the root instead of the lowest common ancestor",
        file="spatial/frames.py",
        old="while s != t:",
        new="while s != t or depths[s] > 0:",
        tests=("tests/spatial/test_frames.py::test_two_tools_on_one_wrist_are_the_product_of_their_edges_bit_for_bit",),
    ),
    Mutant(
        name="lookup-from-identity",
        requirement="A9",
        what="the product of a lookup starts at the identity and renormalises the first edge",
        file="spatial/frames.py",
        old="made = self._poses[way[-1]].parts\n        for k in way[-2::-1]:",
        new="made = _IDENTITY\n        for k in way[::-1]:",
        tests=("tests/spatial/test_frames.py",),
    ),
    Mutant(
        name="depth-off-by-one",
        requirement="A8",
        what="a frame 33 edges below its root is accepted",
        file="spatial/frames.py",
        old="MAX_DEPTH = 32",
        new="MAX_DEPTH = 33",
        tests=("tests/spatial/test_frames.py",),
    ),
    # ---- robot
    Mutant(
        name="jacobian-sign",
        requirement="B4",
        what="the linear part of a Jacobian column has its sign turned",
        file="kernels/chain.py",
        old="out[at + k] = vx * turn + zx * slide",
        new="out[at + k] = zx * slide - vx * turn",
        tests=("tests/robot/test_jacobians.py",),
    ),
    Mutant(
        name="jacobian-at-base",
        requirement="B4",
        what="the reference point of the Jacobian stays at the first joint",
        file="kernels/chain.py",
        old="x, y, z = T[9] - model[9], T[10] - model[10], T[11] - model[11]",
        new="x, y, z = T[9] - T[9], T[10] - T[10], T[11] - T[11]",
        tests=("tests/robot/test_jacobians.py",),
    ),
    Mutant(
        name="followers-not-summed",
        requirement="mimic",
        what="of the joints that share a coordinate the last one alone makes its column of the Jacobian",
        file="kernels/chain.py",
        old="out[at + k] = out[at + k] + (vx * turn + zx * slide)",
        new="out[at + k] = vx * turn + zx * slide",
        tests=("tests/robot/test_mimic.py",),
    ),
    Mutant(
        name="swapped-follower-limits",
        requirement="mimic",
        what="the limits of a follower with a negative multiplier are not exchanged",
        file="robot/_mimic.py",
        old="ends = sorted(((limits.lower - b) / m, (limits.upper - b) / m))",
        new="ends = [(limits.lower - b) / m, (limits.upper - b) / m]",
        tests=("tests/robot/test_mimic.py",),
    ),
    Mutant(
        name="door-takes-any-number",
        requirement="tiers",
        what="native code reads whole numbers and single precision as doubles",
        file="kernels/_door.py",
        old="& fields.KIND_MASK == _load(context + 16)",
        new="& fields.KIND_MASK != 0",
        tests=("tests/kernels/test_door.py",),
    ),
    Mutant(
        name="left-handed-joint",
        requirement="B2",
        what="a positive angle turns by the left hand",
        file="kernels/chain.py",
        old="return s, c, x * model[b + 7]",
        new="return -s, c, x * model[b + 7]",
        tests=("tests/robot/test_positions.py",),
    ),
    Mutant(
        name="zero-damping",
        requirement="B6",
        what="the differential step is undamped whatever was asked for",
        file="kernels/inverse.py",
        old="_damped_factor(scratch, n, 1.0, damping * damping)",
        new="_damped_factor(scratch, n, 1.0, 0.0)",
        tests=("tests/robot/test_inverse_kinematics.py",),
    ),
    Mutant(
        name="damping-not-squared",
        requirement="B6",
        what="damping enters as its square root",
        file="kernels/inverse.py",
        old="_damped_factor(scratch, n, 1.0, damping * damping)",
        new="_damped_factor(scratch, n, 1.0, damping)",
        tests=("tests/kernels/test_inverse.py",),
    ),
    Mutant(
        name="best-guess-returned",
        requirement="B5",
        what="a search that did not converge returns its best guess",
        file="robot/_inverse.py",
        old="if row[chain.n + 4] != 1.0:",
        new="if row[chain.n + 4] == 0.5:",
        tests=("tests/robot/test_inverse_kinematics.py",),
    ),
    Mutant(
        name="linkage-not-followed",
        requirement="B5",
        what="a closed form takes any split of a free turn, whether or not the links can follow",
        file="kernels/analytic_parallel.py",
        old="total = _followed(arm, u, v, turn - arm[SUM + 1], size, free5)",
        new="total = turn - arm[SUM + 1]",
        tests=("tests/field/test_ik_wrist_singularity_loses_solutions.py",),
    ),
    Mutant(
        name="branch-believed",
        requirement="B5",
        what="a candidate of a closed form counts as an answer whatever pose it gives",
        file="kernels/analytic_answers.py",
        old="select(both(distance <= tolerance, angle <= tolerance), code, like(code, 0.0))",
        new="code",
        tests=("tests/field/test_ik_exact_solutions_called_approximate.py",),
    ),
    Mutant(
        name="bend-from-a-cosine",
        requirement="B5",
        what="the bend of a wrist comes from one minus a cosine",
        file="kernels/analytic_parts.py",
        old="over = (s1 * size - absolute(k)) * (s1 * size + absolute(k))",
        new="over = s1 * s1 * (1.0 - z * z) - k * k",
        tests=("tests/kernels/test_analytic.py",),
    ),
    Mutant(
        name="limit-check-dropped",
        requirement="C5",
        what="a joint value outside its limits passes",
        file="robot/limits.py",
        old="        if self.lower <= q <= self.upper:\n            return",
        new="        if self.lower <= q:\n            return",
        tests=("tests/robot/test_joint_limits.py",),
    ),
    # ---- motion
    Mutant(
        name="nan-is-a-limit",
        requirement="E1",
        what="signs are looked at before finiteness, and a NaN passes",
        file="motion/limits.py",
        old="(type(value) is not float or not math.isfinite(value))",
        new="(type(value) is not float or value < 0.0)",
        tests=("tests/motion/test_motion_limits.py",),
    ),
    Mutant(
        name="euler-sampling",
        requirement="E2",
        what="the first segment is what forward Euler at 1 kHz makes of it",
        file="kernels/scurve.py",
        old="x_up = jerk * u * u * u / 6.0",
        new="x_up = jerk * u * (u - 0.001) * (u - 0.002) / 6.0",
        tests=("tests/motion/test_scurve_profile.py",),
    ),
    Mutant(
        name="unlimited-jerk-back-to-cruise",
        requirement="E2",
        what="the acceleration is held until the peak speed and then drops in no time",
        file="kernels/scurve.py",
        old="a_down = minimum(jerk * r, peak_acceleration)",
        new="a_down = select(r > 0.0, peak_acceleration, zero)",
        tests=("tests/motion/test_scurve_profile.py",),
    ),
    Mutant(
        name="one-axis-limits-ignored",
        requirement="E3",
        what="the last axis does not limit the path parameter",
        file="kernels/synchronized.py",
        old="    for i in range(axes):\n        travel = absolute(values[i])",
        new="    for i in range(axes - 1):\n        travel = absolute(values[i])",
        tests=("tests/motion/test_synchronized.py",),
    ),
    Mutant(
        name="stop-forgets-acceleration",
        requirement="E4",
        what="which way to stop is decided by the velocity alone",
        file="kernels/stop.py",
        old="remaining = velocity + acceleration * absolute(acceleration) / (2.0 * jerk)",
        new="remaining = velocity + 0.0 * jerk",
        tests=("tests/motion/test_stop_profile.py",),
    ),
    Mutant(
        name="trapezoidal-stopping",
        requirement="E5",
        what="the safe speed comes from v*v / 2a",
        file="kernels/safe_speed.py",
        old="return select(without >= b, with_plateau, without)",
        new="return sqrt(2.0 * braking * clearance)",
        tests=("tests/motion/test_safe_speed.py",),
    ),
    Mutant(
        name="reaction-at-constant-speed",
        requirement="E5",
        what="in the reaction time the axis is taken to stop speeding up once its acceleration is at its limit",
        file="kernels/safe_speed.py",
        old="v_free = v1 + speeding * held",
        new="v_free = v1",
        tests=("tests/motion/test_safe_speed.py",),
    ),
    # ---- cartesian
    Mutant(
        name="one-sided-acceleration",
        requirement="F2",
        what="bending takes nothing of the acceleration limit",
        file="kernels/pacing.py",
        old="second * v * v + first * a",
        new="first * a",
        tests=("tests/cartesian/test_shared_budget.py",),
    ),
    Mutant(
        name="one-sided-jerk",
        requirement="F2",
        what="bending while speeding up takes nothing of the jerk limit",
        file="kernels/pacing.py",
        old="third * v * v * v + 3.0 * second * v * a + first * j",
        new="third * v * v * v + first * j",
        tests=("tests/kernels/test_pacing.py",),
    ),
    Mutant(
        name="second-derivative-dropped",
        requirement="F1",
        what="the curve between knots leaves with no curvature: acceleration jumps at knots",
        file="kernels/quintic.py",
        old="h * (0.4 * start[3 * i + 1] + 0.05 * h * start[3 * i + 2])",
        new="h * 0.4 * start[3 * i + 1]",
        tests=("tests/kernels/test_quintic.py", "tests/cartesian/test_line_plans.py"),
    ),
    Mutant(
        name="crossing-missed",
        requirement="F4",
        what="a line may leave the upper limits of its joints",
        file="cartesian/_following.py",
        old="np.any((low < chain.lower) | (high > chain.upper), axis=1)",
        new="np.any(low < chain.lower, axis=1)",
        tests=("tests/cartesian/test_line_refusals.py",),
    ),
    # ---- program
    Mutant(
        name="proof-without-jerk",
        requirement="proof",
        what="the samples are differentiated twice and not three times",
        file="program/differences.py",
        old="for order in (1, 2, 3):",
        new="for order in (1, 2):",
        tests=("tests/program/test_proof.py",),
    ),
    # ---- robot files
    Mutant(
        name="conventions-exchanged",
        requirement="B1",
        what="tables of Denavit and Hartenberg are read in the other convention",
        file="robot/dh.py",
        old='standard = convention == "standard"',
        new='standard = convention != "standard"',
        tests=("tests/robot/test_dh_tables.py",),
    ),
    Mutant(
        name="nine-digits",
        requirement="robot files",
        what="a URDF is written with nine digits",
        file="robot/urdf_writing.py",
        old='repr(float(value) + 0.0).removesuffix(".0")',
        new='f"{value:.9g}"',
        tests=("tests/robot/test_urdf_writing.py",),
    ),
    Mutant(
        name="anchor-forgotten",
        requirement="robot files",
        what="a body of a MJCF sits at the anchor of its joint",
        file="robot/_mjcf_tree.py",
        old="pending = anchor.inverse()",
        new="pending = _IDENTITY",
        tests=("tests/robot/test_mjcf_reading.py",),
    ),
    # ---- trigonometry under everything
    Mutant(
        name="two-part-reduction",
        requirement="kernels",
        what="angles are reduced by two parts of pi/2 instead of three",
        file="kernels/trig.py",
        old=" - k * _HALF_PI_3",
        new="",
        tests=("tests/kernels/test_trig.py",),
    ),
)
