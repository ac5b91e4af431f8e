import { acceptsHtml } from "./accept-html.ts";
import { refuse } from "./plain-answers.ts";
import { answerWith, type Resource } from "./resource.ts";
import type { Site } from "../site/site.ts";

/** The last segment of a path names a type. */
const EXTENSION = /\.[^/]*$/;

/**
 * Answers what is not the backend's: files, the page of a known screen, and for any other address
 * that a person may have come to the page that says so, with status 404. What is in memory is answered
 * at once: a promise would be half the work.
 */
export function answerFromSite(
  site: Site,
  request: Request,
  path: string,
): Response | Promise<Response> {
  const found = site.find(path);
  if (found instanceof Promise)
    return found.then((resource) => answerFound(site, request, path, resource));
  return answerFound(site, request, path, found);
}

function answerFound(site: Site, request: Request, path: string, resource: Resource | undefined) {
  const { method } = request;
  const reads = method === "GET" || method === "HEAD";
  if (resource && reads) return answerWith(resource, request);
  if (resource) {
    return refuse(405, "This can only be read.", { Allow: "GET, HEAD" });
  }
  const forPeople = !EXTENSION.test(path) && acceptsHtml(request.headers.get("accept"));
  if (reads && forPeople) return answerNotFound(site, request);
  return refuse(404, "There is nothing here.");
}

async function answerNotFound(site: Site, request: Request): Promise<Response> {
  return answerWith(await site.notFound(), request, 404);
}
