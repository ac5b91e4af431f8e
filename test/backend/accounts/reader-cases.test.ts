import { describe, expect, test } from "bun:test";
import { listedName } from "../../support/accounts.ts";
import {
  type Answer,
  namesFrom,
  NOW,
  outcomeOf,
  readFrom,
  type SeenRequest,
  useFakeRegistrars,
} from "../../support/fake-registrar.ts";

type Members = Readonly<Record<string, unknown>>;

useFakeRegistrars();

const json = (value: unknown, status = 200, headers = {}) =>
  Response.json(value, { status, headers });
const attributes = (members: Members) =>
  Object.entries(members)
    .map(([name, value]) => `${name}="${String(value)}"`)
    .join(" ");
const namecheap = (rows: readonly Members[], total: number, size = 100) =>
  `<ApiResponse Status="OK"><Errors/><CommandResponse><DomainGetListResult>${rows.map((row) => `<Domain ${attributes(row)}/>`).join("")}</DomainGetListResult><Paging><TotalItems>${total}</TotalItems><PageSize>${size}</PageSize></Paging></CommandResponse></ApiResponse>`;
const namesilo = (members: string, code = 300) =>
  `<namesilo><request><ip>203.0.113.9</ip></request><reply><code>${code}</code><detail>Said</detail>${members}</reply></namesilo>`;

interface Kind {
  /** Rows of a full page. */
  size: number;
  /** The member that has the name. */
  name: string;
  /** Whether its pages tell a total. */
  counts: boolean;
  /** The page that a request asks for, out of the whole list. */
  page: (request: SeenRequest, rows: readonly Members[], total: number) => Response;
}

type Pages = [name: string, size: number, page: Kind["page"]];
const uncounted = (...[name, size, page]: Pages): Kind => ({ name, size, page, counts: false });
const counted = (...pages: Pages): Kind => ({ ...uncounted(...pages), counts: true });

/** How each registrar cuts its list into pages. */
const KINDS: Readonly<Record<string, Kind>> = {
  porkbun: uncounted("domain", 1000, ({ body }, rows) => {
    const start = Number(JSON.parse(body).start);
    return json({ status: "SUCCESS", domains: rows.slice(start, start + 1000) });
  }),
  cloudflare: counted("domain_name", 3, ({ query }, rows, total) => {
    const start = Number(query["cursor"] ?? 0);
    const result = rows.slice(start, start + 3);
    const cursor = start + 3 < rows.length ? String(start + 3) : "";
    const info = { count: result.length, per_page: 3, total_count: total, cursor };
    return json({ success: true, errors: [], result, result_info: info });
  }),
  namecheap: counted("Name", 100, ({ body }, rows, total) => {
    const start = (Number(new URLSearchParams(body).get("Page")) - 1) * 100;
    return new Response(namecheap(rows.slice(start, start + 100), total));
  }),
  godaddy: uncounted("domain", 1000, ({ query }, rows) => {
    const start = rows.findIndex(({ domain }) => domain === query["marker"]) + 1;
    return json(rows.slice(start, start + 1000));
  }),
  gandi: counted("fqdn", 100, ({ query }, rows, total) => {
    const start = (Number(query["page"]) - 1) * 100;
    return json(rows.slice(start, start + 100), 200, { "total-count": String(total) });
  }),
  spaceship: counted("name", 100, ({ query }, rows, total) => {
    const start = Number(query["skip"]);
    return json({ items: rows.slice(start, start + 100), total });
  }),
  route53: uncounted("DomainName", 100, ({ headers, body }, rows) => {
    if (headers["x-amz-target"]?.endsWith("ListPrices")) return json({}, 500);
    const start = Number(JSON.parse(body).Marker ?? 0);
    const NextPageMarker = start + 100 < rows.length ? String(start + 100) : undefined;
    return json({ Domains: rows.slice(start, start + 100), NextPageMarker });
  }),
  dnsimple: counted("name", 100, ({ path, query }, rows, total) => {
    if (path.endsWith("whoami")) return json({ data: { account: { id: 1385 } } });
    const page = Number(query["page"]);
    const pages = Math.max(Math.ceil(rows.length / 100), 1);
    const data = rows.slice((page - 1) * 100, page * 100);
    const pagination = { current_page: page, per_page: 100, total_pages: pages };
    return json({ data, pagination: { ...pagination, total_entries: total } });
  }),
  ovh: uncounted("name", 100, ({ path }, rows) =>
    json(path.endsWith("time") ? 1_795_370_000 : rows.map(({ name }) => name)),
  ),
  namecom: counted("domainName", 1000, ({ query }, rows, total) => {
    const page = Number(query["page"]);
    const lastPage = Math.ceil(rows.length / 1000);
    const more = page < lastPage && { nextPage: page + 1 };
    const domains = rows.slice((page - 1) * 1000, page * 1000);
    return json({ domains, lastPage, totalCount: total, ...more });
  }),
  namesilo: counted("domain", 100, ({ path, query }, rows, total) => {
    if (!path.endsWith("listDomains")) return new Response(namesilo("", 200));
    const page = Number(query["page"]);
    const domains = rows
      .slice((page - 1) * 100, page * 100)
      .map(({ domain, ...members }) => `<domain ${attributes(members)}>${domain}</domain>`);
    const pager = `<pager><total>${total}</total><pageSize>100</pageSize><page>${page}</page></pager>`;
    return new Response(namesilo(`<domains>${domains.join("")}</domains>${pager}`));
  }),
  realtimeregister: counted("domainName", 100, ({ query }, rows, total) => {
    const offset = Number(query["offset"]);
    const pagination = { total, offset, limit: 100 };
    return json({ entities: rows.slice(offset, offset + 100), pagination });
  }),
};

