import { useEffect, useEffectEvent } from "react";
import type { Import } from "../../shared/import-contract.ts";
import { readImport } from "./import-api.ts";

/** Milliseconds until the first look; each wait is twice the one before, half a minute in all. */
const FIRST_WAIT = 250;
const LOOKS = 7;

/**
 * While a commit is `lost`, sent and never answered as by a reload in the middle of it, looks
 * whether it has been written.
 */
export function useLostCommit(id: string, lost: boolean, onCommitted: (done: Import) => void) {
  const settle = useEffectEvent(onCommitted);
  useEffect(() => {
    if (!lost) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    function wait(look: number) {
      if (look < LOOKS) timer = setTimeout(() => void read(look), FIRST_WAIT * 2 ** look);
    }
    async function read(look: number) {
      const found = await readImport(id, leaving.signal).catch(() => null);
      if (leaving.signal.aborted) return;
      if (found !== null && found.state !== "preview") settle(found);
      else wait(look + 1);
    }
    wait(0);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [id, lost]);
}
