import type { Domain } from "../../shared/domain.ts";
import { createStore, useStore } from "../ui/store.ts";

/** What others changed since it was read here, by id: how, and its version now, infinite if it is gone. */
export const changedByOthers = createStore<ReadonlyMap<string, { text: string; version: number }>>(
  new Map(),
);

/** A dot at a name that another person has changed: the row itself stays until it is read again. */
export function ChangedMark({ domain: { id, version } }: { domain: Domain }) {
  const change = useStore(changedByOthers).get(id);
  if (!change || change.version <= version) return null;
  return (
    <span className="changed" title={change.text}>
      <span className="unseen">{` ${change.text}`}</span>
    </span>
  );
}
