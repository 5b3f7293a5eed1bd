#!/usr/bin/env python3
"""Relative links of the Markdown files in the project: the file is there, and so is the heading that a #fragment names."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"```.*?```", "", file.read(), flags=re.S)


def make_anchor(heading):
    """As GitHub does: letters, digits, hyphens and underscores, in small letters, spaces as hyphens."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
    return "".join(c for c in heading if c.isalnum() or c in " -_").replace(" ", "-")


def find_bad(path):
    for link in re.findall(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", read(path)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target):
            yield link, "there is no such file"
        elif fragment and target.endswith(".md"):
            if fragment not in [make_anchor(h) for h in re.findall(r"^#+\s+(.*)$", read(target), re.M)]:
                yield link, "there is no such heading"


def main():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.split("\n") if name and os.path.exists(os.path.join(ROOT, name))]
    bad = [f"{name}: {link}: {why}" for name in files for link, why in find_bad(os.path.join(ROOT, name))]
    print("\n".join(bad + [f"{len(files)} files, {len(bad)} bad links"]))
    return 1 if bad or not files else 0


sys.exit(main())
