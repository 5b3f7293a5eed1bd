"""The tether module alone: windings and links of known curves, pulling tight round a pile, errors."""
import math
import unittest

import numpy as np

from hawser import tether


def helix(turns, radius=2.0, height=4.0, count=400):
    t = np.linspace(0, 1, count)
    return np.stack([radius * np.cos(2 * np.pi * turns * t), radius * np.sin(2 * np.pi * turns * t), height * t], axis=1)


class Counting(unittest.TestCase):
    def test_windings_of_a_helix(self):
        for turns in (0.4, 1.2, -2.7, 5.1):
            # closed by the straight line between its ends, which passes on one side of the axis
            whole = round(turns)
            self.assertEqual(tether.winding(helix(turns), at=(0, 0, 0)), whole)
            self.assertEqual(tether.winding(helix(turns), at=(9, 0, 0)), 0)
            self.assertAlmostEqual(tether.swept_angle(helix(turns), at=(0, 0, 0)), 2 * math.pi * turns, delta=1e-9)

    def test_two_rings(self):
        t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        ring = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
        other = np.stack([1 + np.cos(t), 0 * t, np.sin(t)], axis=1)
        self.assertEqual(abs(tether.linking(other, ring)), 1)
        self.assertEqual(tether.linking(other + [5, 0, 0], ring), 0)
        self.assertEqual(tether.linking(other[::-1], ring), -tether.linking(other, ring))

    def test_measures(self):
        t = np.linspace(0, np.pi, 2001)
        arc = np.stack([3 * np.cos(t), 3 * np.sin(t), 0 * t], axis=1)
        measures = tether.measure(arc)
        self.assertAlmostEqual(measures.length, 3 * math.pi, delta=1e-5)  # a chord of n parts: 1 - (pi/n)^2/24
        self.assertAlmostEqual(measures.bend_radius, 3.0, delta=1e-6)
        self.assertAlmostEqual(measures.turning, math.pi, delta=2e-3)  # less one segment
        self.assertAlmostEqual(tether.capstan(0.3, math.pi), math.exp(0.3 * math.pi), delta=1e-12)


class PullingTight(unittest.TestCase):
    def test_round_a_pile(self):
        pile = tether.Space([{"cylinder": (1.0, 20.0)}])
        angle = np.linspace(-np.pi / 2, np.pi / 2, 80)
        slack = np.concatenate([[[-6, -1.0, 0]], np.stack([4 * np.cos(angle), 4 * np.sin(angle), 0 * angle], axis=1), [[-6, 1.0, 0]]])
        tight = pile.tighten(slack, radius=0.01)
        # half a turn about the pile and the tangents to both ends
        exact = 2 * math.sqrt(36 + 1 - 1.01**2) + 1.01 * (math.pi - 2 * (math.atan2(1, 6) - math.asin(1.01 / math.sqrt(37))))
        length = tether.measure(tight).length
        self.assertAlmostEqual(length, exact, delta=5e-3 * exact)
        self.assertAlmostEqual(pile.slack(slack, 30.0, 0.01), 30.0 - length, delta=1e-9)
        (arc,) = pile.arcs(tight, radius=0.01, friction=0.3)
        self.assertAlmostEqual(arc.angle, math.pi, delta=0.1)
        self.assertAlmostEqual(arc.factor, math.exp(0.3 * arc.angle), delta=1e-9)
        route = pile.route(tight, radius=0.01, clearance=0.5)
        np.testing.assert_allclose(route[0, :3], tight[-1], atol=1e-9)
        self.assertTrue(np.all(np.hypot(route[1:-1, 0], route[1:-1, 1]) > 1.0))

    def test_nothing_in_the_way(self):
        tight = tether.Space().tighten(helix(1.5))
        self.assertAlmostEqual(tether.measure(tight).length, np.linalg.norm(helix(1.5)[-1] - helix(1.5)[0]), delta=1e-2)

    def test_clearance_of_a_mesh(self):
        corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
        faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]
        space = tether.Space([{"mesh": (corners, faces), "position": (10, 0, 0)}])
        distance, solid, normal = space.clearance((12.5, 0.5, 0.5))
        self.assertAlmostEqual(distance, 1.5, delta=1e-9)
        self.assertEqual(solid, 0)
        np.testing.assert_allclose(normal, (1, 0, 0), atol=1e-9)

    def test_mistakes(self):
        for solids in ([{}], [{"pyramid": 1}], [{"box": (1, 1, 1), "sphere": 2}], [{"box": (1, 1)}],
                       [{"mesh": ([[0, 0, 0]], [[0, 1, 2]])}], [{"sphere": -1.0}]):
            with self.subTest(solids=solids), self.assertRaises(ValueError):
                tether.Space(solids)
        with self.assertRaises(ValueError):
            tether.measure([[0, 0], [1, 1]])
        with self.assertRaises(ValueError):
            tether.winding(helix(1), at=(0, 0, 0), direction=(0, 0, 0))


if __name__ == "__main__":
    unittest.main()
