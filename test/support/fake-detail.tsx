import { render } from "@testing-library/react";
import { beforeEach } from "bun:test";
import { Route } from "wouter";
import type { DomainDetail, Observation } from "../../src/shared/domain.ts";
import Domain from "../../src/client/domains/domain/domain.tsx";
import { domainOf, fakeApi } from "./fake-api.ts";

/** The name whose screen the tests open, unless they say otherwise. */
export const NAME = "xn--bcher-kva.example";

/** An expiry that another source disagrees with. */
export const DISPUTED = {
  date: "2027-05-05",
  source: "Gandi",
  observedAt: "2026-11-01T10:00:00Z",
  conflict: true,
  alternatives: [{ date: "2027-06-06", source: "GoDaddy" }],
};

/** What a source said of an expiry. */
export function said(source: string, date: string | null): Observation {
  return { source, date, observedAt: "2026-11-01T10:00:00Z" };
}

/** One name with all that its screen shows. */
export function detailOf(known: Partial<DomainDetail> = {}): DomainDetail {
  return {
    ...domainOf(NAME, { unicode: "bücher.example" }),
    observations: [],
    createdAt: "2026-11-01T10:00:00Z",
    updatedAt: "2026-11-01T10:00:00Z",
    ...known,
  };
}

/** Stands in for the backend behind the screen of one name, for whoever is signed in. */
export function fakeDetail() {
  const api = fakeApi();
  beforeEach(() => api.enter({ state: "signed-in", email: "ada@example.com" }));
  return {
    api,
    /** Answers with one name, its history, and what a change of it gives. */
    holds(known: DomainDetail, patched = () => Response.json({ ...known, version: 2 })) {
      api.answer = ({ method, path }) => {
        if (path.endsWith("/history")) return Response.json({ items: [], next: null });
        return method === "PATCH" ? patched() : Response.json(known);
      };
    },
    open(name = NAME) {
      history.replaceState(null, "", `/domains/${name}`);
      return render(<Route path="/domains/:domain" component={Domain} />);
    },
    /** Every change of the name that was asked for. */
    edits: () => api.sent(`PATCH /api/domains/id-${NAME}`),
  };
}
