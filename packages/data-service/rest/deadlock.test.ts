import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'

describe('two requests in a deadlock', () => {
  let ours: OurBookshop

  beforeAll(async () => {
    ours = await openOurs()
  })
  afterAll(() => ours?.close())

  const post = (path: string, payload: object, token = anonToken) =>
    ours.app.inject({
      method: 'POST',
      url: `/rest/v1${path}`,
      headers: { authorization: `Bearer ${token}`, prefer: 'resolution=merge-duplicates' },
      payload,
    })

  test('are both served, because the service repeats the request that PostgreSQL cancels', async () => {
    // The trigger delays each request after its first row lock, so that each of the two requests has locked the row for
    // which the other request waits.
    await ours.testDatabase.owner.query(`
      create function dawdle() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.2); return new; end $$;
      create trigger settings_dawdle before update on settings for each row execute function dawdle()`)
    const rows = [
      { key: 'colour', weight: 1 },
      { key: 'size', weight: 2 },
    ]
    const responses = await Promise.all([
      post('/settings', rows, readerToken),
      post('/settings', rows.toReversed(), readerToken),
    ])
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test.each(['40P01', '40001'])(
    'get an error without details of the server when the repeated request fails as well (%s)',
    async (state) => {
      const detail = 'Process 4711 waits for ShareLock on transaction 815; blocked by process 4712.'
      const words = 'deadlock detected by process 4711'
      const response = await post('/rpc/fail_with', {
        state,
        words,
        detail,
        advice: 'See the log.',
      })
      expect([response.statusCode, response.json()]).toEqual([
        409,
        {
          code: state,
          message:
            'Someone else changed the same data at the same time. Nothing was changed. Please try again.',
          details: null,
          hint: null,
        },
      ])
    },
  )
})
