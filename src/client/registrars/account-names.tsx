import { useState } from "react";
import { Link, useSearch } from "wouter";
import {
  type Account,
  type AccountName,
  NAME_CLASSES,
  type NameClass,
  type NameSelection,
  parseAccountNames,
  parseAccountOperation,
} from "../../shared/accounts.ts";
import { FIELDS } from "../../shared/fields.ts";
import { accountPath } from "../register/account-words.ts";
import { Loaded, usePages } from "../register/resource.tsx";
import { notifyUndoable, registerChanged } from "../register/undo.ts";
import { FormFailure } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { Check } from "../ui/choice.tsx";
import { formatValue } from "../register/format-value.ts";
import { formatDomainCount, formatNumber, formatShortDay } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { accountUrl } from "./account-state.tsx";

const CLASSES: Readonly<Record<NameClass, readonly [label: string, about: string]>> = {
  new: ["New", "In the account, and not in the register yet."],
  listed: ["Listed", "All names of the last complete list."],
  vanished: ["Vanished", "In the register, and no longer in the account."],
  left: ["Left", "The account reports that they left."],
  skipped: ["Skipped", "Only hosted there, and registered elsewhere."],
  refused: [
    "Not kept here",
    "In the account, but not wanted in the register, or deleted or archived there.",
  ],
};

/** Thousands of names in one transaction. */
const SAVE_TIMEOUT_MS = 60_000;

/** The names of an account, one class at a time, at first one that needs a decision. */
export function AccountNames({ account }: { account: Account }) {
  const { id, counts } = account;
  const asked = new URLSearchParams(useSearch()).get("class");
  const filled = NAME_CLASSES.filter((each) => counts[each] > 0);
  const likely = filled.find((each) => each === "new" || each === "vanished") ?? "listed";
  const shown = NAME_CLASSES.find((each) => each === asked) ?? likely;
  const [, about] = CLASSES[shown];
  return (
    <section>
      <nav aria-label="Names">
        <ul className="row">
          {NAME_CLASSES.filter((each) => each === shown || filled.includes(each)).map((each) => (
            <li key={each}>
              <Link
                href={`${accountPath(id)}?class=${each}`}
                className="chip"
                aria-current={each === shown ? "page" : undefined}
              >
                {CLASSES[each][0]} <span>{formatNumber(counts[each])}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <p className="note">{about}</p>
      <Names key={`${id} ${shown}`} account={account} of={shown} />
    </section>
  );
}

function Names({ account, of }: { account: Account; of: NameClass }) {
  const { id, label, counts } = account;
  const names = usePages(`${accountUrl(id)}/names?class=${of}`, parseAccountNames);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const reviewNames = async (action: "accept" | "refuse", body: NameSelection, count: number) => {
    const parse = parseAccountOperation;
    const options = { method: "POST", body, timeout: SAVE_TIMEOUT_MS, parse };
    try {
      const { operation } = await callApi(`${accountUrl(id)}/${action}`, options);
      setChosen(new Set());
      const done = action === "accept" ? "added" : `of ${label} won’t be offered again`;
      notifyUndoable(`${formatDomainCount(count)} ${done}.`, operation);
    } finally {
      // After a refusal, what is shown is old.
      registerChanged();
    }
  };
  const { run, isBusy, error } = useAction(reviewNames);
  const mayChoose = hasRole("editor") && (of === "new" || of === "refused");
  const isInRegister = of === "vanished" || (of === "listed" && counts.new + counts.refused === 0);
  const toggle = (name: string) => setChosen(chosen.symmetricDifference(new Set([name])));
  const nameOf = ({ name, unicode }: AccountName) => {
    if (isInRegister) return <Link href={`/domains/${name}`}>{unicode}</Link>;
    if (!mayChoose) return unicode;
    return (
      <Check checked={chosen.has(name)} onCheck={() => toggle(name)}>
        {unicode}
      </Check>
    );
  };
  const nameColumn: Column<AccountName> = {
    label: "Name",
    show: (item) => (
      <>
        {nameOf(item)}
        <AsciiName {...item} />
      </>
    ),
  };
  const facts = of === "listed" || of === "new" ? FACTS : [...FACTS, SINCE];

  return (
    <Loaded of={names} lines={8} more="Show more names">
      {({ items }) => {
        const picked = items.flatMap(({ name }) => (chosen.has(name) ? name : []));
        // Without a question: one click undoes it.
        const isAll = of === "new" && picked.length === 0;
        const all = { all: true as const, expectedCount: counts.new };
        const count = isAll ? counts.new : picked.length;
        const told = facts.filter(({ show }) => items.some((item) => show(item)));
        return (
          <>
            {mayChoose && items.length > 0 && (
              <div className="row choosing">
                {count > 0 && (
                  <Button
                    look="main"
                    aria-disabled={isBusy}
                    onClick={() => void run("accept", isAll ? all : { names: picked }, count)}
                  >
                    {isBusy ? "Saving…" : `${isAll ? "Add all" : "Add"} ${formatNumber(count)}`}
                  </Button>
                )}
                {of === "new" && picked.length > 0 && (
                  <Button
                    aria-disabled={isBusy}
                    onClick={() => void run("refuse", { names: picked }, count)}
                  >
                    Not ours
                  </Button>
                )}
                <Check
                  checked={picked.length === items.length}
                  onCheck={(on) => setChosen(new Set(on ? items.map(({ name }) => name) : []))}
                >
                  {names.hasMore ? "Choose all that are shown" : "Choose all"}
                </Check>
              </div>
            )}
            <FormFailure error={error} />
            {items.length === 0 ? (
              <p>None.</p>
            ) : (
              <Table
                columns={[nameColumn, ...told]}
                rows={items}
                keyOf={({ name }) => name}
                name={CLASSES[of][0]}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** The columns after the name. A column without any value is left out. */
const FACTS: readonly Column<AccountName>[] = [
  { label: "Expires", kind: "end", show: ({ expires }) => expires && formatShortDay(expires) },
  { label: FIELDS.autoRenew.label, show: ({ autoRenew }) => formatOrNull(autoRenew) },
  { label: FIELDS.renewal.label, kind: "end", show: ({ price }) => formatOrNull(price) },
  { label: FIELDS.locked.label, kind: "minor", show: ({ locked }) => formatOrNull(locked) },
  { label: FIELDS.privacy.label, kind: "minor", show: ({ privacy }) => formatOrNull(privacy) },
  { label: "Status", show: ({ status, statusRaw }) => statusRaw ?? status },
  {
    label: FIELDS.nameservers.label,
    kind: "minor",
    show: ({ nameservers }) => nameservers && nameservers.join(" "),
  },
  { label: "Note", show: ({ reason }) => reason },
];

const SINCE: Column<AccountName> = {
  label: "Since",
  kind: "end",
  show: ({ since }) => since && formatShortDay(since),
};

function formatOrNull(value: unknown): string | null {
  return value === null ? null : formatValue(value);
}
