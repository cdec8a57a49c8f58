import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the address or network that counts as one client: an IPv4 address, or the /64 network of an IPv6 address.
 * Every internet customer has at least one /64 network (RFC 6177) and can use each of its addresses. All malformed
 * addresses count as one client.
 */
export function addressGroup(address: string): string {
  return networkOf(address, { ipv4: 32, ipv6: 64 })
}

/**
 * Returns the network of an address in CIDR notation, with a prefix of `ipv4` or `ipv6` bits. Ignores the port
 * number that some proxies append to the address.
 */
export function networkOf(address: string, prefix: { ipv4: number; ipv6: number }): string {
  const bare = withoutPort(address).replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
  if (isIPv4(mapped)) return ipv4Network(mapped, prefix.ipv4)
  return isIPv6(bare) ? ipv6Network(bare, prefix.ipv6) : 'no address'
}

/**
 * Returns the networks that contain a client's IP address and whose bookings the database counts
 * (supabase/schemas/45_holds.sql): the /56 and /48 that providers assign to one IPv6 customer (RFC 6177), or the /24 of
 * an IPv4 address. Empty for a malformed address. Also empty for a loopback address: only a test has such an address,
 * or a proxy that TRUST_PROXY does not name.
 */
export function networksAround(address: string): { bits: number; network: string }[] {
  const client = addressGroup(address)
  if (client.startsWith('127.') || client === addressGroup('::1')) return []
  if (isIPv4(client)) return [24].map((bits) => networkAround(address, bits))
  return client.endsWith('/64') ? [56, 48].map((bits) => networkAround(address, bits)) : []
}

const networkAround = (address: string, bits: number) => ({
  bits,
  network: networkOf(address, { ipv4: bits, ipv6: bits }),
})

/**
 * Removes the port number from `203.0.113.5:4711` and `[2001:db8::1]:4711`. An IPv6 address without a port number
 * has more than one colon.
 */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1]
  return bracketed ?? address.replace(/^([^:]*):\d+$/, '$1')
}

function ipv4Network(address: string, bits: number): string {
  const networkPrefix = cut(address.split('.').map(Number), 8, bits)
  return bits === 32 ? address : `${networkPrefix.join('.')}/${bits}`
}

function ipv6Network(address: string, bits: number): string {
  const groups = cut(expand(address), 16, bits).slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/**
 * Keeps the first `bits` bits of an IP address and sets all other bits to zero. `parts` is the address as numbers of
 * `width` bits each.
 */
function cut(parts: readonly number[], width: number, bits: number): number[] {
  return parts.map((part, index) => {
    const dropped = Math.min(width, Math.max(0, (index + 1) * width - bits))
    return (part >> dropped) << dropped
  })
}

/** Returns the eight groups of an IPv6 address as numbers. */
function expand(address: string): number[] {
  const [head = '', tail = ''] = address.split('::', 2)
  const before = groupsOf(head)
  const after = groupsOf(tail)
  const zeros = address.includes('::') ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after]
  return groups.map((group) => Number.parseInt(group, 16))
}

/**
 * Returns the groups of a part of an IPv6 address. An IPv4 suffix (`64:ff9b::192.0.2.1`) becomes two zero groups,
 * because it is not part of the network prefix.
 */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}

/** Hashes personal data with a secret key, so that nobody without the key can recompute the hash. */
export function keyedHash(key: string, ...parts: string[]): Buffer {
  return createHmac('sha256', key).update(parts.join('\0')).digest()
}

/** The maximum number of hashes in the cache of one function that `createNetworkHash` returned. */
const maxHashes = 10_000

/**
 * Returns a function that returns `keyedHash` of a client's network as text. The function caches its results,
 * because a browser sends about two dozen requests when it loads a page.
 */
export function createNetworkHash(key: string): (network: string) => string {
  const hashes = new Map<string, string>()
  return (network) => {
    const cached = hashes.get(network)
    if (cached !== undefined) return cached
    const hash = keyedHash(key, 'client', network).toString('base64url')
    const [oldest] = hashes.keys()
    if (oldest !== undefined && hashes.size >= maxHashes) hashes.delete(oldest)
    hashes.set(network, hash)
    return hash
  }
}
