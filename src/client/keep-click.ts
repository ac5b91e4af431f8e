/**
 * Keeps the last click on a link of the bar that comes before the application does, and shows that
 * it is on its way: the browser's own navigation would throw away what is being loaded. A link to the
 * page itself needs nothing more. A link of the content is the browser's: React takes the content
 * over later than the bar, and would leave the click to it all the same.
 *
 * @returns Ends that, and gives the click to whoever handles clicks by then.
 */
export function keepClick(): () => void {
  let kept: HTMLElement | undefined;
  const hideProgress = (hidden: boolean) =>
    document.querySelector(".progress-bar")?.toggleAttribute("hidden", hidden);
  const keep = (event: MouseEvent) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('nav a[href^="/"]');
    if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    hideProgress(false);
    kept = link.href === location.href ? undefined : link;
  };
  document.addEventListener("click", keep);
  return () => {
    document.removeEventListener("click", keep);
    hideProgress(true);
    kept?.click();
  };
}
