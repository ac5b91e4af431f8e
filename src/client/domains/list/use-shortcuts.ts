import { useEffect, useEffectEvent, useState } from "react";
import { takesKey } from "./key-target.ts";
import { keepChoice, readChoice } from "./stored-choice.ts";

const KEY = "shortcuts";
const OFF = "off";

/** The button that `e` goes to, while there is one. */
export const EDIT_SELECTED = "edit-selected";

/**
 * The keys of a single character: `/` goes to the search, `e` to what can be done to the selected
 * names, and `?` opens the help. They can be turned off on this device, for whoever speaks to it
 * (WCAG 2.2, 2.1.4).
 */
export function useShortcuts(onHelp: () => void) {
  const [on, setOn] = useState(() => readChoice(KEY, [OFF])?.length !== 1);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!on || !takesKey(event)) return;
    if (event.key === "/") {
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      search?.focus();
      // What is typed next replaces the last search.
      search?.select();
    } else if (event.key === "e") {
      const edit = document.getElementById(EDIT_SELECTED);
      if (edit) event.preventDefault();
      edit?.focus();
    } else if (event.key === "?") {
      event.preventDefault();
      onHelp();
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  return {
    on,
    turn(wanted: boolean) {
      setOn(wanted);
      keepChoice(KEY, wanted ? [] : [OFF]);
    },
  };
}
