import * as z from 'zod/mini'
import { afterEach, expect, test, vi } from 'vitest'
import { command } from '#contracts/commands/command.ts'
import { runCommand } from './run-command.ts'

const endpoint = command('move-it', z.object({ to: z.string() }), z.object({ version: z.int() }))

afterEach(() => vi.unstubAllGlobals())

/**
 * A fake server that returns the given responses one after the other; undefined simulates a lost response. Returns the
 * command ids of the received requests.
 */
function answer(...answers: ({ status: number; body: unknown } | undefined)[]): string[] {
  const ids: string[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    ids.push(z.object({ commandId: z.uuid() }).parse(JSON.parse(body)).commandId)
    const next = answers.shift()
    if (!next) throw new TypeError('Failed to fetch')
    return Response.json(next.body, { status: next.status })
  })
  return ids
}
const done = { status: 200, body: { ok: true, result: { version: 2 } } }
const refusedBy = (cause: object) => ({
  status: 400,
  body: {
    ok: false,
    code: 'REFUSED_BY_DATABASE',
    message: 'The database refused the change, so nothing was saved.',
    cause,
  },
})

test('a command returns its result, and each call with the same input has its own command id', async () => {
  const ids = answer(done, done)
  expect(await runCommand(endpoint, { to: 'Bay 1' })).toEqual({ version: 2 })
  await runCommand(endpoint, { to: 'Bay 1' })
  expect(new Set(ids).size).toBe(2)
})

test('the same input is sent with the same command id after a lost response and after a 5xx response, and another input gets a new id', async () => {
  const ids = answer(undefined, { status: 502, body: 'Bad gateway' }, done, done, done)
  await expect(runCommand(endpoint, { to: 'Bay 2' })).rejects.toMatchObject({ status: 0 })
  await expect(runCommand(endpoint, { to: 'Bay 2' })).rejects.toMatchObject({ status: 502 })
  await runCommand(endpoint, { to: 'Bay 3' })
  await runCommand(endpoint, { to: 'Bay 2' })
  await runCommand(endpoint, { to: 'Bay 2' })
  expect(ids[1]).toBe(ids[0])
  expect(ids[3]).toBe(ids[0])
  expect(new Set(ids).size).toBe(3)
})

test('a refusal of the database throws its SQLSTATE and hint, and the next call sends another command id', async () => {
  const cause = { code: '23P01', message: 'This time is taken.', hint: 'slot_taken', details: null }
  const ids = answer(refusedBy(cause), done)
  await expect(runCommand(endpoint, { to: 'Bay 4' })).rejects.toMatchObject({
    name: 'DataRefusal',
    code: '23P01',
    hint: 'slot_taken',
    status: 400,
  })
  await runCommand(endpoint, { to: 'Bay 4' })
  expect(new Set(ids).size).toBe(2)
})

test('a refusal by the server throws its code and message, and the next call sends another command id', async () => {
  const body = { ok: false, code: 'REPLY_NOT_SENT', message: 'It was not sent.' }
  const ids = answer({ status: 502, body }, done)
  await expect(runCommand(endpoint, { to: 'Bay 5' })).rejects.toMatchObject({
    code: 'REPLY_NOT_SENT',
    message: 'It was not sent.',
  })
  await runCommand(endpoint, { to: 'Bay 5' })
  expect(new Set(ids).size).toBe(2)
})

test('a command that the server refused until step-up authentication is sent again with the same command id', async () => {
  const body = { ok: false, code: 'STEP_UP_REQUIRED', message: 'Confirm your password.' }
  const ids = answer({ status: 403, body }, done)
  await expect(runCommand(endpoint, { to: 'Bay 6' })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
  await runCommand(endpoint, { to: 'Bay 6' })
  expect(new Set(ids).size).toBe(1)
})
