/* Charts by uPlot, which is fetched only where there is one: lines in hundredths over time, with a legend to read. */
"use strict";

(() => {
  const here = document.currentScript.dataset;
  const DASHES = { 2: [6, 4], 3: [2, 3], 4: [10, 4, 2, 4] };
  let library;

  /* A browser may name its language in the system's way, as `en-US@posix` or `C`; formats are made for none of these. */
  const speakPlainly = () => {
    try {
      Intl.getCanonicalLocales(navigator.language);
    } catch {
      Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
    }
  };

  /* uPlot, fetched once; its style comes along. */
  const fetched = () =>
    (library ??= new Promise((done, failed) => {
      speakPlainly();
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: here.style });
      const script = Object.assign(document.createElement("script"), { src: here.library, onload: done, onerror: failed });
      document.head.append(style, script);
    }));

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const height = (place) => (place.clientWidth < 520 ? 230 : 290);
  const hundredths = (value) => (value == null ? "–" : `${Math.round(value)} %`);
  const day = (seconds) => (seconds == null ? "–" : new Date(seconds * 1000).toISOString().slice(0, 10));

  const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  /* Months or days, with the year below the first of each. */
  const dates = (ticks, step) => {
    let told;
    return ticks.map((seconds) => {
      const at = new Date(seconds * 1000);
      const year = at.getUTCFullYear();
      if (step >= 360 * 86400) return `${year}`;
      const month = MONTHS[at.getUTCMonth()];
      const day = step >= 28 * 86400 ? month : `${at.getUTCDate()} ${month}`;
      if (year === told) return day;
      told = year;
      return `${day}\n${year}`;
    });
  };

  /* While nothing is pointed at, the legend tells the last point. */
  const latest = (chart) => {
    if (chart.cursor.idx == null) chart.setLegend({ idx: chart.data[0].length - 1 }, false);
  };

  /* Each line has a colour and a dash of its own: nothing is told by colour alone. */
  const options = (said, place) => {
    const letters = `12px ${colour("--letters") || "sans-serif"}`;
    const axis = {
      stroke: colour("--soft"),
      font: letters,
      labelFont: letters,
      labelSize: 20,
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1, size: 4 },
    };
    return {
      width: place.clientWidth,
      height: height(place),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { points: { size: 7 }, drag: { x: false, y: false } },
      legend: { markers: { width: 0, fill: (chart, line) => chart.series[line].stroke(chart, line) } },
      hooks: { ready: [latest], setCursor: [latest] },
      scales: { y: { range: [0, 100] } },
      axes: [
        { ...axis, label: said.across, size: 46, space: place.clientWidth < 520 ? 44 : 70, values: (_, ticks, __, ___, step) => dates(ticks, step) },
        { ...axis, label: said.up, size: 46, values: (_, ticks) => ticks.map((tick) => `${tick} %`) },
      ],
      series: [
        { label: said.across, value: (_, seconds) => day(seconds) },
        ...said.lines.map((line) => ({
          label: line.name,
          stroke: colour(`--tone-${line.tone}`),
          width: line.tone === 1 ? 2.5 : 1.75,
          dash: DASHES[line.tone],
          spanGaps: true,
          points: { show: said.at.length < 30, size: 5, fill: colour("--sheet") },
          value: (_, value) => hundredths(value),
        })),
      ],
    };
  };

  const drawn = new WeakMap();

  const draw = (place) => {
    const said = JSON.parse(place.dataset.chart);
    drawn.get(place)?.destroy();
    drawn.set(place, new uPlot(options(said, place), [said.at, ...said.lines.map((line) => line.values)], place));
  };

  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.clientWidth) drawn.get(target)?.setSize({ width: target.clientWidth, height: height(target) });
    }
  });

  const look = async () => {
    const places = [...document.querySelectorAll(".chart")].filter((place) => !drawn.has(place));
    if (!places.length) return;
    await fetched();
    for (const place of places) {
      if (!place.isConnected || drawn.has(place)) continue;
      draw(place);
      resized.observe(place);
    }
  };

  const again = () => {
    for (const place of document.querySelectorAll(".chart")) if (drawn.has(place)) draw(place);
  };

  document.addEventListener("htmx:afterSettle", look);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  window.matchMedia("(prefers-contrast: more)").addEventListener("change", again);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look);
  else look();
})();
