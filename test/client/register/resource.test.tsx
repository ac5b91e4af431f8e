import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import {
  Loaded,
  invalidate,
  usePages,
  useResource,
} from "../../../src/client/register/resource.tsx";
import { combine } from "../../../src/client/register/suggestions.ts";
import { Gate } from "../../../src/client/session/gate.tsx";
import { refreshSession } from "../../../src/client/session/session-store.ts";
import { list, nullable, object, text } from "../../../src/shared/parse.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();
const parseNote = object({ note: text });
const parsePage = object({ items: list(text), next: nullable(text) });

/** Answers that a test gives when it likes, in the order of the requests. */
function holdAnswers() {
  const held: ((answer: Response) => void)[] = [];
  api.answer = () => new Promise((resolve) => held.push(resolve));
  return (index: number, body: unknown) =>
    act(async () => held[index]?.(body instanceof Response ? body : Response.json(body)));
}

function Note({ url = "/api/note" }: { url?: string | null }) {
  const note = useResource(url, parseNote);
  return (
    <Loaded of={note} lines={1}>
      {(value) => (
        <p>
          {value.note} {note.error !== undefined && "(old)"}
          <button onClick={note.reload}>Again</button>
          <button onClick={() => note.set({ note: "written" })}>Write</button>
        </p>
      )}
    </Loaded>
  );
}

function Pages() {
  const pages = usePages("/api/pages", parsePage);
  return (
    <>
      <Loaded of={pages} lines={1}>
        {({ items }) => <p>{items.join(" ")}</p>}
      </Loaded>
      {pages.hasMore && <button onClick={pages.loadMore}>More</button>}
    </>
  );
}

/** Shows a note that was read. */
async function openNote() {
  const answer = holdAnswers();
  render(<Note />);
  await answer(0, { note: "hello" });
  return answer;
}

const shown = () => [...document.querySelectorAll("p")].map((each) => each.firstChild?.textContent);
const press = (name: string) => act(async () => screen.getByRole("button", { name }).click());
const returnToTab = () =>
  act(async () => void document.dispatchEvent(new Event("visibilitychange")));
/** Lets what is shown grow old enough to be read again. */
const wait = () => setSystemTime(Date.now() + 60_000);

afterEach(() => void setSystemTime());

