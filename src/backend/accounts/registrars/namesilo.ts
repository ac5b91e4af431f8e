import { elementText, findElement } from "../xml.ts";
import { malformed, type RegistrarReader, type ReaderContext } from "./registrar-reader.ts";
import { expiryOf, flagOf, hostsOf, priceOf, statusOf } from "./values.ts";

const SUCCESS = "300";
/** "Domain is not active, or does not belong to this user": so it is with expired ones. */
const NOT_ACTIVE = "200";

/** The XML API, which takes its key in the query. @see https://www.namesilo.com/api-reference */
export const namesilo: RegistrarReader = {
  registrar: "namesilo",
  label: "NameSilo",
  fields: [{ name: "key", label: "API key", secret: true }],
  rights:
    "Create a key under Account → API Manager with “Generate key for read-only access” ticked. If the key is bound to addresses, add this server’s.",
  origin: () => "https://www.namesilo.com",
  intervalMs: 1_300,
  format: "xml",
  calls: ["GET /api/listDomains", "GET /api/getDomainInfo", "GET /api/getPrices"],
  advice: {
    credentials: "Create a new key in the API Manager.",
    access: "Use a key of the main account.",
    address: "Add the address of this server to the key in the API Manager.",
  },
  words(body) {
    const detail = elementText(body, "reply/detail") ?? "";
    const isAddress = elementText(body, "reply/code") === "113";
    return isAddress ? `${detail} (${elementText(body, "request/ip")})` : detail;
  },
  codes: { credentials: "110 111", access: "112", address: "113", limited: "400" },
  codesOf: (body) => [elementText(body, "reply/code")],
  succeeds: (body) => [SUCCESS, NOT_ACTIVE].includes(elementText(body, "reply/code") ?? SUCCESS),

  async readPage(context, { page }) {
    const reply = await call(context, "listDomains", `&page=${page}&pageSize=100`);
    const list = findElement(reply, "reply/domains");
    if (list === undefined) throw malformed("list of domains");
    return {
      rows: Array.from(list.children, ({ text, attributes }) => ({
        name: text,
        ...expiryOf(attributes["expires"]),
      })),
      total: elementText(reply, "reply/pager/total"),
      size: elementText(reply, "reply/pager/pageSize"),
    };
  },

  async prices(context) {
    const reply = findElement(await call(context, "getPrices"), "reply");
    return new Map(
      reply?.children.map((suffix) => {
        const renewal = suffix.children.find(({ name }) => name === "renew");
        return [suffix.name.toLowerCase(), priceOf(renewal?.text, "USD")];
      }),
    );
  },

  details: {
    calls: 1,
    async read(context, name) {
      const query = `&domain=${encodeURIComponent(name)}`;
      const reply = await call(context, "getDomainInfo", query);
      const tell = (member: string) => elementText(reply, `reply/${member}`);
      if (tell("code") === NOT_ACTIVE) return { reason: tell("detail") ?? NOT_ACTIVE };
      const hosts = findElement(reply, "reply/nameservers")?.children ?? [];
      return {
        ...expiryOf(tell("expires")),
        autoRenew: flagOf(tell("auto_renew")),
        locked: flagOf(tell("locked")),
        privacy: flagOf(tell("private")),
        nameservers: hostsOf(hosts.map(({ text }) => text.trim())),
        ...statusOf(tell("status"), { active: "active", expired: "expired" }),
      };
    },
  },
};

async function call(
  { ask, fields }: ReaderContext,
  operation: string,
  query = "",
): Promise<unknown> {
  const key = encodeURIComponent(fields["key"] ?? "");
  const { body } = await ask({ path: `/api/${operation}?version=1&type=xml&key=${key}${query}` });
  return body;
}
