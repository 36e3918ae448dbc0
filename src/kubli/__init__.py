"""Kubli: card games of hidden information, one rules engine and four ways to use it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
