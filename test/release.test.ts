import { $ } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { createApiClient } from "./support/api-client.ts";
import { importFile } from "./support/import-client.ts";
import { PROJECT, runServer, startServer } from "./support/server-process.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { version } = manifest;
const MACHINES = ["linux-x64", "linux-arm64", "linux-x64-musl", "darwin-arm64", "darwin-x64"];
const ARM_LIBRARIES = "/usr/aarch64-linux-gnu";
const MUSL = "/lib/ld-musl-x86_64.so.1";
const QEMU = "qemu-aarch64-static";

// Of Debian's packages it needs more than the other tests, and a minute: `.ci/run` has both.
const isWanted = process.env["TEST_PACKAGES"] !== undefined && existsSync(ARM_LIBRARIES);
if (!isWanted)
  console.warn("No release is built: that needs TEST_PACKAGES=1, libc6-arm64-cross, …");

describe.skipIf(!isWanted)("a release", () => {
  const folder = createTemporaryFolder();
  const release = join(folder.path, "release");
  const executableOf = (machine: string) =>
    join(folder.path, `freehold-${version}-${machine}`, "freehold");

  beforeAll(async () => {
    const script = join(PROJECT, ".github/packaging/release.ts");
    await $`${process.execPath} ${script} ${release}`
      .env({ ...process.env, COMPRESSION_LEVEL: "1" })
      .quiet();
    for (const machine of MACHINES)
      await $`tar -xzf freehold-${version}-${machine}.tar.gz -C ${folder.path}`.cwd(release);
    await $`unzip -q freehold-${version}-windows-x64.zip -d ${folder.path}`.cwd(release);
    // Six executables, two packages and an image.
  }, 900_000);
  afterAll(() => folder[Symbol.dispose]());

  test("has a file for each machine, packages, an image, its sources and what it is made of", async () => {
    expect(await $`sha256sum --check --quiet SHA256SUMS`.cwd(release).text()).toBe("");
    const files = await $`ls`.cwd(release).text();
    expect(files.trim().split("\n").toSorted()).toEqual(
      [
        "Caddyfile",
        "NOTES.md",
        "SHA256SUMS",
        "compose.yaml",
        ...MACHINES.map((machine) => `freehold-${version}-${machine}.tar.gz`),
        `freehold-${version}-image.tar`,
        `freehold-${version}-source.tar.gz`,
        `freehold-${version}-windows-x64.zip`,
        `freehold-${version}.cdx.json`,
        `freehold_${version}_amd64.deb`,
        `freehold_${version}_arm64.deb`,
      ].toSorted(),
    );
    // No map of the sources, which the executables have in them.
    expect(await $`find ${folder.path} -name "*.map"`.text()).toBe("");
  });

  test.each([...MACHINES, "windows-x64"])("has what its README leads to: %s", async (machine) => {
    const packed = join(folder.path, `freehold-${version}-${machine}`);
    for (const paper of ["README.md", ".github/packaging/README.md", ".github/UPGRADING.md"]) {
      const links = (await Bun.file(join(packed, paper)).text()).matchAll(/\]\(([^)#]+)/g);
      const files = [...links].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));
      const missing = files.filter((file) => !existsSync(join(packed, dirname(paper), file)));
      // Of the sources, there is another archive.
      expect(missing.filter((file) => !/^(\.\.\/)*(src|test)\b/.test(file))).toEqual([]);
    }
  });

  test("has the bytes that any build of the same sources has", async () => {
    const built = process.env["TEST_EXECUTABLE"] ?? "";
    await $`cmp ${built} ${executableOf("linux-x64")}`;
  });

  test.each([
    ["linux-x64", "7f454c46", 18, 0x3e],
    ["linux-arm64", "7f454c46", 18, 0xb7],
    ["linux-x64-musl", "7f454c46", 18, 0x3e],
    ["darwin-arm64", "cffaedfe", 4, 0x0c],
    ["darwin-x64", "cffaedfe", 4, 0x07],
  ])("is for the machine that it names: %s", async (machine, magic, at, kind) => {
    const bytes = await Bun.file(executableOf(machine)).slice(0, 32).bytes();
    expect(Buffer.from(bytes.slice(0, 4)).toString("hex")).toBe(magic);
    expect(bytes[at]).toBe(kind);
  });

  test("is for Windows on x64", async () => {
    const file = join(folder.path, `freehold-${version}-windows-x64/freehold.exe`);
    const bytes = Buffer.from(await Bun.file(file).slice(0, 1024).arrayBuffer());
    const header = bytes.readUInt32LE(0x3c);
    expect(bytes.toString("latin1", header, header + 4)).toBe("PE\0\0");
    expect(bytes.readUInt16LE(header + 4)).toBe(0x8664);
  });

  test("is set up, given a file, backed up and stopped on arm64", async () => {
    using data = createTemporaryFolder();
    const env = { DATABASE_URL: `sqlite://${data.path}/register.sqlite` };
    const options = {
      executable: executableOf("linux-arm64"),
      emulator: [Bun.which(QEMU) ?? QEMU, "-L", ARM_LIBRARIES],
    };
    await using server = await startServer(env, options);
    const client = createApiClient(server.url);
    expect((await client.setUp(server.setUpCode())).status).toBe(201);
    await importFile(client, "Domain,Expires\nacme.com,2030-01-01\n");
    expect(await client.json("/api/domains")).toMatchObject({ items: [{ name: "acme.com" }] });
    const archive = join(data.path, "names.tar");
    const backup = await runServer(env, { ...options, args: ["backup", archive] });
    expect(backup).toMatchObject({ exitCode: 0 });
    expect(existsSync(archive)).toBe(true);
    expect(await server.stop()).toBe(0);
  });

  test("answers on musl", async () => {
    using data = createTemporaryFolder();
    // Debian has no libstdc++ for musl: glibc's one is given what it misses.
    const shim = join(data.path, "shim.so");
    await $`cc -shared -fPIC -nostdlib -o ${shim} ${join(PROJECT, "test/data/musl-shim.c")}`;
    for (const library of ["libstdc++.so.6", "libgcc_s.so.1"])
      await $`cp -L /usr/lib/x86_64-linux-gnu/${library} ${data.path}`;
    for (const name of ["ld-linux-x86-64.so.2", "libc.musl-x86_64.so.1"])
      await $`ln -s ${MUSL} ${data.path}/${name}`;
    const emulator = [MUSL, "--library-path", data.path, "--preload", shim];
    const executable = executableOf("linux-x64-musl");
    await using server = await startServer({}, { executable, emulator });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test.each(["amd64", "arm64"])("has an image in which nothing is missing: %s", async (machine) => {
    using place = createTemporaryFolder();
    const layout = join(place.path, "layout");
    const root = join(place.path, "root");
    await $`mkdir ${layout} ${root} && tar -xf ${release}/freehold-${version}-image.tar -C ${layout}`;
    const blob = (digest: string) => join(layout, "blobs", digest.replace(":", "/"));
    const read = async (digest: string) => Bun.file(blob(digest)).json();
    const { manifests } = await Bun.file(join(layout, "index.json")).json();
    const all = await read(manifests[0].digest);
    const mine = all.manifests.find(
      ({ platform }: { platform: { architecture: string } }) => platform.architecture === machine,
    );
    const { config, layers } = await read(mine.digest);
    for (const { digest } of layers) await $`tar -xzf ${blob(digest)} -C ${root}`;
    expect((await read(config.digest)).config.User).toBe("10001:10001");
    expect((await $`stat -c %u ${root}/data`.text()).trim()).toBe("10001");
    const program = "/usr/bin/freehold";
    if (machine === "arm64") {
      expect(await $`${QEMU} -L ${root} ${root}${program} --version`.text()).toStartWith(version);
      return;
    }
    // What every container is given beside its image.
    const enter = `mkdir "$0/dev" "$0/proc" && mount --bind /dev "$0/dev" && mount --bind /proc "$0/proc" &&
      exec chroot --userspec=10001:10001 "$0" ${program} --version`;
    expect(await $`unshare --mount sh -c ${enter} ${root}`.text()).toStartWith(version);
  });

  test("says what it is made of: each package that runs in it, with licence and hash", async () => {
    const { components } = await Bun.file(join(release, `freehold-${version}.cdx.json`)).json();
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["bun", ...Object.keys(manifest.dependencies)]));
    for (const { name, licenses, hashes } of components) {
      expect(licenses[0].license.id, name).toMatch(/^[\w.-]+$/);
      if (name !== "bun") expect(hashes[0].content, name).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  test("has the sources of its commit", async () => {
    const files = await $`tar -tzf ${release}/freehold-${version}-source.tar.gz`.text();
    expect(files.trim().split("\n")).toContain(`freehold-${version}/server.ts`);
  });
});
