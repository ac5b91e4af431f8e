import { useState } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { HttpError } from "../../http.ts";
import { fieldErrors } from "../../session/failure.tsx";
import { checkValues, isValueName, toInput, toValues, type ValueErrors } from "../domain-values.ts";
import { addDomain, editDomain, parseDomain } from "../domains-api.ts";
import type { Draft } from "./draft.ts";

const NONE: ValueErrors = {};

/** Saves a draft, and holds what came of it: bad fields, another failure, or a newer version. */
export function useSaveDomain() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [errors, setErrors] = useState<ValueErrors>(NONE);
  const [newer, setNewer] = useState<Domain>();

  function settle() {
    setFailure(undefined);
    setErrors(NONE);
    setNewer(undefined);
  }

  /** The saved domain; `gone` where it exists no more; nothing where it could not be saved. */
  async function save({ base, values }: Draft): Promise<Domain | "gone" | undefined> {
    if (busy) return undefined;
    settle();
    const bad = checkValues(values);
    if (Object.keys(bad).length > 0) {
      setErrors(bad);
      return undefined;
    }
    const input = toInput(values, toValues(base));
    if (base && Object.keys(input).length === 0) return base;
    setBusy(true);
    try {
      return await (base ? editDomain(base, input) : addDomain(input));
    } catch (error) {
      const { status, problem } = error instanceof HttpError ? error : {};
      if (base && status === 404) return "gone";
      const complaints = toValueErrors(fieldErrors(error));
      if (status === 412 && problem?.current) setNewer(parseDomain(problem.current));
      else if (status !== 409 && Object.keys(complaints).length > 0) setErrors(complaints);
      // With 401 the sign-in form comes, and this one is back after it: there is nothing to say.
      else if (status !== 401) setFailure(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, errors, newer, save, settle };
}

/** The server's complaints at the fields of the form; a part of a field counts for the whole. */
function toValueErrors(complaints: Record<string, string>): ValueErrors {
  const errors: ValueErrors = {};
  for (const [pointer, detail] of Object.entries(complaints)) {
    const [field = "", part = ""] = pointer.split("/");
    const name = field !== "renewal" ? field : isValueName(part) ? part : "price";
    if (isValueName(name)) errors[name] ??= detail;
  }
  return errors;
}
