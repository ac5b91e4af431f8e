/**
 * The path of a URL within a register that is served below a base path: `/names/home` is `/home`, and
 * `/names` is `/`. A path that is not below it stays as it is: a proxy has taken the base path off.
 */
export function pathBelow(basePath: string, path: string): string {
  const isBelow = path === basePath || path.startsWith(`${basePath}/`);
  return isBelow ? path.slice(basePath.length) || "/" : path;
}

/** What a cookie is called below a base path: `XSRF-TOKEN~names`. A base path has no `~` itself. */
export function cookieNameAt(basePath: string, name: string): string {
  return name + basePath.replaceAll("/", "~");
}