function kindOf(registrar: string): Kind {
  const kind = KINDS[registrar];
  if (kind === undefined) throw new TypeError(registrar);
  return kind;
}

/** A list of numbered names, with others behind them. */
function rowsOf({ name }: Kind, count: number, ...more: unknown[]): Members[] {
  return [...namesFrom(0, count), ...more].map((each) => ({ [name]: each }));
}

/** Answers with the pages of a list. */
function pagesOf({ page }: Kind, rows: readonly Members[], totals?: readonly number[]) {
  let asked = 0;
  return (request: SeenRequest) => {
    const isPrice = /pricing|getPrices/.test(request.path);
    const isDetail = /serviceInfos|getDomainInfo|v1\/domain\/./.test(request.path);
    if (isPrice || isDetail) return new Response("", { status: 500 });
    const total = totals?.[Math.min(asked, totals.length - 1)] ?? rows.length;
    if (!request.path.endsWith("whoami")) asked += 1;
    return page(request, rows, total);
  };
}

/** The answers with their text changed, sent in chunks as HTML. */
const changed =
  (answers: Answer, change: (text: string) => string) => async (request: SeenRequest) =>
    new Response(new Blob([change(await (await answers(request)).text())]).stream(), {
      headers: { "content-type": "text/html" },
    });

const COUNTED = Object.entries(KINDS).filter(([, { counts }]) => counts);

test.each(COUNTED)("the list of %s agrees with its total", async (registrar, kind) => {
  const { size } = kind;
  const rows = rowsOf(kind, size + 1);
  for (const totals of [[size + 1, size + 2], [size + 2], [size - 1, size], [1]]) {
    const outcome = await outcomeOf(registrar, pagesOf(kind, rows, totals));
    expect([totals, outcome]).toEqual([totals, "unstable"]);
  }
});

