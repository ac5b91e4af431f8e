/** What a request of a test may say; `json` is sent as a JSON body. */
export interface ApiRequest {
  method?: string;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
}

export type ApiClient = ReturnType<typeof createApiClient>;

export const OWNER = { email: "ada@example.com", password: "correct horse battery" };

/**
 * A client of the server at `url`, which may have a base path, with an empty cookie jar. It has a browser's
 * manners and no more: keeps cookies, sends the XSRF header, follows nothing.
 */
export function createApiClient(url: string | URL) {
  const base = String(url).replace(/\/$/, "");
  const cookies = new Map<string, string>();

  /** What a browser adds to a request that changes something. */
  function ownHeaders(): Record<string, string> {
    const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const [, token] = [...cookies].find(([name]) => /^XSRF-TOKEN(?:~|$)/.test(name)) ?? [];
    return { ...(Cookie && { Cookie }), ...(token && { "X-XSRF-TOKEN": token }) };
  }

  async function request(path: string, options: ApiRequest = {}): Promise<Response> {
    const { method = "GET", json, body } = options;
    const headers = new Headers(ownHeaders());
    if (method === "GET" || method === "HEAD") headers.delete("X-XSRF-TOKEN");
    if (json !== undefined) headers.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const content = json === undefined ? (body ?? null) : JSON.stringify(json);
    const response = await fetch(URL.canParse(path) ? path : base + path, {
      method,
      headers,
      body: content,
      redirect: "manual",
      // A server may close a connection that was idle just as it is used again. Only what changes nothing
      // is then sent once more by `fetch` itself (RFC 9112, 9.3.1).
      keepalive: method === "GET" || method === "HEAD",
    });
    for (const line of response.headers.getSetCookie()) {
      const { name, value } = Bun.Cookie.parse(line);
      cookies.set(name, value);
    }
    return response;
  }

  async function open(credentials: object): Promise<Response> {
    await request("/api/token");
    return request("/api/token", { method: "POST", json: credentials });
  }

  return {
    cookies,
    ownHeaders,
    request,
    post: (path: string, json?: unknown) => request(path, { method: "POST", json }),
    put: (path: string, json: unknown) => request(path, { method: "PUT", json }),
    patch: (path: string, json: unknown) => request(path, { method: "PATCH", json }),
    delete: (path: string) => request(path, { method: "DELETE" }),
    /** The JSON of an answer, of any status. */
    json: async (path: string, options?: ApiRequest): Promise<unknown> =>
      (await request(path, options)).json(),
    /** Creates the owner; afterwards the client is signed in. */
    setUp: (setUpCode: string | null) => open({ setUpCode, ...OWNER }),
    signIn: (password = OWNER.password) => open({ email: OWNER.email, password }),
  };
}
