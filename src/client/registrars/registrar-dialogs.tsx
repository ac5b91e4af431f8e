import { useState } from "react";
import { ParseError } from "../../shared/parse.ts";
import {
  type ChangedRegistrar,
  parseChangedRegistrar,
  type Registrar,
  type RegistrarInput,
  withoutPrice,
} from "../../shared/registrars.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { FormDialog, type FormValues } from "../register/form.tsx";
import { notifyUndoable, registerChanged } from "../register/undo.ts";
import { callApi } from "../session/session-store.ts";
import { formatCount, formatDomainCount, formatNumber } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { formatPriceLine, parsePriceList } from "./price-list.ts";

/** All domains of a registrar may move in one transaction. */
const SAVE_TIMEOUT_MS = 60_000;

interface Props {
  registrar: Registrar;
  onClose: () => void;
}

/** Saves a registrar and closes its dialog; `say` words the notification. */
async function save(
  { registrar, onClose }: Props,
  body: RegistrarInput,
  say: (changed: ChangedRegistrar) => string,
) {
  const path = `/api/registrars/${encodeURIComponent(registrar.key)}`;
  const parse = parseChangedRegistrar;
  const changed = await callApi(path, { method: "PATCH", body, timeout: SAVE_TIMEOUT_MS, parse });
  onClose();
  notifyUndoable(say(changed), changed.operation);
  registerChanged();
}

/** Renames a registrar, or merges it into one of the `others`, and sets its login link. */
export function RegistrarDialog(props: Props & { others: readonly Registrar[] }) {
  const { registrar, others, onClose } = props;
  const [name, setName] = useState(registrar.name);
  const [chosen, setChosen] = useState("");
  const target = others.find(({ key }) => key === (chosen || foldLabel(name)));
  const count = formatDomainCount(registrar.names);

  function send(_: FormValues, edited: FormValues) {
    const change: RegistrarInput = {};
    if (edited["name"] !== undefined) change.name = edited["name"];
    if (target) change.name = target.name;
    if (edited["loginUrl"] !== undefined) change.loginUrl = withScheme(edited["loginUrl"]);
    return save(props, change, ({ moved }) =>
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

/** TLDs without a price that the list starts with; more would hide the others. */
const MAX_SUGGESTED = 30;

/** Lines not understood that are named one by one. */
const MAX_FAULTS = 5;

/**
 * Edits the price list of a registrar as text. It starts with the TLDs that lack a price; `currency` is that
 * of lines that name none.
 */
export function PriceDialog(props: Props & { currency: string | null }) {
  const { registrar, currency, onClose } = props;
  const { name, prices, unpriced } = registrar;
  const usual = prices[0]?.currency ?? currency ?? "";
  const [initial] = useState(() => {
    const missing = withoutPrice(registrar).slice(0, MAX_SUGGESTED);
    const lines = prices.map((price) => formatPriceLine(price, usual));
    return [...lines, ...missing.map(({ tld }) => tld)].join("\n");
  });
  const [typed, setTyped] = useState(initial);
  const [code, setCode] = useState(usual);
  const lines = parsePriceList(typed, code);
  const faults = lines.filter(({ kind }) => kind === "fault" || kind === "repeated");
  const given = lines.flatMap((line) => (line.kind === "price" ? line.price : []));

  function send() {
    if (faults.length > 0) {
      const detail = "Some lines are not understood.";
      throw new ParseError([{ pointer: "/prices", code: "syntax", detail }]);
    }
    const body = { prices: given, pricesBefore: prices };
    return save(props, body, () => `The prices of ${name} are saved.`);
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
          Renewal prices at {name}. {describe({ unpriced, prices: given })}
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

export function countUnpriced(counts: Registrar["unpriced"]): number {
  return counts.reduce((sum, { names }) => sum + names, 0);
}

function describe(given: Parameters<typeof withoutPrice>[0]): string {
  const all = countUnpriced(given.unpriced);
  if (all === 0) return "Every domain there has a price of its own.";
  const covered = all - countUnpriced(withoutPrice(given));
  const how = covered === 0 ? "none of them yet" : `${formatNumber(covered)} of them`;
  return `${formatCount(all, "domain has", "domains have")} no price; this list covers ${how}.`;
}
