/** Stands in for the hooks of wouter's default router: the application brings a router of its own. */
export function useBrowserLocation(): never {
  throw new Error("Expected a router with a hook of its own.");
}

export const useSearch = useBrowserLocation;
