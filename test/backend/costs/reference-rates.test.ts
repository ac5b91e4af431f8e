import { describe, expect, test as once } from "bun:test";
import { parseReferenceRates } from "../../../src/backend/costs/reference-rates.ts";
import { parseSettings, type Settings } from "../../../src/shared/settings.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

/** What the bank publishes, in short. */
const published = (day: string, rates: Record<string, number>) => `<?xml version="1.0"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube><Cube time='${day}'>${Object.entries(rates)
    .map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`)
    .join("")}</Cube></Cube>
</gesmes:Envelope>`;

const DOLLARS = { USD: 1.25, GBP: 0.5 };

const serve = (fetch: () => Response) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });

/** A register that asks this bank, at a time that stands still. */
async function startRegister(bank: ReturnType<typeof serve>) {
  const time = { now: new Date("2027-01-15T10:00:00Z") };
  const loop = createSteppedLoop();
  const server = await startBackend({
    ratesSource: `http://127.0.0.1:${bank.port}/`,
    reminders: { allow: ["127.0.0.0/8"] },
    clock: () => time.now,
    loop,
  });
  const client = await server.owner();
  const settings = async () => parseSettings(await client.json("/api/settings"));
  return { ...server, client, time, step: loop.step, settings };
}

describe("The rates of the European Central Bank", () => {
  test("are asked for once a day, only if turned on, and stay where it does not answer", async () => {
    let asked = 0;
    let body: string | null = published("2027-01-14", DOLLARS);
    using bank = serve(() => {
      asked += 1;
      return body === null ? new Response("Out", { status: 503 }) : new Response(body);
    });
    await using register = await startRegister(bank);
    const { client, time, step, settings } = register;
    const put = async (on: boolean): Promise<Settings> =>
      (await client.put("/api/settings/reference", { on })).json();
    await client.patch("/api/settings", { currency: "USD", rates: { GBP: 2 } });
    await step();
    expect(asked).toBe(0);
    expect((await settings()).reference).toEqual({ on: false, day: null, rates: {} });

    // Typed rates stay beside them; a euro is so many dollars.
    const chosen = await put(true);
    expect(chosen.rates).toEqual({ GBP: 2 });
    const { reference } = chosen;
    expect(reference).toEqual({ on: true, day: "2027-01-14", rates: { EUR: 1.25, GBP: 2.5 } });
    await step();
    expect(asked).toBe(1);

    time.now = new Date("2027-01-16T10:00:01Z");
    body = null;
    await step();
    await step();
    expect(asked).toBe(2);
    expect((await settings()).reference).toEqual(reference);
    // An hour after an answer that is none.
    time.now = new Date("2027-01-16T11:00:02Z");
    body = published("2027-01-15", { USD: 2 });
    await step();
    const later = { on: true, day: "2027-01-15", rates: { EUR: 2 } };
    expect((await settings()).reference).toEqual(later);

    expect((await put(false)).reference).toEqual({ ...later, on: false, rates: {} });
    time.now = new Date("2027-01-20T11:00:00Z");
    await step();
    expect(asked).toBe(3);
  });

  once("come though the page that turned them on was closed meanwhile", async () => {
    const closing = new AbortController();
    using bank = serve(() => {
      closing.abort();
      return new Response(published("2027-01-14", DOLLARS));
    });
    await using register = await startRegister(bank);
    const { backend, url, client, step, settings } = register;
    const request = new Request(new URL("/api/settings/reference", url), {
      method: "PUT",
      body: '{"on":true}',
      headers: {
        Cookie: [...client.cookies].map((pair) => pair.join("=")).join("; "),
        "Content-Type": "application/json",
        "X-XSRF-TOKEN": client.cookies.get("XSRF-TOKEN") ?? "",
      },
      signal: closing.signal,
    });
    const address = "127.0.0.1";
    await backend.fetch(request, { address, remoteAddress: address, secure: false });
    expect(closing.signal.aborted).toBeTrue();
    await step();
    expect((await settings()).reference.day).toBe("2027-01-14");
  });

  once("are read whole or not at all", () => {
    // The euro is one euro, whatever is said of it.
    const rates = published("2027-01-14", { EUR: 2, ...DOLLARS });
    const perEuro = { EUR: 1, ...DOLLARS };
    expect(parseReferenceRates(rates)).toEqual({ day: "2027-01-14", perEuro });
    for (const bad of [
      "",
      "<html>Out of order</html>",
      published("2027-02-30", DOLLARS),
      published("2027-01-14", {}),
      published("2027-01-14", { USD: 0 }),
      published("2027-01-14", { usd: 1 }),
      published("2027-01-14", DOLLARS).replace("1.25", "1,25"),
      // By these, one of the two would be more of the other than a rate may be.
      published("2027-01-14", { USD: 0.0001, GBP: 1_000_000 }),
    ]) {
      expect(parseReferenceRates(bad)).toBeNull();
    }
  });
});
