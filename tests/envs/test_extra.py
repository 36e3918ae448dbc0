"""Without what an extra brings, one sentence says what to install."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
try:
    {use}
except ImportError as missing:
    print(missing)
"""


@pytest.mark.parametrize(
    ("package", "use", "extra"),
    [
        ("pettingzoo", "import kubli.envs.pettingzoo", "envs"),
        ("gymnasium", "import kubli.envs.pettingzoo", "envs"),
        ("gymnasium", "import kubli.envs.gymnasium", "envs"),
        ("numpy", "import kubli.envs.gymnasium", "envs"),
        ("pyspiel", "import kubli.envs.openspiel", "envs"),
        ("numba", "from kubli.envs.gymnasium import VectorEnv", "fast"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(package: str, use: str, extra: str) -> None:
    code = WITHOUT.format(package=package, use=use)
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = f"This needs the package {package}, and Kubli plays without it. To install it: pip install kubli[{extra}]"
    assert made.stdout.strip() == said


def test_one_seat_needs_no_numba() -> None:
    code = WITHOUT.format(
        package="numba", use="import kubli.envs.gymnasium as g; g.Env('darna', 2).reset(); print('played')"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "played"
