import type { ApiClient } from "../support/api-client.ts";

/** What one request took, in milliseconds. */
export interface Timing {
  write: boolean;
  milliseconds: number;
}

/** What people do beside an import: of ten requests nine read, and one adds or edits a name. */
export const MIX = "5 lists, 2 names, 1 history, 1 summary and 1 write of every 10 requests";

const READS = [
  () => "/api/domains?limit=50&sort=name",
  () => "/api/domains?limit=100",
  (id: string) => `/api/domains/${id}`,
  () => "/api/domains?q=name-1&sort=-expires,name",
  () => "/api/summary",
  () => "/api/domains?tld=test&autoRenew=!true&sort=name",
  (id: string) => `/api/domains/${id}`,
  () => "/api/domains?expiresBefore=2027-06-01&sort=registrar,name",
  (id: string) => `/api/domains/${id}/history`,
];

/** Everybody else: goes on from `start` to `stop`, which waits for the last answer. */
export class Traffic {
  readonly #client: ApiClient;
  readonly #own: string;
  readonly #rate: number;
  #sent = 0;

  private constructor(client: ApiClient, own: string, rate: number) {
    this.#client = client;
    this.#own = own;
    this.#rate = rate;
  }

  /**
   * Adds the name that is read and edited. `rate` is of requests in a second, which are sent when they
   * are due, whether or not those before are answered.
   */
  static async create(client: ApiClient, rate: number): Promise<Traffic> {
    const json = { name: "probe.test", expires: "2027-01-01" };
    const { id } = await (await client.request("/api/domains", { method: "POST", json })).json();
    return new Traffic(client, id, rate);
  }

  /** Sends requests while `work` is under way; the timings of all that were sent meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; timings: Timing[] }> {
    const asked: Promise<Timing>[] = [];
    const begun = performance.now();
    const timer = setInterval(() => {
      const due = ((performance.now() - begun) / 1000) * this.#rate;
      while (asked.length < due) asked.push(this.#ask());
    }, 1);
    const result = await work().finally(() => clearInterval(timer));
    return { result, timings: await Promise.all(asked) };
  }

  async #ask(): Promise<Timing> {
    const turn = (this.#sent += 1);
    const write = turn % 10 === 0;
    const start = performance.now();
    const response = await (write ? this.#write(turn) : this.#read(turn));
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`Request ${turn} got ${response.status}`);
    return { write, milliseconds: performance.now() - start };
  }

  #read(turn: number): Promise<Response> {
    const path = READS[(turn % 10) - 1] ?? (() => "/api/token");
    return this.#client.request(path(this.#own));
  }

  #write(turn: number): Promise<Response> {
    if (turn % 20 === 0) {
      const json = { name: `probe-${turn}.test` };
      return this.#client.request("/api/domains", { method: "POST", json });
    }
    return this.#client.request(`/api/domains/${this.#own}`, {
      method: "PATCH",
      json: { notes: `Note ${turn}` },
      headers: { "If-Match": "*" },
    });
  }
}
