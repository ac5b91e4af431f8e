import { fireEvent, render, screen, within } from "@testing-library/react";
import { Route } from "wouter";
import type { DomainDetail, Observation } from "../../src/shared/domain-detail.ts";
import { DEFAULT_SETTINGS } from "../../src/shared/settings.ts";
import Domain from "../../src/client/domains/domain/domain.tsx";
import { NotificationList } from "../../src/client/shell/layout.tsx";
import { domainOf, fakeApi } from "./fake-api.ts";

/** The choices of a domain, in a menu that is open from now on. */
async function findChoices(group: "Decision" | "Auto-renew") {
  const more = await screen.findByRole("button", { name: /^More for / });
  if (more.getAttribute("aria-expanded") !== "true") fireEvent.click(more);
  return within(screen.getByRole("group", { name: group, hidden: true }));
}

/** The option of a choice that is pressed, such as `Drop` of the decision. */
export async function chosen(group: "Decision" | "Auto-renew"): Promise<string> {
  const options = await findChoices(group);
  return options.getByRole("button", { pressed: true, hidden: true }).textContent;
}

/** Presses an option of a choice, once it is there. */
export async function choose(group: "Decision" | "Auto-renew", option: string): Promise<void> {
  const options = await findChoices(group);
  fireEvent.click(options.getByRole("button", { name: option, hidden: true }));
}

/** The name whose screen the tests open, unless they say otherwise. */
export const NAME = "xn--bcher-kva.example";

/** An expiry that another source disagrees with. */
export const DISPUTED = {
  date: "2027-05-05",
  source: "Gandi",
  observedAt: "2026-11-01T10:00:00Z",
  conflict: true,
  alternatives: [{ date: "2027-06-06", source: "GoDaddy", observedAt: "" }],
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
    checks: {},
    findings: [],
    checksOn: false,
    waiting: [],
    expiryRule: null,
    loginUrl: null,
    vanished: null,
    createdAt: "2026-11-01T10:00:00Z",
    updatedAt: "2026-11-01T10:00:00Z",
    ...known,
  };
}

/** Stands in for the backend behind the screen of one name, for whoever is signed in. */
export function fakeDetail() {
  const api = fakeApi(`/domains/${NAME}`);
  return {
    api,
    /** Answers with one name, its history, and what a change of it gives. */
    holds(known: DomainDetail, patched = () => Response.json({ ...known, version: 2 })) {
      api.answer = ({ method, path }) => {
        if (path.endsWith("/history")) return Response.json({ items: [], next: null });
        if (path === "/api/settings") return Response.json(DEFAULT_SETTINGS);
        return method === "PATCH" ? patched() : Response.json(known);
      };
    },
    open(name = NAME) {
      history.replaceState(null, "", `/domains/${name}`);
      return render(
        <>
          <Route path="/domains/:domain" component={Domain} />
          <NotificationList />
        </>,
      );
    },
    /** Every change of the name that was asked for. */
    edits: () => api.sent(`PATCH /api/domains/id-${NAME}`),
  };
}
