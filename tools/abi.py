#!/usr/bin/env python3
"""What the public headers promise, as a list: functions with their prototypes, members of structures in their order, enumerators
with their values.

  tools/abi.py            prints the list
  tools/abi.py --check    holds the headers against docs/symbols.txt: nothing in it may be gone or another; additions are fine
  tools/abi.py --write    writes docs/symbols.txt anew: for additions, and for breaks that are meant (then the minor version rises)
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LIST = os.path.join(ROOT, "docs", "symbols.txt")


def squeeze(text):
    return re.sub(r"\s*([*,()\[\]])\s*", r"\1", " ".join(text.split())).replace("*", "* ").strip()


def split_members(body):
    """Declarations between semicolons, those of nested structures and unions with them."""
    depth, start = 0, 0
    for i, c in enumerate(body):
        depth += (c == "{") - (c == "}")
        if c == ";" and depth == 0:
            yield body[start:i]
            start = i + 1


def read_enum(name, body):
    value = -1
    for item in body.split(","):
        item = " ".join(item.split())
        if not item:
            continue
        key, _, given = item.partition("=")
        given = given.strip()
        try:
            value = int(eval(given, {"__builtins__": {}})) if given else value + 1
        except Exception:
            value = given  # made of others: as it is written
        yield f"enum {name} {key.strip()} = {value}"


def read_header(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", " ", text, flags=re.M)
    for match in re.finditer(r"HW_API\s+([^;{]*?);", text, flags=re.S):
        yield f"function {squeeze(match.group(1))}"
    for match in re.finditer(r"typedef\s+(struct|enum|union)\s*\w*\s*\{", text):
        depth, end = 1, match.end()
        while depth > 0:
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        body = text[match.end() : end - 1]
        name = re.match(r"\s*(\w+)\s*;", text[end:])
        if not name:
            continue
        if match.group(1) == "enum":
            yield from read_enum(name.group(1), body)
        else:
            for member in split_members(body):
                yield f"{match.group(1)} {name.group(1)} {squeeze(member)}"
    for match in re.finditer(r"typedef\s+([^;{}]*?\([^;{}]*?\))\s*;", text, flags=re.S):
        yield f"callback {squeeze(match.group(1))}"


def read_all():
    folder = os.path.join(ROOT, "include", "hawser")
    lines = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".h"):
            lines.append(f"# {name}")
            lines += read_header(os.path.join(folder, name))
    return lines


def check(lines):
    with open(LIST, encoding="utf-8") as file:
        promised = [line.rstrip("\n") for line in file if not line.startswith("#")]
    now = {line: i for i, line in enumerate(lines)}
    gone = [line for line in promised if line not in now]
    moved = []
    last = {}
    for line in promised:  # members keep their order
        kind, name = line.split(" ", 2)[:2]
        if kind in ("struct", "union") and line in now:
            if now[line] < last.get(name, -1):
                moved.append(line)
            last[name] = now[line]
    for title, list_ in (("gone or another", gone), ("moved", moved)):
        for line in list_:
            print(f"{title}: {line}")
    if gone or moved:
        print("The interface is broken for programs built against it. Undo that, or raise the minor version and run "
              "tools/abi.py --write.")
        return 1
    added = sum(not line.startswith("#") for line in lines) - len(promised)
    print(f"{len(promised)} promises kept, {added} additions")
    return 0


def main():
    lines = read_all()
    if "--check" in sys.argv:
        return check(lines)
    text = "# Every public symbol, from the headers, by tools/abi.py --write. A test holds the headers to it.\n" + "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
