// Print the places that the site's own search finds, the best one first: its script, its index, a query.
const { readFileSync } = require("node:fs");

const [worker, index, input] = process.argv.slice(2);
const self = (globalThis.self = {});
const asked = (type, data) =>
  new Promise((resolve) => {
    self.postMessage = (message) => resolve(message.data);
    self.onmessage({ data: { type, data } });
  });
(0, eval)(readFileSync(worker, "utf8"));

(async () => {
  const pages = JSON.parse(readFileSync(index, "utf8"));
  await asked(0, pages);
  const { items } = await asked(2, { input });
  for (const { id } of items) console.log(pages.items[id].location);
})();
