import { useCallback, useEffect, useRef, useState } from "react";
import { HttpError } from "../http.ts";
import type { Import, ImportInput } from "../../shared/import.ts";
import { editImport, readImport } from "./import-api.ts";

/**
 * Reads the import of the address and sends its edits. Edits are sent one after the other; those
 * made meanwhile are merged into the next, and so is an edit that failed.
 */
export function useImport(id: string | null) {
  const [latest, setLatest] = useState<Import>();
  const [failed, setFailed] = useState<{ id: string; error: unknown }>();
  const [saving, setSaving] = useState(false);
  const pending = useRef<ImportInput>(null);
  const sending = useRef<Promise<Import | null>>(null);
  const current = latest?.id === id ? latest : undefined;
  const missing = id !== null && !current;

  const load = useCallback(() => {
    if (!missing) return undefined;
    const controller = new AbortController();
    readImport(id, controller.signal)
      .then((found) => {
        setFailed(undefined);
        return setLatest(found);
      })
      .catch((error: unknown) => controller.signal.aborted || setFailed({ id, error }));
    return () => controller.abort();
  }, [id, missing]);
  useEffect(load, [load]);

  async function send(to: string): Promise<Import | null> {
    let answer: Import | null = null;
    let body: ImportInput | null = null;
    setSaving(true);
    setFailed(undefined);
    try {
      while (pending.current) {
        body = pending.current;
        pending.current = null;
        answer = await editImport(to, body);
      }
      if (answer) setLatest(answer);
      return answer;
    } catch (error) {
      pending.current = { ...body, ...pending.current };
      setFailed({ id: to, error });
      // Another tab may have committed it: then its result is shown. Otherwise the error is.
      const conflict = error instanceof HttpError && error.status === 409;
      if (conflict) await readImport(to).then(setLatest, () => undefined);
      return null;
    } finally {
      setSaving(false);
    }
  }

  /** Sends an edit. Resolves with the import once all edits are saved; null: saving failed. */
  function edit(input: ImportInput): Promise<Import | null> {
    if (id === null) return Promise.resolve(null);
    pending.current = { ...pending.current, ...input };
    sending.current ??= send(id).finally(() => {
      sending.current = null;
    });
    return sending.current;
  }

  return {
    current,
    /** Why the import could not be read, or its last edit not be saved. */
    error: failed?.id === id ? failed?.error : undefined,
    saving,
    load,
    edit,
    /** Shows an import that another call returned. */
    put: setLatest,
  };
}

/** The import as the steps of the wizard use it. */
export type ImportState = ReturnType<typeof useImport>;
