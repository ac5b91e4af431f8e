import { chownSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { databaseKind } from "./both-databases.ts";
import { postgresCluster } from "./postgres.ts";
import { accountOf } from "./postgres-cluster.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A file system in memory of so many megabytes, which only root may mount; null for others. */
export function mountDisk(megabytes: number) {
  const folder = createTemporaryFolder();
  const options = `size=${megabytes}m,mode=0755`;
  const mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path];
  if (Bun.which("mount") === null || Bun.spawnSync(mount).exitCode !== 0) {
    folder[Symbol.dispose]();
    return null;
  }
  const resize = (size: string) =>
    Bun.spawnSync(["mount", "-o", `remount,size=${size}`, folder.path]).exitCode === 0;
  return {
    path: folder.path,
    /** Leaves no room beside what is there. What is written meanwhile is in the way of that. */
    fill() {
      const used = () => {
        const { blocks, bfree, bsize } = statfsSync(folder.path);
        return String((blocks - bfree) * bsize);
      };
      while (!resize(used()));
    },
    makeRoom() {
      resize(`${megabytes}m`);
    },
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

export const canMount = (() => {
  using disk = mountDisk(1);
  return disk !== null;
})();

/** An empty database, of the kind that the test is for, on a disk of its own that can be filled. */
export async function databaseOnSmallDisk() {
  const isPostgres = databaseKind() === "postgres";
  const disk = mountDisk(isPostgres ? 48 : 16);
  if (disk === null) throw new Error("A disk cannot be mounted here");
  const place = isPostgres ? await createTablespace(disk.path) : null;
  return {
    url: place?.url ?? `sqlite://${join(disk.path, "register.sqlite")}`,
    fill: disk.fill,
    makeRoom: disk.makeRoom,
    async [Symbol.asyncDispose]() {
      await place?.[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    },
  };
}

let tablespaces = 0;

export async function createTablespace(path: string) {
  const { uid, gid } = accountOf("postgres");
  chownSync(path, uid, gid);
  const { urlOf } = await postgresCluster();
  const name = `small_${process.pid}_${(tablespaces += 1)}`;
  async function run(...statements: string[]) {
    const sql = new SQL(urlOf("postgres"), { max: 1 });
    for (const statement of statements) await sql.unsafe(statement);
    await sql.close();
  }
  await run(
    `create tablespace ${name} location '${path}'`,
    `create database ${name} tablespace ${name}`,
  );
  return {
    url: `${urlOf(name)}?max=3`,
    [Symbol.asyncDispose]: () =>
      run(`drop database ${name} with (force)`, `drop tablespace ${name}`),
  };
}
