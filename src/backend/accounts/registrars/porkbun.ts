import { ApiFault, type RegistrarReader, type ReaderContext } from "./registrar-reader.ts";
import {
  entriesOf,
  expiryOf,
  flagOf,
  objectOf,
  optionalCount,
  priceOf,
  rowsOf,
  statusOf,
} from "./values.ts";

const PAGE_SIZE = 1_000;

/** API v3. Its keys go in the body: in headers, names that the account has were refused in 2026. */
export const porkbun: RegistrarReader = {
  registrar: "porkbun",
  label: "Porkbun",
  fields: [
    { name: "apikey", label: "API key", secret: true },
    { name: "secretapikey", label: "Secret API key", secret: true },
  ],
  rights:
    "Create a key under Account → API Access. Porkbun has no read-only keys, so bind the key to the address of this server there.",
  recorded: true,
  origin: () => "https://api.porkbun.com",
  calls: ["POST /api/json/v3/domain/listAll", "POST /api/json/v3/pricing/get"],
  advice: {
    credentials: "Create a new key under Account → API Access.",
    address: "Allow this address for the key under Account → API Access.",
    access: "Allow the key to read all names under Account → API Access.",
  },
  codes: {
    credentials: "INVALID_API_KEYS_001 INVALID_API_KEYS_002 API_KEY_REQUIRED MISSING_SECRETAPIKEY",
    address: "IP_NOT_ALLOWED",
    access: "DOMAIN_NOT_ALLOWED",
    limited: "RATE_LIMIT_EXCEEDED",
  },
  succeeds: (body) => objectOf(body)["status"] === "SUCCESS",

  fault({ status, body }) {
    // The old limit of one request a second is a page of HTML.
    if (status === 503) return "limited";
    return /^invalid api key/i.test(String(objectOf(body)["message"])) && "credentials";
  },

  async readPage(context, { offset }) {
    const { apikey, secretapikey } = context.fields;
    const given = { apikey, secretapikey, start: String(offset) };
    const body = await post(context, "domain/listAll", given);
    const rows = rowsOf(body["domains"], "list of domains");
    const isLast = rows.length < PAGE_SIZE;
    const count = optionalCount(body["count"], "count of domains");
    // Of this page, or of all: the documentation does not say.
    if (isLast && count !== null && count !== rows.length && count !== offset + rows.length) {
      throw new ApiFault("unstable", `The list has ${rows.length} of ${count} names.`);
    }
    return {
      rows: Array.from(rows, (row) => ({
        name: row["domain"],
        ...expiryOf(row["expireDate"]),
        autoRenew: flagOf(row["autoRenew"]),
        locked: flagOf(row["securityLock"]),
        privacy: flagOf(row["whoisPrivacy"]),
        ...statusOf(row["status"], {
          active: "active",
          expired: "expired",
          redemption: "redemption",
        }),
        isHosted: flagOf(row["notLocal"]) === true,
      })),
      next: isLast ? null : offset + rows.length,
    };
  },

  async prices(context) {
    const { pricing } = await post(context, "pricing/get", {});
    return new Map(
      entriesOf(pricing, "list of prices").map(([suffix, entry]) => {
        const { renewal, coupons } = objectOf(entry);
        // With a coupon, the price is that of a promotion.
        const isPromoted = objectOf(coupons)["renewal"] !== undefined;
        return [suffix.toLowerCase(), isPromoted ? null : priceOf(renewal, "USD")];
      }),
    );
  },
};

async function post({ ask }: ReaderContext, command: string, given: object) {
  const { body } = await ask({
    method: "POST",
    path: `/api/json/v3/${command}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given),
  });
  return objectOf(body);
}
