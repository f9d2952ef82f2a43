/* What the page does beyond its links and forms: keys, focus, and one clear line where the owner is gone. */
"use strict";

(() => {
  /* The owner is gone, or does not answer: say so once. Nothing is tried again by itself. */
  const gone = () => {
    const line = document.getElementById("gone");
    if (line) {
      line.hidden = false;
      line.scrollIntoView({ block: "nearest" });
    }
  };
  document.addEventListener("htmx:sendError", gone);
  document.addEventListener("htmx:timeout", gone);
  document.addEventListener("htmx:afterOnLoad", () => {
    const line = document.getElementById("gone");
    if (line) line.hidden = true;
  });

  /* What went wrong stands until something goes right; what was done is said for a while. */
  const SAID_MS = 8000;
  document.addEventListener("htmx:beforeRequest", () => document.querySelector("#said .trouble")?.remove());
  document.addEventListener("htmx:oobAfterSwap", () => {
    const said = document.querySelector("#said .said");
    if (said) setTimeout(() => said.remove(), SAID_MS);
  });

  /* A room that was gone to takes the focus, as a page that is loaded does. */
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.boosted && event.target === document.body) {
      document.getElementById("room")?.focus({ preventScroll: true });
      roomInSight();
    }
    if (event.detail.target?.id === "one") chosen(event.detail.target);
    else if (event.detail.target?.id === "found") marked();
    else if (event.detail.requestConfig?.verb === "post" && document.activeElement === document.body)
      event.detail.elt.querySelector?.("button, a[href], summary")?.focus({ preventScroll: true });
  });

  /* On a phone's width the rooms are one line that scrolls sideways. */
  const roomInSight = () =>
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  roomInSight();

  /* The memory beside the list: it is marked there, and brought into sight where both do not fit side by side. */
  const marked = () => {
    const id = document.querySelector("[data-memory]")?.dataset.memory;
    for (const row of document.querySelectorAll("a.row[aria-current]")) row.removeAttribute("aria-current");
    if (id) document.querySelector(`a.row[href*="id=${CSS.escape(id)}"]`)?.setAttribute("aria-current", "true");
  };
  const chosen = (pane) => {
    marked();
    pane.parentElement?.classList.add("with-one");
    pane.querySelector("h2")?.focus({ preventScroll: true });
    pane.scrollTop = 0;
    if (window.matchMedia("(max-width: 60rem)").matches) window.scrollTo(0, 0);
  };

  /* A list that is replaced while the focus is in it keeps the focus: in the same memory's row, else in the first. */
  const idOf = (row) => row && new URL(row.href).searchParams.get("id");
  let within = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target?.id === "found") within = idOf(document.activeElement?.closest("#found a.row"));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "found" || !within) return;
    const rows = [...event.detail.target.querySelectorAll("a.row")];
    const row = rows.find((one) => idOf(one) === within) ?? rows[0] ?? document.getElementById("words");
    within = null;
    row?.focus({ preventScroll: true });
  });

  /* Who comes back to the page sees what is open in the editor by now; what is being read there is left alone. */
  document.addEventListener("visibilitychange", () => {
    const now = document.getElementById("now");
    if (document.visibilityState === "visible" && now && !now.querySelector("details[open]"))
      htmx.trigger(now, "look-again");
  });

  /* A row shows its memory beside the list. Rows have no attributes for that: htmx would go over each of them whenever
     rows are added, and hold up the scrolling. One that is to open in another tab is left to the browser. */
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("a.row");
    if (!row || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { pathname, search } = new URL(row.href);
    const how = { source: "#one", target: "#one", swap: "innerHTML show:none", push: pathname + search };
    htmx.ajax("GET", `${pathname}/one${search}`, how).catch(() => {}); // what failed is said by the events above
  });

  /* `/` goes to the search, arrows (or j and k) go through the rows of a list. */
  const typing = (element) => element.closest?.("input, textarea, select, [contenteditable]");
  const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const words = document.getElementById("words");
    if (event.key === "/" && words && !typing(event.target)) {
      event.preventDefault();
      words.select();
      words.focus();
      return;
    }
    const step = STEPS[event.key];
    const inRow = event.target.closest?.("a.row");
    const fromSearch = event.target === words && event.key === "ArrowDown";
    if (!step || !(inRow || fromSearch)) return;
    const rows = [...document.querySelectorAll("a.row")];
    const next = rows[fromSearch ? 0 : rows.indexOf(inRow) + step];
    if (next || (step < 0 && words)) {
      event.preventDefault();
      (next ?? words).focus();
    }
  });
})();