describe.each(Object.entries(KINDS))("the list of %s", (registrar, kind) => {
  const { size } = kind;

  test("ends where the registrar says so", async () => {
    for (const count of [0, 1, size - 1, size, size + 1]) {
      const { outcome, names } = await readFrom(registrar, pagesOf(kind, rowsOf(kind, count)));
      expect([outcome, names.length]).toEqual(["ok", count]);
    }
  });

  test("has no name twice, also across pages and in another form", async () => {
    const rows = rowsOf(kind, 0, "bücher.example");
    rows.push(...rowsOf(kind, size - 1, "XN--BCHER-KVA.example"));
    const { outcome, names } = await readFrom(registrar, pagesOf(kind, rows));
    expect([outcome, names.length]).toEqual(["unstable", 0]);
  });

  test("reads Unicode and A-labels", async () => {
    const rows = rowsOf(kind, 0, "Bücher.example", "xn--bcher-kontor-dlb.EXAMPLE");
    const { names } = await readFrom(registrar, pagesOf(kind, rows));
    expect(names.map(({ name }) => name)).toEqual([
      "xn--bcher-kva.example",
      "xn--bcher-kontor-dlb.example",
    ]);
  });

  test("is broken with a row that has no valid name", async () => {
    for (const name of ["", "nodots", "a b.example", "https://a.example/", null, 7]) {
      expect(await outcomeOf(registrar, pagesOf(kind, rowsOf(kind, 2, name)))).toBe("broken");
    }
  });

  test("is read by what the body says, whole or not at all", async () => {
    const whole = pagesOf(kind, rowsOf(kind, 3));
    const isTime = (text: string) => /^\d+$/.test(text);
    const same = changed(whole, (text) => text);
    expect((await readFrom(registrar, same)).names).toHaveLength(3);
    const cut = changed(whole, (text) => (isTime(text) ? text : text.slice(0, -2)));
    expect(await outcomeOf(registrar, cut)).toBe("broken");
    const page = "<HTML><head><title>403 Forbidden</title></head></HTML>";
    for (const status of [200, 401, 403, 404, 410, 502]) {
      const outcome = await outcomeOf(registrar, () => new Response(page, { status }));
      expect([status, outcome]).toEqual([status, "broken"]);
    }
    for (const gone of [() => json({}, 404), () => json({}, 410), () => new Response("")]) {
      expect(await outcomeOf(registrar, gone)).toBe("broken");
    }
  });

  test("is found behind a redirect only at the same origin", async () => {
    const pages = pagesOf(kind, rowsOf(kind, 1));
    const behind = (originAt: (host?: string) => string) => (request: SeenRequest) => {
      const query = new URLSearchParams(request.query);
      if (query.get("moved") === "1") return pages(request);
      query.set("moved", "1");
      const location = `${originAt(request.headers["host"])}${request.path}?${query}`;
      return new Response(null, { status: 308, headers: { location } });
    };
    const here = behind(() => "");
    const elsewhere = behind((host) => `https://${host?.replace("localhost", "127.0.0.1")}`);
    expect((await readFrom(registrar, here)).names).toHaveLength(1);
    const { outcome, seen } = await readFrom(registrar, elsewhere);
    expect([outcome, seen.length]).toEqual(["broken", 1]);
  });
});

