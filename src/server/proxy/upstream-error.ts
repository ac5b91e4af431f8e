/** An exchange with the backend that failed; `code` as the system writes it. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The client has gone: nobody needs an answer any more. */
export class ClientLeftError extends Error {
  override readonly name = "ClientLeftError";
}

/** The backend said nothing for longer than it may. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
}
