// Faces of opponents and of people: small pictures that the page loads after everything else.

import { html } from "./element.js";
import { t } from "./words.js";

/** The faces that a person may choose. */
export const ANIMAL_NAMES = { fox: t("fox"), cat: t("cat"), owl: t("owl"), bear: t("bear"), rabbit: t("rabbit"), frog: t("frog"), panda: t("panda"), mouse: t("mouse") };
export const ANIMALS = Object.keys(ANIMAL_NAMES);

/** Put the pictures into the page, once. */
const fetchFaces = async () => {
  const text = await (await fetch("faces.svg")).text();
  const faces = new DOMParser().parseFromString(text.replaceAll(' id="', ' id="face-').replaceAll("url(#", "url(#face-"), "image/svg+xml").documentElement;
  faces.setAttribute("class", "pictures");
  document.body.append(faces);
};

(globalThis.requestIdleCallback ?? setTimeout)(fetchFaces);

/** A face; its place is kept until the picture is there. A person without one gets that of the seat. */
export const faceOf = (face, seat = 0) => html`<svg class="face" viewBox="0 0 64 64" aria-hidden="true"><use href="#face-${face || ANIMALS[seat % ANIMALS.length]}"></use></svg>`;
