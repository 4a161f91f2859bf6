// Drawings, the table of claims, links into closed details, printing.
(() => {
  // --- Packed drawings
  const show = async (image) => {
    if (image.src) return;
    image.src = URL.createObjectURL(new Blob([await unpacked(image.dataset.packed)], { type: "image/svg+xml" }));
  };
  // After the first screen, one at a time.
  const later = window.requestIdleCallback ?? ((then) => setTimeout(then, 50));
  const waiting = [...document.querySelectorAll("[data-packed]")];
  const next = () => waiting.length && show(waiting.shift()).then(() => later(next));
  later(next);

  // --- The table of claims
  const tables = [...document.querySelectorAll("table.ledger")];
  const claims = tables.flatMap((table) => [...table.tBodies]);
  const form = document.querySelector("form.filter");
  const boxes = [...form.querySelectorAll("input[name=verdict]")];
  const [text, status, opener] = ["ledger-text", "ledger-status", "ledger-open"].map(byId);
  // As it is shown and as it is written in the tables: Ak and A_k.
  const words = new Map(claims.map((claim) => [claim, `${claim.rows[0].textContent} ${claim.dataset.statement}`.toLowerCase()]));

  // Details of all claims are unpacked when one is opened.
  let details = null;
  document.addEventListener("toggle", async ({ target }) => {
    const { claim } = target.dataset;
    const hint = target.querySelector(".hint");
    if (!claim || !target.open || !hint) return;
    details ??= unpacked("claims").then(JSON.parse);
    hint.outerHTML = (await details)[claim];
  }, true);

  const filter = () => {
    const wanted = boxes.filter((box) => box.checked).map((box) => box.value);
    const parts = text.value.toLowerCase().split(/\s+/);
    for (const claim of claims) claim.hidden = !wanted.includes(claim.dataset.verdict) || !parts.every((part) => words.get(claim).includes(part));
    // A table with nothing in it is not shown, nor is its heading.
    for (const table of tables) {
      table.hidden = [...table.tBodies].every((claim) => claim.hidden);
      table.previousElementSibling.hidden = table.hidden;
    }
    status.textContent = `${claims.filter((claim) => !claim.hidden).length} of ${claims.length} claims`;
  };
  const showAll = () => {
    text.value = "";
    for (const box of boxes) box.checked = true;
    filter();
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  filter();
  opener.addEventListener("click", () => {
    const open = opener.getAttribute("aria-pressed") !== "true";
    opener.setAttribute("aria-pressed", String(open));
    for (const claim of claims) claim.querySelector("details").open = open;
  });

  // --- A link leads into what is closed; to a claim also its details
  const reveal = () => {
    const target = byId(window.location.hash.slice(1));
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
