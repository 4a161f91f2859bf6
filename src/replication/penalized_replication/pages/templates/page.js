"use strict";

// Drawings, the live chart, the ledger's filter and order, links into closed details, printing.
(() => {
  // --- Packed parts of the page: drawings, details of claims, scripts
  const unpacked = async (name) => {
    const packed = atob(document.getElementById(`packed-${name}`).textContent);
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  };
  const show = async (image) => {
    if (image.src) return;
    image.src = URL.createObjectURL(new Blob([await unpacked(image.dataset.packed)], { type: "image/svg+xml" }));
  };
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      if (target.id === "minute") live();
      else show(target);
    }
  }, { rootMargin: "400px" });
  for (const image of document.querySelectorAll("[data-packed]")) near.observe(image);

  // --- One bandit, live
  const live = async () => {
    const [engine, worker, page] = await Promise.all(["engine", "worker", "live"].map(unpacked));
    const script = document.createElement("script");
    const workerText = JSON.stringify(`${engine}\n${worker}`);
    script.textContent = `{ const workerText = ${workerText};\n${engine}\n${page} }`;
    document.body.append(script);
  };
  document.getElementById("minute").hidden = false;
  near.observe(document.getElementById("minute"));

  // Drawings are laid out after the first screen, one at a time.
  const later = window.requestIdleCallback ?? ((then) => setTimeout(then, 50));
  const waiting = [...document.querySelectorAll(".figure")];
  const next = () => {
    const figure = waiting.shift();
    if (!figure) return;
    figure.style.contentVisibility = "visible";
    Promise.all([...figure.querySelectorAll("[data-packed]")].map(show)).then(() => later(next));
  };
  later(next);

  // --- Ledger
  const tables = [...document.querySelectorAll("table.ledger")];
  const claims = tables.flatMap((table) => [...table.tBodies]);
  const form = document.querySelector("form.filter");
  const text = document.getElementById("ledger-text");
  const boxes = [...form.querySelectorAll("input[name=verdict]")];
  const status = document.getElementById("ledger-status");
  const opener = document.getElementById("ledger-open");
  // As it is shown and as it is written in the tables: Ak and A_k.
  const lower = (claim, text) => [claim, `${text} ${claim.dataset.statement}`.toLowerCase()];
  let words = new Map(claims.map((claim) => lower(claim, claim.textContent)));
  const row = new Map(claims.map((claim) => lower(claim, claim.rows[0].textContent)));

  // Details of all claims are unpacked when one is opened, or searched.
  let details = null;
  const detailsThere = () => (details ??= unpacked("claims").then((text_) => {
    const bodies = new Map(Object.entries(JSON.parse(text_)).map(([id, html]) => {
      const body = document.createElement("template");
      body.innerHTML = html;
      return [id, body.content];
    }));
    words = new Map(claims.map((claim) => lower(claim, `${claim.textContent} ${bodies.get(claim.id).textContent}`)));
    return bodies;
  }));
  document.addEventListener("toggle", async ({ target }) => {
    const { claim } = target.dataset;
    if (!claim || !target.open || "whole" in target.dataset) return;
    target.dataset.whole = "";
    target.querySelector(".hint").replaceWith((await detailsThere()).get(claim).cloneNode(true));
  }, true);

  const filter = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const parts = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let inside = 0;
    for (const claim of claims) {
      const found = (said) => parts.every((part) => said.get(claim).includes(part));
      claim.hidden = !wanted.has(claim.dataset.verdict) || !found(words);
      const within = !claim.hidden && !found(row);
      claim.querySelector(".within").hidden = !within;
      inside += within;
    }
    // A table with nothing in it is not shown, nor is its heading.
    for (const table of tables) {
      table.hidden = [...table.tBodies].every((claim) => claim.hidden);
      table.previousElementSibling.hidden = table.hidden;
    }
    const shown = claims.filter((claim) => !claim.hidden).length;
    status.textContent = `${shown} of ${claims.length} claims${
      inside ? `; of ${inside} the details say it, not the row` : ""
    }${shown ? "" : ": none says that"}`;
  };
  const showAll = () => {
    text.value = "";
    for (const box of boxes) box.checked = true;
    filter();
  };

  const sort = (table, head) => {
    const { key } = head.dataset;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const compare = "number" in head.dataset
      ? (a, b) => a.dataset[key] - b.dataset[key]
      : (a, b) => a.dataset[key].localeCompare(b.dataset[key], "en", { numeric: true });
    // Ties stay in the order of the ledger, whatever they were sorted by before.
    const order = (a, b) =>
      (down ? compare(b, a) : compare(a, b)) || a.dataset.place - b.dataset.place;
    table.append(...[...table.tBodies].sort(order));
  };

  for (const table of tables) {
    for (const head of table.tHead.querySelectorAll("[data-key]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
    }
    table.tHead.rows[0].cells[0].setAttribute("aria-sort", "ascending");
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  text.addEventListener("input", () => detailsThere().then(filter), { once: true });
  filter();
  opener.addEventListener("click", () => {
    const open = opener.getAttribute("aria-pressed") !== "true";
    opener.setAttribute("aria-pressed", String(open));
    for (const claim of claims) claim.querySelector("details").open = open;
  });
  for (const link of document.querySelectorAll("[data-only]")) {
    link.addEventListener("click", () => {
      text.value = "";
      for (const box of boxes) box.checked = box.value === link.dataset.only;
      filter();
    });
  }

  // --- A link leads into what is closed; to a claim also its details
  const reveal = () => {
    const target = document.getElementById(window.location.hash.slice(1));
    if (!target) return;
    if (claims.includes(target)) {
      if (target.hidden) showAll();
      target.querySelector("details").open = true;
    }
    const around = target.closest("details");
    if (around) around.open = true;
    if (around || claims.includes(target)) target.scrollIntoView({ behavior: "instant" });
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  // --- On paper all details are open
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open], [data-claim])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
    closed = [];
  });
})();