/** What a registrar tells of a row: its place, or what it says of a name. */
const tells = (members: Members, expected: Members) => ({ members, expected });
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at}.example`);

const ROWS: Readonly<Record<string, ReturnType<typeof tells>[]>> = {
  porkbun: [
    tells({ notLocal: 1 }, { skipped: true }),
    tells({ notLocal: "0", autoRenew: 0, securityLock: "1" }, { autoRenew: false, locked: true }),
    tells({ status: null, expireDate: null }, { status: null, expires: null, reason: null }),
    tells({ whoisPrivacy: null }, { privacy: null }),
    tells({ status: "QUARANTINE" }, { status: "unknown", statusRaw: "QUARANTINE" }),
    tells({ expireDate: 7e300 }, { expires: null }),
    tells(
      { expireDate: "0000-00-00 00:00:00" },
      { expires: null, reason: "The expiry “0000-00-00 00:00:00” could not be read." },
    ),
  ],
  cloudflare: [
    tells({ status: "expired", privacy_mode: "constructor" }, { status: "expired", privacy: null }),
    tells({ locked: "locked", auto_renew: [] }, { locked: null, autoRenew: null }),
    tells({ privacy_mode: 1, expires_at: {} }, { privacy: null, expires: null }),
  ],
  namecheap: [
    tells({ Expires: "1/2/2027", IsExpired: "maybe" }, { expires: "2027-01-02", status: null }),
    tells({ Expires: "13/01/2027", IsLocked: "true" }, { expires: null, locked: true }),
    tells({ WhoisGuard: "enabled" }, { privacy: true }),
    tells({ WhoisGuard: "NOTALLOTED" }, { privacy: false }),
    tells({ Expires: "2027-01-02" }, { reason: "The expiry “2027-01-02” could not be read." }),
  ],
  godaddy: [
    tells({ status: "ACTIVE", expires: null }, { skipped: true }),
    tells({ status: "ACTIVE", expires: "soon" }, { status: "active", expires: null }),
    tells({ status: "PENDING_TRANSFER_IN" }, { status: "transferring-in", nameservers: null }),
    tells({ nameServers: ["NS1.Host.Example.", 7] }, { nameservers: ["ns1.host.example"] }),
    tells({ renewAuto: "yes", nameServers: null }, { autoRenew: true, status: null }),
  ],
  gandi: [
    tells({ autorenew: { enabled: false } }, { autoRenew: false, locked: null, status: null }),
    tells({ autorenew: { enabled: null } }, { autoRenew: null }),
    tells(
      { status: ["clientHold"], dates: { hold_begins_at: "2027-01-01T00:00:00Z" } },
      { status: "suspended" },
    ),
    tells(
      { status: ["clientHold"], dates: { hold_begins_at: "2026-11-01T00:00:00Z" } },
      { status: "expired" },
    ),
    tells({ status: ["pendingDelete"], dates: [] }, { status: "pending-delete", expires: null }),
    tells({ nameserver: 7 }, { nameservers: null }),
  ],
  spaceship: [
    tells({}, { ...listedName({ name: "n0.example" }) }),
    tells({ lifecycleStatus: "registered", suspensions: [{}] }, { status: "suspended" }),
    tells({ lifecycleStatus: "GRACE2", eppStatuses: "none" }, { status: "expired", locked: null }),
    tells({ eppStatuses: [], privacyProtection: null }, { locked: false, privacy: null }),
    tells({ privacyProtection: { level: "high" } }, { privacy: true }),
    tells({ nameservers: { hosts: hosts(20) } }, { nameservers: hosts(20) }),
    // More than a person may enter.
    tells({ nameservers: { hosts: hosts(21) } }, { nameservers: null }),
    ...["Yes", "1", "TRUE"].map((autoRenew) => tells({ autoRenew }, { autoRenew: true })),
    ...["no", 0, false].map((autoRenew) => tells({ autoRenew }, { autoRenew: false })),
    ...["on", "", [1], {}, 2].map((autoRenew) => tells({ autoRenew }, { autoRenew: null })),
    tells({ expirationDate: "2027-10-31T23:30:00-02:00" }, { expires: "2027-11-01" }),
    tells({ expirationDate: "2027-10-31T00:30:00+0100" }, { expires: "2027-10-30" }),
    tells({ expirationDate: "2027-10-31 23:59:59" }, { expires: "2027-10-31" }),
    tells({ expirationDate: "2027-10-31" }, { expires: "2027-10-31" }),
    tells({ expirationDate: 1_808_991_411.25 }, { expires: "2027-04-29" }),
    tells({ expirationDate: 1_808_991_411_000 }, { expires: "2027-04-29" }),
    ...["2027-02-30T00:00:00Z", "31/12/2027", true, 1e300].map((expirationDate) =>
      tells({ expirationDate }, { expires: null }),
    ),
  ],
  route53: [
    tells({ Expiry: 1.7987616e9, AutoRenew: false }, { expires: "2027-01-01", autoRenew: false }),
    tells({ Expiry: null, TransferLock: "no" }, { expires: null, locked: false, reason: null }),
  ],
  dnsimple: [
    tells({ state: "hosted" }, { skipped: true }),
    tells(
      { state: "expired", expires_on: "2026-11-01" },
      { status: "expired", expires: "2026-11-01" },
    ),
    tells(
      { expires_at: "soon", expires_on: "2027-01-01" },
      { expires: "2027-01-01", reason: null },
    ),
    tells({ expires_at: "soon" }, { reason: "The expiry “soon” could not be read." }),
  ],
  namecom: [
    tells({}, { autoRenew: false, locked: false, privacy: null, status: null }),
    tells({ autorenewEnabled: "perhaps", locked: null }, { autoRenew: null, locked: false }),
  ],
  namesilo: [
    tells({ expires: "2027-01-01" }, { expires: "2027-01-01", autoRenew: null, status: null }),
    tells({ expires: "never" }, { expires: null }),
  ],
  realtimeregister: [
    tells(
      { status: ["PENDING_CREATE"], privacyProtect: false },
      { status: "pending", privacy: false },
    ),
    tells({ status: null, ns: [] }, { status: null, nameservers: null }),
    tells({ expiryDate: "2027-12-31T23:30:00-05:00" }, { expires: "2028-01-01" }),
    tells(
      { status: ["clientHold", "IRTPC_TRANSFER_PROHIBITED"] },
      { status: "suspended", locked: true },
    ),
    tells({ status: ["autoRenewPeriod"] }, { status: "active", locked: false }),
    tells({ status: ["PENDING_DELETE", "REDEMPTION_PERIOD"] }, { status: "redemption" }),
    tells({ status: ["OK", "QUANTUM_LEAP"] }, { status: "unknown" }),
    tells({ status: [] }, { status: "active" }),
    tells({ status: "OK" }, { status: null }),
  ],
};

test.each(Object.entries(ROWS))("rows of %s tell what they have", async (registrar, cases) => {
  const kind = kindOf(registrar);
  const rows = cases.map(({ members }, at) => ({ [kind.name]: `n${at}.example`, ...members }));
  const { outcome, names, skipped, left } = await readFrom(registrar, pagesOf(kind, rows));
  expect(outcome).toBe("ok");
  for (const [at, { members, expected }] of cases.entries()) {
    const isIt = ({ name }: { name: string }) => name === `n${at}.example`;
    const told = names.find(isIt) ?? { skipped: skipped.some(isIt), left: left.some(isIt) };
    expect({ members, told }).toMatchObject({ members, told: expected });
  }
});

describe("the end of a list", () => {
  const one = { name: "a.example" };

  /** How a list ends whose answers, the first, the second and so on, have this body. */
  const end = (registrar: string, outcome: string, body: (asked: number) => object | number) =>
    test(`of ${registrar} is ${outcome}`, async () => {
      let asked = 0;
      const reading = await readFrom(registrar, () => json(body((asked += 1))));
      expect(reading).toMatchObject({ outcome });
      expect(reading.detail === "").toBe(outcome === "ok");
    });
  const cloudflare = (outcome: string, result_info: unknown, result: unknown = []) =>
    end("cloudflare", outcome, () => ({ success: true, result, result_info }));

  cloudflare("broken", { cursor: 7 });
  cloudflare("unstable", { count: 2 });
  cloudflare("ok", { cursor: null });
  cloudflare("ok", undefined);
  cloudflare("broken", undefined, null);
  cloudflare("broken", []);
  end("cloudflare", "unstable", (asked) => ({
    success: true,
    result: [{ domain_name: `${asked}.example` }],
    result_info: { cursor: "x" },
  }));
  end("dnsimple", "broken", () => ({ data: { user: null, account: { id: {} } } }));
  end("dnsimple", "unstable", (asked) => ({
    data: asked === 1 ? { account: { id: 1 } } : [{ name: `${asked}.example` }],
    pagination: { total_entries: 2, total_pages: 2, per_page: asked },
  }));
  end("route53", "broken", () => ({ Domains: [], NextPageMarker: 7 }));
  end("route53", "ok", () => ({ Domains: [], NextPageMarker: null }));
  end("route53", "unstable", (asked) => ({
    Domains: [{ DomainName: `${asked}.example` }],
    NextPageMarker: "x",
  }));
  end("namecom", "ok", () => ({ domains: null }));
  end("namecom", "unstable", (asked) =>
    asked === 1 ? { domains: [{ domainName: "a.example" }], nextPage: 2 } : {},
  );
  end("namecom", "unstable", () => ({ domains: [{ domainName: "a.example" }], lastPage: 2 }));
  end("namecom", "broken", () => ({ domains: "none" }));
  end("spaceship", "broken", () => ({ items: [] }));
  end("spaceship", "unstable", (asked) => ({ items: asked === 1 ? [one] : [], total: 3 }));
  end("realtimeregister", "broken", () => ({ entities: [one] }));
  end("realtimeregister", "ok", () => ({ entities: [], pagination: { total: 0 } }));
  end("porkbun", "broken", () => ({ status: "SUCCESS" }));
  end("porkbun", "unstable", () => ({
    status: "SUCCESS",
    domains: rowsOf(kindOf("porkbun"), 1000),
  }));
  end("porkbun", "unstable", () => ({ status: "SUCCESS", count: 2, domains: [{ domain: "a.b" }] }));
  end("godaddy", "broken", () => ({ domains: [] }));
  end("gandi", "broken", () => ({ items: [] }));
  end("ovh", "broken", (asked) => (asked === 1 ? 1 : { names: [] }));

  test("of Gandi is a Link without a next page, or a page that is not full", async () => {
    const rows = rowsOf(kindOf("gandi"), 150);
    const pages = (link: (page: number) => string) => (request: SeenRequest) => {
      const page = Number(request.query["page"]);
      const answered = kindOf("gandi").page(request, rows, 150);
      answered.headers.set("link", link(page));
      return answered;
    };
    const next = (page: number) => `<https://api.gandi.net/v5/domain/domains?page=${page}>`;
    for (const [outcome, calls, link] of [
      [
        "ok",
        2,
        (page: number) => (page === 1 ? `${next(1)}; rel="last", ${next(2)}; rel=next` : ""),
      ],
      ["unstable", 1, (page: number) => `${next(page)}; rel="next"`],
      ["unstable", 1, () => `${next(1)}; rel="last"`],
      ["broken", 1, () => `<https://api.gandi.example/?page=2>; rel="next"`],
    ] as const) {
      const reading = await readFrom("gandi", pages(link));
      expect([reading.outcome, reading.seen.length]).toEqual([outcome, calls]);
    }
  });
});

