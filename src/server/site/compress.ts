import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { addVariant, type Bytes, isCompressible, type Resource } from "../static/resource.ts";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Prepares every coding of some bodies. `quick` is there in milliseconds and waited for by a
 * start; `best` (brotli at its highest level takes a third of a second for React alone) joins body by
 * body while the server already answers. Both run beside the main thread.
 */
export function compress(resources: Iterable<Resource>): {
  quick: Promise<void>;
  best: Promise<void>;
} {
  const worth = [...resources].filter(({ headers }) => isCompressible(headers));
  const quick = each(worth, async (resource) => {
    addVariant(resource, "gzip", own(await gzipped(resource.body, { level: 9 })));
  });
  const best = quick.then(() =>
    each(worth, async (resource) => {
      const { body } = resource;
      const zstd = Bun.zstdCompress(body, { level: 19 });
      const br = brotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
      addVariant(resource, "zstd", own(await zstd));
      addVariant(resource, "br", own(await br));
    }),
  );
  return { quick, best };
}

async function each(resources: Resource[], work: (resource: Resource) => Promise<void>) {
  await Promise.all(resources.map(work));
}

/** A Buffer may be a window on a pool: a copy holds no more memory than it shows. */
function own(buffer: Uint8Array): Bytes {
  return new Uint8Array(buffer);
}
