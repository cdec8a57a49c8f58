import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, since every
 * connection is handed at least that many addresses (RFC 6177) and could change them at will.
 */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  const bare = address.replace(/%.*$/, '')
  return isIPv6(bare) ? `${networkOf(bare)}::/64` : address
}

/** The first four groups of an IPv6 address, without leading zeros. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::', 2)
  const before = groupsOf(head)
  const after = groupsOf(tail)
  const zeros = address.includes('::') ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** A dotted tail (`64:ff9b::192.0.2.1`) stands for two groups, both beyond the network. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}

/** A name for something personal that says nothing about it to who lacks the key. */
export function keyedHash(key: string, ...parts: string[]): Buffer {
  return createHmac('sha256', key).update(parts.join('\0')).digest()
}
