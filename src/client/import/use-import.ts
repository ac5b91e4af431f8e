import { useCallback, useEffect, useRef, useState } from "react";
import { HttpError } from "../http.ts";
import type { Import, ImportInput } from "../../shared/import-contract.ts";
import { editImport, readImport } from "./import-api.ts";

/**
 * One import, by the id of the address, and what is said of it. Edits are sent one after the other,
 * those that come meanwhile together; an edit that failed is sent again with the next.
 */
export function useImport(id: string | null) {
  const [known, setKnown] = useState<Import>();
  const [failed, setFailed] = useState<{ id: string; error: unknown }>();
  const [saving, setSaving] = useState(false);
  const waiting = useRef<ImportInput>(null);
  const sending = useRef<Promise<Import | null>>(null);
  const current = known?.id === id ? known : undefined;
  const missing = id !== null && !current;

  const load = useCallback(() => {
    if (!missing) return undefined;
    const leaving = new AbortController();
    readImport(id, leaving.signal)
      .then((found) => {
        setFailed(undefined);
        return setKnown(found);
      })
      .catch((error: unknown) => leaving.signal.aborted || setFailed({ id, error }));
    return () => leaving.abort();
  }, [id, missing]);
  useEffect(load, [load]);

  async function send(to: string): Promise<Import | null> {
    let answer: Import | null = null;
    let body: ImportInput | null = null;
    setSaving(true);
    setFailed(undefined);
    try {
      while (waiting.current) {
        body = waiting.current;
        waiting.current = null;
        answer = await editImport(to, body);
      }
      if (answer) setKnown(answer);
      return answer;
    } catch (error) {
      waiting.current = { ...body, ...waiting.current };
      setFailed({ id: to, error });
      // It may have been committed in another tab: then there is nothing left to say of it.
      if (error instanceof HttpError && error.status === 409) await reread(to);
      return null;
    } finally {
      setSaving(false);
    }
  }

  async function reread(which: string) {
    try {
      setKnown(await readImport(which));
    } catch {
      // The first failure is the one that is shown.
    }
  }

  /** Says something of the import. Resolves with what it is once everything is said; null: it failed. */
  function edit(input: ImportInput): Promise<Import | null> {
    if (id === null) return Promise.resolve(null);
    waiting.current = { ...waiting.current, ...input };
    sending.current ??= send(id).finally(() => {
      sending.current = null;
    });
    return sending.current;
  }

  return {
    current,
    /** Why the import is not there, or what was said of it last was not taken. */
    error: failed?.id === id ? failed?.error : undefined,
    saving,
    load,
    edit,
    /** Shows an import that another call has answered with. */
    put: setKnown,
  };
}

/** What the steps of the wizard need of it. */
export type ImportState = ReturnType<typeof useImport>;
