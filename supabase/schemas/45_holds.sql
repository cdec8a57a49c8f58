-- Limits on automated bookings. A visitor's booking is held until it is confirmed (`held_until`) for one of three
-- reasons, which `flagged_reasons` stores. First: its form looks automated; a form token proves when the form was
-- opened. Second: its mailbox or phone number already has five open bookings. Third: a limit on the bookings of one
-- client, one network or the site is reached. A held booking occupies its time for half an hour; the customer (by
-- email) or staff can confirm it. At most ten bookings are held at a time, three of them from one network, not counting
-- those of known customers; a further suspicious booking is refused (TT041). `accept_booking` in 35_bookings.sql
-- applies these rules to a visitor's booking. The IP addresses of clients are stored only as keyed digests.

create type internal.client_digests as (
  address bytea, network_56 bytea, network_48 bytea, network_24 bytea, is_limited boolean
);
comment on type internal.client_digests is
  'The digests of the IP address of a client (an IPv4 address or an IPv6 /64) and of the networks to which it '
  'belongs (IPv6 /56 and /48, IPv4 /24). The digests identify the client without storing its IP address; all are '
  'null if the IP address is unknown. is_limited is false in the shop''s own load tests, to which the limits do not '
  'apply.';

create table internal.form_origins (
  booking_id uuid unique,
  quote_request_id uuid,
  token_digest bytea,
  address_digest bytea,
  created_at timestamptz not null default now(),
  network_56_digest bytea,
  network_48_digest bytea,
  network_24_digest bytea,
  is_counted boolean not null default false,
  is_of_known_customer boolean not null default false,
  first_use boolean,
  constraint form_origins_are_of_one_record check (
    num_nonnulls(booking_id, quote_request_id) = 1 or (first_use is not null and num_nonnulls(booking_id, quote_request_id) = 0))
);
comment on table internal.form_origins is
  'The origin of a visitor''s form: digests of its form token, of the client''s IP address and of the client''s '
  'networks. A row is kept for 25 hours, because a form token is valid for 24 hours and for one form only. A token '
  'counts as used even after its booking or quote request is deleted.';
comment on column internal.form_origins.booking_id is
  'The booking that the form created. The column has no foreign key, because the same transaction inserts this row '
  'first and the booking later. When the booking is deleted, the trigger forget_form_origin deletes this row, or '
  'empties all its columns except the digest of a valid token.';
comment on column internal.form_origins.quote_request_id is
  'The quote request that the form created. The column has no foreign key, because the same transaction inserts this '
  'row first and the quote request later.';
comment on column internal.form_origins.token_digest is
  'The digest of the form token in the header x-form-token, also of an invalid token; null without the header.';
comment on column internal.form_origins.address_digest is
  'The digest of the client''s IP address; null if the request headers contain no IP address.';
comment on column internal.form_origins.network_56_digest is
  'The digest of the client''s IPv6 network with the prefix length 56; null for other clients.';
comment on column internal.form_origins.network_48_digest is
  'The digest of the client''s IPv6 network with the prefix length 48; null for other clients.';
comment on column internal.form_origins.network_24_digest is
  'The digest of the client''s IPv4 network with the prefix length 24; null for other clients.';
comment on column internal.form_origins.is_counted is
  'Whether the form counts toward the limits on visitors'' bookings (visitor_booking_limits). False if the booking '
  'of the form is flagged or belongs to a load test.';
comment on column internal.form_origins.is_of_known_customer is
  'Whether the booking is held without counting toward the maximum number of held bookings, because its customer is '
  'known: a customer with this email address and phone number has a completed booking.';
comment on column internal.form_origins.first_use is
  'True if the form was the first with its valid token, otherwise null. Null instead of false, because the unique '
  'index accepts any number of null values.';

-- Most forms create a booking, so this index contains only the forms that created a quote request.
create unique index form_origins_of_quote_request on internal.form_origins (quote_request_id) where quote_request_id is not null;
-- This index finds the forms that were sent with a token. Because the index is unique, only one form can be the first
-- use of a token.
create unique index form_origins_by_token on internal.form_origins (token_digest, first_use) where token_digest is not null;
create index form_origins_by_address on internal.form_origins (address_digest) where token_digest is null;
-- PostgreSQL counts the forms of a day with this index alone, without reading the table.
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
  'The number of bookings that visitors can make in a period before the next booking is held. The limits are far '
  'above ordinary use: a shop with one bay has about twenty bookings a day.';
comment on column internal.visitor_booking_limits.name is
  'The group whose bookings are counted: the bookings from one client, from one of its networks (IPv6 /56 and /48, '
  'IPv4 /24), or from the whole site.';

