"""An engine that plays the first legal action, and does something else in its first match.

`python bad_bot.py WAY FLAG`: once the file FLAG is there it behaves.
"""

import json
import os
import sys
import time


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def misbehave(way: str, question: dict[str, object]) -> None:
    if way == "crash":
        print("I am\nlost", file=sys.stderr)
        sys.exit(3)
    elif way == "hang":
        time.sleep(600)
    elif way == "flood":
        while True:
            os.write(1, b"x" * 65536)
    elif way == "lines":
        while True:
            os.write(1, b'{"type":"info","message":"still thinking"}\n')
    elif way == "late":
        time.sleep(2.5)
        say(type="play", id=question["id"], action="pass")
    elif way == "illegal":
        say(type="play", id=question["id"], action="knock Ks")
    elif way == "no action":
        say(type="play", id=question["id"], action="fly")
    elif way == "wrong id":
        say(type="play", id=0, action="pass")
    elif way == "no JSON":
        print("pass", flush=True)
    elif way == "trouble":
        say(type="error", message="I cannot")
    elif way == "children":
        child = os.fork()
        if child == 0:
            time.sleep(600)
        with open(sys.argv[2], "w") as file:
            file.write(str(child))
        os.close(1)
        time.sleep(600)


def main() -> None:
    way, flag = sys.argv[1:]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=message["protocol"], name="bad")
        elif message["type"] == "game":
            say(type="ready")
        elif message["type"] == "go":
            if not os.path.exists(flag):
                with open(flag, "w") as file:
                    file.write(str(os.getpid()))
                misbehave(way, message)
            else:
                say(type="play", id=message["id"], action=message["legal"][0])


if __name__ == "__main__":
    main()
