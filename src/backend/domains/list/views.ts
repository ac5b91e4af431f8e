import type { SQL } from "bun";
import * as p from "../../../shared/parse.ts";
import {
  parseSavedView,
  parseSavedViews,
  type SavedView,
  VIEW_LIMITS,
} from "../../../shared/register.ts";
import { foldLabel, requiredLabel } from "../../../shared/text.ts";
import { parseQuery } from "../../../shared/view.ts";
import { countRows, hasRows } from "../../database/database.ts";
import { NO_PARAMETERS } from "../../http/read-input.ts";
import { gone, RequestError, taken } from "../../http/request-error.ts";
import { EVERYTHING, route, type Route } from "../../http/route.ts";

const MAX_VIEWS = 200;

const TAKEN = "This name is taken, as everyone shares the views. Choose another name.";
const explainTaken = taken("/name", TAKEN);

const parseName = requiredLabel(VIEW_LIMITS.name, (value) =>
  p.refuse("required", p.expected("a name for the view", value)),
);
const parseNewView = p.exactObject({ name: parseName, query: parseQuery });
const parseViewChange = p.exactObject({
  name: p.optional(parseName),
  query: p.optional(parseQuery),
});

export const viewRoutes: readonly Route[] = [
  // Their filters name what a limited viewer does not see.
  route("GET /api/views", "limited", {
    summary: "List the saved views",
    query: NO_PARAMETERS,
    answer: parseSavedViews,
    handle: async ({ database, sight }) => ({
      items: sight === EVERYTHING ? await database.read(listViews) : [],
    }),
  }),
  route("POST /api/views", "editor", {
    summary: "Save a view",
    body: parseNewView,
    answer: parseSavedView,
    statuses: [201],
    problems: [409],
    handle: ({ database, body }) => database.write((sql) => addView(sql, body)).catch(explainTaken),
  }),
  route("PATCH /api/views/:id", "editor", {
    summary: "Change a saved view",
    body: parseViewChange,
    answer: parseSavedView,
    problems: [409],
    handle: ({ database, params, body }) =>
      database.write((sql) => changeView(sql, params.id, body)).catch(explainTaken),
  }),
  route("DELETE /api/views/:id", "editor", {
    summary: "Delete a saved view",
    answer: null,
    async handle({ database, params: { id } }) {
      const isRemoved = await database.write((sql) =>
        hasRows(sql`delete from views where id = ${id} returning id`),
      );
      if (!isRemoved) throw gone("view");
    },
  }),
];

async function listViews(sql: SQL): Promise<SavedView[]> {
  return [...(await sql<SavedView[]>`select id, name, query from views order by name_key`)];
}

/** Refuses a name that is taken, whatever its spelling, and one view too many. */
async function addView(sql: SQL, given: p.Parsed<typeof parseNewView>): Promise<SavedView> {
  const view = { id: Bun.randomUUIDv7(), ...given };
  if ((await countRows(sql, sql`views`)) >= MAX_VIEWS) {
    throw new RequestError(409, `There are ${MAX_VIEWS} saved views already. Delete one first.`);
  }
  await sql`insert into views ${sql({ ...view, name_key: foldLabel(view.name) })}`;
  return view;
}

async function changeView(
  sql: SQL,
  id: string,
  change: p.Parsed<typeof parseViewChange>,
): Promise<SavedView> {
  const [before] = await sql<SavedView[]>`select id, name, query from views where id = ${id}`;
  if (before === undefined) throw gone("view");
  const { name = before.name, query = before.query } = change;
  await sql`update views set ${sql({ name, query, name_key: foldLabel(name) })} where id = ${id}`;
  return { id, name, query };
}
