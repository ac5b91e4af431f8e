import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Database } from "../../../src/backend/database/database.ts";
import {
  evaluateReminders,
  noteEvaluation,
  planEvaluation,
} from "../../../src/backend/reminders/evaluate.ts";
import type { Payload } from "../../../src/backend/reminders/payload.ts";
import { changeReminders } from "../../../src/backend/reminders/reminder-settings.ts";
import { addDays, daysBetween, type Day } from "../../../src/shared/day.ts";
import { openRegister } from "../../support/empty-database.ts";
import { domainRow } from "./simulate-kills.ts";

const RUNS = Number(process.env["HISTORIES"] ?? 10);
const HOUR_MS = 3_600_000;
const MAX_DOMAINS = 6;

const between = (min: number, max: number) => fc.integer({ min, max });

/** What happens to a register; `at` picks one of few domains, and days are those until its expiry. */
function arbitrarySteps() {
  const at = between(0, 2);
  const days = fc.oneof(between(-3, 20), between(-50, 400));
  const step = <K extends string, V extends object>(
    weight: number,
    kind: K,
    values: { [N in keyof V]: fc.Arbitrary<V[N]> },
  ) => ({ weight, arbitrary: fc.record(values).map((given) => Object.assign(given, { kind })) });
  const thresholds = fc.uniqueArray(between(1, 90), { minLength: 1, maxLength: 5 });
  const any = fc.oneof(
    step(8, "pass", { minutes: between(1, 2000) }),
    step(3, "pass", { minutes: between(1200, 90_000) }),
    step(1, "pass", { minutes: between(-3600, -60) }),
    step(3, "add", { days, imported: fc.boolean(), autoRenew: fc.boolean() }),
    step(3, "move", { at, days }),
    step(5, "moveBack", { at }),
    step(3, "handle", { at, days: fc.option(between(1, 30), { freq: 2 }) }),
    step(1, "release", { at }),
    step(1, "edit", { at, values: fc.record({ autoRenew: fc.boolean() }) }),
    step(1, "edit", { at, values: fc.record({ drop: fc.boolean() }) }),
    step(1, "thresholds", { days: thresholds }),
  );
  return fc.array(any, { minLength: 10, maxLength: 60 });
}

/** A register's time, and what happens in it; `escalates`: there is a channel for what nobody reacts to. */
const histories = fc.record({
  timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"),
  quietDays: fc.constantFrom<number[][]>([], [6, 7], [1]),
  escalates: fc.boolean(),
  start: fc.constantFrom("2027-03-25T09:00:00Z", "2027-10-28T20:00:00Z", "2028-02-20T03:30:00Z"),
  steps: arbitrarySteps(),
});

type History = typeof histories extends fc.Arbitrary<infer H> ? H : never;
type Step = History["steps"][number];

interface ModelDomain {
  id: string;
  tld: string;
  day: Day;
  before: Day | null;
  autoRenew: boolean;
  drop: boolean;
  handled: { day: Day; until: Day | null } | null;
  /** When an import brought it, until that is taken note of. */
  importedAt: number | null;
}

interface Crossing {
  threshold: number;
  reason: "due" | "baseline" | "silent";
  toldAt: number | null;
  isEscalated: boolean;
}

/** The reminders as the reader of their rules would keep them: in memory, and one domain at a time. */
class Model {
  readonly domains: ModelDomain[] = [];
  /** The crossings of each expiry, the tightest last. */
  readonly crossings = new Map<string, Crossing[]>();
  readonly told: string[] = [];
  thresholds = [60, 30, 14, 7, 1];
  /** When reminders or thresholds began, until that is taken note of. */
  baselineAt: number | null = null;
  nextRun: number;
  week = "";

  readonly choice: Omit<History, "start" | "steps">;

  constructor(choice: Omit<History, "start" | "steps">, now: number) {
    this.choice = choice;
    this.nextRun = this.runAfter(now);
  }

  local(now: number): Temporal.ZonedDateTime {
    const instant = Temporal.Instant.fromEpochMilliseconds(now);
    return instant.toZonedDateTimeISO(this.choice.timeZone);
  }

  today(now: number): Day {
    return this.local(now).toPlainDate().toString();
  }

  runAfter(now: number): number {
    const half = HOUR_MS / 2;
    for (let next = now - (now % half) + half; ; next += half) {
      const { hour, minute, dayOfWeek } = this.local(next);
      if (hour === 8 && minute === 0 && !this.choice.quietDays.includes(dayOfWeek)) return next;
    }
  }

