import { parseRegistrarApis } from "../../../shared/accounts.ts";
import { cloudflare } from "./cloudflare.ts";
import { dnsimple } from "./dnsimple.ts";
import { gandi } from "./gandi.ts";
import { godaddy } from "./godaddy.ts";
import { namecheap } from "./namecheap.ts";
import { namecom } from "./namecom.ts";
import { namesilo } from "./namesilo.ts";
import { ovh } from "./ovh.ts";
import { porkbun } from "./porkbun.ts";
import { realtimeregister } from "./realtimeregister.ts";
import type { RegistrarReader } from "./registrar-reader.ts";
import { route53 } from "./route53.ts";
import { spaceship } from "./spaceship.ts";

export const READERS: readonly RegistrarReader[] = [
  porkbun,
  cloudflare,
  namecheap,
  godaddy,
  gandi,
  spaceship,
  route53,
  dnsimple,
  ovh,
  namecom,
  namesilo,
  realtimeregister,
];

/** What a person gives for an account of each. */
export const REGISTRAR_APIS = parseRegistrarApis({
  items: READERS.map((reader) => Object.assign({ recorded: false }, reader)),
}).items;
