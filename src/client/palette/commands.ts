import { useState } from "react";
import { type Domain, type DomainPage, parseDomainPage } from "../../shared/domain.ts";
import { parseSavedViews } from "../../shared/register.ts";
import { foldText, matchesWords, parseWords, searchText } from "../../shared/search.ts";
import { dueDay } from "../../shared/work.ts";
import { urlOf } from "../base-path.ts";
import { actionsFor, type OpenedDomain, openedDomain } from "../register/domain-actions.ts";
import { useResource } from "../register/resource.tsx";
import { areShortcutsEnabled } from "../register/shortcut-keys.ts";
import { lastUndoable, undoOperation } from "../register/undo.ts";
import { listPath, screens } from "../screens.ts";
import { leave } from "../session/person-menu.tsx";
import { hasRole } from "../session/session-store.ts";
import { useDelayed } from "../ui/delayed.ts";
import { formatDay } from "../ui/format.ts";
import { download } from "../ui/page.ts";
import { useStore } from "../ui/store.ts";

export interface Command {
  key: string;
  label: string;
  run: (navigate: (href: string) => void) => unknown;
  ascii?: string;
  note?: string;
}

const SEARCH_DELAY_MS = 150;
const MAX_DOMAINS = 8;
/** Domains requested, to choose the best matches from. */
const MAX_CANDIDATES = 50;

const go = (label: string, href: string, key = href): Command => ({
  key,
  label,
  run: (navigate) => navigate(href),
});

const listActions = (): Command[] => [
  ...[lastUndoable() ?? []].flat().map(({ text, operation }) => ({
    key: "undo",
    label: `Undo: ${text.replace(/\.$/, "")}`,
    note: areShortcutsEnabled() ? "z" : "",
    run: () => undoOperation(operation),
  })),
  ...Object.entries(screens)
    .filter(([href, { role = "limited", redirect }]) => {
      return hasRole(role) && !redirect && !href.includes(":");
    })
    .map(([href, { title, label = title }]) => go(label, href)),
  ...(hasRole("editor") ? [go("Add a domain", "/domains?add")] : []),
  {
    key: "export",
    label: "Export all domains as CSV",
    run: () => download(urlOf("/api/domains.csv")),
  },
  { key: "sign-out", label: "Sign out", run: leave },
];

/** Actions, saved views and domains that match a text. Domains come when the server has answered. */
export function useCommands(written: string) {
  const sought = written.trim();
  const views = useResource("/api/views", parseSavedViews);
  const domains = useDomains(sought);
  const opened = useStore(openedDomain);
  const ofDomain = opened ? toActions(opened) : [];
  const words = parseWords(sought);
  const matches = ({ label }: Command) => matchesWords(words, foldText(label));
  const viewCommands = (views.value?.items ?? []).map(({ id, name, query }) =>
    go(name, `/domains?${query}`, id),
  );
  const all = `All domains that match “${sought}”`;
  const searchAll = go(all, listPath({ q: sought }), "search");
  const groups: { label: string; commands: Command[] }[] = [
    { label: opened?.domain.unicode ?? "", commands: ofDomain.filter(matches) },
    { label: "Actions", commands: listActions().filter(matches) },
    { label: "Saved views", commands: viewCommands.filter(matches) },
    { label: "Domains", commands: domains.items.map(toCommand) },
    { label: "Search", commands: sought === "" ? [] : [searchAll] },
  ];
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    loading: domains.loading,
    error: domains.error ?? views.error,
  };
}

/** The actions of a domain, without the decision that it already has. */
function toActions({ domain, screen }: OpenedDomain): Command[] {
  return actionsFor(domain)
    .filter((action) => action.group && !action.isChosen?.(domain))
    .map((action) => ({
      key: `act-${action.id}`,
      label: action.label,
      run: () => action.run(domain, screen),
    }));
}

function toCommand(domain: Domain): Command {
  const { id, name, unicode, registrar } = domain;
  const due = dueDay(domain);
  // Isolated (UAX #9): the day would go to the other side of a name from right to left.
  const at = registrar && `\u2068${registrar}\u2069`;
  const note = [at, due && formatDay(due, "medium")].filter(Boolean).join(" · ");
  return { ...go(unicode, `/domains/${name}`), key: id, ascii: name, note };
}

/** Domains that begin with the first word come first, the shortest on top. */
function findBest(items: readonly Domain[], sought: string): Domain[] {
  const part = parseWords(sought).find(({ not }) => !not)?.text ?? "";
  const rank = ({ name, unicode }: Domain) =>
    name.startsWith(part) || foldText(unicode).startsWith(part) ? unicode.length : Infinity;
  // Equal ranks keep their order: Infinity minus itself is NaN.
  return items.toSorted((a, b) => rank(a) - rank(b) || 0).slice(0, MAX_DOMAINS);
}

/** The first domains that match; until they arrive, those of the previous text that still match. */
function useDomains(sought: string) {
  const query = useDelayed(sought, SEARCH_DELAY_MS);
  const parameters = new URLSearchParams({ q: query, limit: String(MAX_CANDIDATES) });
  const url = query === "" ? null : `/api/domains?${parameters}`;
  const { value: page, error } = useResource(url, parseDomainPage);
  const [latest, setLatest] = useState<DomainPage>();
  if (page && page !== latest) setLatest(page);

  if (sought === "") return { items: [], loading: false };
  if (query === sought && (page || error !== undefined)) {
    return { items: findBest(page?.items ?? [], sought), error, loading: false };
  }
  const words = parseWords(sought);
  const matches = (domain: Domain) =>
    matchesWords(words, `${searchText(domain)} ${foldText(domain.person?.name ?? "")}`);
  return { items: findBest(latest?.items.filter(matches) ?? [], sought), loading: true };
}
