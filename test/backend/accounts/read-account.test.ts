import { describe, expect, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { readFileSync } from "node:fs";
import { refusalInWords } from "../../../src/shared/account-words.ts";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createPace } from "../../../src/backend/accounts/call-registrar.ts";
import { createReadAccount } from "../../../src/backend/accounts/read-account.ts";
import { signOvh } from "../../../src/backend/accounts/registrars/ovh.ts";
import { signAws } from "../../../src/backend/accounts/registrars/route53.ts";
import { selfSigned } from "../../support/certificate.ts";
import { startTcpServer } from "../../support/tcp-server.ts";
import {
  LOOPBACK,
  type Answer,
  namesFrom,
  NOW,
  outcomeOf,
  READ_OPTIONS,
  readFrom,
  type SeenRequest,
  ANSWERS,
  startFakeRegistrar,
  startReader,
  TEST_FIELDS,
  useFakeRegistrars,
} from "../../support/fake-registrar.ts";

useFakeRegistrars();

/** What Spaceship lists; a plain page of names. */
function listed(names: readonly unknown[], total = names.length, row = {}) {
  return Response.json({ items: names.map((name) => ({ name, ...row })), total });
}

/** Letters of the longest part of a text that another one has too. */
function longestPart(text: string, other: string): number {
  let length = 0;
  for (let from = 0; from + length < text.length; from += 1) {
    while (from + length < text.length && other.includes(text.slice(from, from + length + 1))) {
      length += 1;
    }
  }
  return length;
}

const html = (status: number) =>
  new Response("<html><title>Just a moment...</title></html>", { status });

describe("a list", () => {
  test("may begin a page with the marker of GoDaddy", async () => {
    const page = (names: string[]) => Response.json(names.map((domain) => ({ domain })));
    const first = namesFrom(0, 1000);
    const { outcome, names } = await readFrom("godaddy", ({ query }) =>
      query["marker"] === undefined ? page(first) : page(["n999.example", "last.example"]),
    );
    expect([outcome, names.length]).toEqual(["ok", 1001]);
  });

  test("of GoDaddy has a name that went away and came back", async () => {
    const rows = [
      { domain: "a.example", status: "TRANSFERRED_OUT" },
      { domain: "a.example", status: "ACTIVE", expires: "2027-01-01T00:00:00Z" },
      { domain: "b.example", status: "CANCELLED" },
      { domain: "b.example", status: "TRANSFERRED_OUT" },
    ];
    const { outcome, names, left } = await readFrom("godaddy", () => Response.json(rows));
    expect([outcome, names.length]).toEqual(["ok", 1]);
    expect(left).toEqual([{ name: "b.example", reason: "TRANSFERRED_OUT" }]);
  });

  test("of GoDaddy has names of each status", async () => {
    const { words } = JSON.parse(readFileSync(join(ANSWERS, "godaddy/statuses.json"), "utf8"));
    const all = Object.entries<string>(words).filter(([, meaning]) => !meaning.startsWith("left:"));
    const rows = all.map(([status], at) => ({
      domain: `n${at}.example`,
      status,
      expires: "2027-01-01T00:00:00Z",
    }));
    const gone = Object.keys(words).filter((word) => words[word].startsWith("left:"));
    const goneRows = gone.map((status, at) => ({ domain: `g${at}.example`, status }));
    const { names, left } = await readFrom("godaddy", () => Response.json([...rows, ...goneRows]));
    expect(names.map(({ statusRaw, status }) => [statusRaw, status])).toEqual(all);
    expect(left.map(({ reason }) => reason)).toEqual(gone);
  });
});

