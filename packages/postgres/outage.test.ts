import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { outageOf } from './outage.ts'

const withCode = (code: string) => Object.assign(new Error('said by a test'), { code })

/** Creates a PostgreSQL error with an SQLSTATE code. `file` is the PostgreSQL source file that raised the error. */
const fromDatabase = (code: string, file: string) =>
  Object.assign(new pg.DatabaseError('said by a test', 0, 'error'), { code, file })

describe('outageOf for an error', () => {
  it.each([
    ['ECONNREFUSED', 'unreachable'],
    ['ETIMEDOUT', 'unreachable'],
    ['08006', 'unreachable'],
    ['57P01', 'unreachable'],
    ['53100', 'disk-full'],
    ['ENOSPC', 'disk-full'],
    ['25006', 'read-only'],
    ['53200', 'exhausted'],
    ['53300', 'exhausted'],
    ['58030', 'failing'],
    ['XX001', 'failing'],
  ])('with the code %s returns %s', (code, outage) => {
    expect(outageOf(withCode(code))).toBe(outage)
  })

  it('about a missing socket returns unreachable, whereas an error about another missing file returns undefined', () => {
    expect(outageOf(Object.assign(withCode('ENOENT'), { syscall: 'connect' }))).toBe('unreachable')
    expect(outageOf(Object.assign(withCode('ENOENT'), { syscall: 'open' }))).toBeUndefined()
  })

  it.each(['23P01', '57014', '42P01', 'P0001', '42501', '53400'])(
    'with the code %s returns undefined, because the statement caused the error',
    (code) => expect(outageOf(withCode(code))).toBeUndefined(),
  )

  it('about permissions returns read-only if PostgreSQL raised it while accessing data files', () => {
    expect(outageOf(fromDatabase('42501', 'md.c'))).toBe('read-only')
    expect(outageOf(fromDatabase('42501', 'fd.c'))).toBe('read-only')
    expect(outageOf(fromDatabase('42501', 'aclchk.c'))).toBeUndefined()
    expect(outageOf(fromDatabase('42501', 'execMain.c'))).toBeUndefined()
  })

  it('about a write in a read-only transaction returns undefined', () => {
    expect(outageOf(withCode('25006'), true)).toBeUndefined()
  })

  it('without a code returns unreachable if it is a connection error of node-postgres', async () => {
    const closed = new pg.Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' })
    const refused: unknown = await closed.query('select 1').catch((error: unknown) => error)
    await closed.end()
    const ended: unknown = await closed.query('select 1').catch((error: unknown) => error)
    expect([outageOf(refused), outageOf(ended)]).toEqual(['unreachable', 'unreachable'])
    expect(outageOf(new Error('This message contains the word connection'))).toBeUndefined()
  })
})
