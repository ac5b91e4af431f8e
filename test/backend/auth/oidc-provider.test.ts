import { createServer } from "node:http";
import { expect, spyOn, test } from "bun:test";
import { createApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";

const PUBLIC_URL = "https://host.example/names";
const CALLBACK = `${PUBLIC_URL}/api/oidc/callback`;
const CLIENT = { clientId: "freehold", clientSecret: "a secret of the operator" };

/** The certified provider of the `oidc-provider` package. */
async function startProvider() {
  // It complains of a runtime other than Node while it loads.
  const { Provider } = await import("oidc-provider");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [CALLBACK] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  });
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs in at the provider by its own forms, and agrees; returns where it sends the browser. */
async function agree(issuer: string, address: string): Promise<string> {
  const browser = createApiClient(issuer);
  let next: string | URL = new URL(address);
  for (let step = 0; step < 12; step += 1) {
    const { pathname, search }: URL = new URL(next, issuer);
    let answer = await browser.request(pathname + search);
    if (answer.status === 200) {
      const page = await answer.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
      const body = new URLSearchParams({ prompt, login: "ada", password: "any" });
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? "";
      answer = await browser.request(action, { method: "POST", body });
    }
    next = answer.headers.get("location") ?? "";
    if (next.startsWith(CALLBACK)) return next.slice(PUBLIC_URL.length);
  }
  throw new Error(`The provider went no further than ${next}`);
}

const locationOf = (response: Response) => response.headers.get("location") ?? "";

test("oidc-provider signs in who has linked their account", async () => {
  using quiet = new DisposableStack();
  for (const level of ["warn", "info"] as const) {
    quiet.use(spyOn(console, level).mockImplementation(() => {}));
  }
  await using provider = await startProvider();
  const { issuer } = provider;
  const place = { reminders: { publicUrl: PUBLIC_URL }, peer: { basePath: "/names" } };
  await using server = await startBackend({ oidc: { issuer, ...CLIENT }, ...place });
  const owner = await server.owner();
  const { url } = await (await owner.post("/api/oidc/link")).json();
  const linked = await owner.request(await agree(issuer, url));
  expect(locationOf(linked)).toBe("/names/settings/security");

  const visitor = server.visitor();
  const begun = await visitor.request("/api/oidc/start");
  const ended = await visitor.request(await agree(issuer, locationOf(begun)));
  expect(locationOf(ended)).toBe("/names/home");
  expect(await visitor.json("/api/token")).toMatchObject({ email: "ada@example.com" });
});