describe("an answer that is no list", () => {
  test("names the difference where the clock is off", async () => {
    const off = readFileSync(join(ANSWERS, "route53/clock-off.json"));
    const { detail } = await readFrom("route53", () => new Response(off, { status: 400 }));
    expect(detail).toContain("20 minutes off");
    const late = { errorCode: "QUERY_TIME_OUT", message: "No" };
    const ovh = await readFrom("ovh", ({ path }) =>
      path.endsWith("time")
        ? Response.json(NOW.getTime() / 1_000 + 900)
        : Response.json(late, { status: 400 }),
    );
    expect(ovh.detail).toContain("15 minutes off");
  });

  test("is a user's token where DNSimple wants the account", async () => {
    const pagination = { total_entries: 0, total_pages: 1, per_page: 100 };
    const answer = ({ path }: SeenRequest) =>
      Response.json(
        path.endsWith("whoami")
          ? { data: { user: { id: 1 }, account: null } }
          : { data: [], pagination },
      );
    expect(await outcomeOf("dnsimple", answer)).toBe("access");
    expect(await outcomeOf("dnsimple", answer, { fields: { accountId: "7" } })).toBe("ok");
  });

  test("names the address that the registrar saw, also where it is the one that was given", async () => {
    const seen = `<namesilo><request><ip>203.0.113.9</ip></request><reply><code>113</code></reply></namesilo>`;
    expect((await readFrom("namesilo", () => new Response(seen))).detail).toContain("203.0.113.9");
    const { clientIp = "" } = TEST_FIELDS["namecheap"] ?? {};
    const refused = `<ApiResponse Status="ERROR"><Errors><Error Number="1011150">Invalid request IP: ${clientIp}</Error></Errors></ApiResponse>`;
    expect((await readFrom("namecheap", () => new Response(refused))).detail).toContain(clientIp);
  });

  test("tells the registrar's words, cut and without our secrets", async () => {
    const { token = "" } = TEST_FIELDS["dnsimple"] ?? {};
    const message = `No ${token} here\n${"x".repeat(500)}${token}`;
    const { detail } = await readFrom("dnsimple", () =>
      Response.json({ message }, { status: 401 }),
    );
    expect(detail).toStartWith("DNSimple says: “No … here xxx");
    expect(detail).toEndWith("Create a new token under Account → Access tokens.");
    expect(detail).toHaveLength(200);
  });

  test.each<[string, (key: string) => string]>([
    ["as it is", (key) => key],
    ["in another case", (key) => key.toUpperCase()],
    ["in base64", btoa],
    ["in base64, as a part of more", (key) => btoa(`u:${key}:x`)],
    ["in base64, as another part of more", (key) => btoa(`me:${key}`)],
    ["in base64 of other case", (key) => btoa(`user:${key}`).toUpperCase()],
    ["in base64 for URLs", (key) => btoa(key).replaceAll("/", "_").replaceAll("+", "-")],
    ["in a URL of other case", (key) => encodeURIComponent(key).toLowerCase()],
  ])("repeats no part of a key that stands %s", async (_, spell) => {
    const token = "9f?>~~Kb7Qz/+mP2xW4s6T8v0Y1c3E5g7I9k1M3o5Q7u";
    const given = spell(token);
    // What stands before it in base64 may be repeated: up to 7 letters.
    for (const before of ["", "x".repeat(180)]) {
      const message = `${before} ${given}`;
      const refusal = () => Response.json({ message }, { status: 500 });
      const { detail } = await readFrom("dnsimple", refusal, { fields: { token } });
      expect(longestPart(given, detail)).toBeLessThan(9);
      const row = { fqdn: "a.example", dates: { registry_ends_at: given } };
      const list = () => Response.json([row]);
      const { names } = await readFrom("gandi", list, { fields: { token } });
      expect(longestPart(given, names[0]?.reason ?? given)).toBeLessThan(9);
    }
  });

  test("does not tell the account of a token that is longer than a line", async () => {
    const { token = "" } = TEST_FIELDS["dnsimple"] ?? {};
    const id = `${token}${"7".repeat(1_000)}`;
    const whoami = () => Response.json({ data: { account: { id } } });
    const { detail } = await readFrom("dnsimple", whoami, { fields: { accountId: "7" } });
    expect(detail).toHaveLength(200);
    expect(detail).not.toContain(token);
  });
});

