import type { Domain } from "../../shared/domain.ts";
import { createStore, useStore } from "../ui/store.ts";

/** What others changed since it was read here, by id: who, and its version now, null if it is gone. */
export const changedByOthers = createStore<
  ReadonlyMap<string, { by: string; version: number | null }>
>(new Map());

/** A dot at a name that another person has changed: the row itself stays until it is read again. */
export function ChangedMark({ domain: { id, version } }: { domain: Domain }) {
  const change = useStore(changedByOthers).get(id);
  if (!change || (change.version !== null && change.version <= version)) return null;
  const text = `Changed by ${change.by}`;
  return (
    <span className="changed" title={text}>
      <span className="unseen"> {text}</span>
    </span>
  );
}
