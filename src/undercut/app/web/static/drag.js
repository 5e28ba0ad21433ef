// Dragging with mouse, pen or finger: the dragged elements follow the pointer, once a frame, and nothing else moves.

const FAR = 6; // pixels from a press to a drag
const HOME = 150; // milliseconds for the way back to its place

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Makes elements inside an element draggable. `grip(element)` returns the elements that follow a press on
 * [data-drag], or null. A drag calls `over(grip, x, y)` in each frame and `drop(grip, x, y)` at its end;
 * `drop` returns "stay" for elements that lie there until `clear`, else whether the place accepts them.
 */
export class Drag {
  constructor(root, { grip, over, drop }) {
    Object.assign(this, { root, grip, over, drop, left: [] });
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("click", (event) => this.click(event), true);
    root.addEventListener("dragstart", (event) => event.preventDefault()); // the browser's own drag
  }

  get isDragging() {
    return Boolean(this.held);
  }

  press(event) {
    this.clicks = true;
    const element = event.target.closest("[data-drag]");
    if (!element || event.button !== 0 || !event.isPrimary) return;
    this.start = { element, id: event.pointerId, x: event.clientX, y: event.clientY };
  }

  move(event) {
    if (!this.start || event.pointerId !== this.start.id) return;
    if (!this.held && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < FAR) return;
    if (!this.held && !this.lift()) return;
    this.at = { x: event.clientX, y: event.clientY };
    this.frame ??= requestAnimationFrame(() => this.follow());
  }

  follow() {
    this.frame = null;
    if (!this.held) return;
    const { at: { x, y }, start } = this;
    for (const element of this.held.elements) element.style.transform = `translate(${x - start.x}px, ${y - start.y}px)`;
    this.over(this.held, x, y);
  }

  lift() {
    this.cancel(this.start);
    const held = this.grip(this.start.element);
    if (!held) {
      this.start = null;
      return false;
    }
    this.held = held;
    this.clicks = false; // ignores the click after a release
    this.root.setPointerCapture(this.start.id);
    for (const element of held.elements) element.classList.add("dragged");
    return true;
  }

  release(event) {
    if (this.held && this.at) this.follow(); // the last moves of the pointer
    const { held } = this;
    this.start = null;
    if (!held) return;
    setTimeout(() => { this.clicks = true; }, 50);
    this.settle(this.drop(held, event.clientX, event.clientY));
  }

  /** End a drag, and let all elements go home. */
  cancel(start = null) {
    this.start = start;
    if (this.held) this.settle(false);
    this.putBack(this.left.splice(0), true);
  }

  /** End a drag; elements that lie elsewhere are in their places again, at once. */
  clear() {
    if (this.held) this.cancel();
    this.putBack(this.left.splice(0), false);
  }

  settle(taken) {
    const { elements } = this.held;
    this.held = null;
    this.over(null);
    if (taken === "stay") this.left.push(...elements);
    else this.putBack(elements, !taken);
  }

  putBack(elements, isSlow) {
    for (const element of elements) {
      const from = element.style.transform;
      element.style.transform = "";
      element.classList.remove("dragged");
      if (isSlow && !calm.matches) element.animate([{ transform: from }, { transform: "none" }], { duration: HOME, easing: "ease-out" });
    }
  }

  click(event) {
    if (this.clicks !== false) return;
    this.clicks = true;
    event.stopPropagation();
    event.preventDefault();
  }
}
