import { useState } from "react";
import {
  parseChangedRegistrar,
  type ChangedRegistrar,
  type Registrar,
  type RegistrarInput,
} from "../../shared/registrars.ts";
import { fieldErrors } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";

/** All domains of a registrar may move, in one transaction. */
const TIMEOUT_MS = 60_000;

/** Saves a registrar and holds why that failed; `bad` has the message of each bad field. */
export function useSaveRegistrar({ key }: Registrar) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  /** Returns undefined where it could not be saved. */
  async function save(body: RegistrarInput): Promise<ChangedRegistrar | undefined> {
    if (busy) return undefined;
    setBusy(true);
    setError(undefined);
    const options = { method: "PATCH", body, timeout: TIMEOUT_MS, parse: parseChangedRegistrar };
    try {
      return await callApi(`/api/registrars/${encodeURIComponent(key)}`, options);
    } catch (problem) {
      setError(problem);
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, bad: fieldErrors(error), save };
}
