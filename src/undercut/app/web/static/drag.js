// Dragging with mouse, pen or finger: the dragged elements follow the pointer, and nothing else moves.

const FAR = 6; // pixels from a press to a drag
const HOME = 150; // milliseconds for the way back to its place

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Makes elements inside an element draggable. `grip(element)` returns the elements that follow a press on
 * [data-drag], or null. A drag calls `over(grip, x, y)` for each move and `drop(grip, x, y)` at its end;
 * `drop` returns whether the place accepts them.
 */
export class Drag {
  constructor(root, { grip, over, drop }) {
    Object.assign(this, { root, grip, over, drop });
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
    const [x, y] = [event.clientX - this.start.x, event.clientY - this.start.y];
    if (!this.held && Math.hypot(x, y) < FAR) return;
    if (!this.held && !this.lift()) return;
    for (const element of this.held.elements) element.style.transform = `translate(${x}px, ${y}px)`;
    this.over(this.held, event.clientX, event.clientY);
  }

  lift() {
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
    const { held } = this;
    this.start = null;
    if (!held) return;
    setTimeout(() => { this.clicks = true; }, 50);
    this.settle(this.drop(held, event.clientX, event.clientY));
  }

  cancel() {
    this.start = null;
    if (this.held) this.settle(false);
  }

  /** Put the dragged elements down: at once if the place accepts them, otherwise they go back. */
  settle(taken) {
    const { elements } = this.held;
    this.held = null;
    this.over(null);
    for (const element of elements) {
      const from = element.style.transform;
      element.style.transform = "";
      element.classList.remove("dragged");
      if (!taken && !calm.matches) element.animate([{ transform: from }, { transform: "none" }], { duration: HOME, easing: "ease-out" });
    }
  }

  click(event) {
    if (this.clicks !== false) return;
    this.clicks = true;
    event.stopPropagation();
    event.preventDefault();
  }
}
