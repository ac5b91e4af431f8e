import { $, CryptoHasher } from "bun";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** What the image of one machine holds, in a folder that is to be its root. */
export interface MachineImage {
  architecture: "amd64" | "arm64";
  folder: string;
}

interface Image {
  name: string;
  version: string;
  license: string;
  /** Seconds since 1970 that everything in it has. */
  epoch: string;
  /** Of gzip, 1 to 9. */
  level: string;
  images: readonly MachineImage[];
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** The user that it runs as, who owns `/data`. */
const USER = 10001;

const SETTINGS = {
  User: `${USER}:${USER}`,
  Env: ["HOST=0.0.0.0", "DATABASE_URL=sqlite:///data/freehold.sqlite"],
  Entrypoint: ["/usr/bin/freehold"],
  WorkingDir: "/data",
  Volumes: { "/data": {} },
  ExposedPorts: { "3000/tcp": {} },
};

/**
 * Writes an image for several machines as the archive of an OCI layout
 * (https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md). The same folders give
 * the same bytes.
 *
 * @param work An empty folder for the layout.
 */
export async function writeImage(work: string, file: string, image: Image): Promise<void> {
  const { name, version, license, epoch, level, images } = image;
  const created = new Date(Number(epoch) * 1000).toISOString();
  const annotations = {
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": license,
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
  };
  const blobs = join(work, "blobs/sha256");
  await mkdir(blobs, { recursive: true });

  async function put(kind: string, content: string | Uint8Array): Promise<Descriptor> {
    const bytes = Buffer.from(content);
    const hash = digestOf(bytes);
    await Bun.write(join(blobs, hash.replace("sha256:", "")), bytes);
    return { mediaType: `application/vnd.oci.image.${kind}`, digest: hash, size: bytes.length };
  }
  const putJson = (kind: string, value: object) => put(`${kind}+json`, JSON.stringify(value));

  async function putMachine({ architecture, folder }: MachineImage) {
    const data = join(work, `data-${architecture}`);
    await mkdir(join(data, "data"), { recursive: true });
    const layers = [];
    const diffs = [];
    for (const [root, owner] of [
      [folder, 0],
      [data, USER],
    ] as const) {
      const tar = await packTar(root, ".", epoch, owner);
      diffs.push(digestOf(tar));
      layers.push(await put("layer.v1.tar+gzip", await compress(tar, level)));
    }
    await $`rm -r ${data}`;
    const config = await putJson("config.v1", {
      created,
      architecture,
      os: "linux",
      config: { ...SETTINGS, Labels: annotations },
      rootfs: { type: "layers", diff_ids: diffs },
    });
    const manifest = await putJson("manifest.v1", {
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config,
      layers,
    });
    return { ...manifest, platform: { architecture, os: "linux" } };
  }

  const manifests = [];
  for (const each of images) manifests.push(await putMachine(each));
  const mediaType = "application/vnd.oci.image.index.v1+json";
  const all = await putJson("index.v1", { schemaVersion: 2, mediaType, manifests, annotations });
  const named = {
    ...all,
    annotations: {
      "io.containerd.image.name": `docker.io/library/${name}:${version}`,
      "org.opencontainers.image.ref.name": version,
    },
  };
  const index = { schemaVersion: 2, mediaType, manifests: [named] };
  await Bun.write(join(work, "index.json"), JSON.stringify(index));
  await Bun.write(join(work, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  await Bun.write(file, await packTar(work, ".", epoch));
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${new CryptoHasher("sha256").update(bytes).digest("hex")}`;
}

/** A part of a folder, with the owner, the order and the times that every machine gives. */
export async function packTar(
  folder: string,
  part: string,
  epoch: string,
  owner = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const same = [
    "--sort=name",
    "--format=gnu",
    "--numeric-owner",
    "--mode=go-w",
    `--mtime=@${epoch}`,
  ];
  const by = [`--owner=${owner}`, `--group=${owner}`];
  return new Uint8Array(await $`tar -c ${same} ${by} -C ${folder} ${part}`.arrayBuffer());
}

/** As gzip does, without a name and a time. */
export async function compress(
  bytes: Uint8Array<ArrayBuffer>,
  level: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await $`gzip -n -${level} < ${bytes}`.arrayBuffer());
}
