import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** A variable of the environment, as `--help` tells it. */
interface Variable {
  /** What counts where it is unset; null where nothing does. */
  readonly fallback: string | null;
  readonly meaning: string;
}

/**
 * Every variable that can be set from outside: what reads the configuration and what explains it both
 * look here, so that neither can know one that the other does not.
 */
export const VARIABLES = {
  PORT: { fallback: "3000", meaning: "where to listen; 0 takes any free port" },
  HOST: { fallback: "127.0.0.1", meaning: "the address to listen on; 0.0.0.0 or :: for all" },
  NODE_ENV: {
    fallback: null,
    meaning: "production = production mode (the executable is always in it); else development",
  },
  BACKEND_URL: {
    fallback: null,
    meaning: "http(s) URL that /api/ is proxied to; unset: the embedded backend",
  },
  DATABASE_URL: {
    fallback: "sqlite://data/freehold.sqlite",
    meaning: "embedded backend: sqlite://<file> or postgres://<user>@<host>/<name>",
  },
  BRAND: { fallback: DEFAULT_BRAND, meaning: "the product's name in title, footer and logo" },
  SETUP_CODE: { fallback: null, meaning: "needed to create the owner; unset: random, printed" },
  MAX_UPLOAD_BYTES: { fallback: "33554432", meaning: "embedded backend: larger bodies get 413" },
  UPSTREAM_TIMEOUT: {
    fallback: "60",
    meaning: "seconds without a byte from the backend before 504",
  },
  BACKEND_CA: { fallback: null, meaning: "PEM file of a private authority for the backend" },
  LOG: { fallback: "access", meaning: "quiet: no line per request" },
  TRUST_PROXY: { fallback: "0", meaning: "1: X-Forwarded-* headers of the peer are believed" },
  TLS_CERT: { fallback: null, meaning: "PEM file: HTTPS with HTTP/2, together with TLS_KEY" },
  TLS_KEY: { fallback: null, meaning: "PEM file: the private key of TLS_CERT" },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;

/** What counts where a variable is unset. */
export type Fallback<N extends VariableName> = (typeof VARIABLES)[N]["fallback"];
