import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { truncateTables } from './truncate-tables.ts'

describe('truncating tables in a test', () => {
  let shop: TestDatabase
  beforeAll(async () => {
    shop = await createTestDatabase()
    await shop.owner.query(
      `create table public.parts (id int primary key);
       create table public.shelves (part_id int references public.parts);
       create function public.forbid() returns trigger language plpgsql as
         $$ begin raise 'parts stay'; end $$;
       create trigger forbid before delete on public.parts for each row execute function public.forbid()`,
    )
  })
  afterAll(() => shop.drop())

  const fill = () =>
    shop.owner.query(
      'insert into public.parts values (1), (2); insert into public.shelves values (1), (2)',
    )
  const left = async () => {
    const { rows } = await shop.owner.query(
      'select id from public.parts union all select part_id from public.shelves',
    )
    return rows
  }

  it('also empties the tables that refer to the given ones, and fires no trigger', async () => {
    await fill()
    await shop.owner.query(truncateTables('public.parts'))
    expect(await left()).toEqual([])
  })

  it('is repeated after a deadlock with a running write', async () => {
    await fill()
    await shop.owner.query(
      `create sequence public.tries;
       create function public.give_way_once() returns trigger language plpgsql as
         $$ begin if nextval('public.tries') = 1 then raise deadlock_detected; end if; return old; end $$;
       create trigger give_way_once before delete on public.shelves
         for each row execute function public.give_way_once();
       alter table public.shelves enable always trigger give_way_once`,
    )
    await shop.owner.query(truncateTables('public.parts'))
    expect(await left()).toEqual([])
  })
})
