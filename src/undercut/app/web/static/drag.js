// Dragging with mouse, pen or finger: what is dragged follows the pointer, and nothing else moves.

const FAR = 6; // pixels after which a press is a drag
const HOME = 150; // milliseconds that a card takes back to its place

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Let things be dragged inside an element. `grip(element)` says what a press on [data-drag] takes: the
 * elements that follow, or null. `over(grip, x, y)` is told where it is, `drop(grip, x, y)` where it ends;
 * it answers whether it was taken there.
 */
export class Drag {
  constructor(root, { grip, over, drop }) {
    Object.assign(this, { root, grip, over, drop });
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("click", (event) => this.click(event), true);
    root.addEventListener("dragstart", (event) => event.preventDefault()); // of the browser's own
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
    this.clicks = false; // the click that a release brings is none
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

  /** Put what was held to its place: at once where it was taken, else it goes back. */
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
