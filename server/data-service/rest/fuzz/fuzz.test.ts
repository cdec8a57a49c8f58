import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalog } from '../catalog/catalog.ts'
import { loadCatalog } from '../catalog/load-catalog.ts'
import { anonToken, openOurs, type OurBookshop } from '../conformance/bookshop.ts'
import { findForeignSql } from './allowed-sql.ts'
import { anyRequest, type AnyRequest } from './any-request.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500)

describe('whatever a visitor sends', () => {
  let ours: OurBookshop
  let catalog: Catalog
  let sent: string[] = []

  beforeAll(async () => {
    ours = await openOurs((sql) => sent.push(sql))
    catalog = await loadCatalog(ours.shop.database.pool)
  })
  afterAll(() => ours?.close())

  test(
    'nothing breaks, no foreign SQL is sent, and nothing protected is shown',
    { timeout: 60_000 + numRuns * 50 },
    async () => {
      let run = 0
      let served = 0
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          sent = []
          const { statusCode, body } = await send(request)
          if (sent.length > 0) run += 1
          if (statusCode < 300) served += 1
          expect({ statusCode, body }).toMatchObject({ statusCode: expect.toSatisfy(isNoFault) })
          expect(sent.filter((sql) => findForeignSql(catalog, sql) !== undefined)).toEqual([])
          expect(body).not.toMatch(/canary|31337/)
        }),
        { numRuns },
      )
      // Requests that never get past the parser would prove nothing.
      expect(run / numRuns).toBeGreaterThan(0.15)
      expect(served / numRuns).toBeGreaterThan(0.05)
    },
  )

  test('the check of statements finds a name that is not in the catalog', () => {
    expect(findForeignSql(catalog, 'select t0."id" from "public"."books" as t0')).toBeUndefined()
    expect(findForeignSql(catalog, 'select t0."id" from "public"."pg_authid" as t0')).toBe(
      '"pg_authid"',
    )
    expect(findForeignSql(catalog, 'select pg_sleep($1)')).toBe('pg_sleep')
    expect(findForeignSql(catalog, `select t0."id" = '1' from "public"."books" as t0`)).toBe("'")
  })

  function send({ method, path, query, body, prefer, accept, range }: AnyRequest) {
    const reads = method === 'GET' || method === 'HEAD'
    return ours.app.inject({
      method: method as 'GET',
      url: `/rest/v1/${path}?${query}`,
      headers: {
        authorization: `Bearer ${anonToken}`,
        prefer,
        accept,
        ...(range === undefined ? {} : { range }),
        ...(reads ? {} : { 'content-type': 'application/json' }),
      },
      ...(reads ? {} : { payload: body }),
    })
  }
})

function isNoFault(statusCode: number): boolean {
  return statusCode < 500
}
