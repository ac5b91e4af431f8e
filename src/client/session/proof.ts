import type { ComponentType } from "react";
import { createStore, useStore } from "../ui/store.ts";

const asked = createStore<PromiseWithResolvers<boolean> | null>(null);
let dialog: ComponentType | undefined;

/** Makes a component the dialog that asks: it comes with the areas that need it. */
export function setProofDialog(component: ComponentType): void {
  dialog = component;
}

export function hasProofDialog(): boolean {
  return dialog !== undefined;
}

/** The dialog that asks for the password, while it is to be shown. */
export function useProofDialog(): ComponentType | undefined {
  return useStore(asked) === null ? undefined : dialog;
}

/**
 * Asks who is signed in for their password: the backend wants it again for what is dangerous.
 * Requests that need it at the same time share one dialog.
 *
 * @returns Whether they gave it; false where they would rather not.
 */
export function askForProof(): Promise<boolean> {
  const question = asked.get() ?? Promise.withResolvers<boolean>();
  asked.set(question);
  return question.promise;
}

/** Ends the question, if there is one. */
export function endProof(isProven: boolean): void {
  const question = asked.get();
  asked.set(null);
  question?.resolve(isProven);
}
