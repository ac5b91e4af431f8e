import type { RegistrarReader, RegistrarRow } from "./registrar-reader.ts";
import { expiryOf, flagOf, hasCode, hostsOf, objectOf, rowsOf, statusOf } from "./values.ts";

/** API v1. Details by name are limited to a few in five minutes, and never asked for. */
export const spaceship: RegistrarReader = {
  registrar: "spaceship",
  label: "Spaceship",
  fields: [
    { name: "key", label: "API key", secret: true },
    { name: "secret", label: "API secret", secret: true },
  ],
  rights:
    "Create a key in the API Manager of your account, with only the scope domains:read. Such a key cannot change anything.",
  origin: () => "https://spaceship.dev",
  calls: ["GET /api/v1/domains"],
  headers: ({ key = "", secret = "" }) => ({ "x-api-key": key, "x-api-secret": secret }),
  advice: {
    credentials: "Create a new key in the API Manager.",
    access: "Give the key the scope domains:read in the API Manager.",
  },

  async readPage({ ask }, { offset }) {
    const { body } = await ask({ path: `/api/v1/domains?take=100&skip=${offset}&orderBy=name` });
    const { items, total } = objectOf(body);
    return { rows: rowsOf(items, "list of domains").map(readRow), total };
  },
};

function readRow(row: Readonly<Record<string, unknown>>): RegistrarRow {
  const { suspensions } = row;
  const isSuspended = Array.isArray(suspensions) && suspensions.length > 0;
  return {
    name: row["name"],
    ...expiryOf(row["expirationDate"]),
    autoRenew: flagOf(row["autoRenew"]),
    locked: hasCode(row["eppStatuses"], /^clientTransferProhibited$/),
    privacy: flagOf(objectOf(row["privacyProtection"])["level"], { high: true, public: false }),
    nameservers: hostsOf(objectOf(row["nameservers"])["hosts"]),
    ...statusOf(row["lifecycleStatus"], {
      creating: "pending",
      registered: isSuspended ? "suspended" : "active",
      grace1: "expired",
      grace2: "expired",
      redemption: "redemption",
    }),
  };
}
