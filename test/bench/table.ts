import type { Throughput } from "./throughput.ts";

/** One line of the table. */
export interface Row {
  what: string;
  ours: number;
  theirs?: number | undefined;
  /** What was promised, of the ratio or of our own figure. */
  target?: string;
  digits: number;
  /** A smaller figure is the better one: the ratio is turned round. */
  less?: boolean;
}

/** The lines for one kind of request; the second result is nginx's, where there is one. */
export function throughputRows(
  what: string,
  [ours, theirs]: readonly Throughput[],
  target: string,
): Row[] {
  if (!ours) return [];
  return [
    {
      what: `${what}, requests/s`,
      ours: ours.requestsPerSecond,
      theirs: theirs?.requestsPerSecond,
      target,
      digits: 0,
    },
    { what: `${what}, p99 ms`, ours: ours.p99, theirs: theirs?.p99, digits: 1, less: true },
    {
      what: `${what}, CPU µs per request`,
      ours: ours.cpu,
      theirs: theirs?.cpu,
      digits: 1,
      less: true,
    },
  ];
}

/** A Markdown table; the ratio says how many times better Freehold is than nginx. */
export function formatTable(rows: readonly Row[]): string {
  const head = ["", "Freehold", "nginx", "ratio", "target"];
  const cells = rows.map(({ what, ours, theirs, target = "", digits, less }) => {
    const ratio = theirs === undefined ? null : less ? theirs / ours : ours / theirs;
    const other = theirs === undefined ? "" : theirs.toFixed(digits);
    return [
      what,
      ours.toFixed(digits),
      other,
      ratio === null ? "" : `${ratio.toFixed(2)}×`,
      target,
    ];
  });
  const rule = ["---", "---:", "---:", "---:", "---"];
  return [head, rule, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
