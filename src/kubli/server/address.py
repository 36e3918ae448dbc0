"""Where others can open this server, and what to type if they cannot."""

import contextlib
import io
import ipaddress
import os
import socket

import segno

__all__ = ["addresses", "command", "is_everywhere", "is_local", "plain", "qr", "url"]

# Addresses that no packet is sent to: asking how one would be reached tells by which of our own.
FAR = (
    (socket.AF_INET, ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")),
    (socket.AF_INET6, ("2001:db8::1",)),
)


def is_local(host: str) -> bool:
    """Whether an address is of this machine alone."""
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def is_everywhere(host: str) -> bool:
    """Whether an address stands for all addresses of this machine."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def plain(host: str, bound: str) -> str:
    """What to call the host that somebody asked for, when this address was bound for it.

    127.1 and a name that is this machine's own only here are 127.0.0.1, and 0 is 0.0.0.0: what holds for those holds
    for them. Other names stay names.
    """
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(bound)
        bound = str(getattr(ip, "ipv4_mapped", None) or ip)
    return bound if is_local(bound) or is_everywhere(bound) else host


def url(host: str, port: int) -> str:
    """The address to open, for a host and a port."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


def addresses(host: str, port: int) -> list[str]:
    """What others can open; nothing if only this machine is served."""
    if is_local(host):
        return []
    if is_everywhere(host):
        return [url(one, port) for one in own(ipaddress.ip_address(host).version)]
    return [url(host, port)]


def own(version: int) -> list[str]:
    """The addresses of this machine that others can reach, those in use first."""
    found: dict[str, None] = {}
    for family, far in FAR:
        if family == socket.AF_INET6 and version == 4:
            continue
        for there in far:
            with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((there, 9))
                found[probe.getsockname()[0]] = None
    with contextlib.suppress(OSError):
        found.update(dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2]))
    return [one for one in found if reachable(one)]


def reachable(address: str) -> bool:
    """Whether others can open an address."""
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def command(port: int, usual: int) -> str:
    """What to type so that others can join. The script that starts Kubli from a clone says how it was called."""
    name = os.environ.get("KUBLI_COMMAND", "kubli")
    return f"{name} --host 0.0.0.0" + ("" if port == usual else f" --port {port}")


def qr(link: str) -> bytes:
    """A link as a picture to point a phone at."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out,
        kind="svg",
        xmldecl=False,
        border=4,
        dark="#000",
        light="#fff",
        omitsize=True,
        title=link,
        svgclass=None,
        lineclass=None,
    )
    return out.getvalue()
