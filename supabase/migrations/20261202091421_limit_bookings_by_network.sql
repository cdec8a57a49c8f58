-- Whoever has an IPv6 /48 has 65,536 networks, each of which counted as a client of its own: one /48 placed 60 of 60 unmarked
-- bookings, and ten held ones. So the networks around a client are counted, too, in one pass over an index.

create type internal.client_digests as (
  address bytea, network_56 bytea, network_48 bytea, network_24 bytea, is_limited boolean
);
comment on type internal.client_digests is
  'What names a client (an IPv4 address, an IPv6 /64) and the networks around it (IPv6 /56 and /48, IPv4 /24) without telling '
  'them; null where they do not say. is_limited is false in load tests of the shop''s own.';

create function internal.digests_of_address(address text) returns internal.client_digests
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  form_key constant text := (select value from internal.secrets where name = 'form_key');
  -- An IPv4 address in the notation of IPv6 is an IPv4 address.
  client constant inet := regexp_replace(address, '^::ffff:(?=[0-9.]+$)', '', 'i');
begin
  if family(client) = 4 then
    return row(internal.hmac_sha256(host(client), form_key), null::bytea, null::bytea,
               internal.hmac_sha256(network(set_masklen(client, 24))::text, form_key), true);
  end if;
  return row(internal.hmac_sha256(network(set_masklen(client, 64))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 56))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 48))::text, form_key), null::bytea, true);
exception when invalid_text_representation then
  return row(internal.hmac_sha256(address, form_key), null::bytea, null::bytea, null::bytea, true);
end
$$;
comment on function internal.digests_of_address(text) is
  'The digests of a client whose address came as it is: what is no address is one client, whatever it says.';

create function internal.client_digests(headers jsonb) returns internal.client_digests
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  -- A hosted project's gateway writes cf-connecting-ip over whatever the client sent. The shop's own data service names
  -- client and networks by hashes that have a key, and passes no other header on.
  if headers ? 'cf-connecting-ip' then
    return internal.digests_of_address(headers ->> 'cf-connecting-ip');
  end if;
  return row(sha256(convert_to(headers ->> 'x-client-address-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-56-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-48-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-24-hash', 'UTF8')),
             -- On a hosted project anybody could say it.
             (headers ->> 'x-rate-limits') is distinct from 'off');
end
$$;
comment on function internal.client_digests(jsonb) is 'The client and its networks in request headers.';

create or replace function internal.address_digest(headers jsonb) returns bytea
  language sql stable
  security definer
  set search_path = ''
  return (internal.client_digests(headers)).address;

alter table internal.form_origins
  add column network_56_digest bytea,
  add column network_48_digest bytea,
  add column network_24_digest bytea,
  add column is_counted boolean not null default false,
  add column is_of_known_customer boolean not null default false;
comment on table internal.form_origins is
  'Where a visitor''s form came from: digests of its form token, of the client''s address and of the networks around it, kept for a '
  'day.';
comment on column internal.form_origins.network_56_digest is 'Of the client''s IPv6 /56.';
comment on column internal.form_origins.network_48_digest is 'Of the client''s IPv6 /48.';
comment on column internal.form_origins.network_24_digest is 'Of the client''s IPv4 /24.';
comment on column internal.form_origins.is_counted is
  'Whether the caps on bookings count it: an unmarked booking, and not of a load test.';
comment on column internal.form_origins.is_of_known_customer is
  'Whether it is a held booking that does not count among those that are held at a time.';

-- All counts of a day read this index alone; the job that forgets old rows reads the table.
drop index internal.form_origins_oldest_first;
create index form_origins_counted on internal.form_origins (created_at)
  include (address_digest, network_56_digest, network_48_digest, network_24_digest) where is_counted;

alter table internal.booking_caps
  drop constraint booking_caps_name_check,
  add constraint booking_caps_name_is_known check (name in ('client', 'network_56', 'network_48', 'network_24', 'site'));
comment on column internal.booking_caps.name is
  'Counted: those from one client, from the networks around it (IPv6 /56 and /48, IPv4 /24), of the whole site.';
update internal.booking_caps set most = 6 where name = 'client' and span = '1 day';
insert into internal.booking_caps (name, span, most) values
  ('network_56', '1 day', 8), ('network_48', '1 day', 12), ('network_24', '1 day', 15);

drop function internal.reached_booking_cap(jsonb);
create function internal.reached_booking_cap(client internal.client_digests) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  -- Variables of their own: a field of a row is looked up for each row that is compared with it.
  address constant bytea := client.address;
  network_56 constant bytea := client.network_56;
  network_48 constant bytea := client.network_48;
  network_24 constant bytea := client.network_24;
