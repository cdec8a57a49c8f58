import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, openPostgrest, readerToken, type Bookshop } from './bookshop.ts'
import { findPostgrest } from './oracle.ts'
import { rawCalls } from './raw-calls.ts'
import { rawEmbeds } from './raw-embeds.ts'
import { rawForms } from './raw-forms.ts'
import { rawNames } from './raw-names.ts'
import { rawOperators } from './raw-operators.ts'
import { rawReads } from './raw-reads.ts'
import { differences, type RawRequest } from './raw-request.ts'
import { rawWrites } from './raw-writes.ts'

const binary = findPostgrest()
const rawRequests = [
  ...rawReads,
  ...rawOperators,
  ...rawEmbeds,
  ...rawForms,
  ...rawNames,
  ...rawCalls,
  ...rawWrites,
]

describe.skipIf(!binary).each([
  {
    name: binary
      ? 'this service responds like PostgREST to'
      : 'skipped: no PostgREST binary for this platform',
  },
])('$name', () => {
  let ours: Bookshop
  let theirs: Bookshop

  beforeAll(async () => {
    ;[ours, theirs] = await Promise.all([openOurs(), openPostgrest(binary ?? '')])
  })

  afterAll(() => Promise.all([ours?.close(), theirs?.close()]))

  test.each(rawRequests.map((request) => [nameOf(request), request] as const))(
    '%s',
    async (_name, request) => {
      const [actual, expected] = await Promise.all([
        sendRequest(ours.restUrl, request),
        sendRequest(theirs.restUrl, request),
      ])
      expect(actual).toEqual(expected)
    },
  )
})

function nameOf({ method = 'GET', path, body, prefer, headers, signedIn }: RawRequest): string {
  const more = { ...(prefer && { prefer }), ...headers, ...(signedIn && { signedIn }) }
  const parts = [method, path, body === undefined ? '' : JSON.stringify(body).slice(0, 60)]
  return [...parts, Object.keys(more).length > 0 ? JSON.stringify(more) : ''].join(' ').trim()
}

async function sendRequest(base: string, request: RawRequest) {
  const { method = 'GET', path, body, prefer, headers, signedIn } = request
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${signedIn ? readerToken : anonToken}`,
      ...(prefer ? { prefer } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    range: response.headers.get('content-range'),
    applied: response.headers.get('preference-applied'),
    location: response.headers.get('location'),
    type: response.ok && text !== '' ? response.headers.get('content-type') : null,
    body: comparable(parsed(text), request),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

function comparable(body: unknown, { differs }: RawRequest): unknown {
  if (!differs || typeof body !== 'object' || body === null) return body
  const ignored: readonly string[] = differences[differs]
  return Object.fromEntries(Object.entries(body).filter(([key]) => !ignored.includes(key)))
}