insert into internal.visitor_booking_limits (name, period, max_count) values
  ('site', '01:00:00', 25),
  ('site', '1 day', 60),
  ('client', '1 day', 6),
  ('network_56', '1 day', 8),
  ('network_48', '1 day', 12),
  ('network_24', '1 day', 15)
on conflict do nothing;

alter table internal.visitor_booking_limits enable row level security;

create function internal.is_form_token_signed(token text, inner_key bytea, outer_key bytea) returns boolean
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return encode(sha256(outer_key || sha256(inner_key || convert_to(left(token, 30), 'UTF8'))), 'hex') = right(token, 64);
comment on function internal.is_form_token_signed(text, bytea, bytea) is
  'Whether the last 64 characters of a form token are the signature (HMAC) of its first 30 characters. The two keys '
  'are inner_key and outer_key of internal.secrets.';

create function internal.token_digest(headers jsonb) returns bytea
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return sha256(convert_to(nullif(headers ->> 'x-form-token', ''), 'UTF8'));
comment on function internal.token_digest(jsonb) is
  'The digest of the form token in request headers; null if the headers contain no form token.';

create function internal.address_digest(headers jsonb) returns bytea
  -- Runs with the rights of the function's owner, because the callers have no right to call client_digests.
  language sql stable security definer set search_path = ''
  return (internal.client_digests(headers)).address;
comment on function internal.address_digest(jsonb) is
  'The digest of the client''s IP address in request headers; null if the headers contain no IP address.';

create function internal.problem_of_refused_token(token text, age interval) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return case
    when token = '' then 'form_token_missing'
    when age between interval '0' and interval '24 hours' and exists (
      select from internal.secrets where name = 'form_key' and internal.is_form_token_signed(token, inner_key, outer_key))
      then 'form_token_reused'
    else 'form_token_invalid'
  end;
end
$$;
comment on function internal.problem_of_refused_token(text, interval) is
  'The reason why a form token is refused: missing, invalid, or valid but used before. The second argument is the age '
  'of the token; null if the token does not have the right format.';

create function internal.record_form(
  headers jsonb, client internal.client_digests, booking_id uuid, quote_request_id uuid, is_counted boolean
) returns text[]
  language plpgsql set search_path = '' as $$
declare
  token constant text := coalesce(headers ->> 'x-form-token', '');
  -- The form has a hidden field that visitors do not see. A program that fills in every field also fills in this
  -- field.
  hidden_field constant text := case when headers ->> 'x-form-website' <> '' then 'hidden_field_filled' end;
  age interval;
begin
  -- The regular expression ensures that the first part of the token, the milliseconds, can be converted to a number.
  -- The signature proves that the other parts of the token have the right format.
  if length(token) = 95 and token ~ '^[0-9]{13}[.].{16}[.]' then
    age := clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000);
    insert into internal.form_origins (
      booking_id, quote_request_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
      first_use)
    select record_form.booking_id, record_form.quote_request_id, internal.token_digest(headers), client.address, client.network_56,
           client.network_48, client.network_24, record_form.is_counted and hidden_field is null and age >= interval '3 seconds', true
    from internal.secrets
    where name = 'form_key' and internal.is_form_token_signed(token, inner_key, outer_key)
      and age between interval '0' and interval '24 hours'
    on conflict (token_digest, first_use) where token_digest is not null do nothing;
    if found then
      return array_remove(array[hidden_field, case when age < interval '3 seconds' then 'sent_too_fast' end], null);
    end if;
  end if;
  insert into internal.form_origins (
    booking_id, quote_request_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest)
  values (record_form.booking_id, record_form.quote_request_id, internal.token_digest(headers), client.address, client.network_56,
          client.network_48, client.network_24);
  return array_remove(array[hidden_field, internal.problem_of_refused_token(token, age)], null);
