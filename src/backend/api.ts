/** Who is asking, as the listener knows it; `secure` says that the browser came over https. */
export interface Peer {
  address: string;
  secure: boolean;
  /** Where a body is long: to be called with each part of it that came, or the connection is cut. */
  heard?: () => void;
}

/** What answers `/api/`: the same shape whether a proxy or the embedded backend stands behind it. */
export interface Api {
  /** Never rejects: every failure is an answer. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** Whether a request would find what it needs right now. */
  ready(): Promise<boolean>;
  /** Waits for running statements and lets go of everything; may be called again. */
  close(): Promise<void>;
}
