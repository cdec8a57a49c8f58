import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createDatabaseHeaders } from './database-headers.ts'

describe('the request headers that the database receives', () => {
  const headersOf = createDatabaseHeaders({ addressKey: 'k', isEnforced: true })
  function listHeaders(headers: Record<string, string>, ip = '192.0.2.1', route = {}) {
    const routeOptions = { url: undefined }
    return headersOf({ headers, ip, routeOptions, ...route } as unknown as FastifyRequest)
  }

  it("are only the form headers and a keyed hash of the client's IP address", () => {
    const headers = listHeaders({
      'x-form-token': 'a token',
      'x-form-website': '',
      'x-client-address-hash': 'forged',
      'x-forwarded-for': '203.0.113.9',
      cookie: 'secret',
      'user-agent': 'someone',
    })
    expect(headers).toEqual({
      'x-form-token': 'a token',
      'x-form-website': '',
      'x-client-address-hash': expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    expect(JSON.stringify(headers)).not.toContain('192.0.2.1')
  })

  it('contain the same hash for two IP addresses of one client network, and a different hash for another client', () => {
    const hashOf = (ip: string) => listHeaders({}, ip)['x-client-address-hash']
    expect(hashOf('2001:db8::1')).toBe(hashOf('2001:db8::2'))
    expect(hashOf('192.0.2.1')).not.toBe(hashOf('192.0.2.2'))
  })

  it("contain hashes of the client's networks only when the request inserts rows", () => {
    const post = { method: 'POST', routeOptions: { url: '/rest/v1/:relation' } }
    const call = { method: 'POST', routeOptions: { url: '/rest/v1/rpc/:function' } }
    const namesOf = (ip: string, route: object) =>
      Object.entries(listHeaders({}, ip, route)).filter(([name]) => /-\d/.test(name))
    const [one, neighbor] = [namesOf('2001:db8:a:b00::1', post), namesOf('2001:db8:a:c00::1', post)]
    expect(one.map(([name]) => name)).toEqual(['x-client-56-hash', 'x-client-48-hash'])
    expect(one[0]).not.toEqual(neighbor[0])
    expect(one[1]).toEqual(neighbor[1])
    const small = namesOf('203.0.113.1', post)
    expect(small.map(([name]) => name)).toEqual(['x-client-24-hash'])
    expect(small).toEqual(namesOf('203.0.113.2', post))
    expect(namesOf('203.0.113.1', { ...post, method: 'PUT' })).toEqual(small)
    expect(namesOf('203.0.113.1', call)).toEqual([])
    expect(namesOf('203.0.113.1', { ...post, method: 'GET' })).toEqual([])
    expect(listHeaders({ 'x-client-48-hash': 'forged' }, 'unknown', post)).not.toHaveProperty(
      'x-client-48-hash',
    )
  })

  it('are truncated to 1,000 characters each', () => {
    const headers = listHeaders({ 'x-form-token': 'x'.repeat(5_000) })
    expect(headers['x-form-token']).toHaveLength(1_000)
  })
})
