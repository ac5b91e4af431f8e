import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "bun:test";
import { useState } from "react";
import {
  DayBox,
  dayFault,
  dayHint,
  formatDayDigits,
  parseDayDigits,
} from "../../../src/client/ui/day-box.tsx";
import { PREFERENCES, setPreference } from "../../../src/client/ui/preferences.ts";

afterEach(() => setPreference("dates", "browser"));

describe("the order of a day", () => {
  test.each([
    ["en-US", "03/04/2027", "2027-03-04", "mm/dd/yyyy"],
    ["en-GB", "03/04/2027", "2027-04-03", "dd/mm/yyyy"],
    ["de-DE", "03.04.2027", "2027-04-03", "dd.mm.yyyy"],
    ["fr-FR", "03/04/2027", "2027-04-03", "dd/mm/yyyy"],
    ["iso", "2027-04-03", "2027-04-03", "yyyy-mm-dd"],
  ] as const)("of %s is that of the screen, read and written", (dates, text, day, pattern) => {
    setPreference("dates", dates);
    expect(parseDayDigits(text)).toBe(day);
    expect(formatDayDigits(day)).toBe(text);
    expect(dayHint("")).toBe(pattern);
    expect(dayFault("31.2.2027")).toContain(pattern);
  });

  test("may be that of ISO 8601 anywhere, and with fewer digits", () => {
    for (const dates of PREFERENCES.dates) {
      setPreference("dates", dates);
      expect(parseDayDigits(" 2027-12-31 ")).toBe("2027-12-31");
      expect(parseDayDigits("2027/12/31")).toBe("2027-12-31");
    }
    setPreference("dates", "de-DE");
    expect(parseDayDigits("1.2.2027")).toBe("2027-02-01");
  });

  test("is never guessed: no other order, no short year, no day that is none", () => {
    setPreference("dates", "en-GB");
    for (const text of ["12/31/2027", "31/12/27", "31/12", "29/02/2027", "1/2/3/2027", "soon"]) {
      expect([text, parseDayDigits(text)]).toEqual([text, null]);
    }
    expect([dayFault(""), dayFault("2027-12-31")]).toEqual([null, null]);
    expect(dayHint("2027-12-31")).toBe("31 December 2027");
  });
});

describe("DayBox", () => {
  test("keeps what is typed until it is left, then shows the day in the usual digits", () => {
    setPreference("dates", "en-GB");
    function Form() {
      const [value, setValue] = useState("2027-12-31");
      return (
        <>
          <DayBox label="Day" value={value} onChange={setValue} />
          <output>{value}</output>
        </>
      );
    }
    render(<Form />);
    const box = screen.getByLabelText<HTMLInputElement>("Day");
    expect(box.value).toBe("31/12/2027");
    const about = document.getElementById(box.getAttribute("aria-describedby") ?? "");
    expect([about?.textContent, box.getAttribute("aria-invalid")]).toEqual([
      "31 December 2027",
      null,
    ]);
    fireEvent.change(box, { target: { value: "1/2/2028" } });
    expect([box.value, screen.getByRole("status").textContent]).toEqual(["1/2/2028", "2028-02-01"]);
    fireEvent.blur(box);
    expect(box.value).toBe("01/02/2028");
    fireEvent.change(box, { target: { value: "1/2/" } });
    fireEvent.blur(box);
    expect([box.value, screen.getByRole("status").textContent]).toEqual(["1/2/", "1/2/"]);
  });
});
