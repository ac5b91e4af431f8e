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
import { urlFor } from "../../shared/api.ts";
import * as p from "../../shared/parse.ts";
import { limitedText } from "../../shared/text.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { NO_PARAMETERS, queryOf } from "../http/read-input.ts";
import { missingIfMatch, RequestError, taken, tryLater } from "../http/request-error.ts";
import { Reply, route, type RequestContext, type Route } from "../http/route.ts";
import {
  addAccount,
  expectAccount,
  findAccount,
  listAccounts,
  mayAsk,
  sealFields,
  subjectOf,
} from "./stored-accounts.ts";
import { answerNames } from "./answer-names.ts";
import { changeAccount, type ChangeInput, expectMatch } from "./change-account.ts";
import { checkFields, refuseSame, testFields } from "./check-fields.ts";
import { listNames } from "./names.ts";
import { REGISTRAR_APIS } from "./registrars/readers.ts";
import type { ReadingTools } from "./run-account.ts";

const ASK_PAUSE_MS = 10 * 60_000;

const explainTaken = taken("/label", "Another account of this registrar has this label.");

const parseNamesQuery = queryOf({
  class: p.oneOf(NAME_CLASSES),
  after: p.optional(limitedText({ max: 255 })),
});

export function createAccountRoutes(tools: ReadingTools, wake: () => void): Route[] {
  const { cipher, readNow } = tools;

  async function show(database: Database, id: string): Promise<Reply<Account>> {
    const account = expectAccount(await listAccounts(database, cipher, id));
    return new Reply(account, [["ETag", `"${account.version}"`]]);
  }

  /** @throws {RequestError} Also 409 for a label that is taken. */
  async function change(
    { database, params, user, peer }: RequestContext<"/:id", "owner">,
    { detail, ...given }: Pick<ChangeInput, "ifMatch" | "action"> & { detail?: string },
  ): Promise<number> {
    const at = (await database.read(readNow)).toISOString();
    const entry = { by: user, address: peer.address, detail };
    const input = { ...given, id: params.id, at, entry };
    return database.writeMany(changeAccount, input).catch(explainTaken);
  }

  const answer = (action: "accept" | "refuse", summary: string) =>
    route(`POST /api/accounts/:id/${action}`, "editor", {
      summary,
      body: parseNameSelection,
      maxBytes: 1024 * 1024,
      answer: parseAccountOperation,
      problems: [409],
      handle: ({ database, params: { id }, body: selection, user: by }) =>
        database.writeMany(answerNames, { id, action, selection, by }),
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
        const { registrar, label } = body;
        const fields = checkFields(registrar, body.fields);
        const id = Bun.randomUUIDv7();
        // Before the test: without a key there is nothing to test for.
        const credentials = sealFields(cipher, id, fields);
        if (body.test !== false) await testFields(registrar, fields, tools);
        await database
          .write(async (sql) => {
            const created_at = (await readNow(sql)).toISOString();
            await refuseSame(sql, cipher, { id, registrar }, fields);
            const row = await addAccount(sql, { id, registrar, label, credentials, created_at });
            await recordRequest(sql, context, "account-added", { subject: subjectOf(row) });
          })
          .catch(explainTaken);
        const added = await show(database, id);
        added.headers.push(["Location", urlFor(context.peer, `/api/accounts/${id}`)]);
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
        const { database, body, params, request } = context;
        const { fields, ...edit } = body;
        const ifMatch = request.headers.get("if-match");
        const given = await database.read(async (sql) => {
          const row = await findAccount(sql, params.id);
          if (ifMatch === null) throw missingIfMatch();
          expectMatch(ifMatch, row);
          const checked = fields && checkFields(row.registrar, fields);
          if (checked !== undefined) await refuseSame(sql, cipher, row, checked);
          return checked;
        });
        const credentials = given && sealFields(cipher, params.id, given);
        const action = { kind: "edit", ...edit, credentials } as const;
        const detail = Object.keys(body).join(", ");
        const changed = await change(context, { ifMatch, action, detail });
        wake();
        return new Reply(undefined, [["ETag", `"${changed}"`]]);
      },
    }),
    route("DELETE /api/accounts/:id", "owner", {
      summary: "Forget an account and its credentials; its domains stay",
      answer: null,
      problems: [412],
      async handle(context) {
        const ifMatch = context.request.headers.get("if-match");
        await change(context, { ifMatch, action: { kind: "forget" } });
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
      summary: "Say whether names were removed from an account",
      body: parseAccountAnswer,
      answer: parseAccount,
      problems: [409],
      sends: ["ETag"],
      async handle(context) {
        const action = { kind: "answer", ...context.body } as const;
        const detail =
          action.shrunken === "believe" ? "names were removed" : "wait for the next list";
        await change(context, { ifMatch: null, action, detail });
        return show(context.database, context.params.id);
      },
    }),
  ];
}
