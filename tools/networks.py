"""The checksums of the networks that are shipped, in the source: `python tools/networks.py`.

To ship a network, copy its file over the old one and run this. For every network in the package it
finds `Shipped(… "NAME.safetensors", "CHECKSUM")` near the file, and puts the file's checksum there.
"""

import hashlib
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "undercut"


def main() -> None:
    """Write the checksums, and say which have changed."""
    for network in sorted(PACKAGE.rglob("*.safetensors")):
        source, text = declared(network)
        digest = hashlib.sha256(network.read_bytes()).hexdigest()
        renewed = _pattern(network).sub(rf"\g<1>{digest}\g<2>", text)
        if renewed != text:
            source.write_text(renewed, encoding="utf-8")
            print(f"{network.relative_to(PACKAGE)}: {digest} in {source.relative_to(PACKAGE)}")


def declared(network: Path) -> tuple[Path, str]:
    """The module that declares a network, in its folder or the one above, and its text."""
    for source in [*network.parent.glob("*.py"), *network.parent.parent.glob("*.py")]:
        text = source.read_text(encoding="utf-8")
        if _pattern(network).search(text):
            return source, text
    raise SystemExit(
        f"no module declares {network.relative_to(PACKAGE)} as Shipped(path, checksum)"
    )


def _pattern(network: Path) -> re.Pattern[str]:
    return re.compile(rf'(Shipped\(\s*[^,]*"{network.name}",\s*")[0-9a-f]*(")')


if __name__ == "__main__":
    main()
