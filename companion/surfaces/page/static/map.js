/* The map of a project, by d3: folders are rings, files dots in them, and lines join what changes together. */
"use strict";

(() => {
  const place = document.querySelector("[data-map]");
  if (!place) return;
  const { files, pairs } = JSON.parse(place.dataset.map);
  const says = document.getElementById("map-says");
  const atRest = says.innerHTML;

  const AGES = [14, 60, 240, 730]; // days; a dot is the paler the longer ago its file was changed
  const LINES = 48; // lines that are seen while nothing is pointed at: the surest
  const NAMED = 4; // files that the line below the map names of those that change with one
  const RINGS = 3; // rings in one another
  const NEARLY = 0.9; // share of a folder's work
  const HIGHEST = 540; // pixels
  const CLOSEST = 40;
  const LETTER = 6.4; // pixels, on average

  /* Folders in folders, as few as tell them apart: one that holds nearly all of the folder it lies in has no ring of its
     own, and neither has one that lies deep. */
  const tree = () => {
    const root = { name: "", path: "", inside: new Map() };
    files.forEach(([path, commits, age], number) => {
      const parts = path.split("/");
      let at = root;
      parts.slice(0, -1).forEach((name, depth) => {
        if (!at.inside.has(name)) at.inside.set(name, { name, path: parts.slice(0, depth + 1).join("/"), inside: new Map() });
        at = at.inside.get(name);
      });
      at.inside.set(`${parts.at(-1)}/`, { name: parts.at(-1), path, commits, age, number, weight: commits ** 0.8 });
    });
    const told = (one, depth) => {
      if (!one.inside) return one;
      const inner = [...one.inside.values()].map((child) => told(child, depth + 1));
      const weight = d3.sum(inner, (child) => child.weight);
      const folded = (child) => child.children && (depth >= RINGS || child.weight > NEARLY * weight);
      return { name: one.name, path: one.path, weight, children: inner.flatMap((child) => (folded(child) ? child.children : child)) };
    };
    return told(root, 0);
  };

  const near = files.map(() => []);
  pairs.forEach(([a, b, together, share], order) => {
    near[a].push({ other: b, together, share, order });
    near[b].push({ other: a, together, share, order });
  });

  const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  const ago = (days) => (days < 14 ? "recently" : days < 60 ? `${Math.round(days / 7)} weeks before` : days < 730 ? `${Math.round(days / 30)} months before` : `${Math.round(days / 365)} years before`);
  const heat = (leaf) => AGES.filter((days) => leaf.data.age <= days).length;
  const firstWord = (name) => name.match(/^[^-_.]+[-_.](?=.)/)?.[0] ?? "";
  const nameOf = (number) => files[number][0].split("/").at(-1);

  /* The line below the map: what is pointed at, in a sentence. */
  const tell = (node) => {
    if (!node) return (says.innerHTML = atRest);
    const { path, commits, age, number } = node.data;
    const strong = document.createElement("strong");
    strong.append(Object.assign(document.createElement("bdi"), { textContent: path }));
    let rest;
    if (node.children) rest = `: ${counted(node.leaves().length, "file")}, changed ${counted(node.value0, "time")} in all.`;
    else {
      const others = near[number].slice(0, NAMED).map((one) => `${nameOf(one.other)} (${one.together})`);
      rest = `: ${counted(commits, "commit")}, the last ${ago(age)}.${others.length ? ` Changes with ${others.join(", ")}.` : ""}`;
    }
    says.replaceChildren(strong, rest);
  };

  const draw = () => {
    place.hidden = false;
    const width = place.clientWidth;
    if (!width) return;
    const height = Math.min(width, HIGHEST);
    const root = d3.hierarchy(tree()).sum((one) => (one.children ? 0 : one.weight));
    root.each((node) => (node.value0 = d3.sum(node.leaves(), (leaf) => leaf.data.commits)));
    root.sort((a, b) => b.value - a.value);
    d3.pack().size([width, height]).padding((node) => (node.depth ? 3 : 6))(root);
    const leaves = root.leaves();
    const rings = root.descendants().filter((node) => node.children && node.depth);
    const dotOf = new Map(leaves.map((leaf) => [leaf.data.number, leaf]));
    /* A word with which most rings beside one begin (`app-core`, `app-web`) tells none of them apart. */
    for (const inside of d3.group(rings, (node) => node.parent).values()) {
      const words = d3.rollup(inside, (alike) => alike.length, (node) => firstWord(node.data.name));
      const whole = new Set(inside.map((node) => node.data.name));
      for (const node of inside) {
        const word = firstWord(node.data.name);
        const rest = node.data.name.slice(word.length);
        node.told = word && words.get(word) > Math.max(2, inside.length / 2) && !whole.has(rest) ? rest : node.data.name;
      }
    }

    const svg = d3.create("svg").attr("viewBox", [0, 0, width, height]).attr("role", "group").attr("aria-label", place.dataset.says);
    svg.append("rect").attr("class", "sea").attr("width", width).attr("height", height);
    const land = svg.append("g");
    const names = svg.append("g").attr("class", "names").attr("aria-hidden", "true");

    const ring = land
      .selectAll("g.ring")
      .data(rings)
      .join("g")
      .attr("class", (node) => `ring depth-${Math.min(node.depth, 4)}`)
      .attr("role", "button")
      .attr("aria-label", (node) => `Folder ${node.data.path}, ${counted(node.leaves().length, "file")}: zoom in`);
    ring.append("circle").attr("cx", (node) => node.x).attr("cy", (node) => node.y).attr("r", (node) => node.r);

    const bent = ([a, b]) => {
      const [from, to] = [dotOf.get(a), dotOf.get(b)];
      const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
      const pull = 0.25;
      return `M${from.x},${from.y}Q${x + (width / 2 - x) * pull},${y + (height / 2 - y) * pull} ${to.x},${to.y}`;
    };
    const line = land
      .selectAll("path.tie")
      .data(pairs)
      .join("path")
      .attr("class", (_, order) => (order < LINES ? "tie" : "tie more"))
      .attr("d", bent)
      .attr("stroke-opacity", ([, , , share]) => 0.2 + 0.006 * share);

    const dot = land
      .selectAll("a.dot-of")
      .data(leaves)
      .join("a")
      .attr("class", (leaf) => `dot-of heat-${heat(leaf)}`)
      .attr("href", (leaf) => `${place.dataset.file}?path=${encodeURIComponent(leaf.data.path)}`)
      .attr("aria-label", (leaf) => `${leaf.data.path}, ${counted(leaf.data.commits, "commit")}`);
    dot.append("circle").attr("cx", (leaf) => leaf.x).attr("cy", (leaf) => leaf.y).attr("r", (leaf) => leaf.r);

    /* Names keep their size at every zoom; those that would lie over others are left out, the smallest first. */
    let now = d3.zoomIdentity;
    let pointed = null;
    const name = () => {
      const taken = [];
      const shown = new Set();
      const fits = (text, x, y) => {
        const half = (text.length * LETTER) / 2;
        const box = [x - half, y - 9, x + half, y + 6];
        if (box[0] < 0 || box[2] > width || box[1] < 0 || box[3] > height) return false;
        if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) return false;
        return taken.push(box);
      };
      const cut = (text, room) => {
        const stem = text.replace(/(?<=.)\.[^.]*$/, "");
        return [text, stem].find((one) => one.length <= room) ?? (room < 5 ? "" : `${text.slice(0, room - 1).replace(/[\W_]+$/, "")}…`);
      };
      const listed = [];
      const put = (node, text, x, y, sort) => {
        if (text && fits(text, x, y)) {
          shown.add(node);
          listed.push({ text, x, y, sort });
        }
      };
      const told = pointed ? [pointed, ...near[pointed.data.number].slice(0, 8).map((one) => dotOf.get(one.other))] : [];
      for (const leaf of told) put(leaf, leaf.data.name, now.applyX(leaf.x), now.applyY(leaf.y) - now.k * leaf.r - 7, "pointed");
      for (const node of rings) {
        const radius = now.k * node.r;
        if (radius < 30 || radius > 0.9 * width) continue;
        put(node, cut(node.told, Math.floor(Math.max(12, (2.2 * radius) / LETTER))), now.applyX(node.x), now.applyY(node.y) - radius + 13, "of-ring");
      }
      for (const leaf of leaves) {
        const radius = now.k * leaf.r;
        if (radius < 17 || told.includes(leaf)) continue;
        put(leaf, cut(leaf.data.name, Math.floor((1.9 * radius) / LETTER)), now.applyX(leaf.x), now.applyY(leaf.y) + 4, heat(leaf) > 2 ? "on-dark" : "of-dot");
      }
      names
        .selectAll("text")
        .data(listed)
        .join("text")
        .attr("class", (one) => one.sort)
        .attr("x", (one) => one.x)
        .attr("y", (one) => one.y)
        .text((one) => one.text);
      ring.attr("tabindex", (node) => (shown.has(node) ? 0 : -1));
      dot.attr("tabindex", (leaf) => (shown.has(leaf) ? 0 : -1));
    };

    const point = (leaf) => {
      pointed = leaf?.children ? null : leaf;
      const number = pointed?.data.number;
      const others = new Set(pointed ? near[number].map((one) => one.other) : []);
      svg.classed("pointing", Boolean(pointed));
      line.classed("strong", ([a, b]) => pointed && (a === number || b === number));
      dot.classed("strong", (one) => one === pointed || others.has(one.data.number));
      tell(leaf);
      name();
    };

    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    const zoom = d3
      .zoom()
      .scaleExtent([1, CLOSEST])
      .translateExtent([[0, 0], [width, height]])
      .filter((event) => {
        if (event.type === "wheel") return event.ctrlKey || event.metaKey;
        if (event.type === "dblclick") return false;
        return !event.button && !(event.touches?.length === 1 && now.k === 1); // one finger scrolls the page
      })
      .on("zoom", ({ transform }) => {
        now = transform;
        land.attr("transform", transform);
        svg.classed("near", now.k > 1);
        name();
      });
    svg.call(zoom);
    const go = (transform) => svg.transition().duration(still.matches ? 0 : 450).call(zoom.transform, transform);
    const into = (node) => {
      const k = Math.min(CLOSEST, (0.94 * Math.min(width, height)) / (2 * node.r));
      go(d3.zoomIdentity.translate(width / 2, height / 2).scale(k).translate(-node.x, -node.y));
    };
    const step = (factor) => svg.transition().duration(still.matches ? 0 : 200).call(zoom.scaleBy, factor);

    ring
      .on("click", (event, node) => into(node))
      .on("keydown", (event, node) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        into(node);
      })
      .on("pointerenter focus", (_, node) => point(node));
    dot.on("pointerenter focus", (_, leaf) => point(leaf));
    svg.on("pointerleave focusout", () => point(null)).on("keydown", ({ key }) => key === "Escape" && go(d3.zoomIdentity));

    const buttons = d3.create("div").attr("class", "buttons");
    for (const [text, label, act] of [
      ["+", "Zoom in", () => step(2)],
      ["−", "Zoom out", () => step(0.5)],
      ["Fit", "The whole project", () => go(d3.zoomIdentity)],
    ])
      buttons.append("button").attr("type", "button").attr("class", "quiet").attr("title", label).attr("aria-label", label).text(text).on("click", act);
    place.replaceChildren(svg.node(), buttons.node());
    name();
    return width;
  };

  /* After the first paint: what stands around the map is read meanwhile. Where it cannot be drawn, the list stays. */
  const list = document.getElementById("map-list");
  const without = () => {
    place.remove();
    list.dataset.ready = "";
  };
  const show = () => {
    let drawn;
    try {
      drawn = draw();
    } catch (wrong) {
      without();
      throw wrong;
    }
    list.open = false;
    list.dataset.ready = "";
    new ResizeObserver(() => {
      if (place.clientWidth && place.clientWidth !== drawn) drawn = draw();
    }).observe(place);
  };
  const fetched = () =>
    document.head.append(
      Object.assign(document.createElement("script"), { src: place.dataset.library, onload: show, onerror: without }),
    );
  requestAnimationFrame(() => setTimeout(fetched));
})();
