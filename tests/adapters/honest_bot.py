"""An engine that plays the last legal action, and writes down all that it hears.

`python honest_bot.py FILE`
"""

import json
import sys


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def main() -> None:
    with open(sys.argv[1], "a") as file:
        file.write("begins\n")
        for line in sys.stdin:
            file.write(line)
            file.flush()
            message = json.loads(line)
            if message["type"] == "hello":
                say(type="hello", protocol=message["protocol"], name="honest", author="us")
            elif message["type"] == "game":
                say(type="info", message="let us see")
                say(type="ready")
            elif message["type"] == "go":
                say(type="play", id=message["id"], action=message["legal"][-1])
            elif message["type"] == "quit":
                break
        file.write("ends\n")


if __name__ == "__main__":
    main()
