"""A tether in a current, from a blank script: where it hangs and what it pulls with."""
import hawser

scene = hawser.Scene(environment={"water": {}, "current": {"uniform": [0.6, 0, 0]}}, start={"statics": True})
scene.cable("tether", sections=[{"type": "rov_tether_7_6", "length": 80, "elements": 40}],
            ends={"a": {"on": "earth", "at": [0, 0, 0]}, "b": {"on": "earth", "at": [0, 0, -60]}})
with scene.world() as world:
    curve = world.cable("tether").positions.copy()
    pull = world["tether.a.tension"], world["tether.b.tension"]
print(f"{pull[0]:.1f} N above, {pull[1]:.1f} N below, {curve[:, 0].max():.2f} m downstream")

if __name__ == "__main__":
    from figures import show  # a figure beside the script, where matplotlib is there

    show("tether_in_current", curve[:, 0], curve[:, 2], "downstream, m", "height, m")
