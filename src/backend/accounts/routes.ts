import { parseAccountChange, parseAccountInput } from "../../shared/account-input.ts";
import {
  type Account,
  MAX_NAMES,
  NAME_CLASSES,
  parseAccount,
  parseAccountAnswer,
  parseAccountNames,
  parseAccountOperation,
  parseAccounts,
  parseNameSelection,
  parseRegistrarApis,
} from "../../shared/accounts.ts";
import type { AuditAction } from "../../shared/audit.ts";
import { matchesStrongly } from "../../shared/entity-tag.ts";
import { oneOf, optional } from "../../shared/parse.ts";
import { foldLabel, limitedText } from "../../shared/text.ts";
import { recordAudit } from "../audit/audit.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { NO_PARAMETERS, queryOf } from "../http/read-input.ts";
import { badFields, missingIfMatch, RequestError, tryLater } from "../http/request-error.ts";
import { Reply, route, type RequestContext, type Route, type User } from "../http/route.ts";
import type { ReadNow } from "../database/clock.ts";
import {
  findAccount,
  addAccount,
  listAccounts,
  NO_QUESTION,
  noSuchAccount,
  registrarLabel,
  sealFields,
  type AccountRow,
} from "./stored-accounts.ts";
import { answerNames } from "./answer-names.ts";
import { changeAccount, type AccountChange } from "./change-account.ts";
import { checkFields, refuseSame, testFields } from "./check-fields.ts";
import { listNames } from "./names.ts";
import type { ReadAccount } from "./reading.ts";
import { REGISTRAR_APIS } from "./registrars/readers.ts";
import { mayAskAt, refusalsOf } from "./run-account.ts";

/** How often a person may ask for a reading. */
const ASK_PAUSE_MS = 10 * 60_000;

interface RouteOptions {
  cipher: CredentialCipher;
  read: ReadAccount;
  readNow: ReadNow;
  now: () => Date;
  wake: () => void;
}

const parseNamesQuery = queryOf({
  class: oneOf(NAME_CLASSES),
  after: optional(limitedText({ max: 255 })),
});

