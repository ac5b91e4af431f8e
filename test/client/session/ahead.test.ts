import { afterEach, describe, expect, jest, mock, spyOn, test } from "bun:test";
import { http } from "../../../src/client/http.ts";
import { keepAhead, sendAhead } from "../../../src/client/session/ahead.ts";

const later = new Response("later");
const asked = () =>
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(async () => later, { preconnect: () => undefined }),
  );
const keep = (answer: Promise<Response>) => keepAhead(new Map([["/api/a", answer]]));

afterEach(() => {
  keepAhead(new Map());
  jest.useRealTimers();
  mock.restore();
});

describe("sendAhead", () => {
  test("gives an answer that is on its way to its first reader, and asks for the next", async () => {
    const fetch = asked();
    const early = new Response("early");
    keep(Promise.resolve(early));
    expect(await sendAhead("/api/a", { method: "GET" })).toBe(early);
    expect(fetch).not.toHaveBeenCalled();
    expect(await sendAhead("/api/a", { method: "GET" })).toBe(later);
  });

  test("asks for what is written, and for what nobody has asked for", async () => {
    const fetch = asked();
    keep(Promise.resolve(new Response("early")));
    expect(await sendAhead("/api/a", { method: "POST" })).toBe(later);
    expect(await sendAhead("/api/b", { method: "GET" })).toBe(later);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test("forgets what nobody has read once something is written", async () => {
    asked();
    keep(Promise.resolve(new Response("early")));
    await sendAhead("/api/b", { method: "PATCH" });
    expect(await sendAhead("/api/a", { method: "GET" })).toBe(later);
  });

  test("forgets what nobody has read within ten seconds", async () => {
    jest.useFakeTimers();
    asked();
    keep(Promise.resolve(new Response("early")));
    jest.advanceTimersByTime(10_000);
    expect(await sendAhead("/api/a", { method: "GET" })).toBe(later);
  });

  test("lets the reader go when it is called off or takes too long", async () => {
    keep(new Promise(() => {}));
    const failure = http.get("/api/a", { send: sendAhead, timeout: 5 });
    await expect(failure).rejects.toMatchObject({ kind: "timeout" });
    keep(new Promise(() => {}));
    const leaving = new AbortController();
    const left = http.get("/api/a", { send: sendAhead, signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ kind: "abort" });
    keep(Promise.resolve(new Response("early")));
    const tooLate = http.get("/api/a", { send: sendAhead, signal: leaving.signal });
    await expect(tooLate).rejects.toMatchObject({ kind: "abort" });
  });
});
