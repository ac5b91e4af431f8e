import type { ReactNode } from "react";
import { Failure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { Resource } from "./resource.ts";

interface Props<T> {
  of: Resource<T> & { hasMore?: boolean; isBusy?: boolean; loadMore?: () => void };
  /** Lines of the skeleton that is shown until the value is there. */
  lines: number;
  label?: string;
  /** Of a list that comes page by page: what the button of the next page is called. */
  more?: string;
  children: (value: T) => ReactNode;
}

/** What is loaded: a skeleton until it is there, and why it could not be read, or read again. */
export function Loaded<T>({ of, lines, label, more, children }: Props<T>) {
  const { value, error, reload } = of;
  const failure = error !== undefined && <Failure error={error} onRetry={reload} />;
  return (
    <>
      {more === undefined && failure}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && (
        <Skeleton lines={lines} {...(label !== undefined && { label })} />
      )}
      {more !== undefined && failure}
      {of.hasMore && !failure && (
        <Button aria-disabled={of.isBusy} onClick={of.loadMore}>
          {more}
        </Button>
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
    reload: () => [one, other].forEach(({ reload }) => reload()),
  };
}
