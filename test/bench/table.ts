import type { Throughput } from "./throughput.ts";

/** One line of the table. */
export interface Row {
  what: string;
  ours: number;
  theirs?: number | undefined;
  /** What Bun reaches that does nothing else. */
  alone?: number | undefined;
  /** What was promised, of the ratio or of our own figure. */
  target?: string;
  digits: number;
  /** A smaller figure is the better one: the ratio is turned round. */
  less?: boolean;
}

/** What each contender made of one kind of request; nginx and Bun alone where they took part. */
export interface Results {
  ours: Throughput;
  theirs?: Throughput | undefined;
  alone?: Throughput | undefined;
}

/** The lines for one kind of request. */
export function throughputRows(what: string, results: Results, target: string): Row[] {
  const all = (figure: keyof Throughput) => ({
    ours: results.ours[figure],
    theirs: results.theirs?.[figure],
    alone: results.alone?.[figure],
  });
  return [
    { what: `${what}, requests/s`, ...all("requestsPerSecond"), target, digits: 0 },
    { what: `${what}, p99 ms`, ...all("p99"), digits: 1, less: true },
    { what: `${what}, CPU µs per request`, ...all("cpu"), digits: 1, less: true },
  ];
}

/** A Markdown table; a ratio says how many times better Freehold, or Bun alone, is than nginx. */
export function formatTable(rows: readonly Row[]): string {
  const head = ["", "Freehold", "nginx", "ratio", "target", "Bun alone", "its ratio"];
  const cells = rows.map(({ what, ours, theirs, alone, target = "", digits, less }) => {
    const figure = (value: number | undefined) => value?.toFixed(digits) ?? "";
    const ratio = (value: number | undefined) =>
      value === undefined || theirs === undefined
        ? ""
        : `${(less ? theirs / value : value / theirs).toFixed(2)}×`;
    return [what, figure(ours), figure(theirs), ratio(ours), target, figure(alone), ratio(alone)];
  });
  const rule = ["---", "---:", "---:", "---:", "---", "---:", "---:"];
  return [head, rule, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
