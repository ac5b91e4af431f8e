import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { UploadBudget } from "../../src/server/upload-budget.ts";
import { openDoor, openProxy } from "../support/front-door.ts";
import { parseMessage, sendRaw, statusOf, values } from "../support/raw-http.ts";
import { reply, startUpstream } from "../support/upstream.ts";

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

  test("may be slow: below 16 KB a second Bun would cut them at the idle timeout", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply("all of it")));
    await using door = openProxy(upstream.url, { idleTimeout: 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(Number(new URL(door.url).port), "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
    socket.write(
      "POST /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    // Bun's clock ticks every four seconds: an idle timeout of one is over by then.
    for (let part = 0; part < 10; part++) {
      socket.write("1\r\nx\r\n");
      await Bun.sleep(500);
    }
    socket.write("0\r\n\r\n");
    const answer = parseMessage(Buffer.from(await promise));
    expect(answer?.body.toString()).toBe("all of it");
    expect(upstream.requests[0]?.body.toString()).toBe("x".repeat(10));
  });
});
