import { act, render, screen } from "@testing-library/react";
import ImportNames from "../../src/client/import/import.tsx";
import type { Import } from "../../src/shared/import.ts";
import { type ApiCall, fakeApi, problem } from "./fake-api.ts";

/** The path of the one import that most tests look at. */
export const ONE = "/api/imports/import-1";

/** Stands in for the backend of the import wizard, for somebody who is signed in. */
export function fakeImports() {
  const api = fakeApi("/domains/import");

  return {
    api,
    /**
     * Holds some imports, which uploads become in turn; takes every edit, commit and undo as `change`
     * says. No rows.
     */
    serve(
      held: Import[],
      change: (call: ApiCall, held: Import) => Partial<Import> | Response = () => ({}),
    ) {
      let posted = 0;
      api.answer = (call) => {
        if (call.path === "/api/upload/post") {
          return Response.json({ uploadId: "u", name: "names.csv", bytes: 1, sha256: "" });
        }
        if (call.path === "/api/imports") {
          if (call.method === "GET") return Response.json({ items: held });
          posted += 1;
          return Response.json(held[Math.min(posted, held.length) - 1]);
        }
        const index = held.findIndex(({ id }) => call.path.startsWith(`/api/imports/${id}`));
        const found = held[index];
        if (!found) return problem(404, "There is no such import.");
        if (call.path.endsWith("/rows") && call.method === "GET")
          return Response.json({ items: [], next: null });
        if (call.method === "GET") return Response.json(found);
        const changed = change(call, found);
        if (changed instanceof Response) return changed;
        if (call.path.endsWith("/foretell")) return Response.json({ ...found, ...changed });
        held[index] = { ...found, ...changed };
        return Response.json(held[index]);
      };
    },
    /** The bodies of the calls of one method on one path. */
    bodies: (what: string) => api.sent(what).map(({ body }) => body),
  };
}

/** Shows the wizard at an address. */
export async function openWizard(address: string) {
  history.replaceState(null, "", address);
  await act(async () => render(<ImportNames />));
}

/** The heading of the step that is shown, once it is. */
export function stepHeading(name: string): Promise<HTMLElement> {
  return screen.findByRole("heading", { level: 2, name });
}
