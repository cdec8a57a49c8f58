-- Stores the use of a form token in the row of the form's origin, which is now inserted before its booking or quote
-- request, and leaves bookings without a search text out of their index.

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP TRIGGER "t10_record_form_origin" ON "public"."quote_requests";

DROP INDEX "internal"."form_origins_by_token";

DROP INDEX "public"."bookings_by_search_text";

ALTER TABLE "internal"."form_origins" DROP CONSTRAINT "form_origins_are_of_one_record";

ALTER TABLE "internal"."form_origins" DROP CONSTRAINT "form_origins_booking_id_fkey";

ALTER TABLE "internal"."form_origins" DROP CONSTRAINT "form_origins_quote_request_id_fkey";

DROP FUNCTION "internal"."flag_over_limits"(text[], integer, jsonb);

DROP FUNCTION "internal"."reasons_to_flag_form"(jsonb);

DROP FUNCTION "internal"."form_token_problem"(text);

DROP FUNCTION "internal"."record_form_origin"();

ALTER TABLE "internal"."form_origins" ADD COLUMN "first_use" boolean;

create or replace function internal.accept_booking() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With these settings, each connection plans the statements once instead of for every call, and a plan made while a
  -- table is small does not read the whole table after the table has grown.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
    -- The job that links the booking writes its search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- Bookings by staff have no limits.
  if not is_admin then
    new.flagged_reasons := internal.reasons_to_hold(case tg_argv[0] when 'visitor' then new.id end, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$$;

create or replace function internal.begin_hold(booking public.bookings, headers jsonb) returns timestamptz
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

create or replace function internal.erase_customer_rows(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.forget_form_origins(array(
    select id from public.bookings where customer_id = any (customer_ids)
    union all select id from public.quote_requests where customer_id = any (customer_ids)));
  -- The new link_version makes links to the visit page invalid.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, internal_note = null, vehicle_color = null,
      link_version = link_version + 1
  where customer_id = any (customer_ids);
  update public.estimates set link_version = link_version + 1 where customer_id = any (customer_ids);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where customer_id = any (customer_ids);
  update public.vehicles set plate = null, vin = null, color = null, internal_note = null where customer_id = any (customer_ids);
  delete from public.customer_notes where customer_id = any (customer_ids);
  delete from public.customer_contact_methods where customer_id = any (customer_ids);
  update public.customers set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (customer_ids);
  update public.payments set note = null
  where note is not null and (invoice_id in (select invoice_id from public.invoices where customer_id = any (customer_ids))
    or estimate_id in (select id from public.estimates where customer_id = any (customer_ids)));
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$$;

create or replace function internal.find_bookings_by_words(search text) returns setof public.bookings
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  max_rows constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index finds one or two letters; they are looked for among the latest bookings.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      max_rows, conditions)
    else format('select * from public.bookings where search_text <> '''' and %s limit %s', conditions, max_rows)
  end;
end
$$;

create or replace function internal.flag_suspicious_form() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to call record_form.
  language plpgsql security definer set search_path = '' as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  -- No rule counts the quote requests of a network, so the networks of the client are not stored.
  new.flagged_reasons := internal.record_form(
    headers, row(internal.address_digest(headers), null, null, null, false), null, new.id, false);
  return new;
end
$$;

create or replace function internal.forget_form_origin() returns trigger
  -- Runs with its owner's rights, because the role that deletes the row has no right to call forget_form_origins.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.forget_form_origins(array[old.id]);
  return null;
end
$$;

create or replace function internal.forget_form_origins(record_ids uuid[]) returns void
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

create or replace function internal.problem_of_refused_token(token text, age interval) returns text
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

create or replace function internal.reasons_to_hold(form_booking_id uuid, open_bookings integer, headers jsonb) returns text[]
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
  -- A cap is no further reason to hold a form that looks automated.
  if reached_limit = 'many_open_bookings' or (reached_limit is not null and reasons = '{}') then
    reasons := reasons || reached_limit;
  end if;
  return reasons;
end
$$;

create or replace function internal.record_booking_of_visitor() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to write booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after)
  values (new.id, 'booked', 'visitor', 'visitor',
          internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)))
  returning id into recorded_id;
  -- PostgreSQL commits transactions that notify one after the other. The job that links the booking later notifies the dashboards.
  if new.customer_id is not null then
    perform internal.announce_booking(new.id, recorded_id);
  end if;
  return null;
end
$$;

create or replace function internal.record_form(
  headers jsonb, client internal.client_digests, booking_id uuid, quote_request_id uuid, is_counted boolean
) returns text[]
  language plpgsql set search_path = '' as $$
declare
  token constant text := coalesce(headers ->> 'x-form-token', '');
  -- Visitors do not see the hidden field of the form; programs that fill in every field do.
  hidden_field constant text := case when headers ->> 'x-form-website' <> '' then 'hidden_field_filled' end;
  age interval;
begin
  -- Only a text of this format can be converted to a number. The signature proves the format of the rest.
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

create or replace function internal.search_customers(term text, max_rows integer) returns setof uuid
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.customer_search_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- The pattern for names that begin with the word.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, search_text, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where customer_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.customers where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index finds one or two letters within a name; they are looked for among the latest customers.
    case when longest < 3 then format('(select * from public.customers order by created_at desc limit %s)', latest) else 'public.customers' end,
    internal.search_conditions(words),
    case when is_one_word and longest >= 3 then format(
      'union all select customers.* from (select distinct customer_id from public.customer_contact_methods where %s limit %s) contact
       join public.customers on customers.id = contact.customer_id and merged_into is null and erased_at is null',
      replace(internal.search_conditions(words), 'search_text', 'match_key'), candidates) || case when words[1] like '%@%' then format(
        -- Customers under whose name the address was typed online, although it is not confirmed.
        ' union all select customers.* from (
           (select customer_id from public.bookings where search_text <> '''' and %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$$;

create or replace function public.find_bookings(search text) returns setof public.bookings
  -- Runs with its owner's rights, because under row-level security an operator that is not leakproof, such as `like`,
  -- cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := (
    select string_agg(internal.search_condition(word), ' and ') from unnest(internal.search_words(search)) as word
  );
begin
  if not internal.is_admin() then
    return;
  end if;
  return query execute 'select * from public.bookings where ' || coalesce('search_text <> '''' and ' || conditions, 'true');
end
$$;

-- Used tokens remain used. The form that used a token first has the time of the use; one of several with this time
-- counts as the first.
with first_forms as (
  select distinct on (origin.token_digest) origin.ctid as place
  from internal.form_token_uses token join internal.form_origins origin using (token_digest)
  where origin.created_at = token.used_at)
update internal.form_origins set first_use = true where ctid in (select place from first_forms);

ALTER TABLE "internal"."form_origins" ADD CONSTRAINT "form_origins_are_of_one_record" CHECK (((num_nonnulls(booking_id, quote_request_id) = 1) OR ((first_use IS NOT NULL) AND (num_nonnulls(booking_id, quote_request_id) = 0))));

CREATE UNIQUE INDEX form_origins_by_token ON internal.form_origins USING btree (token_digest, first_use) WHERE (token_digest IS NOT NULL);

-- The tokens whose booking or quote request was deleted.
insert into internal.form_origins (token_digest, first_use, created_at)
select token_digest, true, used_at from internal.form_token_uses
on conflict (token_digest, first_use) where token_digest is not null do nothing;

drop table internal.form_token_uses;

CREATE INDEX bookings_by_search_text ON public.bookings USING gin (search_text extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256') WHERE (search_text <> ''::text);

CREATE TRIGGER t40_forget_form_origin AFTER DELETE ON public.bookings FOR EACH ROW EXECUTE FUNCTION internal.forget_form_origin();

CREATE TRIGGER t40_forget_form_origin AFTER DELETE ON public.quote_requests FOR EACH ROW EXECUTE FUNCTION internal.forget_form_origin();

COMMENT ON COLUMN "internal"."form_origins"."booking_id" IS 'No foreign key: the row is inserted before the booking, in the same transaction. forget_form_origin runs when the booking is deleted.';

COMMENT ON COLUMN "internal"."form_origins"."first_use" IS 'True for the form that used a valid token first; null for every other form, so that the unique index accepts many of them.';

COMMENT ON COLUMN "internal"."form_origins"."quote_request_id" IS 'No foreign key, as for booking_id.';

COMMENT ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) IS 'Until when a flagged booking is held; refuses the booking when too many are held. Records whether it counts among them.';

COMMENT ON FUNCTION "internal"."flag_suspicious_form"() IS 'Records the origin of the form of a quote request, and flags a form that looks automated. It refuses no form.';

COMMENT ON FUNCTION "internal"."forget_form_origin"() IS 'Removes the origin of the form of a deleted booking or quote request.';

COMMENT ON FUNCTION "internal"."forget_form_origins"(uuid[]) IS 'Removes the origins of the forms of bookings and quote requests. Of a form that used a valid token, only the use of the token is kept.';

COMMENT ON FUNCTION "internal"."problem_of_refused_token"(text, interval) IS 'Why a form token is not accepted: missing, invalid, or valid but used before. The age is null for a token of another format.';

COMMENT ON FUNCTION "internal"."reasons_to_hold"(uuid, integer, jsonb) IS 'The reasons to hold a booking that is about to be inserted: its form (of a visitor) looks automated, its customer has five other open bookings, or its client has reached a cap; none for an ordinary booking. Records the form of the booking form_booking_id.';

COMMENT ON FUNCTION "internal"."record_booking_of_visitor"() IS 'Writes the first event of a visitor''s booking, and notifies the open dashboards unless the booking is linked later.';

COMMENT ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) IS 'Records the origin of a visitor''s form, whose record is about to be inserted, and marks its form token as used. Returns the reasons why the form looks automated, which is then not counted; none for an ordinary form. A form token has the format ''milliseconds.nonce.signature'' and is signed by server/features/form-guard.';

COMMENT ON TABLE "internal"."form_origins" IS 'The origin of a visitor''s form: digests of its form token, of the client''s address and of the networks around it. Kept for 25 hours, because a form token is valid for 24 hours and for one form. A token remains used when its record is deleted.';

REVOKE ALL ON FUNCTION "internal"."forget_form_origin"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."forget_form_origin"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."forget_form_origin"() TO "postgres";

REVOKE ALL ON FUNCTION "internal"."forget_form_origins"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."forget_form_origins"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."forget_form_origins"(uuid[]) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."problem_of_refused_token"(text, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."problem_of_refused_token"(text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."problem_of_refused_token"(text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."reasons_to_hold"(uuid, integer, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."reasons_to_hold"(uuid, integer, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."reasons_to_hold"(uuid, integer, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) TO "postgres";