/** Accounts at registrars, what they list, and what people make of it. */
export function createAccountRoutes({ cipher, read, readNow, now, wake }: RouteOptions): Route[] {
  async function show(database: Database, id: string): Promise<Reply<Account>> {
    const [account] = await listAccounts(database, cipher, id);
    if (account === undefined) throw noSuchAccount();
    return new Reply(account, [["ETag", `"${account.version}"`]]);
  }

  /**
   * Changes an account, or forgets it: names and domains by the thousand. `decide` is asked again where the
   * account has changed since. Returns the version that it had.
   *
   * @throws {RequestError} 409 for a label that is taken, and what `decide` throws.
   */
  async function change(
    context: Pick<RequestContext, "database" | "peer"> & { user: User },
    decide: () => Promise<Pick<AccountChange, "columns" | "believes"> & { row: AccountRow }>,
    detail?: string,
  ): Promise<number> {
    for (;;) {
      const { row, ...decided } = await decide();
      const { id, version, refusals, shrunk_since } = row;
      const action = decided.columns === null ? "account-deleted" : "account-changed";
      const entry = entryOf(context, action, row, detail);
      const seen = { id, version, refusals, shrunk_since };
      const input = { seen, ...decided, entry };
      const written = context.database.writeMany(changeAccount, input);
      if (await written.catch(explainTaken)) return version;
    }
  }

  const answer = (action: "accept" | "refuse", summary: string) =>
    route(`POST /api/accounts/:id/${action}`, "editor", {
      summary,
      body: parseNameSelection,
      maxBytes: 1024 * 1024,
      answer: parseAccountOperation,
      problems: [409],
      handle({ database, params: { id }, body: selection, user }) {
        const by = { id: user.id, name: user.name };
        return database.writeMany(answerNames, { id, action, selection, by });
      },
    });

  return [
    route("GET /api/registrar-apis", "viewer", {
      summary: "List the registrars whose accounts can be read",
      query: NO_PARAMETERS,
      answer: parseRegistrarApis,
      handle: () => ({ items: [...REGISTRAR_APIS] }),
    }),
    route("GET /api/accounts", "viewer", {
      summary: "List the accounts at registrars",
      query: NO_PARAMETERS,
      answer: parseAccounts,
      handle: async ({ database }) => ({ items: await listAccounts(database, cipher) }),
    }),
    // 422 where the registrar refuses the credentials; 409 where none can be stored.
    route("POST /api/accounts", "owner", {
      summary: "Add an account, after its credentials have been tried",
      body: parseAccountInput,
      answer: parseAccount,
      statuses: [201],
      problems: [409, 422],
      sends: ["ETag", "Location"],
      async handle(context) {
        const { database, body } = context;
        const api = REGISTRAR_APIS.find(({ registrar }) => registrar === body.registrar);
        if (api === undefined) {
          const detail = `Expected one of ${REGISTRAR_APIS.map(({ registrar }) => registrar).join(", ")}.`;
          throw badFields([{ pointer: "/registrar", code: "choice", detail }]);
        }
        const fields = checkFields(api, body.fields);
        const id = Bun.randomUUIDv7();
        // Before the test: without a key there is nothing to test for.
        const credentials = sealFields(cipher, id, fields);
        if (body.test !== false) await testFields(api.registrar, fields, { read, now });
        await database
          .write(async (sql) => {
            const at = (await readNow(sql)).toISOString();
            await refuseSame(sql, cipher, { id, ...api }, fields);
            const row = await addAccount(sql, { id, api, label: body.label, credentials, at });
            await recordAudit(sql, entryOf(context, "account-added", row));
          })
          .catch(explainTaken);
        const added = await show(database, id);
        added.headers.push(["Location", `/api/accounts/${id}`]);
        wake();
        return added;
      },
    }),
    route("GET /api/accounts/:id", "viewer", {
      summary: "Read an account",
      answer: parseAccount,
      statuses: [200, 304],
      sends: ["ETag"],
      handle: ({ database, params: { id } }) => show(database, id),
    }),
    // `fields` replaces all credentials; that, or `state: "on"`, triggers a reading.
    route("PATCH /api/accounts/:id", "owner", {
      summary: "Change an account’s label, credentials or state",
      body: parseAccountChange,
      answer: null,
      problems: [409, 412, 428, 429],
      sends: ["ETag"],
      async handle(context) {
        const { database, body, request } = context;
        const { id } = context.params;
        const decide = async () => {
          const { row, fields, at } = await database.write(async (sql) => {
            const found = await findAccount(sql, id);
            expectMatch(request, found);
            const readAt = await readNow(sql);
            const api = REGISTRAR_APIS.find(({ registrar }) => registrar === found.registrar);
            const given = body.fields && checkFields(api, body.fields);
            if (given !== undefined) await refuseSame(sql, cipher, found, given);
            else if (body.state === "on") mayAsk(found, readAt);
            return { row: found, fields: given, at: readAt };
          });
          const columns = {
            version: row.version + 1,
            ...(body.label !== undefined && {
              label: body.label,
              label_key: foldLabel(body.label),
            }),
            ...(fields !== undefined && {
              credentials: sealFields(cipher, id, fields),
              refusals: "[]",
              failures: 0,
              told_at: null,
              notice: null,
              ...(row.state === "refused" && { state: "on" }),
            }),
            ...(body.state !== undefined && { state: body.state }),
            // What reads with what it had before has to stop.
            ...((fields !== undefined || body.state !== undefined) && {
              ...(body.state !== "paused" && { due_at: at.toISOString(), priority: 1 }),
              run: null,
              leased_until: null,
            }),
          };
          return { row, columns };
        };
        const version = await change(context, decide, Object.keys(body).join(", "));
        wake();
        return new Reply(undefined, [["ETag", `"${version + 1}"`]]);
      },
    }),
    route("DELETE /api/accounts/:id", "owner", {
      summary: "Forget an account and its credentials; its domains stay",
      answer: null,
      problems: [412],
      async handle(context) {
        const { database, request, params } = context;
        await change(context, async () => {
          const row = await database.write((sql) => findAccount(sql, params.id));
          if (request.headers.has("if-match")) expectMatch(request, row);
          return { row, columns: null };
        });
      },
    }),
    route("POST /api/accounts/:id/read", "editor", {
      summary: "Read an account at its registrar now",
      answer: parseAccount,
      statuses: [202],
      problems: [409, 429],
      async handle({ database, params: { id } }) {
        await database.write(async (sql) => {
          const row = await findAccount(sql, id);
          const at = await readNow(sql);
          if (row.state === "paused") throw new RequestError(409, "This account is paused.");
          mayAsk(row, at);
          const sinceMs = at.getTime() - Date.parse(row.asked_at ?? "");
          if (sinceMs >= 0 && sinceMs < ASK_PAUSE_MS) {
            const seconds = (ASK_PAUSE_MS - sinceMs) / 1000;
            const detail = `This account was read on request in the last 10 minutes. Try again in ${Math.ceil(seconds / 60)} min.`;
            throw tryLater(429, detail, seconds);
          }
          const asOf = at.toISOString();
          const isRead = row.run !== null && (row.leased_until ?? "") > asOf;
          const due = isRead ? {} : { due_at: asOf, priority: 1 };
          await sql`update registrar_accounts set ${sql({ ...due, state: "on", asked_at: asOf })}
            where id = ${id}`;
        });
        const { value } = await show(database, id);
        wake();
        return new Reply(value, [], 202);
      },
    }),
    route("GET /api/accounts/:id/names", "viewer", {
      summary: "List the names of an account in one class",
      query: parseNamesQuery,
      answer: parseAccountNames,
      async handle({ database, params: { id }, query: { class: of, after = "" } }) {
        const account = await database.read((sql) => findAccount(sql, id));
        return database.readMany(listNames, { account, class: of, after, limit: MAX_NAMES.page });
      },
    }),
    answer("accept", "Add names of an account to the register"),
    answer("refuse", "Keep names of an account out of the register"),
    route("POST /api/accounts/:id/answer", "owner", {
      summary: "Say whether an account has shrunk",
      body: parseAccountAnswer,
      answer: parseAccount,
      problems: [409],
      sends: ["ETag"],
      async handle(context) {
        const { database, body, params } = context;
        const believes = body.shrunken === "believe";
        const decide = async () => {
          const row = await database.write((sql) => findAccount(sql, params.id));
          if (row.shrunk_since === null) {
            throw new RequestError(409, "This account does not ask anything now.");
          }
          const columns = believes ? NO_QUESTION : { shrunk_wait: 1 };
          return { row, columns, believes };
        };
        await change(context, decide, `has it shrunk: ${body.shrunken}`);
        return show(database, params.id);
      },
    }),
  ];
}