end
$$;
comment on function internal.record_form(jsonb, internal.client_digests, uuid, uuid, boolean) is
  'Records the origin of a visitor''s form before its booking or quote request is inserted, and marks its form '
  'token as used. Returns the reasons why the form looks automated; empty for an ordinary form. A form that looks '
  'automated does not count toward visitor_booking_limits. A form token has the format '
  '''milliseconds.nonce.signature'' and is signed by server/features/form-guard.';

create function internal.flag_suspicious_form() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- record_form.
  language plpgsql security definer set search_path = '' as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  -- Stores no digests of the client's networks, because quote requests are not counted by network.
  new.flagged_reasons := internal.record_form(
    headers, row(internal.address_digest(headers), null, null, null, false), null, new.id, false);
  return new;
end
$$;
comment on function internal.flag_suspicious_form() is
  'Records the origin of the form of a quote request, and flags a form that looks automated, without refusing the form.';

create function internal.forget_form_origins(record_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  delete from internal.form_origins
  where first_use is null and (booking_id = any (record_ids) or quote_request_id = any (record_ids));
  update internal.form_origins
  set booking_id = null, quote_request_id = null, address_digest = null, network_56_digest = null, network_48_digest = null,
      network_24_digest = null, is_counted = false, is_of_known_customer = false
  where booking_id = any (record_ids) or quote_request_id = any (record_ids);
end
$$;
comment on function internal.forget_form_origins(uuid[]) is
  'Deletes the rows of form_origins for the given bookings and quote requests. If the form had a valid token, the row '
  'is kept with only the digest of the token, so that the token still counts as used.';

create function internal.forget_form_origin() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- forget_form_origins.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.forget_form_origins(array[old.id]);
  return null;
end
$$;
comment on function internal.forget_form_origin() is
  'Calls forget_form_origins for a deleted booking or quote request.';

create function public.forms_sent_by(headers jsonb)
  returns table (booking_id uuid, quote_request_id uuid)
  -- Runs with the rights of the function's owner, because the callers have no right to read the key of the digests
  -- (internal.secrets).
  language sql stable security definer set search_path = '' as $$
  select origin.booking_id, origin.quote_request_id
  from internal.form_origins origin
  where origin.created_at > now() - interval '15 minutes'
    and (
      origin.token_digest = internal.token_digest(headers)
      or origin.token_digest is null and origin.address_digest = internal.address_digest(headers)
    )
$$;
comment on function public.forms_sent_by(jsonb) is
  'The forms that the sender of a request sent in the last 15 minutes: forms with the same form token, and forms '
  'without a token from the same IP address. The server functions send confirmations for these forms only.';
grant execute on function public.forms_sent_by(jsonb) to service_role, shop_server;

create function internal.end_expired_holds(day date default null) returns integer
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  instant constant timestamptz := internal.current_instant();
  ended integer;
begin
  -- Reads the index before the update, because usually no hold has expired, and reading the index is much faster than
  -- an update.
  if not exists (select from public.bookings where held_until <= instant and (day is null or appointment_date = day)) then
    return 0;
  end if;
  -- Skips rows that another transaction has locked, so that this function never waits and cannot deadlock.
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
  'Ends the expired holds of the bookings of one day or of all days, which frees the times of these bookings; '
  'returns the number of ended holds.';
grant execute on function internal.end_expired_holds(date) to shop_server;

create function internal.release_hold() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- is_open_state, booking_state and other functions.
  language plpgsql security definer set search_path = '' as $$
declare
  freeing_states constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (freeing_states) and new.status <> all (freeing_states) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- If the booking had no bay, it occupied no time in the calendar, so it needs no bay when it becomes active again.
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
  'Ends the hold of a booking that changes its state or is no longer flagged. Before a booking occupies its time '
  'again, ends the expired holds of its day and finds a free bay. Refuses (TT042) to open a booking that its customer '
  'may not have open (may_become_open).';

create function internal.lock_booking_contact(mailbox text, phone_key text) returns void
  language sql
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return case when mailbox is null or pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0)) is not null
    then pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0)) end;
comment on function internal.lock_booking_contact(text, text) is
  'Locks the open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) '
  'until the transaction ends. A transaction that also locks a day locks the day first.';

create function internal.confirm_held_booking(booking_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  -- The booking must not be locked `for update`. A transaction that queues an email of the booking first locks the
  -- limits on visitor-triggered emails and then needs a key share lock on the booking. This transaction locks these
  -- limits after the booking, so the two transactions would deadlock.
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
  'Confirms a held booking whose customer opened the link in its email; the function can be called again. Returns '
  'confirmed, already_confirmed, or the reason for a refusal: cancelled, too_late, too_many (five other open '
  'bookings), slot_taken (the hold has expired and another booking has the time).';
grant execute on function internal.confirm_held_booking(uuid) to shop_server;

create function internal.unflag_answered_quote() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.flagged_reasons := '{}';
  return new;
end
$$;
comment on function internal.unflag_answered_quote() is
  'Removes the flags of a quote request that an employee has answered.';

create function internal.reached_booking_limit(client internal.client_digests) returns text
  language plpgsql stable set search_path = '' as $$
declare
  -- The fields of the argument are copied to variables, because PostgreSQL would otherwise read them from the argument
  -- for each compared row.
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
      -- Reads at most as many rows as the limit of the site, because with that many rows the limit is reached.
      order by created_at desc limit (select min(max_count) from internal.visitor_booking_limits where name = 'site' and period = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.max_count having count(latest.created_at) >= caps.max_count
    -- If several limits are reached, the limit of the client is reported first and the limit of the site last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$$;
comment on function internal.reached_booking_limit(internal.client_digests) is
  'The limit of visitor_booking_limits that the bookings of a client have reached, as a reason to hold its next '
  'booking; null if no limit is reached. Held bookings do not count, because a separate limit applies to them '
  '(refuse_too_many_held).';

create function internal.most_open_bookings() returns integer
  language sql immutable
  -- The maximum number of open bookings of a customer is five, because families and small fleets seldom bring more
  -- vehicles at a time. The maximum also applies when a customer confirms a held booking by the link in an email.
  return 5;
comment on function internal.most_open_bookings() is
  'The maximum number of open upcoming bookings of one mailbox or phone number.';

create function internal.open_bookings_of_mailbox(mailbox text, local_now timestamp) returns setof uuid
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
begin atomic
  -- Mailbox and date are compared as a pair, so that PostgreSQL uses the index of both. With a condition on the date
  -- alone, it may choose an index of dates and then normalizes the email address of every upcoming booking.
  select id from public.bookings
  where internal.normalize_mailbox(customer_email) = mailbox
    and (internal.normalize_mailbox(customer_email), appointment_date) >= (mailbox, local_now::date) and upper(occupied) > local_now
    and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show';
end;
comment on function internal.open_bookings_of_mailbox(text, timestamp) is
  'The open bookings of a mailbox (internal.normalize_mailbox) that end after a shop wall-clock time.';

create function internal.open_bookings_of_phone(phone_key text, local_now timestamp) returns setof uuid
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
begin atomic
  -- Phone number and date are compared as a pair, so that PostgreSQL uses the index of both and does not choose an
  -- index of dates alone.
  select id from public.bookings
  where internal.normalize_phone(customer_phone) = phone_key
    and (internal.normalize_phone(customer_phone), appointment_date) >= (phone_key, local_now::date) and upper(occupied) > local_now
    and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show';
end;
comment on function internal.open_bookings_of_phone(text, timestamp) is
  'The open bookings of a phone number (internal.normalize_phone) that end after a shop wall-clock time.';

create function internal.is_at_open_limit(mailbox text, phone_key text, ignored_booking_id uuid, since_event bigint default null)
  returns boolean
  -- Runs with the rights of the function's owner, because the callers have no right to read bookings and
  -- booking_events.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  local_now constant timestamp := internal.shop_now();
  open_ids uuid[] := array(
    select id from internal.open_bookings_of_mailbox(mailbox, local_now) id where id <> ignored_booking_id);
begin
  if cardinality(open_ids) < internal.most_open_bookings() then
    open_ids := array(select id from internal.open_bookings_of_phone(phone_key, local_now) id where id <> ignored_booking_id);
  end if;
  if cardinality(open_ids) < internal.most_open_bookings() then
    return false;
  end if;
  return since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed'));
end
$$;
comment on function internal.is_at_open_limit(text, text, uuid, bigint) is
  'Whether one mailbox or phone number already has five other open upcoming bookings. If since_event (the id of an '
  'event in booking_events) is given, the result is true only if the customer opened one of the five bookings after '
  'that event.';

create function internal.may_become_open(booking public.bookings) returns boolean
  -- Runs with the rights of the function's owner, because the callers have no right to read bookings and
  -- booking_events.
  language plpgsql security definer set search_path = '' as $$
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
  -- The limit of five open bookings does not apply if staff book or confirm. If staff undo a cancellation, a no-show
  -- or a completion, it applies only if the customer opened another booking since then.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;
comment on function internal.may_become_open(public.bookings) is
  'Whether a booking may become open. For a change by a visitor or customer: false if the customer already has five '
  'other open bookings. For a change by staff: false only if staff undo a cancellation, no-show or completion, and '
  'the customer has five other open bookings and opened one of them after this booking was closed.';

create function internal.digests_of_address(address text) returns internal.client_digests
  -- Runs with the rights of the function's owner, because the callers have no right to read secrets.
  language plpgsql stable security definer set search_path = '' as $$
declare
  form_key constant text := (select value from internal.secrets where name = 'form_key');
  -- An IPv4 address in IPv6 notation (::ffff:…) is treated as an IPv4 address.
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
  'The digests of the IP address of a client and of the client''s networks. If the text is not an IP address, all '
  'requests with the same text count as one client.';

create function internal.client_digests(headers jsonb) returns internal.client_digests
  language sql stable
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created. The gateway of a hosted project overwrites a client's
  -- own header cf-connecting-ip. The shop's own data service sends keyed hashes of the client and its networks, and
  -- forwards no other header of the client.
  return case when headers ? 'cf-connecting-ip' then internal.digests_of_address(headers ->> 'cf-connecting-ip')
    else row(
      sha256(convert_to(headers ->> 'x-client-address-hash', 'UTF8')),
      sha256(convert_to(headers ->> 'x-client-56-hash', 'UTF8')),
      sha256(convert_to(headers ->> 'x-client-48-hash', 'UTF8')),
      sha256(convert_to(headers ->> 'x-client-24-hash', 'UTF8')),
      -- The header x-rate-limits is ignored if the header cf-connecting-ip is present, because any client of a hosted
      -- project can send x-rate-limits.
      (headers ->> 'x-rate-limits') is distinct from 'off')::internal.client_digests
    end;
comment on function internal.client_digests(jsonb) is
  'The digests of the client''s IP address and networks, computed from the request headers.';

create function internal.lock_booking_network(client internal.client_digests) returns void
  language sql
  -- Has no search_path setting, because PostgreSQL inlines only functions without settings. None is needed: PostgreSQL
  -- resolved the names in the body when the function was created.
  return pg_advisory_xact_lock(hashtextextended(
    'booking network ' || encode(coalesce(client.network_48, client.network_24, client.address), 'hex'), 0));
comment on function internal.lock_booking_network(internal.client_digests) is
  'Locks the numbers of bookings of a client and of its networks, to which limits apply, until the transaction '
  'ends. A transaction that also locks a day or a contact locks the day and the contact first.';

create function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  -- Runs with the rights of the function's owner, because the callers have no right to read bookings.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- A booking that exceeds the limit of open bookings counts toward the maximum of held bookings. Otherwise a visitor
  -- who knows a customer's email address and phone number could hold any number of bookings.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$$;
comment on function internal.is_hold_of_known_customer(public.bookings) is
  'Whether the maximum number of held bookings does not apply to a flagged (suspicious) booking: a customer with '
  'its email address and phone number has a completed booking, and has fewer than five other open bookings.';

create function internal.begin_hold(booking public.bookings, headers jsonb) returns timestamptz
  language plpgsql set search_path = '' as $$
begin
  if internal.is_hold_of_known_customer(booking) then
    update internal.form_origins set is_of_known_customer = true where booking_id = booking.id;
  else
    perform internal.refuse_too_many_held(internal.client_digests(headers));
  end if;
  return internal.current_instant() + interval '30 minutes';
end
$$;
comment on function internal.begin_hold(public.bookings, jsonb) is
  'Returns the time until which a flagged booking is held. Refuses the booking if the maximum number of held bookings '
  'is reached, and records whether the booking counts toward this maximum.';

create function internal.reasons_to_hold(form_booking_id uuid, open_bookings integer, headers jsonb) returns text[]
  language plpgsql set search_path = '' as $$
declare
  client constant internal.client_digests := internal.client_digests(headers);
  reached_limit text := case when open_bookings >= internal.most_open_bookings() then 'many_open_bookings' end;
  reasons text[] := '{}';
begin
  if client.is_limited then
    perform internal.lock_booking_network(client);
    reached_limit := coalesce(reached_limit, internal.reached_booking_limit(client));
  end if;
  if form_booking_id is not null then
    reasons := internal.record_form(headers, client, form_booking_id, null, client.is_limited and reached_limit is null);
  end if;
  -- If the form looks automated, a reached limit of visitor_booking_limits is not added as a further reason.
  if reached_limit = 'many_open_bookings' or (reached_limit is not null and reasons = '{}') then
    reasons := reasons || reached_limit;
  end if;
  return reasons;
end
$$;
comment on function internal.reasons_to_hold(uuid, integer, jsonb) is
  'The reasons to hold a booking that is about to be inserted: the form of the visitor looks automated, the customer '
  'has five other open bookings, or the client has reached a limit; empty for an ordinary booking. Also records the '
  'origin of the form for the booking with the id form_booking_id.';

create function internal.refuse_too_many_held(client internal.client_digests) returns void
  language plpgsql set search_path = '' as $$
declare
  -- The maximum numbers of held bookings prevent automated bookings from filling the calendar.
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
  'Refuses (TT041) another flagged (suspicious) booking while ten bookings are held until confirmation, or three '
  'bookings from the client''s network (IPv6 /48 or IPv4 /24). Held bookings of known customers do not count.';
