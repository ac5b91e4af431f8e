import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ImportRow } from "../../import-contract.ts";
import { fieldInWords } from "../../session/field-words.ts";
import { findLookAlikes } from "../domain/look-alike.ts";
import { valueInWords } from "./value-in-words.ts";

/** One row of the file, or one name that is not in it: what is said, what changes, what is wrong. */
export function PreviewRow({ row }: { row: ImportRow }) {
  const { id, line, changes, values, problems, repeats } = row;
  return (
    <tr>
      <td className="line" data-label="Line">
        {line?.toLocaleString() ?? "–"}
      </td>
      <th scope="row" id={`row-${id}`} tabIndex={-1}>
        <RowName row={row} />
      </th>
      <td>
        <dl className="row-facts">
          {row.class === "changed"
            ? changes.map(({ field, before, after }) => (
                <Fact key={field} field={field}>
                  <del>{valueInWords(before)}</del> <span aria-hidden="true">→</span>
                  <span className="unseen"> becomes </span> <ins>{valueInWords(after)}</ins>
                </Fact>
              ))
            : Object.entries(values).map(([field, value]) => (
                <Fact key={field} field={field}>
                  {valueInWords(value)}
                </Fact>
              ))}
        </dl>
        {repeats !== null && <p>The same name as in line {repeats.toLocaleString()}.</p>}
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
    </tr>
  );
}

/** A name that the register has leads to what is known of it. */
function RowName({ row: { class: kind, name, unicode } }: { row: ImportRow }) {
  if (name === null || unicode === null) return <i>no name</i>;
  const known = kind === "changed" || kind === "same" || kind === "missing";
  return (
    <>
      {known ? <Link href={`/domains/${name}`}>{unicode}</Link> : unicode}
      {name !== unicode && (
        <code>
          {findLookAlikes(unicode).length > 0 && <b>looks like another · </b>}
          {name}
        </code>
      )}
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
