import type { SQL } from "bun";
import { type NamedPerson, parsePeopleNames } from "../../shared/domain.ts";
import { foldLabel } from "../../shared/text.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { hasRows, readColumn } from "../database/database.ts";
import { EVERYTHING, route, type Route } from "../http/route.ts";
import { inSight } from "./list/filter-condition.ts";

/** Whose work a domain can be. */
export const peopleNamesRoute: Route = route("GET /api/people/names", "limited", {
  summary: "List people by name",
  query: NO_PARAMETERS,
  answer: parsePeopleNames,
  async handle({ database, sight }) {
    const people = await database.read(async (sql) => {
      const all = await listPeopleNames(sql);
      if (sight === EVERYTHING) return all;
      const seen = await readColumn<string>(sql`
        select distinct person_id from domains where person_id is not null ${inSight(sql, sight)}`);
      return all.filter(({ id }) => seen.includes(id));
    });
    return { items: people.map(({ id, name }) => ({ id, name })) };
  },
});

type PersonRow = NamedPerson & { email: string; disabled: number };

export function listPeopleNames(sql: SQL): Promise<PersonRow[]> {
  return sql<PersonRow[]>`
    select id, coalesce(name, email) as name, email, disabled from users
    order by lower(coalesce(name, email)), id`;
}

export async function readPeople(sql: SQL): Promise<Map<string, NamedPerson>> {
  return new Map((await listPeopleNames(sql)).map(({ id, name }) => [id, { id, name }]));
}

/** @throws {RequestError} 400 where a person who is to have a domain has no account. */
export async function refuseUnknownPerson(
  sql: SQL,
  id: string | null | undefined,
  pointer = "/person",
): Promise<void> {
  if (!id || (await hasRows(sql`select 1 from users where id = ${id}`))) return;
  throw badFields([{ pointer, code: "value", detail: "Expected the id of a person" }]);
}

/** People who can sign in, by folded address and name: not by what several go by or what is another's. */
export function byOwnWords(people: readonly PersonRow[]): Map<string, NamedPerson> {
  const addresses = new Set(people.map(({ email }) => foldLabel(email)));
  const words = people.flatMap(({ id, name, email, disabled }) => {
    const [address, own] = [foldLabel(email), foldLabel(name)];
    const known = addresses.has(own) ? [address] : [address, own];
    return disabled === 0 ? known.map((word) => ({ word, person: { id, name } })) : [];
  });
  const unique = [...Map.groupBy(words, ({ word }) => word).values()].filter(
    ({ length }) => length === 1,
  );
  return new Map(unique.flat().map(({ word, person }) => [word, person]));
}
