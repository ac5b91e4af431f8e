import type { RegistrarReader } from "./registrar-reader.ts";
import { eppStatusOf, expiryOf, flagOf, hasCode, hostsOf, objectOf, rowsOf } from "./values.ts";

/** API v2. @see https://dm.yoursrs-ote.com/docs/api/domains/list */
export const realtimeregister: RegistrarReader = {
  registrar: "realtimeregister",
  label: "Realtime Register",
  fields: [{ name: "key", label: "API key", secret: true }],
  rights:
    "Create an API key for a separate user in the Domain Manager, under the user’s settings. Give that user only the rights to see domains.",
  origin: () => "https://api.yoursrs.com",
  calls: ["GET /v2/domains"],
  headers: ({ key }) => ({ authorization: `ApiKey ${key}` }),
  advice: {
    credentials: "Create a new API key in the Domain Manager.",
    access: "Give the user of the key the right to see domains.",
  },

  async readPage({ ask }, { offset }) {
    const { body } = await ask({ path: `/v2/domains?limit=100&offset=${offset}&order=domainName` });
    const { entities, pagination } = objectOf(body);
    const { total, limit } = objectOf(pagination);
    return {
      rows: Array.from(rowsOf(entities, "list of domains"), (row) => ({
        name: row["domainName"],
        ...expiryOf(row["expiryDate"]),
        autoRenew: flagOf(row["autoRenew"]),
        privacy: flagOf(row["privacyProtect"]),
        locked: hasCode(row["status"], /_TRANSFER_PROHIBITED$/i),
        nameservers: hostsOf(row["ns"]),
        ...eppStatusOf(row["status"]),
      })),
      total,
      size: limit,
    };
  },
};
