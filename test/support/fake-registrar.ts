import { afterAll, beforeAll } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";
import { createAddressRule } from "../../src/backend/outbound/addresses.ts";
import { createOutbound } from "../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../src/backend/outbound/resolver.ts";
import { createReadAccount } from "../../src/backend/accounts/read-account.ts";
import type { Reading, ReadOptions } from "../../src/backend/accounts/reading.ts";
import { selfSigned } from "./certificate.ts";

/** Answers of registrars, see its README. */
export const ANSWERS = join(import.meta.dir, "../data/accounts");

/** What one case of a registrar asks and answers, and what a perfect reader makes of it. */
export interface SourceCase {
  case: string;
  exchanges: { request: CaseRequest; response: CaseResponse }[];
  outcome: string;
  retryAfter?: number | null;
  said?: string;
  names: { name: string; statusRaw: string | null; nameservers: string[] | null }[];
  skipped: { name: string; why: string }[];
  left: { name: string; status: string; statusRaw: string }[];
}

interface CaseRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
}

interface CaseResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

export function readCases(registrar: string): SourceCase[] {
  return JSON.parse(readFileSync(join(ANSWERS, registrar, "expected.json"), "utf8")).cases;
}

export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
}

export type Answer = (request: SeenRequest) => Response | Promise<Response>;

/** A registrar on a free port of the loopback, by TLS. */
export function startFakeRegistrar(answer: Answer, certificate = trusted()) {
  const seen: SeenRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: certificate,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const entry = {
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      seen.push(entry);
      return answer(entry);
    },
  });
  return {
    seen,
    origin: `https://localhost:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

/** Answers as in one case, and with 500 what it does not list. */
export function answersOf(registrar: string, { exchanges }: SourceCase): Answer {
  return (request) => {
    const found = exchanges.find((exchange) => isAsked(exchange.request, request));
    if (found === undefined) return new Response("{}", { status: 500 });
    const { status, headers, body } = found.response;
    const bytes = body === null ? null : readFileSync(join(ANSWERS, registrar, body));
    return new Response(bytes, { status, headers });
  };
}

/** Whether a request is that of a case: method, path, paging and command; placeholders are any value. */
export function isAsked(expected: CaseRequest, given: SeenRequest): boolean {
  const url = new URL(expected.url);
  const body = expected.form
    ? Object.fromEntries(new URLSearchParams(given.body))
    : JSON.parse(given.body || "null");
  return (
    expected.method === given.method &&
    url.pathname === given.path &&
    isSame(Object.fromEntries(url.searchParams), given.query) &&
    isSame(expected.form ?? expected.body, body) &&
    expected.headers?.["x-amz-target"] === given.headers["x-amz-target"]
  );
}

function isSame(expected: unknown, given: unknown): boolean {
  const [wanted, got] = [{ ...Object(expected) }, { ...Object(given) }];
  for (const [name, value] of Object.entries(wanted)) {
    if (!String(value).startsWith("<")) continue;
    delete wanted[name];
    delete got[name];
  }
  return Bun.deepEquals(wanted, got);
}

let made: { key: string; cert: string } | undefined;

/** The certificate of `localhost` that `useFakeRegistrars` trusts. */
function trusted() {
  return (made ??= selfSigned("localhost"));
}

/** Trusts fake registrars while the tests of a file run. */
export function useFakeRegistrars(): void {
  const usual = tls.getCACertificates("default");
  // It alone: each connection reads all that there are.
  beforeAll(() => tls.setDefaultCACertificates([trusted().cert]));
  afterAll(() => tls.setDefaultCACertificates(usual));
}

/** What reaches fake registrars, which are on the loopback. */
export const LOOPBACK = createOutbound({
  resolver: createResolver([{ address: "127.0.0.1", port: 1 }]),
  mayConnect: createAddressRule(["127.0.0.0/8"]),
  ports: "any",
});

export const NOW = new Date("2026-11-22T17:00:00Z");

export const READ_OPTIONS: ReadOptions = {
  signal: new AbortController().signal,
  now: () => NOW,
  keepLease: async () => {},
  readKnown: async () => new Map(),
};

/** What a reading may be given, beside what its registrar answers. */
interface Given {
  fields?: Record<string, string> | undefined;
  options?: Partial<ReadOptions> | undefined;
  limits?: NonNullable<Parameters<typeof createReadAccount>[0]["limits"]>;
  certificate?: ReturnType<typeof trusted>;
  sleep?: (ms: number) => Promise<unknown>;
}

/** A registrar that answers so, and what reads its accounts. */
export function startReader(
  registrar: string,
  answer: Answer,
  { certificate, ...rules }: Omit<Given, "fields" | "options"> = {},
) {
  const fake = startFakeRegistrar(answer, certificate);
  const apis = { [registrar]: { origin: fake.origin, intervalMs: 0 } };
  const readAccount = createReadAccount({ outbound: LOOPBACK, apis, ...rules });
  const read = ({ fields, options }: Pick<Given, "fields" | "options"> = {}) => {
    const own = { ...TEST_FIELDS[registrar], ...fields };
    return readAccount(registrar, own, { ...READ_OPTIONS, ...options });
  };
  return Object.assign(fake, { read });
}

/** Reads an account once, at a registrar that answers so. */
export async function readFrom(
  registrar: string,
  answer: Answer,
  { fields, options, ...rules }: Given = {},
): Promise<Reading & { seen: SeenRequest[] }> {
  await using reader = startReader(registrar, answer, rules);
  return { ...(await reader.read({ fields, options })), seen: reader.seen };
}

/** How a reading ends at a registrar that answers so. */
export async function outcomeOf(...given: Parameters<typeof readFrom>): Promise<string> {
  return (await readFrom(...given)).outcome;
}

/** Numbered names. */
export const namesFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `n${from + at}.example`);

/** Fields of an account at each registrar. */
export const TEST_FIELDS: Readonly<Record<string, Record<string, string>>> = {
  porkbun: { apikey: "pk1_quillsecretkey", secretapikey: "sk1_quillsecretkey" },
  cloudflare: { token: "cfat_quillsecrettoken", accountId: "0123abcd4567ef890123abcd4567ef89" },
  namecheap: { user: "quill", apiKey: "quillsecretapikey", clientIp: "198.51.100.23" },
  godaddy: { key: "quillgodaddykey", secret: "quillgodaddysecret" },
  gandi: { token: "quillgandisecrettoken" },
  spaceship: { key: "quillspaceshipkey", secret: "quillspaceshipsecret" },
  route53: { accessKeyId: "AKIDQUILLEXAMPLE", secretAccessKey: "quillawssecretaccesskey" },
  dnsimple: { token: "dnsimple_a_quillsecret" },
  ovh: {
    endpoint: "eu",
    applicationKey: "quillapplicationkey",
    applicationSecret: "quillapplicationsecret",
    consumerKey: "quillconsumerkey",
  },
  namecom: { user: "quill", token: "quillnamecomtoken" },
  namesilo: { key: "quillnamesilokey" },
  realtimeregister: { key: "quillrealtimeregisterkey" },
};