describe("an answer that is no list", () => {
  const porkbun = (code: string, message = "No") => ({ status: "ERROR", code, message });
  const cloudflare = (code: number, message = "No") => ({
    success: false,
    errors: [{ code, message }],
    result: null,
  });
  const IN_90_S = { "retry-after": "Sun, 22 Nov 2026 17:01:30 GMT" };
  const RESET_IN_40_S = { "x-ratelimit-reset": String(NOW.getTime() / 1_000 + 40) };
  const aws = (type: string) => ({ __type: type, Message: "No" });
  const xml = (number: number) =>
    `<ApiResponse Status="ERROR"><Errors><Error Number="${number}">No</Error></Errors></ApiResponse>`;

  test.each<[string, string, number, unknown, Members?, (number | null)?]>([
    ["porkbun", "credentials", 400, porkbun("INVALID_API_KEYS_001")],
    ["porkbun", "credentials", 400, porkbun("MISSING_SECRETAPIKEY")],
    ["porkbun", "address", 200, porkbun("IP_NOT_ALLOWED")],
    ["porkbun", "access", 403, porkbun("DOMAIN_NOT_ALLOWED")],
    ["porkbun", "limited", 200, { ...porkbun("RATE_LIMIT_EXCEEDED"), ttlRemaining: "12" }, {}, 12],
    ["porkbun", "limited", 429, porkbun("RATE_LIMIT_EXCEEDED"), { "retry-after": "5" }, 5],
    ["porkbun", "limited", 503, "<html></html>", IN_90_S, 90],
    ["porkbun", "broken", 400, porkbun("SOMETHING_ELSE")],
    ["cloudflare", "credentials", 200, cloudflare(10000)],
    ["cloudflare", "address", 200, cloudflare(9109, "Token used from location: 203.0.113.9")],
    ["cloudflare", "access", 403, cloudflare(1, "Not entitled")],
    ["cloudflare", "limited", 200, cloudflare(10429), { "retry-after": "300" }, 300],
    ["namecheap", "address", 403, xml(1017105)],
    ["namecheap", "address", 200, xml(1011105)],
    ["namecheap", "credentials", 200, xml(1010102)],
    ["namecheap", "access", 200, xml(1016103)],
    ["namecheap", "limited", 200, xml(1017411), {}, null],
    ["namecheap", "limited", 405, "<html></html>"],
    ["namecheap", "broken", 200, xml(2030280)],
    ["cloudflare", "broken", 200, { success: false, errors: [] }],
    ["godaddy", "credentials", 200, { code: "UNABLE_TO_AUTHENTICATE", message: "No" }],
    ["godaddy", "limited", 429, { code: "QUOTA_EXCEEDED", message: "No" }, {}, null],
    ["godaddy", "limited", 429, { retryAfterSec: 23 }, { "retry-after": "soon" }, 23],
    ["godaddy", "limited", 429, { retryAfterSec: 23 }, { "retry-after": "7" }, 7],
    ["godaddy", "limited", 429, { retryAfterSec: 10_000_000 }, {}, 86_400],
    ["gandi", "credentials", 200, { code: 401, message: "No", object: "HTTPUnauthorized" }],
    ["gandi", "access", 403, { code: 403, message: "Access was denied to this resource." }],
    ["gandi", "broken", 404, { code: 404, message: "The resource could not be found." }],
    ["spaceship", "broken", 410, { detail: "Gone" }],
    ["route53", "credentials", 400, aws("InvalidClientTokenId")],
    ["route53", "credentials", 403, aws("com.amazonaws#InvalidSignatureException")],
    ["route53", "access", 400, aws("com.amazon.coral.service#AccessDeniedException")],
    ["dnsimple", "access", 403, { message: "Permission Denied. Required Scope: domains:*:read" }],
    ["dnsimple", "limited", 429, { message: "quota exceeded" }, RESET_IN_40_S, 40],
    ["dnsimple", "limited", 429, { message: "quota exceeded" }, { "x-ratelimit-reset": "1" }, null],
    ["ovh", "credentials", 400, { errorCode: "NOT_CREDENTIAL", message: "No" }],
    ["ovh", "credentials", 403, { errorCode: "INVALID_CREDENTIAL", message: "No" }],
    ["ovh", "access", 403, { errorCode: "NOT_GRANTED_CALL", message: "No" }],
    ["ovh", "clock", 400, { errorCode: "QUERY_TIME_OUT", message: "No" }],
    ["namecom", "credentials", 200, { message: "Unauthenticated" }],
    ["namecom", "access", 200, { message: "Permission Denied" }],
    ["namecom", "broken", 404, { message: "Not Found" }],
    ["namesilo", "credentials", 200, namesilo("", 111)],
    ["namesilo", "access", 403, namesilo("", 112)],
    ["namesilo", "address", 200, namesilo("", 113)],
    ["namesilo", "limited", 200, namesilo("", 400), { "retry-after": "9" }, 9],
    ["namesilo", "broken", 200, namesilo("", 200)],
    ["namesilo", "broken", 200, namesilo("<domains/>", 302)],
    ["realtimeregister", "access", 403, { type: "NotAuthorized" }],
    ["realtimeregister", "broken", 500, { message: "No" }],
  ])("of %s is %s with %p %j", async (registrar, outcome, status, body, headers = {}, seconds) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const reading = await readFrom(
      registrar,
      () => new Response(text, { status, headers: { "content-type": "text/html", ...headers } }),
    );
    expect(reading).toMatchObject({ outcome, names: [] });
    if (seconds !== undefined) expect(reading.retryAfterMs).toBe(seconds && seconds * 1_000);
    expect(reading.detail).not.toBe("");
  });
});

