import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createProxyCheck } from './trusted-proxies.ts'

const lists = [
  ['127.0.0.1'],
  ['loopback'],
  ['linklocal', 'uniquelocal'],
  ['10.1.0.0/16', '2001:db8::/32'],
]
const addresses = [
  '127.0.0.1',
  '127.0.0.2',
  '::1',
  '::ffff:127.0.0.1',
  '10.1.2.3',
  '::ffff:10.1.2.3',
  '10.2.0.1',
  '172.20.0.1',
  '192.168.7.7',
  '169.254.1.1',
  'fe80::1',
  'fd00::1',
  '2001:db8:1::1',
  '2001:db9::1',
  '203.0.113.5',
]

describe('the proxies of TRUST_PROXY', () => {
  it.each(lists.map((list) => [list]))('%s are those that Fastify trusts', async (list) => {
    const site = Fastify({ trustProxy: list })
    site.get('/', ({ ip }) => ip)
    const isProxy = createProxyCheck(list)
    const visitor = '198.51.100.1'
    for (const remoteAddress of addresses) {
      const headers = { 'x-forwarded-for': visitor }
      const { body } = await site.inject({ url: '/', remoteAddress, headers })
      expect([remoteAddress, isProxy(remoteAddress)]).toEqual([remoteAddress, body === visitor])
    }
  })

  it('include no address when the setting is empty', () => {
    expect(addresses.filter(createProxyCheck(false))).toEqual([])
  })
})
