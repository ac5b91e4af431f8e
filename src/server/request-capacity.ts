/** Read by Bun alone, before any line of ours runs: how many requests `fetch` has under way at once. */
const LIMIT = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/** The most that Bun takes. Its default of 256 would let quiet event streams hold up everything else. */
const MOST = "65535";

/**
 * Starts the process anew, under the same pid and in the same terminal, where the environment leaves
 * Bun's limit of requests to a backend at its default. It takes about 5 ms and happens once: the new
 * process finds the variable set. Where an operator has set it, it stays as it is.
 */
export function raiseRequestCapacity() {
  if (process.env[LIMIT] !== undefined || process.execve === undefined) return;
  // The executable has its script inside: only what follows was given by somebody.
  const given = Bun.isStandaloneExecutable ? process.argv.slice(2) : process.argv.slice(1);
  const args = [process.argv0, ...process.execArgv, ...given];
  process.execve(process.execPath, args, { ...process.env, [LIMIT]: MOST });
}
