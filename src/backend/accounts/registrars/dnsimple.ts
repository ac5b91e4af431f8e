import {
  ApiFault,
  malformed,
  type RegistrarReader,
  type ReaderContext,
} from "./registrar-reader.ts";
import { countOf, expiryOf, flagOf, objectOf, rowsOf, statusOf } from "./values.ts";

/** API v2. @see https://developer.dnsimple.com/v2/domains/ */
export const dnsimple: RegistrarReader = {
  registrar: "dnsimple",
  label: "DNSimple",
  fields: [
    { name: "token", label: "Access token", secret: true },
    { name: "accountId", label: "Account ID", secret: false, optional: true },
  ],
  rights:
    "Create an account token under Account → Access tokens; if your plan has scoped tokens, give it only “Domains: read”. A user token needs the account ID as well.",
  recorded: true,
  origin: () => "https://api.dnsimple.com",
  identity: ["token", "accountId"],
  intervalMs: 1_500,
  calls: ["GET /v2/whoami", "GET /v2/:account/domains"],
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  advice: {
    credentials: "Create a new token under Account → Access tokens.",
    access: "Use an account token that may read domains, or give the account ID as well.",
  },

  async readPage(context, { page }) {
    context.account ??= await findAccount(context);
    const account = encodeURIComponent(context.account);
    const path = `/v2/${account}/domains?per_page=100&page=${page}`;
    const { data, pagination } = objectOf((await context.ask({ path })).body);
    const { total_entries, total_pages, per_page } = objectOf(pagination);
    return {
      rows: Array.from(rowsOf(data, "list of domains"), (row) => ({
        name: row["name"],
        ...expiryOf(row["expires_at"], row["expires_on"]),
        autoRenew: flagOf(row["auto_renew"]),
        privacy: flagOf(row["private_whois"]),
        ...statusOf(row["state"], { registered: "active", expired: "expired" }),
        isHosted: row["state"] === "hosted",
      })),
      total: countOf(total_entries, "count of domains"),
      size: per_page,
      next: page < countOf(total_pages, "count of pages") ? page + 1 : null,
    };
  },
};

/** The account of the token; a user's token has none of its own. @throws {ApiFault} */
async function findAccount(context: ReaderContext): Promise<string> {
  const { body } = await context.ask({ path: "/v2/whoami" });
  const { account, user } = objectOf(objectOf(body)["data"]);
  const { id } = objectOf(account);
  const own = typeof id === "number" || typeof id === "string" ? String(id) : null;
  const isUsers = account === null || (account === undefined && user !== undefined);
  if (own === null && !isUsers) throw malformed("account");
  const asked = context.fields["accountId"] || own;
  if (asked === null) throw new ApiFault("access", "This is a user token.");
  if (own !== null && asked !== own) {
    throw new ApiFault("access", `This token belongs to account ${own}, not to ${asked}.`);
  }
  return asked;
}
