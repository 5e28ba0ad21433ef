// Elements by key: one stays the same while its key stays, and moves only where the order changes.

import { PageElement, properties } from "./element.js";

const keys = new WeakMap();

/** Give `parent` a child for each key, in order; `make` makes the new ones. */
export const keepChildren = (parent, wanted, make) => {
  const kept = new Map([...parent.children].map((child) => [keys.get(child), child]));
  const children = wanted.map((key) => {
    const child = kept.get(key) ?? make(key);
    keys.set(child, key);
    return child;
  });
  for (const child of kept.values()) if (!children.includes(child)) child.remove();
  children.forEach((child, place) => {
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
  });
  return children;
};

class KeyedPart extends PageElement {
  static properties = properties("drawn");

  render() {
    return this.drawn;
  }
}

class KeyedParts extends HTMLElement {
  /** Show parts, each with its key and what is drawn. */
  set parts(parts) {
    const children = keepChildren(this, parts.map(({ key }) => key), () => document.createElement("keyed-part"));
    children.forEach((child, place) => { child.drawn = parts[place].drawn; });
  }
}

customElements.define("keyed-part", KeyedPart);
customElements.define("keyed-parts", KeyedParts);
