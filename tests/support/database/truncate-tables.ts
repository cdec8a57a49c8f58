/**
 * SQL that empties the given tables and all tables that refer to them, without firing triggers. The SQL also empties
 * `internal.form_origins`, which refers to records without a foreign key. The SQL takes a tenth of the time of
 * `truncate … cascade`, which creates new files for each table and index. After a deadlock with background work of the
 * site, such as sending an email, the SQL starts again.
 */
export function truncateTables(...tables: readonly string[]): string {
  return `do $$ declare one regclass; begin
    set local session_replication_role = replica;
    loop
      begin
        for one in
          with recursive emptied (id) as (
            select '${tables.join(`'::regclass union select '`)}'::regclass
            union select conrelid from pg_constraint join emptied on confrelid = emptied.id where contype = 'f'
          )
          select id::regclass from emptied
        loop
          execute format('delete from %s', one);
        end loop;
        delete from internal.form_origins origin
        where not exists (select from public.bookings where id = origin.booking_id)
          and not exists (select from public.quote_requests where id = origin.quote_request_id);
        exit;
      exception when deadlock_detected then null;
      end;
    end loop;
    set local session_replication_role = origin;
  end $$`
}
