import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { MAX_YEARS } from "../../shared/money.ts";
import type { ListPrice, Registrar } from "../../shared/registrars.ts";
import { fieldErrors, FormFailure } from "../session/failure.tsx";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { formatPrice, parsePrice } from "../ui/money.ts";
import { formatNumber } from "../ui/number.ts";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import type { SaveRegistrar } from "./registrars.tsx";

interface Props {
  registrar: Registrar;
  /** Of a price that is added. */
  currency: string | null;
  onSave: SaveRegistrar;
  onClose: () => void;
}

/** A price as it is typed. */
interface Line {
  id: number;
  tld: string;
  price: string;
  currency: string;
  years: string;
}

interface Column {
  key: keyof Line;
  label: string;
  maxLength: number;
  /** What is said where the server refuses what is in the box; by default what it says itself. */
  fault?: string;
}

/** The boxes of a line. */
const COLUMNS: readonly Column[] = [
  { key: "tld", label: "TLD", maxLength: 64 },
  { key: "price", label: "Price", maxLength: 16, fault: "Enter a price such as 12.50." },
  { key: "currency", label: "Currency", maxLength: 3, fault: "Enter a currency, for example EUR." },
  { key: "years", label: "Years", maxLength: 3, fault: `Enter the years from 1 to ${MAX_YEARS}.` },
];

/** TLDs without a price that stand on the list from the start; more would hide the others. */
const MAX_SUGGESTED = 30;

/** Edits the price list of a registrar. TLDs whose domains lack a price are there already. */
export function PriceDialog({ registrar, currency, onSave, onClose }: Props) {
  const { name, unpriced } = registrar;
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(() => toLines(registrar, currency ?? ""));
  const [lines, setLines] = useState(initial);
  const [sent, setSent] = useState<readonly Line[]>([]);
  const { run: save, isBusy, error } = useAction(onSave);
  const bad = fieldErrors(error);
  const given = lines.filter(({ price }) => price.trim() !== "");
  const tlds = new Set(given.map(({ tld }) => toTld(tld)));
  const filled = sumNames(unpriced.filter(({ tld }) => tlds.has(tld)));
  const last = lines.at(-1)?.id ?? 0;
  useUnsavedChanges(lines !== initial);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  useEffect(() => {
    // A line that was added is the one to fill in.
    if (last >= initial.length) form.current?.querySelector<HTMLElement>(`#tld-${last}`)?.focus();
  }, [last, initial]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setSent(given);
    void save({ prices: given.map(toListPrice) }, () => `The prices of ${name} are saved.`);
  }

  /** What the server refuses of a line: the first of its boxes, and why. */
  function faultOf({ id }: Line) {
    const at = sent.findIndex((line) => line.id === id);
    for (const { key, fault } of COLUMNS) {
      const refused = bad[`prices/${at}/${key === "price" ? "minor" : key}`];
      if (refused !== undefined) return { key, text: fault ?? refused };
    }
    return undefined;
  }

  return (
    <Dialog heading={`Price list of ${name}`} isDirty={lines !== initial} onClose={onClose}>
      <form ref={form} className="stack" noValidate onSubmit={submit}>
        <p>
          What a renewal costs there. <output>{describe(sumNames(unpriced), filled)}</output>
        </p>
        <table className="price-list">
          <thead>
            <tr>
              {COLUMNS.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">
                <span className="unseen">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <PriceLine
                key={line.id}
                line={line}
                fault={faultOf(line)}
                onChange={(next) => setLines(lines.map((each) => (each === line ? next : each)))}
                onRemove={() => setLines(lines.filter((each) => each !== line))}
              />
            ))}
          </tbody>
        </table>
        <div>
          <Button onClick={() => setLines([...lines, emptyLine(last + 1, "", currency ?? "")])}>
            Add a TLD
          </Button>
        </div>
        <FormFailure error={error} />
        <div className="dialog-foot">
          <DialogActions>
            <Button type="submit" look="primary" aria-disabled={isBusy}>
              {isBusy ? "Saving…" : "Save prices"}
            </Button>
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

function PriceLine(props: {
  line: Line;
  fault: { key: keyof Line; text: string } | undefined;
  onChange: (line: Line) => void;
  onRemove: () => void;
}) {
  const { line, fault, onChange, onRemove } = props;
  const named = line.tld.trim() === "" ? "new TLD" : `.${toTld(line.tld)}`;
  return (
    <>
      <tr>
        {COLUMNS.map(({ key, label, maxLength }) => (
          <td key={key}>
            <input
              id={`${key}-${line.id}`}
              className="control"
              aria-label={key === "tld" ? label : `${label} of ${named}`}
              aria-invalid={fault?.key === key}
              aria-describedby={fault?.key === key ? `fault-${line.id}` : undefined}
              inputMode={key === "price" ? "decimal" : key === "years" ? "numeric" : undefined}
              maxLength={maxLength}
              autoComplete="off"
              spellCheck={false}
              value={line[key]}
              onChange={({ target }) => onChange({ ...line, [key]: target.value })}
            />
          </td>
        ))}
        <td>
          <Button look="quiet" aria-label={`Remove ${named}`} onClick={onRemove}>
            ×
          </Button>
        </td>
      </tr>
      {fault && (
        <tr>
          <td colSpan={COLUMNS.length + 1} id={`fault-${line.id}`} className="field-error">
            {fault.text}
          </td>
        </tr>
      )}
    </>
  );
}

function toLines({ prices, unpriced }: Registrar, currency: string): Line[] {
  const listed = new Set(prices.map(({ tld }) => tld));
  const missing = unpriced.filter(({ tld }) => !listed.has(tld)).slice(0, MAX_SUGGESTED);
  const lines = prices.map((price, id) => ({
    id,
    tld: price.tld,
    price: formatPrice(price),
    currency: price.currency,
    years: String(price.years),
  }));
  return [...lines, ...missing.map(({ tld }, at) => emptyLine(lines.length + at, tld, currency))];
}

function emptyLine(id: number, tld: string, currency: string): Line {
  return { id, tld, price: "", currency, years: "1" };
}

function toListPrice({ tld, price, currency, years }: Line): ListPrice {
  const code = currency.trim().toUpperCase();
  const minor = parsePrice(price, code) ?? Number.NaN;
  return { tld: toTld(tld), minor, currency: code, years: Number(years.trim() || 1) };
}

function toTld(typed: string): string {
  return typed.trim().toLowerCase().replace(/^\./, "");
}

function sumNames(counts: Registrar["unpriced"]): number {
  return counts.reduce((sum, { names }) => sum + names, 0);
}

function describe(unpriced: number, filled: number): string {
  if (unpriced === 0) return "Every domain there has a price of its own.";
  const have = unpriced === 1 ? "has" : "have";
  return `${formatDomainCount(unpriced)} ${have} no price yet; this list covers ${formatNumber(filled)} of them.`;
}