/** What the audit log says of a change of an account. */
function entryOf(
  { user, peer }: Pick<RequestContext, "peer"> & { user: User },
  action: AuditAction,
  account: Pick<AccountRow, "registrar" | "label">,
  detail?: string,
) {
  const registrar = registrarLabel(account);
  const { label } = account;
  // By default an account is called after its registrar.
  const subject = label.startsWith(registrar) ? label : `${registrar}: ${label}`;
  const by = { id: user.id, name: user.name };
  return { action, by, address: peer.address, subject, detail };
}

/** @throws {RequestError} 429 after as many refusals in a day as a registrar may take for an attack. */
function mayAsk(row: AccountRow, now: Date): void {
  const seconds = (mayAskAt(refusalsOf(row, now)) - now.getTime()) / 1000;
  if (seconds <= 0) return;
  const detail = `The registrar has refused these credentials twice in a day; more tries could lock the account. Give new credentials, or try again in ${Math.ceil(seconds / 3600)} h.`;
  throw tryLater(429, detail, seconds);
}

/** @throws {RequestError} 412, 428 */
function expectMatch(request: Request, row: AccountRow): void {
  const header = request.headers.get("if-match");
  if (header === null) throw missingIfMatch();
  const tag = `"${row.version}"`;
  if (matchesStrongly(header, tag)) return;
  const detail = "This account has changed since you loaded it.";
  throw new RequestError(412, detail, {}, { ETag: tag });
}

function explainTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const detail = "Another account of this registrar has this label.";
  throw new RequestError(409, detail, { errors: [{ pointer: "/label", code: "taken", detail }] });
}
