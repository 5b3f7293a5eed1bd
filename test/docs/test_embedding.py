"""docs/embedding.md: every door of its table leads somewhere, and the lines shown there run as they stand."""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.environ["HAWSER_PROGRAM"], os.environ["HAWSER_SOURCE"]
sys.path.insert(0, os.environ["HAWSER_PACKAGE"])
sys.path.insert(0, os.path.join(SOURCE, "test", "fmu"))
import fmi  # noqa: E402

with open(os.path.join(SOURCE, "docs", "embedding.md"), encoding="utf-8") as file:
    PAGE = file.read()


def blocks(language):
    return re.findall(r"^```" + language + r"\n(.*?)^```", PAGE, re.M | re.S)


class Doors(unittest.TestCase):
    def test_links_lead_somewhere(self):
        sections = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)$", PAGE, re.M)}
        for target in re.findall(r"\]\(([^)]+)\)", PAGE):
            if target.startswith("#"):
                self.assertIn(target[1:], sections)
            elif "://" not in target:
                self.assertTrue(os.path.exists(os.path.join(SOURCE, "docs", target.split("#")[0])), target)

    def test_python_a_tether_in_a_current_in_twelve_lines(self):
        (code,) = blocks("python")
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 12)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "docs/embedding.md", "exec"), {})
        above, below, downstream = (float(number) for number in re.findall(r"[0-9.]+(?= [Nm] )", said.getvalue()))
        # 80 m between points 60 m apart: slack by 20 m, so the bow is below half of that and drag of 0.6 m/s pulls at both ends
        self.assertTrue(10 < above < 500 and 10 < below < 500 and 1 < downstream < 40, said.getvalue())

    def test_a_unit_and_what_its_master_reads(self):
        made, read = next(block for block in blocks("sh") if "hawser fmu" in block).splitlines()
        self.assertIn("['wire.a.tension']", read)  # by FMPy there, by our own master here
        with tempfile.TemporaryDirectory() as folder:
            words = [word.replace("scenes/", SOURCE + "/scenes/") for word in made.split()]
            subprocess.run([PROGRAM, *words[1:]], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            unit = fmi.Unit(os.path.join(folder, "load.fmu"))
            instance = unit.instantiate()
            instance.initialise()
            instance.step(0.0, 1.0)
            self.assertGreater(instance.get("wire.a.tension")[0], 1000.0)
            instance.free()
            unit.close()

    def test_pictures_and_logs_for_others(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*words):
                subprocess.run([PROGRAM, *words], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

            run("run", SOURCE + "/scenes/load_on_a_wire.yaml", "--duration", "0.2", "--out", "results", "--mcap", "live.mcap")
            results = next(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".h5"))
            for kind, magic in (("glb", b"glTF"), ("mcap", b"\x89MCAP0\r\n")):
                run("convert", results, "X." + kind)
                with open(os.path.join(folder, "X." + kind), "rb") as written:
                    self.assertTrue(written.read(16).startswith(magic))
            self.assertTrue(os.path.getsize(os.path.join(folder, "live.mcap")) > 1000)


if __name__ == "__main__":
    unittest.main()
