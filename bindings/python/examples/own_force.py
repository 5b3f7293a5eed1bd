"""A force law of one's own: a spring to a point, with its matrices so that steps stay long; and what the tension does."""
import hawser

STIFFNESS, MASS = 4e4, 100.0


def spring(time, position, attitude, velocity, rate):
    stiffness = [[STIFFNESS if i == j and i < 3 else 0.0 for j in range(6)] for i in range(6)]
    force = [-STIFFNESS * x for x in position]
    return force, (0, 0, 0), [[0.0] * 6] * 6, stiffness


scene = hawser.Scene(environment={"gravity": 0}, solver={"tolerance": 1e-6})
scene.body("block", mass=MASS, inertia=[10, 10, 10], position=[0.1, 0, 0])
world = scene.world()
world.add_force("block", spring)
results = world.run(1.0, 0.005, ["block.position.x"])

if __name__ == "__main__":
    from figures import show

    show("own_force", results.time, results["block.position.x"], "time, s", "x, m")
