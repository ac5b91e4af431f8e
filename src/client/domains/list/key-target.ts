/**
 * Whether a key is free to mean something to the screen: no modifier but Shift is held, nothing is
 * being typed, and no dialog or menu is open that has keys of its own.
 */
export function takesKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest("dialog, [popover], textarea, select, [contenteditable]")) return false;
  return !target.matches("input:not([type=checkbox])");
}
