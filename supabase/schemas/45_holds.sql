-- What keeps machines from filling the calendar. A visitor's booking waits for confirmation (is held, `held_until`) for one
-- of three reasons, which `flagged_reasons` keeps: its form looks automated (a form token proves when the form was opened),
-- five other bookings of its mailbox or phone number are open, or a cap on bookings of one client, network or the site is
-- reached. It keeps its time for half an hour, until its email address or staff confirm it. At most ten are held
-- at a time, and three of one network, besides those of known customers; the next is refused (TT041). `accept_booking` in
-- 35_bookings.sql asks these rules when a visitor books. Addresses of clients are
-- kept as keyed digests only.

create type internal.client_digests as (
  address bytea, network_56 bytea, network_48 bytea, network_24 bytea, is_limited boolean
);
comment on type internal.client_digests is
  'What names a client (an IPv4 address, an IPv6 /64) and the networks around it (IPv6 /56 and /48, IPv4 /24) without telling '
  'them; null where they do not say. is_limited is false in load tests of the shop''s own.';

create table internal.form_token_uses (
  token_digest bytea primary key,
  used_at timestamptz not null default now()
);
comment on table internal.form_token_uses is 'Form tokens that came with a request; each is good for one. Kept for the day that a token is valid.';

create index form_token_uses_oldest_first on internal.form_token_uses (used_at);

alter table internal.form_token_uses enable row level security;
grant select, delete on internal.form_token_uses to shop_server;
create policy "the server reads used tokens" on internal.form_token_uses for select to shop_server using (true);
create policy "the server removes old tokens" on internal.form_token_uses for delete to shop_server using (true);

create table internal.form_origins (
  booking_id uuid unique references public.bookings on delete cascade,
  quote_request_id uuid references public.quote_requests on delete cascade,
  token_digest bytea,
  address_digest bytea,
  created_at timestamptz not null default now(),
  network_56_digest bytea,
  network_48_digest bytea,
  network_24_digest bytea,
  is_counted boolean not null default false,
  is_of_known_customer boolean not null default false,
  constraint form_origins_are_of_one_record check (num_nonnulls(booking_id, quote_request_id) = 1)
);
comment on table internal.form_origins is
  'Where a visitor''s form came from: digests of its form token, of the client''s address and of the networks around it, kept for a '
  'day.';
comment on column internal.form_origins.token_digest is 'Of the header x-form-token as it came, whatever the form guard thought of it; null without one.';
comment on column internal.form_origins.address_digest is 'Null when the data service does not say where a request comes from.';
comment on column internal.form_origins.network_56_digest is 'Of the client''s IPv6 /56.';
comment on column internal.form_origins.network_48_digest is 'Of the client''s IPv6 /48.';
comment on column internal.form_origins.network_24_digest is 'Of the client''s IPv4 /24.';
comment on column internal.form_origins.is_counted is
  'Whether the caps on bookings count it: an unmarked booking, and not of a load test.';
comment on column internal.form_origins.is_of_known_customer is
  'Whether it is a held booking that does not count among those that are held at a time.';

-- Most forms are no quote requests.
create unique index form_origins_of_quote_request on internal.form_origins (quote_request_id) where quote_request_id is not null;
create index form_origins_by_token on internal.form_origins (token_digest) where token_digest is not null;
create index form_origins_by_address on internal.form_origins (address_digest) where token_digest is null;
-- All counts of a day read this index alone; the job that forgets old rows reads the table.
create index form_origins_counted on internal.form_origins (created_at)
  include (address_digest, network_56_digest, network_48_digest, network_24_digest) where is_counted;

alter table internal.form_origins enable row level security;
grant select, delete on internal.form_origins to shop_server;
create policy "the server reads form origins" on internal.form_origins for select to shop_server using (true);
create policy "the server deletes form origins" on internal.form_origins for delete to shop_server using (true);

create table internal.visitor_booking_limits (
  name text not null,
  period interval not null,
  max_count integer not null check (max_count >= 0),
  primary key (name, period),
  constraint visitor_booking_limits_name_is_known check (name in ('client', 'network_56', 'network_48', 'network_24', 'site'))
);
comment on table internal.visitor_booking_limits is
  'How many appointments visitors make in a span of time before the next is held. A shop of one bay sees some twenty a day.';
comment on column internal.visitor_booking_limits.name is
  'Counted: those from one client, from the networks around it (IPv6 /56 and /48, IPv4 /24), of the whole site.';

insert into internal.visitor_booking_limits (name, period, max_count) values
  ('site', '01:00:00', 25),
  ('site', '1 day', 60),
  ('client', '1 day', 6),
  ('network_56', '1 day', 8),
  ('network_48', '1 day', 12),
  ('network_24', '1 day', 15)
