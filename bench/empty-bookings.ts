import type pg from 'pg'

/**
 * Empties the calendar between two turns of a bench. Triggers refuse to delete the history of bookings; a superuser who
 * replays what another server did passes them. Deletes rows instead of truncating tables: after a truncate each
 * connection plans all its statements again, which a turn of some hundred bookings would measure with each booking and
 * a shop in use never pays.
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
    end $$;
    commit`)
}