describe("a hostile registrar", () => {
  const moved = (location: string) => new Response("", { status: 307, headers: { location } });
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const deep = `{"items":[],"total":0,"x":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
  const blanks = () =>
    new ReadableStream({ pull: (to) => Bun.sleep(5).then(() => to.enqueue(Buffer.from(" "))) });
  const HOSTILE: Readonly<Record<string, Answer>> = {
    "sends 16 MB and more": () => new Response("[".padEnd(17 * 1024 * 1024)),
    "sends a bomb of gzip": () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
    "nests deep": () => new Response(deep),
    "never ends": () => new Response(blanks()),
    "never answers": () => Bun.sleep(400).then(() => new Response("")),
    "leads to a call that is none of ours": () => moved("/api/v1/contacts"),
    "leads in a circle": () => moved("/api/v1/domains"),
  };

  test.each(Object.entries(HOSTILE))("that %s is broken", async (_, answer) => {
    expect(await outcomeOf("spaceship", answer, { limits: { callMs: 150 } })).toBe("broken");
  });

  test.each(["namecheap", "namesilo"])("with a DOCTYPE is broken at %s", async (registrar) => {
    const xml = readFileSync(join(ANSWERS, registrar, "empty.xml"), "utf8");
    const declared = xml.replace("?>", `?><!DOCTYPE x [<!ENTITY a "b">]>`);
    const full = xml.replace("?>", `?><a>${"<b/>".repeat(150_000)}</a>`);
    expect(await outcomeOf(registrar, () => new Response(xml))).toBe("ok");
    expect(await outcomeOf(registrar, () => new Response(declared))).toBe("broken");
    expect(await outcomeOf(registrar, () => new Response(full))).toBe("broken");
  });

  test("has to have a certificate that holds", async () => {
    for (const name of ["localhost", "elsewhere.example"]) {
      const given = { certificate: selfSigned(name) };
      const { outcome, seen } = await readFrom("spaceship", () => listed([]), given);
      expect([outcome, seen.length]).toEqual(["broken", 0]);
    }
  });

  test("gets no connection by a path that an account id would make", async () => {
    const path = await readFrom("cloudflare", () => listed([]), { fields: { accountId: ".." } });
    expect([path.outcome, path.seen.length]).toEqual(["broken", 0]);
    const header = await readFrom("gandi", () => listed([]), { fields: { token: "a\r\nx: y" } });
    expect([header.outcome, header.seen.length]).toEqual(["credentials", 0]);
  });

  test("gets no more calls and no more names than the limits allow", async () => {
    const endless = ({ query }: SeenRequest) => {
      const skip = Number(query["skip"]);
      return listed(namesFrom(skip, skip + 100), 1e8);
    };
    const calls = await readFrom("spaceship", endless, { limits: { calls: 3 } });
    expect([calls.outcome, calls.seen.length]).toEqual(["broken", 3]);
    const names = await readFrom("spaceship", endless, { limits: { names: 250 } });
    expect([names.outcome, names.seen.length]).toEqual(["broken", 3]);
    const slow = () => Bun.sleep(60).then(() => listed(namesFrom(0, 100), 1e8));
    expect(await outcomeOf("spaceship", slow, { limits: { readingMs: 40 } })).toBe("broken");
  });

  test("reads 50,000 names", async () => {
    const { outcome, names } = await readFrom("spaceship", ({ query }) => {
      const skip = Number(query["skip"]);
      return listed(namesFrom(skip, skip + 1_000), 50_000);
    });
    expect([outcome, names.length]).toEqual(["ok", 50_000]);
  });

  test("that this server cannot find is told by its name, with what to do", async () => {
    const apis = { spaceship: { origin: "https://api.nowhere.example", intervalMs: 0 } };
    const read = createReadAccount({ outbound: LOOPBACK, apis });
    const reading = await read("spaceship", TEST_FIELDS["spaceship"] ?? {}, READ_OPTIONS);
    expect(reading.detail).toBe(
      "Spaceship can’t be reached: this server can’t find api.nowhere.example. Check the server’s DNS.",
    );
    expect(refusalInWords(reading.outcome, reading.detail)).toBe(reading.detail);
  });

  test("is nobody that a port without TLS can be", async () => {
    using server = await startTcpServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n{}"));
    const apis = { spaceship: { origin: `https://localhost:${server.port}`, intervalMs: 0 } };
    const read = createReadAccount({ outbound: LOOPBACK, apis });
    const { outcome } = await read("spaceship", TEST_FIELDS["spaceship"] ?? {}, READ_OPTIONS);
    expect(outcome).toBe("broken");
  });
});

