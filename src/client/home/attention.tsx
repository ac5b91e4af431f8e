import { Link } from "wouter";
import { dayFromToday } from "../ui/expiry-date.tsx";
import { NameList } from "./name-list.tsx";
import type { HomeSummary } from "./read-summary.ts";

/** More would hide what stands beneath on a small screen. */
const SHOWN = 10;

/** What needs a decision, by date; the count opens all of it. */
export function Attention({ attention: { total, items } }: Pick<HomeSummary, "attention">) {
  const asked = `/domains?expiresBefore=${dayFromToday(61)}&autoRenew=not-on&decision=not-drop`;
  return (
    <section>
      <h2>Needs a decision</h2>
      {total === 0 ? (
        <p>Nothing runs out within 60 days without renewing itself.</p>
      ) : (
        <>
          <p>
            <Link href={asked}>
              {total.toLocaleString()} {total === 1 ? "name" : "names"}
            </Link>{" "}
            expired or expiring within 60 days that may not renew.
          </p>
          <NameList items={items.slice(0, SHOWN)} />
        </>
      )}
    </section>
  );
}
