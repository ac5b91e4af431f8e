import { DAY_MS } from "../../shared/day.ts";
import {
  type ApiToken,
  DEFAULT_TOKEN_DAYS,
  parseApiTokens,
  parseCreatedToken,
  TOKEN_LIMITS,
} from "../../shared/tokens.ts";
import { urlOf } from "../base-path.ts";
import type { FormValues } from "../register/form.tsx";
import { Loaded, invalidate, useResource } from "../register/resource.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { formatDate, formatDateTime } from "../ui/format.ts";
import { AddButton, Item, Removal, type ShownSecret } from "./item.tsx";

const PATH = "/api/tokens";

/** Screen `/settings/tokens`: the tokens of a person's scripts. */
export function Tokens() {
  return (
    <section>
      <p>
        Scripts use a token instead of your password. It can do at most what you can, and never
        manages people, passwords or tokens. <a href={urlOf("/api")}>How to use the API</a>
      </p>
      <Loaded of={useResource(PATH, parseApiTokens)} lines={3}>
        {({ items }) => (
          <ul className="list">
            {items.map((token) => (
              <Item
                key={token.id}
                title={token.name}
                actions={
                  <Removal action="Revoke" name={token.name} path={`${PATH}/${token.id}`}>
                    Scripts that use it stop working at once. You can’t undo this.
                  </Removal>
                }
              >
                {describe(token)}
              </Item>
            ))}
          </ul>
        )}
      </Loaded>
      <AddButton
        label="Create a token"
        action="Create token"
        fields={[
          {
            name: "name",
            label: "Name",
            hint: "What it is for, such as the script that uses it.",
            fault: "Enter a name.",
            maxLength: TOKEN_LIMITS.name,
          },
          {
            name: "scope",
            label: "Access",
            options: Object.entries(SCOPES).filter(
              ([scope]) => scope === "read" || hasRole("editor"),
            ),
          },
          { name: "days", label: "Expires after", options: DURATIONS },
        ]}
        onAdd={add}
      />
    </section>
  );
}

async function add({ days, ...body }: FormValues): Promise<ShownSecret> {
  const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  const options = { method: "POST", body: { ...body, expiresAt }, parse: parseCreatedToken };
  const { token } = await callApi(PATH, options);
  invalidate(PATH);
  const example = `curl -H "Authorization: Bearer ${token}" ${location.origin}${urlOf("/api/domains")}`;
  const note = (
    <>
      <p>Try it in a terminal:</p>
      <pre className="settings-code">
        <code>{example}</code>
      </pre>
    </>
  );
  return { label: "Token", value: token, note };
}

const SCOPES = { read: "Read only", write: "Read and write" } as const;
const DURATIONS = [
  [String(DEFAULT_TOKEN_DAYS), "1 year"],
  ["90", "90 days"],
  ["30", "30 days"],
  ["7", "7 days"],
  ["1", "1 day"],
] as const;

function describe({ scope, expiresAt, lastUsedAt }: ApiToken): string {
  const used = lastUsedAt === null ? "never used" : `last used ${formatDateTime(lastUsedAt)}`;
  const isOver = Date.parse(expiresAt) <= Date.now();
  return `${SCOPES[scope]} · ${used} · ${isOver ? "expired" : "until"} ${formatDate(expiresAt)}`;
}
