import { createRouter } from "../../src/backend/http/router.ts";
import { problemStatuses, type Route } from "../../src/backend/http/route.ts";
import { schemaOf } from "../../src/shared/parse.ts";
import { schemaFaults } from "./json-schema.ts";

/** Checks that answers are what their routes say. */
export function createContractCheck(routes: readonly Route[]) {
  const router = createRouter(routes);

  function routeOf(request: Request): Route | null {
    const user = { id: "", email: "", name: "", role: "owner", token: null } as const;
    try {
      return router({ request, url: new URL(request.url), user }).route;
    } catch {
      return null;
    }
  }

  /** @throws {Error} Where the status or the content is not what the route says. */
  return async (request: Request, response: Response): Promise<void> => {
    const { status, headers } = response;
    const route = routeOf(request);
    if (route === null) return;
    const { answer, statuses = [answer === null ? 204 : 200] } = route;
    const where = `${request.method} ${route.path}`;
    if (!statuses.includes(status)) {
      if (problemStatuses(route).has(status)) return;
      throw new Error(`${where} answered ${status}, which its route does not name`);
    }
    if (typeof answer === "string" && status === 200) {
      if (headers.get("content-type")?.startsWith(answer)) return;
      throw new Error(`${where} answered ${headers.get("content-type")}`);
    }
    if (typeof answer !== "function" || request.method === "HEAD" || status === 304) return;
    const json: unknown = await response.clone().json();
    const faults = schemaFaults(schemaOf(answer), json);
    if (faults.length > 0) throw new Error(`${where} answered another shape at ${faults}`);
    // What the parser leaves out is nobody's contract.
    if (!Bun.deepEquals(answer(json), json)) {
      throw new Error(`${where} answered more than its route says: ${JSON.stringify(json)}`);
    }
  };
}
