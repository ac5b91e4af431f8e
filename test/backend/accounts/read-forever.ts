import { appendFileSync } from "node:fs";
import { createBackend } from "../../../src/backend/backend.ts";
import type { Work } from "../../../src/backend/jobs/loop.ts";
import { reading } from "../../support/accounts.ts";

// A backend in a process of its own that reads accounts until it is killed. Every list has another day,
// the same for all names; who begins to read is written down.

const [databaseUrl = "", folder = "", count = "0"] = process.argv.slice(2);

const works: Work[] = [];
const stopping = new AbortController();
await createBackend({
  databaseUrl,
  setupCode: null,
  credentialsKey: Buffer.alloc(32, 7).toString("base64"),
  maxUploadBytes: 1000,
  loop: { add: (work) => (works.push(work), () => {}), stop: async () => {} },
  accounts: {
    async read(_, __, { keepLease }) {
      appendFileSync(`${folder}/log`, `start ${process.pid}\n`);
      const day = new Date(Date.now() * 100).toISOString().slice(0, 10);
      const year = 2030 + (Date.now() % 100);
      await Bun.sleep(10 * Math.random());
      await keepLease();
      appendFileSync(`${folder}/log`, `end ${process.pid}\n`);
      const names = Array.from({ length: Number(count) }, (_each, index) => ({
        name: `n${index}.example`,
        expires: `${year}${day.slice(4)}`,
      }));
      return reading(names);
    },
  },
});
const lane = works.find(({ name }) => name === "Reading accounts");
process.stdout.write("ready\n");
for (;;) {
  await lane?.round(stopping.signal);
  await Bun.sleep(1);
}
