import { elementText, findElement, rootOf, type XmlElement } from "../xml.ts";
import { malformed, type RegistrarReader } from "./registrar-reader.ts";
import { flagOf, usExpiryOf } from "./values.ts";

const COMMAND = "namecheap.domains.getList";

const PRIVACY = { enabled: true, disabled: false, notpresent: false, notalloted: false };

/** The XML API, by POST: so the key is in no URL. @see https://www.namecheap.com/support/api/ */
export const namecheap: RegistrarReader = {
  registrar: "namecheap",
  label: "Namecheap",
  fields: [
    { name: "user", label: "User name", secret: false },
    { name: "apiKey", label: "API key", secret: true },
    { name: "clientIp", label: "IPv4 address of this server", secret: false },
  ],
  rights:
    "Turn on API access under Profile → Tools → Business & Dev Tools and add the IPv4 address of this server to the whitelisted IPs. Namecheap has no read-only keys.",
  recorded: true,
  origin: () => "https://api.namecheap.com",
  intervalMs: 3_200,
  format: "xml",
  calls: ["POST /xml.response"],
  command: { in: "form", name: "Command", values: [COMMAND] },
  advice: {
    credentials: "Check the user name and the key under Profile → Tools → API access.",
    address: "Add this address to the whitelisted IPs under Profile → Tools → API access.",
    access: "Turn on API access for this user under Profile → Tools.",
  },
  words: (body) => elementText(body, "Errors/Error"),
  codes: {
    address: "1011150 1017150 1017105 1011105",
    credentials: "1010102 1011102 1030408",
    access: "1016103",
    limited: "500000 1017410 1017411",
  },
  codesOf: (body) =>
    findElement(body, "Errors")?.children.map(({ attributes }) => attributes["Number"]) ?? [],
  succeeds: (body) => rootOf(body)?.attributes["Status"] === "OK",
  // Too many requests, as clients have seen it.
  fault: ({ status }) => status === 405 && "limited",

  async readPage({ ask, fields: { user = "", apiKey = "", clientIp = "" } }, { page }) {
    const { body } = await ask({
      method: "POST",
      path: "/xml.response",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        ApiUser: user,
        ApiKey: apiKey,
        UserName: user,
        ClientIp: clientIp,
        Command: COMMAND,
        ListType: "ALL",
        PageSize: "100",
        Page: String(page),
        SortBy: "NAME",
      }).toString(),
    });
    const list = findElement(body, "CommandResponse/DomainGetListResult");
    if (list === undefined) throw malformed("list of domains");
    return {
      rows: list.children.filter(({ name }) => name === "Domain").map(readRow),
      total: elementText(body, "CommandResponse/Paging/TotalItems"),
      size: elementText(body, "CommandResponse/Paging/PageSize"),
    };
  },
};

function readRow({ attributes }: XmlElement) {
  const { Name, Expires, IsExpired, AutoRenew, IsLocked, WhoisGuard } = attributes;
  const isExpired = flagOf(IsExpired);
  return {
    name: Name,
    ...usExpiryOf(Expires),
    autoRenew: flagOf(AutoRenew),
    // Fresh names are locked and say false.
    locked: flagOf(IsLocked) || null,
    privacy: flagOf(WhoisGuard, PRIVACY),
    ...(isExpired !== null && {
      status: isExpired ? ("expired" as const) : ("active" as const),
      statusRaw: `IsExpired=${IsExpired}`,
    }),
  };
}