on conflict do nothing;

alter table internal.visitor_booking_limits enable row level security;

create function internal.form_token_problem(token text) returns text
  language plpgsql
  -- Reads the key, which no visitor may.
  security definer
  set search_path = ''
as $$
declare
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  -- On its own: PostgreSQL may compute with a known text before any condition of the statement.
  if token !~ '^\d{13}\.[0-9a-f]{16}\.[0-9a-f]{64}$' then
    return 'form_token_invalid';
  end if;
  select clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000) into age
  from internal.secrets
  where name = 'form_key'
    and encode(sha256(outer_key || sha256(inner_key || convert_to(left(token, 30), 'UTF8'))), 'hex') = right(token, 64);
  if age is null or age not between interval '0' and interval '24 hours' then
    return 'form_token_invalid';
  end if;
  insert into internal.form_token_uses (token_digest) values (sha256(convert_to(token, 'UTF8')))
    on conflict do nothing;
  if not found then
    return 'form_token_reused';
  end if;
  return case when age < interval '3 seconds' then 'sent_too_fast' end;
end
$$;
comment on function internal.form_token_problem(text) is
  'What is wrong with a form token, ''milliseconds.nonce.signature'' as server/features/form-guard signs it; null for an ordinary one.';

create function internal.flag_suspicious_form() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call reasons_to_flag_form.
  security definer
  set search_path = ''
as $$
begin
  new.flagged_reasons := internal.reasons_to_flag_form(
    coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb);
  return new;
end
$$;
comment on function internal.flag_suspicious_form() is 'Marks a visitor''s form that looks automated, from two request headers. It never refuses.';

create function internal.token_digest(headers jsonb) returns bytea
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return sha256(convert_to(nullif(headers ->> 'x-form-token', ''), 'UTF8'));
comment on function internal.token_digest(jsonb) is 'What names the form token in request headers; null without one.';

create function internal.address_digest(headers jsonb) returns bytea
  language sql stable
  -- Those for whom this is called have no right to call client_digests.
  security definer
  set search_path = ''
  return (internal.client_digests(headers)).address;
comment on function internal.address_digest(jsonb) is
  'What names the client''s address in request headers, without telling it; null when they do not say.';

create function internal.record_form_origin() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write form_origins.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  insert into internal.form_origins (quote_request_id, token_digest, address_digest)
  values (new.id, internal.token_digest(headers), (internal.client_digests(headers)).address);
  return null;
end
$$;
comment on function internal.record_form_origin() is 'Keeps whose form a quote request came from.';

create function public.forms_sent_by(headers jsonb)
  returns table (booking_id uuid, quote_request_id uuid)
  language sql stable
  -- Reads the key that digests are made with.
  security definer
  set search_path = ''
as $$
  select origin.booking_id, origin.quote_request_id
  from internal.form_origins origin
  where origin.created_at > now() - interval '15 minutes'
    and (
      origin.token_digest = internal.token_digest(headers)
      or origin.token_digest is null and origin.address_digest = internal.address_digest(headers)
    )
$$;
comment on function public.forms_sent_by(jsonb) is
  'The forms of the last 15 minutes that came from the sender of a request, told by its headers: with the same form '
  'token, or both without one from the same address. The server functions ask; they confirm nothing else.';
grant execute on function public.forms_sent_by(jsonb) to service_role, shop_server;

create function internal.end_expired_holds(day date default null) returns integer
  language plpgsql
  -- The server has no right to write bookings.
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
comment on function internal.end_expired_holds(date) is
  'Gives the slots of unanswered holds back, of one day or of all; returns how many.';
grant execute on function internal.end_expired_holds(date) to shop_server;

create function internal.release_hold() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call is_open_state, booking_state and others.
  security definer
  set search_path = ''
as $$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (gone) and new.status <> all (gone) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- One that had no bay took no time, and finds its place as it was.
    if old.bay_id is not null then
      new.bay_id := internal.find_bay_for_reopened_booking(old);
      if new.bay_id is null and not coalesce((internal.booking_change_context() ->> 'allow_without_bay')::boolean, false) then
        perform internal.raise_slot_taken();
      end if;
    end if;
  end if;
  if internal.is_open_state(internal.booking_state(new))
     and (not was_open or (old.held_until is not null and new.held_until is null))
     and not internal.may_become_open(new) then
    raise exception 'This customer has five appointments ahead.' using errcode = 'TT042', hint = 'too_many_open';
  end if;
  return new;
end
$$;
comment on function internal.release_hold() is
  'A booking that changes its state or loses its marks is held no more; one that takes its slot again finds expired holds '
  'out of the way; one that becomes open again is one of its customer''s five.';

create function internal.lock_booking_contact(mailbox text, phone_key text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0)),
          pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0));
