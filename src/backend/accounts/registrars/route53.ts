import { createHash, createHmac } from "node:crypto";
import type { Price } from "../reading.ts";
import { malformed, type RegistrarReader, type ReaderContext } from "./registrar-reader.ts";
import { cursorOf, expiryOf, flagOf, objectOf, priceOf, rowsOf } from "./values.ts";

/** The service answers in one region only. */
const REGION = "us-east-1";
const SERVICE = "route53domains";
const TARGET = "Route53Domains_v20140515";

/** @see https://docs.aws.amazon.com/Route53/latest/APIReference/API_domains_ListDomains.html */
export const route53: RegistrarReader = {
  registrar: "route53",
  label: "Amazon Route 53",
  fields: [
    { name: "accessKeyId", label: "Access key ID", secret: true },
    { name: "secretAccessKey", label: "Secret access key", secret: true },
    { name: "sessionToken", label: "Session token", secret: true, optional: true },
  ],
  rights:
    "Create a user in IAM whose policy allows only route53domains:ListDomains and route53domains:ListPrices. Then create an access key for it under Security credentials.",
  origin: () => `https://${SERVICE}.${REGION}.amazonaws.com`,
  calls: ["POST /"],
  command: {
    in: "header",
    name: "x-amz-target",
    values: [`${TARGET}.ListDomains`, `${TARGET}.ListPrices`],
  },
  advice: {
    credentials: "Create a new access key in IAM under Security credentials.",
    access: "Allow route53domains:ListDomains in the user’s policy in IAM.",
    clock: "Set this server’s clock, preferably by NTP.",
  },
  words: (body) => {
    const { message, Message = message } = objectOf(body);
    const minutes = minutesOff(String(Message));
    return minutes === 0 ? Message : `${String(Message)} Our clock is ${minutes} minutes off.`;
  },
  codes: {
    credentials:
      "UnrecognizedClientException InvalidClientTokenId InvalidSignatureException ExpiredTokenException SignatureDoesNotMatch",
    access: "AccessDeniedException",
    limited: "ThrottlingException",
  },
  codesOf: (body) => [String(objectOf(body)["__type"]).replace(/^.*#/, "")],

  fault({ body }) {
    const { message, Message = message } = objectOf(body);
    return /Signature (?:expired|not yet current)/.test(String(Message)) && "clock";
  },

  async readPage(context, { cursor }) {
    const after = cursor === null ? {} : { Marker: cursor };
    const body = await call(context, "ListDomains", { MaxItems: 100, ...after });
    return {
      rows: Array.from(rowsOf(body["Domains"], "list of domains"), (row) => ({
        name: row["DomainName"],
        ...expiryOf(row["Expiry"]),
        autoRenew: flagOf(row["AutoRenew"]),
        locked: flagOf(row["TransferLock"]),
      })),
      next: cursorOf(body["NextPageMarker"], "marker of the next page"),
    };
  },

  async prices(context) {
    const prices = new Map<string, Price | null>();
    let marker: string | null = null;
    do {
      const body = await call(context, "ListPrices", marker === null ? {} : { Marker: marker });
      for (const { Name, RenewalPrice } of rowsOf(body["Prices"], "list of prices")) {
        const { Price: price, Currency } = objectOf(RenewalPrice);
        prices.set(String(Name).toLowerCase(), priceOf(price, String(Currency)));
      }
      const next = cursorOf(body["NextPageMarker"], "marker of the next page");
      if (next === marker && next !== null) throw malformed("end of its prices");
      marker = next;
    } while (marker !== null);
    return prices;
  },
};

async function call({ ask, origin, now, fields }: ReaderContext, command: string, given: object) {
  const body = JSON.stringify(given);
  const headers = signAws(
    fields,
    {
      "content-type": "application/x-amz-json-1.1",
      host: new URL(origin).host,
      "x-amz-date": now()
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, ""),
      ...(fields["sessionToken"] && { "x-amz-security-token": fields["sessionToken"] }),
      "x-amz-target": `${TARGET}.${command}`,
    },
    body,
  );
  const answer = await ask({ method: "POST", path: "/", headers, body });
  return objectOf(answer.body);
}

/**
 * The headers with their Signature Version 4, of a POST to the root.
 *
 * @param headers All that is signed, in the order of their names.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export function signAws(
  { accessKeyId = "", secretAccessKey = "" }: Readonly<Record<string, string>>,
  headers: { "x-amz-date": string } & Readonly<Record<string, string>>,
  body: string,
): Record<string, string> {
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ["POST", "/", "", lines.join(""), names, sha256(body)].join("\n");
  const time = headers["x-amz-date"];
  const scope = [time.slice(0, 8), REGION, SERVICE, "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const hmac = (key: string | Buffer, part: string) =>
    createHmac("sha256", key).update(part).digest();
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, text).toString("hex");
  const credential = `${accessKeyId}/${scope.join("/")}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** How far the clocks are apart by "Signature expired: A is now earlier than B (C - 5 min.)". */
function minutesOff(message: string): number {
  const [ours = 0, , theirs = ours] = (message.match(/\d{8}T\d{6}Z/g) ?? []).map((time) =>
    Date.parse(time.replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z")),
  );
  return Math.round(Math.abs(theirs - ours) / 60_000);
}
