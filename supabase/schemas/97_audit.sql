-- The audit log: sign-ins, changes of staff accounts and of settings with passwords, refunds, exports and erasures,
-- each with the person who caused it. Triggers write a line in the transaction that makes the change, so that every
-- change leaves a line. A line contains the ids of accounts, invoices and customers; the dashboard reads the names when
-- it shows the line.

create table public.audit_events (
  id bigint generated always as identity primary key,
  kind text not null constraint audit_events_kind_is_known check (kind in (
    'signed_in', 'wrong_password', 'sign_in_blocked', 'not_allowed', 'account_added', 'role_changed', 'switched_off', 'switched_on',
    'invited', 'invitation_renewed', 'invitation_taken_back', 'invitation_used',
    'refunded', 'invoice_cancelled', 'invoice_voided', 'invoice_written_off', 'customer_exported', 'files_exported', 'erased',
    'tablet_enrolled', 'tablet_revoked', 'tablet_locked', 'pin_set', 'pin_cleared', 'wrong_pin',
    'lines_removed', 'wrong_code', 'code_app_set_up', 'code_app_ended', 'recovery_code_used',
    'passkey_added', 'passkey_removed', 'passkey_doubted', 'passkey_switched_off', 'password_changed', 'session_ended', 'setting_saved', 'setting_removed')),
  user_id uuid,
  role text,
  subject_user_id uuid,
  invoice_id text constraint audit_events_invoice_is_short check (length(invoice_id) <= 100),
  customer_id uuid,
  amount_cents bigint,
  detail text constraint audit_events_detail_is_short check (internal.is_single_line_text(detail, 1, 100)),
  device text constraint audit_events_device_is_short check (length(device) <= 60),
  network_address inet,
  happened_at timestamptz not null default clock_timestamp(),
  confirmed_with text constraint audit_events_confirmed_with_is_known check (confirmed_with in ('passkey', 'password'))
);
comment on table public.audit_events is
  'The audit log: events that the owner may have to check later. A line contains no name, email address or phone '
  'number of a customer. [append-only]';
comment on column public.audit_events.user_id is
  'The staff account that caused the event; null for an event on the server''s command line and for a person who is '
  'not signed in.';
comment on column public.audit_events.role is 'The role of the staff account user_id at the time of the event.';
comment on column public.audit_events.subject_user_id is
  'The staff account that was changed, or whose username was entered in a failed sign-in.';
comment on column public.audit_events.amount_cents is
  'The refunded amount, or the credited amount of a cancelled invoice, in cents. Always positive.';
comment on column public.audit_events.detail is
  'Details of the event, such as the former and the new role, the invited person with the role, the path of the '
  'refused request, the days of an exported file, or the name of a setting.';
comment on column public.audit_events.network_address is
  'The IP address of the sign-in; 30 days later, the IP address is replaced by its network (IPv4 /24 or IPv6 /48).';

comment on column public.audit_events.confirmed_with is
  'The means by which the person confirmed the step-up authentication before the action: password or passkey. Null '
  'for an action without a step-up, and if the sign-in sessions of the account used different means.';

create index audit_events_by_kind on public.audit_events (kind, happened_at desc);
create index audit_events_with_address on public.audit_events (happened_at) where masklen(network_address) > case family(network_address) when 4 then 24 else 48 end;

alter table public.audit_events enable row level security;
grant select on public.audit_events to shop_owner;
create policy "owners read the audit" on public.audit_events for select to shop_owner using ((select internal.is_owner()));

create function internal.allow_only_shorter_addresses() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'network_address' <> to_jsonb(old) - 'network_address' or not new.network_address >>= old.network_address then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.allow_only_shorter_addresses() is
  'Lets internal.clean_audit replace an IP address by its network, and refuses, with error TT055, every other change '
  'of the audit log.';
create trigger allow_only_shorter_addresses before update on public.audit_events
  for each row execute function internal.allow_only_shorter_addresses();

create function internal.allow_removal_after_three_years() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if old.happened_at > internal.current_instant() - interval '3 years' then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;
comment on function internal.allow_removal_after_three_years() is
  'Refuses, with error TT055, to delete a line of the audit log that is less than three years old.';
create trigger allow_removal_after_three_years before delete on public.audit_events
  for each row execute function internal.allow_removal_after_three_years();
create trigger prevent_history_change before update or delete or truncate on public.audit_events
  for each statement execute function internal.prevent_history_change('audit_cleanup UPDATE', 'audit_cleanup DELETE');