describe("details", () => {
  const OVH = {
    ok: { state: "ok", transferLockStatus: "locked" },
    service: { expiration: "2027-01-01" },
  };

  /** What OVH tells of `n0.example` … by the answers about each. */
  const ovh = (count: number, detail: (name: string, isService: boolean) => Response) =>
    readFrom("ovh", ({ path }) => {
      const [, name, service] = /^\/v1\/domain\/([^/]+)(\/serviceInfos)?$/.exec(path) ?? [];
      if (name !== undefined) return detail(name, service !== undefined);
      return json(path.endsWith("time") ? 1_795_370_000 : namesFrom(0, count));
    });

  test.each([
    ["a right that is missing", () => json({ errorCode: "NOT_GRANTED_CALL", message: "No" }, 403)],
    ["a failure", () => new Response("<html></html>", { status: 502 })],
    ["an answer of another form", () => json([])],
  ])("that fail for a few names by %s do not stop the others", async (_, fail) => {
    const { outcome, names } = await ovh(6, (name, isService) =>
      name < "n4" ? fail() : json(isService ? OVH.service : OVH.ok),
    );
    expect(outcome).toBe("ok");
    expect(names.map(({ locked }) => locked)).toEqual([null, null, null, null, true, true]);
  });

  test("of an expired name are those that OVH still gives, of an unknown one none", async () => {
    const refused = (status: number) => json({ message: "This service does not exist" }, status);
    const { names, left, seen } = await ovh(15, (name, isService) => {
      if (name === "n0.example") return isService ? json(OVH.service) : refused(460);
      if (name === "n1.example") return isService ? refused(460) : json(OVH.ok);
      return refused(name === "n2.example" ? 460 : 404);
    });
    const [expired, unknown] = [names.slice(0, 3), names.slice(3)];
    expect(expired.map(({ status, expires, locked }) => [status, expires, locked])).toEqual([
      ["expired", "2027-01-01", null],
      ["expired", null, true],
      ["expired", null, null],
    ]);
    expect(expired[2]).toMatchObject({ statusRaw: "460", reason: null });
    const reason =
      "OVHcloud gives no details of it: it may have been transferred, or have expired.";
    for (const each of unknown) expect(each).toMatchObject({ status: null, expires: null, reason });
    expect([unknown.length, left]).toEqual([12, []]);
    // Names that it does not know are no sign that it stops answering.
    expect(seen.at(-1)?.path).toContain("n14.example");
  });

  test("of OVH that say a name is deleted, make it one that left", async () => {
    const { names, left } = await ovh(1, (_, isService) =>
      json(isService ? OVH.service : { state: "deleted" }),
    );
    expect([names, left]).toEqual([[], [{ name: "n0.example", reason: "deleted" }]]);
  });

  test.each<[Members | null, boolean | null]>([
    [{ automatic: true, deleteAtExpiration: false, forced: false }, true],
    [{ automatic: false, forced: true }, true],
    [{ automatic: true, forced: true, deleteAtExpiration: true }, false],
    [{ automatic: false, forced: false }, false],
    [{ deleteAtExpiration: true }, false],
    [{ forced: false }, null],
    [null, null],
  ])("of OVH with renew %j: auto-renew is %p", async (renew, autoRenew) => {
    const { names } = await ovh(1, (_, isService) => json(isService ? { renew } : OVH.ok));
    expect(names[0]?.autoRenew).toBe(autoRenew);
  });

  test.each([
    ["autorenew_in_progress", "active"],
    ["restorable", "redemption"],
    ["pending_incoming_transfer", "transferring-in"],
    ["pending_installation", "pending"],
    ["registry_suspended", "suspended"],
    ["dispute", "suspended"],
    ["constructor", "unknown"],
    [null, null],
  ])("of OVH with state %p: the status is %p", async (state, status) => {
    const { names } = await ovh(1, (_, isService) => json(isService ? {} : { state }));
    expect(names[0]?.status as string | null).toBe(status);
  });
});

