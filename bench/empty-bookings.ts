import type pg from 'pg'

/**
 * Deletes the bookings from today on, so that a bench can book the same free times again. Past bookings stay, because a
 * shop in use has some; if autovacuum analyzed empty tables, PostgreSQL would choose other plans than in such a shop.
 * The function deletes rows instead of truncating the tables, because after a truncate each connection plans all its
 * statements again.
 *
 * Triggers refuse to delete the history of bookings; the setting session_replication_role = replica bypasses these
 * triggers.
 */
export async function emptyBookings(owner: pg.Pool | pg.Client): Promise<void> {
  await owner.query(`
    begin;
    set local session_replication_role = replica;
    do $$
    declare
      emptied regclass;
    begin
      for emptied in
        with recursive referring (name) as (
          select conrelid::regclass from pg_constraint where confrelid = 'public.bookings'::regclass and contype = 'f'
          union
          select conrelid::regclass from pg_constraint join referring on confrelid = name where contype = 'f'
        )
        select name from referring
      loop
        execute 'delete from ' || emptied;
      end loop;
    end $$;
    delete from public.bookings where appointment_date >= internal.shop_now()::date;
    commit`)
}
