/** Stands in for the parser of wouter's default router: the application brings one of its own. */
export function parse(): never {
  throw new Error("Expected a router with a parser of its own.");
}
