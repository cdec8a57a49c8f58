import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, openPostgrest, type Bookshop } from '../conformance/bookshop.ts'
import { findPostgrest } from '../conformance/oracle.ts'
import { anySchema, schemaSql } from './any-schema.ts'
import { hostileRequest, type HostileRequest } from './hostile-request.ts'

const binary = findPostgrest()
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 300)
// Each run generates another schema. The name of the test contains the seed; a run with the same seed repeats a
// failure.
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const [tables = []] = fc.sample(anySchema, { seed, numRuns: 1 })

describe.skipIf(!binary).each([{ name: `tables with hostile names (FUZZ_SEED=${seed})` }])(
  '$name',
  () => {
    let ours: Bookshop
    let theirs: Bookshop

    beforeAll(async () => {
      const sql = schemaSql(tables)
      ;[ours, theirs] = await Promise.all([
        openOurs(undefined, sql),
        openPostgrest(binary ?? '', sql),
      ])
    })
    afterAll(() => Promise.all([ours?.close(), theirs?.close()]))

    test(
      'hostile requests get the same responses from the REST service of this package and from PostgREST',
      { timeout: 120_000 },
      async () => {
        let served = 0
        await fc.assert(
          fc.asyncProperty(hostileRequest(tables), async (request) => {
            const [actual, expected] = [
              await sendRequest(ours, request),
              await sendRequest(theirs, request),
            ]
            if (actual.status < 300) served += 1
            expect(actual).toEqual(expected)
          }),
          // fast-check does not shrink a failing case, because shrinking would repeat requests on rows that the failed
          // run has already changed.
          { numRuns, seed, endOnFailure: true },
        )
        expect(served / numRuns).toBeGreaterThan(0.6)
      },
    )
  },
)

async function sendRequest({ restUrl }: Bookshop, request: HostileRequest) {
  const { method, path, body, prefer, accept } = request
  const response = await fetch(restUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${anonToken}`,
      ...(prefer && { prefer }),
      ...(accept && { accept }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const text = await response.text()
  return {
    status,
    range: headers.get('content-range'),
    body: status < 300 ? read(text, accept) : (JSON.parse(text) as { code: string }).code,
  }
}

function read(text: string, accept: string | undefined): unknown {
  return accept === 'text/csv' ? text : JSON.parse(text)
}