end
$$;
comment on function internal.lock_booking_contact(text, text) is
  'The open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) do not change until the '
  'transaction ends. Taken after the lock of the day, always.';

-- Its confirmation is counted with the others now.
create function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  -- Whoever writes its email holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = booking_id for no key update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception
  when exclusion_violation then return 'slot_taken';
  when sqlstate 'TT042' then return 'too_many';
end
$$;
comment on function internal.confirm_held_booking(uuid) is
  'The click in a held booking''s e-mail; may be repeated. confirmed, already_confirmed, or why not: cancelled, too_late, too_many, '
  'slot_taken (the hold had run out and somebody else has the time).';
grant execute on function internal.confirm_held_booking(uuid) to shop_server;

create function internal.unflag_answered_quote() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.flagged_reasons := '{}';
  return new;
end
$$;
comment on function internal.unflag_answered_quote() is
  'Takes the mark of what looks automated off a quote request that a person has answered.';

create function internal.reached_booking_limit(client internal.client_digests) returns text
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
      select name, max_count, now() - period as since from internal.visitor_booking_limits
    ), latest as materialized (
      select created_at, address_digest = address as is_client, network_56_digest = network_56 as is_56,
             network_48_digest = network_48 as is_48, network_24_digest = network_24 as is_24
      from internal.form_origins
      where is_counted and created_at > now() - interval '1 day'
      -- More than the whole site may have are not read: then its own cap is reached.
      order by created_at desc limit (select min(max_count) from internal.visitor_booking_limits where name = 'site' and period = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.max_count having count(latest.created_at) >= caps.max_count
    -- The client's first, the site's last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$$;
comment on function internal.reached_booking_limit(internal.client_digests) is
  'Why an ordinary booking of this client is held, null when it is not. Held ones do not count: they have a ceiling of their own.';

-- All appointments with a number are found by bookings_by_phone, and those ahead are first in it.
create function internal.is_at_open_limit(mailbox text, phone_key text, ignored_booking_id uuid, since_event bigint default null)
  returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  open_ids uuid[];
begin
  select case when cardinality(of_mailbox) < most_open then of_phone else of_mailbox end into open_ids
  from (select internal.current_instant() at time zone time_zone as local_now from public.shop) clock,
  lateral (select array(
    select id from public.bookings
    where internal.normalize_mailbox(customer_email) = mailbox
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ) as of_mailbox, array(
    select id from public.bookings
    where internal.normalize_phone(customer_phone) = phone_key
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ) as of_phone
  offset 0) known;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;
comment on function internal.is_at_open_limit(text, text, uuid, bigint) is
  'Whether five other bookings of one mailbox or phone number are open and ahead; with since_event, whether the customer also '
  'opened one of them after that event of booking_events.';

create function internal.may_become_open(booking public.bookings) returns boolean
  language plpgsql
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.normalize_mailbox(booking.customer_email);
  phone_key constant text := internal.normalize_phone(booking.customer_phone);
  closing record;
begin
  if not internal.is_admin() then
    perform internal.lock_booking_contact(mailbox, phone_key);
    return not internal.is_at_open_limit(mailbox, phone_key, booking.id);
  end if;
  select id, kind into closing from public.booking_events
  where booking_id = booking.id and kind in ('cancelled', 'no_show', 'completed', 'not_confirmed') order by id desc limit 1;
  -- Staff decide what they book, keep and confirm. Their undo gives back what there was, and no more.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;
comment on function internal.may_become_open(public.bookings) is
  'Guards every way in which a booking becomes open: insert, reopening by its customer, undo by staff, confirmation of a held one. '
  'False when five others of its customer are open; for an undo by staff, only when the customer opened one of them since.';

create function internal.digests_of_address(address text) returns internal.client_digests
  language plpgsql stable
  -- Those for whom this is called have no right to read secrets.
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
  -- Those for whom this is called have no right to call digests_of_address.
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

create function internal.lock_booking_network(client internal.client_digests) returns void
  language sql
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return pg_advisory_xact_lock(hashtextextended(
    'booking network ' || encode(coalesce(client.network_48, client.network_24, client.address), 'hex'), 0));
comment on function internal.lock_booking_network(internal.client_digests) is
  'Counts of a client and of the networks around it do not change until the transaction ends. Taken after the locks of day and '
  'person, always.';

create function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings.
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

create function internal.reasons_to_flag_form(headers jsonb) returns text[]
  language sql
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  return array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.form_token_problem(headers ->> 'x-form-token')
    ],
    null
  );
comment on function internal.reasons_to_flag_form(jsonb) is
  'Why the form that sent a request with these headers looks automated; empty when it looks like a person''s. Uses its token up.';
