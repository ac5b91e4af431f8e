import { addDays } from "../../shared/day.ts";
import {
  type Decision,
  DECISION_LABELS,
  DECISIONS,
  type Domain,
  type DomainInput,
} from "../../shared/domain.ts";
import { dueDay, type Work } from "../../shared/work.ts";
import { hasRole } from "../session/session-store.ts";
import { localToday } from "../ui/format.ts";
import { createStore } from "../ui/store.ts";

export type DomainQuestion = "edit" | "delete" | "done" | "handled";

export interface ActionScreen {
  change: (domain: Domain, input: DomainInput) => void;
  ask: (question: DomainQuestion, domain: Domain) => void;
}

export interface OpenedDomain {
  domain: Domain;
  screen: ActionScreen;
}

/** The domain on a page or in a panel, for the palette. */
export const openedDomain = createStore<OpenedDomain | null>(null);

/** An action for one domain, for every menu, button and key. */
export interface DomainAction {
  id: string;
  label: string;
  /** Takes the action in the focused row of home, if it is offered for its work. */
  key?: string;
  /** Actions of a group stand together. Those without one are offered for work only. */
  group?: "edit" | "decision" | "delete";
  work?: readonly Work[];
  /** Whether it makes sense for a domain; by default, always. */
  isAvailable?: (domain: Domain) => boolean;
  isChosen?: (domain: Domain) => boolean;
  run: (domain: Domain, screen: ActionScreen) => unknown;
}

/** The work that offers each decision, and its key: `j` and `k` move between rows. */
const DECIDING: Readonly<Record<Decision, Pick<DomainAction, "key" | "work">>> = {
  keep: { key: "y", work: ["undecided", "transfer", "switch-off"] },
  watch: {},
  transfer: { key: "t", work: ["undecided", "renew", "switch-off"] },
  drop: { key: "d", work: ["expired", "undecided", "renew", "transfer", "trouble", "look"] },
};

function decide(decision: Decision | null, more: Pick<DomainAction, "key" | "work">): DomainAction {
  return {
    id: decision ?? "undecided",
    label: DECISION_LABELS[decision ?? "-"],
    group: "decision",
    isChosen: (domain) => domain.decision === decision,
    run: (domain, { change }) => domain.decision === decision || change(domain, { decision }),
    ...more,
  };
}

/** Whether its registrar holds it or takes it away, by the status that it reports. */
export const isHeldByRegistrar = ({ findingCodes }: Domain) =>
  findingCodes.some((code) => code.startsWith("registrar-") && code !== "registrar-changed");

/** All actions for one domain, in the order in which they are offered. */
export const DOMAIN_ACTIONS: readonly DomainAction[] = [
  {
    id: "edit",
    label: "Edit",
    group: "edit",
    run: (domain, { ask }) => ask("edit", domain),
  },
  {
    id: "renewed",
    label: "Renewed",
    key: "x",
    work: ["expired", "renew"],
    run: (domain, { ask }) => ask("done", domain),
  },
  {
    id: "done",
    label: "Done",
    key: "x",
    work: ["transfer", "switch-off", "trouble", "look"],
    isAvailable: (domain) =>
      /drop|transfer/.test(domain.decision ?? "") || !domain.expires || isHeldByRegistrar(domain),
    // For a domain to drop, done means that auto-renew is off; for one that its registrar holds or takes
    // away, that this is over until the registrar reports it again.
    run: (domain, { change, ask }) => {
      if (domain.decision === "drop") change(domain, { autoRenew: false });
      else if (domain.decision !== "transfer" && isHeldByRegistrar(domain))
        change(domain, { status: null });
      else ask("done", domain);
    },
  },
  decide(null, {}),
  ...DECISIONS.map((decision) => decide(decision, DECIDING[decision])),
  {
    id: "handled",
    label: "Remind me later…",
    key: "l",
    group: "edit",
    work: ["undecided", "renew", "transfer", "switch-off", "trouble"],
    // The last three reminders always come.
    isAvailable: (domain) => (dueDay(domain) ?? "") > addDays(localToday(), 1),
    run: (domain, { ask }) => ask("handled", domain),
  },
  {
    id: "archive",
    label: "Archive",
    group: "delete",
    isAvailable: ({ archivedOn }) => archivedOn === null,
    run: (domain, { change }) => change(domain, { archivedOn: localToday() }),
  },
  {
    id: "bring-back",
    label: "Bring back",
    group: "delete",
    isAvailable: ({ archivedOn }) => archivedOn !== null,
    run: (domain, { change }) => change(domain, { archivedOn: null }),
  },
  {
    id: "delete",
    label: "Delete",
    group: "delete",
    run: (domain, { ask }) => ask("delete", domain),
  },
];

/** The actions that the person has for a domain: a viewer has none. */
export function actionsFor(domain: Domain): readonly DomainAction[] {
  if (!hasRole("editor")) return [];
  return DOMAIN_ACTIONS.filter((action) => action.isAvailable?.(domain) ?? true);
}
