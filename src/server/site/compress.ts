import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { addVariant, type Bytes, isCompressible, type Resource } from "../static/resource.ts";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Compresses resources in every coding. `quick` (gzip) takes milliseconds: a start waits for it.
 * `best` (zstd, and brotli at its highest level, a third of a second for React alone) adds its bodies
 * while the server already answers. Both run beside the main thread.
 */
export function compress(resources: Iterable<Resource>) {
  const compressible = [...resources].filter(({ headers }) => isCompressible(headers));
  const quick = each(compressible, async (resource) => {
    addVariant(resource, "gzip", copy(await gzipped(resource.body, { level: 9 })));
  });
  const best = quick.then(() =>
    each(compressible, async (resource) => {
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

async function each(resources: Resource[], work: (resource: Resource) => Promise<void>) {
  await Promise.all(resources.map(work));
}

/** A Buffer may be a view of a larger pool: a copy holds no more memory than its bytes. */
function copy(buffer: Uint8Array): Bytes {
  return new Uint8Array(buffer);
}
