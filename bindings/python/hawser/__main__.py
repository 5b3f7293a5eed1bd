"""``python -m hawser``: the program ``hawser`` that came with the package."""

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(__file__), "bin", "hawser")
    if not os.path.exists(program):
        sys.exit(f"hawser: this package was built without the program; {program} does not exist.")
    os.execv(program, ["hawser", *sys.argv[1:]])


if __name__ == "__main__":
    main()
