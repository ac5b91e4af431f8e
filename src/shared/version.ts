import { version } from "../../package.json" with { type: "json" };

export const VERSION = version;

/** The commit that an executable is built from, which its build writes here. */
declare const BUILD_COMMIT: string | undefined;

/** "1.2.3 (0a1b2c3d4e5f)"; from source, and built outside a clone, without the commit. */
export function describeVersion(): string {
  return typeof BUILD_COMMIT === "string" && BUILD_COMMIT !== ""
    ? `${VERSION} (${BUILD_COMMIT})`
    : VERSION;
}
