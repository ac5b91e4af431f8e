import { Notice } from "../../ui/notice.tsx";
import { findLookAlikes, type LookAlike } from "../../ui/look-alike.ts";

/** How a name is written where only ASCII goes, and a warning where it passes for another. */
export function NameForms({ name, unicode }: { name: string; unicode: string }) {
  return (
    <>
      {name !== unicode && (
        <p className="domain-ascii">
          In ASCII: <code>{name}</code>
        </p>
      )}
      {findLookAlikes(unicode).map((found) => (
        <Notice key={found.label} tone="warn">
          <span>
            <b>{found.label}</b> {warn(found)}
          </span>
        </Notice>
      ))}
    </>
  );
}

function warn(found: LookAlike): string {
  if (found.kind === "latin") return `looks like “${found.as}”, but none of its letters is Latin.`;
  return `mixes ${found.scripts.join(" and ")}: it may pass for another name.`;
}
