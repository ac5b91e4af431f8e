import { useEffect, useState } from "react";

/** A text once it has stayed the same for `delay` milliseconds. */
export function useDelayed(text: string, delay: number): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setDelayed, delay, text);
    return () => clearTimeout(timer);
  }, [text, delay]);
  return delayed;
}
