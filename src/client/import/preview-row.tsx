import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ImportRow } from "../../shared/import.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { formatValue } from "../ui/format.ts";

/**
 * One row of the file, or one name that is not in it: what is said, what changes, what is wrong.
 * `index` is its place among all rows of its class, from 0.
 */
export function PreviewRow({ row, index }: { row: ImportRow; index: number }) {
  const { line, changes, values, problems, repeats } = row;
  const inFile = row.class !== "missing";
  return (
    // Row 1 is that of the headings.
    <tr aria-rowindex={index + 2}>
      {inFile && <td className="line">{line?.toLocaleString() ?? "–"}</td>}
      <th scope="row">
        <RowName row={row} />
      </th>
      {inFile && (
        <td>
          <dl className="row-facts">
            {row.class === "changed"
              ? changes.map(({ field, before, after }) => (
                  <Fact key={field} field={field}>
                    <del>{formatValue(before)}</del> <span aria-hidden="true">→</span>
                    <span className="unseen"> becomes </span> <ins>{formatValue(after)}</ins>
                  </Fact>
                ))
              : Object.entries(values).map(([field, value]) => (
                  <Fact key={field} field={field}>
                    {formatValue(value)}
                  </Fact>
                ))}
          </dl>
          {repeats !== null && <p>Same domain as line {repeats.toLocaleString()}.</p>}
          {problems.length > 0 && (
            <ul className="row-problems">
              {problems.map(({ field, code, detail }) => (
                <li key={`${field} ${code} ${detail}`}>
                  {field && <b>{fieldInWords(field)}: </b>}
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

/** A name that the register has leads to what is known of it. */
function RowName({ row: { class: kind, name, unicode } }: { row: ImportRow }) {
  if (name === null || unicode === null) return <i>No domain</i>;
  const known = kind === "changed" || kind === "same" || kind === "missing";
  return (
    <>
      {known ? <Link href={`/domains/${name}`}>{unicode}</Link> : unicode}
      <AsciiName name={name} unicode={unicode} />
    </>
  );
}

function Fact({ field, children }: { field: string; children: ReactNode }) {
  return (
    <div>
      <dt>{fieldInWords(field)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
