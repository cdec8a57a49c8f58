-- Lets owners search the audit and download it as a file, which leaves a line itself.
set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint);

create or replace function internal.export_audit(staff_username text, kinds text[], acting_user_id uuid, since timestamptz) returns table (
  kind text, happened_at text, user_name text, role text, subject_name text, invoice_number text, amount_cents bigint, detail text,
  device text, network_address text
)
  -- Runs with its owner's rights, because the server may neither read nor write the audit itself.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_export('files_exported', staff_username, null, 'audit');
  return query
    select event.kind, to_char(event.happened_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'), actor.name, event.role, subject.name,
           invoice.number, event.amount_cents, event.detail, event.device, host(event.network_address)
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

create or replace function public.read_audit(
  kinds text[] default null, acting_user_id uuid default null, since timestamptz default null, before_id bigint default null,
  search text default null
) returns table (
  id bigint, kind text, happened_at timestamptz, user_name text, role text, subject_name text, invoice_id text, invoice_number text,
  customer_id uuid, amount_cents bigint, detail text, device text, network_address text
)
  language sql stable set search_path = ''
begin atomic
  select event.id, event.kind, event.happened_at, actor.name, event.role, subject.name, event.invoice_id, invoice.number,
         event.customer_id, event.amount_cents, event.detail, event.device, host(event.network_address)
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

COMMENT ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) IS 'The lines of the audit for a file, oldest first, times in UTC. Records the export in the same transaction, so that no file is without its line.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'The 50 latest lines of the audit before a line, with the names of today, for an owner; nothing for every other role. The search finds a part of a name, an invoice number, a detail, a device or an address.';

REVOKE ALL ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) TO "shop_server";

REVOKE ALL ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) TO "shop_owner";
