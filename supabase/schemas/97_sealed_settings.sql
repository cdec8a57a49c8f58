-- Settings that contain passwords. The server encrypts these settings with a key that is not in the database, so that a
-- copy of the database reveals none of them. Only the server reads and writes these tables.

create table internal.sealed_settings (
  name text primary key constraint sealed_settings_name_is_known check (name in ('email', 'payments')),
  sealed text constraint sealed_settings_is_sealed check (sealed ~ '^v1\.[A-Za-z0-9_-]+$' and length(sealed) <= 8000),
  changed_by uuid not null references public.staff_accounts,
  changed_at timestamptz not null default clock_timestamp()
);
comment on table internal.sealed_settings is
  'The settings that contain passwords or keys and that an owner entered in the dashboard, encrypted.';
comment on column internal.sealed_settings.sealed is
  'The encrypted value of the setting; null after an owner removed the setting.';

alter table internal.sealed_settings enable row level security;
grant select, insert, update on internal.sealed_settings to shop_server;
create policy "the server reads and writes sealed settings" on internal.sealed_settings to shop_server using (true) with check (true);

create table internal.sealed_setting_changes (
  id bigint generated always as identity primary key,
  name text not null,
  action text not null constraint sealed_setting_changes_action_is_known check (action in ('saved', 'removed')),
  changed_by uuid not null references public.staff_accounts,
  changed_at timestamptz not null
);
comment on table internal.sealed_setting_changes is
  'The changes of settings with passwords, each with the person who made the change, without the value of the setting. [append-only]';

alter table internal.sealed_setting_changes enable row level security;
grant select on internal.sealed_setting_changes to shop_server;
create policy "the server reads changes of sealed settings" on internal.sealed_setting_changes for select to shop_server using (true);
create trigger prevent_history_change before update or delete or truncate on internal.sealed_setting_changes
  for each statement execute function internal.prevent_history_change();

create function internal.refuse_stripe_beside_open_tests() returns trigger
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language plpgsql security definer set search_path = '' as $$
begin
  if new.name = 'payments' and new.sealed is not null
    and not exists (select from internal.sealed_settings stored where stored.name = 'payments' and stored.sealed is not null)
    and internal.count_open_test_invoices() > 0 then
    raise exception 'Test invoices are open.' using errcode = 'TT123', hint = 'test_invoices_open';
  end if;
  return new;
end
$$;
comment on function internal.refuse_stripe_beside_open_tests() is
  'Refuses, with error TT123, to connect a Stripe account while invoices of the Stripe sandbox are open, because '
  'customers could no longer pay these invoices.';
create trigger refuse_stripe_beside_open_tests before insert or update on internal.sealed_settings
  for each row execute function internal.refuse_stripe_beside_open_tests();

create function internal.record_sealed_setting_change() returns trigger
  -- Runs with the rights of the function's owner, because the server has no right to write the history.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.sealed_setting_changes (name, action, changed_by, changed_at)
  values (new.name, case when new.sealed is null then 'removed' else 'saved' end, new.changed_by, new.changed_at);
  -- The removal of a setting that is not set changes nothing.
  if new.sealed is not null or tg_op = 'UPDATE' and old.sealed is not null then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', case when new.sealed is null then 'setting_removed' else 'setting_saved' end, 'user_id', new.changed_by, 'detail', new.name)));
  end if;
  perform pg_notify('settings_changed', new.name);
  return null;
end
$$;
comment on function internal.record_sealed_setting_change() is
  'Adds a line to the history of an encrypted setting and to the audit log, and notifies all processes of the server '
  '(channel settings_changed).';
create trigger record_sealed_setting_change after insert or update on internal.sealed_settings
  for each row execute function internal.record_sealed_setting_change();
