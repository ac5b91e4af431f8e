import { insertion, type Statement } from "../../database/statement.ts";

/**
 * Waits for every other commit and undo of an import, until the transaction ends: two of them would
 * undo each other's work at their very end, where they meet at a name.
 */
export function takeImportLock(): Statement {
  const row = { name: "import lock", value: "" };
  return insertion("settings", [row], "on conflict (name) do update set value = ''");
}
