import { $, CryptoHasher } from "bun";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { buildEmbeddedSite, buildExecutable } from "../../src/server/site/build-executable.ts";
import { describeMaterials } from "./materials.ts";
import { compress, type MachineImage, packTar, writeImage } from "./oci-image.ts";

/*
 * `bun run release [FOLDER]`: builds what a release of this commit has, into dist/release. Two builds of
 * one commit by one version of Bun are the same bytes. Needs git, and of Debian's packages dpkg, gzip,
 * tar, zip, and the libc of both machines that the image is for: libc6 and libc6-arm64-cross on amd64.
 */

interface Target {
  /** In the names of files. */
  name: string;
  bun: Bun.Build.CompileTarget;
  /** As Debian and containers call the machine, if there are packages for it. */
  architecture?: "amd64" | "arm64";
}

/** Bun's one executable for x64 needs no AVX2, so there is none beside it for older processors. */
const TARGETS: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64-baseline", architecture: "amd64" },
  { name: "linux-arm64", bun: "bun-linux-arm64", architecture: "arm64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64" },
  { name: "darwin-x64", bun: "bun-darwin-x64" },
  { name: "windows-x64", bun: "bun-windows-x64" },
];

/** Beside each executable, where its README says that they are. */
const PAPERS = ["LICENSE", "README.md", ".env.example", ".github"];

/** What Bun's executables name of glibc, and where each machine's is. */
const LIBRARIES = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];
const GLIBC = {
  amd64: { loader: "lib64/ld-linux-x86-64.so.2", libraries: "/lib/x86_64-linux-gnu" },
  arm64: { loader: "lib/ld-linux-aarch64.so.1", libraries: "/usr/aarch64-linux-gnu/lib" },
} as const;

const root = join(import.meta.dir, "../..");
const { name, version } = manifest;
const folder = resolve(process.argv[2] ?? join(root, "dist/release"));
const work = `${folder}.work`;
/** Of gzip. */
const level = process.env["COMPRESSION_LEVEL"] ?? "6";

const began = performance.now();
// Of every file: the time of the commit, unless the one who builds says another.
const epoch =
  process.env["SOURCE_DATE_EPOCH"] ?? (await $`git -C ${root} log -1 --format=%ct`.text()).trim();
$.env({ ...process.env, TZ: "UTC", SOURCE_DATE_EPOCH: epoch, COMPRESSION_LEVEL: level });

await rm(folder, { recursive: true, force: true });
await rm(work, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
try {
  const site = await buildEmbeddedSite(root);
  const images: MachineImage[] = [];
  for (const { bun, architecture, ...target } of TARGETS) {
    const stem = `${name}-${version}-${target.name}`;
    const isWindows = target.name.startsWith("windows");
    const packed = join(work, stem);
    const executable = join(packed, isWindows ? "freehold.exe" : "freehold");
    await buildExecutable(root, executable, { target: bun, site });
    await $`git -C ${root} archive HEAD ${PAPERS} | tar -x -C ${packed}`;
    await $`find ${packed} -exec touch -d @${epoch} {} +`;
    if (isWindows) await $`zip -q -X -r -${level} ${folder}/${stem}.zip ${stem}`.cwd(work);
    else
      await Bun.write(
        `${folder}/${stem}.tar.gz`,
        await compress(await packTar(work, stem, epoch), level),
      );
    if (!architecture) continue;
    const script = join(root, ".github/packaging/build-deb.sh");
    await $`sh ${script} ${executable} ${version} ${folder} ${architecture}`.quiet();
    const layer = join(work, `image-${architecture}`);
    await layOutImage(layer, executable, architecture);
    images.push({ architecture, folder: layer });
  }
  const image = { name, version, license: manifest.license, images, epoch, level };
  await writeImage(join(work, "oci"), join(folder, `${name}-${version}-image.tar`), image);
  const source = `${name}-${version}`;
  await $`git -C ${root} archive --prefix=${source}/ HEAD | gzip -n -${level} > ${folder}/${source}-source.tar.gz`;
  const materials = await describeMaterials(root, new Date(Number(epoch) * 1000));
  await Bun.write(join(folder, `${source}.cdx.json`), `${JSON.stringify(materials, null, 2)}\n`);
  await $`cp .github/packaging/compose.yaml .github/packaging/Caddyfile ${folder}`.cwd(root);
  await Bun.write(join(folder, "NOTES.md"), await readNotes());
  await Bun.write(join(folder, "SHA256SUMS"), await sumFiles());
} finally {
  await rm(work, { recursive: true, force: true });
}
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`${await $`ls -sh ${folder}`.text()}${folder} in ${seconds} s`);

/** What the image of a machine holds: the executable and glibc's libraries, where its loader looks. */
async function layOutImage(layer: string, executable: string, machine: keyof typeof GLIBC) {
  const { loader, libraries } = GLIBC[machine];
  await $`install -D -m 755 ${executable} ${layer}/usr/bin/freehold`;
  // SQLite sorts there what does not fit into memory.
  await $`install -d -m 1777 ${layer}/tmp`;
  for (const library of [loader, ...LIBRARIES.map((each) => `lib/${each}`)])
    await $`install -D -m 755 ${join(libraries, basename(library))} ${layer}/${library}`;
}

/** The newest section of the changelog. */
async function readNotes(): Promise<string> {
  const changelog = await Bun.file(join(root, ".github/CHANGELOG.md")).text();
  return (changelog.split(/^## .*$/m)[1] ?? "").trimStart();
}

/** As `sha256sum` writes and checks them. */
async function sumFiles(): Promise<string> {
  const lines = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const hash = new CryptoHasher("sha256").update(await Bun.file(join(folder, file)).bytes());
    lines.push(`${hash.digest("hex")}  ${file}\n`);
  }
  return lines.join("");
}
