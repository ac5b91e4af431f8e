import { Link } from "wouter";
import { fieldInWords } from "../session/field-words.ts";
import { AsciiForm } from "./ascii-form.tsx";
import { Figures } from "./figures.tsx";
import { Money } from "./money.tsx";
import type { HomeSummary, LateChange } from "./read-summary.ts";

/** What can wait: the figures, what renewals cost, what changed lately. */
export default function Later(summary: HomeSummary) {
  const { costs, unpriced, changes } = summary;
  return (
    <>
      <div>
        <Figures {...summary} />
        <Money costs={costs} unpriced={unpriced} />
      </div>
      {changes.length > 0 && (
        <section>
          <h2>Changed lately</h2>
          <ol className="home-names">
            {changes.map((change) => (
              <ChangeItem key={change.id} change={change} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function ChangeItem({ change: { at, by, action, name, fields } }: { change: LateChange }) {
  const what = action === "edited" ? fields.map(fieldInWords).join(", ") : action;
  const ascii = toAscii(name);
  return (
    <li>
      <span>
        {action === "deleted" ? name : <Link href={`/domains/${ascii}`}>{name}</Link>}
        <AsciiForm name={ascii} unicode={name} />
        <small>
          {what || action} · {by}
        </small>
      </span>
      <time dateTime={at}>
        {new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
      </time>
    </li>
  );
}

/** The A-label form, which the address of a name's screen is written with. */
function toAscii(unicode: string): string {
  return URL.parse(`http://${unicode}`)?.hostname ?? encodeURIComponent(unicode);
}
