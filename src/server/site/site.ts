import { deserialize, serialize } from "bun:jsc";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  addVariant,
  type Bytes,
  createResource,
  isCompressible,
  type Resource,
} from "../static/resource.ts";
import { screenAt } from "../../client/screens.ts";
import { type BuildOutput, type PageInput, readPublicFiles } from "./bundle.ts";
import {
  allPages,
  applySettings,
  DEFAULT_PAGE_SETTINGS,
  type Pages,
  type PageSettings,
  renderPages,
} from "./pages.ts";

/** All files and pages, in any mode. Paths are as the URL writes them, below the base path. */
export interface Site {
  /** A script, a style, a file of `public/`, or the page of a screen. */
  find(path: string): Promise<Resource | undefined>;
  notFound(): Promise<Resource>;
}

/** No answer waits for the best coding of a body, which comes a moment later. */
export async function createProductionSite(
  { files, ...input }: BuildOutput,
  settings: PageSettings,
) {
  const compressing = compress(files.values()).quick;
  const pages = await renderPages(input, settings);
  await Promise.all([compressing, compress(allPages(pages)).quick]);
  return serveFromMemory(files, pages);
}

interface EmbeddedSite {
  files: Map<string, Resource>;
  /** Under `DEFAULT_PAGE_SETTINGS`. */
  pages: Pages;
  input: PageInput;
}

export const EMBEDDED_SITE_FILE = "site.bin";

/** Every file and page in every coding, for `openEmbeddedSite` of the same build. */
export async function serializeSite({ files, ...input }: BuildOutput): Promise<Uint8Array> {
  const pages = await renderPages(input, DEFAULT_PAGE_SETTINGS);
  await compress([...files.values(), ...allPages(pages)]).best;
  const site: EmbeddedSite = { files, pages, input };
  return new Uint8Array(serialize(site));
}

/** Renders pages under another name or base path now; their best coding comes a moment later. */
export async function openEmbeddedSite(bytes: ArrayBuffer, settings: PageSettings): Promise<Site> {
  // The build that made this program wrote the bytes from an EmbeddedSite.
  const { files, input, pages }: EmbeddedSite = deserialize(bytes);
  if (Bun.deepEquals(settings, DEFAULT_PAGE_SETTINGS)) return serveFromMemory(files, pages);
  const rendered = await renderPages(input, settings);
  await compress(allPages(rendered)).quick;
  return serveFromMemory(files, rendered);
}

function serveFromMemory(files: Map<string, Resource>, pages: Pages): Site {
  const byPath = new Map([...pages.byPath, ...files]);
  return {
    find: async (path) => byPath.get(path) ?? byPath.get(screenAt(path) ?? ""),
    notFound: async () => pages.notFound,
  };
}

/** Where `server.ts` serves Bun's HTML import. Only this site asks for it: no screen has a dot. */
export const DEVELOPMENT_PAGE = "/.development-page";

/** Reads files from disk and the page from Bun's HTML import, which lacks the brand and status 404. */
export function createDevelopmentSite(
  settings: PageSettings,
  publicFolder: string,
  serverUrl: () => string,
): Site {
  const page = async (): Promise<Resource> => {
    const response = await fetch(new URL(DEVELOPMENT_PAGE, serverUrl()), {
      proxy: false,
      // A request to itself: its certificate need not name the loopback address.
      tls: { rejectUnauthorized: false },
    });
    const html = applySettings(await response.text(), settings);
    const manifest = `${settings.basePath}/manifest.webmanifest`;
    const rewriter = new HTMLRewriter().on('link[rel="manifest"]', {
      // Bun serves it elsewhere, and what it names is beside it.
      element: (element) => void element.setAttribute("href", manifest),
    });
    return createResource(new TextEncoder().encode(rewriter.transform(html)), {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
    });
  };
  return {
    async find(path: string) {
      const file = (await readPublicFiles(publicFolder)).get(path);
      return file ?? (screenAt(path) === undefined ? undefined : page());
    },
    notFound: page,
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * `quick` (gzip) takes milliseconds, and a start waits for it. `best` (zstd and brotli, a third of
 * a second for React alone) comes while the server answers, beside the main thread.
 */
function compress(resources: Iterable<Resource>) {
  const compressible = [...resources].filter(({ headers }) => isCompressible(headers));
  const each = (work: (resource: Resource) => Promise<void>) => Promise.all(compressible.map(work));
  const quick = each(async (resource) => {
    addVariant(resource, "gzip", copy(await gzipped(resource.body, { level: 9 })));
  });
  const best = quick.then(() =>
    each(async (resource) => {
      const { body } = resource;
      const zstd = Bun.zstdCompress(body, { level: 19 });
      const br = brotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
      addVariant(resource, "zstd", copy(await zstd));
      addVariant(resource, "br", copy(await br));
    }),
  );
  return { quick, best };
}

/** A Buffer may be a view of a larger pool: a copy holds no more memory than its bytes. */
function copy(buffer: Uint8Array): Bytes {
  return new Uint8Array(buffer);
}
