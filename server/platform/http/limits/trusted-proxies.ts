import { BlockList, isIP, isIPv6 } from 'node:net'

/** The names of networks that Fastify's `trustProxy` accepts. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * Returns a function that checks whether an address is a trusted proxy according to TRUST_PROXY. Fastify interprets
 * the setting in the same way.
 */
export function createProxyCheck(trusted: readonly string[] | false): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of (trusted || []).flatMap((name) => named[name] ?? [name])) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}
