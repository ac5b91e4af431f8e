import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import ICAL from "ical.js";
import { type CalendarEvent, formatCalendar } from "../../../src/backend/reminders/ical.ts";

const EVENT: CalendarEvent = {
  uid: "01@register",
  sequence: 3,
  changedAt: "2026-11-20T09:08:07.654Z",
  day: "2027-01-31",
  summary: "bücher.example expires",
  description: "Registrar: A; B, C\\D\nOwner: Ada",
  url: "https://register.example/domains/b;u,?x=1",
};

/** What another implementation reads. It does not know NAME and leaves its escapes. */
function read(text: string) {
  return new ICAL.Component(ICAL.parse(text));
}

describe("formatCalendar", () => {
  test("writes each event as a whole day that makes nobody busy", async () => {
    const about = { brand: "Acme", name: "Clients; A, B\\C" };
    expect((await formatCalendar(about, [EVENT], null)).split("\r\n")).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Acme//Calendar//EN",
      "NAME:Clients\\; A\\, B\\\\C",
      "X-WR-CALNAME:Clients\\; A\\, B\\\\C",
      "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
      "X-PUBLISHED-TTL:PT6H",
      "BEGIN:VEVENT",
      "UID:01@register",
      "SEQUENCE:3",
      "DTSTAMP:20261120T090807Z",
      "DTSTART;VALUE=DATE:20270131",
      "SUMMARY:bücher.example expires",
      "DESCRIPTION:Registrar: A\\; B\\, C\\\\D\\nOwner: Ada",
      "TRANSP:TRANSPARENT",
      "URL:https://register.example/domains/b;u,?x=1",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  test.each([
    [{ days: 0, hour: 9 }, "2027-01-31T09:00:00"],
    [{ days: 1, hour: 9 }, "2027-01-30T09:00:00"],
    [{ days: 14, hour: 0 }, "2027-01-17T00:00:00"],
  ])("warns %o before midnight at the hour", async (alarm, at) => {
    const text = await formatCalendar({ brand: "Acme", name: "x" }, [EVENT], alarm);
    const event = read(text).getFirstSubcomponent("vevent");
    const trigger = event?.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger");
    const start = event?.getFirstPropertyValue("dtstart");
    if (!(trigger instanceof ICAL.Duration) || !(start instanceof ICAL.Time)) throw new Error();
    start.isDate = false;
    start.addDuration(trigger);
    expect(start.toString()).toBe(at);
  });

  test("is read as it was meant, in lines of at most 75 octets, whatever the texts are", async () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 120 })
      .filter((each) => !/\p{Cc}/u.test(each));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, summary, description) => {
        const events = [{ ...EVENT, summary, description }];
        const given = await formatCalendar({ brand: "Acme", name }, events, null);
        for (const line of given.split("\r\n")) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
        }
        const event = read(given).getFirstSubcomponent("vevent");
        expect(event?.getFirstPropertyValue("summary")).toBe(summary);
        expect(event?.getFirstPropertyValue("description")).toBe(description);
        expect(String(event?.getFirstPropertyValue("dtstart"))).toBe("2027-01-31");
        expect(event?.getFirstPropertyValue("url")).toBe(EVENT.url);
      }),
      { numRuns: 200 },
    );
  });
});
