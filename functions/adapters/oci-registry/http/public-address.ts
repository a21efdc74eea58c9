import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** The error code of a host none of whose addresses is public. */
export const addressNotPublic = "ERR_ADDRESS_NOT_PUBLIC";

/** Reports whether an IP address is reachable from the Internet: not private, loopback, link-local, shared or reserved. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && address.range() === "rfc6052") {
    // NAT64: the address of IPv4 is in the last 32 bits.
    return new ipaddr.IPv4(address.toByteArray().slice(-4)).range() === "unicast";
  }
  return address.range() === "unicast";
}

/** Throws if a URL has an IP address that is not public, in any spelling: `URL` has normalized it. */
export function assertPublicLiteral({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw notPublicError(hostname);
}

/**
 * Resolves a name to its public addresses only. It is called for each connection, and what it returns is connected to, so that a name
 * cannot have another address by then (DNS rebinding).
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const allowed = error === null ? addresses.filter(({ address }) => isPublicAddress(address)) : [];
    const [first] = allowed;
    if (first === undefined) callback(error ?? notPublicError(hostname), []);
    else if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};

function notPublicError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no public address`), { code: addressNotPublic });
}
