/**
 * What a screen needs as soon as it is known who is there, beside its own scripts: what their code is
 * imported as, below `src`, and what its area asks of the API, to the letter. Only the page holds
 * this; whoever asks for something else first is served all the same, a round trip later.
 */
export const firstNeeds = {
  guest: ["session/session-form.tsx"],
  /** By area. */
  owner: {
    home: ["home/later.tsx", "/api/summary?today={today}"],
    domains: ["/api/domains?sort=expires%2Cname&limit=100"],
  },
} satisfies { guest: string[]; owner: Record<string, string[]> };
