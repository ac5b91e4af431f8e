import { render, screen } from "@testing-library/react";
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { ExpiryDate, formatDaysLeft } from "../../../src/client/ui/expiry-date.tsx";
import { dayFromToday, daysUntil } from "../../../src/client/ui/today.ts";

afterEach(() => {
  setSystemTime();
});

describe("daysUntil", () => {
  const lateEvening = new Date(2026, 2, 28, 23, 59);
  const justAfterMidnight = new Date(2026, 2, 28, 0, 1);

  test("counts calendar days, whatever the hour", () => {
    for (const now of [lateEvening, justAfterMidnight]) {
      expect(daysUntil("2026-03-28", now)).toBe(0);
      expect(daysUntil("2026-03-29", now)).toBe(1);
      expect(daysUntil("2026-03-27", now)).toBe(-1);
    }
  });

  test("counts whole days over summer time, leap days and years", () => {
    expect(daysUntil("2026-10-26", new Date(2026, 9, 24, 12))).toBe(2);
    expect(daysUntil("2028-03-01", new Date(2028, 1, 28))).toBe(2);
    expect(daysUntil("2027-01-01", new Date(2026, 11, 31, 23, 30))).toBe(1);
  });

  test("is NaN for what is no day", () => {
    expect(daysUntil("soon")).toBeNaN();
  });
});

describe("dayFromToday", () => {
  test("crosses months by the calendar of the device", () => {
    expect(dayFromToday(61, new Date(2026, 10, 21, 23, 59))).toBe("2027-01-21");
    expect(dayFromToday(0, new Date(2026, 10, 21, 0, 1))).toBe("2026-11-21");
  });
});

describe("formatDaysLeft", () => {
  test.each([
    [0, "today"],
    [1, "tomorrow"],
    [12, "in 12 days"],
    [121, "in 121 days"],
    [150, "in 4 months"],
    [800, "in 2 years"],
    [-1, "expired yesterday"],
    [-3, "expired 3 days ago"],
    [-400, "expired 13 months ago"],
  ])("says %p days as %p", (days, words) => {
    expect(formatDaysLeft(days)).toBe(words);
  });
});

describe("ExpiryDate", () => {
  test("says the date and what is left of it, for people and for machines", () => {
    setSystemTime(new Date(2026, 10, 21, 12));
    render(<ExpiryDate day="2026-11-30" />);
    const left = screen.getByText("in 9 days");
    expect(left.closest("time")?.dateTime).toBe("2026-11-30");
    expect(left.closest("time")?.textContent).toContain("2026");
  });

  test("shows what is no day as it came", () => {
    render(<ExpiryDate day="unreadable" />);
    expect(screen.getByText("unreadable")).toBeDefined();
  });
});
