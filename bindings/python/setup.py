"""Packs what CMake has put side by side; see CMakeLists.txt. `make python` runs both."""
from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class StableAbi(bdist_wheel):
    def get_tag(self):
        return "cp311", "abi3", super().get_tag()[2]


setup(distclass=Binary, cmdclass={"bdist_wheel": StableAbi})
