const SIGNS = ["pointerover", "focusin", "touchstart"] as const;

/**
 * Watches every link of the page, whoever rendered it, and says where one leads as soon as a
 * pointer, a finger or the focus comes near.
 *
 * @returns Stops watching.
 */
export function preloadLinks(preload: (path: string) => void): () => void {
  const look = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.href && link.origin === location.origin) preload(link.pathname);
  };
  for (const sign of SIGNS) document.addEventListener(sign, look, { passive: true });
  return () => {
    for (const sign of SIGNS) document.removeEventListener(sign, look);
  };
}
