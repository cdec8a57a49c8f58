import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalog } from '../rest/catalog/catalog.ts'
import { loadCatalog } from '../rest/catalog/load-catalog.ts'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'
import { findDisallowedSql } from './allowed-sql.ts'
import { anyRequest, type AnyRequest } from './any-request.ts'
import { costlyRequest, type CostlyRequest } from './costly-request.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500)

describe('random requests', () => {
  let ours: OurBookshop
  let catalog: Catalog
  let sent: string[] = []

  beforeAll(async () => {
    ours = await openOurs((sql) => sent.push(sql))
    catalog = await loadCatalog(ours.testDatabase.database.pool)
  })
  afterAll(() => ours?.close())

  test(
    'cause no server error, no SQL outside the allow-list, and no response with protected data',
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
          expect(sent.filter((sql) => findDisallowedSql(catalog, sql) !== undefined)).toEqual([])
          expect(body).not.toMatch(/canary|31337/)
        }),
        { numRuns },
      )
      // The test is meaningful only when a sufficient part of the requests passes the parser.
      expect(run / numRuns).toBeGreaterThan(0.15)
      expect(served / numRuns).toBeGreaterThan(0.05)
    },
  )

  test(
    'that are built to be costly never produce a statement above the size limits',
    { timeout: 60_000 + numRuns * 50 },
    async () => {
      let run = 0
      await fc.assert(
        fc.asyncProperty(costlyRequest, async (request) => {
          sent = []
          const { statusCode, body } = await sendCostly(request)
          if (sent.length > 0) run += 1
          expect({ statusCode, body }).toMatchObject({ statusCode: expect.toSatisfy(isNoFault) })
          for (const sql of sent) {
            expect(sizeOf(sql)).toSatisfy(fits(request.signedIn ? userBounds : visitorBounds))
          }
        }),
        { numRuns },
      )
      expect(run / numRuns).toBeGreaterThan(0.05)
    },
  )

  test('are checked by findDisallowedSql, which finds unexposed tables, unexposed functions and literals in a statement', () => {
    expect(findDisallowedSql(catalog, 'select t0."id" from "public"."books" as t0')).toBeUndefined()
    expect(findDisallowedSql(catalog, 'select t0."id" from "public"."pg_authid" as t0')).toBe(
      '"pg_authid"',
    )
    expect(findDisallowedSql(catalog, 'select pg_sleep($1)')).toBe('pg_sleep')
    expect(findDisallowedSql(catalog, `select t0."id" = '1' from "public"."books" as t0`)).toBe("'")
  })

  function sendCostly({ costlyQuery, method, prefer, signedIn }: CostlyRequest) {
    const query = costlyQuery.parameters
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&')
    return ours.app.inject({
      method: method as 'GET',
      url: `/rest/v1/${costlyQuery.table}?${query}`,
      headers: { authorization: `Bearer ${signedIn ? readerToken : anonToken}`, prefer },
      ...(method === 'POST' || method === 'PATCH' ? { payload: { name: 'x' } } : {}),
    })
  }

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

type Size = { characters: number; joins: number; parameters: number }

// The maximum sizes of a statement. A statement that also counts the matching rows contains its conditions and inner
// joins twice.
const visitorBounds: Size = { characters: 12_000, joins: 12, parameters: 220 }
const userBounds: Size = { characters: 64_000, joins: 66, parameters: 1_100 }

/**
 * Measures the size of a statement. PostgreSQL's time for planning the statement grows with the numbers of characters,
 * joins and parameters.
 */
function sizeOf(sql: string): Size {
  return {
    characters: sql.length,
    joins: sql.split(' join lateral ').length - 1,
    parameters: new Set(sql.match(/\$\d+/g)).size,
  }
}

const fits = (bounds: Size) => (size: Size) =>
  size.characters <= bounds.characters &&
  size.joins <= bounds.joins &&
  size.parameters <= bounds.parameters

function isNoFault(statusCode: number): boolean {
  return statusCode < 500
}
