import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressGroup,
  createNetworkHash,
  keyedHash,
  networkOf,
  networksAround,
} from './client-address.ts'

describe('the client to which an IP address belongs', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[::ffff:203.0.113.5]:4711', '203.0.113.5'],
    ['unknown', 'no address'],
    ['_hidden:17', 'no address'],
    ['', 'no address'],
  ])('is derived from the address: %s results in %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['203.0.113.77:4711', '203.0.113.0/24'],
    ['2001:db8:aaaa:bbcc::1', '2001:db8:aaaa:bb00::/56'],
  ])('can be a wider network: the address %s belongs to %s', (address, network) => {
    expect(networkOf(address, { ipv4: 24, ipv6: 56 })).toBe(network)
  })

  it('can be the /48 network that an internet provider assigned to a site', () => {
    const site = networkOf('2001:db8:aaaa:bbcc::1', { ipv4: 24, ipv6: 48 })
    expect(site).toBe('2001:db8:aaaa:0::/48')
  })

  it.each([
    ['203.0.113.77', [[24, '203.0.113.0/24']]],
    ['::ffff:203.0.113.77', [[24, '203.0.113.0/24']]],
    [
      '2001:db8:aaaa:bbcc::1',
      [
        [56, '2001:db8:aaaa:bb00::/56'],
        [48, '2001:db8:aaaa:0::/48'],
      ],
    ],
    ['unknown', []],
    ['127.0.0.1', []],
    ['::1', []],
  ])('is part of larger networks whose bookings are also counted: %s', (address, networks) => {
    expect(networksAround(address).map(({ bits, network }) => [bits, network])).toEqual(networks)
  })

  it('is the same for all addresses of one IPv6 network, and differs between networks', () => {
    const hextet = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
    const half = fc.array(hextet, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'))
    fc.assert(
      fc.property(half, half, half, half, (network, other, one, two) => {
        const isSame = addressGroup(`${network}:${one}`) === addressGroup(`${network}:${two}`)
        const differs = addressGroup(`${network}:${one}`) !== addressGroup(`${other}:${one}`)
        expect(isSame && (differs || network === other)).toBe(true)
      }),
    )
  })
})

describe('the hash of a network', () => {
  it('depends on the key, and does not change after many other networks were hashed', () => {
    const hashOf = createNetworkHash('a key')
    const hash = keyedHash('a key', 'client', '192.0.2.7').toString('base64url')
    expect([hashOf('192.0.2.7'), hashOf('192.0.2.7')]).toEqual([hash, hash])
    const others = Array.from({ length: 10_001 }, (_, nth) => hashOf(`2001:db8:0:${nth}::/64`))
    expect(new Set(others).size).toBe(10_001)
    expect(hashOf('192.0.2.7')).toBe(hash)
    expect(createNetworkHash('another key')('192.0.2.7')).not.toBe(hash)
  })
})
