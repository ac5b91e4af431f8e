import { createHash } from "node:crypto";
import { urlFor } from "../../shared/api.ts";
import { describeApi } from "./open-api.ts";
import { whole } from "./responses.ts";
import { originOf, route, type RequestContext, type Route } from "./route.ts";

const DOCUMENT_PATH = "/api/openapi.json";

type Caller = Pick<RequestContext, "brand" | "publicUrl" | "url" | "peer">;

/** `described`, and the routes that describe all of them: a document for programs, a page for people. */
export function withDescription(described: readonly Route[]): readonly Route[] {
  let document: { body: string; etag: string } | null = null;

  function describe({ brand, publicUrl, peer }: Caller) {
    const url = publicUrl ?? (urlFor(peer, "") || "/");
    const body = JSON.stringify(describeApi(routes, { brand, url }));
    return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
  }

  const routes: readonly Route[] = [
    ...described,
    route(`GET ${DOCUMENT_PATH}`, "public", {
      summary: "Read this description of the API",
      answer: "application/json",
      statuses: [200, 304],
      sends: ["ETag"],
      handle(context) {
        const { body, etag } = (document ??= describe(context));
        const headers = { ETag: etag, "Cache-Control": "public, no-cache" };
        return whole(body, { ...headers, "Content-Type": "application/json" });
      },
    }),
    route("GET /api", "public", {
      summary: "Show where the description of the API is, and how to begin",
      answer: "text/html",
      handle: (context) => whole(page(context), { "Content-Type": "text/html; charset=utf-8" }),
    }),
  ];
  return routes;
}

function page(context: Caller): string {
  const { peer } = context;
  const origin = originOf(context);
  const authorized = `curl -H "Authorization: Bearer $TOKEN"`;
  const json = `-H "Content-Type: application/json" -d '{"name": "example.com"}'`;
  const examples = [
    ["List domains", `${authorized} ${origin}/api/domains`],
    ["Add a domain", `${authorized} ${json} ${origin}/api/domains`],
    ["Export all domains", `${authorized} -o domains.csv ${origin}/api/domains.csv`],
  ] as const;
  const name = Bun.escapeHTML(`${context.brand} API`);
  const shown = examples.map(
    ([title, command]) => `<h2>${title}</h2>\n<pre><code>${Bun.escapeHTML(command)}</code></pre>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<h1>${name}</h1>
<p>The whole API is described in OpenAPI 3.1 at <a href="${urlFor(peer, DOCUMENT_PATH)}">${DOCUMENT_PATH}</a>.</p>
<p>Create a token under <a href="${urlFor(peer, "/settings/tokens")}">Settings</a>, then try it: <code>export TOKEN=fh_…</code></p>
${shown.join("\n")}
</html>
`;
}
