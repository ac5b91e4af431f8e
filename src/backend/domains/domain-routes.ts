import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { json } from "../http/answer.ts";
import { matchesStrongly, matchesWeakly } from "../../shared/entity-tag.ts";
import { badFields, problem } from "../http/problem.ts";
import { readJson } from "../http/read-body.ts";
import { findDomain, readDomainDetail } from "./domain-detail.ts";
import { parseDomainInput } from "./domain-input.ts";
import { parseDomainName } from "./domain-name.ts";
import { parseDomainQuery } from "./domain-query.ts";
import { readDomain } from "./domain-row.ts";
import type { Author } from "./history.ts";
import { listDomains } from "./list-domains.ts";
import { addDomain, deleteDomain, editDomain, type Saved } from "./save-domain.ts";

/** What a request to the register comes with. */
export interface Errand {
  database: Database;
  request: Request;
  url: URL;
  email: string;
}

/** `GET /api/domains` */
export async function showDomains({ database, url }: Errand): Promise<Response> {
  const query = parseDomainQuery(url.searchParams);
  if (Array.isArray(query)) return badFields(query);
  return json(await database.read((sql) => listDomains(sql, query)));
}

/** `POST /api/domains` */
export async function createDomain(errand: Errand): Promise<Response> {
  const body = await readJson(errand.request);
  if (body instanceof Response) return body;
  const values = parseDomainInput(body, { nameRequired: true });
  if (Array.isArray(values)) return badFields(values);
  const saved = await errand.database.write((sql) => addDomain(sql, values, authorOf(errand)));
  return answerTo(saved, (domain) =>
    json(domain, 201, {
      ETag: etagOf(domain.version),
      Location: `/api/domains/${domain.id}`,
    }),
  );
}

/** `GET /api/domains/:name`, in any form that people write names in. */
export async function showNamed(errand: Errand, text: string): Promise<Response> {
  const name = parseDomainName(decodeSegment(text));
  if ("code" in name) return missing();
  const id = await errand.database.read((sql) => findDomain(sql, name.name));
  return id === null ? missing() : showDomain(errand, id);
}

/** `GET /api/domains/:id`, 304 where `If-None-Match` knows it. */
export async function showDomain({ database, request }: Errand, id: string): Promise<Response> {
  const domain = await database.read((sql) => readDomainDetail(sql, id));
  if (domain === null) return missing();
  const etag = etagOf(domain.version);
  if (matchesWeakly(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag } });
  }
  return json(domain, 200, { ETag: etag });
}

/** `PATCH /api/domains/:id` with `If-Match`; what is absent stays. */
export async function changeDomain(errand: Errand, id: string): Promise<Response> {
  const accepts = await precondition(errand, id);
  if (accepts instanceof Response) return accepts;
  const body = await readJson(errand.request);
  if (body instanceof Response) return body;
  const values = parseDomainInput(body, { nameRequired: false });
  if (Array.isArray(values)) return badFields(values);
  const author = authorOf(errand);
  const saved = await errand.database
    .write((sql) => editDomain(sql, id, values, { accepts, author }))
    .catch((error: unknown) => takenMeanwhile(errand.database, values.name?.name, error));
  return answerTo(saved, (domain) => json(domain, 200, { ETag: etagOf(domain.version) }));
}

/** `DELETE /api/domains/:id` with `If-Match`. */
export async function removeDomain(errand: Errand, id: string): Promise<Response> {
  const accepts = await precondition(errand, id);
  if (accepts instanceof Response) return accepts;
  const author = authorOf(errand);
  const saved = await errand.database.write((sql) => deleteDomain(sql, id, { accepts, author }));
  return answerTo(saved, () => new Response(null, { status: 204 }));
}

/** `If-Match` as a test on versions; 404 comes before 428, so that a wrong address is not asked on. */
async function precondition({ database, request }: Errand, id: string) {
  const header = request.headers.get("if-match");
  if (header !== null) return (version: number) => matchesStrongly(header, etagOf(version));
  const domain = await database.read((sql) => readDomain(sql, id));
  if (domain === null) return missing();
  return problem(428, "Expected If-Match with the ETag of the copy that is to be changed");
}

/** Two instances may rename to the same name at once; then only the constraint sees it. */
async function takenMeanwhile(
  database: Database,
  name: string | undefined,
  error: unknown,
): Promise<Saved> {
  if (name === undefined || !isUniqueViolation(error)) throw error;
  const id = await database.read((sql) => findDomain(sql, name));
  return { kind: "taken", existing: id ?? "" };
}

function answerTo(
  saved: Saved,
  answer: (domain: Extract<Saved, { kind: "saved" }>["domain"]) => Response,
): Response {
  if (saved.kind === "saved") return answer(saved.domain);
  if (saved.kind === "missing") return missing();
  if (saved.kind === "stale") {
    const { current } = saved;
    const detail = "The domain was changed since; `current` is what it is now";
    return problem(412, detail, { current }, { ETag: etagOf(current.version) });
  }
  const detail = "The register has this name already";
  const errors = [{ pointer: "/name", code: "taken", detail }];
  return problem(409, detail, { errors, existing: saved.existing });
}

/** A segment of a path as text; what is no percent-encoding stays as it is. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function missing(): Response {
  return problem(404, "There is no such domain");
}

function authorOf({ email }: Errand): Author {
  return { email, at: new Date().toISOString() };
}

/** The strong validator of one version of a resource (RFC 9110 §8.8.3). */
function etagOf(version: number): string {
  return `"${version}"`;
}