describe("useResource", () => {
  test("requests nothing without a URL", () => {
    render(<Note url={null} />);
    expect(api.calls).toEqual([]);
  });

  test("aborts its request when the last reader leaves, and begins anew", async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const fake = globalThis.fetch;
    Object.defineProperty(globalThis, "fetch", {
      value: (url: string, init: RequestInit) => (signals.push(init.signal), fake(url, init)),
      configurable: true,
      writable: true,
    });
    const answer = holdAnswers();
    const one = render(<Note />);
    const other = render(<Note />);
    await act(async () => one.unmount());
    expect(signals[0]?.aborted).toBe(false);
    await act(async () => other.unmount());
    expect(signals[0]?.aborted).toBe(true);
    render(<Note />);
    await answer(1, { note: "new" });
    expect(shown()).toEqual(["new"]);
  });

  test("keeps its request while one reader replaces another", async () => {
    const answer = holdAnswers();
    const { rerender } = render(<Note key="one" />);
    rerender(<Note key="other" />);
    await answer(0, { note: "hello" });
    expect(shown()).toEqual(["hello"]);
    expect(api.calls).toHaveLength(1);
  });

  test("forgets what was read by a render that was never shown, once any reader leaves", async () => {
    const url = "/api/abandoned";
    const sets: ((value: { note: string }) => void)[] = [];
    function Suspended(): never {
      sets.push(useResource(url, parseNote).set);
      throw new Promise(() => {});
    }
    const never = render(
      <Suspense>
        <Suspended />
      </Suspense>,
    );
    const other = render(<Note />);
    await act(async () => other.unmount());
    await act(async () => sets[0]?.({ note: "abandoned" }));
    const answer = holdAnswers();
    render(<Note url={url} />);
    expect(shown()).toEqual([]);
    await answer(0, { note: "read" });
    expect(shown()).toEqual(["read"]);
    never.unmount();
  });

  test("shows what was written instead of an answer that is on its way", async () => {
    const answer = holdAnswers();
    render(<Note />);
    await answer(0, { note: "old" });
    await press("Again");
    await press("Write");
    await answer(1, { note: "old" });
    expect(shown()).toEqual(["written"]);
  });

  test.each([
    ["fails", problem(503, "Busy."), "Busy."],
    ["cannot be read", Response.json({ note: 7 }), "unexpected answer"],
  ])("keeps its value if a reload %s, says why, and tries again", async (_, failed, why) => {
    const answer = await openNote();
    await press("Again");
    await answer(1, failed);
    expect(screen.getByRole("alert").textContent).toContain(why);
    screen.getByText(/hello \(old\)/);
    await press("Try again");
    await answer(2, { note: "hello again" });
    expect(shown()).toEqual(["hello again"]);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("asks again on a return to the tab, once for all readers, unless it has just asked", async () => {
    const answer = holdAnswers();
    render([<Note key="one" />, <Note key="other" />]);
    await answer(0, { note: "hello" });
    expect(shown()).toEqual(["hello", "hello"]);
    await returnToTab();
    expect(api.calls).toHaveLength(1);
    wait();
    await returnToTab();
    await returnToTab();
    await answer(1, { note: "changed" });
    expect(shown()).toEqual(["changed", "changed"]);
    expect(api.calls).toHaveLength(2);
  });

  test.each([
    ["answered", Response.json({ note: "old" })],
    ["failed", problem(503, "Busy.")],
  ])(
    "keeps a newer answer, which is young, though an older request has %s since",
    async (_, old) => {
      const answer = holdAnswers();
      render(<Note />);
      await act(async () => invalidate("/api/no"));
      await answer(1, { note: "new" });
      await answer(0, old);
      await returnToTab();
      expect(shown()).toEqual(["new"]);
      expect(api.calls).toHaveLength(2);
    },
  );

  test("lets an answer that is slower than a poll arrive", async () => {
    const answer = await openNote();
    await press("Again");
    await press("Again");
    await answer(1, { note: "slow" });
    expect(shown()).toEqual(["slow"]);
    expect(api.calls).toHaveLength(2);
  });

  test("reads again what begins with an invalid prefix, and nothing else", async () => {
    api.answer = ({ path }) => Response.json({ note: path });
    render([<Note key="one" url="/api/a/1" />, <Note key="other" url="/api/b" />]);
    await screen.findByText(/a\/1/);
    api.calls.length = 0;
    await act(async () => invalidate("/api/a"));
    expect(api.calls.map(({ path }) => path)).toEqual(["/api/a/1"]);
  });

  test("forgets everything when the person signs out", async () => {
    await api.enter();
    api.answer = () => Response.json({ note: "hello" });
    render(<Note />);
    await screen.findByText(/hello/);
    await api.enter({ state: "signed-in", email: "grace@example.com" });
    expect(shown()).toEqual([]);
  });

  test("keeps its value while the same person signs in again, then asks once more", async () => {
    await api.enter();
    api.answer = () => Response.json({ note: "hello" });
    render(
      <Gate waiting={null}>
        <Note />
      </Gate>,
    );
    await screen.findByText(/hello/);
    api.answer = () => problem(401, "Sign in first.");
    await press("Again");
    await screen.findByRole("heading", { name: "Sign in again" });
    const answer = holdAnswers();
    await act(() => refreshSession());
    expect(shown()).toEqual(["hello"]);
    await answer(0, { note: "changed" });
    expect(shown()).toEqual(["changed"]);
  });
});

describe("combine", () => {
  test("shows two resources when both are there", async () => {
    function Two() {
      const one = useResource("/api/one", parseNote);
      const other = useResource("/api/other", parseNote);
      return (
        <Loaded of={combine(one, other)} lines={1}>
          {([a, b]) => <p>{`${a.note} ${b.note}`}</p>}
        </Loaded>
      );
    }
    const answer = holdAnswers();
    render(<Two />);
    await answer(0, { note: "a" });
    expect(shown()).toEqual([]);
    await answer(1, problem(503, "Busy."));
    await press("Try again");
    await answer(3, { note: "b" });
    expect(shown()).toEqual(["a b"]);
  });
});

describe("usePages", () => {
  const firstPage = { items: ["0", "1"], next: "1" };
  const openPages = async () => {
    const answer = holdAnswers();
    render(<Pages />);
    await answer(0, firstPage);
    return answer;
  };
  const secondPage = { items: ["2", "3"], next: "3" };

  test("loses no page when the tab is seen again meanwhile", async () => {
    const answer = await openPages();
    wait();
    await press("More");
    await returnToTab();
    await answer(1, secondPage);
    await press("More");
    await answer(2, { items: ["4", "5"], next: null });
    expect(shown()).toEqual(["0 1 2 3 4 5"]);
  });

  test("reads the pages that are shown again, and folds none back", async () => {
    const answer = await openPages();
    await press("More");
    await answer(1, secondPage);
    wait();
    await returnToTab();
    await answer(2, { items: ["new", "0"], next: "0" });
    expect(shown()).toEqual(["0 1 2 3"]);
    await answer(3, { items: ["1", "2"], next: "2" });
    expect(shown()).toEqual(["new 0 1 2"]);
    expect(api.calls.map(({ query }) => query.get("after"))).toEqual([null, "1", null, "0"]);
  });

  test("keeps the list when a further page fails, and tries again", async () => {
    const answer = await openPages();
    await press("More");
    await answer(1, problem(503, "Busy."));
    expect(shown()).toEqual(["0 1"]);
    await press("Try again");
    await answer(2, firstPage);
    await answer(3, { items: ["2"], next: null });
    expect(shown()).toEqual(["0 1 2"]);
    expect(screen.queryByRole("button", { name: "More" })).toBeNull();
  });
});
