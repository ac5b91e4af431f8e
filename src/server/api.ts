import type { Tunnel } from "./websockets/tunnel.ts";

/** Who is asking, as the listener knows it; `secure` says that the browser came over https. */
export interface Peer {
  address: string;
  secure: boolean;
  /** The other end of the connection itself: a trusted proxy's, where there is one in front. */
  hop: string;
  /** Where a body is long: to be called with each part of it that came, or the connection is cut. */
  heard?: () => void;
}

/** What answers `/api/`: the same shape whether a proxy or the embedded backend stands behind it. */
export interface Api {
  /** Never rejects: every failure is an answer. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** Opens a WebSocket to the backend; the answer where that fails. An API without it has none. */
  connect?(request: Request, peer: Peer): Promise<Tunnel | Response>;
  /** Whether a request would find what it needs right now. */
  ready(): Promise<boolean>;
  /** Lets go of everything that is held; may be called again. */
  close(): Promise<void>;
}
