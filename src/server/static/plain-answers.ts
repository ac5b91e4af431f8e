/** A short refusal as plain text, never kept by a cache. */
export function refuse(status: number, text: string, headers: Record<string, string> = {}) {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}

/** RFC 9457 problem document, never kept by a cache. */
export function problem(status: number, title: string, detail: string): Response {
  return Response.json(
    { type: "about:blank", title, status, detail },
    {
      status,
      headers: {
        "Content-Type": "application/problem+json",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": API_POLICY,
      },
    },
  );
}

/** What a document under `/api/` may do when a browser shows it by itself: nothing. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
