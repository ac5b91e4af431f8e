import { isRecord } from "../../../shared/parse.ts";
import { ApiFault, malformed, type RegistrarReader } from "./registrar-reader.ts";
import { cursorOf, expiryOf, flagOf, objectOf, optionalCount, rowsOf, statusOf } from "./values.ts";

/** The registrations of an account. `/registrar/domains`, which most clients know, ended in 2026. */
export const cloudflare: RegistrarReader = {
  registrar: "cloudflare",
  label: "Cloudflare",
  fields: [
    { name: "token", label: "API token", secret: true },
    { name: "accountId", label: "Account ID", secret: false },
  ],
  rights:
    "Create a token under Manage Account → Account API Tokens with the Registrar Domains permission, “Read” if that is offered. The account ID is in the address of the dashboard.",
  origin: () => "https://api.cloudflare.com",
  identity: ["accountId"],
  intervalMs: 500,
  calls: ["GET /client/v4/accounts/:account/registrar/registrations"],
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  advice: {
    credentials: "Create a new token under Manage Account → Account API Tokens.",
    address: "Allow this address in the token’s client IP filter.",
    access: "Give the token the Registrar Domains permission for this account.",
  },
  words: (body) => errorsOf(body)[0]?.["message"],
  codes: { credentials: "10000 9109 6003", limited: "10429" },
  codesOf: (body) => errorsOf(body).map(({ code }) => code),
  succeeds: (body) => objectOf(body)["success"] === true,
  fault: ({ body }) =>
    errorsOf(body).some(({ message }) => /from location|\bIP\b/.test(String(message))) && "address",

  async readPage({ ask, fields }, { cursor }) {
    const account = encodeURIComponent(fields["accountId"] ?? "");
    const path = `/client/v4/accounts/${account}/registrar/registrations`;
    const query = cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask({ path: `${path}${query}` });
    const { result, result_info } = objectOf(body);
    const rows = rowsOf(result, "list of registrations");
    const info = result_info ?? {};
    if (!isRecord(info)) throw malformed("cursor");
    if ((optionalCount(info["count"], "count") ?? rows.length) !== rows.length) {
      throw new ApiFault("unstable", "A page of the list does not have the count that it says.");
    }
    return {
      rows: Array.from(rows, (row) => ({
        name: row["domain_name"],
        ...expiryOf(row["expires_at"]),
        autoRenew: flagOf(row["auto_renew"]),
        locked: flagOf(row["locked"]),
        privacy: flagOf(row["privacy_mode"], { redaction: true, off: false }),
        ...statusOf(row["status"], {
          active: "active",
          registration_pending: "pending",
          expired: "expired",
          suspended: "suspended",
          redemption_period: "redemption",
          pending_delete: "pending-delete",
        }),
      })),
      total: optionalCount(info["total_count"], "count of registrations"),
      size: info["per_page"],
      next: cursorOf(info["cursor"], "cursor"),
    };
  },
};

function errorsOf(body: unknown) {
  const { errors } = objectOf(body);
  return Array.isArray(errors) ? errors.map(objectOf) : [];
}
