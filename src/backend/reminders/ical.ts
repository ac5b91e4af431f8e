import type { Day, Instant } from "../../shared/day.ts";
import { yieldIfBusy } from "../database/event-loop.ts";

export interface CalendarEvent {
  /** Never changes: calendars recognize the event by it. */
  uid: string;
  /** Grows when `day` changes. */
  sequence: number;
  changedAt: Instant;
  day: Day;
  summary: string;
  description: string;
  url: string | null;
}

/** Announces each event this many days before it, at an hour of the reader's clock. */
type Alarm = { days: number; hour: number } | null;

const REFRESH = "PT6H";

/** Writes an iCalendar object (RFC 5545, RFC 7986). The same calendar is the same bytes at any time. */
export async function formatCalendar(
  { brand, name }: { brand: string; name: string },
  events: readonly CalendarEvent[],
  alarm: Alarm,
): Promise<string> {
  let calendar = write([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escapeText(brand)}//Calendar//EN`,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
  ]);
  for (const event of events) {
    calendar += write(eventLines(event, alarm));
    await yieldIfBusy();
  }
  return calendar + write(["END:VCALENDAR"]);
}

function write(lines: readonly string[]): string {
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** A day without an end lasts for that day, and does not make its reader busy (§3.6.1, §3.8.2.7). */
function eventLines(event: CalendarEvent, alarm: Alarm): string[] {
  const summary = escapeText(event.summary);
  const lines = [
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${event.changedAt.slice(0, 19).replace(/[-:]/g, "")}Z`,
    `DTSTART;VALUE=DATE:${event.day.replaceAll("-", "")}`,
    `SUMMARY:${summary}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    "TRANSP:TRANSPARENT",
  ];
  if (event.url !== null) lines.push(`URL:${event.url}`);
  if (alarm !== null) {
    const { days, hour } = alarm;
    // The day begins at midnight: 9 o'clock on the day before is 15 hours ahead of it.
    const trigger = days === 0 ? `PT${hour}H` : `-P${days - 1}DT${24 - hour}H`;
    const texts = ["ACTION:DISPLAY", `TRIGGER:${trigger}`, `DESCRIPTION:${summary}`];
    lines.push("BEGIN:VALARM", ...texts, "END:VALARM");
  }
  return [...lines, "END:VEVENT"];
}

/** §3.3.11. */
function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}

const MAX_LINE_OCTETS = 75;

/** Breaks a line after at most 75 octets of UTF-8, and never within a character (§3.1). */
function fold(line: string): string {
  if (line.length <= MAX_LINE_OCTETS && /^[ -~]*$/.test(line)) return line;
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE_OCTETS) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