create function internal.needs_step_up(event public.audit_events) returns boolean
  language sql immutable set search_path = ''
  return event.kind in (
    'role_changed', 'refunded', 'invoice_cancelled', 'customer_exported', 'files_exported', 'erased', 'tablet_enrolled', 'pin_set',
    'code_app_set_up', 'code_app_ended', 'passkey_added', 'passkey_removed', 'password_changed', 'setting_saved', 'setting_removed')
    or event.kind = 'invited' and right(event.detail, 7) = ', owner';
comment on function internal.needs_step_up(public.audit_events) is
  'Whether the action that a line of the audit log records requires step-up authentication.';

create function internal.confirmation_of(staff_user_id uuid) returns text
  -- Runs with the rights of the function's owner, because the caller may have no right to read the sessions.
  language sql stable security definer set search_path = ''
  return (
    select case when count(distinct coalesce(confirmed_with, '')) = 1 then min(confirmed_with) end
    from internal.admin_sessions
    -- Accepts a step-up authentication that expired less than a minute ago, because the action may have started before
    -- it expired.
    where user_id = staff_user_id and confirmed_until > now() - interval '1 minute');
comment on function internal.confirmation_of(uuid) is
  'The means by which a staff account confirmed its step-up authentications: password or passkey. Null if its sign-in '
  'sessions used different means, because the database does not know which of them made the request.';

create function internal.record_audit_event(event public.audit_events) returns void
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.audit_events
    (kind, user_id, role, subject_user_id, invoice_id, customer_id, amount_cents, detail, device, network_address, confirmed_with)
  values (
    event.kind, event.user_id, (select role from public.staff_accounts where user_id = event.user_id), event.subject_user_id,
    event.invoice_id, event.customer_id, event.amount_cents, event.detail, event.device, event.network_address,
    case when internal.needs_step_up(event) then internal.confirmation_of(event.user_id) end);
end
$$;
comment on function internal.record_audit_event(public.audit_events) is
  'Adds a line to the audit log, with the current role of the account. If the action requires step-up authentication, '
  'the line also states whether a password or a passkey was used for it.';

create function internal.audit_event(event jsonb) returns public.audit_events
  language sql immutable set search_path = ''
  return jsonb_populate_record(null::public.audit_events, event);

create function internal.user_id_of(staff_username text) returns uuid
  -- Runs with the rights of the function's owner, because the caller may have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return (select user_id from public.staff_accounts where username = staff_username);

create function internal.audit_sign_in() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', 'signed_in', 'user_id', new.user_id, 'device', new.device, 'network_address', new.network_address)));
  return null;
end
$$;
create trigger audit_sign_in after insert on internal.admin_sessions for each row execute function internal.audit_sign_in();

create function internal.audit_staff_account() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  line constant jsonb := jsonb_build_object('user_id', auth.uid(), 'subject_user_id', new.user_id);
begin
  if tg_op = 'INSERT' then
    perform internal.record_audit_event(internal.audit_event(line || jsonb_build_object('kind', 'account_added', 'detail', new.role)));
    return null;
  end if;
  if new.role <> old.role then
    perform internal.record_audit_event(internal.audit_event(
      line || jsonb_build_object('kind', 'role_changed', 'detail', old.role || ' to ' || new.role)));
  end if;
  if new.is_active <> old.is_active then
    perform internal.record_audit_event(internal.audit_event(
      line || jsonb_build_object('kind', case when new.is_active then 'switched_on' else 'switched_off' end)));
  end if;
  return null;
end
$$;
create trigger audit_staff_account after insert or update of role, is_active on public.staff_accounts
  for each row execute function internal.audit_staff_account();

create function internal.audit_invitation() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case when tg_op = 'INSERT' then 'invited' when new.used_at is distinct from old.used_at then 'invitation_used'
                 when new.taken_back_at is distinct from old.taken_back_at then 'invitation_taken_back' else 'invitation_renewed' end,
    'user_id', auth.uid(), 'subject_user_id', new.account_id, 'detail', new.name || ', ' || new.role)));
  return null;
end
$$;
create trigger audit_invitation after insert or update of token_hash, used_at, taken_back_at on public.staff_invitations
  for each row execute function internal.audit_invitation();

create function internal.audit_passkey() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  passkey constant internal.passkeys := case tg_op when 'DELETE' then old else new end;
  -- In the dashboard (role shop_server), only the user of a passkey can add or remove it. A restore, which also removes
  -- passkeys, runs as another role, so the line then names no author.
  actor constant uuid := case when tg_op <> 'UPDATE' and current_setting('role') = 'shop_server' then passkey.user_id end;
begin
  if tg_op = 'UPDATE' and not (old.is_active and new.anomaly_count > old.anomaly_count) then
    return null;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case tg_op when 'INSERT' then 'passkey_added' when 'DELETE' then 'passkey_removed'
                       else case when new.is_active then 'passkey_doubted' else 'passkey_switched_off' end end,
    'user_id', actor, 'subject_user_id', passkey.user_id,
    'detail', case when internal.is_single_line_text(passkey.name, 1, 100) then passkey.name else 'without a name' end)));
  return null;
