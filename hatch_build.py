"""Build the page whenever the package is installed or packed and the page is stale."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "scripts"))

import build_web


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        # Node is 60 MB: ask for it only when there is something to build.
        return [build_web.node_requirement()] if build_web.stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if build_web.stale():
            build_web.build()
        # An editable install reads the rules where they are written.
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"]["docs/rules"] = "kubli/rules"
