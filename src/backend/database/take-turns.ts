/**
 * Lets everything run that waits for its turn. A statement of SQLite is over within the call that
 * starts it, so that awaiting one after the other would keep all others out until the last.
 */
export function takeTurns(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
