import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isExhausted, isOutage } from './outage.ts'

const withCode = (code: string) => Object.assign(new Error('said by a test'), { code })

describe('a failure of the database', () => {
  it.each(['ECONNREFUSED', 'ETIMEDOUT', '08006', '57P01'])('with code %s is an outage', (code) => {
    expect(isOutage(withCode(code))).toBe(true)
  })

  it.each(['23P01', '57014', '42P01', 'P0001'])('with code %s is an answer', (code) => {
    expect([isOutage(withCode(code)), isExhausted(withCode(code))]).toEqual([false, false])
  })

  it('for want of connections passes by itself, as an outage does', () => {
    expect([isOutage(withCode('53300')), isExhausted(withCode('53300'))]).toEqual([false, true])
  })

  it('to connect is an outage in every way the driver says so', async () => {
    const closed = new pg.Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' })
    const refused: unknown = await closed.query('select 1').catch((error: unknown) => error)
    await closed.end()
    const ended: unknown = await closed.query('select 1').catch((error: unknown) => error)
    expect([isOutage(refused), isOutage(ended)]).toEqual([true, true])
    expect(isOutage(new Error('A connection of words says nothing'))).toBe(false)
  })
})
