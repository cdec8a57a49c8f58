-- Among the free bays, a bay limited to few services comes first (docs/product.md 11.4).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone);

DROP FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer);

DROP FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid);

CREATE OR REPLACE FUNCTION internal.accept_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin constant boolean := tg_nargs = 0 and internal.is_admin();
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  refusal text;
  open_bookings integer;
  has_expired_holds boolean;
begin
  -- Before the lock of the day: a transaction that locked several days in any order could deadlock with others.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if new.status <> 'confirmed' or new.customer_email is null
     or (trim(new.vehicle_year) <> '' and trim(new.vehicle_make) <> '' and trim(new.vehicle_model) <> '') is not true then
    perform internal.refuse_incomplete_booking(new);
  end if;
  -- Without the lock, concurrent inserts for overlapping times deadlock in the exclusion constraint instead of ending as conflicts.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- One statement reads everything that the rules compare. A paused shop and a closed day are therefore refused after the locks.
  select service.duration_minutes, service.name, service.price_from_cents, new.appointment_date + new.appointment_time,
         internal.start_time_refusal(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused),
         (select bay_id from internal.free_bays(new.appointment_date, new.appointment_time, service.duration_minutes, service.id,
                                                rules.slot_interval_minutes) order by bay_rank limit 1),
         greatest((select count(*) from internal.open_bookings_of_mailbox(mailbox, clock.now)),
                  (select count(*) from internal.open_bookings_of_phone(phone_key, clock.now))),
         exists (
           select from public.bookings where held_until <= internal.current_instant() and appointment_date = new.appointment_date)
  into new.duration_minutes, new.service_name, new.service_price_cents, new.notified_starts_at,
       refusal, new.bay_id, open_bookings, has_expired_holds
  from public.shop cross join lateral (select internal.current_instant() at time zone shop.time_zone as now) clock
  cross join public.booking_rules rules left join public.services service on service.id = new.service_id and service.is_active;
  if refusal is not null or new.bay_id is null then
    new.bay_id := internal.find_bay_or_refuse(new, refusal);
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
    -- The job that links the booking writes its search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- Bookings by staff have no limits.
  if not is_admin then
    new.flagged_reasons := internal.flag_over_limits(new.flagged_reasons, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.bay_rank(bay uuid, bay_position integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT ((CASE WHEN (count(*) = 0) THEN 1000 ELSE (count(*))::integer END * 100) + bay_rank.bay_position) FROM public.bay_services known WHERE (known.bay_id = bay_rank.bay));

CREATE OR REPLACE FUNCTION internal.find_bay_at_same_time(booking public.bookings)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
      and booking.occupied <@ internal.open_spans(booking.appointment_date, bay.id)
      and not internal.is_bay_taken(bay.id, booking.occupied)
    order by internal.bay_rank(bay.id, bay.position) limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_bay_for_staff(service uuid, wanted tsrange, ignored_booking_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, service) and not internal.is_bay_taken(bay.id, wanted, ignored_booking_id)
    order by not internal.fits_hours(wanted, internal.open_spans(lower(wanted)::date, bay.id), bay.id),
             internal.bay_rank(bay.id, bay.position) limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.find_free_bay(booking_date date, booking_time time without time zone, duration_minutes integer, service uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
  found_bay uuid;
begin
  select free.bay_id into found_bay
  from public.booking_rules rules,
       internal.free_bays(booking_date, booking_time, duration_minutes, service, rules.slot_interval_minutes) free
  order by free.bay_rank limit 1;
  if found then
    return found_bay;
  end if;
  if exists (select from internal.bay_hours where day = booking_date) then
    return null;
  end if;
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_bay_taken(open.bay_id, wanted)
    order by open.bay_rank limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION internal.free_bays(booking_date date, booking_time time without time zone, minutes integer, service uuid, slot_minutes integer)
 RETURNS TABLE(bay_id uuid, bay_rank integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT hours.bay_id,
     ((
         CASE
             WHEN (ability.services = 0) THEN 1000
             ELSE (ability.services)::integer
         END * 100) + bay."position")
    FROM ((internal.bay_hours hours
      JOIN public.bays bay ON ((bay.id = hours.bay_id)))
      CROSS JOIN LATERAL ( SELECT count(*) AS services,
             bool_or((known.service_id = free_bays.service)) AS is_able
            FROM public.bay_services known
           WHERE (known.bay_id = hours.bay_id)) ability)
   WHERE ((hours.day = free_bays.booking_date) AND (hours.span @> tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND ((EXTRACT(epoch FROM ((free_bays.booking_date + free_bays.booking_time) - lower(hours.span))) % ((free_bays.slot_minutes * 60))::numeric) = (0)::numeric) AND COALESCE(ability.is_able, true) AND (( SELECT true
            FROM public.bookings booking
           WHERE ((booking.bay_id = hours.bay_id) AND (booking.occupied && tsrange((free_bays.booking_date + free_bays.booking_time), ((free_bays.booking_date + free_bays.booking_time) + ((free_bays.minutes)::double precision * '00:01:00'::interval)))) AND (booking.status <> ALL (ARRAY['cancelled'::text, 'not_confirmed'::text, 'no_show'::text])) AND ((booking.held_until IS NULL) OR (booking.held_until > internal.current_instant())))
          LIMIT 1) IS NULL));
END;

CREATE OR REPLACE FUNCTION internal.free_times(service uuid, from_moment timestamp without time zone, minutes integer, bay uuid, ignored_booking_id uuid, max_rows integer, days integer)
 RETURNS TABLE(free_date date, free_time time without time zone, bay_ids uuid[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  duration constant interval := minutes * interval '1 minute';
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.rank)
      from (
             select bays.id, internal.bay_rank(bays.id, bays.position) as rank, internal.open_spans(day, bays.id) as open,
                    internal.free_spans(day, bays.id, ignored_booking_id) as free
             from public.bays
             where bays.is_active and internal.bay_can_do_service(bays.id, service) and (bay is null or bays.id = bay) offset 0
           ) candidate,
           unnest(candidate.free * tsmultirange(tsrange(first_moment, null))) span,
           internal.list_starts_in_range(span) start
      where internal.fits_hours(tsrange(start, start + duration), candidate.open, candidate.id)
        and not internal.is_bay_taken(candidate.id, tsrange(start, start + duration), ignored_booking_id)
      group by start order by start limit max_rows - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= max_rows;
  end loop;
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
    select bay.id, internal.bay_rank(bay.id, bay.position),
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
    from internal.bay_hours hours, public.bays bay, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted and bay.id = hours.bay_id
      and (service is null or internal.bay_can_do_service(bay.id, service));
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

CREATE OR REPLACE FUNCTION internal.find_bay_for_customer(booking public.bookings, new_date date, new_time time without time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT open.bay_id FROM internal.open_bays(find_bay_for_customer.new_date, find_bay_for_customer.new_time, (find_bay_for_customer.booking).duration_minutes, (find_bay_for_customer.booking).service_id) open(bay_id, bay_rank, is_on_grid) WHERE (open.is_on_grid AND (NOT internal.is_bay_taken(open.bay_id, internal.booking_range(find_bay_for_customer.new_date, find_bay_for_customer.new_time, (find_bay_for_customer.booking).duration_minutes), (find_bay_for_customer.booking).id))) ORDER BY (open.bay_id = (find_bay_for_customer.booking).bay_id) DESC NULLS LAST, open.bay_rank LIMIT 1);

COMMENT ON COLUMN "public"."bays"."position" IS 'The order of the owner. A booking gets the free bay with the lowest rank (internal.bay_rank).';

COMMENT ON FUNCTION "internal"."bay_rank"(uuid, integer) IS 'The rank of a bay among the free ones: bays limited to few services come first, so that bays which can do everything stay free; then the order of the owner decides.';

COMMENT ON FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone) IS 'The bay for moving a booking to another time: its own bay if free, else the first free one; null for none.';

COMMENT ON FUNCTION "internal"."find_free_bay"(date, time without time zone, integer, uuid) IS 'The first bay by rank that is open for an appointment, can do its service and has the time; null when none has.';

COMMENT ON FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer) IS 'The open bays that can do a service and are free at a time; none for a date without rows in bay_hours.';

COMMENT ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) IS 'The bays that are open for the whole booking and can do its service (any for null), and whether the start is on their grid of start times.';

REVOKE ALL ON FUNCTION "internal"."bay_rank"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) FROM PUBLIC;