end
$$;
create trigger audit_passkey after insert or delete or update of anomaly_count on internal.passkeys
  for each row execute function internal.audit_passkey();

create function internal.audit_tablet() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', tg_argv[0], 'detail', new.name,
    'user_id', case tg_argv[0] when 'tablet_enrolled' then new.enrolled_by when 'tablet_revoked' then new.revoked_by end)));
  return null;
end
$$;
create trigger audit_enrolled_tablet after insert on internal.tablets
  for each row execute function internal.audit_tablet('tablet_enrolled');
create trigger audit_revoked_tablet after update of revoked_at on internal.tablets
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function internal.audit_tablet('tablet_revoked');
create trigger audit_locked_tablet after update of locked_at on internal.tablets
  for each row when (old.locked_at is null and new.locked_at is not null) execute function internal.audit_tablet('tablet_locked');

create function internal.audit_pin() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object('kind', 'pin_set', 'user_id', new.user_id)));
  return null;
end
$$;
create trigger audit_pin after insert or update of pin_hash on internal.tablet_pins for each row execute function internal.audit_pin();

create function internal.record_own_change(kind text, staff_user_id uuid, detail text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write the audit log.
  language sql security definer set search_path = ''
begin atomic
  select internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', kind, 'user_id', staff_user_id, 'subject_user_id', staff_user_id, 'detail', detail)));
end;
comment on function internal.record_own_change(text, uuid, text) is
  'Records that a person changed their own password (password_changed) or signed out other browsers (session_ended, '
  'detail: their number).';
grant execute on function internal.record_own_change(text, uuid, text) to shop_server;

create function internal.audit_refund() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', 'refunded', 'user_id', internal.user_id_of(new.recorded_by_name), 'invoice_id', new.invoice_id,
    'amount_cents', -new.amount_cents)));
  return null;
end
$$;
create trigger audit_refund after insert on public.payments for each row
  when (new.kind = 'refund' and new.recorded_by_name is not null) execute function internal.audit_refund();

create function internal.audit_invoice_event() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', 'invoice_' || new.kind, 'user_id', internal.user_id_of(new.changed_by_name), 'invoice_id', new.invoice_id)));
  return null;
end
$$;
create trigger audit_invoice_event after insert on public.invoice_events for each row execute function internal.audit_invoice_event();

create function internal.audit_cancellation() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', 'invoice_cancelled', 'user_id', internal.user_id_of(new.created_by_name), 'invoice_id', new.invoice_id,
    'amount_cents', new.amount_cents)));
  return null;
end
$$;
create trigger audit_cancellation after insert on public.credit_notes for each row
  when (new.kind = 'cancellation') execute function internal.audit_cancellation();

create function internal.audit_erasure() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', 'erased', 'user_id', internal.user_id_of(new.erased_by_name), 'customer_id', new.customer_id)));
  return null;
end
$$;
create trigger audit_erasure after insert on public.erasures for each row execute function internal.audit_erasure();

create function internal.record_export(kind text, staff_username text, customer_id uuid, detail text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write the audit log.
  language sql security definer set search_path = ''
begin atomic
  select internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', kind, 'user_id', internal.user_id_of(staff_username), 'customer_id', customer_id, 'detail', detail)));
end;
comment on function internal.record_export(text, text, uuid, text) is
  'Records the export of a customer (customer_exported) or of a file for the accountant (files_exported, detail: the '
  'name of the file and the days that the file covers).';
grant execute on function internal.record_export(text, text, uuid, text) to shop_server;

create function internal.record_refusal(
  kind text, staff_user_id uuid, tried_username text, detail text, network_address inet
) returns void
  -- Runs with the rights of the function's owner, because the server has no right to read or write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  subject constant uuid := internal.user_id_of(tried_username);
begin
  -- Writes at most one line in 15 minutes for the same account and the same refusal, so that an attacker with many
  -- attempts cannot fill the audit log.
  if exists (
    select from public.audit_events earlier
    where earlier.kind = record_refusal.kind and earlier.happened_at > clock_timestamp() - interval '15 minutes'
      and earlier.user_id is not distinct from staff_user_id and earlier.subject_user_id is not distinct from subject
      and earlier.detail is not distinct from record_refusal.detail)
  then
    return;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', record_refusal.kind, 'user_id', staff_user_id, 'subject_user_id', subject, 'detail', record_refusal.detail,
    'network_address', record_refusal.network_address)));
