/* The list of memories: a row shows its memory beside it, keys lead through the rows, Back leads to the list as it was. */
"use strict";

(() => {
  const find = document.querySelector("form.find");
  const list = document.getElementById("found");
  const pane = document.getElementById("one");
  const words = document.getElementById("words");
  const empty = pane.querySelector("[data-memory]") ? "" : pane.innerHTML;
  const narrow = window.matchMedia("(max-width: 60rem)");

  /* Rows are put in place as they are. htmx would look for attributes of its own at each link that comes, and tell each
     element that goes: of fifty rows that took longer than laying them out. Only what fetches the next page is its own. */
  htmx.defineExtension("leaves", {
    handleSwap: (how, target, fragment) => {
      if (how !== "list" && how !== "leaf") return false;
      const more = [...fragment.querySelectorAll(".more")];
      if (how === "list") target.replaceChildren(fragment);
      else target.replaceWith(fragment);
      return more;
    },
  });

  /* The memory that is shown is marked in the list. */
  const idOf = (row) => row && new URL(row.href).searchParams.get("id");
  const marked = () => {
    const id = pane.querySelector("[data-memory]")?.dataset.memory;
    for (const row of list.querySelectorAll("a.row[aria-current]")) row.removeAttribute("aria-current");
    if (id) list.querySelector(`a.row[href*="id=${CSS.escape(id)}"]`)?.setAttribute("aria-current", "true");
  };

  /* It is brought into sight where both do not fit side by side; the list stays behind it as it is. */
  let stood = 0;
  const chosen = () => {
    marked();
    pane.parentElement.classList.add("with-one");
    pane.querySelector("h2")?.focus({ preventScroll: true });
    pane.scrollTop = 0;
    if (narrow.matches) window.scrollTo(0, 0);
  };
  const unchosen = () => {
    const row = list.querySelector("a.row[aria-current]");
    pane.parentElement.classList.remove("with-one");
    pane.innerHTML = empty;
    marked();
    row?.focus({ preventScroll: true });
    window.scrollTo(0, stood);
  };
  const shown = ({ pathname, search }) =>
    htmx
      .ajax("GET", `${pathname}/one${search}`, { source: "#one", target: "#one", swap: "innerHTML show:none" })
      .catch(() => {}); // what failed is said by the page

  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target === pane) chosen();
    else if (detail.target === list) marked();
  });

  /* Every link to a memory shows it here, unless it is to open in another tab. */
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.closest(".back") && history.state?.beside) {
      event.preventDefault();
      history.back();
      return;
    }
    const id = new URL(link.href).pathname === location.pathname && idOf(link);
    if (!id) return;
    event.preventDefault();
    if (!pane.parentElement.classList.contains("with-one")) stood = window.scrollY;
    const address = new URL(location);
    address.searchParams.set("id", id);
    await shown(address);
    if (pane.querySelector("[data-memory]")?.dataset.memory.startsWith(id)) history.pushState({ beside: true }, "", address);
  });

  /* Back and forward change the memory, not the list; where the words differ too, the page is loaded anew. */
  const wanted = (fields) =>
    JSON.stringify([
      (fields.get("q") ?? "").trim().split(/\s+/).join(" "),
      fields.getAll("kind").sort(),
      fields.get("state") || "current",
    ]);
  window.addEventListener("popstate", (event) => {
    event.stopImmediatePropagation();
    const asked = new URL(location).searchParams;
    if (wanted(asked) !== wanted(new FormData(find))) location.reload();
    else if (asked.get("id")) shown(new URL(location));
    else unchosen();
  });

  /* A list that is replaced while the focus is in it keeps the focus: in the same memory's row, else in the first. */
  let within = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === list) within = idOf(document.activeElement?.closest("#found a.row"));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== list || !within) return;
    const rows = [...list.querySelectorAll("a.row")];
    const row = rows.find((one) => idOf(one) === within) ?? rows[0] ?? words;
    within = null;
    row.focus({ preventScroll: true });
  });

  /* Arrows (or j and k) go through the rows, from the search down and up to it again. */
  const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const inRow = event.target.closest?.("a.row");
    const fromSearch = event.target === words && event.key === "ArrowDown";
    if (!step || !(inRow || fromSearch)) return;
    const rows = [...list.querySelectorAll("a.row")];
    const next = rows[fromSearch ? 0 : rows.indexOf(inRow) + step];
    if (next || step < 0) {
      event.preventDefault();
      (next ?? words).focus();
    }
  });
})();
