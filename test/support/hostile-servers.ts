import { join } from "node:path";
import type { createRandom } from "./random.ts";
import { startDnsServer } from "./dns-server.ts";
import { rdapDomain } from "./fake-registry.ts";
import { startMailServer } from "./mail-server.ts";

const DAY_MS = 86_400_000;
const NAMES = 5;

/** The names that DNSimple lists for a token. */
export function accountNames(token: string): string[] {
  return Array.from({ length: NAMES }, (_, at) => `a${token}-${at}.example`);
}

/** What DNSimple answers where an account has these names, up to a hundred. */
export function answerDnsimple(url: string, names: readonly string[], expires: string): Response {
  if (url.endsWith("/v2/whoami")) {
    return Response.json({ data: { user: null, account: { id: 7 } } });
  }
  const known = { state: "registered", auto_renew: true, private_whois: false };
  const data = names.map((name) => ({ name, ...known, expires_at: expires }));
  const pages = { current_page: 1, per_page: 100, total_entries: names.length, total_pages: 1 };
  return Response.json({ data, pagination: pages });
}

/**
 * Everyone whom a register asks or tells, on the loopback: the registry of `.com`, DNSimple, DNS and a mail
 * server. Half of what they answer is of no use: late, damaged, without an end, or a refusal.
 */
export async function startHostileServers(
  { below, pick }: ReturnType<typeof createRandom>,
  folder: string,
) {
  const expires = new Date(Date.now() + 300 * DAY_MS).toISOString();

  async function spoil(right: () => Response): Promise<Response> {
    const way = below(10);
    if (way === 0) return new Response('{"objectClassName": "dom');
    if (way === 1) return new Response(new Uint8Array(5000).map(() => below(256)));
    if (way === 2) return new Response("", { status: pick([401, 403, 429, 500, 503]) });
    if (way === 3) return new Response(new ReadableStream({ pull: addBlock }));
    if (way === 4) await Bun.sleep(3000);
    return right();
  }

  async function addBlock(controller: ReadableStreamDefaultController) {
    await Bun.sleep(20);
    controller.enqueue(new Uint8Array(64 * 1024));
  }

  function answerRegistrar({ url, headers }: Request): Response {
    const token = headers.get("authorization")?.split(" ")[1] ?? "";
    return answerDnsimple(url, accountNames(token), expires);
  }

  const own = new AsyncDisposableStack();
  const local = { port: 0, hostname: "127.0.0.1" };
  const registry = own.use(
    Bun.serve({
      ...local,
      fetch: ({ url }) =>
        spoil(() => Response.json(rdapDomain(url.split("/").at(-1) ?? "", { expires }))),
    }),
  );
  const registrar = own.use(
    Bun.serve({ ...local, fetch: (request) => spoil(() => answerRegistrar(request)) }),
  );
  const dns = own.use(
    await startDnsServer(() => pick([null, { rcode: 3 }, { rcode: 2 }, Buffer.from("?")])),
  );
  /** When each message came, by its Message-ID up to the @. */
  const mails = new Map<string, number[]>();
  const mail = own.use(
    await startMailServer({
      onRcptTo: (_address, _session, done) =>
        below(10) === 0 ? done(Object.assign(new Error("later"), { responseCode: 451 })) : done(),
      atDot() {
        const { raw = "" } = mail.received.pop() ?? {};
        const [, id = raw] = /^Message-ID: <(.+)@/im.exec(raw) ?? [];
        mails.getOrInsert(id, []).push(Date.now());
        return 250;
      },
    }),
  );

  const host = `127.0.0.1:${registry.port}`;
  const origin = `http://127.0.0.1:${registrar.port}`;
  const files = {
    CHECKS_SOURCES: { rdap: { com: `http://${host}/` }, intervals: { [host]: 50 } },
    REGISTRAR_APIS: { dnsimple: { origin, intervalMs: 0 } },
  };
  const paths: Record<string, string> = {};
  for (const [name, content] of Object.entries(files)) {
    paths[name] = join(folder, `${name}.json`);
    await Bun.write(paths[name], JSON.stringify(content));
  }
  return {
    mails,
    /** What leads a server to them. */
    env: {
      ...paths,
      CHECKS: "on",
      CHECKS_ALLOW: "127.0.0.0/8",
      DNS_SERVERS: `127.0.0.1:${dns.server.port}`,
      OUTBOUND_ALLOW: "127.0.0.0/8",
      SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
      MAIL_FROM: "freehold@example.com",
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}
