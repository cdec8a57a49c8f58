/**
 * SQL that empties these tables and all whose rows refer to them, past every trigger: what `truncate … cascade` does,
 * in a tenth of its time, because that gives each table and each of its indexes a new file.
 */
export function emptied(...tables: readonly string[]): string {
  return `do $$ declare one regclass; begin
    set local session_replication_role = replica;
    for one in
      with recursive emptied (id) as (
        select '${tables.join(`'::regclass union select '`)}'::regclass
        union select conrelid from pg_constraint join emptied on confrelid = emptied.id where contype = 'f'
      )
      select id::regclass from emptied
    loop
      execute format('delete from %s', one);
    end loop;
    set local session_replication_role = origin;
  end $$`
}
