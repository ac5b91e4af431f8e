import { ClientLeftError, SilenceError } from "./upstream-error.ts";

/** Milliseconds between two looks at the exchanges. */
const ROUND = 20;

/** Who is asking: the signal is looked at late, for it is made by being looked at. */
interface Client {
  readonly signal: AbortSignal;
}

/** Ends exchanges that have fallen silent or whose client has left: with one timer for all of them. */
export class Watch {
  readonly #milliseconds: number;
  readonly #watched = new Set<Watchdog>();
  #now = 0;
  #timer: Timer | undefined;

  /** @param seconds How long a silence may last. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000;
  }

  /** When a silence that begins now has lasted too long: no more exact than the rounds are. */
  get deadline(): number {
    return this.#now + this.#milliseconds;
  }

  begin(client: Client): Watchdog {
    return new Watchdog(this, client);
  }

  add(watchdog: Watchdog) {
    this.#watched.add(watchdog);
    if (this.#timer !== undefined) return;
    this.#now = performance.now();
    this.#timer = setInterval(() => this.#look(), ROUND);
  }

  delete(watchdog: Watchdog) {
    this.#watched.delete(watchdog);
  }

  #look() {
    this.#now = performance.now();
    for (const watchdog of this.#watched)
      if (!watchdog.look(this.#now)) this.#watched.delete(watchdog);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Watches over one exchange; it begins asleep. */
export class Watchdog {
  readonly #watch: Watch;
  #client: Client | null;
  /** Called at most once with why the exchange has to end. */
  #bark: ((reason: Error) => void) | null = null;
  #deadline = Number.POSITIVE_INFINITY;
  #seen = false;
  #follows = false;

  constructor(watch: Watch, client: Client) {
    this.#watch = watch;
    this.#client = client;
  }

  /** @param bark Called at most once, with why the exchange has to end; in place of any before. */
  guard(bark: (reason: Error) => void) {
    this.#bark = bark;
  }

  /** Something came, or somebody begins to wait: the silence starts again. */
  reset() {
    if (this.#client === null) return;
    this.#watch.add(this);
    this.#deadline = this.#watch.deadline;
  }

  /** Something came, whether or not somebody waits. */
  heard() {
    if (this.#deadline !== Number.POSITIVE_INFINITY) this.reset();
  }

  /** Nobody is waiting for now. */
  rest() {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** Nothing is left to end, and nothing of it is held on to. */
  end() {
    this.#client = null;
    this.#bark = null;
    this.#watch.delete(this);
  }

  /**
   * Follows the client from the second look on: to look at a request's signal costs as much as a good
   * part of passing it on, and most are answered before that.
   *
   * @returns Whether there is anything to look at again.
   */
  look(now: number): boolean {
    if (now >= this.#deadline) this.#stop(new SilenceError("silent for too long"));
    else if (!this.#seen) this.#seen = true;
    else if (!this.#follows) this.#follow();
    const resting = this.#deadline === Number.POSITIVE_INFINITY && this.#follows;
    return this.#client !== null && !resting;
  }

  #follow() {
    const signal = this.#client?.signal;
    this.#follows = true;
    if (signal?.aborted) this.#leave();
    else signal?.addEventListener("abort", () => this.#leave(), { once: true });
  }

  #leave() {
    this.#stop(new ClientLeftError("The client left."));
  }

  #stop(reason: Error) {
    const bark = this.#bark;
    this.end();
    bark?.(reason);
  }
}
