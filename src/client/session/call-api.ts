import { http, HttpError, type HttpOptions } from "../http.ts";
import { sendAhead } from "./ahead.ts";
import { expireSession } from "./session-store.ts";

/**
 * One call for somebody who is signed in: `http.request`, and a 401 brings the sign-in form, in
 * place. The error is thrown all the same.
 *
 * @throws {HttpError}
 */
export async function callApi<T>(url: string, options: HttpOptions<T>): Promise<T> {
  try {
    return await http.request(url, { send: sendAhead, ...options });
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) expireSession();
    throw error;
  }
}
