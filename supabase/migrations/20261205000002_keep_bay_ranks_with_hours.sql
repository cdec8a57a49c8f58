-- Stores rank and services of each bay beside its hours, so that a booking does not compute them.

set local search_path = pg_catalog;

set local check_function_bodies = off;

ALTER TABLE "internal"."bay_hours" ADD COLUMN "bay_rank" integer;

ALTER TABLE "internal"."bay_hours" ADD COLUMN "service_ids" uuid[];

CREATE OR REPLACE FUNCTION internal.free_bays(booking_date date, booking_time time without time zone, minutes integer, service uuid, slot_minutes integer)
 RETURNS TABLE(bay_id uuid, bay_rank integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT hours.bay_id,
     hours.bay_rank
    FROM internal.bay_hours hours
   WHERE ((hours.day = free_bays.booking_date) AND (hours.span @> tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND ((EXTRACT(epoch FROM ((free_bays.booking_date + free_bays.booking_time) - lower(hours.span))) % ((free_bays.slot_minutes * 60))::numeric) = (0)::numeric) AND ((free_bays.service IS NULL) OR (hours.service_ids IS NULL) OR (free_bays.service = ANY (hours.service_ids))) AND (( SELECT true
            FROM public.bookings booking
           WHERE ((booking.bay_id = hours.bay_id) AND (booking.occupied && tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND (booking.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text, 'no_show'::text])) AND ((booking.held_until IS NULL) OR (booking.held_until > internal.current_instant())))
          LIMIT 1) IS NULL));
END;

CREATE OR REPLACE FUNCTION internal.keep_bay_hours()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today date;
  last_day date;
begin
  -- Two transactions that change the hours would otherwise each compute without the change of the other. The lock comes
  -- first, so that the statements below see what the other one committed.
  perform internal.lock_calendar();
  today := internal.shop_now()::date;
  last_day := today + 31 + (select booking_window_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span,
           internal.bay_rank(bay.id, bay.position) as bay_rank, internal.services_of_bay(bay.id) as service_ids
    from public.bays bay
    cross join (select today + nth as day from generate_series(-1, last_day - today) nth) dates
    left join lateral unnest(internal.open_spans(dates.day, bay.id)) open (span) on true
    where bay.is_active
  ), outdated as (
    delete from internal.bay_hours known
    where not exists (
      select from wanted
      where wanted.day = known.day and wanted.bay_id = known.bay_id and wanted.span = known.span)
  )
  insert into internal.bay_hours (day, bay_id, span, bay_rank, service_ids)
  select day, bay_id, span, bay_rank, service_ids from wanted on conflict do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION internal.keep_bay_ranks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A transaction that computes the hours at the same time would otherwise store the former services.
  perform internal.lock_calendar();
  update internal.bay_hours hours set bay_rank = bay.rank, service_ids = bay.service_ids
  from (
    select id, internal.bay_rank(id, position) as rank, internal.services_of_bay(id) as service_ids from public.bays
  ) bay
  where bay.id = hours.bay_id
    and (bay.rank, bay.service_ids) is distinct from (hours.bay_rank, hours.service_ids);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.open_bays(booking_date date, booking_time time without time zone, duration_minutes integer, service uuid)
 RETURNS TABLE(bay_id uuid, bay_rank integer, is_on_grid boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return query
    select hours.bay_id, hours.bay_rank,
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
    from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and (service is null or hours.service_ids is null or service = any (hours.service_ids));
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return;
  end if;
  return query
    select bay.id, internal.bay_rank(bay.id, bay.position),
           extract(epoch from booking_date + booking_time - lower(span)) % (rules.slot_interval_minutes * 60) = 0
    from public.booking_rules rules, public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and (service is null or internal.bay_can_do_service(bay.id, service));
end
$function$;

CREATE OR REPLACE FUNCTION internal.services_of_bay(bay uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT array_agg(bay_services.service_id ORDER BY bay_services.service_id) AS array_agg FROM public.bay_services WHERE (bay_services.bay_id = services_of_bay.bay));

CREATE OR REPLACE FUNCTION public.is_time_slot_available(service_duration integer, booking_date date, booking_time time without time zone, service uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted tsrange;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.start_time_refusal(booking_date, booking_time) is not null then
    return false;
  end if;
  wanted := tsrange(starts_at, starts_at + service_duration * interval '1 minute');
  -- One statement combines open_bays and is_bay_taken, because pages call this function for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
      and (service is null or hours.service_ids is null or service = any (hours.service_ids))
      -- The condition is not written as `not exists`, because PostgreSQL would plan it as a join with every booking.
      and (
        select true from public.bookings booking
        where booking.bay_id = hours.bay_id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
  ) then
    return true;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.find_free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$function$;

CREATE TRIGGER keep_bay_ranks AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bay_services FOR EACH STATEMENT EXECUTE FUNCTION internal.keep_bay_ranks();

CREATE TRIGGER keep_bay_ranks AFTER UPDATE OF "position" ON public.bays FOR EACH STATEMENT EXECUTE FUNCTION internal.keep_bay_ranks();

COMMENT ON COLUMN "internal"."bay_hours"."bay_rank" IS 'The result of internal.bay_rank. It is stored here, so that a booking does not compute it.';

COMMENT ON COLUMN "internal"."bay_hours"."service_ids" IS 'The services that the bay can do; null when it can do all.';

COMMENT ON FUNCTION "internal"."keep_bay_ranks"() IS 'Updates rank and services in internal.bay_hours after a change of the bays'' order or services, which does not change the hours.';

COMMENT ON FUNCTION "internal"."services_of_bay"(uuid) IS 'The services that a bay can do; null when it can do all.';

REVOKE ALL ON FUNCTION "internal"."keep_bay_ranks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."services_of_bay"(uuid) FROM PUBLIC;

UPDATE internal.bay_hours hours SET bay_rank = internal.bay_rank(bay.id, bay.position), service_ids = internal.services_of_bay(bay.id)
FROM public.bays bay WHERE bay.id = hours.bay_id;

ALTER TABLE "internal"."bay_hours" ALTER COLUMN "bay_rank" SET NOT NULL;
