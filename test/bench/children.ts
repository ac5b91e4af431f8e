import type { Load, LoadResult } from "./load-generator.ts";

type Child = Bun.Subprocess<"pipe", "pipe", "inherit">;

/** Every process that a benchmark starts; all of them end with its scope. */
export class Children implements AsyncDisposable {
  readonly #all: Bun.Subprocess[] = [];

  /** Starts a process whose input and output are read here. */
  start(command: string[], env: Record<string, string> = {}, cwd = "."): Child {
    const { PATH = "", HOME = "" } = process.env;
    const child = Bun.spawn(command, {
      cwd,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      env: { PATH, HOME, ...env },
    });
    this.#all.push(child);
    return child;
  }

  async [Symbol.asyncDispose]() {
    for (const child of this.#all) child.kill("SIGKILL");
    await Promise.all(this.#all.map(({ exited }) => exited));
  }
}

/** Reads the lines that a process writes, one at a time. */
export function readLines(child: Child): () => Promise<string> {
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return async () => {
    while (!text.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`A process ended with ${await child.exited}.`);
      text += decoder.decode(value, { stream: true });
    }
    const [line = ""] = text.split("\n", 1);
    text = text.slice(line.length + 1);
    return line;
  };
}

/** Starts the load generator; the function puts a load on and answers with what came of it. */
export function startGenerator(children: Children): (load: Load) => Promise<LoadResult> {
  const child = children.start([process.execPath, `${import.meta.dir}/load-generator.ts`]);
  const nextLine = readLines(child);
  return async (load) => {
    void child.stdin.write(`${JSON.stringify(load)}\n`);
    await child.stdin.flush();
    // The generator's own program wrote it from a LoadResult.
    const result: LoadResult = JSON.parse(await nextLine());
    return result;
  };
}
