import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { UploadBudget } from "../../src/server/upload-budget.ts";
import { openDoor } from "../support/front-door.ts";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";

setDefaultTimeout(20_000);

const length = (bytes: number) => new Headers({ "Content-Length": String(bytes) });
const chunked = new Headers({ "Transfer-Encoding": "chunked" });

describe("UploadBudget", () => {
  test("lets in what fits, and more once something has been given back", () => {
    const budget = new UploadBudget({ most: 100, each: 60 });
    const giveBack = budget.take(length(50));
    expect(budget.take(length(50))).toBeFunction();
    expect(budget.take(length(1))).toBeNull();
    giveBack?.();
    giveBack?.();
    expect(budget.take(length(50))).toBeFunction();
    expect(budget.take(length(1))).toBeNull();
  });

  test("counts no body as more than one may hold, and one of unknown length as that", () => {
    const budget = new UploadBudget({ most: 100, each: 50 });
    expect(budget.take(length(10 ** 12))).toBeFunction();
    expect(budget.take(chunked)).toBeFunction();
    expect(budget.take(chunked)).toBeNull();
    expect(budget.take(new Headers())).toBeFunction();
  });

  test("lets one alone in, however small the limit", () => {
    const budget = new UploadBudget({ most: 10, each: 50 });
    expect(budget.take(length(50))).toBeFunction();
  });
});

describe("createFrontDoor: uploads", () => {
  test("beyond the limit are told to come back, and are let in later", async () => {
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await using door = openDoor(
      {
        async fetch() {
          arrived.resolve();
          await go.promise;
          return new Response("taken");
        },
        ready: async () => true,
        close: async () => undefined,
      },
      { mostUploaded: 1000 },
    );
    const post = "POST /api/x HTTP/1.1\nHost: a\nContent-Length: 600";
    const first = sendRaw(door.url, post, "x".repeat(600));
    await arrived.promise;
    const refused = await sendRaw(door.url, post, "x".repeat(600));
    expect(statusOf(refused)).toBe(503);
    expect(values(refused, "content-type")).toEqual(["application/problem+json"]);
    expect(values(refused, "retry-after")).toEqual(["1"]);
    go.resolve();
    expect(statusOf(await first)).toBe(200);
    expect(statusOf(await sendRaw(door.url, post, "x".repeat(600)))).toBe(200);
  });
});
