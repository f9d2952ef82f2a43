/* What every room does beyond its links and forms: keys, focus, and one clear line where the daemon is gone. */
"use strict";

(() => {
  /* The daemon is gone, or does not answer: say so once. Nothing is tried again by itself. */
  const said = (id) => () => {
    const line = document.getElementById(id);
    if (line) {
      line.hidden = false;
      line.scrollIntoView({ block: "nearest" });
    }
  };
  document.addEventListener("htmx:sendError", said("gone"));
  document.addEventListener("htmx:timeout", said("late"));
  document.addEventListener("htmx:afterOnLoad", () => {
    for (const line of document.querySelectorAll("#gone, #late")) line.hidden = true;
  });

  /* What went wrong stands until something goes right; what was done is said for a while. */
  const SAID_MS = 8000;
  document.addEventListener("htmx:beforeRequest", () => document.querySelector("#said .trouble")?.remove());
  document.addEventListener("htmx:oobAfterSwap", () => {
    const said = document.querySelector("#said .said");
    if (said) setTimeout(() => said.remove(), SAID_MS);
  });

  /* After a deed the focus stands where its answer took the place of the button. */
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.verb === "post" && document.activeElement === document.body)
      event.detail.elt.querySelector?.("button, a[href], summary")?.focus({ preventScroll: true });
  });

  /* On a phone's width the rooms are one line that scrolls sideways. */
  const here = document.querySelector("nav [aria-current]");
  const nav = here?.closest("nav"); // scrolled by hand: a browser lets Tab go on from what was scrolled into view
  if (nav) nav.scrollLeft += here.getBoundingClientRect().left - nav.getBoundingClientRect().left - (nav.clientWidth - here.offsetWidth) / 2;

  /* Who comes back to the page sees what is open in the editor by now; what is being read there is left alone. */
  document.addEventListener("visibilitychange", () => {
    const now = document.getElementById("now");
    if (document.visibilityState === "visible" && now && !now.querySelector("details[open]"))
      htmx.trigger(now, "look-again");
  });

  /* `/` goes to the search. */
  document.addEventListener("keydown", (event) => {
    const words = document.getElementById("words");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !words) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    words.select();
    words.focus();
  });
})();
