/** One value. Members other than `value` and `suffix` are labels, each with a few values known beforehand. */
interface Sample {
  readonly [label: string]: string | number;
  readonly value: number;
}

/** A metric and its values: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export interface Metric {
  /** With its unit, in seconds or bytes; a counter's ends in `_total`. */
  name: string;
  type: "counter" | "gauge" | "histogram";
  /** One line without a backslash. */
  help: string;
  samples: () => readonly Sample[];
}

export function formatMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, samples }) => [
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}`,
    ...samples().map(({ value, suffix = "", ...labels }) => {
      // JSON escapes what the format does: quotes, backslashes and line feeds.
      const quote = (text: string | number) => JSON.stringify(String(text));
      const pairs = Object.entries(labels).map(([label, text]) => `${label}=${quote(text)}`);
      return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}

export function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: "gauge", samples: () => samples };
}

/** Always the same labels of a metric, in the same order. */
type Labels = Readonly<Record<string, string>>;

/** Counts events in this process; a gauge also counts down when something ends. */
export function createCounter(name: string, help: string, type: "counter" | "gauge" = "counter") {
  const series = new Map<string, { labels: Labels; value: number }>();
  return {
    name,
    help,
    type,
    samples: () => Array.from(series.values(), ({ labels, value }) => ({ ...labels, value })),
    add(labels: Labels, amount = 1) {
      const key = Object.values(labels).join("\n");
      series.getOrInsertComputed(key, () => ({ labels, value: 0 })).value += amount;
    },
  };
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createHistogram(name: string, help: string) {
  const buckets = createCounter(name, help);
  const sums = createCounter(name, help);
  return {
    name,
    help,
    type: "histogram" as const,
    samples: () => [...buckets.samples(), ...sums.samples()],
    observe(seconds: number, labels: Labels = {}) {
      for (const le of BUCKETS)
        buckets.add({ suffix: "_bucket", ...labels, le: String(le) }, Number(seconds <= le));
      buckets.add({ suffix: "_bucket", ...labels, le: "+Inf" });
      sums.add({ suffix: "_sum", ...labels }, seconds);
      sums.add({ suffix: "_count", ...labels });
    },
  };
}