describe("pace", () => {
  test("keeps the requests of an account apart", async () => {
    const slept: number[] = [];
    await using fake = startFakeRegistrar(({ query }) =>
      listed(namesFrom(Number(query["skip"]), Number(query["skip"]) + 100), 300),
    );
    const read = createReadAccount({
      outbound: LOOPBACK,
      apis: { spaceship: { origin: fake.origin } },
      sleep: async (ms) => slept.push(ms),
    });
    const begun = performance.now();
    await read("spaceship", TEST_FIELDS["spaceship"] ?? {}, READ_OPTIONS);
    await read("spaceship", TEST_FIELDS["spaceship"] ?? {}, READ_OPTIONS);
    expect(slept).toHaveLength(5);
    // Who has slept long already waits for the rest.
    const passed = performance.now() - begun;
    expect((slept.at(-1) ?? 0) + passed).toBeGreaterThan(4_000);
  });

  /** Refuses the second page as often. */
  const limited = (headers: Record<string, string>, times = 1) => {
    let left = times;
    return ({ query }: SeenRequest) => {
      if (query["skip"] === "0") return listed(namesFrom(0, 100), 101);
      left -= 1;
      return left >= 0 ? Response.json({}, { status: 429, headers }) : listed(["z.example"], 101);
    };
  };

  test("waits shortly within a reading, and goes on with the same page", async () => {
    const slept: number[] = [];
    const answer = limited({ "retry-after": "7" });
    const sleep = async (ms: number) => slept.push(ms);
    const { outcome, names, seen } = await readFrom("spaceship", answer, { sleep });
    expect([outcome, names.length, seen.length]).toEqual(["ok", 101, 3]);
    expect(slept).toEqual([7_000]);
    const again = await readFrom("spaceship", limited({ "retry-after": "5" }, 2), { sleep });
    expect(again).toMatchObject({ outcome: "limited", retryAfterMs: 5_000, names: [] });
    expect(slept).toEqual([7_000, 5_000]);
  });

  test("ends as limited where the wait is long or unknown", async () => {
    const long = await readFrom("spaceship", limited({ "retry-after": "287" }));
    expect(long).toMatchObject({ outcome: "limited", retryAfterMs: 287_000, names: [] });
    const unknown = await readFrom("spaceship", limited({}));
    expect(unknown).toMatchObject({ outcome: "limited", retryAfterMs: null });
  });

  test("ends with the error of a lost lease, and without another request", async () => {
    let calls = 0;
    const keepLease = async () => {
      calls += 1;
      if (calls === 2) throw new Error("lost");
    };
    const answer = () => listed(namesFrom(0, 100), 300);
    const lost = readFrom("spaceship", answer, { options: { keepLease } });
    await expect(lost).rejects.toThrow("lost");
  });
});

