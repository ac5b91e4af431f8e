import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** An entry of `bun.lock`: name and version, registry, what it needs, and the hash of its archive. */
type Locked = [id: string, registry: string, needs: { dependencies?: object }, integrity: string];

interface Package {
  license?: string;
}

/**
 * What a release is made of, as a CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/): each
 * package that runs in it, with version, licence and hash, and Bun.
 */
export async function describeMaterials(root: string, time: Date): Promise<object> {
  const lock = Bun.JSONC.parse(await Bun.file(join(root, "bun.lock")).text());
  const locked = (lock as { packages: Record<string, Locked> }).packages;
  const found = new Map<string, object>();

  async function add(name: string, parent = ""): Promise<void> {
    const own = `${parent}/${name}`;
    const isOwn = own in locked;
    const entry = locked[isOwn ? own : name];
    if (!entry) throw new Error(`${name} is not in bun.lock.`);
    const [id, , { dependencies = {} }, integrity] = entry;
    const version = id.slice(id.lastIndexOf("@") + 1);
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    if (found.has(purl)) return;
    const folder = join(root, "node_modules", ...(isOwn ? [parent, "node_modules", name] : [name]));
    const about: Package = await Bun.file(join(folder, "package.json")).json();
    if (!about.license) throw new Error(`${name} names no licence.`);
    found.set(purl, {
      type: "library",
      "bom-ref": purl,
      name,
      version,
      purl,
      licenses: [{ license: { id: about.license } }],
      hashes: [
        { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") },
      ],
    });
    for (const each of Object.keys(dependencies)) await add(each, name);
  }

  for (const name of Object.keys(manifest.dependencies)) await add(name);
  const { name, version, license, description } = manifest;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        type: "application",
        "bom-ref": name,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": `pkg:npm/bun@${Bun.version}`,
        name: "bun",
        version: Bun.version,
        purl: `pkg:npm/bun@${Bun.version}`,
        licenses: [{ license: { id: "MIT" } }],
      },
      ...found.values(),
    ],
  };
}
