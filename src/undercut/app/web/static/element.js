// The base of the page's elements: they draw into the page itself, without a shadow root.

import { LitElement } from "./lit.js";

export { html, nothing, svg } from "./lit.js";

export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/** A part of the page with keys of its own: `press` gets each key that is pressed, and `ask` asks the page. */
export class KeyboardElement extends PageElement {
  constructor() {
    super();
    this.pressed = (event) => this.press(event);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
  }

  disconnectedCallback() {
    removeEventListener("keydown", this.pressed);
    super.disconnectedCallback();
  }

  ask(detail) {
    this.dispatchEvent(new CustomEvent("ask", { detail, bubbles: true }));
  }
}

/** Declares properties that no attribute sets. */
export const properties = (...names) => Object.fromEntries(names.map((name) => [name, { attribute: false }]));
