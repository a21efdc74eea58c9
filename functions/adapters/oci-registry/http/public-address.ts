import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { Address, ResolveName } from "./resolve-names.ts";

/** The error code of a host none of whose addresses is public. */
export const addressNotPublic = "ERR_ADDRESS_NOT_PUBLIC";

/** Never routed on the Internet, or not to a registry, although ipaddr.js takes them for addresses of hosts. */
const neverPublic = [
  ipaddr.parseCIDR("168.63.129.16/32"), // Azure: the host of a virtual machine, with its credentials
  ipaddr.parseCIDR("192.0.0.0/24"),
  ipaddr.parseCIDR("192.88.99.0/24"),
  ipaddr.parseCIDR("2001::/23"),
  ipaddr.parseCIDR("2001:db8::/32"),
  ipaddr.parseCIDR("3fff::/20"),
];

/** All that is assigned to hosts: `::/96`, which embeds addresses of IPv4, and the rest are not. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Reports whether an IP address is reachable from the Internet: not private, loopback, link-local, shared, reserved or never routed. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && address.range() === "rfc6052") {
    // NAT64: the address of IPv4 is in the last 32 bits.
    return isRouted(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  }
  return isRouted(address);
}

function isRouted(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast" || neverPublic.some(([range, bits]) => isIn(address, range, bits))) return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, range: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  return address.kind() === range.kind() && address.match([range, bits] as never);
}

/** Throws if a URL has an IP address that is not public, in any spelling: `URL` has normalized it. */
export function assertPublicLiteral({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw notPublicError(hostname);
}

/** Whether only public addresses of a name are connected to. */
export type AddressScope = "public" | "any";

/**
 * Creates what looks a name up for each connection. What it returns is connected to, so that a name cannot have another address by then
 * (DNS rebinding). A name that the deployment itself names may be in the files of the system: `getaddrinfo` is asked if DNS has none.
 */
export function createLookup(resolve: ResolveName, scope: AddressScope): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly Address[]) => {
      const allowed = scope === "any" ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const wanted = allowed.filter(({ family }) => !options.family || family === options.family);
      const [first] = wanted;
      if (first === undefined) callback(notPublicError(hostname), []);
      else if (options.all === true) callback(null, [...wanted]);
      else callback(null, first.address, first.family);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (scope === "any" && error.code === "ENOTFOUND") dns.lookup(hostname, options, callback);
      else callback(error, []);
    };
    resolve(hostname).then(answer, fail);
  };
}

function notPublicError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no public address`), { code: addressNotPublic });
}
