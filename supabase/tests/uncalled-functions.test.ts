import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { findUncalledFunctions } from '#tests/support/database/find-uncalled-functions.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

describe('the functions of the schema', () => {
  it('are each called by a page, a statement of the server, a trigger, a policy or another object', async () => {
    expect(await findUncalledFunctions(shop.owner)).toEqual([])
  })

  it('count as uncalled when their name is mentioned only by themselves, another uncalled function or a comment', async () => {
    const client = await shop.owner.connect()
    await client.query('begin')
    await client.query(`
      set local check_function_bodies = off; -- calls_itself calls what is not yet there
      create function internal.calls_itself(depth integer) returns integer language sql set search_path = ''
        as $$ select internal.calls_itself(depth - 1) $$;
      create function internal.is_called_by_uncalled() returns integer language sql set search_path = ''
        return 1;
      create function internal.calls_another() returns integer language sql set search_path = ''
        return internal.is_called_by_uncalled();
      create function internal.is_called_by_called() returns integer language sql set search_path = ''
        return 1;
      create function internal.is_called_by_a_view() returns integer language sql set search_path = ''
        as $$ select internal.is_called_by_called() -- or internal.calls_another() $$;
      create view internal.view_of_a_call as select internal.is_called_by_a_view() as value;
      create function public.row_of_a_table(bay public.bays) returns text language sql set search_path = ''
        return bay.name;
    `)
    const uncalled = await findUncalledFunctions(client)
    await client.query('rollback')
    client.release()
    expect(uncalled).toEqual([
      'internal.calls_another',
      'internal.calls_itself',
      'internal.is_called_by_uncalled',
      'public.row_of_a_table',
    ])
  })
})