  tightest({ day, autoRenew, drop }: ModelDomain, today: Day): number | undefined {
    const left = daysBetween(today, day);
    if (drop) return undefined;
    if (autoRenew) return Math.abs(left) > 7 ? undefined : left < 0 ? -1 : 7;
    const last = this.choice.escalates ? [1] : [];
    return [-1, 0, ...last, ...this.thresholds]
      .toSorted((a, b) => a - b)
      .find((each) => left <= each);
  }

  /**
   * @param isEvaluated Whether the program took note of imports: it does once a day at least.
   * @param wasRun Whether a message was made today.
   */
  poll(now: number, isEvaluated: boolean, wasRun: boolean): void {
    const today = this.today(now);
    for (const domain of this.domains) {
      const { handled } = domain;
      if (handled?.until && handled.until <= today) {
        const ended = this.crossings.get(`${domain.id} ${handled.day}`)?.at(-1);
        if (ended) Object.assign(ended, { reason: "due", toldAt: null, isEscalated: false });
        domain.handled = null;
      } else if (handled && handled.day !== domain.day) domain.handled = null;
      const crossings = this.crossings.get(`${domain.id} ${domain.day}`) ?? [];
      this.crossings.set(`${domain.id} ${domain.day}`, crossings);
      const threshold = this.tightest(domain, today);
      if (threshold === undefined || (crossings.at(-1)?.threshold ?? Infinity) <= threshold)
        continue;
      const isSilent = domain.handled !== null && threshold > 1;
      // What a clock that was ahead has dated later than now is of now.
      const importedAt = domain.importedAt && Math.min(domain.importedAt, now);
      const begins = [this.baselineAt, importedAt];
      // What is as near as this on the day on which it began is no news.
      const isOld = begins.some(
        (each) => each !== null && daysBetween(this.today(each), domain.day) <= threshold,
      );
      const news = isOld ? "baseline" : "due";
      const reason = isSilent ? "silent" : news;
      crossings.push({ threshold, reason, toldAt: null, isEscalated: false });
    }
    if (isEvaluated) {
      for (const domain of this.domains) domain.importedAt = null;
      this.baselineAt = null;
    }
    this.nextRun = Math.min(this.nextRun, this.runAfter(now));
    if (this.nextRun > now) return;
    this.nextRun = this.runAfter(now);
    if (wasRun) return;
    for (const domain of this.domains) this.tell(domain, today, now);
    const { yearOfWeek, weekOfYear } = this.local(now);
    if (this.week !== `${yearOfWeek} ${weekOfYear}`) this.tellRenewed();
    this.week = `${yearOfWeek} ${weekOfYear}`;
  }

  /** The digest says what was renewed since it was told; nobody has to react to that any more. */
  tellRenewed(): void {
    for (const [key, crossings] of this.crossings) {
      const [id, day = ""] = key.split(" ");
      const isRenewed = this.domains.some((each) => each.id === id && each.day > day);
      for (const each of isRenewed ? crossings : []) each.isEscalated ||= each.toldAt !== null;
    }
  }

  tell(domain: ModelDomain, today: Day, now: number): void {
    const { id, day, tld, autoRenew, drop, handled } = domain;
    const due = (this.crossings.get(`${id} ${day}`) ?? []).filter(
      ({ threshold, reason }) =>
        reason !== "silent" &&
        !drop &&
        (!autoRenew || threshold === (day < today ? -1 : 7)) &&
        (handled === null || threshold <= 1),
    );
    const say = (channel: string, { threshold, reason }: Crossing) =>
      this.told.push(`${channel} ${today} ${id} ${day} ${threshold} ${reason}`);
    const { escalates } = this.choice;
    const tightest = this.crossings.get(`${id} ${day}`)?.at(-1);
    const isNews = tightest !== undefined && due.includes(tightest) && tightest.toldAt === null;
    const escalated = due.filter(
      ({ threshold, reason, toldAt, isEscalated }) =>
        reason === "due" &&
        !isEscalated &&
        threshold <= 14 &&
        threshold !== 1 &&
        handled === null &&
        toldAt !== null &&
        toldAt <= now - 3 * 24 * HOUR_MS,
    );
    const isForAll = escalates && isNews && tightest.threshold === 1;
    if (isNews && !isCounted(tightest, day, today)) {
      say("all", tightest);
      if (isForAll || tld === "net") say("net", tightest);
    }
    // One line for each domain: what is due, what nobody reacted to, what was so before.
    const nearest = escalated.at(-1);
    if (escalates && nearest !== undefined && !(isForAll && tightest.reason === "due")) {
      say("last", nearest);
    } else if (isForAll) say("last", tightest);
    if (escalates) for (const each of escalated) each.isEscalated = true;
    for (const each of due) each.toldAt ??= now;
  }
}

