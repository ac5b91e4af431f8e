import { describe, expect } from "bun:test";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { patchDomain } from "../../support/domains.ts";
import { joinAs, signInAs } from "../../support/people.ts";
import { sendCommit, uploadFile } from "../../support/import-client.ts";

const NOBODY = "01890000-0000-7000-8000-000000000000";

const statusOf = async (answer: Promise<Response>) => (await answer).status;

async function peopleOf(client: ApiClient): Promise<Record<string, unknown>[]> {
  return (await (await client.request("/api/people")).json()).items;
}

/** An editor beside the owner. */
async function startTeam(ada: ApiClient & { server: BackendServer }) {
  const { id: adaId } = await (await ada.request("/api/token")).json();
  const bob = await joinAs(ada.server, { email: "bob@example.com", name: "Bob", role: "editor" });
  return { adaId, bob: bob.client, bobId: bob.id, path: `/api/people/${bob.id}` };
}

describe("people", () => {
  once("are listed by name, and a change of a role holds from the next request", async (ada) => {
    const { adaId, bob, bobId } = await startTeam(ada);
    expect(await peopleOf(ada)).toMatchObject([
      { id: adaId, email: OWNER.email, name: OWNER.email, role: "owner", disabled: false },
      { id: bobId, email: "bob@example.com", name: "Bob", role: "editor", disabled: false },
    ]);
    const add = (name: string) => statusOf(bob.post("/api/domains", { name }));
    expect(await add("one.example")).toBe(201);
    const viewer = { method: "PATCH", json: { role: "viewer" } };
    expect(await ada.json(`/api/people/${bobId}`, viewer)).toMatchObject({ role: "viewer" });
    expect(await add("two.example")).toBe(403);
    expect((await bob.request("/api/domains")).status).toBe(200);
    expect(await bob.json("/api/token")).toMatchObject({ id: bobId, name: "Bob", role: "viewer" });
    expect((await bob.request("/api/people")).status).toBe(403);
  });

  once("are limited as viewers alone, at once, until the limit is lifted", async (ada) => {
    const { bobId, path, ...team } = await startTeam(ada);
    let { bob } = team;
    for (const [name, owner] of Object.entries({ "a.example": "Acme", "b.example": "Umbra" })) {
      await ada.post("/api/domains", { name, owner });
    }
    const change = (json: object) => statusOf(ada.patch(path, json));
    const namesOf = async () => {
      const { items } = await (await bob.request("/api/domains")).json();
      return items.map(({ name }: { name: string }) => name);
    };
    const limit = { owners: ["ACME"] };
    const view = await ada.post("/api/views", { name: "Umbra", query: "?owner=umbra" });
    const { id } = await view.json();

    for (const bad of [{ limit }, { role: "viewer", limit: { view: NOBODY } }]) {
      expect(await change(bad)).toBe(400);
    }
    expect(await change({ role: "viewer", limit })).toBe(200);
    expect(await peopleOf(ada)).toContainEqual(expect.objectContaining({ id: bobId, limit }));
    expect(await bob.json("/api/token")).toMatchObject({ role: "limited" });
    expect(await namesOf()).toEqual(["a.example"]);
    expect((await bob.request("/api/registrars")).status).toBe(403);

    expect(await change({ limit: { view: id } })).toBe(200);
    expect(await namesOf()).toEqual(["b.example"]);
    await ada.patch(`/api/views/${id}`, { query: "?sort=-name" });
    expect(await namesOf()).toEqual([]);
    await ada.delete(`/api/views/${id}`);
    expect(await namesOf()).toEqual([]);
    // The view is gone: a limit that stays still goes through, and a new one is judged.
    expect(await change({ disabled: true })).toBe(200);
    expect(await change({ disabled: false })).toBe(200);
    expect(await change({ role: "viewer", limit: { view: id } })).toBe(200);
    expect(await change({ limit: { view: NOBODY } })).toBe(400);
    bob = await signInAs(ada.server.url, "bob@example.com");
    expect(await namesOf()).toEqual([]);

    expect(await change({ role: "editor" })).toBe(400);
    expect(await change({ role: "editor", limit: null })).toBe(200);
    expect(await namesOf()).toEqual(["a.example", "b.example"]);
  });

  once("who are disabled are signed out, until they are enabled", async (ada) => {
    const { server } = ada;
    const { bob, path } = await startTeam(ada);
    const { url } = await (await bob.post("/api/calendars", { name: "Renewals" })).json();
    const readFeed = () => statusOf(server.visitor().request(url));
    expect(await readFeed()).toBe(200);
    const script = { name: "Script", scope: "read" };
    const { token } = await (await bob.post("/api/tokens", script)).json();
    const headers = { Authorization: `Bearer ${token}` };
    const useToken = () => statusOf(server.visitor().request("/api/domains", { headers }));
    expect(await useToken()).toBe(200);
    expect(await statusOf(ada.patch(path, { disabled: true }))).toBe(200);
    expect((await bob.request("/api/domains")).status).toBe(401);
    expect(await readFeed()).toBe(404);

    await bob.request("/api/token");
    const signIn = (password: string) =>
      statusOf(bob.post("/api/token", { email: "bob@example.com", password }));
    expect([await signIn(OWNER.password), await signIn("a wrong password")]).toEqual([403, 401]);
    expect(await statusOf(ada.post(`${path}/reset`))).toBe(409);
    expect(await statusOf(ada.patch(path, { disabled: false }))).toBe(200);
    expect([await signIn(OWNER.password), await readFeed()]).toEqual([200, 200]);
    expect(await useToken()).toBe(401);
  });

  once("who are deleted leave their names in the history, and their imports", async (ada) => {
    const { bob, bobId, path } = await startTeam(ada);
    const uploadId = await uploadFile(bob, "Name\nimported.example\n");
    const { id: importId } = await (await bob.post("/api/imports", { uploadId })).json();
    expect((await sendCommit(bob, importId)).status).toBe(200);
    const { id } = await (await bob.post("/api/domains", { name: "one.example" })).json();
    expect(await statusOf(bob.patch("/api/profile", { name: "Robert" }))).toBe(200);
    await patchDomain(bob, id, { notes: "x" }, "*");

    expect(await statusOf(ada.delete(path))).toBe(204);
    expect((await bob.request("/api/domains")).status).toBe(401);
    expect(await peopleOf(ada)).toHaveLength(1);
    const items = ["Robert", "Bob"].map((by) => ({ by, byId: bobId }));
    expect(await ada.json(`/api/domains/${id}/history`)).toMatchObject({ items });
    expect(await statusOf(ada.post(`/api/imports/${importId}/undo`))).toBe(200);
    expect(await statusOf(ada.delete(path))).toBe(404);
  });

  test("keep one owner, whatever fifty requests at once ask for", async (ada) => {
    const { adaId, bob, bobId } = await startTeam(ada);
    const demote = (client: ApiClient, id: string) =>
      statusOf(client.patch(`/api/people/${id}`, { role: "viewer" }));
    expect(await demote(ada, adaId)).toBe(409);
    expect(await statusOf(ada.patch(`/api/people/${adaId}`, { disabled: true }))).toBe(409);
    expect(await statusOf(ada.delete(`/api/people/${adaId}`))).toBe(409);
    expect(await statusOf(ada.patch(`/api/people/${bobId}`, { role: "owner" }))).toBe(200);

    const asked = Array.from({ length: 50 }, (_, at) => {
      const [client, id] = at % 2 === 0 ? [ada, bobId] : [bob, adaId];
      if (at % 5 === 0) return statusOf(client.delete(`/api/people/${id}`));
      if (at % 5 === 1) return statusOf(client.patch(`/api/people/${id}`, { disabled: true }));
      return demote(client, id);
    });
    // 503: the writers before it took too long.
    const allowed = [200, 204, 401, 403, 404, 409, 503];
    for (const status of await Promise.all(asked)) expect(allowed).toContain(status);
    const owners = await ada.server.read(
      (sql) => sql`select id from users where role = 'owner' and disabled = 0`,
    );
    expect(owners).toHaveLength(1);
  });

  once("end all sessions of each other, and refuse what is not there or no name", async (ada) => {
    const { bob, path } = await startTeam(ada);
    expect(await statusOf(ada.delete(`${path}/sessions`))).toBe(204);
    expect((await bob.request("/api/domains")).status).toBe(401);
    const nobody = `/api/people/${NOBODY}`;
    for (const asked of [
      ada.patch(nobody, { role: "viewer" }),
      ada.delete(nobody),
      ada.delete(`${nobody}/sessions`),
      ada.post(`${nobody}/reset`),
    ]) {
      expect(await statusOf(asked)).toBe(404);
    }
    expect(await statusOf(ada.patch(path, { role: "limited" }))).toBe(400);
    for (const name of ["x".repeat(101), "a\u0000b", "\u202e"]) {
      expect(await statusOf(ada.patch("/api/profile", { name }))).toBe(400);
    }
    const unnamed = await ada.patch("/api/profile", { name: " " });
    expect(await unnamed.json()).toMatchObject({ name: OWNER.email });
  });
});
