/**
 * SQL that empties these tables and all whose rows refer to them, past every trigger: what `truncate … cascade` does,
 * in a tenth of its time, because that gives each table and each of its indexes a new file. What the site does on its
 * own, such as sending a letter, may still be under way: when the two wait for each other, this one starts over.
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
        exit;
      exception when deadlock_detected then null;
      end;
    end loop;
    set local session_replication_role = origin;
  end $$`
}
