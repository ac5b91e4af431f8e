import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

/** A program of somebody who knows the description of the API only: its types are made of that. */
export async function useApi(baseUrl: string, headers: Record<string, string>) {
  const api = createClient<paths>({ baseUrl, headers });

  const added = await api.POST("/api/domains", { body: { name: "example.com" } });
  const etag = added.response.headers.get("etag") ?? "";
  const path = { id: added.data?.id ?? "" };
  const note = { notes: "By a program" };
  const edited = await api.PATCH("/api/domains/{id}", {
    params: { path, header: { "If-Match": etag } },
    body: note,
  });
  const stale = await api.PATCH("/api/domains/{id}", {
    params: { path, header: { "If-Match": etag } },
    body: note,
  });

  const uploaded = await api.POST("/api/upload/post", {
    body: { file: new File(["Domain,Notes\nexample.net,Imported\n"], "list.csv") },
    bodySerializer({ file }) {
      const form = new FormData();
      if (file instanceof File) form.append("file", file);
      return form;
    },
  });
  const preview = await api.POST("/api/imports", {
    body: { uploadId: uploaded.data?.uploadId ?? "", defaults: { registrarUnknown: true } },
  });
  const committed = await api.POST("/api/imports/{id}/commit", {
    params: {
      path: { id: preview.data?.id ?? "" },
      header: { "Idempotency-Key": crypto.randomUUID() },
    },
  });

  const list = await api.GET("/api/domains", { params: { query: { q: ["example"], limit: 2 } } });
  const csv = await api.GET("/api/domains.csv", { parseAs: "text" });
  const bad = await api.POST("/api/domains", { body: { name: "co.uk" } });
  // @ts-expect-error The description says that a domain has a name.
  const nameless = await api.POST("/api/domains", { body: { notes: "No name" } });

  return {
    notes: edited.data?.notes,
    stale: [stale.response.status, stale.error?.title],
    new: preview.data?.counts.new,
    state: committed.data?.state,
    names: list.data?.items.map(({ name }) => name),
    lines: csv.data?.trim().split("\r\n").length,
    pointers: [bad, nameless].map(({ error }) => error?.errors?.[0]?.pointer),
  };
}
