import { isRecord } from "../../../shared/parse.ts";
import { ApiFault, type RegistrarReader } from "./registrar-reader.ts";
import { expiryOf, flagOf, objectOf, optionalCount, rowsOf } from "./values.ts";

/** API v4, whose JSON is sent as HTML. @see https://www.name.com/api-docs/domains */
export const namecom: RegistrarReader = {
  registrar: "namecom",
  label: "Name.com",
  fields: [
    { name: "user", label: "User name", secret: false },
    { name: "token", label: "API token", secret: true },
  ],
  rights:
    "Create a production token under Account Settings → API Tokens. Name.com has no read-only tokens, so allow only the address of this server there.",
  recorded: true,
  origin: () => "https://api.name.com",
  calls: ["GET /v4/domains"],
  headers: ({ user, token }) => ({
    authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
  }),
  advice: {
    credentials:
      "Check the user name, and create a new production token under Account Settings → API Tokens.",
    access: "Allow the address of this server for the token under Account Settings.",
  },
  words: (body) => {
    const { message, details } = objectOf(body);
    return [message, details].filter((each) => typeof each === "string").join(": ");
  },
  fault({ body }) {
    const message = String(objectOf(body)["message"]);
    if (/^permission denied/i.test(message)) return "access";
    return /^unauthenticated/i.test(message) && "credentials";
  },
  // An empty account is an empty object, and an error is one with a message.
  succeeds: (body) => isRecord(body) && !("message" in body),

  async readPage({ ask }, { cursor }) {
    const page = Number(cursor ?? 1);
    const { body } = await ask({ path: `/v4/domains?perPage=1000&page=${page}` });
    const { domains, nextPage, lastPage, totalCount } = objectOf(body);
    const rows = rowsOf(domains ?? [], "list of domains");
    const last = optionalCount(lastPage, "last page");
    const next = optionalCount(nextPage, "next page") || null;
    if ((rows.length === 0 && page > 1) || (next === null && page < (last ?? 0))) {
      throw new ApiFault("unstable", `The list both ends at page ${page} and goes on.`);
    }
    return {
      rows: Array.from(rows, (row) => ({
        name: row["domainName"],
        ...expiryOf(row["expireDate"]),
        // What is false is left out.
        autoRenew: flagOf(row["autorenewEnabled"] ?? false),
        locked: flagOf(row["locked"] ?? false),
      })),
      total: totalCount,
      next: next !== null && page < (last || Infinity) ? next : null,
    };
  },
};