describe("details", () => {
  /** NameSilo with so many names, and an answer about each. */
  const namesilo = (count: number, tell: (name: string) => Response) => {
    const names = namesFrom(0, count).map(
      (name) => `<domain expires="2027-12-01">${name}</domain>`,
    );
    const pager = `<pager><total>${count}</total><pageSize>100</pageSize></pager>`;
    return ({ query: { domain } }: SeenRequest) =>
      domain === undefined ? reply(`<domains>${names.join("")}</domains>${pager}`) : tell(domain);
  };
  const reply = (members: string, code = 300) =>
    new Response(`<namesilo><reply><code>${code}</code>${members}</reply></namesilo>`);

  /** OVHcloud with these names, and an answer to each other path. */
  const ovh =
    (names: readonly string[], tell: (path: string) => Response) =>
    ({ path }: SeenRequest) => {
      if (path === "/v1/auth/time") return Response.json(NOW.getTime() / 1_000);
      return path === "/v1/domain" ? Response.json(names) : tell(path);
    };

  test("are read within the budget: what expires soon, then what was not seen for longest", async () => {
    const seenOn = ["2026-11-01", null, "2026-11-02", "2026-11-03", null];
    const known = seenOn.map((day, at) => {
      const about = { expires: null, detailAt: day && `${day}T00:00:00Z` };
      return [`n${at}.example`, about] as const;
    });
    const { seen, names } = await readFrom(
      "namesilo",
      namesilo(5, () => reply("<auto_renew>Yes</auto_renew>")),
      { limits: { details: 3 }, options: { readKnown: async () => new Map(known) } },
    );
    const asked = seen.flatMap(({ query }) => query["domain"] ?? []);
    expect(asked).toEqual(["n1.example", "n4.example", "n0.example"]);
    expect(names.map(({ autoRenew }) => autoRenew)).toEqual([true, true, null, null, true]);
    expect(names.map(({ detailAt }) => detailAt !== null)).toEqual(
      names.map(({ autoRenew }) => autoRenew !== null),
    );
  });

  test.each([
    // More names than a week has calls for: in turn. Else what expires soon as often as the others leave room.
    { perDay: 2, everyDays: 8, soonEveryDays: 8 },
    { perDay: 4, everyDays: 7, soonEveryDays: 5 },
  ])("of 16 names, $perDay a day, are read in turn", async ({ perDay, everyDays, ...soon }) => {
    const names = namesFrom(22, 38);
    const known = new Map<string, { expires: string | null; detailAt: string | null }>();
    const read = new Map<string, number>();
    const gaps = { soon: 0, later: 0 };
    const tell = (path: string) => {
      // Half of them expire soon, or have expired.
      const expiration = path < "/v1/domain/n30" ? "2026-11-30" : "2028-01-01";
      return Response.json(path.endsWith("serviceInfos") ? { expiration } : { state: "ok" });
    };
    await using reader = startReader("ovh", ovh(names, tell), { limits: { details: 2 * perDay } });
    for (let day = 0; day < 17; day += 1) {
      const now = new Date(NOW.getTime() + day * 86_400_000);
      const options = { now: () => now, readKnown: async () => known };
      const { names: told } = await reader.read({ options });
      for (const { name, expires, detailAt } of told) {
        const kind = name < "n30" ? "soon" : "later";
        gaps[kind] = Math.max(gaps[kind], day - (read.get(name) ?? -1));
        if (detailAt === null) continue;
        read.set(name, day);
        known.set(name, { expires, detailAt });
      }
    }
    expect(gaps.later).toBeLessThanOrEqual(everyDays);
    expect(gaps.soon).toBeLessThanOrEqual(soon.soonEveryDays);
  });

  test("that fail leave what the list told, and do not stop the others", async () => {
    const tell = (name: string) =>
      Number(name[1]) % 2 === 1
        ? reply("<detail>Not yours</detail>", 200)
        : reply("<locked>Yes</locked>");
    const { outcome, names, seen } = await readFrom("namesilo", namesilo(8, tell));
    expect(outcome).toBe("ok");
    expect(seen.filter(({ query }) => query["domain"])).toHaveLength(8);
    expect(names[1]).toMatchObject({ expires: "2027-12-01", locked: null, reason: "Not yours" });
    expect(names[6]).toMatchObject({ locked: true, reason: null });
  });

  // Those of which an answer came were seen, though it told nothing.
  test.each([
    { status: 502, asked: 10, dated: 9 },
    { status: 429, asked: 1, dated: 0 },
  ])("are left for another day after $asked answers with $status", async (expected) => {
    const { status, asked, dated } = expected;
    const { outcome, names, seen } = await readFrom(
      "namesilo",
      namesilo(15, () => html(status)),
    );
    expect(outcome).toBe("ok");
    expect(seen.filter(({ query }) => query["domain"])).toHaveLength(asked);
    expect(names.filter(({ detailAt }) => detailAt !== null)).toHaveLength(dated);
  });
});

