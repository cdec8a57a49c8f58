-- Adds what a step-up was confirmed with to the lines of the audit (docs/product.md 6.12).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone);

DROP FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text);

ALTER TABLE "internal"."admin_sessions" ADD COLUMN "confirmed_with" text;

ALTER TABLE "public"."audit_events" ADD COLUMN "confirmed_with" text;

create or replace function internal.confirmation_of(staff_user_id uuid) returns text
  -- Runs with its owner's rights, because the caller may have no right to read the sessions.
  language sql stable security definer set search_path = ''
  return (
    select case when count(distinct coalesce(confirmed_with, '')) = 1 then min(confirmed_with) end
    from internal.admin_sessions
    -- An action may last longer than the step-up that it began with.
    where user_id = staff_user_id and confirmed_until > now() - interval '1 minute');

create or replace function internal.export_audit(staff_username text, kinds text[], acting_user_id uuid, since timestamptz) returns table (
  kind text, happened_at text, user_name text, role text, subject_name text, invoice_number text, amount_cents bigint, detail text,
  device text, network_address text, confirmed_with text
)
  -- Runs with its owner's rights, because the server may neither read nor write the audit itself.
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

create or replace function internal.needs_step_up(event public.audit_events) returns boolean
  language sql immutable set search_path = ''
  return event.kind in (
    'role_changed', 'refunded', 'invoice_cancelled', 'customer_exported', 'files_exported', 'erased', 'tablet_enrolled', 'pin_set',
    'code_app_set_up', 'code_app_ended', 'passkey_added', 'passkey_removed', 'password_changed')
    or event.kind = 'invited' and right(event.detail, 7) = ', owner';

create or replace function internal.record_audit_event(event public.audit_events) returns void
  -- Runs with its owner's rights, because no role may write the audit itself.
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

create or replace function public.read_audit(
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

ALTER TABLE "internal"."admin_sessions" ADD CONSTRAINT "admin_sessions_confirmed_with_is_known" CHECK ((confirmed_with = ANY (ARRAY['passkey'::text, 'password'::text])));

ALTER TABLE "public"."audit_events" ADD CONSTRAINT "audit_events_confirmed_with_is_known" CHECK ((confirmed_with = ANY (ARRAY['passkey'::text, 'password'::text])));

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_with" IS 'What the last step-up of the session was confirmed with.';

COMMENT ON COLUMN "public"."audit_events"."confirmed_with" IS 'What the step-up before the action was confirmed with; null for an action without one, and when sessions of the account differ.';

COMMENT ON FUNCTION "internal"."confirmation_of"(uuid) IS 'What a staff account confirmed its step-ups with; null when its sessions differ, because the session of an action is not known here.';

COMMENT ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) IS 'The lines of the audit for a file, oldest first, times in UTC. Records the export in the same transaction, so that no file is without its line.';

COMMENT ON FUNCTION "internal"."needs_step_up"(public.audit_events) IS 'Whether staff can do what the line records only after a step-up.';

COMMENT ON FUNCTION "internal"."record_audit_event"(public.audit_events) IS 'Adds a line to the audit, with the present role of its account and with the step-up if the action needs one.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'The 50 latest lines of the audit before a line, with the names of today, for an owner; nothing for every other role. The search finds a part of a name, an invoice number, a detail, a device or an address.';

REVOKE ALL ON FUNCTION "internal"."confirmation_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."confirmation_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."confirmation_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."needs_step_up"(public.audit_events) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."needs_step_up"(public.audit_events) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."needs_step_up"(public.audit_events) TO "postgres";

REVOKE ALL ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) TO "shop_owner";

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.admin_sessions', 'confirmed_with', 'free', 'words of the product', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('public.audit_events', 'confirmed_with', 'free', 'words of the product, a team member, an id of an invoice and a browser', NULL, NULL, NULL, NULL, NULL, 'true');
