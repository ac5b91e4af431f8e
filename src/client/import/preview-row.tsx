import { type ReactNode, useState } from "react";
import { formatValue } from "../register/format-value.ts";
import { formatNumber } from "../ui/format.ts";
import { Link } from "wouter";
import { fieldInWords, IMPORT_LABELS } from "../../shared/fields.ts";
import type { ImportRow } from "../../shared/import.ts";
import type { RowChange } from "../../shared/import-input.ts";
import { isRecord } from "../../shared/parse.ts";
import { sourceInWords } from "../../shared/source.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { usePreferences } from "../ui/preferences.ts";

/** Leaves rows out or takes them in again. Resolves to whether that succeeded. */
export type ChangeRows = (change: RowChange) => Promise<boolean>;

interface Props {
  row: ImportRow;
  /** Position among all rows of its class, from 0. */
  index: number;
  /** Null: the row is not imported anyway. */
  onChange: ChangeRows | null;
}

export function PreviewRow({ row, index, onChange }: Props) {
  const { line, changes, values, problems, repeats } = row;
  const inFile = row.class !== "missing";
  usePreferences();
  return (
    // Row 1 holds the headings.
    <tr aria-rowindex={index + 2}>
      {onChange && (
        <td className="pick">
          <Choice row={row} onChange={onChange} />
        </td>
      )}
      {inFile && <td className="line">{line === null ? "–" : formatNumber(line)}</td>}
      <th scope="row">
        <RowName row={row} />
      </th>
      {inFile && (
        <td>
          <dl className="row values">
            {row.class === "changed"
              ? changes.map(({ field, before, after }) => (
                  <Fact key={field} field={field}>
                    <del>{inWords(before, after)}</del> <span aria-hidden="true">→</span>
                    <span className="unseen"> becomes </span> <ins>{inWords(after, before)}</ins>
                  </Fact>
                ))
              : Object.entries(values).map(([field, value]) => (
                  <Fact key={field} field={field}>
                    {formatValue(value)}
                  </Fact>
                ))}
          </dl>
          {row.archived && !changes.some(({ field }) => field === "archivedOn") && (
            <p>Archived: stays archived.</p>
          )}
          {repeats !== null && <p>Same domain as line {formatNumber(repeats)}.</p>}
          {problems.length > 0 && (
            <ul className="problems">
              {problems.map(({ field, code, detail }) => (
                <li key={`${field} ${code} ${detail}`} className={code}>
                  {field && code !== "read-as-host" && <b>{IMPORT_LABELS[field]}: </b>}
                  {detail}
                </li>
              ))}
            </ul>
          )}
        </td>
      )}
    </tr>
  );
}

function Choice({ row, onChange }: { row: ImportRow; onChange: ChangeRows }) {
  const [skipped, setSkipped] = useState(row.skipped);

  async function choose(next: boolean) {
    setSkipped(next);
    if (!(await onChange({ skip: { ids: [row.id] }, skipped: next }))) setSkipped(!next);
  }

  return (
    <label className={skipped ? "check left-out" : "check"}>
      <input
        type="checkbox"
        aria-label={`Import ${row.unicode}`}
        checked={!skipped}
        onChange={() => void choose(!skipped)}
      />
    </label>
  );
}

function RowName({ row }: { row: ImportRow }) {
  const { name, unicode } = row;
  if (name === null || unicode === null) return <i>No domain</i>;
  const inRegister = row.class === "changed" || row.class === "same" || row.class === "missing";
  return (
    <>
      {inRegister ? <Link href={`/domains/${name}`}>{unicode}</Link> : unicode}
      <AsciiName name={name} unicode={unicode} />
    </>
  );
}

/** Formats a value; a day that equals the other one also gets its source. */
function inWords(value: unknown, other: unknown): string {
  const text = formatValue(value);
  const source = isRecord(value) ? value.source : null;
  if (text !== formatValue(other) || typeof source !== "string") return text;
  return `${text} (${sourceInWords(source)})`;
}

function Fact({ field, children }: { field: string; children: ReactNode }) {
  return (
    <div className="row">
      <dt className="note">{fieldInWords(field)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
