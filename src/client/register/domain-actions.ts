import {
  type Decision,
  DECISION_LABELS,
  DECISIONS,
  type Domain,
  type DomainInput,
} from "../../shared/domain.ts";
import type { Role } from "../../shared/session.ts";
import type { Work } from "../../shared/work.ts";
import { may } from "../session/session-store.ts";
import { createStore } from "../ui/store.ts";
import { canPutOff } from "./expiry-words.ts";

/** What is asked before an action is taken. */
export type DomainQuestion = "edit" | "delete" | "done" | "handled";

/** What an action needs of the screen that offers it. */
export interface ActionScreen {
  /** Saves some values of this version of a domain. */
  change: (domain: Domain, input: DomainInput) => void;
  /** Opens the dialog that asks for the rest. */
  ask: (question: DomainQuestion, domain: Domain) => void;
}

/** A domain that has a page or a panel of its own. */
export interface OpenedDomain {
  domain: Domain;
  screen: ActionScreen;
}

/** The domain that is open: the palette offers what can be done with it. */
export const openedDomain = createStore<OpenedDomain | null>(null);

/** Something that can be done with one domain, for every menu, button and key that does it. */
export interface DomainAction {
  id: string;
  label: string;
  /** The label where there is little room. */
  short?: string;
  /** Presses its button while the row that has it has the focus. */
  key?: string;
  /** Actions of a group stand together; what is in none is offered for work only. */
  group?: "edit" | "decision" | "delete";
  /** The work that offers it. */
  work?: readonly Work[];
  /** Who may do it: this role, and those above. */
  role: Role;
  /** Whether it makes sense for a domain; always, where there is no such rule. */
  isAvailable?: (domain: Domain) => boolean;
  /** Whether it is what was chosen last, for a group of which one holds. */
  isChosen?: (domain: Domain) => boolean;
  run: (domain: Domain, screen: ActionScreen) => unknown;
}

/** The keys of decisions, none of which moves between rows as `j` and `k` do, and the work that offers them. */
const DECIDING: Readonly<Record<Decision, Pick<DomainAction, "key" | "work">>> = {
  keep: { key: "y", work: ["undecided", "transfer", "switch-off"] },
  watch: {},
  transfer: { key: "t", work: ["undecided", "renew", "switch-off"] },
  drop: { key: "d", work: ["expired", "undecided", "renew", "transfer"] },
};

function decide(decision: Decision | null, more: Pick<DomainAction, "key" | "work">): DomainAction {
  return {
    id: decision ?? "undecided",
    label: DECISION_LABELS[decision ?? "-"],
    group: "decision",
    role: "editor",
    isChosen: (domain) => domain.decision === decision,
    run: (domain, { change }) => domain.decision === decision || change(domain, { decision }),
    ...more,
  };
}

/** All that can be done with one domain, in the order in which it is offered. */
export const DOMAIN_ACTIONS: readonly DomainAction[] = [
  {
    id: "edit",
    label: "Edit",
    group: "edit",
    role: "editor",
    run: (domain, { ask }) => ask("edit", domain),
  },
  {
    id: "renewed",
    label: "Renewed",
    key: "x",
    work: ["expired", "renew"],
    role: "editor",
    run: (domain, { ask }) => ask("done", domain),
  },
  {
    id: "done",
    label: "Done",
    key: "x",
    work: ["transfer", "switch-off"],
    role: "editor",
    // What is to be dropped is done once its auto-renew is off.
    run: (domain, { change, ask }) =>
      domain.decision === "drop" ? change(domain, { autoRenew: false }) : ask("done", domain),
  },
  decide(null, {}),
  ...DECISIONS.map((decision) => decide(decision, DECIDING[decision])),
  {
    id: "handled",
    label: "Remind me later…",
    short: "Later",
    key: "l",
    group: "edit",
    work: ["undecided", "renew", "transfer", "switch-off"],
    role: "editor",
    isAvailable: canPutOff,
    run: (domain, { ask }) => ask("handled", domain),
  },
  {
    id: "delete",
    label: "Delete",
    group: "delete",
    role: "editor",
    run: (domain, { ask }) => ask("delete", domain),
  },
];

/** What can be done with a domain by whoever is signed in. */
export function actionsFor(domain: Domain): readonly DomainAction[] {
  return DOMAIN_ACTIONS.filter(
    (action) => may(action.role) && (action.isAvailable?.(domain) ?? true),
  );
}
