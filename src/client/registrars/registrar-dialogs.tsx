import { useState } from "react";
import { ParseError } from "../../shared/parse.ts";
import {
  type ChangedRegistrar,
  isListed,
  type Registrar,
  type RegistrarInput,
} from "../../shared/registrars.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { FormDialog, type FormValues } from "../register/form.tsx";
import { formatCount, formatDomainCount, formatNumber } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { formatPriceLine, parsePriceList } from "./price-list.ts";

/** Saves a registrar and closes its dialog; `say` words the notification. */
export type SaveRegistrar = (
  body: RegistrarInput,
  say: (changed: ChangedRegistrar) => string,
) => Promise<void>;

interface Props {
  registrar: Registrar;
  onSave: SaveRegistrar;
  onClose: () => void;
}

interface RegistrarProps extends Props {
  /** Targets of a merge: chosen, or named like this one. */
  others: readonly Registrar[];
}

/** Renames a registrar, or merges it into another, and sets its login link. */
export function RegistrarDialog({ registrar, others, onSave, onClose }: RegistrarProps) {
  const [name, setName] = useState(registrar.name);
  const [chosen, setChosen] = useState("");
  const target = others.find(({ key }) => key === (chosen || foldLabel(name)));
  const count = formatDomainCount(registrar.names);

  function send(_: FormValues, edited: FormValues) {
    const change: RegistrarInput = {};
    if (edited["name"] !== undefined) change.name = edited["name"];
    if (target) change.name = target.name;
    if (edited["loginUrl"] !== undefined) change.loginUrl = withScheme(edited["loginUrl"]);
    return onSave(change, ({ moved }) =>
      moved > 0
        ? `${formatDomainCount(moved)} moved to ${target?.name ?? name.trim()}.`
        : `${registrar.name} saved.`,
    );
  }

  return (
    <FormDialog
      heading={`Edit ${registrar.name}`}
      label={registrar.name}
      action={target ? `Merge into ${target.name}` : "Save"}
      fields={[
        {
          name: "name",
          label: "Name",
          hint: `Shown for ${count}`,
          maxLength: LIMITS.label,
          defaultValue: registrar.name,
          onType: setName,
        },
        {
          name: "target",
          label: "Merge into…",
          options: [
            ["", "No other registrar"],
            ...others.map((each) => [each.key, each.name] as const),
          ],
          onType: setChosen,
        },
        {
          name: "loginUrl",
          label: "Login link",
          hint: "Where you sign in there",
          inputMode: "url",
          spellCheck: false,
          autoCapitalize: "none",
          placeholder: "https://",
          defaultValue: registrar.loginUrl ?? "",
        },
      ]}
      onSend={send}
      onClose={onClose}
    >
      {target && (
        <Notice tone="warn">
          Merging moves {count} to {target.name}, which keeps its own login link and prices, and
          takes over any that are missing. Each domain’s history shows the move, and you can undo
          it.
        </Notice>
      )}
    </FormDialog>
  );
}

/** Completes a link such as `gandi.net/login`. */
function withScheme(typed: string): string | null {
  const link = typed.trim();
  if (link === "") return null;
  return /^[a-z][a-z\d+.-]*:/i.test(link) ? link : `https://${link}`;
}

interface PriceProps extends Props {
  /** Of lines that name none. */
  currency: string | null;
}

/** TLDs without a price that the list starts with; more would hide the others. */
const MAX_SUGGESTED = 30;

/** Lines not understood that are named one by one. */
const MAX_FAULTS = 5;

/** Edits the price list of a registrar as text. It starts with the TLDs that lack a price. */
export function PriceDialog({ registrar, currency, onSave, onClose }: PriceProps) {
  const { name, prices, unpriced } = registrar;
  const usual = prices[0]?.currency ?? currency ?? "";
  const [initial] = useState(() => toText(registrar, usual));
  const [typed, setTyped] = useState(initial);
  const [code, setCode] = useState(usual);
  const lines = parsePriceList(typed, code);
  const faults = lines.filter(({ kind }) => kind === "fault" || kind === "repeated");
  const listed = lines.flatMap((line) => (line.kind === "price" ? [line.tld] : []));

  function send() {
    if (faults.length > 0) {
      const detail = "Some lines are not understood.";
      throw new ParseError([{ pointer: "/prices", code: "syntax", detail }]);
    }
    const given = lines.flatMap((line) => (line.kind === "price" ? line.price : []));
    const body = { prices: given, pricesBefore: prices };
    return onSave(body, () => `The prices of ${name} are saved.`);
  }

  return (
    <FormDialog
      label={`Price list of ${name}`}
      action="Save prices"
      fields={[
        {
          name: "currency",
          label: "Currency",
          maxLength: 3,
          autoCapitalize: "characters",
          spellCheck: false,
          defaultValue: usual,
          onType: setCode,
        },
        {
          name: "prices",
          label: "Prices",
          hint: "One TLD per line, then its price and the years if more than one. Paste a table from a page or a spreadsheet.",
          lines: 12,
          spellCheck: false,
          defaultValue: initial,
          onType: setTyped,
          fault: "Fix or remove the lines below; check the currency.",
        },
      ]}
      onSend={send}
      onClose={onClose}
    >
      <output className="stack">
        <span>
          Renewal prices at {name}. {describe(unpriced, new Set(listed))}
        </span>
        {faults.slice(0, MAX_FAULTS).map(({ line, text, kind }) => (
          <span key={line} className="field-error">
            Line {line} is {kind === "fault" ? "not understood" : "on the list already"}: {text}
          </span>
        ))}
        {faults.length > MAX_FAULTS && (
          <span className="field-error">
            And {formatCount(faults.length - MAX_FAULTS, "more line")}, the next at line{" "}
            {faults[MAX_FAULTS]?.line}.
          </span>
        )}
      </output>
    </FormDialog>
  );
}

function toText({ prices, unpriced }: Registrar, usual: string): string {
  const listed = new Set(prices.map(({ tld }) => tld));
  const missing = unpriced.filter(({ tld }) => !isListed(listed, tld)).slice(0, MAX_SUGGESTED);
  const lines = prices.map((price) => formatPriceLine(price, usual));
  return [...lines, ...missing.map(({ tld }) => tld)].join("\n");
}

function describe(unpriced: Registrar["unpriced"], listed: ReadonlySet<string>): string {
  const sum = (counts: Registrar["unpriced"]) => counts.reduce((all, { names }) => all + names, 0);
  const all = sum(unpriced);
  if (all === 0) return "Every domain there has a price of its own.";
  const covered = sum(unpriced.filter(({ tld }) => isListed(listed, tld)));
  const how = covered === 0 ? "none of them yet" : `${formatNumber(covered)} of them`;
  return `${formatCount(all, "domain has", "domains have")} no price; this list covers ${how}.`;
}
