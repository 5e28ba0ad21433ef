"""Where the server listens, what browsers call it, and which port it had before."""

import re
import socket
from contextlib import suppress
from pathlib import Path

from undercut.app.data_folder import write_private
from undercut.text.errors import OptionsError

LOOPBACK = "127.0.0.1"
FILE = "port"  # the last one, in the folder of the games


def listen(host: str, port: int | None, folder: Path) -> socket.socket:
    """A socket where browsers find the server; an error that says what is wrong.

    Without a port it is the one of the last time, so that pages that are still open go on by
    themselves; if others have that by now, any that is free.
    """
    listening = _listen(host, port, folder)
    with suppress(OSError):  # then another one is found the next time
        write_private(folder / FILE, f"{listening.getsockname()[1]}\n")
    return listening


def _listen(host: str, port: int | None, folder: Path) -> socket.socket:
    if port is None:
        with suppress(OSError, UnicodeError):
            return _bind(host, _last_port(folder))
    try:
        return _bind(host, port or 0)
    except (OSError, UnicodeError) as error:
        raise OptionsError(f"cannot serve at {host!r}, port {port or 0}: {error}") from None


def _last_port(folder: Path) -> int:
    """The port of the last time, 0 for any if that is not known."""
    text = (folder / FILE).read_text(encoding="ascii").strip()
    return int(text) if re.fullmatch(r"\d{1,5}", text) and int(text) < 2**16 else 0


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def hosts_of(host: str, listening: socket.socket) -> tuple[str, ...]:
    """What a browser calls a server, with the port; the first one stands in links."""
    port = listening.getsockname()[1]
    return tuple(f"{name}:{port}" for name in names_of(host))


def link_to(host: str, key: str, number: int | None = None) -> str:
    """What opens the lobby or a game; browsers keep what is behind the # to themselves.

    >>> link_to("127.0.0.1:8000", "sesame", 12)
    'http://127.0.0.1:8000/#12&key=sesame'
    """
    game = "" if number is None else f"{number}&"
    return f"http://{host}/#{game}key={key}"


def is_loopback(host: str) -> bool:
    """Whether an address is for this machine alone.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.7")]
    [True, True, True, False, False]
    """
    return host in ("localhost", "::1") or host.startswith("127.")


def names_of(host: str) -> list[str]:
    """What a browser may call a server at this address; the first one stands in links.

    >>> names_of("127.0.0.1")
    ['127.0.0.1', 'localhost']
    >>> names_of("0.0.0.0")[-2:]
    ['127.0.0.1', 'localhost']
    """
    if is_loopback(host):
        return [_in_link(host), *(["localhost"] if host != "localhost" else [])]
    if host not in ("0.0.0.0", "::"):
        return [_in_link(host)]
    name = socket.gethostname()
    return [_own_address(), name, f"{name}.local", LOOPBACK, "localhost"]


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """By which address other machines know this one; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])
