// The key to this table or seat: it comes in the fragment of a link, and the browser stores it for this address.

import { hmac } from "./sha256.js";

const KEPT = `undercut.key ${location.pathname}`; // a guest's seat has a key of its own

let key = "";
try { key = localStorage.getItem(KEPT) ?? ""; } catch { /* refused in some browsers */ }

/** Move the key from the URL to the browser's storage; returns whether there was one. */
export const takeKey = () => {
  const parts = location.hash.slice(1).split("&");
  const given = parts.find((part) => part.startsWith("key="));
  if (given === undefined) return false;
  const rest = parts.filter((part) => part !== given).join("&");
  history.replaceState(null, "", location.pathname + (rest && `#${rest}`));
  key = given.slice(4);
  try { localStorage.setItem(KEPT, key); } catch { /* it is good for as long as the page is open */ }
  return true;
};

/** The proof for the server that this page has the key; the page never sends the key itself. */
export const prove = (nonce) => hmac(key, `undercut ${location.host} ${location.pathname} ${nonce}`);

/** Call back when another page of this table has got a key. */
export const onNewKey = (take) => {
  addEventListener("storage", (event) => {
    if (event.key !== KEPT || !event.newValue) return;
    key = event.newValue;
    take();
  });
};
