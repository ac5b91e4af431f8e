import type { SQL } from "bun";

/**
 * Waits for every other commit and undo of an import, until the transaction ends: two of them would
 * undo each other's work at their very end, where they meet at a name.
 */
export async function takeImportLock(sql: SQL): Promise<void> {
  await sql`insert into settings ${sql({ name: "import lock", value: "" })}
    on conflict (name) do update set value = ''`;
}
