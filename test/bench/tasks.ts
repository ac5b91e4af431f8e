import { openRegister } from "../support/owner.ts";
import { median } from "./process-cost.ts";

/**
 * The longest task of the list's main thread, per gesture, on a processor four times slower:
 * `bun test/bench/tasks.ts 2000 5` takes a number of domains and of rounds. Processor time is what
 * the thread had, and holds on a busy machine; wall time is what a person waits on this one.
 */
const [count = "2000", rounds = "5"] = process.argv.slice(2);
const SLOWER = 4;
const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"];

/** An event of Chromium's trace; durations in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  /** Of the thread's processor. */
  tdur?: number;
  args: { name?: string };
}

await using used = new AsyncDisposableStack();
const end = () => void used.disposeAsync().finally(() => process.exit(1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
const register = used.use(await openRegister(Number(count)));
const { page, address } = register;

const wheel = async (deltaY: number, steps: number) => {
  for (let step = 0; step < steps; step += 1) {
    const at = { type: "mouseWheel", x: 600, y: 500, deltaX: 0, deltaY };
    await page.view.cdp("Input.dispatchMouseEvent", at);
    await Bun.sleep(100);
  }
};
const press = async (key: "End" | "Home" | "PageDown" | "ArrowDown", times: number) => {
  for (let time = 0; time < times; time += 1) {
    await page.view.press(key);
    await Bun.sleep(200);
  }
};
const focusFirst = "document.querySelector('tbody a').focus({ preventScroll: true })";

const GESTURES: Record<string, () => Promise<void>> = {
  async load() {
    await page.goto(`${address}/domains?sort=name`);
    await page.until("document.querySelector('#row-5 a')");
    await Bun.sleep(1500);
  },
  "wheel, 300 px a step": () => wheel(300, 12),
  "wheel, 1200 px a step": () => wheel(1200, 10),
  PageDown: () => press("PageDown", 8),
  async "End, Home, arrows"() {
    await page.evaluate(focusFirst);
    await press("End", 1);
    await press("Home", 1);
    await press("ArrowDown", 30);
  },
  async drag() {
    for (let at = 0; at <= 12; at += 1) {
      await page.evaluate(`scrollTo(0, (document.body.scrollHeight * ${at}) / 12)`);
      await Bun.sleep(100);
    }
    await page.evaluate("scrollTo(0, 0)");
  },
  async "select all"() {
    await page.view.click("[aria-label='Select all domains that match']");
    await page.until("document.querySelector('.bulk-bar')");
    await Bun.sleep(500);
  },
  "wheel while all are selected": () => wheel(300, 12),
};

/** The longest task of any page's main thread while something is done. */
async function longestTask(act: () => Promise<void>) {
  const events: TraceEvent[] = [];
  const done = Promise.withResolvers<void>();
  const collect = (given: Event & { data?: { value: TraceEvent[] } }) =>
    events.push(...(given.data?.value ?? []));
  const finish = () => done.resolve();
  page.view.addEventListener("Tracing.dataCollected", collect);
  page.view.addEventListener("Tracing.tracingComplete", finish);
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ["*"] };
  await page.view.cdp("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await act();
  await page.view.cdp("Tracing.end", {});
  await done.promise;
  page.view.removeEventListener("Tracing.dataCollected", collect);
  page.view.removeEventListener("Tracing.tracingComplete", finish);
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = events.filter(({ args }) => args.name === "CrRendererMain");
  const main = new Set(named.map(threadOf));
  const tasks = events.filter((event) => event.name === "RunTask" && main.has(threadOf(event)));
  const longest = (field: "dur" | "tdur") =>
    Math.max(0, ...tasks.map((task) => task[field] ?? 0)) / 1000;
  return { processor: longest("tdur"), wall: longest("dur") };
}

const found = new Map<string, Awaited<ReturnType<typeof longestTask>>[]>();
// The first round warms up.
for (let round = 0; round <= Number(rounds); round += 1) {
  await page.goto("about:blank");
  await page.view.cdp("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  for (const [name, act] of Object.entries(GESTURES)) {
    const longest = await longestTask(act);
    if (round > 0) found.set(name, [...(found.get(name) ?? []), longest]);
  }
  await page.view.cdp("Emulation.setCPUThrottlingRate", { rate: 1 });
}
console.log(`Longest task, ms, ${count} domains, processor ÷ ${SLOWER}: median (least).\n`);
console.log("| | processor | wall |\n|---|---:|---:|");
for (const [name, all] of found) {
  const cell = (field: "processor" | "wall") => {
    const times = all.map((each) => each[field]);
    return `${median(times).toFixed(0)} (${Math.min(...times).toFixed(0)})`;
  };
  console.log(`| ${name} | ${cell("processor")} | ${cell("wall")} |`);
}
await used.disposeAsync();
// Chromium would keep the process.
process.exit();
