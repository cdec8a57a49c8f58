import { AsyncLocalStorage } from 'node:async_hooks'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { createPasswords, deriveKey } from '@local/data-service'

/**
 * A response as a client sees it, and the costly work (such as hashing a password) that the server did for the request.
 * Refusals that a client must not distinguish have equal responses and equal work.
 */
type MeasuredResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  /** The number of password hashes that the server computed. */
  readonly hashes: number
  /** The number of passkey signatures that the server verified. */
  readonly signatures: number
  /** The number of statements that the database ran, without the begin and the end of transactions. */
  readonly statements: number
}

/** Hashes passwords fast; `measureRequest` counts these hashes. */
export const countedPasswords = createPasswords((password, salt) => {
  current.hashes += 1
  return deriveKey(password, salt, { kind: 'scrypt', ln: 5, r: 8, p: 1 })
})

type Work = { hashes: number; signatures: number; statements: number }
const noWork = (): Work => ({ hashes: 0, signatures: 0, statements: 0 })

/** Counts the costly work of the last request. */
let current = noWork()
/**
 * Links each statement to the counters of the request that caused the statement. The statements of a background job
 * count for the request that scheduled the job, not for the last request.
 */
const workOfStatement = new AsyncLocalStorage<Work>()

/**
 * Sends one request and counts the server's work for the request. Statements that write to the audit log do not count,
 * because the response to a wrong password does not wait for these statements.
 */
export async function measureRequest(send: Send): Promise<MeasuredResponse> {
  current = noWork()
  const spies = [countStatements(), countSignatures()]
  try {
    const { statusCode: status, headers, body } = await workOfStatement.run(current, send)
    const { date: _date, 'x-request-id': _id, ...comparable } = headers
    return { status, headers: comparable, body, ...current }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

type Send = () => Promise<LightMyRequestResponse>

/** Measures all requests, and expects equal responses and equal work. Returns this common measurement. */
export async function expectOneRefusal(
  requests: Readonly<Record<string, Send>>,
): Promise<MeasuredResponse> {
  const [first, ...others] = Object.entries(requests)
  if (!first) throw new Error('There is nothing to compare')
  const expected = await measureRequest(first[1])
  for (const [name, send] of others) {
    expect([name, await measureRequest(send)]).toEqual([name, expected])
  }
  return expected
}

function countStatements() {
  const query = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown
  return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function run(
    this: pg.Client,
    ...given: unknown[]
  ) {
    const work = workOfStatement.getStore()
    if (work && !uncounted.test(textOf(given[0]))) work.statements += 1
    return Reflect.apply(query, this, given)
  })
}

function countSignatures() {
  const { subtle } = globalThis.crypto
  const verify = subtle.verify.bind(subtle)
  return vi.spyOn(subtle, 'verify').mockImplementation((...given) => {
    current.signatures += 1
    return verify(...given)
  })
}

const uncounted = /^(begin|commit|rollback)\b|internal\.record_refusal/

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : (query as { readonly text: string }).text