/** Whether a message counts what had expired before anyone wanted to know, and does not name it. */
function isCounted({ reason }: Pick<Crossing, "reason">, day: Day, today: Day): boolean {
  return reason === "baseline" && daysBetween(today, day) < -45;
}

/** Empties what a history before has written, and makes the channels that are told. */
async function prepare(database: Database): Promise<void> {
  await database.write(async (sql) => {
    const tables = "deliveries channels reminders handled changes no_news domains settings";
    for (const table of tables.split(" ")) await sql`delete from ${sql(table)}`;
    for (const [id, filter, rhythm] of [
      ["all", "", "daily"],
      ["net", "tld=net", "daily"],
      ["weekly", "", "weekly"],
      ["last", "tld=org", "daily"],
    ]) {
      const row = { id, filter, rhythm, kind: "webhook", name: id, target: "" };
      await sql`insert into channels ${sql({ ...row, state: "working", created_at: "" })}`;
    }
  });
}

/** Runs a history through the database; returns what is told, and what should be. */
async function runHistory(database: Database, history: History) {
  const { start, steps, timeZone, quietDays, escalates } = history;
  let now = Date.parse(start);
  let latest = now;
  const model = new Model(history, now);
  const told: string[] = [];
  const messages: string[] = [];
  /** How often a snooze of an expiry has begun. */
  const snoozes = new Map<string, number>();
  let imports = 0;
  await prepare(database);

  async function choose(): Promise<void> {
    const { thresholds } = model;
    const escalation = escalates ? "last" : null;
    const choice = { timeZone, hour: 8, quietDays, thresholds: [...thresholds], escalation };
    await database.write((sql) => changeReminders(sql, choice, new Date(now)));
    model.baselineAt = now;
    model.nextRun = model.runAfter(now);
  }

  async function poll(): Promise<void> {
    const at = new Date(now);
    const plan = await database.read((sql) => planEvaluation.run(sql, { now: at }));
    if (plan === "note") await database.write((sql) => noteEvaluation(sql, at));
    if (plan === "evaluate") await database.write((sql) => evaluateReminders.run(sql, { now: at }));
    const today = model.today(now);
    const wasRun = messages.some((key) => key.endsWith(`:${today}`));
    model.poll(now, plan === "evaluate", wasRun);
    if (plan !== "evaluate") return;
    const rows = await database.read(
      (sql) => sql<{ channel: string; key: string; payload: string }[]>`
        select channel_id as channel, delivery_key as key, payload from deliveries`,
    );
    for (const { channel, key, payload } of rows.filter((row) => !messages.includes(row.key))) {
      messages.push(key);
      const { names }: Payload = JSON.parse(payload);
      for (const { domainId, expiresOn, threshold, reason } of names) {
        if (reason === "digest") continue;
        told.push(`${channel} ${today} ${domainId} ${expiresOn} ${threshold} ${reason}`);
      }
    }
  }

  async function add(daysLeft: number, imported = false, autoRenew = false): Promise<void> {
    const index = model.domains.length;
    if (index >= MAX_DOMAINS) return;
    const tld = index % 2 === 0 ? "com" : "net";
    const day = addDays(model.today(now), daysLeft);
    const id = `d${index}`;
    const row = { ...domainRow(id, tld, day), auto_renew: Number(autoRenew) };
    await database.write(async (sql) => {
      await sql`insert into domains ${sql(row)}`;
      if (!imported) return;
      imports += 1;
      const operation = `i${imports}`;
      await sql`insert into no_news ${sql({ operation, at: new Date(now).toISOString() })}`;
      const change = { id, domain_id: id, at: "", made_by_name: "", action: "added", fields: "[]" };
      await sql`insert into changes ${sql({ ...change, operation })}`;
    });
    const importedAt = imported ? now : null;
    const values = { before: null, autoRenew, drop: false, handled: null, importedAt };
    model.domains.push({ id, tld, day, ...values });
  }

  async function handle(domain: ModelDomain, until: Day | null): Promise<void> {
    const { id, day } = domain;
    if (until !== null && until >= day) return;
    domain.handled = { day, until };
    if (until !== null) snoozes.set(`${id} ${day}`, (snoozes.get(`${id} ${day}`) ?? 0) + 1);
    const row = { domain_id: id, expires_on: day, until, made_by_name: "", made_at: "" };
    await database.write(async (sql) => {
      await sql`delete from handled where domain_id = ${id}`;
      await sql`insert into handled ${sql(row)}`;
    });
  }

  async function edit(domain: ModelDomain, values: Partial<ModelDomain>): Promise<void> {
    Object.assign(domain, values);
    const { id, day, autoRenew, drop } = domain;
    const flags = { auto_renew: Number(autoRenew), decision: drop ? "drop" : null };
    const row = { expires_on: day, expires_earliest: day, ...flags };
    await database.write((sql) => sql`update domains set ${sql(row)} where id = ${id}`);
  }

  async function perform(step: Step): Promise<void> {
    if (step.kind === "pass") {
      now += step.minutes * 60_000;
      return poll();
    }
    if (step.kind === "add") return add(step.days, step.imported, step.autoRenew);
    if (step.kind === "thresholds") {
      model.thresholds = step.days.toSorted((one, other) => other - one);
      return choose();
    }
    const domain = model.domains[step.at];
    if (domain === undefined) return;
    const { id, day, before } = domain;
    if (step.kind === "move") {
      return edit(domain, { day: addDays(model.today(now), step.days), before: day });
    }
    if (step.kind === "moveBack") return edit(domain, { day: before ?? day, before: day });
    if (step.kind === "edit") return edit(domain, step.values);
    if (step.kind === "handle") {
      return handle(domain, step.days === null ? null : addDays(model.today(now), step.days));
    }
    domain.handled = null;
    await database.write((sql) => sql`delete from handled where domain_id = ${id}`);
  }

  await add(70);
  await add(12, true);
  await choose();
  await poll();
  for (const step of steps) {
    await perform(step);
    latest = Math.max(latest, now);
  }
  const handled = new Set(model.domains.filter((each) => each.handled !== null));
  // Whatever happened: after some days, each domain has been told as far as it has come.
  for (now = latest; now < latest + 14 * 24 * HOUR_MS; now += 24 * HOUR_MS) await poll();
  const missed = ["all", "weekly"].flatMap((channel) => {
    // Two of the days after it may have been quiet, or all of its week.
    const settled = addDays(model.today(now), channel === "all" ? -3 : -10);
    return model.domains.flatMap((domain) => {
      const { id, day } = domain;
      const threshold = model.tightest(domain, settled);
      const last = model.crossings.get(`${id} ${day}`)?.at(-1);
      if (threshold === undefined || handled.has(domain) || last?.reason === "silent") return [];
      if (last && isCounted(last, day, model.today(now))) return [];
      // What should have renewed may have come and passed between the days of two messages.
      if (channel === "weekly" && domain.autoRenew) return [];
      const hasTold = told.some((each) => {
        const [to, , ofId, ofDay, ofThreshold] = each.split(" ");
        return to === channel && ofId === id && ofDay === day && Number(ofThreshold) <= threshold;
      });
      return hasTold ? [] : [`${channel} ${id} ${day} ${threshold}`];
    });
  });
  // All but the day on which it was told, and the reason.
  const sames = Map.groupBy(told, (each) => each.replace(/ \S+/, "").replace(/ \w+$/, ""));
  const repeated = [...sames].filter(([key, { length }]) => {
    const [, id, day] = key.split(" ");
    return length > 1 + (snoozes.get(`${id} ${day}`) ?? 0);
  });
  const daily = told.filter((each) => !each.startsWith("weekly"));
  return { told: daily.toSorted(), expected: model.told.toSorted(), missed, repeated };
}

test("whatever happens, reminders tell what their rules say, miss nothing and repeat nothing", async () => {
  await using register = await openRegister();
  const { database } = register;
  const holds = fc.asyncProperty(histories, async (history) => {
    const { told, expected, missed, repeated } = await runHistory(database, history);
    expect({ told, missed, repeated }).toEqual({ told: expected, missed: [], repeated: [] });
  });
  await fc.assert(holds, { numRuns: RUNS });
});
