/** A number of bytes as a person says it: `812 byte`, `1.2 MB`. */
export function sizeInWords(bytes: number): string {
  const [unit, size] =
    bytes < 1000
      ? (["byte", 1] as const)
      : bytes < 1_000_000
        ? (["kilobyte", 1000] as const)
        : (["megabyte", 1_000_000] as const);
  return (bytes / size).toLocaleString(undefined, {
    style: "unit",
    unit,
    unitDisplay: size === 1 ? "long" : "short",
    maximumFractionDigits: 1,
  });
}
