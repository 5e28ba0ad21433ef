// Several people at one table: the guest of this page, and the links for guests.

import { PageElement, html, nothing, properties } from "./element.js";
import { t } from "./words.js";

/** The only game of a guest's page; 0 on the owner's page. */
export const guestOf = Number(/^\/seat\/(\d+)-\d+\/$/.exec(location.pathname)?.[1] ?? 0);

const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);

class GuestLinks extends PageElement {
  static properties = properties("state", "copied");

  async copy(seat, link) {
    this.querySelector(`#link-${seat}`).select();
    try {
      await navigator.clipboard.writeText(link);
      this.copied = seat;
    } catch {
      this.copied = 0; // the person can still copy the selected text
    }
  }

  close() {
    this.dispatchEvent(new CustomEvent("close", { bubbles: true }));
  }

  render() {
    return html`<div class="veil"><div class="sheet" role="dialog" aria-modal="true" aria-label=${t("Links for your guests")}>
      <h2>${t("Links for your guests")}</h2>
      <p>${t("Send each person one link: whoever opens it sits in that seat, and sees no other cards. A link stays good as long as the game is kept.")}</p>
      ${this.state.invitations.map(({ seat, path }) => this.link(seat, location.origin + path))}
      ${isLocal ? html`<p class="quiet">${t("These links work on this computer. For other machines, start undercut play with --host 0.0.0.0.")}</p>` : nothing}
      <div class="bar"><button class="main" autofocus @click=${this.close}>${t("To the table")}</button></div></div></div>`;
  }

  link(seat, link) {
    return html`<p class="invitation"><label for=${`link-${seat}`}>${t("Seat {seat}", { seat: seat + 1 })}</label>
      <input id=${`link-${seat}`} readonly .value=${link} @focus=${(event) => event.target.select()}>
      <button @click=${() => this.copy(seat, link)}>${this.copied === seat ? t("Copied") : t("Copy")}</button></p>`;
  }
}

customElements.define("guest-links", GuestLinks);
