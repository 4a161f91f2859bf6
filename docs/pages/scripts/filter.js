// Long tables get a field above them: only rows that contain all of its words stay.
const LONG = 12;

for (const table of document.querySelectorAll(".md-content table")) {
  const rows = [...table.tBodies[0]?.rows ?? []];
  if (rows.length < LONG) continue;
  const field = Object.assign(document.createElement("input"), {
    type: "search",
    placeholder: "for example: not contradicted 4.2",
  });
  const label = Object.assign(document.createElement("label"), { className: "filter", textContent: "Filter " });
  const count = document.createElement("output");
  label.append(field, " ", count);
  (table.closest(".md-typeset__scrollwrap") ?? table).before(label);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    count.textContent = words.length ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });
}
