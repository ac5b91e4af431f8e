import { isRecord } from "../../src/shared/parse.ts";
import { memberAt } from "./json-schema.ts";

/** Where a schema stands: of what clients send, or of what they are sent. */
type Side = "sent" | "answered";

interface Documents {
  kept: unknown;
  now: unknown;
}

const records = (value: unknown) => (isRecord(value) ? value : {});
const listed = (value: unknown) =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/**
 * What a later OpenAPI document takes away from a kept one, as pointers into it: a path, a method, a
 * parameter, a success, a member, a value that may be sent; or what it newly demands, and a kind of value
 * that a client of the kept one does not expect. What it adds is no fault.
 */
export function takenAway(documents: Documents): string[] {
  const keptPaths = records(memberAt(documents.kept, "paths"));
  return Object.entries(keptPaths).flatMap(([path, item]) =>
    Object.keys(records(item)).flatMap((method) => takenFrom(documents, path, method)),
  );
}

function takenFrom({ kept, now }: Documents, path: string, method: string): string[] {
  const at = `${method.toUpperCase()} ${path}`;
  const after = memberAt(now, "paths", path, method);
  if (after === undefined) return [at];
  const before = memberAt(kept, "paths", path, method);
  const parametersOf = (operation: unknown) =>
    new Map(
      listed(memberAt(operation, "parameters")).map((each) => [`${each.in} ${each.name}`, each]),
    );
  const [had, has] = [parametersOf(before), parametersOf(after)];
  const gone = [...had.keys()].filter((name) => !has.has(name));
  const demanded = [...has].filter(([name, { required }]) => required && !had.get(name)?.required);
  const bodyOf = (operation: unknown) => memberAt(operation, "requestBody", "content");
  const successes = Object.keys(records(memberAt(before, "responses"))).filter((status) =>
    status.startsWith("2"),
  );
  const roots = { kept, now };
  return [
    ...[...gone, ...demanded.map(([name]) => name)].map((name) => `${at} ${name}`),
    ...[...had].flatMap(([name, { schema }]) =>
      compare(schema, has.get(name)?.schema ?? schema, "sent", `${at} ${name}`, roots),
    ),
    ...contents(bodyOf(before), bodyOf(after), "sent", at, roots),
    ...successes.flatMap((status) => {
      const of = (operation: unknown) => memberAt(operation, "responses", status);
      if (of(after) === undefined) return [`${at} ${status}`];
      const content = (operation: unknown) => records(of(operation))["content"];
      return contents(content(before), content(after), "answered", `${at} ${status}`, roots);
    }),
  ];
}

function contents(kept: unknown, now: unknown, side: Side, at: string, roots: Documents): string[] {
  return Object.entries(records(kept)).flatMap(([type, content]) => {
    const { schema } = records(content);
    const after = records(records(now)[type]);
    return "schema" in after || schema === undefined
      ? compare(schema, after["schema"], side, `${at} ${type}`, roots)
      : [`${at} ${type}`];
  });
}

function compare(kept: unknown, now: unknown, side: Side, at: string, roots: Documents): string[] {
  const before = follow(kept, roots.kept);
  const after = follow(now, roots.now);
  // What is demanded more of, and what is promised less: one is the other's from the other side.
  const [narrow, wide] = side === "sent" ? [before, after] : [after, before];
  const variants = (of: Record<string, unknown>) => listed(of["anyOf"] ?? of["oneOf"] ?? of);
  const [few, many] = [variants(narrow), variants(wide)];
  if (few.length > 1 || many.length > 1) {
    const fits = (one: unknown, other: unknown) =>
      (side === "sent"
        ? compare(one, other, side, at, roots)
        : compare(other, one, side, at, roots)
      ).length === 0;
    return few.every((one) => many.some((other) => fits(one, other))) ? [] : [at];
  }
  const within = (word: string, values: (of: Record<string, unknown>) => unknown[]) => {
    const allowed = values(wide);
    return allowed.length === 0 ||
      (values(narrow).length > 0 && values(narrow).every((each) => allowed.includes(each)))
      ? []
      : [`${at} ${word}`];
  };
  const members = records(before["properties"]);
  const membersNow = records(after["properties"]);
  return [
    ...within("type", (of) => listed(of["type"])),
    ...(side === "sent" ? within("value", (of) => listed(of["enum"] ?? of["const"])) : []),
    ...listed(wide["required"])
      .filter((name) => !listed(narrow["required"]).includes(name))
      .map((name) => `${at}/${name} required`),
    ...Object.keys(members).flatMap((name) =>
      name in membersNow
        ? compare(members[name], membersNow[name], side, `${at}/${name}`, roots)
        : [`${at}/${name}`],
    ),
    ...["items", "additionalProperties"].flatMap((word) =>
      isRecord(before[word]) && isRecord(after[word])
        ? compare(before[word], after[word], side, `${at}/*`, roots)
        : [],
    ),
  ];
}

/** A schema, or what it refers to. */
function follow(schema: unknown, root: unknown): Record<string, unknown> {
  return records(memberAt({ ...records(root), "": schema }, ""));
}
