import type { ReactNode } from "react";
import { Failure } from "../session/failure.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { Resource } from "./resource.ts";

interface Props<T> {
  of: Resource<T>;
  /** Lines of the skeleton that is shown until the value is there. */
  lines: number;
  label?: string;
  children: (value: T) => ReactNode;
}

/** What is loaded: a skeleton until it is there, and why it could not be read, or read again. */
export function Loaded<T>({ of, lines, label, children }: Props<T>) {
  const { value, error, reload } = of;
  return (
    <>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && (
        <Skeleton lines={lines} {...(label !== undefined && { label })} />
      )}
    </>
  );
}

/** Two resources as one, for what needs both. */
export function both<A, B>(one: Resource<A>, other: Resource<B>): Resource<readonly [A, B]> {
  const [a, b] = [one.value, other.value];
  return {
    value: a !== undefined && b !== undefined ? [a, b] : undefined,
    error: one.error ?? other.error,
    isStale: one.isStale || other.isStale,
    reload: () => [one, other].forEach(({ reload }) => reload()),
  };
}
