import { useState } from "react";
import { type Domain, parseDomain } from "../../shared/domain.ts";
import { isImportField } from "../../shared/fields.ts";
import { HttpError } from "../http.ts";
import { fieldErrors } from "../session/failure.tsx";
import { checkValues, type Draft, toInput, toValues, type ValueErrors } from "./domain-values.ts";
import { addDomain, editDomain } from "./domains-api.ts";

const NO_ERRORS: ValueErrors = {};

/** Saves a draft and holds the outcome: field errors, another failure, or a newer saved version. */
export function useSaveDomain() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [errors, setErrors] = useState<ValueErrors>(NO_ERRORS);
  const [newer, setNewer] = useState<Domain>();

  function reset() {
    setFailure(undefined);
    setErrors(NO_ERRORS);
    setNewer(undefined);
  }

  /** Returns the saved domain, `gone` if it was deleted, undefined if it could not be saved. */
  async function save({ base, values }: Draft): Promise<Domain | "gone" | undefined> {
    if (busy) return undefined;
    reset();
    const invalid = checkValues(values);
    if (Object.keys(invalid).length > 0) {
      setErrors(invalid);
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
      const refused = toValueErrors(fieldErrors(error));
      if (status === 412 && problem?.current) setNewer(parseDomain(problem.current));
      else if (status !== 409 && Object.keys(refused).length > 0) setErrors(refused);
      // After a 401 the sign-in form replaces this one until the session is renewed.
      else if (status !== 401) setFailure(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, errors, newer, save, reset };
}

/** Maps the server's errors, by JSON Pointer, to the form's fields. */
function toValueErrors(refused: Record<string, string>): ValueErrors {
  const errors: ValueErrors = {};
  for (const [pointer, detail] of Object.entries(refused)) {
    const [field = "", part = ""] = pointer.split("/");
    const name = field !== "renewal" ? field : isImportField(part) ? part : "renewalPrice";
    if (isImportField(name)) errors[name] ??= detail;
  }
  return errors;
}
