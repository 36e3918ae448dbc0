"""Tables over HTTP: the store, joining, the stream, bots' turns and the page. `serve` is what `kubli` starts."""

from kubli.server.app import create, openapi
from kubli.server.limits import Limits, Rate
from kubli.server.outside import Outside
from kubli.server.run import serve

__all__ = ["Limits", "Outside", "Rate", "create", "openapi", "serve"]
