import type { Domain } from "../../shared/contract.ts";
import type { Database } from "../database/database.ts";
import { badFields } from "../http/problem.ts";
import { writeCsv } from "./csv-export.ts";
import { decodeCursor } from "./domain-cursor.ts";
import { parseExportQuery, type DomainQuery } from "./domain-query.ts";
import type { Errand } from "./domain-routes.ts";
import { matchesFew, pageDomains } from "./list-domains.ts";

/** Names in one read: short enough for others to get their turn. */
const BATCH = 200;

/**
 * `GET /api/domains.csv`: every name that the filter shows, in its order. It is read page by page
 * while the client takes it, so a name that changes meanwhile comes as it is at that moment. A
 * failure half-way breaks the connection off: a file that ends properly is whole.
 */
export async function exportDomains({ database, url, request }: Errand): Promise<Response> {
  const query = parseExportQuery(url.searchParams);
  if (Array.isArray(query)) return badFields(query);
  const pages = readPages(database, query);
  // The first page is read before the answer begins, so that it can still be a 503.
  const first = await pages.next();
  const text = writeCsv(startingWith(first.value ?? [], pages));
  const day = new Date().toISOString().slice(0, 10);
  return new Response(request.method === "HEAD" ? null : streamOf(text, url.pathname), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="domains-${day}.csv"`,
    },
  });
}

async function* readPages(
  database: Database,
  query: Pick<DomainQuery, "filter" | "sort">,
): AsyncGenerator<readonly Domain[], undefined> {
  const few = await database.read((sql) => matchesFew(sql, query.filter));
  let next: string | null = "";
  while (next !== null) {
    const after = decodeCursor(next, query.sort);
    const wanted = { ...query, limit: BATCH, after };
    const page = await database.read((sql) => pageDomains(sql, wanted, few));
    yield page.items;
    next = page.next;
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** The texts as bytes, each made when the client has room for it. */
function streamOf(texts: AsyncGenerator<string>, path: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        // Nobody else sees it: the answer has begun long ago.
        console.error(`GET ${path} broke off:`, error);
        controller.error(error);
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
