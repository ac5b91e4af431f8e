/**
 * What a screen needs as soon as it is known that somebody is signed in, beside its own scripts, by
 * area: what their code is imported as, below `src`, and what the area asks of the API, to the letter.
 * Only the page holds this; a screen that asks for something else is served all the same, a round
 * trip later.
 */
export const firstNeeds: Record<string, readonly string[]> = {
  home: ["home/secondary-sections.tsx", "/api/summary?today={today}"],
  domains: ["/api/domains?sort=expires%2Cname&limit=100"],
};
