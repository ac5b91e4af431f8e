import { render, screen } from "@testing-library/react";
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { ExpiryDate, formatDaysLeft } from "../../../src/client/ui/expiry-date.tsx";
import { localToday } from "../../../src/client/ui/format.ts";
import { daysBetween } from "../../../src/shared/day.ts";

afterEach(() => {
  setSystemTime();
});

describe("localToday", () => {
  test("is the day of the device, whatever the hour", () => {
    expect(localToday(new Date(2026, 2, 28, 23, 59))).toBe("2026-03-28");
    expect(localToday(new Date(2026, 2, 28, 0, 1))).toBe("2026-03-28");
  });

  test("is whole days from another day over summer time, leap days and years", () => {
    expect(daysBetween(localToday(new Date(2026, 9, 24, 12)), "2026-10-26")).toBe(2);
    expect(daysBetween(localToday(new Date(2028, 1, 28)), "2028-03-01")).toBe(2);
    expect(daysBetween(localToday(new Date(2026, 11, 31, 23, 30)), "2027-01-01")).toBe(1);
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
    [-1, "yesterday"],
    [-3, "3 days ago"],
    [-400, "13 months ago"],
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
