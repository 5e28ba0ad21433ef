// The base of the page's elements: they draw into the page itself, without a shadow root.

import { LitElement } from "./lit.js";

export { html, nothing, svg } from "./lit.js";

export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/** Declares properties that no attribute sets. */
export const properties = (...names) => Object.fromEntries(names.map((name) => [name, { attribute: false }]));
