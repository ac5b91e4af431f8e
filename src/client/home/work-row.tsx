import { Link } from "wouter";
import { daysBetween } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type { Summary } from "../../shared/register.ts";
import { dueDay, expiryAdvice, reportedDates, type Work, workOf } from "../../shared/work.ts";
import { ActionButton, useActionScreen } from "../register/act-on-domains.tsx";
import { actionsFor, DOMAIN_ACTIONS } from "../register/domain-actions.ts";
import { handledInWords, otherDatesInWords } from "../register/expiry-words.ts";
import { hasRole } from "../session/session-store.ts";
import { areShortcutsEnabled } from "../register/shortcut-keys.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import { formatAmount, formatDay, formatRelative, localToday } from "../ui/format.ts";
import { ROW_CLASS, rowId, useRowKeys } from "./work-rows.ts";

/** What to do with a domain, or why it is in the list. */
function reasonOf(domain: Domain, kind: Work): string {
  const { autoRenew, renewal } = domain;
  const [why = "", todo = ""] = expiryAdvice(domain, kind === "expired") ?? [];
  if (kind === "undecided" || (kind === "expired" && autoRenew)) return why;
  if (kind !== "renew" || !renewal) return todo;
  return `${todo} · ${formatAmount(renewal.minor, renewal.currency)}`;
}

function workActions(domain: Domain, time: Summary) {
  // Null only if the day has changed since the summary was read.
  const kind = workOf(domain, time) ?? "undecided";
  return { kind, actions: actionsFor(domain).filter(({ work }) => work?.includes(kind)) };
}

/** One line: a domain, what to do with it, by when, and the actions. */
export function Row({ domain, time }: { domain: Domain; time: Summary }) {
  const { name, unicode, expires, decision } = domain;
  const { kind, actions } = workActions(domain, time);
  const [likely, ...others] = actions;
  const due = dueDay(domain) ?? time.today;
  const days = daysBetween(localToday(), due);
  const urgency = decision === "drop" ? "" : days < 2 ? "near" : days < 8 ? "soon" : "";
  return (
    <li id={rowId(domain.id)} className={ROW_CLASS}>
      <span>
        <Link href={`/domains/${name}`}>{unicode}</Link>
        <AsciiName {...domain} />
      </span>
      <span className="work-do">
        {expires?.conflict && (
          <>
            <span className="status-pill conflict both-dates">
              {reportedDates(expires).length} dates
            </span>{" "}
          </>
        )}
        {[
          expires && otherDatesInWords(expires),
          reasonOf(domain, kind),
          handledInWords(domain.handled),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <time dateTime={due}>{formatDay(due, days < -300 ? "medium" : "shortDay")}</time>
      <span className={`work-when ${urgency}`}>{formatRelative(days, "day")}</span>
      <span className="work-buttons">
        {likely && (
          <ActionButton
            action={likely}
            domain={domain}
            look="primary"
            aria-label={`${likely.label} ${unicode}`}
            aria-keyshortcuts={likely.key}
          />
        )}
        {others[0] && (
          <Dropdown label="⋯" name={`More for ${unicode}`}>
            <div className="row-menu">
              {others.map((action) => (
                <ActionButton key={action.id} action={action} domain={domain} look="quiet" />
              ))}
            </div>
          </Dropdown>
        )}
      </span>
    </li>
  );
}

/** Lets keys act on the focused row, and lists them. */
export function RowKeys({ rows, time }: { rows: readonly Domain[]; time: Summary }) {
  const screen = useActionScreen();
  useRowKeys((key, row) => {
    const domain = rows.find(({ id }) => rowId(id) === row);
    if (!domain) return;
    workActions(domain, time)
      .actions.find((action) => action.key === key)
      ?.run(domain, screen);
  });
  if (!areShortcutsEnabled()) return null;
  return (
    <p className="row note work-keys">
      Shortcuts on a row:{" "}
      {DOMAIN_ACTIONS.filter(({ key, role }) => key && hasRole(role)).map((action) => (
        <span key={action.id}>
          <kbd>{action.key}</kbd> {action.short ?? action.label}
        </span>
      ))}
      <span>
        <kbd>j</kbd> <kbd>k</kbd> Next/previous
      </span>
    </p>
  );
}
