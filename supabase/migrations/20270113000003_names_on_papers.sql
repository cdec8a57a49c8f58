-- Shows the name of a staff account instead of its username on documents for customers and in conflicts of appointments.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.describe_authorizations(wanted_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(internal.describe_authorization(line, null)
    || jsonb_build_object('recordedBy', internal.staff_name_at(line.recorded_by, line.decided_at)) order by line.id), '[]')
  from internal.binding_lines(wanted_id) line
$$;

create or replace function internal.raise_version_conflict(booking public.bookings, seen_version integer) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if booking.version = seen_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', internal.staff_name_at(event.changed_by_name, event.happened_at),
                              'happened_at', event.happened_at)
    from (values (booking.id)) as given (id)
    left join lateral (
      select * from public.booking_events where booking_id = given.id order by id desc limit 1
    ) event on true
  );
end
$$;

create or replace function internal.staff_name_at(staff_username text, at timestamptz) returns text
  -- Runs with its owner's rights, because the caller may have no right to read staff_accounts.
  language sql stable security definer set search_path = ''
  return coalesce(
    (select name from public.staff_accounts where username = staff_username and created_at <= at), staff_username);

create or replace function internal.list_tear_down_declines(wanted_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('declined', split_part(event.kind, '_', 1), 'jobTitle', event.after ->> 'jobTitle',
      'notedBy', internal.staff_name_at(event.changed_by_name, event.happened_at), 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event
    where event.estimate_id = wanted_id and event.kind in ('repair_declined', 'reassembly_declined')
  );

COMMENT ON FUNCTION "internal"."describe_authorizations"(uuid) IS 'The valid authorizations of an estimate, oldest first, for customers and printed documents, with the name of who recorded it.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The name of today of who did something at an instant; the username for the time before the account, when several people shared it.';

REVOKE ALL ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) TO "postgres";
