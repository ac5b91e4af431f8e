/** The callback leads back to `/home#sign-in=<reason>`; after a link to `/settings/security`. */
export const OIDC_FAILURES = {
  expired: "This sign-in took too long or was used already. Try again.",
  refused: "The sign-in service refused. Try again, or sign in another way.",
  unavailable: "The sign-in service cannot be reached or sent an invalid answer. Try again later.",
  unknown:
    "No account here is linked to the one you chose. Ask an owner to invite its address, or sign in another way and link it in the settings.",
  disabled: "This account is disabled. Ask an owner to enable it.",
  taken: "That account is already linked to another person.",
} as const;
