"""The socket of the server, its names in a browser, and its last port."""

import re
import socket
from contextlib import suppress
from pathlib import Path

from undercut.app.data_folder import write_private
from undercut.text.errors import OptionsError

LOOPBACK = "127.0.0.1"
FILE = "port"  # the last port, in the folder of the games


def listen(host: str, port: int | None, folder: Path) -> socket.socket:
    """The socket of the server.

    The default port is the last one, so that open pages reconnect; if another program has it, any
    free one.
    """
    listening = _listen(host, port, folder)
    with suppress(OSError):  # then the next server has another port
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
    """The last port; 0, which is any free one, if it is not known."""
    text = (folder / FILE).read_text(encoding="ascii").strip()
    return int(text) if re.fullmatch(r"\d{1,5}", text) and int(text) < 2**16 else 0


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def hosts_of(host: str, listening: socket.socket) -> tuple[str, ...]:
    """The names of a server in a browser, with the port; links have the first one."""
    port = listening.getsockname()[1]
    return tuple(f"{name}:{port}" for name in names_of(host))


def link_to(host: str, key: str, number: int | None = None) -> str:
    """A link to the lobby or a game; browsers do not send the fragment with the key.

    >>> link_to("127.0.0.1:8000", "sesame", 12)
    'http://127.0.0.1:8000/#12&key=sesame'
    """
    game = "" if number is None else f"{number}&"
    return f"http://{host}/#{game}key={key}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.7")]
    [True, True, True, False, False]
    """
    return host in ("localhost", "::1") or host.startswith("127.")


def names_of(host: str) -> list[str]:
    """The names of a server at this address; links have the first one.

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
    """The address of this machine in its network, found without sending a packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a reserved address
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])