begin
  return (
    with caps as materialized (
      select name, most, now() - span as since from internal.booking_caps
    ), latest as materialized (
      select created_at, address_digest = address as is_client, network_56_digest = network_56 as is_56,
             network_48_digest = network_48 as is_48, network_24_digest = network_24 as is_24
      from internal.form_origins
      where is_counted and created_at > now() - interval '1 day'
      -- More than the whole site may have are not read: then its own cap is reached.
      order by created_at desc limit (select min(most) from internal.booking_caps where name = 'site' and span = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.most having count(latest.created_at) >= caps.most
    -- The client's first, the site's last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$$;
comment on function internal.reached_booking_cap(internal.client_digests) is
  'Why an ordinary booking of this client is held, null when it is not. Held ones do not count: they have a ceiling of their own.';

drop function internal.lock_booking_client(jsonb);
create function internal.lock_booking_network(client internal.client_digests) returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(hashtextextended(
    'booking network ' || encode(coalesce(client.network_48, client.network_24, client.address), 'hex'), 0));
comment on function internal.lock_booking_network(internal.client_digests) is
  'Counts of a client and of the networks around it do not change until the transaction ends. Taken after the locks of day and '
  'person, always.';

create function internal.is_known_customer(email text, phone text) returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return exists (
    select from public.person_contacts address
    join public.person_contacts number
      on number.person_id = address.person_id and number.kind = 'phone' and number.key = internal.canonical_phone(is_known_customer.phone)
    join public.people person on person.id = address.person_id and person.merged_into is null and person.erased_at is null
    where address.kind = 'email' and address.key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- Anybody may know the customers of the sample week.
        where done.person_id = person.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;
comment on function internal.is_known_customer(text, text) is
  'Whether an email address and a phone number both belong to one customer who has a completed appointment.';

create function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  -- Whoever knows a customer's address and number fills no more of the calendar by them than that customer may.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$$;
comment on function internal.is_hold_of_known_customer(public.bookings) is
  'Whether a marked booking is held however many are: one of a known customer who has fewer than five others open.';

create function internal.refuse_too_many_held(client internal.client_digests) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
  most_of_network constant integer := 3;
  instant constant timestamptz := internal.current_instant();
  held integer;
  of_network integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*),
         count(*) filter (where coalesce(origin.network_48_digest, origin.network_24_digest)
                                = coalesce(client.network_48, client.network_24))
  into held, of_network
  from public.bookings booking left join internal.form_origins origin on origin.booking_id = booking.id
  where booking.held_until > instant and origin.is_of_known_customer is not true;
  if held >= most_held or (client.is_limited and of_network >= most_of_network) then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
end
$$;
comment on function internal.refuse_too_many_held(internal.client_digests) is
  'Refuses a marked booking while ten are held, or three of the client''s /48 or /24.';

create or replace function internal.hold_flagged_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  hold constant interval := interval '30 minutes';
  client internal.client_digests;
begin
  perform internal.end_expired_holds(new.appointment_date);
  if internal.is_admin() then
    return new;
  end if;
  if not internal.may_become_open(new) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  client := internal.client_digests(headers);
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if new.flagged_reasons = '{}' then
      new.flagged_reasons := array_remove(array[internal.reached_booking_cap(client)], null);
    end if;
  end if;
  if new.flagged_reasons = '{}' then
    return new;
  end if;
  if not internal.is_hold_of_known_customer(new) then
    perform internal.refuse_too_many_held(client);
  end if;
  new.held_until := internal.current_instant() + hold;
  return new;
end
$$;
comment on function internal.hold_flagged_booking() is
  'Flags a booking beyond a person''s fifth and beyond the caps, and makes every flagged one a hold of half an hour, of which '
  'there are few at a time. Runs after accept_booking and flag_suspicious_form: triggers go by name.';

create or replace function internal.remember_form_origin() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  client constant internal.client_digests := internal.client_digests(headers);
  is_unmarked constant boolean := new.flagged_reasons = '{}';
begin
  if tg_table_name = 'quote_requests' then
    insert into internal.form_origins (quote_request_id, token_digest, address_digest)
    values (new.id, internal.token_digest(headers), client.address);
    return null;
  end if;
  insert into internal.form_origins (
    booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
    is_of_known_customer
  ) values (
    new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
    is_unmarked and client.is_limited,
    case when is_unmarked then false else internal.is_hold_of_known_customer(new) end
  );
  return null;
end
$$;

create or replace function internal.end_expired_holds(day date default null) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  instant constant timestamptz := internal.current_instant();
  ended integer;
begin
  -- Nearly always there is none, which a look into the index says in a fraction of an update's time.
  if not exists (select from public.bookings where held_until <= instant and (day is null or appointment_date = day)) then
    return 0;
  end if;
  -- Rows that another transaction has in hand are left to it: nobody waits, so nobody deadlocks.
  update public.bookings set status = 'not_confirmed'
  where id in (
    select id from public.bookings
    where held_until <= instant and (day is null or appointment_date = day)
    for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;
