import type { SQL } from "bun";
import { exactObject, expected, optional, refuse, type Parsed } from "../shared/parse.ts";
import { type SavedView, VIEW_LIMITS } from "../shared/register.ts";
import { foldLabel, parseLabel } from "../shared/text.ts";
import { parseQuery } from "../shared/view.ts";
import { isUniqueViolation } from "./database/database-error.ts";
import { parseParameters, readJson } from "./http/read-input.ts";
import { RequestError } from "./http/request-error.ts";
import { json, noContent } from "./http/responses.ts";
import type { RequestContext, Route } from "./http/router.ts";

/** Saved views of one register. */
const MAX_VIEWS = 200;

export const viewRoutes: readonly Route[] = [
  { path: "/api/views", methods: { GET: showViews, POST: addView } },
  { path: "/api/views/:id", methods: { PATCH: changeView, DELETE: removeView } },
];

const viewShape = { name: parseName, query: parseQuery };
const parseNewView = exactObject(viewShape);
const parseViewChange = exactObject({
  name: optional(viewShape.name),
  query: optional(viewShape.query),
});

function parseName(value: unknown): string {
  const name = parseLabel(VIEW_LIMITS.name)(value);
  return name ?? refuse("required", expected("a name for the view", value));
}

async function showViews({ database, url }: RequestContext): Promise<Response> {
  parseParameters(url.searchParams, exactObject({}));
  return json({ items: await database.read(listViews) });
}

async function listViews(sql: SQL): Promise<SavedView[]> {
  return [...(await sql<SavedView[]>`select id, name, query from views order by name_key`)];
}

/** `POST /api/views`: 409 where the name is taken, whatever its spelling, or there are too many. */
async function addView(context: RequestContext): Promise<Response> {
  const { name, query } = await readJson(context, parseNewView);
  const view = { id: Bun.randomUUIDv7(), name, query };
  await context.database
    .write(async (sql) => {
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
        select cast(count(*) as integer) as count from views`;
      if (count >= MAX_VIEWS) {
        throw new RequestError(
          409,
          `There are ${MAX_VIEWS} saved views already. Delete one first.`,
        );
      }
      await sql`insert into views ${sql({ ...view, name_key: foldLabel(name) })}`;
    })
    .catch(explainTaken);
  return json(view, 201);
}

/** `PATCH /api/views/:id`: an absent member stays as it is. */
async function changeView(context: RequestContext, id: string): Promise<Response> {
  const change = await readJson(context, parseViewChange);
  const view = await context.database
    .write((sql) => updateView(sql, id, change))
    .catch(explainTaken);
  if (view === undefined) throw missingView();
  return json(view);
}

async function updateView(
  sql: SQL,
  id: string,
  change: Parsed<typeof parseViewChange>,
): Promise<SavedView | undefined> {
  const [before] = await sql<SavedView[]>`select id, name, query from views where id = ${id}`;
  if (before === undefined) return undefined;
  const { name = before.name, query = before.query } = change;
  await sql`update views set ${sql({ name, query, name_key: foldLabel(name) })} where id = ${id}`;
  return { id, name, query };
}

async function removeView({ database }: RequestContext, id: string): Promise<Response> {
  const removed = await database.write(
    (sql) => sql<{ id: string }[]>`delete from views where id = ${id} returning id`,
  );
  if (removed.length === 0) throw missingView();
  return noContent();
}

function explainTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const detail = "You already have a view with this name.";
  const errors = [{ pointer: "/name", code: "taken", detail }];
  throw new RequestError(409, detail, { errors });
}

function missingView(): RequestError {
  return new RequestError(404, "This view no longer exists.");
}
