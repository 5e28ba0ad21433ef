// The connection to the server: it proves the key, exchanges JSON messages, and reconnects.

import { prove } from "./key.js";
import { language } from "./words.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

export class Wire {
  constructor({ onMessage, onOpen, onLost, onShut }) {
    this.handlers = { onMessage, onOpen, onLost, onShut };
    this.wait = FIRST_WAIT;
    this.connect();
  }

  connect() {
    this.isShut = false;
    const socket = new WebSocket(`ws://${location.host}${location.pathname}talk?language=${language}`);
    this.socket = socket;
    socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.isShut || socket !== this.socket) return;
      this.handlers.onLost();
      this.again = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  /** Reconnect with a new key. */
  reconnect() {
    clearTimeout(this.again);
    this.isShut = true;
    this.socket.close();
    this.connect();
  }

  take(message) {
    if (message.kind === "challenge") {
      this.send({ kind: "prove", proof: prove(message.nonce) });
      this.wait = FIRST_WAIT;
      this.handlers.onOpen();
    } else if (message.kind === "shut") {
      this.isShut = true; // the server would refuse it again
      this.handlers.onShut(message.why);
    } else this.handlers.onMessage(message);
  }

  /** Send a message; drop it if there is no connection. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
