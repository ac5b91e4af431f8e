/**
 * Keeps the page from being loaded anew for a newer version while `holds` says that something would
 * be lost with it: the next navigation is asked again.
 *
 * @returns Lets the page go.
 */
export function holdPage(holds: () => boolean): () => void {
  const onNewVersion = (event: Event) => void (holds() && event.preventDefault());
  addEventListener("new-version", onNewVersion);
  return () => removeEventListener("new-version", onNewVersion);
}