test("prices are asked for once a day, and hide no name where they fail", async () => {
  let now = NOW;
  let status = 500;
  const domains = [{ domain: "a.co.example" }, { domain: "b.promo" }];
  const pricing = {
    example: { renewal: "9.00" },
    "CO.example": { renewal: "21.8" },
    promo: { renewal: "1.00", coupons: { renewal: { amount: 1 } } },
  };
  await using porkbun = startReader("porkbun", ({ path }) =>
    path.endsWith("listAll")
      ? Response.json({ status: "SUCCESS", domains })
      : Response.json({ status: "SUCCESS", pricing }, { status }),
  );
  const prices = async () => {
    const { names } = await porkbun.read({ options: { now: () => now } });
    return names.map(({ price }) => price);
  };
  const asked = () => porkbun.seen.filter(({ path }) => path.endsWith("pricing/get")).length;
  expect(await prices()).toEqual([null, null]);
  status = 200;
  const known = [{ minor: 2180, currency: "USD", years: 1 }, null];
  expect(await prices()).toEqual(known);
  expect(await prices()).toEqual(known);
  expect(asked()).toBe(2);
  now = new Date(NOW.getTime() + 25 * 3_600_000);
  expect(await prices()).toEqual(known);
  expect(asked()).toBe(3);
});

describe("what is kept between readings", () => {
  const countLive = (kind: string) => {
    Bun.gc(true);
    return heapStats().objectTypeCounts[kind] ?? 0;
  };

  test("goes for credentials that are no longer used: their prices after a day", async () => {
    let now = NOW;
    const suffixes = Array.from({ length: 1_000 }, (_, at) => [`s${at}`, { renewal: "9.00" }]);
    const pricing = Object.fromEntries(suffixes);
    await using porkbun = startReader("porkbun", ({ path }) =>
      path.endsWith("listAll")
        ? Response.json({ status: "SUCCESS", domains: [{ domain: "a.example" }] })
        : Response.json({ status: "SUCCESS", pricing }),
    );
    const readWith = async (apikey: string) => {
      const given = { fields: { apikey }, options: { now: () => now } };
      expect((await porkbun.read(given)).outcome).toBe("ok");
    };
    await readWith("first");
    const before = countLive("Object");
    for (let number = 0; number < 8; number += 1) await readWith(`key ${number}`);
    expect(countLive("Object") - before).toBeGreaterThan(6_000);
    now = new Date(NOW.getTime() + 25 * 3_600_000);
    await readWith("last");
    expect(countLive("Object") - before).toBeLessThan(3_000);
  });

  test("goes for accounts whose turn has passed", async () => {
    const { awaitTurn } = createPace();
    const { signal } = new AbortController();
    const before = countLive("string");
    for (let number = 0; number < 4_000; number += 1)
      await awaitTurn(`account ${number}`, 0, signal);
    expect(countLive("string") - before).toBeLessThan(2_000);
  });
});

describe("signatures", () => {
  const vectors = JSON.parse(readFileSync(join(ANSWERS, "signing-vectors.json"), "utf8"));

  test("are those of AWS and of OVH", () => {
    const [{ accessKey, secret, headers, body, authorization }] = vectors;
    const fields = { accessKeyId: accessKey, secretAccessKey: secret };
    expect(signAws(fields, headers, body)["authorization"]).toBe(authorization);
    const { applicationSecret, consumerKey, url, timestamp, signature } = vectors[1];
    const parts = [applicationSecret, consumerKey, "GET", url, "", timestamp];
    expect(signOvh(parts)).toBe(signature);
  });
});
