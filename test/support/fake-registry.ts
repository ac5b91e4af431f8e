/** What a registry of a test knows of a name; a Response is sent as it is. */
export interface Registered {
  expires?: string;
  changed?: string;
  /** Null: without the member; a text is of the wrong type. */
  status?: string[] | string | null;
  registrar?: string;
  nameServers?: string[];
}

export type Known = Registered | (() => Response | Promise<Response>);

/** An RDAP server on a free port of the loopback; names that it does not know are 404. */
export function startFakeRegistry(path = "/") {
  const names = new Map<string, Known>();
  const asked: { name: string; at: number }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
      asked.push({ name, at: Date.now() });
      const known = names.get(name);
      if (known === undefined) return new Response("", { status: 404 });
      return typeof known === "function" ? known() : Response.json(rdapDomain(name, known));
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    names,
    asked,
    host,
    url: `http://${host}${path}`,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

/** A domain object of RFC 9083. */
export function rdapDomain(
  name: string,
  { expires, changed, status, registrar, nameServers }: Registered,
) {
  const events = [
    { eventAction: "expiration", eventDate: expires },
    { eventAction: "last changed", eventDate: changed },
  ].filter(({ eventDate }) => eventDate !== undefined);
  return {
    objectClassName: "domain",
    ldhName: name.toUpperCase(),
    ...(status !== null && { status: status ?? ["client transfer prohibited"] }),
    events,
    nameservers: (nameServers ?? []).map((ldhName) => ({ ldhName })),
    entities:
      registrar === undefined
        ? []
        : [{ roles: ["registrar"], vcardArray: ["vcard", [["fn", {}, "text", registrar]]] }],
  };
}