describe("prices", () => {
  const usd = (minor: number) => ({ minor, currency: "USD", years: 1 });
  const yen = { minor: 1500, currency: "JPY", years: 1 };
  const NAMES = ["a.example", "b.co.example", "c.deep.co.example", "d.other"];

  /** What the four names cost by the prices of a registrar. */
  const priced = (registrar: string, prices: object | string, expected: unknown[]) =>
    test(`of ${registrar} by ${JSON.stringify(prices)}`, async () => {
      const kind = kindOf(registrar);
      const pages = pagesOf(kind, rowsOf(kind, 0, ...NAMES));
      const answer = (request: SeenRequest) => {
        const { path, headers } = request;
        if (path.endsWith("pricing/get")) return json({ status: "SUCCESS", pricing: prices });
        if (headers["x-amz-target"]?.endsWith("ListPrices")) return json({ Prices: prices });
        if (path.endsWith("getPrices")) return new Response(namesilo(String(prices)));
        return pages(request);
      };
      const { outcome, names } = await readFrom(registrar, answer, { limits: { details: 0 } });
      expect(outcome).toBe("ok");
      expect<unknown[]>(names.map(({ price }) => price)).toEqual(expected);
    });

  const example = { renewal: "11.08" };
  const co = { renewal: "21.8", coupons: [] };
  priced("porkbun", { example, "co.example": co }, [usd(1108), usd(2180), usd(2180), null]);
  priced("porkbun", { example, "CO.example": {} }, [usd(1108), null, null, null]);
  const promoted = { renewal: "5.00", coupons: { renewal: { code: "X" } } };
  const none = [null, null, null, null];
  priced("porkbun", { example: { renewal: "1,108.00" }, other: promoted }, none);
  const amazon = [
    { Name: "example", RenewalPrice: { Price: 13, Currency: "USD" } },
    { Name: "co.example", RenewalPrice: { Price: 1500, Currency: "JPY" } },
    { Name: "other", RenewalPrice: { Price: 9.5, Currency: "EUR" } },
  ];
  priced("route53", amazon, [usd(1300), yen, yen, { minor: 950, currency: "EUR", years: 1 }]);
  priced("route53", [{ Name: "example", RenewalPrice: { Price: 13 } }, { Name: "other" }], none);
  priced(
    "namesilo",
    "<example><renew>11.95</renew></example><co.example><registration>1.00</registration></co.example><other><renew>8</renew></other>",
    [usd(1195), null, null, usd(800)],
  );
});
