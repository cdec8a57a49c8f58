import type pg from 'pg'

/**
 * Empties the calendar between two turns of a bench. Triggers refuse to delete the history of bookings; a superuser
 * with the replication role bypasses them. The function deletes the rows instead of truncating the table: after a
 * truncate, each connection plans all its statements again, which does not happen in a shop in use and would distort a
 * turn of some hundred bookings.
 */
export async function emptyBookings(owner: pg.Pool): Promise<void> {
  await owner.query(`
    begin;
    set local session_replication_role = replica;
    do $$
    declare
      emptied regclass;
    begin
      for emptied in
        with recursive referring (name) as (
          select 'public.bookings'::regclass
          union
          select conrelid::regclass from pg_constraint join referring on confrelid = name where contype = 'f'
        )
        select name from referring
      loop
        execute 'delete from ' || emptied;
      end loop;
      -- This table refers to bookings without a foreign key; earlier commits do not have this table.
      if to_regclass('internal.form_origins') is not null then
        execute 'delete from internal.form_origins';
      end if;
    end $$;
    commit`)
}