end
$$;
comment on function internal.record_refusal(text, uuid, text, text, inet) is
  'Records a wrong password (wrong_password), a wrong PIN at a shared tablet (wrong_pin, detail: the name of the '
  'tablet), too many attempts (sign_in_blocked) or a request for which the role has no permission (not_allowed, '
  'detail: the path), at most once in 15 minutes. A username that belongs to no account is not stored.';
grant execute on function internal.record_refusal(text, uuid, text, text, inet) to shop_server;

create function internal.clean_audit() returns integer
  -- Runs with the rights of the function's owner, because no role has the right to change the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  removed integer;
begin
  perform set_config('shop.ledger_exception', 'audit_cleanup', true);
  update public.audit_events
  set network_address = network(set_masklen(network_address, case family(network_address) when 4 then 24 else 48 end))
  where masklen(network_address) > case family(network_address) when 4 then 24 else 48 end
    and happened_at < internal.current_instant() - interval '30 days';
  delete from public.audit_events where happened_at < internal.current_instant() - interval '3 years';
  get diagnostics removed = row_count;
  perform set_config('shop.ledger_exception', '', true);
  if removed > 0 then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object('kind', 'lines_removed', 'detail', removed || case removed when 1 then ' line' else ' lines' end)));
  end if;
  return removed;
end
$$;
comment on function internal.clean_audit() is
  'Replaces the IP addresses in audit lines older than 30 days by their networks, and deletes audit lines older than '
  'three years. Records the number of deleted lines in the audit log and returns this number.';
grant execute on function internal.clean_audit() to shop_server;

create function public.read_audit(
  kinds text[] default null, acting_user_id uuid default null, since timestamptz default null, before_id bigint default null,
  search text default null
) returns table (
  id bigint, kind text, happened_at timestamptz, user_name text, role text, subject_name text, invoice_id text, invoice_number text,
  customer_id uuid, amount_cents bigint, detail text, device text, network_address text, confirmed_with text
)
  language sql stable set search_path = ''
begin atomic
  select event.id, event.kind, event.happened_at, actor.name, event.role, subject.name, event.invoice_id, invoice.number,
         event.customer_id, event.amount_cents, event.detail, event.device, host(event.network_address), event.confirmed_with
  from public.audit_events event
  left join public.staff_accounts actor on actor.user_id = event.user_id
  left join public.staff_accounts subject on subject.user_id = event.subject_user_id
  left join public.invoices invoice on invoice.invoice_id = event.invoice_id
  where (kinds is null or event.kind = any (kinds))
    and (acting_user_id is null or event.user_id = acting_user_id)
    and (since is null or event.happened_at >= since)
    and (before_id is null or event.id < before_id)
    and (search is null or position(lower(search) in lower(concat_ws(
      ' ', actor.name, subject.name, invoice.number, event.detail, event.device, host(event.network_address)))) > 0)
  order by event.id desc
  limit 50;
end;
comment on function public.read_audit(text[], uuid, timestamptz, bigint, text) is
  'Returns to an owner the latest 50 lines of the audit log before a given line, with the current names of people; '
  'returns no lines to other roles. The search finds a part of a name, an invoice number, a detail, a device or an IP '
  'address.';
revoke execute on function public.read_audit(text[], uuid, timestamptz, bigint, text) from public;
grant execute on function public.read_audit(text[], uuid, timestamptz, bigint, text) to shop_owner;

create function internal.export_audit(staff_username text, kinds text[], acting_user_id uuid, since timestamptz) returns table (
  kind text, happened_at text, user_name text, role text, subject_name text, invoice_number text, amount_cents bigint, detail text,
  device text, network_address text, confirmed_with text
)
  -- Runs with the rights of the function's owner, because the server has no right to read or write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_export('files_exported', staff_username, null, 'audit');
  return query
    select event.kind, to_char(event.happened_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'), actor.name, event.role, subject.name,
           invoice.number, event.amount_cents, event.detail, event.device, host(event.network_address), event.confirmed_with
    from public.audit_events event
    left join public.staff_accounts actor on actor.user_id = event.user_id
    left join public.staff_accounts subject on subject.user_id = event.subject_user_id
    left join public.invoices invoice on invoice.invoice_id = event.invoice_id
    where (kinds is null or event.kind = any (kinds))
      and (export_audit.acting_user_id is null or event.user_id = export_audit.acting_user_id)
      and (since is null or event.happened_at >= since)
    order by event.id;
end
$$;
comment on function internal.export_audit(text, text[], uuid, timestamptz) is
  'Returns the lines of the audit log for an exported file, oldest first, with times in UTC. Records the export in the '
  'same transaction, so that the audit log has a line about every exported file.';
grant execute on function internal.export_audit(text, text[], uuid, timestamptz) to shop_server;
