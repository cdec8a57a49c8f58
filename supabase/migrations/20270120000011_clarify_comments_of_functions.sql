-- Clarifies the comments of tables, columns and functions, and the comments inside functions.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.accept_booking() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements once instead of for every call. With
  -- `enable_seqscan = off`, a plan that was made while a table was small does not read the whole table after the table
  -- has grown.
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
  -- A visitor must not lock several days in one transaction, because two such transactions could deadlock.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if new.status <> 'confirmed' or new.customer_email is null
     or (trim(new.vehicle_year) <> '' and trim(new.vehicle_make) <> '' and trim(new.vehicle_model) <> '') is not true then
    perform internal.refuse_incomplete_booking(new);
  end if;
  -- Without the lock of the day, concurrent inserts for overlapping times deadlock instead of failing with a conflict.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- For speed, one statement reads the data for all other rules, after the locks, so that the data are current.
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
    -- If the booking is linked to its customer later, the linking job also writes the booking's search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- The limits on automated bookings do not apply to bookings by staff.
  if not is_admin then
    new.flagged_reasons := internal.reasons_to_hold(case tg_argv[0] when 'visitor' then new.id end, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$$;

create or replace function internal.accept_staff_invitation(
  invitation_id uuid, new_user_id uuid, accepted_username text, with_password boolean
) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to add employees.
  language plpgsql security definer set search_path = '' as $$
declare
  invitation public.staff_invitations;
  known_employee uuid;
begin
  -- If an invitation is accepted twice at the same time, the second transaction waits until the first one ends. The
  -- second update then finds no row, because the invitation has been used.
  update public.staff_invitations set used_at = now()
  where id = invitation_id and used_at is null and taken_back_at is null and expires_at > now() returning * into invitation;
  if not found then
    return false;
  end if;
  if invitation.account_id is not null then
    update public.staff_accounts
    set is_active = true, email = coalesce(email, invitation.email), needs_code_app = with_password
    where user_id = invitation.account_id;
    perform internal.end_code_app(invitation.account_id, null);
    return true;
  end if;
  update public.employees set is_active = true
  where lower(email) = invitation.email and not exists (select from public.staff_accounts where employee_id = employees.id)
  returning id into known_employee;
  if known_employee is null then
    insert into public.employees (name, email) values (invitation.name, invitation.email)
    on conflict (email) do nothing returning id into known_employee;
  end if;
  insert into public.staff_accounts (user_id, username, role, name, email, employee_id, needs_code_app)
  values (new_user_id, accepted_username, invitation.role, invitation.name, invitation.email, known_employee, with_password);
  return true;
end
$$;

create or replace function internal.bay_can_do_service(bay uuid, service uuid) returns boolean
  language plpgsql stable set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements once instead of for every call.
  set plan_cache_mode = force_generic_plan as $$
begin
  -- The subquery returns null if the bay has no row in bay_services or the argument service is null.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;

create or replace function internal.begin_sample_week() returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to call has_real_records.
  language plpgsql security definer set search_path = '' as $$
declare
  week uuid;
begin
  -- The calendar lock prevents a visitor from booking after the check for real records, until the transaction ends.
  perform internal.lock_calendar();
  if internal.has_real_records() then
    return null;
  end if;
  update internal.onboarding set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$$;

create or replace function internal.bookings_to_remind(max_rows integer) returns setof public.bookings
  -- Runs with the rights of the function's owner, because the server has no right to read booking_events.
  language sql stable security definer set search_path = '' as $$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_quiet_hours()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Omits a booking that is not linked to its customer yet, because the customer's setting for reminders is not
    -- known.
    and booking.customer_id is not null and internal.gets_reminders(booking.customer_id)
    -- No reminder is sent for a booking that was booked, confirmed, reopened or moved today after reminder_time.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- If only the duration of the booking changed, the customer gets no second reminder.
    and not exists (
      select from public.emails email
      where email.booking_id = booking.id and email.kind = 'booking_reminder'
        and email.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
  limit max_rows
$$;

create or replace function internal.claim_replacement_invoices() returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and customers.
  language sql security definer set search_path = '' as $$
  with due as (
    update public.replacement_invoices known
    set attempts = known.attempts + 1, next_attempt_at = now() + least(10 * 2 ^ least(known.attempts, 12), 3600) * interval '1 second'
    where known.id in (
      select waiting.id from public.replacement_invoices waiting
      where waiting.invoice_id is null and waiting.next_attempt_at <= now()
      order by waiting.requested_at limit 20 for update skip locked)
    returning known.*
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'requestId', due.id, 'originalNumber', coalesce(invoice.number, invoice.invoice_id), 'amountCents', due.amount_cents,
    -- The line that removes a wrongly recorded deposit from the invoice has no cause, so its cause is returned as
    -- 'recorded_wrongly'.
    'cause', coalesce(reversal.cause, 'recorded_wrongly'), 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
$$;

create or replace function internal.confirm_email(wanted_customer_id uuid, email text, changed_by_name text) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.add_contact_methods(wanted_customer_id, confirm_email.email, null, true);
  update public.customer_contact_methods contact set confirmed_by_name = left(changed_by_name, 100)
  where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(confirm_email.email));
  -- Updates the customer even if no value changes, so that a trigger of the table notifies the open dashboards.
  update public.customers known set email = coalesce(known.email, trim(confirm_email.email)) where known.id = wanted_customer_id;
end
$$;

create or replace function internal.confirm_held_booking(booking_id uuid) returns text
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

create or replace function internal.delete_merges(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  with deleted as (
    select id from public.merges where survivor_id = any (customer_ids) or duplicate_id = any (customer_ids)
  )
  delete from public.merges merge using deleted where deleted.id in (merge.id, merge.parent_merge_id);
  delete from public.merges merge using public.vehicles survivor, public.vehicles duplicate
  where merge.kind = 'vehicle' and merge.parent_merge_id is null and survivor.id = merge.survivor_id and duplicate.id = merge.duplicate_id
    and (survivor.customer_id = any (customer_ids) or duplicate.customer_id = any (customer_ids));
  -- Another customer's merge may have merged a vehicle that the erased customer owns now. This merge can still be
  -- undone, but the unmerge restores no values of the vehicle.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$$;

create or replace function internal.end_data_session() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- In a hosted Supabase project, the owner of this function may have no right to delete sessions. The server then
  -- ends the session with the API of the auth service.
  return null;
end
$$;

create or replace function internal.erase_customer(
  customer_id uuid, seen_version integer, changed_by_name text, left_out text[] default '{}'
) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to write erasures.
  language plpgsql security definer set search_path = '' as $$
declare
  customer public.customers;
  merged_ids uuid[];
  retained_records jsonb;
  counts jsonb;
  changed_texts integer;
  email_ids uuid[];
begin
  perform internal.lock_calendar();
  merged_ids := internal.list_merged_customers(erase_customer.customer_id);
  -- Every function that changes these records takes the locks in the same order: estimates, bookings without a
  -- customer, contact keys, customers.
  perform from public.estimates estimate where estimate.customer_id = any (merged_ids) or estimate.customer_id is null order by id for update;
  perform from public.bookings where bookings.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(merged_ids) || internal.list_contact_keys_to_link());
  -- While the calendar is locked, no other transaction adds or links a booking. The next statement therefore links
  -- every booking that has no customer yet.
  if exists (select from internal.link_new_bookings(1000, '{}') where problem is not null) then
    raise exception 'A booking cannot be linked to its customer, so the erasure could miss its data.';
  end if;
  customer := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(customer.id);
  if internal.list_open_records(customer.id) <> '[]' then
    raise exception 'This customer has open records.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(customer.id)::text;
  end if;
  retained_records := internal.list_retained_records(customer.id);
  counts := internal.count_customer_records(customer.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- The texts are redacted before the customers' records are changed, because these records contain the names and
  -- contacts that the function erase_texts searches for.
  changed_texts := internal.erase_texts(merged_ids, left_out);
  -- Redacting a setting adds a row to the history of settings, so the history is redacted afterwards.
  perform internal.erase_texts(merged_ids, left_out, 'public.settings_history');
  perform internal.delete_merges(merged_ids);
  email_ids := internal.erase_customer_emails(merged_ids);
  perform internal.erase_customer_estimates(merged_ids, internal.shop_now()::date);
  perform internal.erase_customer_rows(merged_ids);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    customer.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), retained_records,
    (select max((record ->> 'retainedUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$$;

create or replace function internal.find_bay_for_reopened_booking(booking public.bookings) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  -- The booking keeps its own bay if the bay is free and active, even if the bay's hours have changed since.
  if not internal.is_bay_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.find_bay_for_staff(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.find_free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;

create or replace function internal.find_customer_by_email(email_key text, name text) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select customer.id
    from public.customer_contact_methods contact join public.customers customer on customer.id = contact.customer_id
    where contact.kind = 'email' and contact.match_key = email_key and customer.merged_into is null
    -- Several customers can have the same email address, for example after a booking was split from its customer. In
    -- this case the customer with the best-matching name is chosen.
    order by lower(customer.name) = lower(find_customer_by_email.name) desc, internal.names_agree(customer.name, find_customer_by_email.name) desc,
             customer.created_at, customer.id
    limit 1
  );
end
$$;

create or replace function internal.find_customer_by_phone(phone_key text, name text, has_email boolean) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    with latest as materialized (
      -- Hundreds of customers can have typed the same number, for example a fake one; reading at most 50 rows limits
      -- the cost.
      select customer_id from public.customer_contact_methods where kind = 'phone' and match_key = phone_key order by id desc limit 50
    ),
    known as (
      select distinct customer.id, customer.created_at,
             lower(customer.name) = lower(find_customer_by_phone.name) as is_name,
             internal.names_agree(customer.name, find_customer_by_phone.name) as agrees,
             has_email and exists (
               select from public.customer_contact_methods address where address.customer_id = customer.id and address.kind = 'email') as has_another
      from latest join public.customers customer on customer.id = latest.customer_id
      where customer.merged_into is null
    )
    select id from known
    where case
      -- The customer has another email address than the record, so the record may be of a relative with the same phone
      -- number. Such a customer matches only if no other customer with the number has a matching name.
      when has_another then
        is_name and (select count(*) from known where is_name) = 1 or agrees and (select count(*) from known where agrees) = 1
      else agrees or (not has_email and (select count(*) from known) = 1)
    end
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$$;

create or replace function internal.find_vehicle(wanted_customer_id uuid, vehicle internal.vehicle_details) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select known.id from public.vehicles known
    where known.customer_id = wanted_customer_id and known.merged_into is null
      and (known.vin = vehicle.vin or known.plate_key = internal.plate_key(vehicle.plate)
           or known.vehicle_key = internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model)
              -- Two vehicles of the same year, make and model are different vehicles if their VINs or plates differ.
              and coalesce(known.vin = vehicle.vin, true) and coalesce(known.plate_key = internal.plate_key(vehicle.plate), true))
    order by known.vin = vehicle.vin desc nulls last, known.plate_key = internal.plate_key(vehicle.plate) desc nulls last,
             known.created_at desc, known.id
    limit 1
  );
end
$$;

create or replace function internal.flag_suspicious_form() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
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

create or replace function internal.hand_over_drafts(booking public.bookings) returns void
  language sql set search_path = '' as $$
  -- All estimates of the repair get the customer of the booking, also an estimate that was created for the quote
  -- request.
  update public.estimates draft
  set booking_id = coalesce(draft.booking_id, booking.id), customer_name = left(booking.customer_name, 100),
      customer_email = case when internal.is_email_address(booking.customer_email) then booking.customer_email else '' end,
      customer_phone = booking.customer_phone,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.repair_id = booking.repair_id
$$;

create or replace function internal.has_lasting_deposit(wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.payments line
    where line.estimate_id = wanted_id and line.kind = 'payment' and not exists (
      select from public.payments reversal
      -- If the bank returns the check of a deposit that was applied to an invoice, the reversal refers to the ledger
      -- line that applied the deposit, not to the payment.
      left join public.payments applied on applied.id = reversal.original_id and applied.kind = 'applied_deposit'
      where coalesce(applied.original_id, reversal.original_id) = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;

create or replace function internal.increment_booking_version() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
  -- booking_state.
  language plpgsql security definer set search_path = '' as $$
declare
  -- An update does not increment the version if it changes internal_note, notified_starts_at or notified_cancelled,
  -- but no column outside this list. The list also contains generated columns, because PostgreSQL computes them only
  -- after the before triggers.
  apart constant text[] := array[
    'internal_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.internal_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.internal_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_changed_at := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;

create or replace function internal.is_known_customer(email text, phone text) returns boolean
  -- Runs with the rights of the function's owner, because the roles that call it have no right to read
  -- customer_contact_methods, customers and bookings.
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.customer_contact_methods address
    join public.customer_contact_methods number
      on number.customer_id = address.customer_id and number.kind = 'phone' and number.match_key = internal.normalize_phone(is_known_customer.phone)
    join public.customers customer on customer.id = address.customer_id and customer.merged_into is null and customer.erased_at is null
    where address.kind = 'email' and address.match_key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- A booking of the sample week does not count. The contacts of the sample customers are public, so any visitor
        -- can enter them.
        where done.customer_id = customer.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;

create or replace function internal.is_respelled(former text, corrected text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(trim(former), '') = '' or coalesce((
    -- A word that contains a digit or has at most three letters must be the same in both texts, because such words
    -- distinguish models: F-150 and F-250, GLC and GLE.
    select bool_and(old.word = new.word
      or old.word !~ '[0-9]' and new.word !~ '[0-9]' and length(old.word) > 3 and extensions.similarity(old.word, new.word) >= 0.33)
    from (select regexp_replace(word, '[^[:alnum:]]', '', 'g') as word, place
          from regexp_split_to_table(internal.normalize_search_text(former), '[[:space:]]+') with ordinality each (word, place)) old
    join (select regexp_replace(word, '[^[:alnum:]]', '', 'g') as word, place
          from regexp_split_to_table(internal.normalize_search_text(corrected), '[[:space:]]+') with ordinality each (word, place)) new using (place)
  ), false)
$$;

create or replace function internal.is_their_email(wanted_customer_id uuid, email text) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  email_key constant text := lower(trim(email));
begin
  return exists (
    select from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = email_key
      and (contact.confirmed_at is not null
        -- An address that nobody confirmed also belongs to the customer if it is the customer's main email address and
        -- was entered in an active booking or in a quote request that is not flagged.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.customer_id = wanted_customer_id
                  and lower(trim(booking.customer_email)) = email_key and internal.is_active_booking(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$$;

create or replace function internal.keep_bay_hours() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write bay_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  today date;
  last_day date;
begin
  -- Without this lock, two transactions that change the hours at the same time would each compute bay_hours without
  -- the other's change. The lock is taken first, so that the statements below see what the other transaction
  -- committed.
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
$$;

create or replace function internal.keep_invoice_lines(wanted_invoice_id text, lines jsonb) returns void
  language sql set search_path = '' as $$
  insert into public.invoice_lines (invoice_id, position, description, cents, tax_cents)
  select wanted_invoice_id, line.position, line.description, line.cents, line.tax_cents
  from (
    select given.position, (given.value ->> 'cents')::bigint as cents, (given.value ->> 'tax_cents')::bigint as tax_cents,
      case when internal.is_single_line_text(given.value ->> 'description', 1, 500)
        and not internal.contains_card_number(given.value ->> 'description')
        then given.value ->> 'description' else 'Line ' || given.position end as description,
      sum((given.value ->> 'cents')::bigint) over () as total, min((given.value ->> 'cents')::bigint) over () as least, count(*) over () as lines
    from jsonb_array_elements(case when jsonb_typeof(lines) = 'array' then lines end) with ordinality given (value, position)
  ) line
  join public.invoices invoice on invoice.invoice_id = wanted_invoice_id and invoice.total_cents = line.total
  where line.least >= 0 and line.lines <= 1000
    and not exists (select from public.estimate_invoices claim where claim.invoice_id = wanted_invoice_id)
    -- Finds the claim of an estimate also by the invoice number, because the claim contains the id of the invoice only
    -- after the invoice was linked.
    and not exists (
      select from internal.assigned_invoice_numbers assigned join public.estimate_invoices claim on claim.id::text = assigned.request_id
      where assigned.number = invoice.number)
    and not exists (select from public.invoice_lines known where known.invoice_id = wanted_invoice_id)
  on conflict do nothing
$$;

create or replace function internal.limit_data_sessions() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  update auth.sessions set not_after = internal.session_ends_at(cookie.expires_at, cookie.last_used_at)
  from internal.admin_data_sessions linked join internal.admin_sessions cookie using (token_hash)
  where sessions.id = linked.data_session_id and linked.token_hash = new.token_hash;
  return null;
exception when insufficient_privilege then
  -- In a hosted Supabase project, the owner of this function may have no right to update sessions. A data session then
  -- ends when its dashboard session ends.
  return null;
end
$$;

create or replace function internal.link_booking() returns trigger
  language plpgsql
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
  -- find_or_create_customer, booking_customer_details and other functions.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
begin
  new.customer_id := internal.find_or_create_customer(
    internal.booking_customer_details(new, internal.booking_event_source('booked') = 'visitor'));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The trigger does not refuse an invalid booking, but leaves it without a customer. The check constraints of the
  -- table then report the violation.
  new.customer_id := null;
  return new;
end
$$;

create or replace function internal.link_invoice(invoice jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  -- The original invoice, if the given invoice replaces another one.
  replaced public.invoices;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  tax constant bigint := (invoice ->> 'tax_cents')::bigint;
  due constant date := (select (to_timestamp((invoice ->> 'due_at')::bigint) at time zone time_zone)::date from public.shop);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  -- An update does not change a stored tax amount or due date, because these values of an invoice do not change at
  -- Stripe.
  update public.invoices known
  set number = invoice ->> 'number', status = invoice ->> 'status', tax_cents = coalesce(known.tax_cents, tax),
    due_date = coalesce(known.due_date, due), remaining_at_stripe_cents = (invoice ->> 'remaining_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  select original.* into replaced
  from internal.assigned_invoice_numbers assigned
  join public.replacement_invoices known on known.id::text = assigned.request_id
  join public.invoices original on original.invoice_id = known.original_invoice_id
  where assigned.number = invoice ->> 'number';
  owner_id := coalesce(estimate.customer_id, replaced.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, tax_cents, due_date,
    remaining_at_stripe_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', owner_id, coalesce(estimate.vehicle_id, replaced.vehicle_id),
    coalesce(estimate.booking_id, replaced.booking_id), name,
    (invoice ->> 'total_cents')::bigint, tax, due, (invoice ->> 'remaining_cents')::bigint, invoice ->> 'currency',
    invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
  perform internal.keep_invoice_lines(invoice ->> 'id', invoice -> 'lines');
end
$$;

create or replace function internal.list_deposit_records(
  after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, estimate_number text,
    invoice_number text, customer text, method text, reference text, amount_cents integer, recorded_by text, payment_id uuid
  )
  -- Runs with the rights of the function's owner, because the server has no right to read estimates and invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    case when line.kind = 'applied_deposit' and line.amount_cents < 0 then 'unapplied_deposit' else line.kind end,
    coalesce(estimate.number, deposit.estimate_id::text), coalesce(invoice.number, line.invoice_id), estimate.customer_name,
    line.method, line.reference, case line.kind when 'applied_deposit' then -line.amount_cents else line.amount_cents end,
    internal.staff_name_at(line.recorded_by_name, line.recorded_at), deposit.id
  from public.payments line
  cross join public.shop
  left join public.payments original on original.id = line.original_id
  -- Some lines refer to the deposit through another ledger line: the reversal of a refund, and the removal of a
  -- deposit from its invoice.
  join public.payments deposit on deposit.id = coalesce(original.original_id, original.id, line.id)
  left join public.estimates estimate on estimate.id = deposit.estimate_id
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.estimate_id is not null or line.kind = 'applied_deposit') and line.currency = 'usd'
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

create or replace function internal.list_ledger_records(
  wants_payments boolean, after_date date, after_paid_at timestamptz, after_id uuid, until date, max_rows integer
)
  returns table (
    id uuid, business_date date, paid_at timestamptz, paid_date date, paid_time time, kind text, invoice_number text, customer text,
    method text, reference text, amount_cents integer, rounding_cents integer, currency text, recorded_by text,
    payment_id uuid, payment_date date, payment_method text, payment_reference text
  )
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    line.kind, coalesce(invoice.number, line.invoice_id, estimate.number, line.estimate_id::text),
    coalesce(invoice.customer_name, estimate.customer_name), line.method, line.reference, line.amount_cents,
    (select coalesce(sum(rounding.amount_cents), 0)::integer from public.payments rounding
     where rounding.original_id = line.id and rounding.kind = 'cash_rounding' and rounding.paid_at = line.paid_at),
    line.currency, internal.staff_name_at(line.recorded_by_name, line.recorded_at), payment.id, payment.business_date, payment.method, payment.reference
  from public.payments line
  cross join public.shop
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  left join public.estimates estimate on estimate.id = line.estimate_id
  left join public.payments original on original.id = line.original_id
  -- The reversal of a refund refers to the refund, and the refund refers to the payment.
  left join public.payments payment on payment.id = coalesce(original.original_id, original.id)
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.kind = 'payment') = wants_payments and line.kind <> 'applied_deposit'
    and (line.kind <> 'cash_rounding' or line.paid_at <> payment.paid_at)
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

create or replace function internal.list_reschedule_times(booking_id uuid, day date) returns setof time
  -- Runs with the rights of the function's owner, because the server has no right to call open_spans,
  -- bay_can_do_service and other functions.
  language sql stable security definer set search_path = '' as $$
  with possible as materialized (
    select bay.id as bay_id, start, booking.id as booking_id, booking.duration_minutes, booking.service_id
    from public.bookings booking, public.booking_rules rules, public.bays bay,
         unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                         rules.slot_interval_minutes * interval '1 minute') start
    where booking.id = list_reschedule_times.booking_id and bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
  ), candidates as materialized (
    -- This subquery is materialized, so that PostgreSQL removes duplicate times before it checks the rules for each
    -- time.
    select distinct start, duration_minutes, service_id from possible
  ), allowed as materialized (
    select start from candidates
    where internal.booking_refusal(day, start::time, duration_minutes, service_id) is null
  )
  select distinct start::time from possible join allowed using (start)
  where not internal.is_bay_taken(bay_id, internal.booking_range(day, start::time, duration_minutes), possible.booking_id)
  order by 1
$$;

create or replace function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  -- Runs with the rights of the function's owner, because the server has no right to call booking_refusal.
  language sql stable security definer set search_path = '' as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_reschedule_times(list_taken_times.booking_id, day))
    -- Omits times that a rule refuses, for example past times, because another booking is not the reason why they are
    -- unavailable.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$$;

create or replace function internal.list_undelivered_emails() returns setof public.emails
  -- The expected number of rows (`rows 10`) lets the planner use indexes for joins.
  language sql stable rows 10 set search_path = '' as $$
  select failed.*
  from public.emails failed
  left join public.bookings booking on booking.id = failed.booking_id
  left join public.quote_requests quote on quote.id = failed.quote_request_id
  where failed.status = 'failed' and failed.kind not in ('owner_notice', 'test_message')
    and failed.created_at > internal.current_instant() - interval '60 days'
    and (failed.booking_id is not null or failed.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.email_outdated_reason(failed) is null
    and not (failed.kind = 'quote_confirmation' and quote.status = 'completed')
    -- Each of the three conditions uses its own index. A single combined condition would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$$;

create or replace function internal.lock_calendar_before_status_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
  -- lock_calendar.
  language plpgsql security definer set search_path = '' as $$
begin
  -- The calendar lock is taken before any row is locked. A database function that changes the status has taken this
  -- lock already; it is still missing if the admin writes the status directly.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;

create or replace function internal.lock_contact_keys(keys text[]) returns void
  language plpgsql set search_path = '' as $$
begin
  -- Locks are taken in ascending order, so that no two transactions deadlock. There are only 512 locks, so that even a
  -- transaction with 100,000 rows does not fill PostgreSQL's lock table. Two concurrent bookings seldom need the same
  -- lock.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$$;

create or replace function internal.may_become_open(booking public.bookings) returns boolean
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

create or replace function internal.move_booking_by_customer(booking_id uuid, seen_sequence integer, new_date date, new_time time)
  returns internal.action_outcome
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- The booking may already have the new time, for example after a second click or because the customer's page was
  -- outdated.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.customer_change_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.find_bay_for_customer(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, conflict_accepted_at = null, conflict_accepted_by = null
  where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('moved');
end
$$;

create or replace function internal.normalize_phone(phone text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Extracts the digits faster than a regular expression: the inner translate returns all characters that are not
  -- digits, and the outer translate removes these characters.
  digits constant text := translate(phone, translate(phone, '0123456789', ''), '');
begin
  return case
    when length(digits) = 11 and digits like '1%' then right(digits, 10)
    when length(digits) >= 7 then digits
  end;
end
$$;

create or replace function internal.place_edited_booking(booking public.bookings, edited public.bookings) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  wanted constant tsrange := internal.booking_range(edited.appointment_date, edited.appointment_time, edited.duration_minutes);
  warnings text[] := '{}';
begin
  if wanted <> booking.occupied or edited.service_id <> booking.service_id then
    -- A booking without a bay gets a bay only if its start changes.
    if booking.bay_id is not null or lower(wanted) <> lower(booking.occupied) then
      edited.bay_id := internal.choose_bay(wanted, edited.service_id, null, booking.bay_id, booking.id);
    end if;
    warnings := internal.booking_warnings(wanted, edited.bay_id);
    edited.conflict_accepted_at := case when internal.is_placed_outside_hours(edited.bay_id, warnings) then internal.current_instant() end;
    edited.conflict_accepted_by := case when internal.is_placed_outside_hours(edited.bay_id, warnings) then internal.author_name(null) end;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('edited', true, 'warnings', warnings));
  return edited;
end
$$;

create or replace function internal.plan_refund(payment public.payments, invoice public.invoices, amount integer, part_keys text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  available constant bigint := internal.left_cents(payment);
  rounding constant bigint := (
    select coalesce(sum(line.amount_cents), 0) from public.payments line where line.original_id = payment.id and line.kind = 'cash_rounding');
  -- The sum of the parts of the invoice that staff chose; null if staff chose no parts.
  chosen bigint;
  refund bigint;
  credit bigint;
begin
  if part_keys is not null then
    select sum(part.left_cents) into chosen from internal.invoice_parts(invoice) part
    where part.part_key = any (part_keys) having bool_and(part.left_cents > 0) and count(*) = cardinality(part_keys);
  end if;
  refund := case when part_keys is null then amount when chosen = available + rounding then available else chosen end;
  credit := refund + case when refund = available then rounding else 0 end;
  if part_keys is not null and (chosen is null or credit <> chosen or amount <> refund) then
    raise exception 'A part of the invoice has another amount left.' using errcode = 'TT103', hint = 'parts_changed';
  end if;
  if refund is null or refund < 1 or refund > available then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', available)::text;
  end if;
  return (
    select jsonb_build_object('refundCents', refund, 'creditCents', credit, 'taxCents', coalesce(sum(share.tax_cents), 0),
      'parts', coalesce(jsonb_agg(jsonb_build_object('title', share.title, 'amountCents', share.amount_cents, 'taxCents', share.tax_cents)
        order by share.place) filter (where share.part_key is not null), '[]'))
    from internal.share_credit(invoice, credit, part_keys) share);
end
$$;

create or replace function internal.prevent_excess_return() returns trigger
  language plpgsql set search_path = '' as $$
declare
  original public.payments;
  left_before bigint;
  change bigint;
begin
  select * into original from public.payments where id = new.original_id for update;
  if not internal.may_follow(new, original) then
    raise exception 'A line refers to a payment of its invoice.' using errcode = 'TT101', hint = 'other_invoice';
  end if;
  left_before := case original.kind
    when 'refund' then -original.amount_cents - (
      select coalesce(sum(line.amount_cents), 0) from public.payments line
      where line.original_id = original.id and line.kind <> 'cash_rounding')
    else internal.left_cents(original) end;
  -- A line that applies a deposit to an invoice, or reverses a refund, reduces the remaining amount although its own
  -- amount is positive.
  change := case when original.kind = 'refund' or (new.kind = 'applied_deposit' and original.kind = 'payment')
    then -new.amount_cents else new.amount_cents end;
  if new.kind <> 'cash_rounding' and left_before + change not between 0 and abs(original.amount_cents) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', abs(left_before))::text;
  end if;
  return new;
end
$$;

create or replace function internal.prevent_history_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The setting shop.ledger_exception permits this statement. The row triggers of the table then check each changed
    -- row.
    return null;
  end if;
  raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create or replace function internal.read_visit_page(booking_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to call booking_starts_at,
  -- vehicle_facts and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit_page.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.booking_starts_at(booking);
  -- An automated program may have entered someone else's address in a flagged form, so the page of a flagged booking
  -- repeats none of the form's texts.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Checks whether the time is free only for held bookings and expired holds, because only their visit pages show
    -- this.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'wasEmailed', internal.has_change_email(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasConfirmedAttendance', booking.attendance_confirmed_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'canRestore', booking.status = 'cancelled' and internal.undo_cancellation_refusal(booking, booking.calendar_sequence) is null,
    'history', internal.read_visit_page_history(booking.id, zone)
  );
end
$$;

create or replace function internal.record_form(
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

create or replace function internal.record_refusal(
  kind text, staff_user_id uuid, tried_username text, detail text, network_address inet
) returns void
  -- Runs with the rights of the function's owner, because the server has no right to read or write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  subject constant uuid := internal.user_id_of(tried_username);
begin
  -- Writes at most one line in 15 minutes for the same account and the same refusal, so that an attacker with many
  -- attempts cannot fill the audit log.
  if exists (
    select from public.audit_events earlier
    where earlier.kind = record_refusal.kind and earlier.happened_at > clock_timestamp() - interval '15 minutes'
      and earlier.user_id is not distinct from staff_user_id and earlier.subject_user_id is not distinct from subject
      and earlier.detail is not distinct from record_refusal.detail)
  then
    return;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', record_refusal.kind, 'user_id', staff_user_id, 'subject_user_id', subject, 'detail', record_refusal.detail,
    'network_address', record_refusal.network_address)));
end
$$;

CREATE OR REPLACE FUNCTION internal.redact(content jsonb, pattern text, longest integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  as_text constant text := content #>> '{}';
begin
  case jsonb_typeof(content)
    when 'string' then
      -- A string without a match is returned unchanged. Redacting it would also change its Unicode normalization.
      if normalize(as_text, nfd) !~* pattern then
        return content;
      end if;
      return to_jsonb(internal.redact(as_text, pattern, longest));
    when 'array' then
      return (select coalesce(jsonb_agg(internal.redact(item, pattern, greatest(length(item #>> '{}'), 60)) order by place), '[]')
              from jsonb_array_elements(content) with ordinality each (item, place));
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, internal.redact(value, pattern, greatest(length(value #>> '{}'), 60))), '{}')
              from jsonb_each(content));
    else
      return content;
  end case;
end
$function$;

create or replace function internal.redact_expired_records() returns integer
  -- Runs with the rights of the function's owner, because the server has no right to write invoices and emails.
  language plpgsql security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
  erased_ids constant uuid[] := array(
    select distinct erasure.customer_id from public.erasures erasure
    where erasure.retained_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.retained) record
                 where coalesce(record ->> 'retainedUntil', record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where customer_id = any (erased_ids));
  renamed integer;
  deleted_emails integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_customer_estimates(erased_ids, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (erased_ids) and customer_name <> 'Erased' and internal.retained_until(created_at) < today;
  get diagnostics renamed = row_count;
  -- Deletes emails to erased customers that were sent after the erasure, for example receipts of later payments. An
  -- email that is still queued is not deleted until it was sent.
  delete from public.emails
  where id in (
    select email.id from (select distinct customer_id from public.erasures) erased
    cross join lateral internal.list_customer_emails(erased.customer_id) email
    where email.status not in ('queued', 'retrying'));
  get diagnostics deleted_emails = row_count;
  if renamed + deleted_emails > 0 or estimates_before > (select count(*) from public.estimates where customer_id = any (erased_ids)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$$;

create or replace function internal.release_hold() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
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

create or replace function internal.replace_report(
  invoice public.invoices, reversal_id uuid, wrong public.payments, line public.payments, lower_cents bigint
) returns void
  language plpgsql set search_path = '' as $$
begin
  if internal.withdraw_report(wrong) then
    return;
  end if;
  if lower_cents < 0 then
    raise exception 'Stripe knows a lower amount.' using errcode = 'TT103', hint = 'already_reported';
  end if;
  -- At Stripe, the former payment remains; only the shop's ledger contains the corrected payment.
  update internal.stripe_reports set state = 'corrected' where payment_id = line.id;
  perform internal.replace_invoice(invoice, reversal_id, lower_cents);
end
$$;

create or replace function internal.require_active_service() returns trigger
  -- Runs with the rights of the function's owner, because it counts all services, also services that the row-level
  -- security policies hide from the role that writes the row.
  language plpgsql security definer set search_path = '' as $$
begin
  -- This statement trigger runs after the row trigger record_settings_change, which updates a row of
  -- settings_versions. The lock of that row makes concurrent changes of services wait for each other, so that each
  -- check sees all earlier changes.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;

create or replace function internal.save_service_bays(service uuid, bay_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'bay_not_found';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.bay_can_do_service(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- If the bay now has a row for every service, its rows are deleted. A bay without rows can do every service,
      -- also a service that is added later.
      delete from public.bay_services
      where bay_id = bay.id
        and not exists (select id from public.services except
                        select service_id from public.bay_services known where known.bay_id = bay.id);
    else
      if not exists (select from public.bay_services where bay_id = bay.id) then
        insert into public.bay_services (bay_id, service_id) select bay.id, id from public.services;
      end if;
      delete from public.bay_services where bay_id = bay.id and service_id = service;
      if not exists (select from public.bay_services where bay_id = bay.id) then
        raise exception '% can do nothing else.', bay.name using errcode = 'TT056', hint = 'bay_without_service';
      end if;
    end if;
  end loop;
end
$$;

create or replace function internal.search_customers(term text, max_rows integer) returns setof uuid
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := internal.customer_search_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- A LIKE pattern for names that begin with the first word.
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
    -- No index can find a term of one or two letters within a name, so the search reads the latest customers instead.
    case when longest < 3 then format('(select * from public.customers order by created_at desc limit %s)', latest) else 'public.customers' end,
    internal.search_conditions(words),
    case when is_one_word and longest >= 3 then format(
      'union all select customers.* from (select distinct customer_id from public.customer_contact_methods where %s limit %s) contact
       join public.customers on customers.id = contact.customer_id and merged_into is null and erased_at is null',
      replace(internal.search_conditions(words), 'search_text', 'match_key'), candidates) || case when words[1] like '%@%' then format(
        -- Also finds customers by an email address that was typed online under their name, even if the address is not
        -- confirmed.
        ' union all select customers.* from (
           (select customer_id from public.bookings where search_text <> '''' and %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$$;

create or replace function internal.set_booking_state(
  booking public.bookings, new_state text, seen_version integer, reason text, allow_without_bay boolean
) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  old_state constant text := internal.booking_state(booking);
  changed public.bookings;
begin
  -- If the booking already has the new state, for example after a second click, the function changes nothing.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.raise_version_conflict(booking, seen_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment cannot change from % to %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'allow_without_bay', allow_without_bay));
  perform internal.save_booking_state(booking, new_state);
  perform internal.set_booking_change_context(null);
  select * into changed from public.bookings where id = booking.id;
  return changed;
end
$$;

create or replace function internal.take_vehicle(booking public.bookings, typed internal.vehicle_details) returns public.bookings
  language plpgsql stable set search_path = '' as $$
declare
  known public.vehicles;
begin
  booking.vehicle_color := nullif(trim(typed.color), '');
  if typed.plate is null or trim(concat(typed.year, typed.make, typed.model)) <> '' then
    booking.vehicle_year := nullif(trim(typed.year), '');
    booking.vehicle_make := nullif(trim(typed.make), '');
    booking.vehicle_model := nullif(trim(typed.model), '');
    return booking;
  end if;
  -- If staff typed only a plate, and a vehicle of the customer already has this plate, the booking gets that vehicle.
  -- Otherwise the plate is a new plate of the booking's current vehicle.
  select * into known from public.vehicles
  where customer_id = booking.customer_id and merged_into is null and plate_key = internal.plate_key(typed.plate)
    and vehicle_key is not null
  limit 1;
  if found then
    booking.vehicle_year := known.year;
    booking.vehicle_make := known.make;
    booking.vehicle_model := known.model;
  end if;
  return booking;
end
$$;

create or replace function internal.was_owner_notified() returns boolean
  language plpgsql set search_path = '' as $$
begin
  -- Takes the lock for notices to the owner, so that a concurrent call waits and then sees the notice of this
  -- transaction.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where notified_at > now() - interval '10 minutes');
end
$$;

create or replace function public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  owner_id uuid;
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  -- A merge locks customers before vehicles; this function locks the vehicle before the new owner. Both functions lock
  -- the calendar first, so that the two transactions cannot deadlock.
  perform internal.lock_calendar();
  owner_id := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  vehicle := internal.lock_vehicle(change_vehicle_owner.vehicle_id, seen_version);
  update public.vehicles set customer_id = owner_id where id = vehicle.id;
end
$$;

create or replace function public.find_customers(search text)
  returns table (
    customer_name text, customer_phone text, customer_email text, vehicles jsonb, last_appointment date,
    last_service_id uuid, last_service_name text, next_appointment date, appointment_count integer, no_shows integer
  )
  -- Runs with the rights of the function's owner, because under row-level security the operator `like`, which is not
  -- leakproof, cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
  max_rows constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_bookings_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Reads only the latest 300 bookings, because grouping by customer is slow. The function returns at most eight
      -- customers, and 300 bookings usually have that many.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    matches as (
      select distinct on (coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from matches order by appointment_date desc, created_at desc, id limit max_rows)
    select customer.customer_name, customer.customer_phone, history.email, coalesce(history.vehicles, '[]'), history.last_appointment,
           customer.service_id, customer.service_name, history.next_appointment, history.appointment_count, history.no_shows
    from latest customer, internal.summarize_customer_bookings(customer.customer_name, customer.customer_phone, today) history
    order by customer.appointment_date desc, customer.created_at desc, customer.id;
end
$$;

create or replace function public.list_special_days() returns table (day date, hours jsonb, bays jsonb, closed_because text)
  -- Runs with the rights of the function's owner, because the server has no right to call minutes_of_day. Visitors may
  -- read all values that the function returns.
  language plpgsql stable security definer set search_path = '' as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A visitor can leave a page open for up to a week. The result therefore includes every day that can be booked at
  -- the end of that week.
  last_date constant date := first_date + 7 + (select booking_window_days from public.booking_rules);
begin
  return query
    with changed as (
      select span * tsrange(first_date, last_date + 1) as span from public.special_hours
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.special_hours
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from changed, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
end
$$;

create or replace function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to write visitor_emails and emails.
  language plpgsql security definer set search_path = '' as $$
declare
  mailbox constant text := internal.normalize_mailbox(message ->> 'recipient_email');
  counted internal.visitor_emails;
  queued_id uuid;
begin
  if not exists (select from internal.email_kinds known where known.kind = message ->> 'kind' and is_visitor_triggered) then
    raise exception 'No visitor causes an e-mail of kind %.', message ->> 'kind' using errcode = '22023';
  end if;
  -- Locks the limits on visitor-triggered emails, so that the emails of concurrent transactions are counted too.
  perform pg_advisory_xact_lock(hashtextextended('letters to visitors', 0));
  select id into queued_id from public.emails where dedupe_key = message ->> 'dedupe_key';
  if found then
    return queued_id;
  end if;
  counted := internal.build_visitor_email(message, mailbox);
  counted.exceeded_limit := case when is_capped then internal.reached_email_limit(counted, mailbox) end;
  insert into internal.visitor_emails select counted.*
    on conflict (dedupe_key) do update
    set exceeded_limit = excluded.exceeded_limit, created_at = excluded.created_at;
  if counted.exceeded_limit is not null then
    return null;
  end if;
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
    booking_id, appointment_at, quote_request_id, next_attempt_at
  ) values (
    message ->> 'kind', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'booking_id')::uuid, (message ->> 'appointment_at')::timestamp, (message ->> 'quote_request_id')::uuid,
    coalesce((message ->> 'next_attempt_at')::timestamptz, now())
  ) returning id into queued_id;
  return queued_id;
end
$$;

create or replace function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  -- Runs with the rights of the function's owner, because the admin has no right to call lock_calendar. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- A request from a tab with outdated data must not reset the state of a vehicle that has arrived.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- If the time is no longer free, or the customer has five other open bookings, this booking stays as it is, and
    -- the loop continues with the next booking.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;

create or replace function public.save_booking_note(booking_id uuid, note text, seen_note text default null) returns void
  -- Runs with the rights of the function's owner, because the database role of the admin has no right to call
  -- require_admin(), which checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  wanted constant text := coalesce(trim(note), '');
  current_note text;
begin
  perform internal.require_admin();
  select coalesce(internal_note, '') into current_note from public.bookings where id = save_booking_note.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- If the note already has the wanted text, for example after a second click, there is no conflict.
  if current_note not in (wanted, coalesce(seen_note, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = current_note;
  end if;
  update public.bookings set internal_note = nullif(wanted, '')
  where id = save_booking_note.booking_id and current_note <> wanted;
end
$$;

create or replace function public.save_customer(
  customer_id uuid, seen_version integer, name text, email text, phone text, may_share_email boolean default false
) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to write customers. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  customer public.customers;
  other public.customers;
  new_email constant text := nullif(trim(save_customer.email), '');
  saved integer;
begin
  perform internal.require_admin();
  perform internal.lock_contact_keys(array[lower(new_email), internal.normalize_phone(save_customer.phone)]);
  customer := internal.lock_customer(save_customer.customer_id, seen_version);
  if new_email is not null and not internal.is_email_address(new_email) then
    raise exception 'This is not an email address.' using errcode = '22023', hint = 'invalid_email';
  end if;
  if not (internal.is_single_line_text(save_customer.name, 1, 200) and internal.is_single_line_text(coalesce(save_customer.phone, ''), 0, 40)) then
    raise exception 'Name and phone number are lines of visible text.' using errcode = '23514', hint = 'invalid_contact';
  end if;
  select known.* into other
  from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
  where contact.kind = 'email' and contact.match_key = lower(new_email) and known.id <> customer.id limit 1;
  if other.id is not null and lower(new_email) is distinct from lower(customer.email) and not may_share_email then
    -- The other customer's name is only in the detail of the error, because PostgreSQL writes the messages of errors
    -- to its log, but not their details.
    raise exception 'This address is another customer''s.'
      using errcode = 'TT096', hint = 'email_in_use', detail = jsonb_build_object('id', other.id, 'name', other.name);
  end if;
  update public.customers known
  set name = trim(save_customer.name), email = new_email, phone = nullif(trim(save_customer.phone), '')
  where known.id = customer.id returning version into saved;
  perform internal.add_contact_methods(customer.id, new_email, save_customer.phone);
  return saved;
end
$$;

create or replace function public.save_service(
  service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean,
  bay_ids uuid[], seen_version integer
) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to call save_service_bays.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  if save_service.service_id is null then
    -- If the admin saved an order of the services, the new service comes last. Otherwise no service has a position,
    -- max(position) is null, and the new service has no position either.
    insert into public.services (name, description, duration_minutes, price_from_cents, is_active, position)
    select trim(save_service.name), trim(save_service.description), save_service.duration_minutes,
           save_service.price_from_cents, save_service.is_active, max(position) + 1
    from public.services
    returning id into saved;
  else
    update public.services
    set name = trim(save_service.name), description = trim(save_service.description),
        duration_minutes = save_service.duration_minutes, price_from_cents = save_service.price_from_cents,
        is_active = save_service.is_active
    where id = save_service.service_id and version = seen_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.save_service_bays(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$$;

create or replace function public.split_booking(booking_id uuid) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates, odometer_readings
  -- and invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former_customer_id constant uuid := booking.customer_id;
  new_customer_id uuid;
begin
  if internal.is_erased(former_customer_id) then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former_customer_id for update;
  new_customer_id := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = new_customer_id,
      vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices invoice set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where invoice.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former_customer_id, new_customer_id);
  if former_customer_id is null then
    -- The function link_booking_now notifies the dashboards when it links a new booking. It does not run for this
    -- booking, because the booking has a customer now.
    perform internal.announce_booking(booking.id, (
      select min(event.id) from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked'));
  end if;
  return new_customer_id;
end
$$;

create or replace function public.split_vehicle(vehicle_id uuid, seen_version integer) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles, estimates and
  -- invoices. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  vehicle public.vehicles;
  latest public.bookings;
  new_customer_id uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  vehicle := internal.lock_vehicle(split_vehicle.vehicle_id, seen_version);
  select * into latest from public.bookings booking
  where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment names the customer of this vehicle.' using errcode = 'TT090', hint = 'vehicle_without_booking';
  end if;
  -- All records of the vehicle move to the new customer. An email address that nobody confirmed is therefore not
  -- copied from the booking to the new customer.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_contact_keys(array[lower(latest.customer_email), internal.normalize_phone(latest.customer_phone)]);
  perform from public.customers where id = vehicle.customer_id for update;
  new_customer_id := internal.create_customer_from_booking(latest);
  update public.vehicles set customer_id = new_customer_id where id = vehicle.id;
  update public.bookings booking set customer_id = new_customer_id where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id);
  update public.quote_requests quote set customer_id = new_customer_id where quote.vehicle_id = vehicle.id and not internal.is_erased(quote.customer_id);
  update public.estimates estimate set customer_id = new_customer_id where estimate.vehicle_id = vehicle.id and not internal.is_erased(estimate.customer_id);
  update public.invoices invoice set customer_id = new_customer_id where invoice.vehicle_id = vehicle.id and not internal.is_erased(invoice.customer_id);
  perform internal.delete_split_contact_methods(vehicle.customer_id, new_customer_id);
  return new_customer_id;
end
$$;

create or replace function public.unmerge(merge_id uuid) returns void
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to call lock_calendar and
  -- unmerge_records. require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  merge public.merges;
begin
  perform internal.require_owner();
  perform internal.lock_calendar();
  select * into merge from public.merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- If the merge was already undone, for example by an earlier click, the function changes nothing.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge can be undone for 30 days.' using errcode = 'TT094', hint = 'unmerge_expired';
  end if;
  if merge.parent_merge_id is not null or exists (
    select from public.merges later where later.duplicate_id = merge.survivor_id and later.undone_at is null) then
    raise exception 'Undo the later merge first.' using errcode = 'TT095', hint = 'later_merge_exists';
  end if;
  perform from public.customers where id in (merge.survivor_id, merge.duplicate_id) order by id for update;
  perform internal.unmerge_records(merge);
end
$$;

create or replace function stripe_sandbox.forget_invoices(numbers text[]) returns text[]
  language plpgsql set search_path = '' as $$
declare
  deleted_ids text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  customer_ids constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (deleted_ids));
  deleted_event_ids text[];
begin
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (deleted_ids)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (deleted_ids)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (deleted_ids));
  deleted_ids := deleted_ids || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (deleted_ids));
  -- Keeps customers that also have other invoices.
  deleted_ids := deleted_ids || array(
    select wanted from unnest(customer_ids) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (deleted_ids)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (deleted_ids);
  deleted_event_ids := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (deleted_ids));
  -- Locks the rows in the same order as the delivery of an event to the webhook: first the delivery, then its event.
  delete from stripe_sandbox.event_deliveries where event_id = any (deleted_event_ids);
  delete from stripe_sandbox.objects where id = any (deleted_ids || deleted_event_ids);
  return deleted_event_ids;
end
$$;

COMMENT ON COLUMN "internal"."commands"."result" IS 'The response to the first request with this command id, with ids, versions and times but no data of customers. Null only while the command runs: other transactions see the row only after the command has finished.';

COMMENT ON COLUMN "internal"."file_cleanups"."cleaned" IS 'The value of the column requests at the time when the last rewrite of the files began.';

COMMENT ON COLUMN "internal"."file_cleanups"."requests" IS 'The number of times that an erasure requested a rewrite of the files, counted since the row was created.';

COMMENT ON COLUMN "internal"."stripe_reports"."invoice_id" IS 'The invoice to which the reported payment or correction belongs; null for the refund of a deposit, which belongs to an estimate.';

COMMENT ON COLUMN "public"."authorizations"."amount_cents" IS 'The price in cents, with tax, of the job in the revision about which the customer decided. A trigger computes the price.';

COMMENT ON COLUMN "public"."authorizations"."decided_at" IS 'When the customer decided; recorded_at is the time at which staff or the web page of the estimate recorded the decision.';

COMMENT ON COLUMN "public"."authorizations"."recorded_by" IS 'The staff username, or ''customer'' for a decision on the web page of the estimate.';

COMMENT ON COLUMN "public"."tasks"."archived_at" IS 'When staff removed the completed task from the list of tasks. The row is not deleted, because the law requires the shop to keep it, or because the state of the vehicle depends on it. Null while the task is listed.';

COMMENT ON COLUMN "public"."vehicles"."merged_into" IS 'The vehicle into which this duplicate was merged. A read with the duplicate''s id returns the surviving vehicle.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note, divides its amount between the parts of the invoice and their sales tax, and adds the row from which a job reports the credit note to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."announce_quote"() IS 'Notifies all processes that a quote request was added, changed or deleted, or that an email about it changed (channel quotes_changed, with the id of the quote request). The argument of the trigger names the column that contains the id.';

COMMENT ON FUNCTION "internal"."announce_task"() IS 'Notifies all processes that a task was added, changed or deleted, or that a note was added to it (channel tasks_changed, with the id of the task). The argument of the trigger names the column that contains the id.';

COMMENT ON FUNCTION "internal"."approves_unseen_refusal"(uuid, jsonb) IS 'Whether one of the given decisions approves a job whose latest decision is a refusal, and its declinedId is not the id of this refusal. In this case the user''s page did not show the refusal.';

COMMENT ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) IS 'Returns the time until which a flagged booking is held. Refuses the booking if the maximum number of held bookings is reached, and records whether the booking counts toward this maximum.';

COMMENT ON FUNCTION "internal"."booking_event_source"(text) IS 'The source of a change of the given kind, as in booking_events.source.';

COMMENT ON FUNCTION "internal"."cancel_booking_by_customer"(uuid, integer) IS 'Cancels a booking for its customer, who uses the visit page. The time becomes free, booking_events records the customer as the source, and the customer counts as notified (reset_notification). Returns done with cancelled or unchanged (already cancelled), or refused with a code of customer_change_refusal, such as too_close.';

COMMENT ON FUNCTION "internal"."claim_link_request"() IS 'Processes requests for links in their order, up to the first request whose mailbox has upcoming bookings, and returns these bookings: at most 20, earliest first. Returns no row if no request is left.';

COMMENT ON FUNCTION "internal"."confirm_attendance"(uuid, integer) IS 'Records that the customer confirmed that they will come. Returns done with attendance_confirmed or unchanged (confirmed before), or refused with a code of customer_change_refusal except too_close, because no cut-off applies.';

COMMENT ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) IS 'Removes a deposit from its invoice, reverses the deposit, and then records and applies it with the right method and amount.';

COMMENT ON FUNCTION "internal"."correct_vehicle"(public.bookings, public.bookings, text) IS 'Saves the corrected year, make and model of a booking in the record of its vehicle. Also saves them in other open bookings of the vehicle, if their year, make and model were the same as in this booking before the edit.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'After a split, deletes the contact methods of the original customer that the new customer also has. A contact method that a remaining record of the original customer contains is not deleted.';

COMMENT ON FUNCTION "internal"."end_tablet_data_session"() IS 'When a data session of a shared tablet ends, revokes the rights of its access tokens.';

COMMENT ON FUNCTION "internal"."fill_missing_plate_and_vin"(uuid, internal.vehicle_details) IS 'Saves the plate if the vehicle has no plate yet, and the VIN if the vehicle has no VIN yet; returns the vehicle''s id.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. A booking, quote request or estimate without an email address also matches the only customer with the number, under any name. If the record has an email address, which no customer has, then a customer with a different email address matches only if no other customer with the number has a matching name.';

COMMENT ON FUNCTION "internal"."find_or_create_vehicle"(uuid, internal.vehicle_details, timestamp with time zone, boolean) IS 'The customer''s vehicle that a booking, quote request or estimate describes; the function creates a vehicle that the customer does not have yet. Null when no vehicle is described.';

COMMENT ON FUNCTION "internal"."is_at_shop"(text) IS 'Whether a vehicle in the given state is at the shop, for queries that filter by this condition. isAtShop in domain/bookings/vehicle-state-table.ts implements the same rule.';

COMMENT ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) IS 'Whether the given kind, source, name and reason of a booking event are valid. Without a reason the result is null, which a check accepts.';

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether a refund on the invoice of the given payment, made after this payment, still has to be reported to Stripe. Stripe accepts the refund only after it counts the invoice as paid.';

COMMENT ON FUNCTION "internal"."last_merged_customer"(uuid) IS 'The customer into whom the customer with this id was merged; the customer with this id if there was no merge. An erased customer is also returned.';

COMMENT ON FUNCTION "internal"."limit_data_sessions"() IS 'Makes the sessions of the data service that belong to a dashboard session, with their refresh tokens, expire when the dashboard session ends.';

COMMENT ON FUNCTION "internal"."link_described_vehicle"(public.bookings, public.bookings, text) IS 'Links an edited booking to the customer''s vehicle that the fields of the booking and the license plate describe. If the edit corrects the description, the function changes the record of the booking''s vehicle, unless the customer has another vehicle with that description.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to the customer of its booking or quote request. An estimate with neither is linked to the customer for whom it was created, as long as the name and contacts are unchanged; otherwise to the customer with the name and contacts in the estimate. After the estimate was sent, a correction of its texts changes neither customer nor vehicle, unless the estimate then names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."link_new_bookings"(integer, uuid[]) IS 'Links the oldest bookings without a customer, except the bookings in the second argument, to their customers. Returns each booking; problem is null if the booking was linked, otherwise it states why the booking cannot be linked.';

COMMENT ON FUNCTION "internal"."list_approvals_without_email"(integer) IS 'The approvals of the last 24 hours about which no email to the customer was queued yet, oldest first.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'Those of the given times that another booking occupies now. The given times are those that a visit page shows.';

COMMENT ON FUNCTION "internal"."lock_booking_contact"(text, text) IS 'Locks the open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) until the transaction ends. A transaction that also locks a day locks the day first.';

COMMENT ON FUNCTION "internal"."lock_booking_network"(internal.client_digests) IS 'Locks the booking counts of a client and of its networks until the transaction ends. A transaction that also locks a day or a contact locks the day and the contact first.';

COMMENT ON FUNCTION "internal"."may_follow"(public.payments, public.payments) IS 'Whether the first ledger line may refer to the second: their kinds permit it (a refund can refer to a payment), and both belong to the same invoice or estimate. A line that applies a deposit to an invoice may refer to the payment of the deposit.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge. Staff choose the customer whose email address is used. If this customer has none, the email address of the other customer is used, unless it was typed online and never confirmed.';

COMMENT ON FUNCTION "internal"."move_booking_by_customer"(uuid, integer, date, time without time zone) IS 'Moves a booking for its customer, who uses the visit page; the rules for visitors apply. Returns done with moved or unchanged (already at that time), or refused with slot_taken or a code of customer_change_refusal or booking_refusal.';

COMMENT ON FUNCTION "internal"."move_references"(text, uuid, uuid) IS 'Makes all rows that refer to one customer or vehicle refer to another customer or vehicle. Returns the keys of the moved rows by table and column.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Makes the rows that a merge moved refer to the duplicate again, except rows that were moved once more later.';

COMMENT ON FUNCTION "internal"."problem_of_refused_token"(text, interval) IS 'The reason why a form token is refused: missing, invalid, or valid but used before. The second argument is the age of the token; null if the token does not have the right format.';

COMMENT ON FUNCTION "internal"."read_invoice_ledger"(text) IS 'The balance and the ledger of an invoice, as the customer sees them: {balanceCents, paidCents, isVoid, isTest, lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop does not know.';

COMMENT ON FUNCTION "internal"."record_audit_event"(public.audit_events) IS 'Adds a line to the audit log, with the current role of the account. If the action requires step-up authentication, the line also states whether a password or a passkey was used for it.';

COMMENT ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) IS 'Adds the amount of a refund that failed at Stripe to the ledger, because the shop has the money again. payment_id is the id of the refund''s ledger line, which the metadata of the refund at Stripe contains. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."redact"(jsonb, text, integer) IS 'Replaces each match of a pattern in the strings of a JSON value by [erased]. A string inside an object or array is then cut to its former length or to 60 characters, whichever is longer.';

COMMENT ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) IS 'Withdraws the report to Stripe of a payment that was recorded wrongly. If Stripe already knows the payment, the excess that Stripe counts as paid (lower_cents) is due on a replacement invoice. Refuses (TT103) a correction to a higher amount than Stripe knows.';

COMMENT ON FUNCTION "internal"."restore_survivor"(public.merges) IS 'Restores the values that a merge changed in the surviving record, except values that were changed again after the merge.';

COMMENT ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) IS 'Returns a part or all of a payment to the customer, by the method of the payment or by another method. The result is the amount by which the paid amount of the invoice decreases. It differs from the returned amount if the last part is returned, because the cash rounding is then reversed too.';

COMMENT ON FUNCTION "internal"."save_cancellation_reason"(uuid, text) IS 'Records why a customer cancelled, once for each cancellation. Returns done with reason_saved or unchanged (recorded before), or refused with version_conflict (the latest change is not a cancellation by the customer).';

COMMENT ON FUNCTION "internal"."search_documents"(text, uuid[], integer) IS 'Finds the estimates and invoices of the given customers, and those whose number, name, plate and VIN contain every word of the search. The document whose number is the whole search term comes first.';

COMMENT ON FUNCTION "internal"."search_vehicles"(text, integer) IS 'Finds vehicles whose year, make, model, plate and VIN contain every word of the search, regardless of punctuation. A vehicle whose plate or VIN is the whole search term comes first.';

COMMENT ON FUNCTION "internal"."take_vehicle"(public.bookings, internal.vehicle_details) IS 'Returns a booking with the vehicle that staff typed. If staff typed only a plate, the booking gets the year, make and model of the customer''s vehicle with this plate; without such a vehicle, year, make and model do not change.';

COMMENT ON FUNCTION "internal"."unconfirmed_email"(public.bookings) IS 'The email address of a booking if a visitor typed the address online and the address does not belong to the customer (internal.is_their_email); null otherwise.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a cancellation that the customer made, if the time is still free. Returns done with restored or unchanged (the booking is not cancelled), or refused with over (the booking is neither open nor cancelled) or a code of undo_cancellation_refusal.';

COMMENT ON FUNCTION "internal"."void_reason"(public.authorizations, public.estimates) IS 'The reason why an authorization is void: wrong_recipient (it was withdrawn, or is the withdrawal itself), customer or vehicle (the customer or vehicle of the estimate changed after the decision). Null if the authorization is valid.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Withdraws the report to Stripe of a reversed payment, and returns true. Returns false if Stripe knows the payment already, or must know it for a later refund.';

COMMENT ON FUNCTION "public"."list_other_bookings"(uuid) IS 'The other bookings with the same name and phone number as the given booking, past and upcoming: the latest 50, latest first.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours in two periods: from today until a week after the last bookable day, and the first 31 days of the next public closure that begins after that week. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers and returns the id of the merge; refuses outdated versions (TT051). All records of the duplicate move to the survivor, and equal vehicles are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) lists the fields that the survivor takes from the duplicate. The email addresses and phone numbers of both customers remain contact methods.';

COMMENT ON FUNCTION "public"."wants_parts_back"(public.tasks) IS 'A computed column of tasks for the data API: whether the customer asked for the replaced parts (16 CCR 3355) of the task''s job. For a task without a job, whether the customer asked for the replaced parts of any approved job of its booking.';

COMMENT ON FUNCTION "stripe_sandbox"."forget_invoices"(text[]) IS 'Deletes the invoices with the given numbers from the sandbox, with their items, payments, Checkout Sessions, refunds and events, and customers who have no other invoice; returns the ids of the deleted events.';

COMMENT ON TYPE "internal"."customer_details" IS 'The name and contacts in a booking, quote request or estimate, by which the database finds the customer. is_trusted: the booking, quote request or estimate does not look automated, and a booking is active (is_active_booking). entered_online: a visitor entered the details, possibly with the email address of another person.';
