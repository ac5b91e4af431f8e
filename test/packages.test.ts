import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { createApiClient } from "./support/api-client.ts";
import { freePort } from "./support/postgres-cluster.ts";
import { PROJECT } from "./support/server-process.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const PACKAGING = join(PROJECT, ".github/packaging");
const CONFIG = "/etc/freehold/freehold.env";
const DATA = "/var/lib/freehold";

const executable = process.env["TEST_EXECUTABLE"] ?? "";
const hasAnalyze = Bun.which("systemd-analyze") !== null;

// They change the machine for a moment: only where that is asked for, and nothing is installed already.
const isWanted = process.env["TEST_PACKAGES"] !== undefined && process.getuid?.() === 0;
const mayInstall = isWanted && !existsSync(DATA) && !existsSync(CONFIG);
if (!mayInstall) console.warn("Packages are not installed: that needs root and TEST_PACKAGES=1");

/** Runs a program to its end; throws what it wrote where that is not a good one. */
async function run(...command: string[]): Promise<string> {
  const quick = { DEB_COMPRESSION_LEVEL: "0" };
  const env = { ...process.env, ...quick, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn(command, { env, cwd: "/", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}:\n${out}${err}`);
  return out;
}

/** The values of a variable in the unit. */
async function settingsOf(name: string): Promise<string[]> {
  const unit = await Bun.file("/lib/systemd/system/freehold.service").text();
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

/** Starts the installed service as its unit says: its user, no right, its folder and environment. */
async function startService() {
  const [user = ""] = await settingsOf("User");
  const [folder = ""] = await settingsOf("WorkingDirectory");
  const [file = ""] = await settingsOf("EnvironmentFile");
  const [program = ""] = await settingsOf("ExecStart");
  const text = await Bun.file(file).text();
  const env = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, ...pair]) => pair));
  const drop = ["--reuid", user, "--regid", user, "--clear-groups", "--bounding-set=-all"];
  const child = Bun.spawn(["setpriv", ...drop, "--no-new-privs", program], {
    cwd: folder,
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const said = new TextDecoder().decode(value);
  return {
    url: / on (http\S+)/.exec(said)?.[1] ?? "",
    setUpCode: /#set-up=(\S+)/.exec(said)?.[1] ?? null,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    },
  };
}

describe("packaging", () => {
  test.skipIf(!hasAnalyze)("has a unit that is sandboxed", async () => {
    const unit = join(PACKAGING, "freehold.service");
    const options = ["--offline=true", "--threshold=20", "--no-pager"];
    expect(await run("systemd-analyze", "security", ...options, unit)).toContain(" OK ");
  });

  test("has a compose file that names the image of this version", async () => {
    const compose = await Bun.file(join(PACKAGING, "compose.yaml")).text();
    expect(compose).toContain(`image: freehold:${manifest.version}\n`);
  });

  test.skipIf(!mayInstall)(
    "has a Debian package that installs, upgrades and goes, and keeps the data",
    async () => {
      using folder = createTemporaryFolder();
      // Apt reads it as a user of its own.
      await run("chmod", "755", folder.path);
      const pack = async (version: string) => {
        const script = join(PACKAGING, "build-deb.sh");
        return (await run("sh", script, executable, version, folder.path)).trim();
      };
      const [first, second] = [await pack("1.0.0"), await pack("1.0.1")];
      // Without the lists of all packages, which take seconds to read: nothing has to be fetched.
      const quick = [`-oDir::State::Lists=${folder.path}/`, "-oDpkg::Options::=--force-unsafe-io"];
      const install = ["apt-get", "install", "-qq", "--no-install-recommends", ...quick];
      try {
        await run(...install, first);
        expect(statSync(DATA).mode & 0o777).toBe(0o700);
        expect(statSync(CONFIG).mode & 0o777).toBe(0o640);
        expect(await run("systemd-analyze", "verify", "freehold.service")).toBe("");
        const config = `${await Bun.file(CONFIG).text()}PORT=${freePort()}\n`;
        await Bun.write(CONFIG, config);
        {
          await using service = await startService();
          const client = createApiClient(service.url);
          expect((await client.setUp(service.setUpCode)).status).toBe(201);
        }

        await run(...install, second);
        expect(await run("dpkg-query", "-W", "-f", "${Version}", "freehold")).toBe("1.0.1");
        expect(await Bun.file(CONFIG).text()).toBe(config);
        {
          await using service = await startService();
          expect(service.setUpCode).toBe(null);
          const client = createApiClient(service.url);
          expect((await client.signIn()).status).toBe(200);
        }

        await run("dpkg", "--remove", "freehold");
        expect(existsSync("/usr/bin/freehold")).toBe(false);
        expect(await Bun.file(CONFIG).text()).toBe(config);
        await run("dpkg", "--purge", "freehold");
        expect(existsSync(CONFIG)).toBe(false);
        expect(statSync(join(DATA, "freehold.sqlite")).size).toBeGreaterThan(0);
      } finally {
        await run("dpkg", "--purge", "freehold").catch(() => undefined);
        await rm(DATA, { recursive: true, force: true });
        await run("userdel", "freehold").catch(() => undefined);
      }
    },
  );
});
