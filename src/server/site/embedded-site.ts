import { deserialize, serialize } from "bun:jsc";
import {
  addVariant,
  type Bytes,
  createResource,
  type Resource,
  type Coding,
} from "../static/resource.ts";
import { type BuildOutput, createFiles, type PageInput } from "./bundle.ts";
import {
  allPages,
  createVersionFile,
  DEFAULT_SETTINGS,
  type PageSettings,
  renderPages,
} from "./pages.ts";
import { compress, serveFromMemory, type Site } from "./site.ts";

/** A resource as plain data: headers, and the body in each coding, the plain one among them. */
interface EmbeddedResource {
  headers: Record<string, string>;
  bodies: [coding: Coding, bytes: Bytes][];
}

interface EmbeddedSite {
  files: Map<string, EmbeddedResource>;
  screens: Map<string, EmbeddedResource>;
  notFound: EmbeddedResource;
  input: PageInput;
}

export const EMBEDDED_SITE_FILE = "site.bin";

/** Every file and page in every coding, for `openEmbeddedSite` of the same build. */
export async function serializeSite(output: BuildOutput): Promise<Uint8Array> {
  const files = createFiles(output);
  const pages = await renderPages(output, DEFAULT_SETTINGS);
  await compress([...files.values(), ...allPages(pages)]).best;
  const { assets: _assets, ...bundle } = output.bundle;
  const site: EmbeddedSite = {
    files: mapValues(files, toEmbedded),
    screens: mapValues(pages.screens, toEmbedded),
    notFound: toEmbedded(pages.notFound),
    input: { bundle, html: output.html },
  };
  return new Uint8Array(serialize(site));
}

/** Renders pages under another name or base path now; their best coding comes a moment later. */
export async function openEmbeddedSite(bytes: ArrayBuffer, settings: PageSettings): Promise<Site> {
  // The build that made this program wrote the bytes from an EmbeddedSite.
  const site: EmbeddedSite = deserialize(bytes);
  const files = mapValues(site.files, fromEmbedded);
  files.set(...createVersionFile(site.input, settings));
  if (Bun.deepEquals(settings, DEFAULT_SETTINGS)) {
    const screens = mapValues(site.screens, fromEmbedded);
    return serveFromMemory(files, { screens, notFound: fromEmbedded(site.notFound) });
  }
  const pages = await renderPages(site.input, settings);
  await compress(allPages(pages)).quick;
  return serveFromMemory(files, pages);
}

function mapValues<A, B>(map: Map<string, A>, convert: (value: A) => B): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, convert(value)]));
}

function toEmbedded({ headers, variants }: Resource): EmbeddedResource {
  return { headers, bodies: [...variants].map(([coding, { bytes }]) => [coding, bytes]) };
}

function fromEmbedded({ headers, bodies }: EmbeddedResource): Resource {
  const plain = bodies.find(([coding]) => coding === "identity");
  if (!plain) throw new Error("Expected an embedded resource to have its plain body.");
  const resource = createResource(plain[1], headers);
  for (const [coding, bytes] of bodies)
    if (coding !== "identity") addVariant(resource, coding, bytes);
  return resource;
}
