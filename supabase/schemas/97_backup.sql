-- The continuous backup: the results of its restore drills, the copies of its key that the owner confirmed, and the
-- pause of emails in a restored shop.

create table internal.backup_drills (
  id uuid primary key default gen_random_uuid(),
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  outcome text not null constraint backup_drills_outcome_is_known check (outcome in ('proven', 'differs', 'not_drilled')),
  reason text constraint backup_drills_reason_is_short check (length(reason) <= 60),
  restored_ms integer,
  table_count integer,
  row_count bigint,
  file_count integer,
  checked_file_count integer,
  next_file_number integer,
  differing text[] not null default '{}',
  incarnation text constraint backup_drills_incarnation_is_short check (length(incarnation) <= 20),
  object text constraint backup_drills_object_is_short check (length(object) <= 200),
  constraint backup_drills_end_after_start check (ended_at >= started_at),
  constraint backup_drills_compare_rows check (outcome <> 'proven' or (row_count is not null and differing = '{}')),
  constraint backup_drills_name_a_reason check ((outcome = 'not_drilled') = (reason is not null))
);
comment on table internal.backup_drills is
  'The restore drills. In a restore drill, the newest backup is restored to a second database and compared with the '
  'running shop. [append-only]';
comment on column internal.backup_drills.reason is
  'The code of the reason why the backup could not be restored or compared; null after a comparison.';
comment on column internal.backup_drills.restored_ms is
  'The time in milliseconds that the restore took: copying the backup and recovering the database.';
comment on column internal.backup_drills.next_file_number is
  'The number of the next file in the backup that a restore drill must check; earlier files of the same backup history '
  'were checked before.';
comment on column internal.backup_drills.differing is
  'The differences between the restored backup and the shop: the names of tables, ''catalog'' for the database '
  'schema, ''files'' for the stored files.';

comment on column internal.backup_drills.incarnation is
  'The id of the backup history that was restored. Each restored shop that makes backups starts a new backup history '
  '(an incarnation) at the backup target. next_file_number counts the files of this history.';
comment on column internal.backup_drills.object is 'The first file at the backup target that was missing or damaged.';

create index backup_drills_latest_first on internal.backup_drills (ended_at desc);

alter table internal.backup_drills enable row level security;
grant select, insert on internal.backup_drills to shop_server;
create policy "the server reads drills" on internal.backup_drills for select to shop_server using (true);
create policy "the server records drills" on internal.backup_drills for insert to shop_server with check (true);

create trigger prevent_history_change before update or delete or truncate on internal.backup_drills
  for each statement execute function internal.prevent_history_change();

create table internal.backup_key_copies (
  fingerprint text primary key constraint backup_key_copies_fingerprint_is_hex check (fingerprint ~ '^([0-9A-F]{4} ){2}[0-9A-F]{4}$'),
  confirmed_at timestamptz not null default now(),
  confirmed_by_name text not null check (length(confirmed_by_name) <= 100)
);
comment on table internal.backup_key_copies is
  'The fingerprints of backup keys. The owner confirmed to have a copy of each of these keys on another '
  'machine. [append-only]';

alter table internal.backup_key_copies enable row level security;
grant select, insert on internal.backup_key_copies to shop_server;
create policy "the server reads confirmed copies" on internal.backup_key_copies for select to shop_server using (true);
create policy "the server records confirmed copies" on internal.backup_key_copies for insert to shop_server with check (true);

create trigger prevent_history_change before update or delete or truncate on internal.backup_key_copies
  for each statement execute function internal.prevent_history_change();

create table internal.restored_shop (
  id boolean primary key default true constraint restored_shop_is_one_row check (id),
  recovered_until timestamptz not null,
  restored_at timestamptz not null default now(),
  resumed_at timestamptz,
  resumed_by_name text check (length(resumed_by_name) <= 100),
  numbers_checked_at timestamptz,
  constraint restored_shop_resumes_with_name check ((resumed_at is null) = (resumed_by_name is null))
);
comment on table internal.restored_shop is
  'The last restore from a backup; no row for a shop that was never restored. The restore writes the row. A restored '
  'shop sends no email until an admin allows it, because the original shop may still run, and the restored data may '
  'lack the latest cancellations.';
comment on column internal.restored_shop.recovered_until is 'The time of the last change that the restore recovered.';
comment on column internal.restored_shop.resumed_at is
  'When an admin ended the pause of the emails; null during the pause.';

comment on column internal.restored_shop.numbers_checked_at is
  'When the server read the newest invoice numbers from the payment provider, so that new invoice numbers are higher; '
  'null until then.';

alter table internal.restored_shop enable row level security;
grant select, update (resumed_at, resumed_by_name) on internal.restored_shop to shop_server;
create policy "the server reads the restore" on internal.restored_shop for select to shop_server using (true);
create policy "the server ends the pause" on internal.restored_shop for update to shop_server using (true) with check (true);

create function internal.are_emails_paused() returns boolean
  language sql stable set search_path = ''
  return exists (select from internal.restored_shop where resumed_at is null);
comment on function internal.are_emails_paused() is
  'Whether the emails of a restored shop are paused until an admin ends the pause.';

create function internal.raise_invoice_count(known_count integer) returns void
  -- Runs with the rights of the function's owner, because the server has no right to set the sequence of invoice
  -- numbers.
  language plpgsql security definer set search_path = '' as $$
begin
  update internal.restored_shop set numbers_checked_at = now() where numbers_checked_at is null;
  if found and known_count > coalesce(pg_sequence_last_value('internal.invoice_count'), 0) then
    perform setval('internal.invoice_count', known_count);
  end if;
end
$$;
comment on function internal.raise_invoice_count(integer) is
  'Raises the counter of invoice numbers in a restored shop to the highest number that the payment provider knows, '
  'once after each restore. Never lowers the counter.';
grant execute on function internal.raise_invoice_count(integer) to shop_server;
