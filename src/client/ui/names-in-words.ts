/** A number of names, as it stands in a sentence. */
export function namesInWords(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "name" : "names"}`;
}
