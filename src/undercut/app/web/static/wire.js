// The connection to the server: messages as JSON, and it comes back by itself.

import { language } from "./words.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

export class Wire {
  constructor({ onMessage, onOpen, onLost }) {
    this.handlers = { onMessage, onOpen, onLost };
    this.wait = FIRST_WAIT;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}${location.pathname}talk?language=${language}`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.handlers.onOpen();
    });
    this.socket.addEventListener("message", (event) => {
      this.handlers.onMessage(JSON.parse(event.data));
    });
    this.socket.addEventListener("close", () => {
      this.handlers.onLost();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  /** Send a message; one that cannot be sent now is not kept for later. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
