-- A stranger with many networks who opens each form like a person looks like one each time, and fills the calendar
-- all the same. What a shop of one bay never sees asks for a click in its e-mail, too.

create table internal.booking_caps (
  name text not null check (name in ('client', 'site')),
  span interval not null,
  most integer not null check (most >= 0),
  primary key (name, span)
);
comment on table internal.booking_caps is
  'How many appointments visitors make in a span of time before the next is held. A shop of one bay sees some twenty a day.';
comment on column internal.booking_caps.name is 'Counted: those from one client, those of the whole site.';
insert into internal.booking_caps (name, span, most) values
  ('client', '1 day', 5),
  ('site', '1 hour', 25),
  ('site', '1 day', 60);
-- Read with its owner's rights only.
alter table internal.booking_caps enable row level security;

create function internal.reached_booking_cap(headers jsonb) returns text
  language sql stable
  set search_path = ''
  return (
    select case cap.name when 'client' then 'many_from_one_client' else 'many_at_once' end
    from internal.booking_caps cap
    where cap.most <= (
      select count(*) from (
        select from internal.form_origins origin join public.bookings booking on booking.id = origin.booking_id
        where origin.created_at > now() - cap.span and booking.flagged_reasons = '{}'
          and (cap.name = 'site' or origin.address_digest = internal.address_digest(headers))
        limit cap.most
      ) as counted
    )
      -- Said by the shop's own data service, for load tests; on a hosted project anybody could say it.
      and not (headers ->> 'x-rate-limits' = 'off' and not headers ? 'cf-connecting-ip') is true
    -- The client's before the site's.
    order by cap.name limit 1
  );
comment on function internal.reached_booking_cap(jsonb) is
  'Why an ordinary booking of the sender of these headers is held, null when it is not. Held ones do not count: '
  'they have a ceiling of their own.';

create function internal.lock_booking_client(headers jsonb) returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(
    hashtextextended('booking client ' || encode(internal.address_digest(headers), 'hex'), 0));
comment on function internal.lock_booking_client(jsonb) is
  'Counts of one client do not change until the transaction ends. Taken after the locks of day and person, always.';

create or replace function internal.hold_flagged_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  -- A family or a small fleet has fewer cars; who brings more confirms each by e-mail.
  most_open constant integer := 5;
  hold constant interval := interval '30 minutes';
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
  most_held_a_day constant integer := 3;
  held integer;
  held_that_day integer;
begin
  perform internal.end_expired_holds(new.appointment_date);
  if internal.is_admin() then
    return new;
  end if;
  perform internal.lock_booking_person(new.customer_email, new.customer_phone);
  perform internal.lock_booking_client(headers);
  if internal.count_open_bookings(new.customer_email, new.customer_phone) >= most_open then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  if new.flagged_reasons = '{}' then
    new.flagged_reasons := array_remove(array[internal.reached_booking_cap(headers)], null);
  end if;
  if new.flagged_reasons = '{}' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*), count(*) filter (where appointment_date = new.appointment_date) into held, held_that_day
  from public.bookings where held_until > internal.current_instant();
  if held >= most_held or held_that_day >= most_held_a_day then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
  new.held_until := internal.current_instant() + hold;
  return new;
end
$$;
comment on function internal.hold_flagged_booking() is
  'Flags a booking beyond a person''s fifth and beyond the caps, and makes every flagged one a hold of half an hour, of which '
  'there are few at a time. Runs after accept_booking and flag_suspicious_form: triggers go by name.';
