-- Clarifies comments of tables, columns and functions.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.accept_booking() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With these settings, each connection plans the statements once instead of for every call, and a plan that was made
  -- while a table was small does not read the whole table after the table has grown.
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
  -- Without the lock, concurrent inserts for overlapping times deadlock instead of failing with a conflict.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- For speed, one statement reads the data of all other rules, which are therefore checked after the locks.
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
  -- If an invitation is accepted twice at the same time, the second transaction waits for the lock of the row and then
  -- finds the invitation used.
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

create or replace function internal.add_booked_job(estimate_id uuid, booking_id uuid) returns void
  language sql set search_path = '' as $$
  with job as (
    insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now)
    select add_booked_job.estimate_id, 1, gen_random_uuid(), 1, service_name, '', true
    from public.bookings where id = add_booked_job.booking_id
    returning job_key, title
  )
  -- Uses the duration of the service, not of the booking, because the booking can be longer, for example if the vehicle
  -- stays overnight.
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, description, quantity_thousandths, unit_price_cents, is_taxable)
  select add_booked_job.estimate_id, 1, job.job_key, 1, 'labor', job.title, round(service.duration_minutes / 60.0 * 1000),
    rules.labor_rate_cents, false
  from job, public.estimate_rules rules, public.bookings booking
  join public.services service on service.id = booking.service_id
  where booking.id = add_booked_job.booking_id
$$;

create or replace function internal.announce_invoice() returns trigger
  -- Runs with the rights of the function's owner, so that every role that writes the row can notify the other
  -- processes.
  language plpgsql security definer set search_path = '' as $$
begin
  -- A ledger line of a deposit belongs to an estimate instead of an invoice, so the notification then contains the id
  -- of the estimate.
  perform pg_notify('invoices_changed', coalesce(new.invoice_id, to_jsonb(new) ->> 'estimate_id'));
  return null;
end
$$;

create or replace function internal.answer_address_question(booking_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write address_answers.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  owner_id uuid;
begin
  -- A merge first locks the customers and then updates their bookings. A key share lock on the booking does not wait
  -- for these updates, so the two transactions cannot deadlock.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_contact_keys(array[lower(trim(booking.customer_email))]);
  owner_id := internal.lock_merged_customer(booking.customer_id);
  if owner_id is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(owner_id, booking.customer_email, 'customer');
  return 'confirmed';
end
$$;

create or replace function internal.audit_passkey() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  passkey constant internal.passkeys := case tg_op when 'DELETE' then old else new end;
  -- In the dashboard, only the person who uses a passkey can add or remove it. A restore removes the passkeys that were
  -- removed after the time of the backup.
  actor constant uuid := case when tg_op <> 'UPDATE' and current_setting('role') = 'shop_server' then passkey.user_id end;
begin
  if tg_op = 'UPDATE' and not (old.is_active and new.anomaly_count > old.anomaly_count) then
    return null;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case tg_op when 'INSERT' then 'passkey_added' when 'DELETE' then 'passkey_removed'
                       else case when new.is_active then 'passkey_doubted' else 'passkey_switched_off' end end,
    'user_id', actor, 'subject_user_id', passkey.user_id,
    'detail', case when internal.is_single_line_text(passkey.name, 1, 100) then passkey.name else 'without a name' end)));
  return null;
end
$$;

create or replace function internal.bay_can_do_service(bay uuid, service uuid) returns boolean
  language plpgsql stable set search_path = ''
  -- With this setting, each connection plans the statements once instead of for every call.
  set plan_cache_mode = force_generic_plan as $$
begin
  -- The subquery returns null for a bay without rows and if no service is given.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;

create or replace function internal.begin_sample_week() returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to call has_real_records.
  language plpgsql security definer set search_path = '' as $$
declare
  week uuid;
begin
  -- The lock prevents that a visitor books between the check and the end of the transaction.
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
    -- Whether the customer wants reminders is only known once the booking is linked.
    and booking.customer_id is not null and internal.gets_reminders(booking.customer_id)
    -- A customer who chose this appointment today after reminder_time gets no reminder.
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

create or replace function internal.business_date(moment timestamptz) returns date
  language plpgsql set search_path = '' as $$
begin
  -- This lock prevents close_day from closing a day until the transaction ends, so that no line is added to a day that
  -- is closed already. The next statement sees the day closes that were committed before.
  perform pg_advisory_xact_lock_shared(hashtextextended('business days', 0));
  return (
    select greatest((moment at time zone time_zone)::date, (select max(business_date) + 1 from public.day_closes))
    from public.shop);
end
$$;

create or replace function internal.check_time_zone() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- PostgreSQL's `at time zone` also accepts abbreviations (EST) and UTC offsets (+02). Neither has daylight saving
  -- time, and browsers reject both, so this trigger accepts only full names and UTC.
  if new.time_zone !~ '^[A-Z][A-Za-z]+/[A-Za-z/_+0-9-]+$' and new.time_zone <> 'UTC'
     or not exists (select from pg_timezone_names where name = new.time_zone) then
    raise exception 'There is no time zone of this name.' using errcode = 'TT052', hint = 'time_zone_unknown';
  end if;
  return new;
end
$$;

create or replace function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text)
  returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to write estimate_invoices and
  -- estimate_invoice_jobs.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or a retry after a crash, gets the existing claim.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  latest := internal.freeze_revision(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  if estimate.kind = 'repair' and estimate.odometer_miles is null then
    raise exception 'An invoice states the odometer reading.' using errcode = 'TT074', hint = 'odometer_missing';
  end if;
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), changed_by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'No job of this estimate is approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.job_key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.job_key, estimate.id);
  return internal.describe_claim(claim);
end
$$;

create or replace function internal.claim_link_request() returns setof public.bookings
  -- Runs with the rights of the function's owner, because the server has no right to write visit_link_requests.
  language plpgsql security definer set search_path = '' as $$
declare
  request record;
begin
  delete from internal.visit_link_requests where requested_at < now() - interval '1 day';
  for request in
    select mailbox_digest, mailbox from internal.visit_link_requests
    where mailbox is not null order by requested_at for update skip locked
  loop
    update internal.visit_link_requests set mailbox = null where mailbox_digest = request.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.normalize_mailbox(booking.customer_email) = request.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Sample customers get no email.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- Each transaction sends at most one email; a mailbox without upcoming bookings gets no email.
    exit when found;
  end loop;
end
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
    -- A reversal has no cause if it removed a wrongly recorded deposit from the invoice.
    'cause', coalesce(reversal.cause, 'recorded_wrongly'), 'name', coalesce(customer.name, invoice.customer_name), 'email', coalesce(customer.email, ''),
    'phone', coalesce(customer.phone, ''))), '[]')
  from due
  join public.invoices invoice on invoice.invoice_id = due.original_invoice_id
  join public.payments reversal on reversal.id = due.reversal_id
  left join public.customers customer on customer.id = invoice.customer_id
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
  -- The row must not be locked `for update`. A transaction that queues an email of the booking first locks the counts
  -- of emails and then needs a key share lock on this row. This transaction locks the counts of emails later, so the
  -- two transactions would deadlock.
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

create or replace function internal.correct_drafts(booking public.bookings, edited public.bookings) returns void
  language sql set search_path = '' as $$
  update public.estimates draft
  set customer_name = case when draft.customer_name = left(booking.customer_name, 100) then left(edited.customer_name, 100) else draft.customer_name end,
      customer_email = case when draft.customer_email <> coalesce(booking.customer_email, '') then draft.customer_email
                       -- An invalid email address is not copied to an estimate.
                       when internal.is_email_address(edited.customer_email) then edited.customer_email else '' end,
      customer_phone = case when draft.customer_phone = booking.customer_phone then edited.customer_phone else draft.customer_phone end,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.customer_id = booking.customer_id and internal.last_frozen_at(draft.id) is null
    and (draft.customer_name = left(booking.customer_name, 100) or draft.customer_email = coalesce(booking.customer_email, '')
         or draft.customer_phone = booking.customer_phone)
$$;

create or replace function internal.count_open_test_invoices() returns integer
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- For a shop that never used the sandbox, this condition avoids reading the invoices.
  if not exists (select from stripe_sandbox.objects where object = 'invoice') then
    return 0;
  end if;
  return (
    select count(*) from public.invoices invoice
    where invoice.is_test and invoice.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid));
end
$$;

create or replace function internal.decide_estimate(
  estimate_id uuid, revision_hash text, approved uuid[], decided_by_name text, statement text, wants_parts_back boolean
) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write authorizations,
  -- estimate_revisions and estimates.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(decide_estimate.estimate_id, null);
  sent constant public.estimate_revisions := internal.latest_sent_revision(estimate.id);
  new_batch_id constant uuid := gen_random_uuid();
begin
  if sent.hash is distinct from decide_estimate.revision_hash then
    return 'version_conflict';
  end if;
  case internal.sent_revision_state(sent)
    when 'closed' then return 'closed';
    when 'decided' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- Ignores a later draft, because the customer decides on the revision that the page shows.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, wants_parts_back, decided_at, recorded_by)
  select estimate.id, sent.revision, sent.hash, totals.job_key, new_batch_id,
    case when totals.job_key = any (approved) then 'approved' else 'declined' end,
    'web', trim(decide_estimate.decided_by_name), estimate.customer_email, decide_estimate.statement, decide_estimate.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = sent.revision
    and not coalesce(authorized.revision = sent.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, sent.revision, totals.job_key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set decided_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = sent.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.batch_id = new_batch_id and line.decision = 'approved') then 'approved' else 'declined' end;
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
  -- The merge of a vehicle that the customer got from another owner can still be undone, but the unmerge restores no
  -- values.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$$;

create or replace function internal.digests_of_address(address text) returns internal.client_digests
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

create or replace function internal.end_data_session() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- auth.sessions.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- In a hosted project, the role may be unable to delete sessions; the server then calls the auth service's API.
  return null;
end
$$;

create or replace function internal.end_expired_holds(day date default null) returns integer
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

create or replace function internal.end_link_of_old_address() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from public.estimate_revisions where estimate_id = new.id and sent_at is not null) then
    new.link_version := old.link_version + 1;
    -- Only the admin's changes are recorded as events. An erasure also empties the address, but does not run as the
    -- admin.
    if internal.is_admin() then
      perform internal.add_estimate_event(new.id, 'address_changed',
        jsonb_build_object('email', old.customer_email), jsonb_build_object('email', new.customer_email));
    end if;
  end if;
  return new;
end
$$;

create or replace function internal.end_staff_rights() returns trigger
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to end the sessions of other
  -- people.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.sign_in_codes where user_id = new.user_id;
  update public.staff_invitations set taken_back_at = now()
  where used_at is null and taken_back_at is null
    and (invited_by = new.user_id and not (new.role = 'owner' and new.is_active) or account_id = new.user_id);
  update internal.admin_sessions set confirmed_until = null where user_id = new.user_id;
  if new.is_active then
    return null;
  end if;
  delete from internal.admin_sessions where user_id = new.user_id;
  delete from internal.tablet_pins where user_id = new.user_id;
  begin
    delete from auth.sessions where user_id = new.user_id;
  exception when insufficient_privilege then
    -- In a hosted Supabase project, only the auth service can end its sessions. Their access tokens grant no rights
    -- anyway, because every policy checks that the staff account is active.
    null;
  end;
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
  -- The calendar is locked, so the next statement links every remaining booking to its customer.
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
  -- The texts are redacted before the rows are changed, because later a record no longer names its customer.
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

create or replace function internal.erase_customer_emails(customer_ids uuid[]) returns uuid[]
  language plpgsql set search_path = '' as $$
declare
  erased_id uuid;
  deleted_ids uuid[] := '{}';
begin
  foreach erased_id in array customer_ids loop
    deleted_ids := deleted_ids || array(select id from internal.list_customer_emails(erased_id));
  end loop;
  deleted_ids := deleted_ids || array(select internal.list_undelivered_notices(deleted_ids));
  delete from public.quote_email_logs
  where email_id = any (deleted_ids) or quote_request_id in (select id from public.quote_requests where customer_id = any (customer_ids));
  delete from internal.visitor_emails where dedupe_key in (select dedupe_key from public.emails where id = any (deleted_ids));
  delete from internal.visit_link_requests request
  using public.customer_contact_methods contact
  where contact.customer_id = any (customer_ids) and contact.kind = 'email' and request.mailbox = internal.normalize_mailbox(contact.value);
  -- Emails that are still queued are deleted too, so they are never sent.
  delete from public.emails where id = any (deleted_ids);
  return deleted_ids;
end
$$;

create or replace function internal.erase_texts(customer_ids uuid[], left_out text[], only_table text default null) returns integer
  language plpgsql set search_path = '' as $$
declare
  found record;
  statement text;
  erased jsonb;
  changed integer := 0;
begin
  for found in
    select * from internal.find_texts(customer_ids, only_table) text_found where text_found.is_own or text_found.text_key <> all (left_out)
  loop
    statement := format('update %s one set %I = %s where (%s) = $2', (found.rule).table_name, (found.rule).column_name,
      case when (select atttypid from pg_catalog.pg_attribute
                 where attrelid = (found.rule).table_name::regclass and attname = (found.rule).column_name) = 'jsonb'::regtype
        then '$1' else '$1 #>> ''{}''' end,
      (found.rule).row_key);
    erased := internal.redact(found.content, found.pattern, (found.rule).longest);
    begin
      execute statement using erased, found.row_id;
    exception when unique_violation then
      -- Two texts that differed only in the erased name are now equal. A suffix makes the value unique again, because
      -- the column is unique.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$$;

create or replace function internal.estimate_customer_details(estimate public.estimates) returns internal.customer_details
  language plpgsql stable set search_path = '' as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Reads the column from JSON, because a migration calls this function before the column exists.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false), false)::internal.customer_details;
end
$$;

create or replace function internal.find_bay_for_reopened_booking(booking public.bookings) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  -- The booking keeps its own bay, even if the bay's hours have changed since.
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
  -- No index can find a term of one or two letters, so the search reads the latest bookings instead.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      max_rows, conditions)
    else format('select * from public.bookings where search_text <> '''' and %s limit %s', conditions, max_rows)
  end;
end
$$;

create or replace function internal.find_customer(customer internal.customer_details) returns uuid
  language plpgsql set search_path = '' as $$
declare
  email_key constant text := nullif(lower(trim(customer.email)), '');
  phone_key constant text := internal.normalize_phone(customer.phone);
  found_id uuid;
  locked_id uuid;
begin
  loop
    found_id := coalesce(
      case when email_key is not null then internal.find_customer_by_email(email_key, customer.name) end,
      case when phone_key is not null then internal.find_customer_by_phone(phone_key, customer.name, email_key is not null) end);
    exit when found_id is null;
    -- Waits for a concurrent merge or erasure of the customer. The next pass of the loop then finds the surviving
    -- customer, or none.
    select id into locked_id from public.customers where id = found_id and merged_into is null and erased_at is null for key share;
    exit when locked_id is not null;
  end loop;
  return found_id;
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
      -- The email address differs, so the record may be of a relative with the same number, unless the name fits only
      -- one customer.
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
              -- The VIN or the plate tells two vehicles of the same model apart.
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
  -- The networks of the client are not stored, because no limit counts the quote requests of a network.
  new.flagged_reasons := internal.record_form(
    headers, row(internal.address_digest(headers), null, null, null, false), null, new.id, false);
  return new;
end
$$;

create or replace function internal.hand_over_booking(booking public.bookings) returns void
  language plpgsql set search_path = '' as $$
declare
  new_customer_id uuid;
begin
  if exists (
    select from public.estimates estimate join public.estimate_revisions revision on revision.estimate_id = estimate.id
    where estimate.repair_id = booking.repair_id and revision.frozen_at is not null
  ) then
    raise exception 'The customer of this appointment has its estimate.' using errcode = 'TT076', hint = 'estimate_sent';
  end if;
  new_customer_id := internal.find_or_create_customer(internal.booking_customer_details(booking, false));
  update public.bookings
  set customer_id = new_customer_id, vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year,
        booking.vehicle_make, booking.vehicle_model, booking.vehicle_color, null, null), internal.current_instant(), booking.is_sample),
      -- Makes the links in the emails to the former customer invalid.
      link_version = link_version + 1, attendance_confirmed_at = null
  where id = booking.id;
  perform internal.hand_over_drafts(booking);
end
$$;

create or replace function internal.hand_over_drafts(booking public.bookings) returns void
  language sql set search_path = '' as $$
  -- The booking determines the customer of the draft, even if the draft was created for the quote request.
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
      -- If the bank returns the check of an applied deposit, the reversal is a ledger line of the invoice.
      left join public.payments applied on applied.id = reversal.original_id and applied.kind = 'applied_deposit'
      where coalesce(applied.original_id, reversal.original_id) = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;

create or replace function internal.has_ten_customers(host text) returns boolean
  language sql stable set search_path = '' as $$
  -- The recursive query jumps from one mailbox to the next in the index, so it reads ten rows, however many bookings
  -- each mailbox has.
  with recursive found (mailbox, nth) as (
    (
      select internal.normalize_mailbox(customer_email), 1 from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
      order by internal.normalize_mailbox(customer_email) limit 1
    )
    union all
    select (
      select internal.normalize_mailbox(customer_email) from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
        and internal.normalize_mailbox(customer_email) > found.mailbox
      order by internal.normalize_mailbox(customer_email) limit 1
    ), nth + 1
    from found where mailbox is not null and nth < 10
  )
  select count(mailbox) = 10 from found
$$;

create or replace function internal.increment_booking_version() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
  -- booking_state.
  language plpgsql security definer set search_path = '' as $$
declare
  -- A change of only these columns does not increment the version. The list also contains generated columns, because
  -- PostgreSQL computes them only after the before triggers.
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

create or replace function internal.is_bay_taken(bay uuid, wanted tsrange, ignored_booking_id uuid default null) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- The time of an expired hold counts as free, even before the job has ended the hold.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;

create or replace function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  -- Runs with the rights of the function's owner, because the callers have no right to read bookings.
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- A booking that exceeds the limit of open bookings counts toward the maximum of held bookings. Otherwise a visitor
  -- who knows a customer's email address and phone number could hold any number of bookings.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
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
        -- Customers of the sample week do not count: their contacts are public, so any visitor can enter them.
        where done.customer_id = customer.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;

create or replace function internal.is_respelled(former text, corrected text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(trim(former), '') = '' or coalesce((
    -- A word that contains a digit or has three letters must be the same in both texts, because such words distinguish
    -- models: F-150 and F-250, GLC and GLE.
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
        -- The address of a new customer's first booking or quote request belongs to the customer once that record is
        -- active.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.customer_id = wanted_customer_id
                  and lower(trim(booking.customer_email)) = email_key and internal.is_active_booking(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$$;

create or replace function internal.is_vin(value text) returns boolean
  language sql immutable set search_path = '' as $$
  -- 49 CFR 565.15: each character has a value and a weight. The ninth character, the check digit, is the weighted sum
  -- modulo 11.
  select value ~ '^[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}$' and (
    select sum(translate(substr(value, place, 1), 'ABCDEFGHJKLMNPRSTUVWXYZ', '12345678123457923456789')::integer
               * (array[8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2])[place]) % 11
    from generate_series(1, 17) place where place <> 9
  ) = case substr(value, 9, 1) when 'X' then 10 else nullif(substr(value, 9, 1), '')::integer end
$$;

create or replace function internal.keep_bay_hours() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write bay_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  today date;
  last_day date;
begin
  -- Without this lock, two transactions that change the hours at the same time would each compute the table without the
  -- other's change. The lock is taken first, so that the statements below see what the other transaction committed.
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

create or replace function internal.keep_bay_ranks() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write bay_hours.
  language plpgsql security definer set search_path = '' as $$
begin
  -- Takes the calendar lock, because a transaction that recomputes the hours at the same time would otherwise store the
  -- former services.
  perform internal.lock_calendar();
  update internal.bay_hours hours set bay_rank = bay.rank, service_ids = bay.service_ids
  from (
    select id, internal.bay_rank(id, position) as rank, internal.services_of_bay(id) as service_ids from public.bays
  ) bay
  where bay.id = hours.bay_id
    and (bay.rank, bay.service_ids) is distinct from (hours.bay_rank, hours.service_ids);
  return null;
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
    -- Finds the claim of an estimate by the invoice number, because the claim contains the id of its invoice only after
    -- the invoice was linked.
    and not exists (
      select from internal.assigned_invoice_numbers assigned join public.estimate_invoices claim on claim.id::text = assigned.request_id
      where assigned.number = invoice.number)
    and not exists (select from public.invoice_lines known where known.invoice_id = wanted_invoice_id)
  on conflict do nothing
$$;

create or replace function internal.keep_one_owner() returns trigger
  -- Runs with the rights of the function's owner, because it reads all accounts.
  language plpgsql security definer set search_path = '' as $$
begin
  -- If two owners demote each other at the same time, the second transaction waits here until the first one has
  -- committed, and then sees its change.
  perform pg_advisory_xact_lock(hashtextextended('shop owners', 0));
  if not exists (
    select from public.staff_accounts where role = 'owner' and is_active and user_id <> old.user_id
  ) then
    raise exception 'At least one owner has to be able to sign in.' using errcode = 'TT120', hint = 'last_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
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
  -- In a hosted project, the role may be unable to do this; a data session then ends with its dashboard session.
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
  -- The trigger does not refuse the invalid row; the check constraints of the table then report the violation.
  new.customer_id := null;
  return new;
end
$$;

create or replace function internal.link_estimate() returns trigger
  -- Runs with the rights of the function's owner, because it reads bookings and quote requests regardless of the
  -- policies of the role that saves the estimate.
  language plpgsql security definer set search_path = '' as $$
declare
  is_same_customer constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_same_vehicle constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_vehicle constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former_customer_id constant uuid := new.customer_id;
  former_vehicle_id constant uuid := new.vehicle_id;
  source record;
begin
  perform internal.link_waiting_booking(new.booking_id);
  select customer_id, vehicle_id into source from public.bookings where id = new.booking_id and not internal.is_erased(customer_id);
  if source.customer_id is null then
    select customer_id, vehicle_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(customer_id);
  end if;
  if tg_op = 'UPDATE' and not is_same_customer and internal.names_another_customer(new) then
    new.customer_id := internal.find_customer(internal.estimate_customer_details(new));
  elsif tg_op = 'UPDATE' and internal.last_frozen_at(new.id) is not null and former_customer_id is not null and not internal.is_erased(former_customer_id)
      and (is_same_customer or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- After a correction of the email address or phone number, the estimate still belongs to the same customer, even if
    -- another customer has the corrected address or number too.
    new.customer_id := former_customer_id;
  else
    new.customer_id := coalesce(
      source.customer_id, case when is_same_customer and not internal.is_erased(former_customer_id) then former_customer_id end,
      internal.find_customer(internal.estimate_customer_details(new)), former_customer_id);
  end if;
  if new.customer_id is null then
    new.vehicle_id := null;
  elsif not coalesce(is_same_vehicle and new.customer_id = former_customer_id and new.vehicle_id is not null, false) then
    new.vehicle_id := coalesce(
      internal.find_vehicle(new.customer_id, internal.estimate_vehicle_details(new)),
      -- After a correction of the plate or the VIN, the estimate still belongs to the same vehicle.
      case when not is_another_vehicle and internal.last_frozen_at(new.id) is not null and new.customer_id = former_customer_id then former_vehicle_id end,
      case when not is_another_vehicle then source.vehicle_id end);
  end if;
  return new;
end
$$;

create or replace function internal.link_invoice(invoice jsonb) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  -- The invoice that this one replaces.
  replaced public.invoices;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  tax constant bigint := (invoice ->> 'tax_cents')::bigint;
  due constant date := (select (to_timestamp((invoice ->> 'due_at')::bigint) at time zone time_zone)::date from public.shop);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  owner_id uuid;
begin
  -- An update does not change a stored total, tax amount or due date, because an invoice at Stripe keeps them.
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

create or replace function internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[]) returns table (booking_id uuid, problem text)
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- An erasure takes this lock exclusively while it searches all bookings for the texts that it removes.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- The next run of the job links a booking that another transaction has locked.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    booking_id := booking.id;
    problem := null;
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      problem := sqlerrm;
    end;
    return next;
  end loop;
end
$$;

create or replace function internal.link_sent_estimate() returns trigger
  -- Runs with the rights of the function's owner, because the role that sends an estimate has no right to read
  -- customers and vehicles.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.customer_id := coalesce(estimate.customer_id, internal.find_or_create_customer(internal.estimate_customer_details(estimate)));
  -- If the estimate has a booking, its plate and VIN are those of the booking's vehicle.
  estimate.vehicle_id := coalesce(
    internal.fill_missing_plate_and_vin(estimate.vehicle_id, internal.estimate_vehicle_details(estimate)),
    internal.find_or_create_vehicle(estimate.customer_id, internal.estimate_vehicle_details(estimate), estimate.created_at, false));
  update public.estimates set customer_id = estimate.customer_id, vehicle_id = estimate.vehicle_id where id = estimate.id;
  perform internal.add_estimate_odometer_reading(estimate);
  return null;
end
$$;

create or replace function internal.list_customer_emails(wanted_customer_id uuid) returns setof public.emails
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select * from public.emails where booking_id in (select id from public.bookings where customer_id = wanted_customer_id)
    union
    select * from public.emails where quote_request_id in (select id from public.quote_requests where customer_id = wanted_customer_id)
    union
    select * from public.emails where estimate_id in (select id from public.estimates where customer_id = wanted_customer_id)
    union
    select * from public.emails where invoice_id in (select invoice_id from public.invoices where customer_id = wanted_customer_id)
    union
    select email.* from public.emails email
    join public.customer_contact_methods contact on contact.kind = 'email' and contact.match_key = lower(email.recipient_email)
    where contact.customer_id = wanted_customer_id
      -- Omits emails about the records of another customer, such as a relative, with the same address.
      and email.booking_id is null and email.quote_request_id is null and email.estimate_id is null and email.invoice_id is null;
end
$$;

create or replace function internal.list_customer_records(
  from_date date, until date, after_since timestamptz, after_id uuid, max_rows integer
)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, appointment_count integer,
    missed integer, invoices integer, invoiced_cents bigint, paid_cents bigint
  )
  -- Runs with the rights of the function's owner, because the server has no right to read customers, invoices and other
  -- tables.
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The instants at which the range begins and ends: midnight, in shop time, of the first date and of the day after the
  -- last date.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select customer.id, customer.created_at, (customer.created_at at time zone zone)::date, customer.name, customer.email, customer.phone,
      came.appointments, came.missed, billed.invoices, billed.cents, billed.paid
    from public.customers customer
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.customer_came(booking, today)))::integer as appointments,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.customer_id = customer.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      -- Omits the amount of a replacement invoice, because it was billed before on the invoice that was replaced.
      select count(*)::integer as invoices, coalesce(sum(invoice.total_cents) filter (where invoice.currency = 'usd' and not exists (
          select from public.replacement_invoices known where known.invoice_id = invoice.invoice_id)), 0)::bigint as cents,
        coalesce(sum(internal.invoice_paid_cents(invoice)) filter (where invoice.currency = 'usd'), 0)::bigint as paid
      from public.invoices invoice
      where invoice.customer_id = customer.id and invoice.created_at >= starts_at and invoice.created_at < ends_at and invoice.status <> 'void'
    ) billed
    where (customer.created_at, customer.id) > (after_since, after_id) and customer.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.customer_id = customer.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.customer_id = customer.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.customer_id = customer.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoices invoice
                   join public.payments payment on payment.invoice_id = invoice.invoice_id
                   where invoice.customer_id = customer.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.customer_contact_methods contact
                   join public.emails message on lower(message.recipient_email) = contact.match_key
                   where contact.customer_id = customer.id and contact.kind = 'email'
                     and message.created_at >= starts_at and message.created_at < ends_at))
    order by customer.created_at, customer.id
    limit max_rows;
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
  -- A reversal of a refund, and the removal of a deposit from its invoice, refer to another ledger line of the deposit.
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
  -- The reversal of a refund refers to the refund, which refers to the payment.
  left join public.payments payment on payment.id = coalesce(original.original_id, original.id)
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.kind = 'payment') = wants_payments and line.kind <> 'applied_deposit'
    and (line.kind <> 'cash_rounding' or line.paid_at <> payment.paid_at)
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

create or replace function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  -- Runs with the rights of the function's owner, because the server has no right to call booking_refusal.
  language sql stable security definer set search_path = '' as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_reschedule_times(list_taken_times.booking_id, day))
    -- Omits times that a rule refuses, for example past times, because no other booking occupies them.
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
    -- Each condition uses its own index; a combined condition would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$$;

create or replace function internal.lock_booking_for_customer(wanted_id uuid) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  booking public.bookings;
begin
  -- The calendar lock comes first, as in changes by staff, so that no two transactions deadlock.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- With `for update`, this transaction could deadlock with a process that queues an email of this booking, because the
  -- foreign key of the email needs a key share lock on the booking.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$$;

create or replace function internal.lock_calendar_before_status_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to call
  -- lock_calendar.
  language plpgsql security definer set search_path = '' as $$
begin
  -- The calendar lock is taken before any row lock. A procedure that changes the status has already taken it.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;

create or replace function internal.lock_contact_keys(keys text[]) returns void
  language plpgsql set search_path = '' as $$
begin
  -- Locks are taken in ascending order, so that no two transactions deadlock. There are 512 locks: with so many, two
  -- concurrent bookings seldom need the same lock, and even a transaction with a hundred thousand rows does not fill
  -- PostgreSQL's lock table.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$$;

create or replace function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql set search_path = '' as $$
declare
  task public.tasks;
begin
  -- Every function that changes a booking takes the locks in this order: the calendar, the booking, its tasks.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

create or replace function internal.log_changed_details() returns trigger
  language plpgsql set search_path = '' as $$
declare
  former_document constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A change of the email address of a sent estimate is omitted here, because it has its own event, address_changed.
  ignored_fields constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former_document ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former_document) - ignored_fields;
  details_now constant jsonb := internal.details_of_document(new.document) - ignored_fields;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;

create or replace function internal.log_void_approvals() returns trigger
  language plpgsql set search_path = '' as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_reason(line, new) as reason from public.authorizations line
    where line.estimate_id = new.id and internal.void_reason(line, old) is null
  loop
    continue when void.reason is null;
    perform internal.add_estimate_event(new.id, void.reason || '_changed');
    -- Clears decided_at, because the customer has to decide on the jobs again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
end
$$;

create or replace function internal.make_invoice_link(wanted_invoice_id text) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read invoices and to write their
  -- links.
  language plpgsql security definer set search_path = '' as $$
declare
  link_key constant text := (select value from internal.secrets where name = 'visit_key');
  token constant text := rtrim(translate(encode(
    substring(internal.hmac_sha256('invoice link ' || wanted_invoice_id, link_key) from 1 for 16), 'base64'), '+/', '-_'), '=');
  code_bytes constant bytea := internal.hmac_sha256('invoice code ' || wanted_invoice_id, link_key);
  -- Each byte of the digest selects one of 32 characters; every character is equally likely, because 256 is a multiple
  -- of 32.
  code constant text := (
    select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', get_byte(code_bytes, place) % 32 + 1, 1), '' order by place)
    from generate_series(0, 11) place);
begin
  if not exists (
    select from public.invoices invoice
    where invoice.invoice_id = wanted_invoice_id and internal.invoice_state(invoice) not in ('void', 'cancelled')
  ) then
    return null;
  end if;
  -- If the key that signs the links has changed, the new link replaces the old link.
  insert into internal.invoice_links (invoice_id, token_digest, code_digest)
  values (wanted_invoice_id, sha256(convert_to(token, 'UTF8')), sha256(convert_to(code, 'UTF8')))
  on conflict (invoice_id) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest
    where invoice_links.token_digest <> excluded.token_digest;
  return jsonb_build_object('token', token, 'code', code);
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
  -- The limit of five open bookings does not apply to staff who book or confirm. It applies to an undo by staff only if
  -- the customer opened another booking in the meantime.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;

create or replace function internal.merge_vehicle_rows(
  survivor public.vehicles, duplicate public.vehicles, in_merge uuid default null
) returns uuid
  language plpgsql set search_path = '' as $$
declare
  merge uuid;
begin
  -- Marks the duplicate as merged before the values are copied, because two vehicles that are not merged must not have
  -- the same plate or VIN.
  update public.vehicles set merged_into = survivor.id where id = duplicate.id;
  update public.vehicles
  set color = coalesce(color, duplicate.color), plate = coalesce(plate, duplicate.plate), vin = coalesce(vin, duplicate.vin),
      internal_note = coalesce(internal_note, duplicate.internal_note), created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, parent_merge_id, moved_rows, survivor_changes, merged_by_name)
  select 'vehicle', survivor.id, duplicate.id, in_merge, internal.move_references('vehicle', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(vehicle)), internal.author_name(null)
  from public.vehicles vehicle where id = survivor.id
  returning id into merge;
  return merge;
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
  -- The booking can already have this time, after a second click or if the page in the browser was outdated.
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

create or replace function internal.move_payment(
  wrong public.payments, invoice public.invoices, target public.invoices, method text, amount integer, reference text, reason text
) returns void
  language plpgsql set search_path = '' as $$
declare
  former_cents constant bigint := internal.exact_cents(wrong);
  reversal_id constant uuid := internal.reverse_payment(wrong, 'recorded_wrongly',
    'Belongs to invoice ' || coalesce(target.number, target.invoice_id) || ': ' || reason);
begin
  -- Stripe still counts the amount as paid on the first invoice, so the amount is due on a replacement invoice.
  if not internal.withdraw_report(wrong) then
    perform internal.replace_invoice(invoice, reversal_id, former_cents);
  end if;
  perform internal.refuse_payment(target, amount);
  perform internal.record_counter_payment(target, move_payment.method, amount, move_payment.reference,
    'First recorded on invoice ' || coalesce(invoice.number, invoice.invoice_id));
end
$$;

create or replace function internal.normalize_mailbox(email text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Only a text with characters other than ASCII is normalized: NFKC does not change ASCII and is the slowest step.
  spelled constant text := lower(case when octet_length(email) = length(email) then email else normalize(email, nfkc) end);
  host constant text := split_part(spelled, '@', -1);
  local_part constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(local_part, '+', 1), ''), local_part);
begin
  return case
    when position('@' in spelled) = 0 then null
    when rtrim(host, '.') in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- A Proton account receives email at all of these domains (https://proton.me/support/addresses-and-aliases).
    when rtrim(host, '.') in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || rtrim(host, '.')
  end;
end
$$;

create or replace function internal.normalize_phone(phone text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Extracts the digits faster than a regular expression: the inner translate returns all other characters, the outer
  -- one removes them.
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
    -- A booking without a bay gets no bay as long as its start does not change.
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
  -- The sum of the chosen parts; null if no parts were chosen.
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
  -- A line that applies a deposit to an invoice, and a line that reverses a refund, are positive, but also reduce the
  -- remaining amount.
  change := case when original.kind = 'refund' or (new.kind = 'applied_deposit' and original.kind = 'payment')
    then -new.amount_cents else new.amount_cents end;
  if new.kind <> 'cash_rounding' and left_before + change not between 0 and abs(original.amount_cents) then
    raise exception 'A payment cannot return more than it has left.' using errcode = 'TT101', hint = 'above_left',
      detail = jsonb_build_object('leftCents', abs(left_before))::text;
  end if;
  return new;
end
$$;

create or replace function internal.prevent_frozen_revision_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    -- If the estimate no longer exists, it is being deleted with its revisions, and prevent_sent_estimate_delete has
    -- allowed the deletion.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.raise_record_retained(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'A sent revision cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_history_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The exception permits this statement; the row triggers of the table then check each changed row.
    return null;
  end if;
  raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create or replace function internal.reached_booking_limit(client internal.client_digests) returns text
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

create or replace function internal.reached_email_limit(visitor_email internal.visitor_emails, mailbox text) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return (
    with limits as materialized (
      select name, max_count, now() - period as since from internal.visitor_email_limits
    ), latest as materialized (
      select created_at, mailbox_digest = visitor_email.mailbox_digest as is_mailbox, domain_digest = visitor_email.domain_digest as is_domain,
             address_digest = visitor_email.address_digest as is_address, is_flagged and visitor_email.is_flagged as is_flagged
      from internal.visitor_emails
      where exceeded_limit is null and created_at > now() - interval '1 day'
      -- Reads no more rows than the daily limit of the site: with more rows, that limit is exceeded in any case.
      order by created_at desc limit (select min(max_count) from internal.visitor_email_limits where name = 'site' and period = '1 day')
    ), reached as materialized (
      select limits.name
      from limits left join latest on latest.created_at > limits.since and case limits.name
        when 'mailbox' then is_mailbox when 'domain' then is_domain when 'address' then is_address when 'flagged' then is_flagged
        else true end
      group by limits.name, limits.since, limits.max_count having count(latest.created_at) >= limits.max_count
    )
    select name from reached
    -- A domain with many customers is a mail provider, not one person's domain.
    where case when name = 'domain' then not internal.has_ten_customers(internal.mail_host_of(mailbox)) else true end
    -- The limit of the site is checked last, because the owner is notified of it, while the other limits concern only
    -- the sender.
    order by name = 'site' limit 1
  );
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
    -- Whether the time is free is computed only for held bookings and expired holds, because only their page shows it.
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
  -- If the form looks automated, a reached limit of visitor_booking_limits is not added as a further reason.
  if reached_limit = 'many_open_bookings' or (reached_limit is not null and reasons = '{}') then
    reasons := reasons || reached_limit;
  end if;
  return reasons;
end
$$;

create or replace function internal.record_booking_of_visitor() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after)
  values (new.id, 'booked', 'visitor', 'visitor',
          internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)))
  returning id into recorded_id;
  -- PostgreSQL commits transactions with notifications one after the other, which would slow down visitors. Therefore
  -- the job that links the booking later notifies the dashboards.
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
  -- The form has a hidden field, which visitors do not see; programs that fill in every field fill it in.
  hidden_field constant text := case when headers ->> 'x-form-website' <> '' then 'hidden_field_filled' end;
  age interval;
begin
  -- The regular expression ensures that the first part can be converted to a number. The signature proves that the
  -- other parts have the right format.
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

create or replace function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  lost bigint;
  reversal_id uuid;
begin
  select * into payment from public.payments line where line.payment_intent_id = record_lost_dispute.payment_intent_id;
  -- If the deposit was applied to an invoice, the lost dispute reduces the paid amount of that invoice.
  if payment.estimate_id is not null and internal.left_cents(payment) = 0 then
    select * into payment from public.payments applied
    where applied.original_id = payment.id and applied.kind = 'applied_deposit' and internal.left_cents(applied) > 0;
  end if;
  lost := least(record_lost_dispute.cents, internal.left_cents(payment));
  if payment.id is null or coalesce(lost, 0) = 0 then
    return false;
  end if;
  select * into invoice from public.invoices known where known.invoice_id = payment.invoice_id for update;
  reversal_id := internal.reverse_line(payment.id, lost, 'lost_dispute', 'Dispute lost: ' || record_lost_dispute.dispute_id);
  if reversal_id is not null and invoice.invoice_id is not null then
    perform internal.replace_invoice(invoice, reversal_id, lost);
  end if;
  return reversal_id is not null;
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
  -- Writes at most one line in 15 minutes for an account and a kind, so that an attacker with many attempts cannot fill
  -- the audit log.
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

create or replace function internal.record_settings_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- settings_versions and settings_history.
  language plpgsql security definer set search_path = '' as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span', 'needs_code_app'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.with_service_name(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.with_service_name(to_jsonb(new) - counted) end;
  changed_row constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- The initial settings of a new shop are not recorded as changes.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(changed_row ->> tg_argv[1], (select name from public.bays where id = (changed_row ->> 'bay_id')::uuid), ''),
    case
      -- Adding a service to a bay, or removing one, is recorded as a change of the bay.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
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
      -- A string without a match must not change by a single byte, also not in its Unicode normalization.
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
  -- Deletes the receipts of payments that were made after the erasure. Receipts that are still queued are not deleted
  -- until they are sent.
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

create or replace function internal.refuse_too_many_held(client internal.client_digests) returns void
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
    -- A booking without a bay occupied no time before, so it needs no bay when it becomes active again.
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

create or replace function internal.remove_sample_week() returns void
  -- Runs with the rights of the function's owner, because the server has no right to write emails, payments and other
  -- tables.
  language plpgsql security definer set search_path = '' as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from internal.stripe_reports where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  delete from public.credit_notes where invoice_id = any (ids);
  delete from public.invoice_events where invoice_id = any (ids);
  delete from public.invoices where number = any (numbers);
  -- The deletion includes tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
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
  -- At Stripe, the former payment remains; only the shop's ledger contains the corrected one.
  update internal.stripe_reports set state = 'corrected' where payment_id = line.id;
  perform internal.replace_invoice(invoice, reversal_id, lower_cents);
end
$$;

create or replace function internal.require_active_service() returns trigger
  -- Runs with the rights of the function's owner, because it counts all services, also services that the row-level
  -- security policies hide from the role that writes the row.
  language plpgsql security definer set search_path = '' as $$
begin
  -- Runs after the row triggers, which update settings_versions. The lock of that row serializes concurrent changes of
  -- services.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;

create or replace function internal.restore_survivor(merge public.merges) returns void
  language plpgsql set search_path = '' as $$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.survivor_changes) loop
    -- An unmerge restores a column only if nobody has changed it since the merge.
    execute format(
      'update public.%1$I survivor set %2$I = (jsonb_populate_record(survivor, $2)).%2$I where id = $1 and to_jsonb(survivor) -> %2$L = $3',
      case merge.kind when 'customer' then 'customers' else 'vehicles' end, changed.key)
    using merge.survivor_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$$;

create or replace function internal.retry_refund(refund_id uuid, method text, reference text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  failed public.payments;
  payment public.payments;
  invoice public.invoices;
  cents bigint;
  line_id uuid;
begin
  perform internal.require_admin();
  select * into failed from public.payments known where known.id = retry_refund.refund_id;
  invoice := internal.lock_invoice(failed.invoice_id);
  cents := internal.retriable_cents(failed);
  if cents = 0 then
    raise exception 'This refund did not fail, or was repeated already.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  select * into payment from public.payments known where known.id = failed.original_id;
  insert into public.payments (
    invoice_id, kind, method, original_id, credit_note_id, amount_cents, currency, reference, recorded_by_name, paid_at)
  values (payment.invoice_id, 'refund', coalesce(retry_refund.method, payment.method), payment.id, failed.credit_note_id, -cents,
    payment.currency, retry_refund.reference, internal.author_name(null), internal.current_instant())
  returning id into line_id;
  -- The credit note was already reported to Stripe with the first refund. The shop reports this refund only if Stripe
  -- itself has to send the money to the card.
  if payment.method = 'card_online' and coalesce(retry_refund.method, payment.method) = payment.method then
    insert into internal.stripe_reports (invoice_id, kind, payment_id) values (payment.invoice_id, 'refund', line_id);
  end if;
  return jsonb_build_object('refundCents', cents);
end
$$;

create or replace function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable set search_path = '' as $$
begin
  -- A client cannot choose a request id that begins with 'sample-week:', so the id is reserved for the sample week.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$$;

create or replace function internal.save_revision_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql set search_path = '' as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'invalid_document';
  end if;
  -- A dashboard that was opened before an update of the site sends the JSON keys of the earlier version.
  jobs := internal.read_document_jobs(jsonb_build_object('jobs', jobs));
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (
    estimate_id, revision, job_key, position, title, customer_description, is_needed_now, measurement, tear_down)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'customerDescription',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measurement', 'null'), nullif(job -> 'tearDown', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'subtype', line ->> 'description',
    (line ->> 'quantityThousandths')::integer, (line ->> 'unitPriceCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
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
      -- A bay that can do all services has no rows, so that it can also do services that are added later.
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
        -- Finds customers under whose name the address was typed online, even if it is not confirmed.
        ' union all select customers.* from (
           (select customer_id from public.bookings where search_text <> '''' and %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$$;

create or replace function internal.search_vehicles(term text, max_rows integer) returns setof uuid
  language plpgsql stable set search_path = '' as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.normalize_search_text(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- If the term is a number with punctuation, such as a phone number, only its digits are compared.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, customer_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.vehicles where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(customer_id) limit %4$s',
    compact, case when is_number then 'false' else internal.search_conditions(words) end, '%' || compact || '%', max_rows, candidates);
end
$$;

create or replace function internal.set_authorization_amounts() returns trigger
  language plpgsql set search_path = '' as $$
declare
  authorized_before bigint;
begin
  -- Locks the estimate, so that the running totals of concurrent decisions are correct.
  select customer_id, vehicle_id, case new.method when 'web' then link_version end into new.customer_id, new.vehicle_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and job_key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- Computes the authorized amount of the job without the withdrawn decision.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
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
  -- A second click finds the row as the first click left it, and changes nothing.
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
  -- If staff typed only a plate that a vehicle already has, the booking is of that vehicle. Any other plate is a new
  -- plate of the booking's vehicle.
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

create or replace function internal.undo_cancellation_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable set search_path = '' as $$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- Checks the hours again, because the shop may have added a closure after the cancellation. A schedule conflict
    -- that staff accepted before is still accepted.
    when booking.bay_id is not null and booking.conflict_accepted_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.find_bay_for_reopened_booking(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.normalize_mailbox(booking.customer_email), internal.normalize_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$$;

create or replace function internal.unsettled_invoices() returns setof public.invoices
  language sql stable set search_path = '' as $$
  select * from public.invoices where status = 'open' and written_off_at is null
  union all
  -- At Stripe, an invoice remains paid after one of its payments was reversed, for example by a lost dispute.
  select * from public.invoices
  where status = 'paid' and written_off_at is null
    and invoice_id in (select line.invoice_id from public.payments line where line.kind = 'reversal')
$$;

create or replace function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable set search_path = '' as $$
  select booking.* from public.bookings booking
  -- A booking lasts at most 14 days. The condition on the date lets the query use the index by date.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$$;

create or replace function internal.void_reason(line public.authorizations, estimate public.estimates) returns text
  language sql stable set search_path = '' as $$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- An approval that was invoiced stays valid if the customer or vehicle is corrected later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.customer_id is not null and line.customer_id is distinct from estimate.customer_id
      and internal.last_merged_customer(line.customer_id) is distinct from internal.last_merged_customer(estimate.customer_id) then 'customer'
    when line.vehicle_id is not null and line.vehicle_id is distinct from estimate.vehicle_id
      and internal.resolve_merged_vehicle(line.vehicle_id) is distinct from internal.resolve_merged_vehicle(estimate.vehicle_id) then 'vehicle'
  end
$$;

create or replace function internal.was_owner_notified() returns boolean
  language plpgsql set search_path = '' as $$
begin
  -- Locks the notices, so that a concurrent call waits and then sees the row of this call.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where notified_at > now() - interval '10 minutes');
end
$$;

create or replace function internal.with_current_links(body text, recipient_email text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  result text := body;
  link record;
  current_token text;
begin
  for link in
    select distinct parts[1] as page, parts[2] as token,
           encode(substring(decode(translate(parts[2], '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid as record_id
    from regexp_matches(body, '/(visit|estimate)/([A-Za-z0-9_-]{43})', 'g') parts
  loop
    -- A visitor can type an outdated link into a note or name. The link is therefore replaced only in emails to the
    -- address of the booking or estimate.
    current_token := case link.page
      when 'visit' then (select public.visit_page_token(id) from public.bookings
                         where id = link.record_id and lower(customer_email) = lower(with_current_links.recipient_email))
      else (select internal.estimate_token(id) from public.estimates
            where id = link.record_id and lower(customer_email) = lower(with_current_links.recipient_email)) end;
    if current_token is not null then
      result := replace(result, '/' || link.page || '/' || link.token, '/' || link.page || '/' || current_token);
    end if;
  end loop;
  return result;
end
$$;

create or replace function public.claim_email(email_id uuid) returns setof public.emails
  -- Runs with the rights of the function's owner, because the server has no right to write emails.
  language plpgsql security definer set search_path = '' as $$
declare
  -- The lease is longer than the maximum duration of an attempt. After a crash, the message is due again when the lease
  -- ends.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  if internal.are_emails_paused() then
    return;
  end if;
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_current_links(email.html_body, email.recipient_email),
      text_body = internal.with_current_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- The email stays in the outbox even if a mail server is configured, because the customers of the sample week do
    -- not exist.
    perform public.record_email_sent(email_id, 'in_outbox', null);
    return;
  end if;
  outdated := internal.email_outdated_reason(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
end
$$;

create or replace function public.clean_up_tasks(task_ids uuid[]) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to write tasks. require_admin() checks
  -- that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Skips tasks that were reopened after the user's page read the list.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;

create or replace function public.close_day(close jsonb) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write closes.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (close ->> 'date')::date;
  start_cents integer;
  expected integer;
  methods jsonb;
  new_id uuid;
begin
  perform internal.require_admin();
  -- This lock waits for every transaction that is adding a ledger line, and later transactions wait for this lock
  -- (internal.business_date).
  perform pg_advisory_xact_lock(hashtextextended('business days', 0));
  perform internal.refuse_close(day);
  start_cents := coalesce(
    (select remains_cents from public.day_closes order by business_date desc limit 1), (close ->> 'startCents')::integer);
  if start_cents is null then
    raise exception 'The first close must state the cash in the drawer.' using errcode = 'TT110', hint = 'start_required';
  end if;
  expected := start_cents + (internal.cash_of_day(day) ->> 'changeCents')::integer;
  if expected is distinct from (close ->> 'seenExpectedCents')::integer then
    raise exception 'The expected cash changed meanwhile.' using errcode = 'TT110', hint = 'expected_changed',
      detail = jsonb_build_object('expectedCents', expected)::text;
  end if;
  methods := internal.methods_of_day(day);
  insert into public.day_closes (
    business_date, start_cents, counted, expected_cents, terminal_expected_cents, terminal_counted_cents, check_expected_cents,
    check_counted_cents, reason, note, remains_cents, closed_by_name, closed_at)
  values (
    day, start_cents, close -> 'counted', expected, (methods #>> '{card_terminal,cents}')::integer, (close ->> 'terminalCents')::integer,
    (methods #>> '{check,cents}')::integer, (close ->> 'checkCents')::integer, close ->> 'reason', close ->> 'note',
    (close ->> 'remainsCents')::integer, internal.author_name(null), internal.current_instant())
  returning id into new_id;
  return new_id;
end
$$;

create or replace function public.correct_deposit(payment_id uuid, method text, amount_cents integer, reference text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  most bigint;
begin
  perform internal.require_admin();
  wrong := internal.lock_correctable_deposit(correct_deposit.payment_id);
  -- The correction can always repeat the recorded amount, even if the approved amount is lower now.
  most := greatest(wrong.amount_cents, internal.asked_deposit_cents(wrong.estimate_id));
  if correct_deposit.amount_cents > most then
    perform internal.raise_deposit_refusal(
      'above_asked', jsonb_build_object('askedCents', most, 'excessCents', correct_deposit.amount_cents - most));
  end if;
  perform internal.reverse_payment(wrong, 'recorded_wrongly', reason);
  perform internal.record_counter_deposit(
    wrong.estimate_id, correct_deposit.method, correct_deposit.amount_cents, correct_deposit.reference, null);
  return jsonb_build_object('heldCents', internal.held_deposit_cents(wrong.estimate_id));
end
$$;

create or replace function public.create_estimate(source jsonb) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates and
  -- estimate_revisions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  if source ->> 'kind' = 'towing' then
    return internal.create_towing_estimate();
  end if;
  -- Locks the booking, quote request, vehicle or customer of the estimate, so that a concurrent second call finds the
  -- estimate that the first call created.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- The key share lock prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'The record for which this estimate was written no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- Omits an unconfirmed email address until staff confirm it.
  email := coalesce(internal.email_for_estimate(booking, quote, customer.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, customer.id, vehicle.id,
    left(trim(coalesce(booking.customer_name, quote.name, customer.name, source #>> '{customer,name}', '')), 100),
    -- An invalid email address is not copied to an estimate.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, customer.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, vehicle.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, vehicle.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, vehicle.model, source #>> '{vehicle,model}', ''),
    coalesce(left(vehicle.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(vehicle.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.add_booked_job(estimate.id, booking.id);
  perform internal.save_revision_jobs(estimate.id, 1, source -> 'jobs') where source ? 'jobs';
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;

create or replace function public.edit_booking(
  booking_id uuid, seen_version integer, service_id uuid, appointment_date date, appointment_time time,
  customer_name text, customer_phone text, customer_email text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, vehicle_plate text default null, contact_change text default null
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to write bookings and customers.
  -- lock_booking() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(edit_booking.booking_id);
  edited public.bookings;
  fields text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment can be edited.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  -- Saving an estimate takes the locks in the same order: first the estimate, then its customer.
  perform from public.estimates where repair_id = booking.repair_id or customer_id = booking.customer_id order by id for update;
  perform internal.link_waiting_booking(booking.id);
  select * into booking from public.bookings where id = booking.id;
  edited := internal.take_service(booking, edit_booking.service_id);
  edited.appointment_date := edit_booking.appointment_date;
  edited.appointment_time := edit_booking.appointment_time;
  edited.customer_name := trim(edit_booking.customer_name);
  edited.customer_phone := trim(edit_booking.customer_phone);
  edited.customer_email := nullif(trim(edit_booking.customer_email), '');
  edited := internal.take_vehicle(edited, row(edit_booking.vehicle_year, edit_booking.vehicle_make, edit_booking.vehicle_model,
    edit_booking.vehicle_color, nullif(trim(vehicle_plate), ''), null));
  fields := internal.edited_fields(booking, edited);
  if fields && array['name', 'phone', 'email'] and coalesce(contact_change, '') not in ('correction', 'other_customer') then
    raise exception 'Is this a correction, or is it somebody else?' using errcode = '22023', hint = 'contact_change_required';
  end if;
  edited := internal.place_edited_booking(booking, edited);
  if edited is distinct from booking then
    edited := internal.save_edited_booking(edited);
  end if;
  if fields && array['name', 'phone', 'email'] then
    perform case contact_change when 'correction' then internal.correct_customer(booking, edited)
                                else internal.hand_over_booking(edited) end;
    select * into edited from public.bookings where id = booking.id;
  end if;
  if edited.customer_id is not null and ('vehicle' = any (fields) or vehicle_plate is not null) then
    perform internal.link_described_vehicle(booking, edited, nullif(trim(vehicle_plate), ''));
    select * into edited from public.bookings where id = booking.id;
  end if;
  perform internal.set_booking_change_context(null);
  return edited;
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
      -- Reads only the latest 300 bookings, because grouping by customer is slow, and 300 bookings usually contain
      -- eight customers.
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

create or replace function public.list_open_days(first_date date, last_date date, service uuid default null)
  returns table (day date, bays jsonb, closed_because text)
  -- Runs with the rights of the function's owner, because visitors may know when the shop is closed, but not the reason
  -- of a closure that is not public.
  language plpgsql stable security definer set search_path = '' as $$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- If several bays have the same hours, the hours are returned only once.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.bay_can_do_service(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.special_hours closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$$;

create or replace function public.list_special_days() returns table (day date, hours jsonb, bays jsonb, closed_because text)
  -- Runs with the rights of the function's owner, because the server has no right to call minutes_of_day. Visitors may
  -- read all values that the function returns.
  language plpgsql stable security definer set search_path = '' as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A page that stays open for a week must know every day that can be booked at the end of that week.
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

create or replace function public.merge_customers(
  survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer,
  fields_from_duplicate text[] default '{}'
) returns uuid
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to write customers and
  -- merges. require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor public.customers;
  duplicate public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_owner();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Saving an estimate takes the locks in the same order: first the estimate, then its customer.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  survivor := internal.lock_customer(survivor_id, seen_survivor_version);
  duplicate := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = survivor.id where id = duplicate.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then duplicate.name else name end,
      email = internal.merged_email(survivor, duplicate, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(duplicate.phone, phone) else coalesce(phone, duplicate.phone) end,
      created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', survivor.id, duplicate.id, internal.move_references('customer', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(customer)), internal.author_name(null)
  from public.customers customer where id = survivor.id
  returning id into merge;
  for pair in
    select own as survivor, other as duplicate from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(survivor.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.survivor, pair.duplicate, merge);
  end loop;
  return merge;
end
$$;

create or replace function public.queue_quote_reply(message jsonb, log jsonb) returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to write emails and quote_email_logs.
  language plpgsql security definer set search_path = '' as $$
declare
  queued_id uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- If the admin presses Send again after a failed delivery, the message is queued again with the same Message-ID.
  on conflict (dedupe_key) do update
    -- The delay prevents the delivery job from claiming the email before the calling server function sends it.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into queued_id;
  if not found then
    select id into queued_id from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, queued_id, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return queued_id;
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
  -- Locks the limits, so that emails of concurrent transactions are counted.
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

create or replace function public.read_day(day date) returns jsonb
  -- Runs with the rights of the function's owner, because otherwise row-level security would check again in each of its
  -- many queries that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  longest_days constant integer := 14;
  max_rows constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.special_hours_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- A booking lasts at most 14 days. The condition on the date lets the query use the index by date.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit max_rows
      ) booking
    )
  );
end
$$;

create or replace function public.record_email_failure(email_id uuid, reason text, is_final boolean) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write emails and quote_requests.
  language plpgsql security definer set search_path = '' as $$
declare
  failed public.emails;
begin
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- The delays after the first, second and each further failure. The last attempt is made after the last delay.
      '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '24 hours'
    ]::interval[])[email.attempts] end as wait
    from public.emails email join internal.email_kinds rules using (kind)
    where email.id = email_id and email.status in ('queued', 'retrying')
  )
  update public.emails email
  set status = case when outcome.wait is null then 'failed' else 'retrying' end,
      last_error = left(reason, 500), leased_until = null, next_attempt_at = now() + coalesce(outcome.wait, '0')
  from outcome where outcome.id = email.id
  returning email.* into failed;
  -- The command that queued the reply has already set the quote request to completed (docs/decisions/0032).
  if failed.kind = 'quote_reply' and failed.status = 'failed' then
    update public.quote_requests request set status = 'pending'
    where request.id = failed.quote_request_id and request.status = 'completed' and not exists (
      select from public.emails reply
      where reply.quote_request_id = request.id and reply.kind = 'quote_reply' and reply.status <> 'failed');
  end if;
  return failed.status;
end
$$;

create or replace function public.record_technician_step(booking_id uuid, new_state text, seen_version integer) returns integer
  -- Runs with the rights of the function's owner, because a technician has no right to write bookings.
  -- require_technician() and the view that the function reads check the permissions of the caller.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
begin
  perform internal.require_technician();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- The error text is the same for a booking of another day, a booking of another technician and an unknown booking, so
  -- that it reveals nothing about them.
  if new_state is null or new_state not in ('arrived', 'in_work', 'completed') or not exists (
    select from public.technician_bookings shown
    where shown.id = record_technician_step.booking_id and shown.assignment <> 'other')
  then
    raise exception 'Technicians record the arrival, start and end of their own and of unassigned appointments of today.'
      using errcode = '42501';
  end if;
  select * into booking from public.bookings where id = record_technician_step.booking_id for update;
  booking := internal.set_booking_state(booking, new_state, seen_version, null, false);
  return booking.version;
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
    -- The time is no longer free or the customer has five other open bookings. This booking stays as it is, and the
    -- loop continues with the next booking.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;

create or replace function public.save_booking_note(booking_id uuid, note text, seen_note text default null) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to call require_admin(), which checks
  -- that the caller is the admin.
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
  -- A second click finds the note that the first click saved, and is no conflict.
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
    -- Only the detail contains the name, because PostgreSQL writes error messages to its log.
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

create or replace function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates and
  -- estimate_revisions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    -- A dashboard that was opened before an update of the site sends no payer, so the stored payer remains.
    payer_name = case when document ? 'payer' then document #>> '{payer,name}' else payer_name end,
    payer_reference = case when document ? 'payer' then document #>> '{payer,reference}' else payer_reference end,
    payer_approved_cents = case when document ? 'payer' then (document #>> '{payer,approvedCents}')::integer else payer_approved_cents end,
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.save_revision_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_saved_estimate(estimate.id);
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
    -- If the services have an order, a new service gets the last position.
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

create or replace function public.search_everything(term text, max_rows integer default 5) returns jsonb
  -- Runs with the rights of the function's owner, because under row-level security `like` cannot use an index.
  language plpgsql stable security definer set search_path = '' as $$
declare
  limit_each constant integer := least(greatest(coalesce(max_rows, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- The term is the beginning of a booking's id; the history and the emails of the booking show its first eight
  -- characters.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  customer_ids uuid[];
  vehicle_ids uuid[];
  booking_ids uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  customer_ids := array(select internal.search_customers(term, limit_each));
  vehicle_ids := array(select internal.search_vehicles(term, limit_each));
  if customer_ids = '{}' and vehicle_ids = '{}' then
    select coalesce(array_agg(distinct customer_id) filter (where customer_id is not null), '{}'),
           coalesce(array_agg(distinct vehicle_id) filter (where vehicle_id is not null), '{}')
    into customer_ids, vehicle_ids from internal.search_bookings(term, limit_each);
  else
    vehicle_ids := vehicle_ids || array(
      select vehicle.id from public.vehicles vehicle where vehicle.customer_id = any (customer_ids) and vehicle.merged_into is null and vehicle.id <> all (vehicle_ids)
      order by vehicle.created_at desc limit greatest(limit_each - cardinality(vehicle_ids), 0));
  end if;
  booking_ids := array(
    select id from (
      (select id, occupied from public.bookings where customer_id = any (customer_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where vehicle_id = any (vehicle_ids) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, customer_ids, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'customers', (
      select coalesce(jsonb_agg(internal.describe_customer_hit(customer, today) order by place), '[]')
      from unnest(customer_ids) with ordinality as ranked (id, place) join public.customers customer on customer.id = ranked.id),
    'vehicles', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) || jsonb_build_object('customerName', customer.name) order by place), '[]')
      from unnest(vehicle_ids) with ordinality as ranked (id, place)
      join public.vehicles vehicle on vehicle.id = ranked.id join public.customers customer on customer.id = vehicle.customer_id),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
        'customerId', booking.customer_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(booking_ids[1:limit_each]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_document_hit(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= limit_each),
    'counts', jsonb_build_object('bookings', cardinality(booking_ids), 'documents', jsonb_array_length(documents)));
end
$$;

create or replace function public.set_customer_reminders(customer_id uuid, gets_reminders boolean) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write customers. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor_id uuid;
begin
  perform internal.require_admin();
  survivor_id := internal.lock_merged_customer(set_customer_reminders.customer_id);
  if survivor_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.customers known
  set gets_reminders = set_customer_reminders.gets_reminders
  where known.id = any (internal.list_merged_customers(survivor_id)) and known.gets_reminders <> set_customer_reminders.gets_reminders
    -- Switching reminders off changes only the surviving customer, so that an unmerge restores the setting of the
    -- duplicate. Switching them on also changes the merged duplicates.
    and (known.id = survivor_id or set_customer_reminders.gets_reminders);
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
    -- The function that links the booking to the new customer notifies the dashboards.
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
  -- All records of the vehicle move to the new customer, so that customer does not get an unconfirmed email address.
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
  -- A second click finds the row as the first click left it, and changes nothing.
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

create or replace function public.void_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(void_invoice.invoice_id);
  if exists (select from public.payments payment where payment.invoice_id = invoice.invoice_id)
     or internal.claimed_cents(invoice.invoice_id) > 0 then
    raise exception 'An invoice with a payment cannot be voided.' using errcode = 'TT103', hint = 'was_paid';
  end if;
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  -- At Stripe, an invoice whose price was corrected to zero counts as paid, and a paid invoice cannot be voided.
  if internal.invoice_balance_cents(invoice) = 0 or invoice.status not in ('open', 'uncollectible') then
    raise exception 'An invoice without a balance cannot be voided.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set voided_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'voided', void_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'void');
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('balanceCents', 0, 'customer', internal.describe_recipient(invoice));
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
  -- Locks the rows in the same order as a delivery does: first the delivery, then its event.
  delete from stripe_sandbox.event_deliveries where event_id = any (deleted_event_ids);
  delete from stripe_sandbox.objects where id = any (deleted_ids || deleted_event_ids);
  return deleted_event_ids;
end
$$;

COMMENT ON COLUMN "internal"."admin_data_sessions"."token_hash" IS 'The dashboard session (admin_sessions.token_hash) to which the data session belongs.';

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_until" IS 'The time until which the last step-up authentication (a repeated check of the password or passkey) is valid for endpoints that require one; null without a step-up authentication.';

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_with" IS 'The means of the last step-up authentication of the session: password or passkey.';

COMMENT ON COLUMN "internal"."admin_sessions"."device" IS 'A short description of the browser that signed in, such as ''Chrome on Windows''.';

COMMENT ON COLUMN "internal"."admin_sessions"."id" IS 'The id of the session in the list of sessions that staff see. The id alone grants no access.';

COMMENT ON COLUMN "internal"."admin_sessions"."last_used_at" IS 'The minute in which a person last used the session. The session ends 12 hours later. Requests that a page sends by itself, without an action of the person, do not count.';

COMMENT ON COLUMN "internal"."admin_sessions"."network_address" IS 'The network address from which the person signed in; null for a session that started before this column existed.';

COMMENT ON COLUMN "internal"."admin_sessions"."tablet_id" IS 'The shared tablet at which the session was started with a PIN. Such a session has the rights of a technician. Null for a session that was started in another way.';

COMMENT ON COLUMN "internal"."admin_sessions"."token_hash" IS 'The SHA-256 hash of the session token in the browser''s cookie.';

COMMENT ON COLUMN "internal"."admin_sessions"."user_id" IS 'The user of the auth service. The column has no foreign key, because the schema of the users belongs to the auth service.';

COMMENT ON COLUMN "internal"."backup_drills"."differing" IS 'The differences between the restored backup and the shop: the names of tables, ''catalog'' for the database schema, ''files'' for the stored files.';

COMMENT ON COLUMN "internal"."backup_drills"."incarnation" IS 'The id of the backup history that was restored. Each restored shop that makes backups starts a new backup history (an incarnation) at the backup target. next_file_number counts the files of this history.';

COMMENT ON COLUMN "internal"."backup_drills"."next_file_number" IS 'The number of the next file in the backup that a restore drill must check; earlier files of the same backup history were checked before.';

COMMENT ON COLUMN "internal"."backup_drills"."object" IS 'The first file at the backup target that was missing or damaged.';

COMMENT ON COLUMN "internal"."backup_drills"."restored_ms" IS 'The time in milliseconds that the restore took: copying the backup and recovering the database.';

COMMENT ON COLUMN "internal"."bay_hours"."bay_rank" IS 'The result of internal.bay_rank, stored so that it is not computed for each booking.';

COMMENT ON COLUMN "internal"."bay_hours"."service_ids" IS 'The services that the bay can do; null if the bay can do all services.';

COMMENT ON COLUMN "internal"."bay_hours"."span" IS 'A range of time in which the bay is open on that date; an empty range if the bay is closed all day.';

COMMENT ON COLUMN "internal"."booking_transitions"."from_state" IS 'The state before the change: a status of bookings, or ''completed''.';

COMMENT ON COLUMN "internal"."booking_transitions"."is_for_staff" IS 'Whether staff can make the change; false if only the system makes the change.';

COMMENT ON COLUMN "internal"."booking_transitions"."to_state" IS 'The state after the change: a status of bookings, or ''completed''.';

COMMENT ON COLUMN "internal"."calendar_feed"."renewed_at" IS 'When the current address was created; earlier addresses no longer work.';

COMMENT ON COLUMN "internal"."calendar_feed"."token" IS 'The secret at the end of the address: 256 random bits as base64url. It is stored in plain text, because the dashboard shows the owner the address again, for example for another device.';

COMMENT ON COLUMN "internal"."code_apps"."confirmed_at" IS 'When a first code proved that the authenticator app was set up correctly; null until then.';

COMMENT ON COLUMN "internal"."code_apps"."last_step" IS 'The number of the 30-second step of the last accepted code, counted from 1970. The server then accepts no code of this step or an earlier one.';

COMMENT ON COLUMN "internal"."code_apps"."sealed_secret" IS 'The secret that the server shares with the app, encrypted with the key of the installation.';

COMMENT ON COLUMN "internal"."commands"."input_hash" IS 'The SHA-256 hash of the input, by which the server recognizes an id that is used again with another input.';

COMMENT ON COLUMN "internal"."commands"."result" IS 'The first response, with ids, versions and times but no data of customers. Null until the command has finished; other transactions never see this null.';

COMMENT ON COLUMN "internal"."commands"."user_id" IS 'The user of the staff account. The column has no foreign key, because the schema of the users belongs to the auth service.';

COMMENT ON COLUMN "internal"."email_kinds"."is_retried" IS 'Whether an email whose delivery failed is sent again later. If false, the person who sends the email sees the error immediately.';

COMMENT ON COLUMN "internal"."email_kinds"."must_match" IS 'The record that must still agree with the email when it is sent: the booking (also a held or cancelled one), the estimate (the customer must still be able to decide), or none.';

COMMENT ON COLUMN "internal"."erasure_rules"."label" IS 'The name of the column in the dialog that erases a customer; null for a column in which the erasure does not search.';

COMMENT ON COLUMN "internal"."erasure_rules"."longest" IS 'The maximum number of characters that the column may contain after a redaction.';

COMMENT ON COLUMN "internal"."erasure_rules"."only_where" IS 'An SQL condition for the rows that the erasure may change; ''true'' for all rows.';

COMMENT ON COLUMN "internal"."erasure_rules"."owner" IS 'An SQL expression for the customer (customers.id) to whom the record belongs; null if the record belongs to no customer.';

COMMENT ON COLUMN "internal"."erasure_rules"."reason" IS 'The explanation of the treatment: how the erasure replaces the column, why the column is retained, or which data it contains.';

COMMENT ON COLUMN "internal"."erasure_rules"."row_key" IS 'An SQL expression that identifies a row of the table. The alias of the row in the expression is "one".';

COMMENT ON COLUMN "internal"."erasure_rules"."subject" IS 'An SQL expression for a short description by which staff recognize the record, or null.';

COMMENT ON COLUMN "internal"."erasure_rules"."treatment" IS 'The treatment of the column. replaced: the erasure empties, deletes or rewrites the column; kept: the column is retained, for the reason in the column reason; free: the column contains no personal data of customers.';

COMMENT ON COLUMN "internal"."file_cleanups"."cleaned" IS 'The value that the column requests had when the last rewrite of the files began.';

COMMENT ON COLUMN "internal"."file_cleanups"."is_ours" IS 'Whether the database login of the site owns the table, so that the nightly job can rewrite its files.';

COMMENT ON COLUMN "internal"."file_cleanups"."requests" IS 'The number of erasures after which the files have to be rewritten, counted since the table was created.';

COMMENT ON COLUMN "internal"."form_origins"."address_digest" IS 'The digest of the client''s address; null if the data service does not know the address.';

COMMENT ON COLUMN "internal"."form_origins"."booking_id" IS 'The booking that the form created. The column has no foreign key, because the same transaction inserts this row first and the booking later. When the booking is deleted, the trigger forget_form_origin removes the origin.';

COMMENT ON COLUMN "internal"."form_origins"."first_use" IS 'True if the form was the first with its valid token, otherwise null. Null instead of false, because the unique index accepts any number of null values.';

COMMENT ON COLUMN "internal"."form_origins"."is_counted" IS 'Whether the form counts toward the limits on visitors'' bookings (visitor_booking_limits). False if its booking is flagged or belongs to a load test.';

COMMENT ON COLUMN "internal"."form_origins"."is_of_known_customer" IS 'Whether the booking is held but, because its customer is known, does not count toward the maximum number of held bookings.';

COMMENT ON COLUMN "internal"."form_origins"."network_24_digest" IS 'The digest of the client''s IPv4 network with the prefix length 24; null for other clients.';

COMMENT ON COLUMN "internal"."form_origins"."network_48_digest" IS 'The digest of the client''s IPv6 network with the prefix length 48; null for other clients.';

COMMENT ON COLUMN "internal"."form_origins"."network_56_digest" IS 'The digest of the client''s IPv6 network with the prefix length 56; null for other clients.';

COMMENT ON COLUMN "internal"."form_origins"."quote_request_id" IS 'The quote request that the form created. The column has no foreign key, for the same reason as booking_id.';

COMMENT ON COLUMN "internal"."form_origins"."token_digest" IS 'The digest of the form token in the header x-form-token, also of an invalid token; null without the header.';

COMMENT ON COLUMN "internal"."invoice_numbers"."number" IS 'The number of the invoice. The column is not unique; if two invoices have the same number, staff choose between them.';

COMMENT ON COLUMN "internal"."known_browsers"."attempts_left" IS 'The number of wrong passwords that the browser may still send before it counts as unknown. A right password resets the number.';

COMMENT ON COLUMN "internal"."known_browsers"."token_hash" IS 'The SHA-256 hash of the token in the browser''s cookie.';

COMMENT ON COLUMN "internal"."known_browsers"."username" IS 'The username in lower case. A browser that several admins use has one row for each of them.';

COMMENT ON COLUMN "internal"."merge_rules"."key_column" IS 'The key column of the referencing table, by which an unmerge finds the moved rows.';

COMMENT ON COLUMN "internal"."onboarding"."confirmed_steps" IS 'The setup steps whose default settings the owner confirmed without a change.';

COMMENT ON COLUMN "internal"."onboarding"."done_at" IS 'When all steps were done for the first time. Afterwards the checklist is not computed again.';

COMMENT ON COLUMN "internal"."onboarding"."has_first_password" IS 'Whether an admin still uses the initial password, which the first start of the site generated and printed.';

COMMENT ON COLUMN "internal"."onboarding"."hidden_at" IS 'When the owner hid the checklist; null while the checklist is visible.';

COMMENT ON COLUMN "internal"."onboarding"."sample_filled_at" IS 'When the sample week was created completely; null until then.';

COMMENT ON COLUMN "internal"."onboarding"."sample_week_id" IS 'The id of the current sample week, kept until all its rows are deleted; null without a sample week.';

COMMENT ON COLUMN "internal"."owner_notices"."dedupe_key" IS 'The event that caused the notice, as a key with ids, like emails.dedupe_key.';

COMMENT ON COLUMN "internal"."owner_notices"."line" IS 'The line that describes the notice in the collected email; it contains no name of a person.';

COMMENT ON COLUMN "internal"."passkey_challenges"."browser_hash" IS 'The SHA-256 hash of the token in the cookie of the browser that requested the challenge.';

COMMENT ON COLUMN "internal"."passkey_challenges"."invitation_id" IS 'The invitation that is accepted with the response; null for every other purpose.';

COMMENT ON COLUMN "internal"."passkey_challenges"."new_user_id" IS 'The future user id of the invited person. The device stores the passkey under this id.';

COMMENT ON COLUMN "internal"."passkey_challenges"."session_id" IS 'The dashboard session whose step-up authentication uses the challenge; null for every other purpose.';

COMMENT ON COLUMN "internal"."passkey_challenges"."user_id" IS 'The team member who registers a passkey with the response. Null for a sign-in, where the response contains the id of the passkey, and for a step-up authentication.';

COMMENT ON COLUMN "internal"."passkeys"."anomaly_count" IS 'The number of responses with a signature counter that did not increase, which indicates that the passkey was copied. The second such response switches the passkey off.';

COMMENT ON COLUMN "internal"."passkeys"."counter" IS 'The signature counter in the last accepted response of the passkey (WebAuthn Level 3, 6.1.1). Passkeys that are synced between devices always send 0.';

COMMENT ON COLUMN "internal"."passkeys"."credential_id" IS 'The id that the device assigned to the passkey (WebAuthn Level 3, 4).';

COMMENT ON COLUMN "internal"."passkeys"."is_active" IS 'Whether the server accepts the passkey; false after it was switched off because it may have been copied.';

COMMENT ON COLUMN "internal"."passkeys"."rp_id" IS 'The relying party id: the host of the site when the passkey was registered. Browsers offer the passkey only at this host.';

COMMENT ON COLUMN "internal"."passkeys"."transports" IS 'The transports by which a browser can reach the authenticator device, for example internal or usb.';

COMMENT ON COLUMN "internal"."payment_pages"."closed_at" IS 'When the server found that the Checkout Session is completed or expired.';

COMMENT ON COLUMN "internal"."payment_pages"."session_id" IS 'The id of the Checkout Session at Stripe; null until Stripe has created the Checkout Session.';

COMMENT ON COLUMN "internal"."pending_sign_ins"."browser_hash" IS 'The SHA-256 hash of the token in the cookie of the browser that sent the password.';

COMMENT ON COLUMN "internal"."recovery_codes"."code_hash" IS 'The HMAC-SHA-256 of the code with the key of the installation, so that nobody can guess the codes from a copy of the database alone.';

COMMENT ON COLUMN "internal"."restored_shop"."numbers_checked_at" IS 'When the server read the newest invoice numbers from the payment provider, so that new numbers continue above them; null until then.';

COMMENT ON COLUMN "internal"."restored_shop"."recovered_until" IS 'The time of the last change that the restore recovered.';

COMMENT ON COLUMN "internal"."sealed_settings"."sealed" IS 'The encrypted value of the setting; null after an owner removed the setting.';

COMMENT ON COLUMN "internal"."secrets"."inner_key" IS 'The inner key of HMAC (RFC 2104), computed when the row is written.';

COMMENT ON COLUMN "internal"."secrets"."outer_key" IS 'The outer key of HMAC (RFC 2104), computed when the row is written.';

COMMENT ON COLUMN "internal"."sign_in_codes"."code_hash" IS 'The SHA-256 hash of the code, which has 100 random bits.';

COMMENT ON COLUMN "internal"."sign_in_codes"."user_id" IS 'The user of the auth service. The column has no foreign key, because the schema of the users belongs to the auth service.';

COMMENT ON COLUMN "internal"."stripe_events"."is_live" IS 'Whether real money was involved; false for Stripe''s test mode, the sandbox, and events that were processed before this column existed.';

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'The state of the report. due: a job has to report the change. reported: Stripe has accepted the report. refused: Stripe does not accept the report, for the reason in the column problem; the change is valid in the shop''s ledger nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: the report is not sent, because Stripe already counts the wrong payment that this line corrects.';

COMMENT ON COLUMN "internal"."stripe_reports"."stripe_id" IS 'The id at Stripe of the payment record, payment intent (of a deposit), credit note or refund (of a deposit); null until Stripe has created it.';

COMMENT ON COLUMN "internal"."tablet_data_sessions"."ends_at" IS 'The time until which the session''s access tokens have the rights of a technician. Afterwards these tokens have no rights.';

COMMENT ON COLUMN "internal"."tablet_pins"."pin_hash" IS 'The Argon2id hash of the PIN, in the same format as password hashes.';

COMMENT ON COLUMN "internal"."tablet_pins"."waits_until" IS 'The time until which the server accepts no PIN of this person, because five wrong PINs were entered.';

COMMENT ON COLUMN "internal"."tablet_pins"."wrong_count" IS 'The number of attempts since the last right PIN. An attempt is counted before its PIN is checked. After 10 wrong attempts, the PIN works at no tablet until a new PIN is set.';

COMMENT ON COLUMN "internal"."tablets"."locked_at" IS 'When the tablet was locked because of too many wrong PINs; null if it is not locked. The sign-in of an advisor or owner at the tablet unlocks it.';

COMMENT ON COLUMN "internal"."tablets"."revoked_by" IS 'The owner who revoked the tablet; null if the tablet was revoked by another enrollment of the same browser or by a restore.';

COMMENT ON COLUMN "internal"."tablets"."token_hash" IS 'The SHA-256 hash of the token in the cookie of the tablet.';

COMMENT ON COLUMN "internal"."visit_link_requests"."mailbox" IS 'The mailbox, normalized by internal.normalize_mailbox; null after the request was processed.';

COMMENT ON COLUMN "internal"."visit_link_requests"."mailbox_digest" IS 'The SHA-256 hash of the mailbox, by which a repeated request of the same mailbox is recognized.';

COMMENT ON COLUMN "internal"."visitor_booking_limits"."name" IS 'The group whose bookings are counted: the bookings from one client, from one of its networks (IPv6 /56 and /48, IPv4 /24), or from the whole site.';

COMMENT ON COLUMN "internal"."visitor_email_limits"."name" IS 'The group whose emails are counted: the emails to one mailbox, to one domain with few customers, from one client, for flagged forms, or of the whole site.';

COMMENT ON COLUMN "internal"."visitor_emails"."dedupe_key" IS 'The same key as in emails. The table emails contains no row for an email that a limit prevented.';

COMMENT ON COLUMN "internal"."visitor_emails"."exceeded_limit" IS 'The limit that was exceeded; null for an email that was queued.';

COMMENT ON COLUMN "public"."audit_events"."amount_cents" IS 'The refunded amount, or the credited amount of a cancelled invoice, in cents. Always positive.';

COMMENT ON COLUMN "public"."audit_events"."confirmed_with" IS 'The means by which the person confirmed the step-up authentication before the action: password or passkey. Null for an action without a step-up, and if the sign-in sessions of the account used different means.';

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'Details of the event: the roles of a change, the invited person with the role, the path of the refused request, the days of an exported file, or the name of a setting.';

COMMENT ON COLUMN "public"."audit_events"."network_address" IS 'The network address of the sign-in; 30 days later, the address is replaced by its network (IPv4 /24 or IPv6 /48).';

COMMENT ON COLUMN "public"."audit_events"."subject_user_id" IS 'The staff account that was changed, or whose username was entered in a failed sign-in.';

COMMENT ON COLUMN "public"."audit_events"."user_id" IS 'The staff account that caused the event; null for an event on the server''s command line and for a person who is not signed in.';

COMMENT ON COLUMN "public"."authorizations"."amount_cents" IS 'The price in cents, with tax, of the job in that revision. A trigger computes it.';

COMMENT ON COLUMN "public"."authorizations"."batch_id" IS 'The id that rows have in common if the customer made the decisions together.';

COMMENT ON COLUMN "public"."authorizations"."contact" IS 'The phone number or email address from which the customer decided.';

COMMENT ON COLUMN "public"."authorizations"."customer_id" IS 'The customer of the estimate at the time of the decision; null if unknown. The column has no foreign key, because the row remains when the customer is deleted.';

COMMENT ON COLUMN "public"."authorizations"."decided_at" IS 'When the customer decided; recorded_at is the time at which staff or the page recorded the decision.';

COMMENT ON COLUMN "public"."authorizations"."decision" IS 'The decision on the job. approved; declined (an earlier approval stays valid at its price); withdrawn (the row revokes the earlier decision withdraws_id).';

COMMENT ON COLUMN "public"."authorizations"."link_version" IS 'The version of the link that the customer used; null if the customer decided in another way.';

COMMENT ON COLUMN "public"."authorizations"."relationship" IS 'The relationship to the customer, such as ''husband'', if another person decided for the customer.';

COMMENT ON COLUMN "public"."authorizations"."revision_hash" IS 'The hash of the frozen revision about which the customer decided.';

COMMENT ON COLUMN "public"."authorizations"."running_total_cents" IS 'The total in cents that is authorized for the estimate after this row. A trigger computes it.';

COMMENT ON COLUMN "public"."authorizations"."statement" IS 'The customer''s words, or the text of the page on which the customer decided.';

COMMENT ON COLUMN "public"."authorizations"."vehicle_id" IS 'The vehicle of the estimate at the time of the decision; null without a vehicle. The column has no foreign key, for the same reason as customer_id.';

COMMENT ON COLUMN "public"."authorizations"."withdraws_id" IS 'The decision that this row withdraws, because the estimate was sent to the wrong recipient. Neither of the two rows counts.';

COMMENT ON COLUMN "public"."bays"."is_active" IS 'Whether the bay is in use: only active bays get bookings.';

COMMENT ON COLUMN "public"."bays"."position" IS 'The position of the bay in the order that the owner chose. It is part of the rank by which a booking gets its bay (internal.bay_rank).';

COMMENT ON COLUMN "public"."bays"."technician" IS 'The technician who works in the bay, or null. Only staff can read the name.';

COMMENT ON COLUMN "public"."booking_events"."booking_id" IS 'The id of the booking. The column has no foreign key, because the history remains when the booking is deleted.';

COMMENT ON COLUMN "public"."booking_events"."changed_by_name" IS 'The author of the change: the staff username if the source is counter or task, otherwise the source itself.';

COMMENT ON COLUMN "public"."booking_events"."kind" IS 'The kind of change: booked; moved (to another date, time or bay); placed (into a bay, after the booking had no bay); extended, shortened; the kind of a change of state in internal.booking_transitions; edited (service, vehicle or contact: edited_fields); kept (staff confirmed a hold or accepted a schedule conflict); confirmed (by the link in the email), not_confirmed (the hold expired); answered (the customer confirmed that they will come), explained (the customer stated why they cancelled); relinked (new link to the visit page); changed (to a status that staff wrote); notification_dismissed; deleted.';

COMMENT ON COLUMN "public"."booking_events"."reason" IS 'The reason that staff or the customer gave; null without a reason.';

COMMENT ON COLUMN "public"."booking_events"."source" IS 'The origin of the change: visitor (website), counter (staff), customer (on the visit page), task (staff, by starting a task) or system (a job).';

COMMENT ON COLUMN "public"."booking_events"."warnings" IS 'The rules for visitors that the staff''s change breaks (codes of internal.booking_warnings).';

COMMENT ON COLUMN "public"."booking_rules"."booking_window_days" IS 'The number of days after today on which visitors can still book.';

COMMENT ON COLUMN "public"."booking_rules"."close_print_format" IS 'The paper for printed day closes: receipt (80 mm) or letter (US Letter).';

COMMENT ON COLUMN "public"."booking_rules"."counts_cash_before_expected" IS 'Whether the page for the day close shows the expected amount of cash only after staff have counted the cash.';

COMMENT ON COLUMN "public"."booking_rules"."reminder_time" IS 'The time of day at which reminders are sent on the day before an appointment, in shop time.';

COMMENT ON COLUMN "public"."booking_rules"."rounds_cash" IS 'Whether an amount due in cash is rounded to five cents, because one-cent coins are no longer minted (docs/product.md 17.3).';

COMMENT ON COLUMN "public"."bookings"."attendance_confirmed_at" IS 'When the customer confirmed that they will come at the booked time; null again after a move or a cancellation.';

COMMENT ON COLUMN "public"."bookings"."bay_id" IS 'The bay of the booking; null for a booking without a bay, which occupies no bay''s time.';

COMMENT ON COLUMN "public"."bookings"."calendar_sequence" IS 'SEQUENCE of the calendar file (RFC 5545, section 3.8.7.4). Every move, change of the duration, cancellation and reopening increments it.';

COMMENT ON COLUMN "public"."bookings"."customer_id" IS 'The customer of the booking; null until the booking is linked to a customer.';

COMMENT ON COLUMN "public"."bookings"."duration_minutes" IS 'The wall-clock minutes for which the booking occupies its bay: the duration of the service at the time of booking, or the duration that staff chose, up to two weeks.';

COMMENT ON COLUMN "public"."bookings"."flagged_reasons" IS 'The reasons why the booking is held until it is confirmed: signs that an automated program sent its form, many_open_bookings, or the limit that was reached (45_holds.sql). Empty for an ordinary booking.';

COMMENT ON COLUMN "public"."bookings"."held_until" IS 'When the hold of a flagged booking expires, unless the customer (by the link in an email) or staff confirm the booking before; null for a booking that is not held.';

COMMENT ON COLUMN "public"."bookings"."internal_note" IS 'An internal note of staff, which no email and no page shows to customers.';

COMMENT ON COLUMN "public"."bookings"."is_notification_outdated" IS 'Whether the date, the start time or the cancellation differs from what the customer knows (notified_starts_at, notified_cancelled). Changes of the bay and the duration do not count.';

COMMENT ON COLUMN "public"."bookings"."link_version" IS 'The version of the link to the visit page; incrementing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."bookings"."notified_starts_at" IS 'The start that the customer knows, in shop wall-clock time: the customer chose it, or the last delivered notification stated it.';

COMMENT ON COLUMN "public"."bookings"."occupied" IS 'The time that the booking occupies, as a half-open range of shop wall-clock time, so that back-to-back bookings do not overlap.';

COMMENT ON COLUMN "public"."bookings"."repair_id" IS 'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';

COMMENT ON COLUMN "public"."bookings"."search_text" IS 'The searchable text of the booking, normalized; empty until the booking is linked to its customer.';

COMMENT ON COLUMN "public"."bookings"."service_name" IS 'The name of the service at the time of booking; later changes of the service do not change this name.';

COMMENT ON COLUMN "public"."bookings"."service_price_cents" IS 'The lowest price on the service card at the time of booking; null when the card showed no price.';

COMMENT ON COLUMN "public"."bookings"."status" IS 'The status: confirmed, arrived, in_work, no_show, cancelled, not_confirmed (an expired hold) or a status that staff wrote. Bookings with no_show, cancelled or not_confirmed do not occupy their time. The column completed_at records the completion.';

COMMENT ON COLUMN "public"."bookings"."vehicle_id" IS 'The vehicle of the booking; null when the booking names no vehicle.';

COMMENT ON COLUMN "public"."bookings"."version" IS 'The version of the row, which each change increments. A request that moves the booking or changes its state contains the version that the user saw.';

COMMENT ON COLUMN "public"."cash_movements"."amount_cents" IS 'The amount in US cents, always positive; the column kind states the direction.';

COMMENT ON COLUMN "public"."cash_movements"."business_date" IS 'The business date to which the movement belongs; its day close includes the movement.';

COMMENT ON COLUMN "public"."credit_note_parts"."part_key" IS 'The part of the invoice: the key of a job, or the position of a line.';

COMMENT ON COLUMN "public"."credit_notes"."business_date" IS 'The shop''s day to which the credit note belongs in the files for the accountant.';

COMMENT ON COLUMN "public"."credit_notes"."kind" IS 'The kind of credit note. price_correction: lowers the price of an open invoice, and no money moves. refund: belongs to a refund of the same amount for a paid invoice. cancellation: credits the whole rest of an invoice with payments.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_at" IS 'When the address was confirmed as the customer''s: staff entered it or pressed ''Use this address'', or the customer confirmed it. Null for an address that was only typed online.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_by_name" IS 'The person who confirmed the address: a staff username, or ''customer''; null if staff entered the address themselves.';

COMMENT ON COLUMN "public"."customer_contact_methods"."value" IS 'The email address or phone number as it was typed.';

COMMENT ON COLUMN "public"."customers"."erased_at" IS 'When the customer''s data was erased; null if it was not erased.';

COMMENT ON COLUMN "public"."customers"."gets_reminders" IS 'Whether the customer gets reminders the day before an appointment. If a merged duplicate opted out, the customer gets no reminders either.';

COMMENT ON COLUMN "public"."customers"."name" IS 'The name from the customer''s first record; staff can change the name.';

COMMENT ON COLUMN "public"."customers"."phone" IS 'The main phone number as it was typed; earlier numbers are in customer_contact_methods.';

COMMENT ON COLUMN "public"."customers"."phone_key" IS 'The normalized phone number (internal.normalize_phone); null for an invalid number.';

COMMENT ON COLUMN "public"."customers"."search_text" IS 'The searchable text of the customer, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."day_close_corrections"."amount_cents" IS 'The amount in US cents by which the counted cash should have been higher; negative if the counted cash should have been lower.';

COMMENT ON COLUMN "public"."day_closes"."counted" IS 'The number of bills and coins by denomination in cents. Denominations with the number zero are omitted.';

COMMENT ON COLUMN "public"."day_closes"."expected_cents" IS 'The cash that should have been in the drawer at the close: start_cents plus the day''s cash payments and movements into the drawer, minus refunds and movements out of it.';

COMMENT ON COLUMN "public"."day_closes"."remains_cents" IS 'The cash that stays in the drawer; it is start_cents of the next day. The shop brings the rest of the counted cash to the bank.';

COMMENT ON COLUMN "public"."day_closes"."terminal_counted_cents" IS 'The total that the card terminal reported for the day; null if staff entered no total. check_counted_cents is the total of the checks that staff counted, or null.';

COMMENT ON COLUMN "public"."deposits"."share_percent" IS 'The share of the approved amount that the shop requests, in percent; null for a fixed amount.';

COMMENT ON COLUMN "public"."emails"."appointment_at" IS 'The start of the appointment that the email states, in shop time. The email is no longer sent if the booking has another start.';

COMMENT ON COLUMN "public"."emails"."attachments" IS 'The attachments as a list of {filename, contentType, contentBase64}.';

COMMENT ON COLUMN "public"."emails"."dedupe_key" IS 'The event that caused the email, as a key such as receipt:in_123. A second email with the same key is not created.';

COMMENT ON COLUMN "public"."emails"."estimate_revision" IS 'The revision of the estimate that the email contains; a later revision makes the email outdated.';

COMMENT ON COLUMN "public"."emails"."leased_until" IS 'During an attempt, the time at which the lease of the sending process expires; null otherwise. If the process crashes, another process sends the email after that time.';

COMMENT ON COLUMN "public"."emails"."next_attempt_at" IS 'The time of the next attempt. Each attempt sets a later time, so that no two processes send the same message.';

COMMENT ON COLUMN "public"."emails"."resend_count" IS 'The number of times that the admin sent the email again. For the mail server, each of them is a new message.';

COMMENT ON COLUMN "public"."emails"."status" IS 'The delivery status. queued: no attempt yet; retrying: an attempt failed, and another one follows; sent: the mail server accepted the email; in_outbox: the email was written to the outbox folder, because no mail server is configured; failed: no further attempt follows.';

COMMENT ON COLUMN "public"."erasures"."counts" IS 'The numbers of erased records: {bookings, quotes, estimates, invoices, vehicles, emails, notes}; otherTexts is the number of redacted texts in other records, leftOut the number of texts that staff excluded. Rows written by earlier releases use the keys visits and cars.';

COMMENT ON COLUMN "public"."erasures"."customer_id" IS 'The id of the row in customers, which no longer contains personal data.';

COMMENT ON COLUMN "public"."erasures"."retained" IS 'The records that are retained together with the customer''s name: [{kind, id, number, retainedUntil}]. Rows written by earlier releases use the key keptUntil.';

COMMENT ON COLUMN "public"."estimate_events"."after" IS 'The changed fields after the change; null if the kind describes the change completely.';

COMMENT ON COLUMN "public"."estimate_events"."before" IS 'The changed fields before the change; null if the kind describes the change completely.';

COMMENT ON COLUMN "public"."estimate_events"."changed_by_name" IS 'The username of the admin who made the change; ''system'' for a change that did not come through the data service.';

COMMENT ON COLUMN "public"."estimate_events"."estimate_id" IS 'The id of the estimate. The column has no foreign key, because the trigger that protects the append-only history would refuse a cascading deletion.';

COMMENT ON COLUMN "public"."estimate_events"."kind" IS 'The kind of change: details_changed (of the same customer and vehicle); customer_changed, vehicle_changed (approvals become void); address_changed (the link to the former address became invalid); relinked (staff created a new link); repair_declined, reassembly_declined (the customer declined the repair or the reassembly after a tear-down).';

COMMENT ON COLUMN "public"."estimate_invoices"."state" IS 'The state of the invoice: claimed (the invoice is being created), made, failed (Stripe refused it, and no invoice exists), voided (another invoice can be created).';

COMMENT ON COLUMN "public"."estimate_jobs"."job_key" IS 'The id of the job, which is the same in all revisions of the estimate.';

COMMENT ON COLUMN "public"."estimate_jobs"."measurement" IS 'A measured value of a worn part: {value, limit, whenNew, unit}; null without a measurement.';

COMMENT ON COLUMN "public"."estimate_jobs"."tear_down" IS 'The details that a customer must read before a tear-down, that is, before the shop takes a part apart for an inspection (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, mayPreventReassembly}; null for a job of another kind.';

COMMENT ON COLUMN "public"."estimate_lines"."quantity_thousandths" IS 'The number of hours, pieces or percent, times 1,000: 1.2 is 1200.';

COMMENT ON COLUMN "public"."estimate_lines"."subtype" IS 'For a part its condition (16 CCR 3356): new, used, rebuilt, reconditioned, oem. For a fee its purpose. For a discount: amount, or percent of the job''s price.';

COMMENT ON COLUMN "public"."estimate_lines"."unit_price_cents" IS 'The price of one hour or piece in cents; for a discount, its amount.';

COMMENT ON COLUMN "public"."estimate_revisions"."decided_at" IS 'When the customer decided on the last undecided job of the revision.';

COMMENT ON COLUMN "public"."estimate_revisions"."document" IS 'The complete content that the customer saw, as JSON with all amounts.';

COMMENT ON COLUMN "public"."estimate_revisions"."good_until" IS 'The last day, in shop time, on which the customer can approve the revision.';

COMMENT ON COLUMN "public"."estimate_revisions"."hash" IS 'The SHA-256 hash of document in hexadecimal, by which authorizations refer to the revision.';

COMMENT ON COLUMN "public"."estimate_revisions"."seen_at" IS 'When the customer first used the page that shows the revision, for example pressed a button.';

COMMENT ON COLUMN "public"."estimate_revisions"."tax_rate" IS 'The sales tax rate on the day on which the estimate was created, in ten-thousandths of a percent.';

COMMENT ON COLUMN "public"."estimate_rules"."epa_number" IS 'The identification number of the Environmental Protection Agency, which an estimate with a fee for hazardous waste must state (16 CCR 3356.1, 3357).';

COMMENT ON COLUMN "public"."estimate_rules"."labor_rate_cents" IS 'The price in cents of one hour in a new labor line.';

COMMENT ON COLUMN "public"."estimate_rules"."payer_sentence" IS 'The sentence that is printed on an estimate whose third-party payer has not approved an amount yet (16 CCR 3353).';

COMMENT ON COLUMN "public"."estimates"."customer_id" IS 'The customer; null while a draft names no customer.';

COMMENT ON COLUMN "public"."estimates"."internal_note" IS 'An internal note of staff. Customers do not see it in emails, PDF files or pages.';

COMMENT ON COLUMN "public"."estimates"."link_version" IS 'The version of the link to the customer''s page; incrementing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."estimates"."number" IS 'The number of the estimate for staff and customers, such as ''E-0101''.';

COMMENT ON COLUMN "public"."estimates"."payer_name" IS 'The person or company that pays in place of the customer, such as an insurer; '''' when the customer pays (16 CCR 3353).';

COMMENT ON COLUMN "public"."estimates"."payer_reference" IS 'The number of the payer''s claim or of the payer''s own estimate.';

COMMENT ON COLUMN "public"."estimates"."repair_id" IS 'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';

COMMENT ON COLUMN "public"."estimates"."search_text" IS 'The searchable text of the estimate, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."estimates"."vehicle_id" IS 'The vehicle of the estimate; null if the vehicle is not known yet.';

COMMENT ON COLUMN "public"."invoice_lines"."cents" IS 'The price of the line in cents with tax.';

COMMENT ON COLUMN "public"."invoices"."due_date" IS 'The last day on which a payment is not late, in shop time; null if the invoice has no due date.';

COMMENT ON COLUMN "public"."invoices"."is_test" IS 'Whether the invoice was created in the payment sandbox, in which no money moves.';

COMMENT ON COLUMN "public"."invoices"."remaining_at_stripe_cents" IS 'The unpaid amount at Stripe when the invoice was last read. The shop''s own balance is internal.invoice_balance_cents. The dashboard shows a difference between the two amounts, but the difference changes neither of them.';

COMMENT ON COLUMN "public"."invoices"."status" IS 'The status at Stripe when the server last read the invoice: open, paid, void, uncollectible.';

COMMENT ON COLUMN "public"."invoices"."tax_cents" IS 'The sales tax in total_cents; null for an older row until the server reads the invoice from Stripe again.';

COMMENT ON COLUMN "public"."invoices"."voided_at" IS 'When staff voided the invoice. The column status changes later, when a job has reported the change to Stripe.';

COMMENT ON COLUMN "public"."invoices"."written_off_at" IS 'When staff wrote the invoice off. The column status changes later, when a job has reported the change to Stripe.';

COMMENT ON COLUMN "public"."merges"."moved_rows" IS 'The keys of the rows that moved to the surviving record, by table and column: {"public.bookings.customer_id": […]}.';

COMMENT ON COLUMN "public"."merges"."parent_merge_id" IS 'The merge of two customers in which these two vehicles were also merged; null for every other merge.';

COMMENT ON COLUMN "public"."odometer_readings"."read_on" IS 'The date of the reading, in shop time.';

COMMENT ON COLUMN "public"."payments"."amount_cents" IS 'The amount that the line adds to the paid amount of the invoice, in cents; negative for returned money.';

COMMENT ON COLUMN "public"."payments"."business_date" IS 'The shop''s day to which the line counts on the page Today, in the day close and in the files for the accountant (docs/product.md 17.7).';

COMMENT ON COLUMN "public"."payments"."credit_note_id" IS 'The credit note that belongs to a refund by staff; null for a refund that Stripe reported.';

COMMENT ON COLUMN "public"."payments"."estimate_id" IS 'The estimate of a deposit; null for a line of an invoice. The column has no foreign key, because the ledger is kept when the estimate is deleted.';

COMMENT ON COLUMN "public"."payments"."kind" IS 'The kind of the line. payment: received. refund: returned to the customer. reversal: cancels a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment that is credited to the customer at Stripe. cash_rounding: the difference between the exact and the rounded cash amount. applied_deposit: the part of the invoice that the deposit of the estimate pays; no money moves.';

COMMENT ON COLUMN "public"."payments"."original_id" IS 'The ledger line to which a refund, reversal, credit or rounding refers; for applied_deposit, the payment of the deposit.';

COMMENT ON COLUMN "public"."payments"."reference" IS 'The number of the check, the last four digits of the card at the card terminal, or the name of another payment method; never a complete card number.';

COMMENT ON COLUMN "public"."quote_requests"."customer_id" IS 'The customer of the request; null until the request is linked to a customer.';

COMMENT ON COLUMN "public"."quote_requests"."flagged_reasons" IS 'The reasons why the request looks automated; empty for an ordinary request. A flagged request is stored like any other.';

COMMENT ON COLUMN "public"."quote_requests"."looks_automated" IS 'Whether the request looks automated for any reason; the dashboard lists such requests last.';

COMMENT ON COLUMN "public"."quote_requests"."repair_id" IS 'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';

COMMENT ON COLUMN "public"."quote_requests"."vehicle_id" IS 'The vehicle of the request; null if the request describes no vehicle.';

COMMENT ON COLUMN "public"."replacement_invoices"."invoice_id" IS 'The replacement invoice; null until Stripe has created it. Until then the amount is due on the first invoice.';

COMMENT ON COLUMN "public"."replacement_invoices"."reversal_id" IS 'The ledger line that reduced the paid amount of the first invoice.';

COMMENT ON COLUMN "public"."services"."position" IS 'The position of the service in the order that the admin saved. Services without a position come last, sorted as in docs/product.md 4.4.';

COMMENT ON COLUMN "public"."services"."price_from_cents" IS 'The price in cents that the service card shows as ''from''. If it is null, the card shows no price.';

COMMENT ON COLUMN "public"."settings_history"."section" IS 'The section of the settings page to which the setting belongs.';

COMMENT ON COLUMN "public"."settings_history"."subject" IS 'The changed row: the name of a bay, service or employee, the reason of special hours, the weekday (0 is Sunday), or '''' for a table with a single row.';

COMMENT ON COLUMN "public"."shop"."appointment_minutes" IS 'The usual length of an appointment in minutes, which the website states. The length of a booking depends on its service.';

COMMENT ON COLUMN "public"."shop"."billing_phone" IS 'The phone number for questions about invoices, in E.164 format.';

COMMENT ON COLUMN "public"."shop"."business_type" IS 'The kind of business, which is shown above the name, such as ''Auto Repair & Performance''.';

COMMENT ON COLUMN "public"."shop"."experts_text" IS 'The text about the technicians, shown on the home page.';

COMMENT ON COLUMN "public"."shop"."latitude" IS 'The latitude of the shop in degrees (WGS 84). The map is centered on latitude and longitude. Null if the position of the address is unknown.';

COMMENT ON COLUMN "public"."shop"."legal_name" IS 'The registered name of the business, which invoices and the structured data (schema.org) contain.';

COMMENT ON COLUMN "public"."shop"."links" IS 'Web pages about the shop on other sites, for the structured data of the site (schema.org).';

COMMENT ON COLUMN "public"."shop"."name" IS 'The name under which customers know the shop.';

COMMENT ON COLUMN "public"."shop"."street" IS 'The street of the registered address. Its other parts are city, state, postal_code and country (ISO 3166-1 alpha-2).';

COMMENT ON COLUMN "public"."shop"."tagline" IS 'The slogan, which is shown below the name.';

COMMENT ON COLUMN "public"."shop"."turnaround_text" IS 'The text about how long repairs take, shown on the home page.';

COMMENT ON COLUMN "public"."shop"."warranty_text" IS 'The text about the warranty, shown on the home page.';

COMMENT ON COLUMN "public"."special_hours"."is_public" IS 'Whether visitors can read the reason. Visitors always know the times, because they see that no appointments are offered then.';

COMMENT ON COLUMN "public"."special_hours"."span" IS 'The half-open range of wall-clock time, as in bookings.occupied.';

COMMENT ON COLUMN "public"."staff_accounts"."email" IS 'The address of invitations and notices, in lower case; null for an account that was created on the server''s command line.';

COMMENT ON COLUMN "public"."staff_accounts"."employee_id" IS 'The employee to whom this person''s tasks are assigned; null for an account that the first start of the site or its command line created.';

COMMENT ON COLUMN "public"."staff_accounts"."name" IS 'The name that the dashboard shows; the username if no name was entered.';

COMMENT ON COLUMN "public"."staff_accounts"."needs_code_app" IS 'Whether the person, who accepted the invitation with a password, must still set up an authenticator app. Until then the account has no role.';

COMMENT ON COLUMN "public"."staff_accounts"."user_id" IS 'The user of the auth service. The column has no foreign key, because the schema of the users belongs to the auth service.';

COMMENT ON COLUMN "public"."staff_accounts"."username" IS 'The name that the person enters to sign in. It never changes.';

COMMENT ON COLUMN "public"."staff_invitations"."account_id" IS 'The existing account whose sign-in (password or passkey) the invitation replaces; null for a new account.';

COMMENT ON COLUMN "public"."staff_invitations"."sent_at" IS 'When the current link was sent; the link works until expires_at.';

COMMENT ON COLUMN "public"."staff_invitations"."token_hash" IS 'The SHA-256 hash of the token in the link. Sending a new link replaces the hash and makes the former link invalid.';

COMMENT ON COLUMN "public"."tasks"."archived_at" IS 'When staff removed the completed task from the list of tasks. The row is not deleted, because the law requires the record or the state of the vehicle depends on it. Null while the task is listed.';

COMMENT ON COLUMN "public"."tasks"."customer_note" IS 'The note for the customer, which the visit page shows beside the status (''pads arrive Friday''). The notes in task_status_history and task_notes are internal.';

COMMENT ON COLUMN "public"."tasks"."estimate_id" IS 'The estimate that contains the approved job for which the task was created.';

COMMENT ON COLUMN "public"."tax_rates"."rate" IS 'The rate in ten-thousandths of a percent: 9.125 % is 91250.';

COMMENT ON COLUMN "public"."vehicles"."internal_note" IS 'An internal note of staff about the vehicle.';

COMMENT ON COLUMN "public"."vehicles"."search_text" IS 'The searchable text of the vehicle, normalized by internal.normalize_search_text.';

COMMENT ON COLUMN "public"."vehicles"."vehicle_key" IS 'Normalized year, make and model, by which later records are linked to the same vehicle (internal.vehicle_key).';

COMMENT ON COLUMN "public"."vehicles"."vin" IS 'The vehicle identification number, 17 characters with a valid check digit; null if it is unknown.';

COMMENT ON COLUMN "stripe_sandbox"."idempotency_keys"."fingerprint" IS 'The digest of the parameters with which the key was first used.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."created" IS 'The time of creation in seconds since 1970, as everywhere in the API.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."object" IS 'The type of the object as the API names it, for example invoice or checkout.session.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."seq" IS 'The number of the object in the order of creation, by which lists are paged.';

COMMENT ON DOMAIN "internal"."action_outcome" IS 'The result of a customer''s action: either done (the name of the change, or ''unchanged'') or refused (the reason); the other field is null.';

COMMENT ON FUNCTION "internal"."accept_booking"() IS 'Checks a booking that the website or the data service inserts. Refuses a booking that breaks a rule, and assigns the first free bay. For a visitor''s booking (the argument of the trigger), flags a form that looks automated, and holds a flagged booking.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) IS 'Creates the staff account of an open invitation, with exactly its name, address and role; returns false if the invitation is no longer open. An account with a password has no role until the person has set up an authenticator app.';

COMMENT ON FUNCTION "internal"."action_done"(text) IS 'The outcome of an action that succeeded, now or in an earlier call.';

COMMENT ON FUNCTION "internal"."add_booked_job"(uuid, uuid) IS 'Adds the first job of an estimate: the service of its booking. The job has one labor line: the duration of the service at the labor rate. Without a booking, the function adds no job.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note with its share of the sales tax and of the parts of the invoice, and adds the row from which a job reports it to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."add_estimate_odometer_reading"(public.estimates) IS 'Adds the odometer reading of an estimate to its vehicle, unless the vehicle already has this reading.';

COMMENT ON FUNCTION "internal"."add_owner_notice"(text, text) IS 'Adds a notice to the owner, only once for each key. Returns true if the caller must queue the email in the same transaction; false if the next collected email contains the notice.';

COMMENT ON FUNCTION "internal"."add_sample_bays"() IS 'Adds bays for the sample week if the shop has fewer than three active bays.';

COMMENT ON FUNCTION "internal"."add_sample_booking"(jsonb) IS 'Adds a booking to the sample week at the free time nearest to the requested one. A past booking is completed. With the status ''here'', the booking has arrived in the hour before its start and is in work between its start and end. Returns no row when the date is full.';

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds an estimate to the sample week: sent, decided if approved jobs are given, or in the given state (draft, seen, expired, invoiced). Its jobs become canned jobs.';

COMMENT ON FUNCTION "internal"."add_sample_task"(jsonb) IS 'Adds a task with history and notes to the sample week; employee is the position of the assigned employee in the team list, counted from 1.';

COMMENT ON FUNCTION "internal"."address_digest"(jsonb) IS 'The digest of the client''s address in request headers; null if the headers contain no address.';

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'The state of the email in which the site asks a customer whether the address typed in a booking is theirs. open: the customer can answer; answered: the customer has answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."addresses_to_ask"(integer) IS 'The bookings in which an unconfirmed email address was typed under the name of a customer who has another address. Each is returned with that other address. The site sends an email to the other address and asks whether the unconfirmed address also belongs to the customer.';

COMMENT ON FUNCTION "internal"."allow_only_shorter_addresses"() IS 'Lets internal.clean_audit replace a network address by its network, and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."allow_removal_after_three_years"() IS 'Refuses (TT055) to delete a line of the audit log that is less than three years old.';

COMMENT ON FUNCTION "internal"."announce_booking"(uuid, bigint) IS 'Notifies the open dashboards that a booking changed. The notification contains the id of the event in the booking''s history, if the change has one.';

COMMENT ON FUNCTION "internal"."announce_cash"() IS 'Notifies all processes that a cash movement, a day close or a correction was recorded (channel cash_changed, with its id).';

COMMENT ON FUNCTION "internal"."announce_invoice"() IS 'Notifies all processes that an invoice was created, paid or voided, or that an email about it changed (channel invoices_changed, with the id of the invoice).';

COMMENT ON FUNCTION "internal"."announce_quote"() IS 'Notifies all processes that a quote request was added, changed or deleted, or that an email about it changed (channel quotes_changed, with its id). The argument of the trigger names the column that contains the id.';

COMMENT ON FUNCTION "internal"."announce_task"() IS 'Notifies all processes that a task was added, changed or deleted, or that a note was added to it (channel tasks_changed, with its id). The argument of the trigger names the column that contains the id.';

COMMENT ON FUNCTION "internal"."answer_address_question"(uuid) IS 'Records that the customer confirmed the email address of a booking, at most once. Returns confirmed, or else the state of the question (address_question_state).';

COMMENT ON FUNCTION "internal"."applied_deposit_cents"(uuid) IS 'The part of an invoice, in cents, that is paid by the deposit of its estimate.';

COMMENT ON FUNCTION "internal"."approved_cents"(uuid) IS 'The approved amount of an estimate in cents.';

COMMENT ON FUNCTION "internal"."approves_unseen_refusal"(uuid, jsonb) IS 'Whether one of the given decisions approves a job whose latest decision is a refusal that declinedId does not name. In this case the user''s page did not show the refusal.';

COMMENT ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) IS 'Whether the texts of a booking have permitted lengths and contain only permitted characters. Notes may contain line ends and tabs. Null counts as valid: the result is then null, which a check accepts.';

COMMENT ON FUNCTION "internal"."are_files_ours"() IS 'Whether the nightly job can rewrite the data files of all tables in file_cleanups.';

COMMENT ON FUNCTION "internal"."asked_deposit_cents"(uuid) IS 'The deposit in cents that the customer must pay now, at most the approved amount; 0 before an approval and if no deposit is requested.';

COMMENT ON FUNCTION "internal"."authorized_jobs"(uuid) IS 'For each job of an estimate: the authorized amount in cents, the latest decision, and the revision about which it was made.';

COMMENT ON FUNCTION "internal"."awaited_cents"(text) IS 'The part of an invoice for which the shop is about to create a replacement invoice. The customer cannot pay this part until the replacement invoice exists.';

COMMENT ON FUNCTION "internal"."backfill_customers"(integer) IS 'Links up to max_rows bookings and as many quote requests without a customer to their customers, oldest first; returns the number of linked records, which is 0 when all records are linked. The function can be interrupted and called again.';

COMMENT ON FUNCTION "internal"."backfill_quote_request_customers"(integer) IS 'Links the oldest quote requests without a customer to their customers; returns the number of linked requests.';

COMMENT ON FUNCTION "internal"."bay_can_do_service"(uuid, uuid) IS 'Whether a bay can do a service; true if the argument service is null.';

COMMENT ON FUNCTION "internal"."bay_rank"(uuid, integer) IS 'The rank of a bay: a booking gets the free bay with the lowest rank. Bays that can do only a few services have a lower rank than bays that can do every service, which thus stay free. Among equal bays, the owner''s order decides.';

COMMENT ON FUNCTION "internal"."bays_of_day"(date) IS 'All bays in order, each with its services (null means all services) and open times in minutes after midnight.';

COMMENT ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) IS 'Returns the time until which a flagged booking is held. Refuses the booking if too many bookings are held, and records whether the booking counts toward that maximum.';

COMMENT ON FUNCTION "internal"."begin_revision"(public.estimates) IS 'Returns the number of the draft revision of an estimate. If the latest revision is frozen, creates a new draft.';

COMMENT ON FUNCTION "internal"."begin_sample_week"() IS 'Starts the sample week, or continues the sample week that was started before, and returns its id; null when the shop has real records.';

COMMENT ON FUNCTION "internal"."begin_settings_change"(text, integer) IS 'Starts a change of a settings list by the admin: refuses an outdated version of the list (TT051) and locks the calendar, so that no visitor can book until the change is saved.';

COMMENT ON FUNCTION "internal"."billed_parts"(text) IS 'The parts of an invoice (the jobs of its estimate, or its lines), each with its tax.';

COMMENT ON FUNCTION "internal"."booking_change_context"() IS 'The values that a procedure passed to the triggers of bookings in the same transaction: {source, reason, warnings, allow_without_bay, edited}.';

COMMENT ON FUNCTION "internal"."booking_invoice"(uuid) IS 'The invoice of the latest sent estimate of a booking, with the amount that is still due; paid_at is null until the invoice is paid in full.';

COMMENT ON FUNCTION "internal"."booking_range"(date, time without time zone, integer) IS 'The time range that a booking would occupy (the value of bookings.occupied). Refuses an invalid date, time or duration (22023).';

COMMENT ON FUNCTION "internal"."booking_refusal"(date, time without time zone, integer, uuid) IS 'The code of the rule that a booking by a visitor would break, or null. The times of other bookings are not checked. domain/bookings/booking-refusal.ts implements the same rules, and a test compares both.';

COMMENT ON FUNCTION "internal"."booking_snapshot"(public.bookings) IS 'The fields of a booking that its history stores. None of them identifies the customer.';

COMMENT ON FUNCTION "internal"."booking_snapshot"(public.bookings, text) IS 'The fields of a booking that its history stores. The caller passes the name of the bay, so that the function need not read it.';

COMMENT ON FUNCTION "internal"."booking_state"(public.bookings) IS 'The state of a booking: ''completed'' if it is completed, otherwise its status.';

COMMENT ON FUNCTION "internal"."booking_warnings"(tsrange, uuid) IS 'The codes of the rules for visitors that a time chosen by staff breaks, in a bay or (if the bay is null) without a bay: in_the_past, notice_required, too_far_ahead, overnight, outside_hours.';

COMMENT ON FUNCTION "internal"."bookings_to_notify"() IS 'The bookings whose customers have to be notified of a change, at most the 50 with the earliest start.';

COMMENT ON FUNCTION "internal"."bookings_to_remind"(integer) IS 'The bookings of tomorrow whose customers have to get a reminder now. Reminders are sent from reminder_time until 9 PM, only one for each start time of a booking.';

COMMENT ON FUNCTION "internal"."build_revision_document"(uuid, integer) IS 'Builds the document of a revision: all data that its customer sees, without the internal note.';

COMMENT ON FUNCTION "internal"."build_visitor_email"(jsonb, text) IS 'Builds the row of visitor_emails for an email, by which the limits count the email.';

COMMENT ON FUNCTION "internal"."business_date"(timestamp with time zone) IS 'The shop''s day to which a payment at this time counts: its date, or the first later date that is not closed. Days are closed in order, so every day up to the last day close is closed.';

COMMENT ON FUNCTION "internal"."cancel_booking_by_customer"(uuid, integer) IS 'Cancels a booking for its customer, who uses the visit page. The time becomes free, booking_events records the customer as the source, and the customer counts as notified (reset_notification). Done: cancelled, or unchanged (already cancelled). Refused: a code of customer_change_refusal, such as too_close.';

COMMENT ON FUNCTION "internal"."cancel_invoice"(text, text) IS 'Credits the whole rest of an invoice and returns each payment by the method of that payment: {refundCents, creditNoteId, customer}. The estimate of the invoice can be invoiced again.';

COMMENT ON FUNCTION "internal"."cash_of_day"(date) IS 'The sums of the cash of a business date in cents, without the cash at the start of the day: {inCents, refundedCents, paidInCents, paidOutCents, changeCents}. refundedCents is negative if the failed refunds exceed the refunds of the day; changeCents is the change of the cash in the drawer. A cash rounding does not count, because the payment already states the received cash.';

COMMENT ON FUNCTION "internal"."change_staff_invitation"() IS 'Refuses (TT122) changes of ended invitations, and sets the expiry of a new link to 72 hours later.';

COMMENT ON FUNCTION "internal"."changed_columns"(jsonb, jsonb) IS 'The columns whose values differ between two rows, with the values of the first row; null if no column differs.';

COMMENT ON FUNCTION "internal"."charges_real_cards"() IS 'Whether the shop connected a Stripe account or has an invoice at Stripe, so that the dashboard has to distinguish test invoices from real ones.';

COMMENT ON FUNCTION "internal"."check_billed_total"() IS 'Refuses (TT072) an invoice whose total is not the sum of its jobs. The check runs at the end of the transaction.';

COMMENT ON FUNCTION "internal"."check_no_show"() IS 'Refuses to mark a booking as a no-show too early (refuse_early_no_show), also if the admin writes the status without a procedure.';

COMMENT ON FUNCTION "internal"."choose_bay"(tsrange, uuid, uuid, uuid, uuid) IS 'The bay for a booking by staff: the given bay; if it is null, the booking''s own bay or the first free bay that can do the service. Refuses an inactive bay (TT065), a bay that cannot do the service (TT064), and an occupied bay (23P01).';

COMMENT ON FUNCTION "internal"."claim_estimate_invoice"(uuid, integer, text) IS 'Creates the claim (the row of estimate_invoices) for the invoice of an estimate in the name of an admin. The invoice contains the approved jobs of the latest revision. Refused (TT072) when a job costs more than was approved, or (TT074) without an odometer reading. If a claim exists already, the function returns that claim.';

COMMENT ON FUNCTION "internal"."claim_link_request"() IS 'Processes requests for links in their order until it finds one whose mailbox has upcoming bookings, and returns these bookings: at most 20, earliest first. Returns no row if no request is left.';

COMMENT ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) IS 'Reserves the amount of an online payment in the balance of its invoice, and returns whether the payment may be assigned to the invoice. False if payments at the counter or corrections have reduced the balance below the amount; the server then refunds the payment.';

COMMENT ON FUNCTION "internal"."claim_owner_notices"() IS 'Returns the notices that were not emailed yet, oldest first, if the last email to the owner is at least ten minutes old. The caller must queue one email with all of them in the same transaction.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices that the server must create now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. Until its invoice exists, each request is returned again after pauses of increasing length.';

COMMENT ON FUNCTION "internal"."claimed_cents"(text) IS 'The part of an invoice''s balance that cannot be paid now: the amount of online payments that are not in the ledger yet, and of replacement invoices that do not exist yet.';

COMMENT ON FUNCTION "internal"."clean_audit"() IS 'Replaces network addresses older than 30 days by their network and deletes lines older than three years. Records the number of deleted lines in the audit log and returns this number.';

COMMENT ON FUNCTION "internal"."clear_attendance_confirmation"() IS 'When a booking is moved or ends, clears the customer''s confirmation that they will come, because the customer confirmed the earlier time.';

COMMENT ON FUNCTION "internal"."clear_old_position"() IS 'Clears latitude and longitude if the address changes without new values for them, because they are the position of the old address.';

COMMENT ON FUNCTION "internal"."clear_pin"(uuid, uuid) IS 'Removes the PIN of a team member, who then cannot sign in at a shared tablet until a new PIN is set.';

COMMENT ON FUNCTION "internal"."client_digests"(jsonb) IS 'The digests of the client and its networks, computed from the request headers.';

COMMENT ON FUNCTION "internal"."complete_booking"() IS 'Fills columns of a new booking: the current name and price of the service, the start of which the customer was notified, and the search text.';

COMMENT ON FUNCTION "internal"."confirm_attendance"(uuid, integer) IS 'Records that the customer confirmed that they will come. Done: attendance_confirmed, or unchanged (confirmed before). Refused: a code of customer_change_refusal except too_close, because no cut-off applies.';

COMMENT ON FUNCTION "internal"."confirm_email"(uuid, text, text) IS 'Confirms an email address of a customer. If the customer has no main address, it becomes the main address. The caller must have locked the address and the customer.';

COMMENT ON FUNCTION "internal"."confirm_held_booking"(uuid) IS 'Confirms a held booking whose customer opened the link in its email; the function can be called again. Returns confirmed, already_confirmed, or the reason for a refusal: cancelled, too_late, too_many (five other open bookings), slot_taken (the hold has expired and another booking has the time).';

COMMENT ON FUNCTION "internal"."confirmation_of"(uuid) IS 'The means by which a staff account confirmed its step-up authentications: password or passkey. Null if its sign-in sessions used different means, because the database does not know which of them made the request.';

COMMENT ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) IS 'Removes a deposit from its invoice, reverses it, and records and applies the deposit with the right method and amount.';

COMMENT ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) IS 'Copies the edited contact of a booking to the record of its customer, and to the customer''s other open bookings and draft estimates that still contain the former contact.';

COMMENT ON FUNCTION "internal"."correct_drafts"(public.bookings, public.bookings) IS 'Copies the edited contact of a booking to those estimates of its customer that were never sent and still contain the former contact.';

COMMENT ON FUNCTION "internal"."correct_vehicle"(public.bookings, public.bookings, text) IS 'Saves the corrected year, make and model of a booking in the record of its vehicle and in the vehicle''s other open bookings that have the former text.';

COMMENT ON FUNCTION "internal"."corrects_vehicle"(public.bookings, public.bookings) IS 'Whether an edit describes the same vehicle: the edit changes only the year, or it only corrects the spelling of make and model and adds missing values. Another year together with another model can mean another vehicle.';

COMMENT ON FUNCTION "internal"."count_open_test_invoices"() IS 'The number of invoices of the payment sandbox that have a balance.';

COMMENT ON FUNCTION "internal"."create_customer_from_booking"(public.bookings) IS 'Creates a customer from a booking, even when another customer has the booking''s email address or phone number.';

COMMENT ON FUNCTION "internal"."credited_cents"(public.invoices) IS 'The sum in cents of the credit notes of an invoice.';

COMMENT ON FUNCTION "internal"."current_instant"() IS 'The current time for every booking rule; tests replace this function.';

COMMENT ON FUNCTION "internal"."customer_change_refusal"(public.bookings, integer, integer) IS 'The reason why a customer may not change a booking whose calendar_sequence on the page is the given one: gone (deleted), cancelled, over, not_confirmed (held), version_conflict (the booking changed since), too_close (past the cut-off). Null if the customer may change the booking.';

COMMENT ON FUNCTION "internal"."customer_search_words"(text) IS 'The words of a search for customers, in which a phone number is normalized.';

COMMENT ON FUNCTION "internal"."customer_totals"(uuid, date) IS 'The counts and sums of a customer''s records for the customer''s page.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid, uuid) IS 'The PostgreSQL role with which the data service runs the requests of a data session: shop_technician at a shared tablet; null for a user without an active staff account, and for a user who must first set up an authenticator app.';

COMMENT ON FUNCTION "internal"."decide_estimate"(uuid, text, uuid[], text, text, boolean) IS 'Records the decision that the customer made on the page of the estimate: the given jobs are approved, all other undecided jobs are declined. Returns approved or declined, or the reason why nothing was recorded: unchanged (decided before), version_conflict (the page showed another revision), expired, closed (invoiced).';

COMMENT ON FUNCTION "internal"."default_bay"() IS 'The bay of a booking that is inserted without a bay_id, for example by a script: the first active bay.';

COMMENT ON FUNCTION "internal"."delete_merges"(uuid[]) IS 'Deletes the recorded merges of customers, which contain the personal data that an unmerge would restore.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'Deletes the contact methods of a customer that are those of the customer who was split off, unless a remaining record of the first customer contains them.';

COMMENT ON FUNCTION "internal"."deposit_limit_cents"(uuid) IS 'The maximum deposit of an estimate in cents: the approved amount or, before an approval, the total of all jobs.';

COMMENT ON FUNCTION "internal"."describe_all_authorizations"(uuid) IS 'All authorizations of an estimate, oldest first, for staff. A void authorization has the reason why it is void.';

COMMENT ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) IS 'One authorization in the format of contracts/estimates/estimates.ts. If the authorization is void, the result contains the reason.';

COMMENT ON FUNCTION "internal"."describe_authorizations"(uuid) IS 'The valid authorizations of an estimate, oldest first, for customers and printed documents, each with the name of the person who recorded it.';

COMMENT ON FUNCTION "internal"."describe_booking"(public.bookings) IS 'A booking as JSON for the day view; starts_at and ends_at are shop wall-clock time.';

COMMENT ON FUNCTION "internal"."describe_claim"(public.estimate_invoices) IS 'The content of the invoice of a claim: the customer, and the billed jobs as they were frozen.';

COMMENT ON FUNCTION "internal"."describe_close"(public.day_closes) IS 'A day close with its corrections (contracts/payments/day-close.ts).';

COMMENT ON FUNCTION "internal"."describe_customer_booking"(public.bookings) IS 'A booking for the list on the customer''s page; startsAt is wall-clock time at the shop.';

COMMENT ON FUNCTION "internal"."describe_customer_estimate"(public.estimates) IS 'An estimate for the list on the customer''s page: its first job, the number of jobs, the total, and the declined jobs.';

COMMENT ON FUNCTION "internal"."describe_deposit"(uuid) IS 'The deposit of an estimate with its ledger lines (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "internal"."describe_held_bookings"() IS 'The held bookings that are not confirmed yet, at most the 50 whose hold expires first.';

COMMENT ON FUNCTION "internal"."describe_invoice_lines"(text) IS 'The ledger lines of an invoice, oldest first, for its page in the dashboard.';

COMMENT ON FUNCTION "internal"."describe_invoice_records"(text[]) IS 'The data of invoices for the accountant''s files, by their Stripe ids: the recorded name, whether the customer was erased, the estimate, and the amounts of its lines by kind (discounts are negative; null without an estimate). Also the credit notes, the paid amount, the balance, and the business date of the last payment that was not returned. For a replacement invoice also the number of the replaced invoice.';

COMMENT ON FUNCTION "internal"."describe_job_scope"(uuid, integer, uuid) IS 'The scope of a job of a revision: its title, its tear-down terms and its lines, without the explanation for the customer.';

COMMENT ON FUNCTION "internal"."describe_ledger_differences"() IS 'The 20 oldest invoices of list_ledger_differences, for the page Today.';

COMMENT ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) IS 'An invoice with its balance, as the lists and panels of the dashboard show it (contracts/invoices/invoice-list.ts). The email address is the customer''s current one; null after an erasure.';

COMMENT ON FUNCTION "internal"."describe_other_texts"(uuid) IS 'The texts in other records that erasing a customer would redact: {count, texts: [{key, label, about, pieces}]}. texts contains the first 20.';

COMMENT ON FUNCTION "internal"."describe_outstanding_invoices"() IS 'The outstanding invoices, at most the 50 that are due first.';

COMMENT ON FUNCTION "internal"."describe_payer"(public.estimates) IS 'The third-party payer of an estimate as it is printed: {name, reference, approvedCents, sentence}; null if the customer pays. The sentence is printed if the approved amount is unknown (16 CCR 3353).';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'The name and contacts of the customer for an email about an invoice.';

COMMENT ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) IS 'The method by which the shop returns a payment, for the sentence in the customer''s email (domain/payments/correction-text.ts): {method, isSameWay, reference}.';

COMMENT ON FUNCTION "internal"."describe_replacements"(text) IS 'The replacement invoices of an invoice (invoiceId is null until the invoice was created), and the invoice that it replaces.';

COMMENT ON FUNCTION "internal"."describe_revision_jobs"(uuid, integer) IS 'The jobs of a revision with their lines, in the format of contracts/estimates/estimates.ts.';

COMMENT ON FUNCTION "internal"."describe_schedule_conflicts"() IS 'The bookings with a schedule conflict, at most the earliest 500.';

COMMENT ON FUNCTION "internal"."describe_tasks_waiting_on_customer"() IS 'The tasks that wait for the customer, at most the 50 that have waited longest: tasks with a question to the customer, and vehicles that are ready for pickup (represented by the task that was marked as ready last). Vehicles that were picked up are omitted, and so are cancelled and missed bookings.';

COMMENT ON FUNCTION "internal"."describe_unclosed_days"(date) IS 'The first 50 days of list_unclosed_days: [{day, payments, cashCents}].';

COMMENT ON FUNCTION "internal"."describe_undecided_deposits"() IS 'The first 50 deposits about which staff must decide, for the page Today.';

COMMENT ON FUNCTION "internal"."describe_undelivered_emails"() IS 'The undelivered emails for the page Today, each with the customer whom staff can call and the record that the email is about.';

COMMENT ON FUNCTION "internal"."describe_vehicle"(public.vehicles) IS 'A vehicle with its latest odometer reading, as JSON.';

COMMENT ON FUNCTION "internal"."describe_week_load"(date) IS 'The result of read_daily_loads for seven dates as JSON, each with the number of its completed bookings.';

COMMENT ON FUNCTION "internal"."describes_another_vehicle"(public.estimates) IS 'Whether an estimate describes a different vehicle than its latest sent revision: year, make or model differ, and neither plate nor VIN is the same.';

COMMENT ON FUNCTION "internal"."details_of_document"(jsonb) IS 'The customer and the vehicle in the document of a frozen revision, as one object.';

COMMENT ON FUNCTION "internal"."digests_of_address"(text) IS 'The digests of the address of a client and of its networks. Requests with the same text that is not an IP address count as one client.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null before the first close, while an earlier day is not closed, after the close of today, and if the shop''s settings show the expected cash only after the count.';

COMMENT ON FUNCTION "internal"."edited_fields"(public.bookings, public.bookings) IS 'The names of the fields that staff edited: service, vehicle, name, phone, email. The history stores these field names, never the customer''s data.';

COMMENT ON FUNCTION "internal"."email_for_estimate"(public.bookings, public.quote_requests, uuid) IS 'The email address for an estimate of a booking, a quote request or a customer: the address of the record if it is the customer''s, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "internal"."email_of_bookings"(uuid[]) IS 'The email address for a group of bookings: the address in the latest active booking, if it is the customer''s own, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "internal"."email_outdated_reason"(public.emails) IS 'The reason why an email must no longer be sent, as a text for the outbox page; null if it can be sent.';

COMMENT ON FUNCTION "internal"."end_code_app"(uuid, uuid) IS 'Removes the authenticator app and the recovery codes of an account. ended_by is the person who removes them; null for the server''s command line and a new invitation.';

COMMENT ON FUNCTION "internal"."end_data_session"() IS 'Ends a data session when its row in admin_data_sessions is deleted, for example together with the dashboard session.';

COMMENT ON FUNCTION "internal"."end_expired_holds"(date) IS 'Ends the expired holds of one day or of all days, which frees their times; returns the number of ended holds.';

COMMENT ON FUNCTION "internal"."end_link_of_old_address"() IS 'Makes the link to a sent estimate invalid when the email address of the estimate changes, so that the former recipient can no longer open the estimate. Records the change in the history.';

COMMENT ON FUNCTION "internal"."end_sessions_of_tablet"() IS 'Ends the sign-in sessions at a shared tablet that was revoked or locked.';

COMMENT ON FUNCTION "internal"."end_staff_rights"() IS 'When an account gets a role with fewer rights, ends its sign-in codes, its open invitations and its step-up authentications. When the account is switched off, also ends all its sessions and removes its PIN.';

COMMENT ON FUNCTION "internal"."erase_customer"(uuid, integer, text, text[]) IS 'Erases the data of a customer, except the texts of other records in left_out (keys of internal.find_texts). Refuses an outdated version (TT051), and a customer with an open booking, estimate or invoice (TT099; the detail of the error lists these records). Returns {emails: ids of the deleted emails, retained, counts}.';

COMMENT ON FUNCTION "internal"."erase_customer_emails"(uuid[]) IS 'Deletes all emails about the given customers, also unsent emails; returns the ids of the deleted emails.';

COMMENT ON FUNCTION "internal"."erase_customer_estimates"(uuid[], date) IS 'Deletes the customers'' draft estimates, and estimates whose three years of retention have passed.';

COMMENT ON FUNCTION "internal"."erase_customer_rows"(uuid[]) IS 'Removes personal data from the records of customers. Invoices of the last three years still contain the name.';

COMMENT ON FUNCTION "internal"."erase_texts"(uuid[], text[], text) IS 'Redacts every text that internal.find_texts finds, except the texts of other records that left_out lists. Returns the number of redacted texts in other records.';

COMMENT ON FUNCTION "internal"."estimate_problems"(uuid, integer) IS 'The reasons why a draft cannot be sent: [{code, jobKey, line}], line is counted from 1. Empty if the draft can be sent.';

COMMENT ON FUNCTION "internal"."estimate_state"(public.estimates) IS 'The state of an estimate: draft, sent, seen, approved (at least one job), declined, expired, invoiced.';

COMMENT ON FUNCTION "internal"."estimate_vehicle_details"(public.estimates) IS 'The vehicle of an estimate, without the VIN if it is invalid.';

COMMENT ON FUNCTION "internal"."exact_cents"(public.payments) IS 'The part of the invoice that a payment paid: the payment together with its cash rounding.';

COMMENT ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) IS 'The lines of the audit log for a file, oldest first, with times in UTC. Records the export in the same transaction, so that the audit log has a line for every file.';

COMMENT ON FUNCTION "internal"."fill_missing_plate_and_vin"(uuid, internal.vehicle_details) IS 'Saves the plate and the VIN of a vehicle if it has none yet; returns the vehicle''s id.';

COMMENT ON FUNCTION "internal"."fill_search_text"() IS 'Computes search_text and ignores the value in the statement.';

COMMENT ON FUNCTION "internal"."find_bay_at_same_time"(public.bookings) IS 'The first bay, other than the booking''s own, that is open and free at the time of the booking; null if there is none.';

COMMENT ON FUNCTION "internal"."find_bay_for_customer"(public.bookings, date, time without time zone) IS 'The bay for moving a booking to another time: its own bay if free, otherwise the first free bay; null when no bay is free.';

COMMENT ON FUNCTION "internal"."find_bay_for_reopened_booking"(public.bookings) IS 'The bay for a booking that is reopened: its own bay if free, otherwise another free bay; null when no bay is free.';

COMMENT ON FUNCTION "internal"."find_bay_for_staff"(uuid, tsrange, uuid) IS 'The first free bay that can do a service, for a booking by staff. Bays that are open at that time are preferred. Null if no bay is free.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking, also for a date without rows in bay_hours, or raises the error of the rule that the booking breaks. The second argument is the result of start_time_refusal.';

COMMENT ON FUNCTION "internal"."find_begun_estimate"(uuid, uuid, uuid, uuid) IS 'The existing estimate that is opened instead of creating another one, for example after a second click or in another window. Without a booking or quote request, only an estimate that was never saved is opened again.';

COMMENT ON FUNCTION "internal"."find_customer_by_email"(text, text) IS 'The customer who has an email address; among several, the one with the best-matching name. Null when there is none.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. If the record has no email address and only one customer has the number, that customer matches under any name. If the record has an unknown email address, a customer with another email address matches only if the name fits no other customer with the number.';

COMMENT ON FUNCTION "internal"."find_duplicate_candidates"(public.customers) IS 'Up to five customers who share an email address or phone number with the given customer and whom staff have not marked as different customers. The field why names the shared contact: email or phone.';

COMMENT ON FUNCTION "internal"."find_free_bay"(date, time without time zone, integer, uuid) IS 'The first bay by rank that is open for an appointment, can do its service and is free at that time; null when there is no such bay.';

COMMENT ON FUNCTION "internal"."find_or_create_customer"(internal.customer_details) IS 'Returns the customer to whom a record belongs, and creates the customer if none matches.';

COMMENT ON FUNCTION "internal"."find_or_create_vehicle"(uuid, internal.vehicle_details, timestamp with time zone, boolean) IS 'The customer''s vehicle that a record describes, created if it is new; null when the record describes no vehicle.';

COMMENT ON FUNCTION "internal"."find_same_vehicle"(uuid, public.vehicles) IS 'The customer''s other record of the same vehicle (docs/product.md 16.2); null if there is none.';

COMMENT ON FUNCTION "internal"."find_sample_slot"(date, time without time zone, public.services) IS 'The free time nearest to a requested time, with its bay; no row if the date has no free time.';

COMMENT ON FUNCTION "internal"."find_staff_invitation"(bytea) IS 'The open invitation to which a link belongs, found by the hash of its token; null for any other link.';

COMMENT ON FUNCTION "internal"."find_texts"(uuid[], text) IS 'Every text that an erasure of customers changes, in one table or in all tables. In the customers'' own records (is_own), the search includes their names; in other records it does not. text_key identifies the text in the dialog that erases a customer.';

COMMENT ON FUNCTION "internal"."find_vehicle"(uuid, internal.vehicle_details) IS 'The customer''s vehicle that a record describes, by VIN, plate, or year, make and model; null when the customer has no such vehicle.';

COMMENT ON FUNCTION "internal"."finish_sample_week"() IS 'Marks the sample week as complete and prevents the emails of the sample week from being sent.';

COMMENT ON FUNCTION "internal"."fits_hours"(tsrange, tsmultirange, uuid) IS 'Whether a booking fits the hours of a bay. The argument open contains the open ranges of the booking''s first date. A booking fits if it ends while the bay is open, or if it starts while the bay is open and is longer than every range of that date, so that the vehicle stays overnight.';

COMMENT ON FUNCTION "internal"."follow_task"() IS 'Changes the state of a booking with its tasks: in_work when a task is started, back to the former state when the only started task is set to pending again or deleted while in progress. Notifies open dashboards, because the state of the vehicle depends on tasks.';

COMMENT ON FUNCTION "internal"."forget_form_origins"(uuid[]) IS 'Removes the origins of the forms of the given bookings and quote requests. For a form with a valid token, the digest of the token is kept, so that the token still counts as used.';

COMMENT ON FUNCTION "internal"."free_bays"(date, time without time zone, integer, uuid, integer) IS 'The open bays that can do a service and are free at a time; no bay for a date without rows in bay_hours.';

COMMENT ON FUNCTION "internal"."free_spans"(date, uuid, uuid) IS 'The times of a date at which a bay is open and no booking, other than the one with ignored_booking_id, occupies it.';

COMMENT ON FUNCTION "internal"."free_staff_username"(text) IS 'Returns an unused username: the first name in lower case, followed by a number if an account or an open invitation has that username.';

COMMENT ON FUNCTION "internal"."free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'Computes the result of public.next_free_times without checking the caller and the arguments.';

COMMENT ON FUNCTION "internal"."freeze_estimate"(uuid, integer, boolean, text) IS 'Freezes the latest revision of an estimate in the name of an admin and, if is_sent is true, records that the revision is sent. Returns the same as save_estimate.';

COMMENT ON FUNCTION "internal"."freeze_revision"(public.estimates) IS 'Freezes the latest revision of an estimate; refused (TT074, with the problems) if the estimate has problems (estimate_problems).';

COMMENT ON FUNCTION "internal"."gets_reminders"(uuid) IS 'Whether a customer gets reminders: true unless the customer, or a duplicate merged into them, opted out; also true for an unknown customer.';

COMMENT ON FUNCTION "internal"."grant_role_after_code_app"() IS 'Grants the role to an account whose invitation was accepted with a password, as soon as a first code has confirmed the authenticator app.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking, whose contact was edited, and its draft estimates to the customer with that contact, and makes the links of the former customer invalid. Refused (TT076) once an estimate of the booking was sent or decided.';

COMMENT ON FUNCTION "internal"."hand_over_drafts"(public.bookings) IS 'Writes the contact of a booking that was transferred to another customer into its estimates, so that none of them is sent to the former customer. These estimates are always drafts: a booking with a sent estimate cannot be transferred.';

COMMENT ON FUNCTION "internal"."has_code_app"(uuid) IS 'Whether a staff account has a confirmed authenticator app, so that its sign-in requires a code in addition to the password.';

COMMENT ON FUNCTION "internal"."has_invoice"(uuid) IS 'Whether a booking has an invoice. The visit page and the emails of a booking with an invoice do not state that a cancellation is free.';

COMMENT ON FUNCTION "internal"."has_lasting_deposit"(uuid) IS 'Whether the deposit of an estimate was paid, and the payment was neither recorded by mistake nor a check that the bank returned. If so, no other deposit can be requested.';

COMMENT ON FUNCTION "internal"."has_lines"(date) IS 'Whether a business date has ledger lines or cash movements, so that the day must be closed.';

COMMENT ON FUNCTION "internal"."has_real_records"() IS 'Whether any record exists that does not belong to the sample week.';

COMMENT ON FUNCTION "internal"."has_ten_customers"(text) IS 'Whether at least ten mailboxes of an email host have completed bookings.';

COMMENT ON FUNCTION "internal"."held_deposit_cents"(uuid) IS 'The part of an estimate''s deposit, in cents, that the shop holds because it was neither applied to an invoice nor returned.';

COMMENT ON FUNCTION "internal"."identifier_needle"(text, text) IS 'A LIKE pattern that matches every text in which internal.identifier_pattern can match. It is the fast first filter of a search.';

COMMENT ON FUNCTION "internal"."increment_booking_version"() IS 'Increments the version of a booking, except for changes of the internal note and of the notified start and cancellation. Also maintains calendar_sequence and state_changed_at. Runs before the trigger release_hold, because triggers run in the order of their names.';

COMMENT ON FUNCTION "internal"."increment_version"() IS 'Increments the version of a row. A request that saves the row contains the version that the user saw, and changes nothing if the stored version is another one.';

COMMENT ON FUNCTION "internal"."interleave_pattern"(text, text) IS 'Inserts a regular expression between all characters of a text.';

COMMENT ON FUNCTION "internal"."invoice_actions"(public.invoices) IS 'The corrections that staff can make to an invoice now.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'The amount that is still due: the total minus the credit notes, minus the paid amount, and minus the amounts that are due on replacement invoices; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'The paid amount of an invoice: the sum of its ledger lines; the total of the invoice if Stripe reports it as paid and the ledger contains no payment.';

COMMENT ON FUNCTION "internal"."invoice_parts"(public.invoices) IS 'For each part of an invoice (a job or a line), the amount that can still be credited. Returns no rows if the parts are unknown, or if an earlier credit note was not divided between the parts.';

COMMENT ON FUNCTION "internal"."invoice_state"(public.invoices) IS 'The state of an invoice that staff see (contracts/invoices/invoice-list.ts): open, part_paid, paid, part_refunded, refunded, cancelled, replaced, written_off or void.';

COMMENT ON FUNCTION "internal"."is_admin"() IS 'Whether an owner or an advisor sent the request.';

COMMENT ON FUNCTION "internal"."is_approved"(uuid, uuid) IS 'Whether the customer has approved a job and the approval is valid; a later refusal does not revoke it.';

COMMENT ON FUNCTION "internal"."is_at_open_limit"(text, text, uuid, bigint) IS 'Whether one mailbox or phone number already has five other open upcoming bookings. If since_event is given, the customer must also have opened one of them after that event of booking_events.';

COMMENT ON FUNCTION "internal"."is_at_shop"(text) IS 'Whether a vehicle in this state is at the shop, for queries that filter by this condition. isAtShop in domain/bookings/vehicle-state-table.ts implements the same rule.';

COMMENT ON FUNCTION "internal"."is_automated_only"(uuid[], text) IS 'Whether an email address or phone number of a customer occurs only in bookings and quote requests that look automated.';

COMMENT ON FUNCTION "internal"."is_bay_taken"(uuid, tsrange, uuid) IS 'Whether an active booking, other than the one with ignored_booking_id, occupies a bay at a time.';

COMMENT ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) IS 'Whether this kind, source, name and reason of a booking event are valid together. Without a reason the result is null, which a check accepts.';

COMMENT ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) IS 'Whether the columns of a booking''s state are consistent. The completion and the accepted schedule conflict each have a person and a time, and only an open booking is held. Null counts as valid: the result is then null, which a check accepts.';

COMMENT ON FUNCTION "internal"."is_cash_count"(jsonb) IS 'Whether a JSON value is a valid count of bills and coins by denomination in cents: {"2000": 9} means nine $20 bills. domain/money/cash-count.ts lists the denominations.';

COMMENT ON FUNCTION "internal"."is_cleanup_time"() IS 'Whether the time at the shop is between 2 and 5 AM and no booking or quote request arrived in the last ten minutes.';

COMMENT ON FUNCTION "internal"."is_form_token_signed"(text, bytea, bytea) IS 'Whether the last 64 characters of a form token are the signature (HMAC) of its first 30 characters. The two keys are inner_key and outer_key of internal.secrets.';

COMMENT ON FUNCTION "internal"."is_generic_supplies"(text) IS 'Whether the description of a line charges for supplies without naming them, such as ''shop supplies'' (16 CCR 3356 (a)(2)).';

COMMENT ON FUNCTION "internal"."is_hold_of_known_customer"(public.bookings) IS 'Whether the maximum number of held bookings does not apply to a flagged booking: its customer is known and has fewer than five other open bookings.';

COMMENT ON FUNCTION "internal"."is_known_to_stripe"(public.payments) IS 'Whether Stripe counts a payment as received, or may count it because a report to Stripe was attempted but not confirmed.';

COMMENT ON FUNCTION "internal"."is_open_state"(text) IS 'Whether a state (internal.booking_state) means that the booking is upcoming or in progress.';

COMMENT ON FUNCTION "internal"."is_outstanding"(public.invoices) IS 'Whether the invoice is outstanding: it is open at Stripe, has a balance and was not written off.';

COMMENT ON FUNCTION "internal"."is_paid_off"(public.invoices) IS 'Whether an invoice is not void and fully paid: neither the invoice nor a replacement invoice of it has a balance.';

COMMENT ON FUNCTION "internal"."is_placed_outside_hours"(uuid, text[]) IS 'Whether staff placed a booking outside the hours on purpose, so that the booking is not listed as a schedule conflict.';

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether a refund is waiting to be reported to Stripe after this payment. Stripe accepts the refund only after the invoice is paid there.';

COMMENT ON FUNCTION "internal"."is_respelled"(text, text) IS 'Whether the former and the corrected text are two spellings of the same make or model. A word that only one of the texts contains is not compared. If the former text is empty, every text counts as its correction.';

COMMENT ON FUNCTION "internal"."is_scope_changed"(uuid, integer, uuid) IS 'Whether the scope of a job has changed since its approval: the job has another title, or contains a line that the approved job did not contain. Hours, quantities and prices may differ, and lines may be missing.';

COMMENT ON FUNCTION "internal"."is_single_line_text"(text, integer, integer) IS 'Whether a text is one line with a permitted number of characters and no invisible characters; the same rule as domain/text/text-input.ts.';

COMMENT ON FUNCTION "internal"."is_their_email"(uuid, text) IS 'Whether an email address belongs to a customer: the address is confirmed, or it is the address in the customer''s first booking or quote request.';

COMMENT ON FUNCTION "internal"."is_towing"(text) IS 'Whether the description of a line names towing, and not a part of a vehicle for towing, such as a hitch.';

COMMENT ON FUNCTION "internal"."is_unsent"(uuid, integer) IS 'Whether a revision of an estimate was never sent to the customer.';

COMMENT ON FUNCTION "internal"."is_upcoming"(public.bookings) IS 'Whether a booking is active and has not ended.';

COMMENT ON FUNCTION "internal"."is_void"(public.invoices) IS 'Whether the invoice is void: it was voided at Stripe, or staff voided it.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a line is a payment, or an applied deposit, of which no part was returned to the customer.';

COMMENT ON FUNCTION "internal"."keep_bay_hours"() IS 'Recomputes internal.bay_hours after each change of hours, bays or booking rules. A daily job also calls this function, because every day one more date can be booked.';

COMMENT ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) IS 'Stores the lines of an invoice once: [{description, cents, tax_cents}]. Stores no lines if their sum is not the total of the invoice.';

COMMENT ON FUNCTION "internal"."last_cancellation"(uuid) IS 'The latest cancellation of a booking; null if the booking was never cancelled.';

COMMENT ON FUNCTION "internal"."last_frozen_at"(uuid) IS 'When the latest frozen revision of an estimate was frozen; null if no revision was frozen.';

COMMENT ON FUNCTION "internal"."last_merged_customer"(uuid) IS 'The customer into whom the customer with this id was merged, or that customer itself. An erased customer is also returned.';

COMMENT ON FUNCTION "internal"."latest_cash"(date) IS 'The latest payment, refund or movement of cash on a day; null if there is none. The page of the day close shows it if the expected cash changes while staff count.';

COMMENT ON FUNCTION "internal"."left_cents"(public.payments) IS 'The amount of a payment that can still be returned, or of a deposit that can still be applied; 0 for a ledger line of another kind.';

COMMENT ON FUNCTION "internal"."link_booking_now"(public.bookings) IS 'Links a booking to its customer and vehicle, and notifies the open dashboards. The caller must have locked the row.';

COMMENT ON FUNCTION "internal"."link_customer_estimates"(uuid) IS 'Links the estimates that name a customer but were written before the customer''s row existed.';

COMMENT ON FUNCTION "internal"."link_described_vehicle"(public.bookings, public.bookings, text) IS 'Links an edited booking to the vehicle of its customer that its fields and the license plate describe. If the edit corrects the description, it changes the record of the booking''s vehicle, unless the customer has another vehicle with that description.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to a customer: the customer of its booking or quote request. Without either, the customer for whom the estimate was created, as long as its name and contacts are unchanged; otherwise the customer with the name and contacts in the estimate. After the estimate was sent, a correction of its texts changes neither customer nor vehicle, unless the estimate then names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice: {id, number, name, email, phone, total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970), lines (in the format of internal.keep_invoice_lines; null if not all lines are known)}. The customer is that of the estimate or of the replaced invoice; otherwise the customer with this email address or phone number.';

COMMENT ON FUNCTION "internal"."link_new_bookings"(integer, uuid[]) IS 'Links the oldest bookings without a customer, except the bookings in the second argument. Returns each booking; the reason is null if the booking was linked, otherwise it states why it cannot be linked.';

COMMENT ON FUNCTION "internal"."link_sent_estimate"() IS 'Links a sent estimate to its customer and vehicle, and creates them if they do not exist. Also saves the plate, the VIN and the odometer reading.';

COMMENT ON FUNCTION "internal"."link_token"(uuid, text) IS 'The token at the end of a link for a customer: the id of the record and the first half of the HMAC of the message, as base64url. server/features/visit-page computes the same token.';

COMMENT ON FUNCTION "internal"."link_waiting_booking"(uuid) IS 'Links a booking that has no customer yet. Functions that need the customer call it before the job link-new-records has linked the booking.';

COMMENT ON FUNCTION "internal"."list_appointment_records"(date, time without time zone, uuid, date, integer) IS 'A page of bookings up to and including a date, in the order of date, time and id. The page begins after the last booking of the previous page.';

COMMENT ON FUNCTION "internal"."list_approvals_without_email"(integer) IS 'The approvals of the last day about which the customer has not got an email yet, oldest first.';

COMMENT ON FUNCTION "internal"."list_arrived_bookings"(timestamp without time zone) IS 'The bookings of any date whose customer has arrived and whose vehicle is not in work yet, without bookings that ended more than 14 days ago.';

COMMENT ON FUNCTION "internal"."list_contact_keys"(uuid[]) IS 'The email addresses and phone numbers of customers, in the format of lock_contact_keys.';

COMMENT ON FUNCTION "internal"."list_contact_keys_to_link"() IS 'The email addresses and phone numbers of all bookings without a customer, in the format of lock_contact_keys.';

COMMENT ON FUNCTION "internal"."list_customer_records"(date, date, timestamp with time zone, uuid, integer) IS 'A page of the customers with a booking, request, invoice, payment or email from one date to another (inclusive), in the order of their creation. The page begins after the last customer of the previous page. Each row contains the number of appointments and the invoiced cents of that period.';

COMMENT ON FUNCTION "internal"."list_day_close_records"(date, date, integer) IS 'A page of the day closes after one business date up to and including another: the expected and the counted amounts, the cash rounding of the day, and the sum of later corrections.';

COMMENT ON FUNCTION "internal"."list_declined_jobs"(uuid) IS 'The jobs of an estimate that the customer declined in the latest decision: [{title, cents, saidAt}].';

COMMENT ON FUNCTION "internal"."list_deposit_records"(date, timestamp with time zone, uuid, date, integer) IS 'A page of the ledger lines that changed the deposits held by the shop, up to and including a business date. The page begins after the last line of the previous page. The sum of all amounts up to a date is the sum of the deposits that the shop holds at the end of that date.';

COMMENT ON FUNCTION "internal"."list_file_cleanups"() IS 'The tables whose data files have to be rewritten now, each with the number of requests to pass to record_file_cleanup afterwards. Returns no tables at times when is_cleanup_time is false.';

COMMENT ON FUNCTION "internal"."list_job_decisions"(uuid, integer) IS 'The decisions on the jobs of a revision, {job_key: decision}, without those that were made for other work or another price.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although every change was reported to Stripe, and the invoices with a report that Stripe refused. For speed, only invoices that staff or a reversal changed recently are compared, because the start page counts the differences every minute.';

COMMENT ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) IS 'A page of the payments in the ledger, or of its other lines, up to and including a business date. The page begins after the last line of the previous page. The cash rounding of a payment is stated in the row of the payment; a later rounding, for example of its refund, is a separate row.';

COMMENT ON FUNCTION "internal"."list_merged_customers"(uuid) IS 'The ids of a customer and of all duplicates merged into that customer.';

COMMENT ON FUNCTION "internal"."list_open_customer_invoices"(uuid) IS 'The invoices of a customer that were open at Stripe when the server last read their status.';

COMMENT ON FUNCTION "internal"."list_open_records"(uuid) IS 'The open bookings, estimates and invoices of a customer, which prevent an erasure: [{kind, id, title, at}].';

COMMENT ON FUNCTION "internal"."list_personal_identifiers"(uuid[]) IS 'The names, email addresses, phone numbers, plates and VINs in all records of the given customers.';

COMMENT ON FUNCTION "internal"."list_references_without_merge_rule"() IS 'The foreign keys to customers and vehicles that have no merge rule.';

COMMENT ON FUNCTION "internal"."list_reschedule_times"(uuid, date) IS 'The times of a day to which a booking can be moved. The time that the booking itself occupies counts as free.';

COMMENT ON FUNCTION "internal"."list_retained_records"(uuid) IS 'The records of transactions that an erasure must retain together with the customer''s name: [{kind, id, number, retainedUntil}].';

COMMENT ON FUNCTION "internal"."list_searchable_identifiers"(uuid[]) IS 'The identifiers of customers for which an erasure searches in the records of other customers. The list contains no names, no identifier that also belongs to somebody else, and no identifier that occurs only in records that look automated.';

COMMENT ON FUNCTION "internal"."list_stale_invoice_claims"(integer) IS 'The claims whose process seems to have crashed before Stripe created the invoice: at most 20, oldest first.';

COMMENT ON FUNCTION "internal"."list_starts_in_range"(tsrange) IS 'The start times that are offered for a booking by phone within a free range: the first quarter hour of the range, and each full and half hour.';

COMMENT ON FUNCTION "internal"."list_tablet_members"() IS 'The active team members, whom a shared tablet lists for the sign-in: whether each has a PIN, and the number of their appointments today.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'The times, among those that a visit page shows, that another booking occupies now.';

COMMENT ON FUNCTION "internal"."list_unclosed_days"(date) IS 'The earlier days that must be closed before a date: days after the last day close that have a ledger line or a cash movement. Before the first day close, days without payments at the counter need no close, so a shop that is paid only online closes no day.';

COMMENT ON FUNCTION "internal"."list_unconfirmed_emails"(uuid) IS 'Email addresses that were typed online under a customer''s name and are not confirmed: [{email, bookingId, quoteRequestId, enteredAt}], the latest three. Addresses in held, cancelled, missed and unconfirmed bookings are not listed.';

COMMENT ON FUNCTION "internal"."list_undecided_deposits"() IS 'The deposits that the shop holds although no job is approved any more, or although the appointment was cancelled or missed. Staff must decide whether to return them.';

COMMENT ON FUNCTION "internal"."list_undelivered_emails"() IS 'The failed emails to customers that staff should still deal with, at most the oldest 50. They are not outdated, were not sent again, and either belong to an upcoming booking (in the next 60 days) or are at most 14 days old.';

COMMENT ON FUNCTION "internal"."list_undelivered_notices"(uuid[]) IS 'The ids of the notices to the owner that report the given emails as undelivered.';

COMMENT ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) IS 'A page of the write-offs in a range of dates, in shop time: the balance when the invoice was written off, and the balance now. The page begins after the last row of the previous page.';

COMMENT ON FUNCTION "internal"."lock_booking_contact"(text, text) IS 'Locks the open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) until the transaction ends. A transaction that also locks a day takes that lock first.';

COMMENT ON FUNCTION "internal"."lock_booking_day"(date) IS 'Locks a day of the calendar until the transaction ends, so that transactions change its slots one at a time. A transaction that locks several days locks them in ascending order.';

COMMENT ON FUNCTION "internal"."lock_booking_for_customer"(uuid) IS 'Locks a booking for a change by its customer until the transaction ends, and returns it. All fields are null if the booking does not exist.';

COMMENT ON FUNCTION "internal"."lock_booking_network"(internal.client_digests) IS 'Locks the booking counts of a client and of its networks until the transaction ends. A transaction that also locks a day or a contact takes those locks first.';

COMMENT ON FUNCTION "internal"."lock_calendar_before_status_change"() IS 'Locks the calendar if the admin writes a status without a procedure. The lock is taken before any row is locked, so that two such changes never deadlock.';

COMMENT ON FUNCTION "internal"."lock_contact_keys"(text[]) IS 'Locks email addresses (lower case) and phone numbers (normalized) until the transaction ends, so that no other transaction can create or find a customer with these contacts. A transaction takes this lock before it locks rows of customers.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'Returns a payment at the counter, or an applied deposit, of which no part was returned, so that it can be corrected. Locks its invoice and the other invoice of the correction. Refuses (TT103) every other ledger line.';

COMMENT ON FUNCTION "internal"."lock_correctable_deposit"(uuid) IS 'Locks the estimate of a deposit that was paid at the counter and that the shop still holds completely, and returns the ledger line of the deposit. Refuses (TT104) every other ledger line.';

COMMENT ON FUNCTION "internal"."lock_invoice"(text) IS 'Locks an invoice until the transaction ends; refuses (TT102) an unknown invoice.';

COMMENT ON FUNCTION "internal"."lock_merged_customer"(uuid) IS 'Locks the customer that resolve_merged_customer returns, until the transaction ends, and returns its id; null for an unknown or erased customer.';

COMMENT ON FUNCTION "internal"."log_changed_details"() IS 'Records in the history of an estimate which details of the customer and the vehicle differ from the revision that was sent before.';

COMMENT ON FUNCTION "internal"."log_void_approvals"() IS 'Records in the history of an estimate that its approvals became void because its customer or vehicle changed. The customer can then decide again on the latest sent revision.';

COMMENT ON FUNCTION "internal"."mailbox_owner_domain"(text) IS 'The domain, without subdomains, whose mailboxes may belong to one person, so that a limit counts their emails together. Null for Gmail and Proton, where each mailbox has a different owner.';

COMMENT ON FUNCTION "internal"."main_email"(uuid) IS 'A customer''s main email address; null when the customer has none, or if a visitor typed the address online and nobody confirmed it.';

COMMENT ON FUNCTION "internal"."make_invoice_link"(text) IS 'Creates the link of an invoice and returns its secrets: {token (128 bits as base64url), code (twelve characters without 0, O, 1 and I)}. Null for an unknown, void or cancelled invoice.';

COMMENT ON FUNCTION "internal"."mark_tablet_data_sessions"() IS 'Restricts the data sessions of a person at a shared tablet to the rights of a technician, until the session at the tablet ends.';

COMMENT ON FUNCTION "internal"."may_become_open"(public.bookings) IS 'Whether a booking may become open: by an insert, reopening by its customer, an undo by staff, or the confirmation of a hold. False if its customer already has five other open bookings. For an undo by staff, the result is false only if the customer opened one of these five after this booking was closed.';

COMMENT ON FUNCTION "internal"."may_contain_identifier"(text, text[]) IS 'Whether a text matches a pattern of the fast filter (identifier_needle), so that the slower regular expressions must be tried.';

COMMENT ON FUNCTION "internal"."may_follow"(public.payments, public.payments) IS 'Whether the first ledger line may refer to the second: both belong to the same invoice or estimate, and the kind of the second line permits a line of the first kind.';

COMMENT ON FUNCTION "internal"."may_sign_in"(uuid) IS 'Whether a user may sign in to the dashboard: the staff account is active. An account that must first set up an authenticator app can sign in, but has no access to data.';

COMMENT ON FUNCTION "internal"."merge_vehicle_rows"(public.vehicles, public.vehicles, uuid) IS 'Merges two vehicles; copies plate, VIN, color and note of the duplicate where the survivor has none. Returns the id of the merge.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: the address of the customer whose address staff chose. If only the other customer has an address, that address is used, unless it was typed online and never confirmed.';

COMMENT ON FUNCTION "internal"."miles_per_month"(uuid) IS 'The average number of miles per month, computed from the last twelve odometer readings; null if these readings span less than thirty days.';

COMMENT ON FUNCTION "internal"."minutes_of_day"(date, tsmultirange) IS 'Converts time ranges of a day to minutes after midnight, as in domain/calendar/opening-hours.ts.';

COMMENT ON FUNCTION "internal"."most_open_bookings"() IS 'The maximum number of open upcoming bookings of one mailbox or phone number.';

COMMENT ON FUNCTION "internal"."move_booking_by_customer"(uuid, integer, date, time without time zone) IS 'Moves a booking for its customer, who uses the visit page; the rules for visitors apply. Done: moved, or unchanged (already at that time). Refused: slot_taken, or a code of customer_change_refusal or booking_refusal.';

COMMENT ON FUNCTION "internal"."move_references"(text, uuid, uuid) IS 'Moves all rows that refer to one customer or vehicle to another one; returns the keys of the moved rows by table and column.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Moves the rows that a merge moved back to the duplicate, except rows that were moved again later.';

COMMENT ON FUNCTION "internal"."names_agree"(text, text) IS 'Whether two names can belong to one person: every word of the shorter name is also in the other name (Maria, Maria Delgado).';

COMMENT ON FUNCTION "internal"."names_another_customer"(public.estimates) IS 'Whether an estimate names a different customer than its latest sent revision: the name, the email address and the phone number all differ.';

COMMENT ON FUNCTION "internal"."names_technician"(text) IS 'Whether the name of a bay''s technician is the name of the employee who sent the request.';

COMMENT ON FUNCTION "internal"."needs_notification"(public.bookings) IS 'Whether the customer of a booking has to be notified of a change: the date, start or cancellation that the customer knows is outdated, and the appointment is not over.';

COMMENT ON FUNCTION "internal"."needs_step_up"(public.audit_events) IS 'Whether the action that a line of the audit log records requires step-up authentication.';

COMMENT ON FUNCTION "internal"."normalize_mailbox"(text) IS 'Normalizes an email address, so that all addresses of one mailbox become the same text. Ignores case, full-width characters, +tags and dots at Gmail, and treats all domains of Proton as one.';

COMMENT ON FUNCTION "internal"."normalize_search_text"(text) IS 'Returns a text in lower case without accents, so that ''nunez'' finds ''Núñez''.';

COMMENT ON FUNCTION "internal"."notify_team_changed"() IS 'Notifies the open dashboards that the team changed, so that they read the team again.';

COMMENT ON FUNCTION "internal"."open_bays"(date, time without time zone, integer, uuid) IS 'The bays that are open for the whole booking and can do its service (any service if it is null). is_on_grid states whether the start is one of the regular start times of the bay.';

COMMENT ON FUNCTION "internal"."open_deposit_page"(uuid, integer) IS 'Records that a payment page for a deposit is about to open: {pageId, amountCents, number, openSessions, customer}; null when no deposit has to be paid.';

COMMENT ON FUNCTION "internal"."open_payment_page"(text, integer) IS 'Records that a payment page for an invoice is about to open: {pageId, balanceCents}, or {refused: paused, void or paid}. paused means that staff are recording a payment for the invoice.';

COMMENT ON FUNCTION "internal"."open_spans"(date, uuid) IS 'The times at which a bay (or, if the bay is null, the shop) is open on a date: weekly hours and special openings minus closures. No other SQL function computes these times; domain/calendar/opening-spans.ts implements the same rule.';

COMMENT ON FUNCTION "internal"."own_employee_id"() IS 'The employee of the active staff account whose access token the request contains. The tasks of this employee are the account''s own tasks.';

COMMENT ON FUNCTION "internal"."passes_luhn"(text) IS 'Whether the digits of a number pass the Luhn check of card numbers (ISO/IEC 7812-1, annex B).';

COMMENT ON FUNCTION "internal"."pause_payment_pages"(text) IS 'Prevents payment pages of the invoice from opening for a minute; returns whether a customer has a payment page open now.';

COMMENT ON FUNCTION "internal"."payment_outcome"(public.payments) IS 'The outcome of a payment. applied: the payment paid the invoice. overpaid: the payment exceeded the balance, and the excess is the customer''s credit. refunded: the whole payment was returned.';

COMMENT ON FUNCTION "internal"."payments_after_close"(date) IS 'If today is closed: the day to which later payments of today belong, and their sum, {day, receivedCents}. Null if today is not closed yet.';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'The payments of a business date in US dollars: {receivedCents (payments minus returned amounts), payments, refunds, methods [{method, cents}]}.';

COMMENT ON FUNCTION "internal"."place_edited_booking"(public.bookings, public.bookings) IS 'Returns an edited booking with a bay for its time and service. If no bay is free, the edit is refused like a move. The history stores the codes of the rules that the booking breaks, as warnings.';

COMMENT ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) IS 'The amounts that a refund of a payment returns and credits: {refundCents, creditCents, taxCents, parts [{title, amountCents, taxCents}]}. If parts of the invoice are given, their remaining price is returned, and the amount argument must be null or that price, as staff saw it. Refuses (TT101, TT103) an amount that exceeds the rest of the payment or of the invoice.';

COMMENT ON FUNCTION "internal"."prepare_staff_invitation"() IS 'Sets the inviting owner and the username of a new invitation. Refuses an email address that belongs to an account (TT121).';

COMMENT ON FUNCTION "internal"."prevent_authorization_delete"() IS 'Prevents every role from deleting authorizations for three years.';

COMMENT ON FUNCTION "internal"."prevent_claim_change"() IS 'Allows only two changes of a claim: from claimed to made (with the invoice that Stripe created) or failed, and from made to voided. Refuses every other update.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit that exceeds the remaining amount of the line to which it refers, or that refers to a line of another invoice.';

COMMENT ON FUNCTION "internal"."prevent_frozen_revision_change"() IS 'Refuses (TT076) every change of a frozen revision, except changes of sent_at, seen_at, decided_at and sent_to.';

COMMENT ON FUNCTION "internal"."prevent_frozen_row_change"() IS 'Refuses (TT076) every change of the jobs and lines of a frozen revision.';

COMMENT ON FUNCTION "internal"."prevent_history_change"() IS 'Refuses (TT055) every UPDATE, DELETE and TRUNCATE of an append-only table. The arguments of the trigger name the permitted exceptions: ''erasure UPDATE'', ''erasure DELETE'' or ''sample_week_removal DELETE''.';

COMMENT ON FUNCTION "internal"."prevent_retained_record_delete"() IS 'Prevents every role from deleting the records of a repair with a sent estimate for three years (BPC 9884.11).';

COMMENT ON FUNCTION "internal"."prevent_sent_estimate_delete"() IS 'Prevents every role from deleting a sent estimate for three years.';

COMMENT ON FUNCTION "internal"."previously_known_start"(uuid) IS 'The start that the customer knew before the latest change; the current start if that change did not move the booking.';

COMMENT ON FUNCTION "internal"."problem_of_refused_token"(text, interval) IS 'The reason why a form token is refused: missing, invalid, or valid but used before. The second argument is the age of the token; null for a token of another format.';

COMMENT ON FUNCTION "internal"."publish_customer_change"() IS 'Notifies all processes that the data of a customer''s page changed (channel customers_changed, with the customer''s id). If a change concerns two customers, both ids are sent.';

COMMENT ON FUNCTION "internal"."publish_estimate_change"() IS 'Notifies all processes that an estimate was changed, seen or decided (channel estimates_changed, with the id of the estimate).';

COMMENT ON FUNCTION "internal"."raise_deposit_refusal"(text, jsonb) IS 'Raises an error (TT104) that refuses a change of a deposit.';

COMMENT ON FUNCTION "internal"."raise_estimate_version_conflict"(public.estimates) IS 'Refuses (TT051) an outdated version of an estimate; the detail of the error contains the author and the time of the last change, and the current version.';

COMMENT ON FUNCTION "internal"."raise_invoice_count"(integer) IS 'Raises the counter of invoice numbers in a restored shop to the highest number that the payment provider knows, once after each restore. Never lowers the counter.';

COMMENT ON FUNCTION "internal"."raise_record_retained"(timestamp with time zone) IS 'Refuses (TT076) to delete a record from this instant until its retention of three years has ended. The detail of the error contains the last day of the retention.';

COMMENT ON FUNCTION "internal"."raise_slot_taken"() IS 'Refuses a booking for which no bay is free, with the same error code (23P01) as the exclusion constraint.';

COMMENT ON FUNCTION "internal"."raise_slot_taken_by"(tsrange, uuid, uuid, uuid) IS 'Refuses an occupied time with the error code of the exclusion constraint (23P01). The detail of the error contains the conflicting bookings and the next three free times.';

COMMENT ON FUNCTION "internal"."raise_version_conflict"(public.bookings, integer) IS 'Refuses (TT051) an outdated version of a booking; the detail of the error contains the current version and the latest change.';

COMMENT ON FUNCTION "internal"."reached_booking_limit"(internal.client_digests) IS 'The limit of visitor_booking_limits that the bookings of a client have reached, as a reason to hold its next booking; null if no limit is reached. Held bookings do not count, because a separate limit applies to them (refuse_too_many_held).';

COMMENT ON FUNCTION "internal"."reached_email_limit"(internal.visitor_emails, text) IS 'The limit that prevents an email to a mailbox; null if no limit is reached.';

COMMENT ON FUNCTION "internal"."read_address_question"(uuid) IS 'The data of the page on which a customer confirms the email address of a booking: {state, email, date, time}; null without a booking.';

COMMENT ON FUNCTION "internal"."read_document_jobs"(jsonb) IS 'The jobs of a document with the current JSON keys. Documents that an earlier release froze have other keys, which cannot be renamed in the table because the hash covers them.';

COMMENT ON FUNCTION "internal"."read_invoice_ledger"(text) IS 'The balance and the ledger of an invoice in the form for the customer: {balanceCents, paidCents, isVoid, isTest, lines [{kind, method, reference, amountCents, paidAt (seconds since 1970)}]}; null for an invoice that the shop does not know.';

COMMENT ON FUNCTION "internal"."read_linked_invoice"(text) IS 'The data of an invoice that everybody who has its link can see, without a name, phone number, email address, plate or VIN: {number, state, currency, dueDate, totalCents, paidCents, balanceCents, work [{position, description, cents with tax}]}.';

COMMENT ON FUNCTION "internal"."read_printable_estimate"(uuid, boolean) IS 'The data of a printed estimate: the latest revision (for the customer the latest frozen one), its date, the decision on each job, and the authorizations, without the internal note. Null if there is no revision to print.';

COMMENT ON FUNCTION "internal"."read_printable_invoice"(text) IS 'The data of a printed invoice, found by its Stripe id: {dueAt (seconds since 1970), work}. For an invoice of an estimate, work contains its claim, its third-party payer and the authorizations; for any other invoice, work is null.';

COMMENT ON FUNCTION "internal"."read_sent_deposit"(uuid) IS 'The deposit of an estimate, as the customer''s page of the estimate shows it.';

COMMENT ON FUNCTION "internal"."read_visit_page_history"(uuid, text) IS 'The latest 100 events of a booking for its visit page, with times in shop time, without reasons and names.';

COMMENT ON FUNCTION "internal"."read_visit_page_repair"(uuid) IS 'The repair on a booking''s visit page: the latest sent estimate with its path, the tasks with their notes for the customer, and the invoice. The title of a task is shown only if it is the title of a job in an estimate that was sent to the customer.';

COMMENT ON FUNCTION "internal"."reasons_to_hold"(uuid, integer, jsonb) IS 'The reasons to hold a booking that is about to be inserted: the form of the visitor looks automated, the customer has five other open bookings, or the client has reached a limit; empty for an ordinary booking. Also records the origin of the form for the booking with the id form_booking_id.';

COMMENT ON FUNCTION "internal"."reassign_bay_bookings"(uuid) IS 'Moves the upcoming bookings of a bay to other bays at the same time, or to no bay; returns the bookings with their new bays.';

COMMENT ON FUNCTION "internal"."record_audit_event"(public.audit_events) IS 'Adds a line to the audit log, with the current role of the account and, if the action requires step-up authentication, with its means.';

COMMENT ON FUNCTION "internal"."record_booking_event"() IS 'Records a change of a booking in booking_events and notifies all processes (channel bookings_changed, with the id of the booking and, if the change has an event, the id of the event).';

COMMENT ON FUNCTION "internal"."record_booking_of_visitor"() IS 'Adds the first event to the history of a visitor''s booking, and notifies the open dashboards, unless the job that links the booking later notifies them.';

COMMENT ON FUNCTION "internal"."record_counter_deposit"(uuid, text, integer, text, text) IS 'Adds a deposit that the customer paid at the counter to the ledger.';

COMMENT ON FUNCTION "internal"."record_counter_payment"(public.invoices, text, integer, text, text) IS 'Adds a payment at the counter with its cash rounding to the ledger, and adds the row from which a job reports the payment to Stripe.';

COMMENT ON FUNCTION "internal"."record_estimate_invoice_state"(uuid, text, text, text) IS 'Records the result of a claim: made (with the id and number of the invoice), failed, or later voided. Returns whether the claim changed.';

COMMENT ON FUNCTION "internal"."record_export"(text, text, uuid, text) IS 'Records the export of a customer (customer_exported) or of a file for the accountant (files_exported, detail: the name of the file and its days).';

COMMENT ON FUNCTION "internal"."record_failed_refund"(text, text, bigint) IS 'Adds the amount of a refund that failed at Stripe to the ledger, because the shop has the money again. payment_id is the id of the ledger line in the refund''s metadata at Stripe. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_file_cleanup"(text, integer) IS 'Records that the data files of a table were rewritten, and the number of erasures that the rewrite covers.';

COMMENT ON FUNCTION "internal"."record_file_owner"(text) IS 'Records which tables the site''s database login owns. Another login, which the site used earlier, may own the other tables.';

COMMENT ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) IS 'Records the origin of a visitor''s form before its booking or quote request is inserted, and marks its form token as used. Returns the reasons why the form looks automated; empty for an ordinary form. A form that looks automated does not count toward the limits. A form token has the format ''milliseconds.nonce.signature'' and is signed by server/features/form-guard.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Reverses a card payment that the customer''s bank took back, at most its remaining amount, which is then due on a replacement invoice. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice that Stripe has deleted as void.';

COMMENT ON FUNCTION "internal"."record_new_booking"() IS 'Adds the first event to the history of a booking that staff or the server inserted, and notifies the open dashboards.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported: {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. Returns held; returned (the payment goes back to the customer, because the deposit was paid before, is no longer requested, or exceeds the approved amount); known (this payment was recorded before).';

COMMENT ON FUNCTION "internal"."record_online_payment"(jsonb) IS 'Records a payment that Stripe reported: {invoiceId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970), overpaidCents, refundId}, with a further line for its overpaid part or its refund. Returns false if the payment is already recorded.';

COMMENT ON FUNCTION "internal"."record_own_change"(text, uuid, text) IS 'Records that a person changed their own password (password_changed) or signed out other browsers (session_ended, detail: their number).';

COMMENT ON FUNCTION "internal"."record_refusal"(text, uuid, text, text, inet) IS 'Records a wrong password (wrong_password), a wrong PIN at a shared tablet (wrong_pin, detail: the name of the tablet), too many attempts (sign_in_blocked) or a request for which the role has no permission (not_allowed, detail: the path), at most once in 15 minutes. A username that belongs to no account is not stored.';

COMMENT ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) IS 'Records that a replacement invoice exists: its amount is then due on this invoice instead of the first one.';

COMMENT ON FUNCTION "internal"."record_sealed_setting_change"() IS 'Adds a line to the history of an encrypted setting and to the audit log, and notifies all processes (settings_changed).';

COMMENT ON FUNCTION "internal"."record_sent_revision_viewed"(uuid, text) IS 'Records the time at which the customer first used the page of a revision; returns whether this is the first time.';

COMMENT ON FUNCTION "internal"."record_settings_change"() IS 'Records a change of a setting in settings_history, increments the version of its section and notifies all processes (settings_changed). Arguments of the trigger: the section, and the column that identifies the row.';

COMMENT ON FUNCTION "internal"."redact"(jsonb, text, integer) IS 'Replaces each match of a pattern in the strings of a JSON value by [erased]. A string inside an object or array grows to 60 characters at most.';

COMMENT ON FUNCTION "internal"."redact"(text, text, integer) IS 'Replaces each match of a pattern in a text by [erased], and cuts the result to max_length characters.';

COMMENT ON FUNCTION "internal"."refund_deposit"(uuid, text, text, text) IS 'Returns the whole held deposit to the customer before an invoice exists: {refundCents, way (the method; null if there are several), customer}.';

COMMENT ON FUNCTION "internal"."refuse_above_authorized"() IS 'Refuses (TT072) to bill a job, or all jobs together, above the authorized amount, even by one cent.';

COMMENT ON FUNCTION "internal"."refuse_booking"(text) IS 'Raises the error of a refusal code (see booking_refusal): each code has its own SQLSTATE, hint and text. Does nothing if the code is null.';

COMMENT ON FUNCTION "internal"."refuse_change_by_others"() IS 'Refuses a change of a column that only owners may change, in a table whose other columns advisors may change too. A row-level security policy cannot restrict single columns.';

COMMENT ON FUNCTION "internal"."refuse_close"(date) IS 'Refuses (TT110) to close a day that lies in the future, is closed, comes before a closed day, comes after a day that must be closed first, or has no ledger lines and cash movements.';

COMMENT ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) IS 'Refuses (TT104) a deposit that the shop did not request, that was already paid, whose amount is zero, or whose amount exceeds the requested amount.';

COMMENT ON FUNCTION "internal"."refuse_early_no_show"(public.bookings) IS 'Refuses (TT063) to mark a booking as a no-show earlier than 15 minutes after the start (docs/product.md 12.4).';

COMMENT ON FUNCTION "internal"."refuse_incomplete_booking"(public.bookings) IS 'Refuses a new booking whose status is not ''confirmed'', or that lacks an email address or a part of the vehicle''s description.';

COMMENT ON FUNCTION "internal"."refuse_invoiced"(public.estimates) IS 'Refuses (TT075) to change an estimate that already has an invoice.';

COMMENT ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) IS 'Refuses (TT102) a payment for a voided invoice, of zero, or above the balance.';

COMMENT ON FUNCTION "internal"."refuse_self_merge"(uuid, uuid) IS 'Refuses (TT091) to merge a record with itself or with a record that does not exist.';

COMMENT ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() IS 'Refuses to connect a Stripe account while invoices of the sandbox are open (TT123), because customers could no longer pay these invoices.';

COMMENT ON FUNCTION "internal"."refuse_too_many_held"(internal.client_digests) IS 'Refuses a further flagged booking while ten bookings are held, or three bookings from the client''s network (IPv6 /48 or IPv4 /24).';

COMMENT ON FUNCTION "internal"."refuse_uncounted_notice"() IS 'Refuses an email to the owner that bypasses add_owner_notice and claim_owner_notices, which limit the frequency of these emails.';

COMMENT ON FUNCTION "internal"."release_claim"() IS 'Deletes the row of online_payment_claims when the online payment is added to the ledger.';

COMMENT ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) IS 'Removes the deposit from an invoice that became void, so that the deposit can pay the next invoice of the estimate.';

COMMENT ON FUNCTION "internal"."release_hold"() IS 'Ends the hold of a booking that changes its state or is no longer flagged. Before a booking occupies its time again, the expired holds of its day are ended. A booking that becomes open again counts toward the five open bookings of its customer.';

COMMENT ON FUNCTION "internal"."remove_sample_bays"() IS 'Deletes the bays of the sample week. Real upcoming bookings in these bays are moved to other bays at the same time or, if none is free, have no bay. All other bookings in these bays then have no bay.';

COMMENT ON FUNCTION "internal"."remove_sample_customers"() IS 'Deletes the customers and vehicles of the sample week that no real record refers to.';

COMMENT ON FUNCTION "internal"."remove_sample_week"() IS 'Deletes the sample week and all records that were added to it, and no other records. Real bookings in the bays of the sample week are moved to other bays.';

COMMENT ON FUNCTION "internal"."rename_keys"(jsonb, jsonb) IS 'Renames keys of a JSON object; the second argument maps each old name to its new name.';

COMMENT ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) IS 'Requests a replacement invoice for a reversed amount, but at most for the balance of the invoice.';

COMMENT ON FUNCTION "internal"."replace_report"(public.invoices, uuid, public.payments, public.payments, bigint) IS 'Withdraws the report of a wrong payment to Stripe. If Stripe already knows the payment, the excess that Stripe counts as paid (lower_cents) is due on a replacement invoice. Refuses (TT103) a correction to a higher amount than Stripe knows.';

COMMENT ON FUNCTION "internal"."replaced_cents"(text) IS 'The part of an invoice, in cents, that is due on its replacement invoices.';

COMMENT ON FUNCTION "internal"."request_file_cleanup"() IS 'Requests the nightly rewrite of the data files of all tables that an erasure changes.';

COMMENT ON FUNCTION "internal"."require_active_service"() IS 'Refuses to deactivate or delete the last active service (TT053).';

COMMENT ON FUNCTION "internal"."require_command"() IS 'Refuses a change by a signed-in person unless a command of the site''s server makes the change, because only a command can require step-up authentication (docs/product.md 6.8). The server sets shop.command; a request to the data service cannot set it.';

COMMENT ON FUNCTION "internal"."require_customer"(uuid) IS 'Returns the customer with this id, or the customer into whom that customer was merged. Refuses an unknown or erased customer (TT090) and a caller who is not the admin.';

COMMENT ON FUNCTION "internal"."reset_notification"() IS 'Marks the customer as notified of a move or cancellation that the customer made on the visit page.';

COMMENT ON FUNCTION "internal"."resolve_merged_customer"(uuid) IS 'The id of the customer into whom the customer with this id was merged, or the same id if the customer was not merged; null for an unknown or erased customer.';

COMMENT ON FUNCTION "internal"."resolve_merged_vehicle"(uuid) IS 'The id of the vehicle into which the vehicle with this id was merged, or the same id if the vehicle was not merged; null for an unknown vehicle.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that can be refunded again: the part that no later refund of the same credit note returned, at most the overpayment of the invoice. (A check that the bank returned in the meantime lowers the overpayment.) 0 for a ledger line of another kind.';

COMMENT ON FUNCTION "internal"."retry_refund"(uuid, text, text) IS 'Repeats a failed refund by the method of the payment or by another method, without another credit note: {refundCents}.';

COMMENT ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) IS 'Returns a part or all of a held deposit to the customer, by the method of its payment or by another method. If the deposit was paid online by card, a job refunds it at Stripe later.';

COMMENT ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) IS 'Returns a part or all of a payment to the customer, by the method of the payment or by another method. Returns the amount by which the paid amount of the invoice decreases. When the last part is returned, the cash rounding is reversed too, so that the two amounts can differ.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) IS 'Reverses a part or all of a payment or a refund, only once for each event, such as a dispute, which the note identifies; returns the id of the reversal, or null for a repeated call.';

COMMENT ON FUNCTION "internal"."reverse_payment"(public.payments, text, text) IS 'Reverses a payment completely, together with its cash rounding, and returns the id of the reversal.';

COMMENT ON FUNCTION "internal"."roll_back_preview"() IS 'Raises TT050 at the end of a preview. The block that catches this error is rolled back, so that the preview returns the result of a change without changing anything.';

COMMENT ON FUNCTION "internal"."round_cash"(bigint) IS 'Rounds a cash amount to five cents: 1 and 2 cents down, 3 and 4 cents up. Negative amounts are rounded symmetrically.';

COMMENT ON FUNCTION "internal"."rows_as_json"(text, uuid[]) IS 'The rows that an SQL statement about customers ($1 is the array of their ids) returns, as JSON.';

COMMENT ON FUNCTION "internal"."sample_invoices"() IS 'The invoices of the sample week; invoice_id is null for an invoice whose creation was started but not finished.';

COMMENT ON FUNCTION "internal"."save_bay_row"(uuid, text, boolean, text) IS 'Adds or changes a bay; refuses to deactivate the last active bay (TT054). If technician is null, the stored technician remains.';

COMMENT ON FUNCTION "internal"."save_bay_services"(uuid, uuid[]) IS 'Sets the services that a bay can do; an empty list means all services.';

COMMENT ON FUNCTION "internal"."save_booking_state"(public.bookings, text) IS 'Saves the state of a booking: completed in the columns completed_at and completed_by (docs/product.md 4.2), every other state in the column status.';

COMMENT ON FUNCTION "internal"."save_cancellation_reason"(uuid, text) IS 'Records why a customer cancelled, once for each cancellation. Done: reason_saved, or unchanged. Refused: version_conflict (the latest change is not a cancellation by the customer).';

COMMENT ON FUNCTION "internal"."save_revision_jobs"(uuid, integer, jsonb) IS 'Replaces the jobs and lines of a draft by the given ones, in the format of contracts/estimates/estimates.ts.';

COMMENT ON FUNCTION "internal"."save_service_bays"(uuid, uuid[]) IS 'Sets the bays that can do a service. With an empty list, every bay can do the service. Refuses a change that would leave a bay without any service (TT056).';

COMMENT ON FUNCTION "internal"."search_bookings"(text, integer) IS 'Finds the customers and vehicles of bookings that contain every word of the search, such as the name of a customer and the make of a vehicle.';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'An SQL condition that is true if the column search_text contains the word. A word of one or two letters must be at the beginning of a word of search_text.';

COMMENT ON FUNCTION "internal"."search_conditions"(text[]) IS 'An SQL condition that is true if the column search_text contains every word; null if there are no words.';

COMMENT ON FUNCTION "internal"."search_customers"(text, integer) IS 'Finds customers whose name, email address or phone number contains every word of the search, or who have another matching contact method. Customers whose name begins with the search term come first, then those with the latest appointment. For speed, sorts at most a hundred matches.';

COMMENT ON FUNCTION "internal"."search_documents"(text, uuid[], integer) IS 'Finds the estimates and invoices of the given customers, and those whose number, name, plate and VIN contain every word. A document with exactly this number comes first.';

COMMENT ON FUNCTION "internal"."search_text_of"(public.bookings) IS 'The searchable text of a booking, normalized.';

COMMENT ON FUNCTION "internal"."search_vehicles"(text, integer) IS 'Finds vehicles whose year, make, model, plate and VIN contain every word, regardless of punctuation. A vehicle with exactly this plate or VIN comes first.';

COMMENT ON FUNCTION "internal"."search_words"(text) IS 'The words of a search, normalized like search_text; a phone number becomes one word of digits.';

COMMENT ON FUNCTION "internal"."sent_revision_misdirected_reason"(uuid, text) IS 'The reason why an email with an estimate must not be sent to an address; null if it is the address in the estimate.';

COMMENT ON FUNCTION "internal"."sent_revision_outdated_reason"(uuid, integer) IS 'The reason why an email with a revision must no longer be sent; null as long as the customer can decide on the revision.';

COMMENT ON FUNCTION "internal"."services_of_bay"(uuid) IS 'The services that a bay can do; null if the bay can do all services.';

COMMENT ON FUNCTION "internal"."session_ends_at"(timestamp with time zone, timestamp with time zone) IS 'The time at which a dashboard session ends: after 12 hours without use, at the latest 30 days after the sign-in.';

COMMENT ON FUNCTION "internal"."set_authorization_amounts"() IS 'Computes the amounts of an authorization and ignores amounts in the insert statement.';

COMMENT ON FUNCTION "internal"."set_booking_change_context"(jsonb) IS 'Passes the source, the reason and the warnings of a change to the triggers of bookings. The values apply until the next call or the end of the transaction; null clears them.';

COMMENT ON FUNCTION "internal"."set_booking_state"(public.bookings, text, integer, text, boolean) IS 'Changes the state of a booking and returns the booking. The caller must have locked the booking and checked the permission.';

COMMENT ON FUNCTION "internal"."set_task_status"(public.tasks, text, text, text, text) IS 'Sets the status of a task and records the change in its history. The caller must have locked the task and checked the permission.';

COMMENT ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) IS 'Divides an amount between the chosen parts of an invoice (all parts if none is chosen) and their tax, in proportion to their prices, by the largest remainder method. The amount is limited to the rest that can still be credited. An invoice without known parts counts as one part without a key.';

COMMENT ON FUNCTION "internal"."shows_every_character"(text[]) IS 'Whether texts have no control characters, no invisible characters and no characters that change the text direction. Null counts as valid.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person to whom a username belonged at an instant. For an instant before the account was created, the username itself, because several people shared a username at that time.';

COMMENT ON FUNCTION "internal"."staff_role"() IS 'The role of the active staff account whose access token the request contains: owner, advisor or technician. For every sign-in session at a shared tablet the role is technician. Null for everybody else, including a team member who must first set up an authenticator app.';

COMMENT ON FUNCTION "internal"."staff_role_of"(uuid, timestamp with time zone) IS 'The role of a staff account that can sign in: the account is active, and its user of the auth service is not banned. Otherwise null.';

COMMENT ON FUNCTION "internal"."start_time_refusal"(date, time without time zone, timestamp with time zone, text, integer, integer, boolean) IS 'The result of start_time_refusal(date, time). The caller passes the values of the rules, so that this function reads no table and PostgreSQL can inline it.';

COMMENT ON FUNCTION "internal"."state_before_task"(uuid) IS 'The state that a booking had before a task set it to in_work; null if its state has changed since.';

COMMENT ON FUNCTION "internal"."sum_cash_count"(jsonb) IS 'The sum in cents of a count of bills and coins.';

COMMENT ON FUNCTION "internal"."summarize_customer_bookings"(text, text, date) IS 'Summarizes the latest 200 bookings of one name and phone number in one row.';

COMMENT ON FUNCTION "internal"."take_service"(public.bookings, uuid) IS 'Returns a booking with the current name, price and duration of another service; the booking is unchanged when the service is the same.';

COMMENT ON FUNCTION "internal"."take_vehicle"(public.bookings, internal.vehicle_details) IS 'Returns a booking with the vehicle that staff typed. If staff typed only a plate, year, make and model remain.';

COMMENT ON FUNCTION "internal"."tax_rate_on"(date) IS 'The sales tax rate on a day, in ten-thousandths of a percent; 0 before the first rate.';

COMMENT ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) IS 'The reasons why a tear-down cannot be sent (16 CCR 3353): a field is missing, or the sum of the lines is not the sum of priceCents and reassemblyPriceCents before tax.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'The assignment of a booking as the calling technician sees it: own (a task is assigned to this technician, or this technician works in its bay), unassigned (no task is assigned, and its bay has no technician) or other.';

COMMENT ON FUNCTION "internal"."text_for_technicians"(text) IS 'Removes email addresses, dollar amounts and numbers that look like phone numbers from a free text.';

COMMENT ON FUNCTION "internal"."texts_differ"(text, text) IS 'Whether two texts differ; an empty text counts as equal to every text.';

COMMENT ON FUNCTION "internal"."token_digest"(jsonb) IS 'The digest of the form token in request headers; null if the headers contain no form token.';

COMMENT ON FUNCTION "internal"."unanswered_quotes"() IS 'The quote requests that staff have not answered within 12 hours, at most the oldest 50, without those that look automated.';

COMMENT ON FUNCTION "internal"."unconfirmed_email"(public.bookings) IS 'The email address of a booking if a visitor typed it online and it is not known to be the customer''s; null otherwise.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a cancellation that the customer made, if the time is still free. Done: restored, or unchanged (the booking is not cancelled). Refused: over, or a code of undo_cancellation_refusal.';

COMMENT ON FUNCTION "internal"."undo_cancellation_refusal"(public.bookings, integer) IS 'The reason why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict, over, too_close, outside_hours, slot_taken, too_many (five other open bookings); null if the customer may undo it.';

COMMENT ON FUNCTION "internal"."unmerge_records"(public.merges) IS 'Undoes a merge. If the merge also merged vehicles, those merges are undone first.';

COMMENT ON FUNCTION "internal"."unpaid_invoices"() IS 'The outstanding invoices with the amounts of invoice_paid_cents and invoice_balance_cents, computed in one statement for lists and sums of many invoices.';

COMMENT ON FUNCTION "internal"."unsettled_invoices"() IS 'The invoices that may have a balance: invoices that are open at Stripe, and paid invoices with a reversed payment. Their balance can also be 0.';

COMMENT ON FUNCTION "internal"."vehicle_facts"(public.bookings) IS 'The data from which the state of a booking''s vehicle is computed (VehicleFacts of domain/bookings/vehicle-state.ts).';

COMMENT ON FUNCTION "internal"."vehicle_line"(text, text, text) IS 'The year, make and model of a vehicle in one line; empty if none of them is known.';

COMMENT ON FUNCTION "internal"."vehicle_state"(jsonb) IS 'The state of a vehicle, computed from the result of vehicle_facts by the rules of vehicleState in domain/bookings/vehicle-state.ts, for queries that filter by the state.';

COMMENT ON FUNCTION "internal"."vehicles_of_other_days"(date) IS 'The bookings of later days and of the last 14 days whose vehicle is at the shop, at most the earliest 50.';

COMMENT ON FUNCTION "internal"."void_reason"(public.authorizations, public.estimates) IS 'The reason why an authorization is void: wrong_recipient (it was withdrawn, or is the withdrawal itself), customer or vehicle (the estimate has another customer or vehicle since then). Null if it is valid.';

COMMENT ON FUNCTION "internal"."was_entered_online"(uuid) IS 'Whether a visitor made the booking on the website; false for a booking that staff made.';

COMMENT ON FUNCTION "internal"."was_owner_notified"() IS 'Whether an email to the owner was queued in the last ten minutes. Also locks the notices until the transaction ends.';

COMMENT ON FUNCTION "internal"."was_taken_from_visitor"(public.estimates, uuid) IS 'Whether an estimate was sent to the address of its booking, and staff later changed the address of the estimate. The visit page, whose link is in the former mailbox, then shows no link to the estimate.';

COMMENT ON FUNCTION "internal"."with_current_links"(text, text) IS 'The text of an email in which outdated links to the recipient''s bookings and estimates are replaced by the current ones.';

COMMENT ON FUNCTION "internal"."with_service_name"(jsonb) IS 'Returns a row as JSON in which the name of the service replaces service_id.';

COMMENT ON FUNCTION "internal"."withdraw_answers"(public.estimates) IS 'Withdraws each decision that was made with the link to an estimate or from its email address. The customer can then decide again on the latest sent revision.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Withdraws the report of a reversed payment to Stripe, and returns true. Returns false if Stripe knows the payment already, or must know it for a later refund.';

COMMENT ON FUNCTION "public"."accept_schedule_conflicts"(uuid[]) IS 'Records that staff accept the schedule conflicts of bookings; returns the bookings whose conflict was not accepted before.';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the address. Refused (TT100) when the record is not active or the address is invalid. Calling it again changes nothing.';

COMMENT ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) IS 'Requests a deposit of an estimate: an amount, a share of the approved amount, or none (both null). Refused (TT104) when a deposit was already paid, and for more than the approved amount. Returns the deposit (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."book_by_phone"(uuid, date, time without time zone, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid, text) IS 'Books for a customer on the phone and returns the booking. minutes defaults to the duration of the service. With a null bay_id, the booking gets the first free bay that can do the service; with without_bay and a reason, it gets no bay. The rules for visitors are not enforced; booking_events.warnings records the rules that the booking breaks. A repeated call with the same booking_id returns the first booking. vehicle_plate is used only to find the vehicle.';

COMMENT ON FUNCTION "public"."cancel_bookings"(uuid[], text) IS 'Cancels several open bookings with one reason; returns their ids and former statuses, with which an undo can restore them. Completed bookings and no-shows are skipped.';

COMMENT ON FUNCTION "public"."change_booking_state"(uuid, text, integer, text, boolean) IS 'Changes the state of a booking to confirmed, pending, arrived, in_work, completed, cancelled or no_show, and returns the booking; refuses an outdated version (TT051). An undo is a change to the former state. A booking that becomes active again gets its former bay if it is free, otherwise another free bay. Without a free bay the change is refused (23P01), unless allow_without_bay is true.';

COMMENT ON FUNCTION "public"."change_estimate_email"(uuid, integer, text, text) IS 'Changes the email address of an estimate without a new revision. The reason is new_address (decisions remain valid) or wrong_recipient (decisions that were made with the former link are withdrawn). Refused (TT075) once the estimate is invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."change_vehicle_owner"(uuid, integer, uuid) IS 'Changes the owner of a vehicle. Earlier bookings, estimates and invoices still belong to the former owner, and the vehicle''s history still shows them.';

COMMENT ON FUNCTION "public"."check_booking_time"(uuid, date, time without time zone, integer, uuid, uuid) IS 'Previews book_by_phone or, if ignored_booking_id is given, move_booking of that booking. Returns the bay, the warnings, the hint of the error that would occur (slot_taken, bay_cannot_do_service, bay_not_active), the conflicting bookings, and free_times [{date, time, bay_ids}].';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Reserves an email for one delivery attempt and returns the email with current links. Returns no row if the email is sent or failed, reserved by another process, not due, outdated (its status is then set to failed) or of the sample week, and while the emails of a restored shop are paused. The first attempt can be made before next_attempt_at.';

COMMENT ON FUNCTION "public"."clean_up_tasks"(uuid[]) IS 'Removes completed tasks from the list of tasks: deletes a task, or archives it if it belongs to an estimate or its vehicle was not picked up yet. Returns the number of removed tasks.';

COMMENT ON FUNCTION "public"."close_day"(jsonb) IS 'Closes a day permanently and returns the id of the close: {date, startCents (for the first day close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) when the expected cash differs from seenExpectedCents, the expected cash that staff saw.';

COMMENT ON FUNCTION "public"."correct_close"(uuid, integer, text) IS 'Adds a correction to a day close, whose own row never changes. Returns the id of the correction.';

COMMENT ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) IS 'Reverses a deposit that was paid at the counter and recorded with a wrong method or amount, and records it correctly: {heldCents}. The shop must still hold the deposit.';

COMMENT ON FUNCTION "public"."correct_invoice_price"(text, integer, text) IS 'Lowers the balance of an open invoice with a credit note, at most to zero: {balanceCents}.';

COMMENT ON FUNCTION "public"."correct_payment"(uuid, text, text, integer, text, text) IS 'Reverses a payment at the counter, or an applied deposit, that was recorded wrongly, and records it with the right invoice, method and amount. Returns {balanceCents}, the balance of the first invoice. A corrected deposit remains applied to its invoice.';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'The numbers in the navigation of the dashboard, in one call: whether anything needs attention, as read_today lists it (an arrived customer, a quote request without a reply for 12 hours, a failed email, a change about which a customer has to be notified, a schedule conflict, a day that was not closed, a deposit about which staff must decide); today''s appointments that are not over, open tasks, pending quote requests that do not look automated, unpaid invoices.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate of a repair for {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or with the details {customer, vehicle} only; returns {id, isNew}. The estimate of a booking begins with a job for its service. An existing estimate of the same booking or quote request is returned instead; an existing estimate of the same vehicle or customer is returned only if it was never saved. {kind: towing} creates an empty estimate of towing. With {jobs}, the estimate begins with these jobs.';

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) IS 'Creates a task for each approved job without one, assigned to the given employee or, if it is null, to nobody; returns the number of new tasks.';

COMMENT ON FUNCTION "public"."dismiss_notification"(uuid, integer, text) IS 'Records, with a reason, that the customer of a booking needs no notification of its current state; refuses an outdated version (TT051). After the next change, the customer needs a notification again.';

COMMENT ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) IS 'Changes an open booking and returns it; refused (TT051) if somebody changed the booking since the user read it. A booking that changes its service gets the current name, price and duration of the new service. A time that is not free is refused with the next three free times. A new name, phone number or email address requires contact_change: correction also corrects the customer, their other open bookings and their draft estimates; other_customer assigns the booking and its draft estimates to another customer. vehicle_plate is used only to find the vehicle; the booking stores no plate.';

COMMENT ON FUNCTION "public"."find_bookings"(text) IS 'Returns to the admin the bookings that contain every word of the search. A phone number is found by its digits.';

COMMENT ON FUNCTION "public"."find_canned_jobs"(text) IS 'At most 50 canned jobs whose title contains a term; titles that begin with the term come first: [{id, job}].';

COMMENT ON FUNCTION "public"."find_customers"(text) IS 'Finds up to eight customers whose bookings contain the words of a search, latest booking first. Each name and phone number is one customer, with vehicles [{id, year, make, model, color}], last and next appointment, number of appointments and no-shows.';

COMMENT ON FUNCTION "public"."forms_sent_by"(jsonb) IS 'The forms that the sender of a request sent in the last 15 minutes: forms with the same form token, and forms without a token from the same address. The server functions send confirmations for these forms only.';

COMMENT ON FUNCTION "public"."is_time_slot_available"(integer, date, time without time zone, uuid) IS 'Whether a visitor could book an appointment of service_duration minutes at this time. If a service is given, a bay that can do it must be free.';

COMMENT ON FUNCTION "public"."list_estimates"(text, text) IS 'At most 50 estimates, latest change first. Optional filters: a search term in number, name, plate or model, and one state. invoicedCents is the total of the invoice; null without an invoice.';

COMMENT ON FUNCTION "public"."list_open_days"(date, date, uuid) IS 'For each of up to 62 dates: the open ranges of the bays in minutes after midnight ([[{opensAtMinute, closesAtMinute}]]) and, if all bays are closed, the reason of a public closure. If a service is given, only bays that can do it are included.';

COMMENT ON FUNCTION "public"."list_other_bookings"(uuid) IS 'The other bookings with the same name and phone number, past and upcoming: the latest 50, latest first.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours in two periods: from today until a week after the last bookable day, and the first month of the next public closure after that week. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."mark_task_ready_for_pickup"(uuid, text, text, text) IS 'Records when the vehicle of a completed task became ready for pickup; a repeated call changes nothing.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers and returns the id of the merge; refuses outdated versions (TT051). All records of the duplicate move to the survivor, and equal vehicles are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) names the values that are taken from the duplicate; an email address or phone number that is not chosen remains a contact method.';

COMMENT ON FUNCTION "public"."move_booking"(uuid, integer, date, time without time zone, integer, uuid, boolean, text) IS 'Moves an open booking to a date, time, duration (null: unchanged) and bay (null: its own bay if free, otherwise the first free bay; without_bay: no bay), and returns the booking. Refuses an outdated version (TT051). An undo is a move to the former time. Warnings are recorded as in book_by_phone.';

COMMENT ON FUNCTION "public"."next_free_times"(uuid, timestamp without time zone, integer, uuid, uuid, integer, integer) IS 'The next free times for a service or a number of minutes, at most max_rows within a number of days. A free time can extend overnight. Each time has the list of its free bays, the preferred bay first; if bay_id is given, only the free times of this bay are returned. The time of the booking ignored_booking_id counts as free. Past times are not returned.';

COMMENT ON FUNCTION "public"."note_declined_after_tear_down"(uuid, uuid, text) IS 'Records, at most once each, that the customer declined the ''repair'' or the ''reassembly'' after an approved tear-down. The note is printed on the estimate and on its invoice. Refused (TT075) once the estimate is invoiced.';

COMMENT ON FUNCTION "public"."order_bays"(uuid[], integer) IS 'Saves the order of all bays; refuses an outdated version of the section bays (TT051).';

COMMENT ON FUNCTION "public"."order_services"(uuid[], integer) IS 'Saves the order of all services and returns the new version; refuses an outdated version of the section services (TT051).';

COMMENT ON FUNCTION "public"."preview_erasure"(uuid) IS 'The effect that erasing a customer would have (contracts/customers.ts): the open records that prevent the erasure, the records that are retained, and the numbers of erased records.';

COMMENT ON FUNCTION "public"."queue_quote_reply"(jsonb, jsonb) IS 'Adds the admin''s reply to a quote request to the outbox and to the log of replies, only once for each dedupe_key; returns the id of the email. A failed reply is queued again. message has the columns of emails, log those of quote_email_logs.';

COMMENT ON FUNCTION "public"."queue_visitor_email"(jsonb, boolean) IS 'Adds an email that a visitor caused to the outbox, only once for each dedupe_key; returns null if a limit prevents the email. message has the columns of emails. is_capped is false only in load tests, to which the limits do not apply.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'Returns to an owner the latest 50 lines of the audit log before a given line, with the current names of people; returns no lines to other roles. The search finds a part of a name, an invoice number, a detail, a device or an address.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'All data of a customer in one call (contracts/customers.ts), at most the latest 200 rows of each kind. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_customer_highlights"(uuid, uuid) IS 'Hints for staff beside a booking or during a phone booking: the number of missed appointments, the previous appointment, other upcoming appointments, the jobs that were declined last, and open estimates (docs/product.md 16.25).';

COMMENT ON FUNCTION "public"."read_daily_loads"(date, integer) IS 'For each of up to 62 dates: the number of bookings that start, and the total minutes for which the active bays are open.';

COMMENT ON FUNCTION "public"."read_day"(date) IS 'All data of a date in one call: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 bookings of any state, also bookings that began on an earlier date (contracts/bookings/day.ts).';

COMMENT ON FUNCTION "public"."read_day_close"(date) IS 'All data about the close of one day, closed or not, in one call (contracts/payments/day-close.ts).';

COMMENT ON FUNCTION "public"."read_estimate"(uuid) IS 'Returns an estimate with its authorizations and related records (contracts/estimates/estimates.ts).';

COMMENT ON FUNCTION "public"."read_estimate_link"(uuid, boolean) IS 'The path of the customer''s page of an estimate, for the admin. If renew is true, the function creates a new path, and the earlier links to the estimate and to its booking stop working.';

COMMENT ON FUNCTION "public"."read_quote_email"(uuid) IS 'The email address for an invoice of a quote request: the address in the request if it is the customer''s, otherwise the customer''s main address; null when there is neither.';

COMMENT ON FUNCTION "public"."read_today"() IS 'All data of the page Today: the result of read_day for today and {instant, also_here, quotes, undelivered_emails, to_notify, schedule_conflicts, held, tasks, payments, payments_after_close, drawer_expects_cents, unclosed_days, ledger_differences, undecided_deposits, expected_payments, invoices, week}: the vehicles of other days that are at the shop, everything that needs attention, today''s payments, and this week''s load (contracts/today.ts).';

COMMENT ON FUNCTION "public"."read_vehicle"(uuid) IS 'All data of a vehicle in one call (contracts/customers.ts). The id of a merged duplicate returns the surviving vehicle.';

COMMENT ON FUNCTION "public"."read_visit_page_link"(uuid, boolean) IS 'The path of a booking''s visit page, for the admin. If renew is true, the function creates a new path, and the earlier links to the booking and to its estimates stop working.';

COMMENT ON FUNCTION "public"."record_authorization"(uuid, integer, jsonb, text, text, text, text, text, timestamp with time zone, boolean) IS 'Records decisions that a customer made in another way than on the page, for example by phone: [{jobKey, decision, declinedId}]. The decisions apply to the latest revision; a draft is frozen first. declinedId is the id of the refusal that an approval replaces. Returns the same as save_estimate, with batchId (authorizations.batch_id).';

COMMENT ON FUNCTION "public"."record_cash_movement"(text, integer, text) IS 'Records cash that staff put into the drawer or took out of it without a payment of a customer. The movement belongs to today or, if today is already closed, to the next day. Returns the id of the movement.';

COMMENT ON FUNCTION "public"."record_email_failure"(uuid, text, boolean) IS 'Records that a claimed email was not accepted and returns its status: failed when is_final, when its kind is not retried, or after the last attempt; otherwise retrying. If the email was the only reply to a quote request, the request is pending again.';

COMMENT ON FUNCTION "public"."record_estimate_odometer"(uuid, integer, integer) IS 'Records the odometer reading of an estimate without a new revision; approvals remain valid. Refused (TT075) once the estimate is invoiced. Returns the same as save_estimate.';

COMMENT ON FUNCTION "public"."record_odometer"(uuid, integer, date, uuid, boolean) IS 'Records an odometer reading of a day (default today), optionally for a booking. A reading below an earlier or above a later one is refused (TT098; the detail of the error contains that reading) unless is_certain is true.';

COMMENT ON FUNCTION "public"."record_technician_step"(uuid, text, integer) IS 'Records that the vehicle of today''s own or unassigned booking has arrived, is in work or is completed, and returns its new version. Refused (TT051) when seen_version, the version that the user was looking at, is outdated.';

COMMENT ON FUNCTION "public"."remove_special_hours"(uuid, integer, boolean) IS 'Deletes a closure or special opening. Versions, conflicts and previews work as in save_opening_hours.';

COMMENT ON FUNCTION "public"."reopen_bookings"(uuid[], text) IS 'Reopens cancelled, not confirmed or held bookings and returns the reopened ids. Skips a booking whose time is no longer free, or whose customer already has five other open bookings, the maximum.';

COMMENT ON FUNCTION "public"."return_check"(uuid, text) IS 'Reverses a payment by a check that the bank returned unpaid: {balanceCents}. The amount that Stripe counts as paid is due on a replacement invoice.';

COMMENT ON FUNCTION "public"."return_deposit_check"(uuid, text) IS 'Reverses a deposit that was paid by a check which the bank returned unpaid: {heldCents}. The customer has to pay the deposit again.';

COMMENT ON FUNCTION "public"."save_bay"(uuid, text, boolean, uuid[], integer, boolean, text) IS 'Adds (bay_id null) or changes a bay; refuses an outdated version of the section bays (TT051). A bay with empty service_ids can do all services. Deactivating a bay moves its upcoming bookings; the function returns each with its new bay, or with null where no bay is free. A preview returns these bookings without saving. An empty technician removes the stored technician; null keeps the stored technician.';

COMMENT ON FUNCTION "public"."save_booking_note"(uuid, text, text) IS 'Replaces the internal note of a booking if the stored note is seen_note; refuses to overwrite any other note (TT051; the detail of the error contains the stored note). An empty note deletes the stored note.';

COMMENT ON FUNCTION "public"."save_canned_job"(jsonb) IS 'Saves a job for reuse; it replaces an existing canned job with the same title.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, boolean) IS 'Saves name and contacts of a customer and returns the new version; refuses an outdated version (TT051). An email address of another customer is refused (TT096; the detail of the error names that customer) unless may_share_email is true. Earlier contact methods remain.';

COMMENT ON FUNCTION "public"."save_estimate"(uuid, integer, jsonb) IS 'Saves an estimate in the format of contracts/estimates/estimates.ts. If the latest revision is frozen, the function creates the next revision. Refused (TT051) when seen_version is outdated. An estimate with problems is saved too, and its problems are returned.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed) and returns the schedule conflicts after the change; refuses an outdated version of the section hours (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."save_service"(uuid, text, text, integer, integer, boolean, uuid[], integer) IS 'Adds (service_id null) or changes a service; refuses an outdated version (TT051). bay_ids lists the bays that can do the service: an empty list means every bay, null means that the stored bays remain. Existing bookings keep the service''s former name, price and duration.';

COMMENT ON FUNCTION "public"."save_special_hours"(uuid, timestamp without time zone, timestamp without time zone, boolean, uuid, text, boolean, integer, boolean) IS 'Adds a closure or special opening (special_hours_id null) or changes one. Versions, conflicts and previews work as in save_opening_hours.';

COMMENT ON FUNCTION "public"."save_vehicle"(uuid, integer, uuid, text, text, text, text, text, text, text) IS 'Adds a vehicle to a customer (vehicle_id null) or changes a vehicle; returns its id. Refuses an outdated version (TT051) and an invalid VIN (TT097).';

COMMENT ON FUNCTION "public"."search_everything"(text, integer) IS 'Searches all records for a term of two or more characters. Returns people (customers), cars (vehicles), visits (bookings) and documents, each with max_rows rows (at most 50), and the numbers of visits and documents, up to 100 (contracts/customers.ts). Finds phone numbers by digits, plates and VINs without punctuation, bookings by the first eight characters of their id.';

COMMENT ON FUNCTION "public"."set_customer_reminders"(uuid, boolean) IS 'Saves whether a customer gets reminders, also for the duplicates that were merged into the customer.';

COMMENT ON FUNCTION "public"."set_task_customer_note"(uuid, text) IS 'Sets the note that the visit page shows the customer until the status of the task changes. If the note is empty, the page shows only the status.';

COMMENT ON FUNCTION "public"."split_booking"(uuid) IS 'Creates a separate customer for a booking, with its vehicle and invoice; returns the customer''s id. Merging the two customers undoes the split.';

COMMENT ON FUNCTION "public"."split_vehicle"(uuid, integer) IS 'Creates a separate customer from the latest booking of a vehicle, with all records of the vehicle; returns the customer''s id. Merging the two customers undoes the split.';

COMMENT ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) IS 'Records that the customer paid the deposit of an estimate at the counter, only once and at most the requested amount: {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) IS 'Records a payment at the counter, at most the balance of the invoice, and the cash that the customer handed over (docs/product.md 17.3): {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."unmerge"(uuid) IS 'Undoes a merge of the last 30 days: the moved rows return to the duplicate, and rows that were created later stay with the survivor.';

COMMENT ON FUNCTION "public"."update_task_status"(uuid, text, text, text, text, text) IS 'Sets the status of a task and records the change in its history. If the status does not change, only the note is added. Refused (TT051) if seen_status is given and the task has another status.';

COMMENT ON FUNCTION "public"."use_todays_tax_rate"(uuid, integer) IS 'Sets the sales tax rate of a draft to the rate of today.';

COMMENT ON FUNCTION "public"."vehicle_facts"(public.bookings) IS 'A computed column of bookings for the data API: the data from which the state of the vehicle is computed.';

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Voids an invoice that has a balance and never had a payment; refuses (TT103) every other invoice. The estimate of the voided invoice can be invoiced again.';

COMMENT ON FUNCTION "public"."wants_parts_back"(public.tasks) IS 'A computed column of tasks for the data API: whether the customer asked for the replaced parts (16 CCR 3355) of the task''s job. For a task without a job, whether the customer asked for those of any approved job of its booking.';

COMMENT ON SCHEMA "stripe_sandbox" IS 'The state of the payment sandbox, in which no money moves and which stores no card numbers.';

COMMENT ON SEQUENCE "internal"."invoice_count" IS 'The sequence of invoice numbers, which continues over the years. A number that is assigned but not used leaves a gap.';

COMMENT ON SEQUENCE "stripe_sandbox"."invoice_number" IS 'The sequence for the numbers of finalized invoices, such as TT-0001.';

COMMENT ON TABLE "internal"."address_answers" IS 'The bookings for which the customer confirmed, by the link in an email, that the email address in the booking form is theirs. Each link works once.';

COMMENT ON TABLE "internal"."admin_data_sessions" IS 'The sessions of the data service (data sessions) that belong to dashboard sessions. Deleting a row ends the data session.';

COMMENT ON TABLE "internal"."admin_sessions" IS 'The sign-in sessions of the dashboard: one row for each browser that is signed in. Deleting the row signs the browser out.';

COMMENT ON TABLE "internal"."assigned_invoice_numbers" IS 'The invoice number that each request to create an invoice got. A repeated request must send the same number, as Stripe''s idempotency keys require.';

COMMENT ON TABLE "internal"."backup_drills" IS 'The restore drills. In a restore drill, the newest backup is restored to a second database and compared with the running shop. [append-only]';

COMMENT ON TABLE "internal"."backup_key_copies" IS 'The fingerprints of backup keys. The owner confirmed to have a copy of each of these keys on another machine. [append-only]';

COMMENT ON TABLE "internal"."bay_hours" IS 'The open times of each active bay in shop wall-clock time, computed by internal.open_spans for the dates from yesterday until 31 days after the last bookable date. Triggers and a daily job update the table. For a date without rows, the functions compute the times.';

COMMENT ON TABLE "internal"."booking_transitions" IS 'The allowed changes of a booking''s state, each with the kind of event that records it. No other table or code defines these changes.';

COMMENT ON TABLE "internal"."code_apps" IS 'The authenticator apps of staff accounts (RFC 6238). A sign-in requires a code only after a first code has confirmed the app.';

COMMENT ON TABLE "internal"."commands" IS 'The commands of staff that were committed during the last day, each with its result. A refused command has no row.';

COMMENT ON TABLE "internal"."email_kinds" IS 'The kinds of email, each with its rules for sending.';

COMMENT ON TABLE "internal"."erasure_rules" IS 'The rule for each text and jsonb column of the database when a customer is erased. A test fails if a column has no rule.';

COMMENT ON TABLE "internal"."file_cleanups" IS 'The tables whose data files on disk can still contain erased data, and the progress of the nightly job that rewrites these files.';

COMMENT ON TABLE "internal"."form_origins" IS 'The origin of a visitor''s form: digests of its form token, of the client''s address and of the client''s networks. A row is kept for 25 hours, because a form token is valid for 24 hours and for one form only. A token counts as used even after its booking or quote request is deleted.';

COMMENT ON TABLE "internal"."invoice_links" IS 'The links to invoices. Each row contains the SHA-256 hashes of the token and of the short code of a link, but not the token and the code themselves.';

COMMENT ON TABLE "internal"."invoice_numbers" IS 'An index of invoice numbers, with which the server finds a new invoice immediately; Stripe''s own search finds it only a minute later. The server reads the content of the invoice from Stripe.';

COMMENT ON TABLE "internal"."known_browsers" IS 'The browsers from which an admin has signed in before. Wrong passwords are counted separately for each of them. The row alone lets nobody sign in.';

COMMENT ON TABLE "internal"."merge_rules" IS 'The merge rule for each foreign key to customers and vehicles: the referencing rows move to the surviving record, or stay with the duplicate. A merge is refused while a foreign key has no rule.';

COMMENT ON TABLE "internal"."online_payment_claims" IS 'The online payments that the server is about to assign to their invoices. While the row exists, staff cannot record a payment of the claimed amount at the counter. The row is deleted when the payment is in the ledger.';

COMMENT ON TABLE "internal"."owner_notices" IS 'The notices to the owner. The first notice is emailed immediately; later notices are collected in one email every ten minutes. A notice is deleted after a month. Until then, no second notice with the same key is sent.';

COMMENT ON TABLE "internal"."passkey_challenges" IS 'The challenges for which the server still expects the response of a passkey. A response deletes its challenge, so that each challenge can be used only once.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'The invoices for which staff are recording a payment at the counter. The payment page of such an invoice cannot be opened until the time in its row.';

COMMENT ON TABLE "internal"."payment_pages" IS 'The Stripe Checkout Sessions (payment pages) for an invoice or for the deposit of an estimate. The server writes the row before it calls Stripe, so that the shop knows every Checkout Session.';

COMMENT ON TABLE "internal"."pending_sign_ins" IS 'The sign-ins with a right password that still lack the code of the authenticator app. A row alone grants no access; entering the right code deletes the row.';

COMMENT ON TABLE "internal"."rate_limits" IS 'The counters of the rate limits that all processes of the site share. A key is a keyed hash of the limit''s name and of the client: no address is stored.';

COMMENT ON TABLE "internal"."recovery_codes" IS 'The recovery codes, each of which can be used once instead of a code of the authenticator app. All of them are deleted when the app is removed.';

COMMENT ON TABLE "internal"."restored_shop" IS 'The last restore from a backup; no row for a shop that was never restored. The restore writes the row. A restored shop sends no email until an admin allows it, because the original shop may still run, and the restored data may lack later cancellations.';

COMMENT ON TABLE "internal"."sealed_setting_changes" IS 'The changes of settings with passwords, each with the person who made the change, without the value of the setting. [append-only]';

COMMENT ON TABLE "internal"."sealed_settings" IS 'The settings that contain passwords or keys and that an owner entered in the dashboard, encrypted.';

COMMENT ON TABLE "internal"."secrets" IS 'The keys with which database functions sign: the key of links in emails and the key of form tokens. If several machines can run the site on this database, the table also contains the site''s other keys while one machine transfers them to the next. These keys are encrypted with the password of the role that owns the tables. Backups contain no row of this table.';

COMMENT ON TABLE "internal"."sign_in_codes" IS 'The codes that "npm run admin -- code" creates on the server. With such a code, an admin can sign in once without the password.';

COMMENT ON TABLE "internal"."stripe_events" IS 'The Stripe events that the server has processed completely. The transaction that processes an event inserts its row, so that the server recognizes an event that Stripe sends again.';

COMMENT ON TABLE "internal"."stripe_reports" IS 'The payments and corrections that the shop has to report to Stripe. The transaction that makes the change inserts the row. A job later reports the rows of each invoice to Stripe in the order of their insertion.';

COMMENT ON TABLE "internal"."tablet_attempts" IS 'One row for each attempt to enter a PIN at a tablet in the last hour; the row does not contain the PIN. If the PIN is right, its row is deleted. Fifteen rows lock the tablet.';

COMMENT ON TABLE "internal"."tablet_data_sessions" IS 'The sign-in sessions of people who use a shared tablet, as the data service knows them. A row is deleted a day after its session has ended. Until then the row prevents an old access token, which an owner received at a tablet, from granting the rights of an owner.';

COMMENT ON TABLE "internal"."tablet_pins" IS 'The PINs with which team members sign in at a shared tablet.';

COMMENT ON TABLE "internal"."tablets" IS 'The browsers that an owner enrolled as shared tablets. A revoked tablet must be enrolled again, which creates a new row.';

COMMENT ON TABLE "internal"."visit_link_requests" IS 'The requests of customers to receive the links to their bookings by email. A mailbox gets at most one such email per hour. Rows are deleted after a day.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'The number of bookings that visitors can make in a period before the next booking is held. A shop with one bay has about twenty bookings a day.';

COMMENT ON TABLE "internal"."visitor_email_limits" IS 'The limits on the number of emails that visitors can cause in a period. The limits are far above ordinary use: a customer books a few times, and a shop has a few dozen visitors a day.';

COMMENT ON TABLE "internal"."visitor_emails" IS 'The emails that visitors caused, also emails that a limit prevented. Rows are deleted after two days. Only digests of addresses are stored.';

COMMENT ON TABLE "public"."audit_events" IS 'The audit log: events that the owner may have to check later. A line contains no name, address or phone number of a customer. [append-only]';

COMMENT ON TABLE "public"."authorizations" IS 'The approvals and refusals of estimate jobs by customers: one row per job and decision. Rows are never changed, and never deleted within three years. [append-only]';

COMMENT ON TABLE "public"."bays" IS 'The places of the shop in each of which one vehicle at a time is repaired.';

COMMENT ON TABLE "public"."booking_events" IS 'The history of each booking, written in the transaction of the change. The history outlives the booking, so it contains the time, bay and state of the booking, but no data of the customer. [append-only]';

COMMENT ON TABLE "public"."canned_jobs" IS 'The canned jobs: jobs that staff saved for reuse in other estimates, in the format of contracts/estimates/estimates.ts.';

COMMENT ON TABLE "public"."cash_drawers" IS 'The cash drawers of the shop. There is one, at the counter.';

COMMENT ON TABLE "public"."cash_movements" IS 'The cash that staff put into a drawer (for example change from the bank) or took out of it (for example to buy parts) without a payment or refund of a customer. [append-only]';

COMMENT ON TABLE "public"."credit_note_parts" IS 'The division of a credit note between the jobs or lines of its invoice, so that no job or line is credited above its price. [append-only]';

COMMENT ON TABLE "public"."credit_notes" IS 'The credit notes of invoices, each with the reason that the customer reads. [append-only]';

COMMENT ON TABLE "public"."customer_contact_methods" IS 'Every email address and phone number of a customer, past and present. A new booking, quote request or estimate is linked to its customer by these values.';

COMMENT ON TABLE "public"."customers" IS 'The customers, one row per person. A row is created with the customer''s first booking, quote request or estimate (docs/product.md 16.1).';

COMMENT ON TABLE "public"."day_close_corrections" IS 'The later corrections of the counted cash of closed days. [append-only]';

COMMENT ON TABLE "public"."day_closes" IS 'The day closes of each cash drawer. All amounts are in US cents. [append-only]';

COMMENT ON TABLE "public"."deposits" IS 'The deposits that the shop requests for approved estimates. An estimate has at most one deposit.';

COMMENT ON TABLE "public"."emails" IS 'The outbox of emails: one row per email, with its delivery status.';

COMMENT ON TABLE "public"."employees" IS 'The team members to whom tasks can be assigned.';

COMMENT ON TABLE "public"."erasures" IS 'One row per erasure: the erased customer''s id, the employee, and the records of transactions that must be retained, each with the last day of its retention (BPC 9884.11, California). No row contains a customer''s name. [append-only]';

COMMENT ON TABLE "public"."estimate_events" IS 'The history of each sent estimate: changes of its customer, vehicle and link. The history is deleted with the estimate. [append-only]';

COMMENT ON TABLE "public"."estimate_invoice_jobs" IS 'The jobs of an invoice, each with the billed amount in cents including tax, which never exceeds the authorized amount. [append-only]';

COMMENT ON TABLE "public"."estimate_invoices" IS 'The invoices of estimates. Before the server creates an invoice at Stripe, it inserts a row (the claim) and sends the id of the row as the request id, so that a crash never causes a second invoice. [append-only]';

COMMENT ON TABLE "public"."estimate_jobs" IS 'The jobs of estimates. The customer approves or declines each job.';

COMMENT ON TABLE "public"."estimate_lines" IS 'The labor, parts, fees and discounts that make up the price of a job.';

COMMENT ON TABLE "public"."estimate_revisions" IS 'The revisions of estimates. A frozen revision never changes; the latest revision can be a draft.';

COMMENT ON TABLE "public"."estimates" IS 'The estimates, each with the data that is the same for all its revisions: the customer, the vehicle and internal data.';

COMMENT ON TABLE "public"."invoice_events" IS 'The events in which a person voided or wrote off an invoice, each with the person, the time and the reason. [append-only]';

COMMENT ON TABLE "public"."invoice_lines" IS 'The lines of invoices without an estimate, as they were billed. An invoice whose lines are unknown has no rows. [append-only]';

COMMENT ON TABLE "public"."invoices" IS 'The local records of Stripe invoices: customer, number, total and status. A row is retained for three years, even if the customer is erased.';

COMMENT ON TABLE "public"."odometer_readings" IS 'Odometer readings of vehicles, each with its date and the person who recorded it.';

COMMENT ON TABLE "public"."opening_hours" IS 'The opening hours by weekday (0 is Sunday), in minutes after midnight, shop time. The shop is closed on a weekday without a row.';

COMMENT ON TABLE "public"."payments" IS 'The ledger: one line for each amount that was received or returned for an invoice, or as the deposit of an estimate, by any method. A line is never changed; a further line corrects a mistake. [append-only]';

COMMENT ON TABLE "public"."quote_email_logs" IS 'The log of replies to quote requests, each with the generated draft and the text that was sent.';

COMMENT ON TABLE "public"."quote_requests" IS 'The quote requests of customers. The status is pending until the reply was sent, then completed.';

COMMENT ON TABLE "public"."replacement_invoices" IS 'The replacement invoices. Each bills an amount that Stripe counts as paid although the shop did not receive it. The column id is also the request id with which the invoice is created at Stripe.';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings list. Each change increments the version; a request that saves the list contains the version that its page has read.';

COMMENT ON TABLE "public"."shop" IS 'Name, address, contacts and texts of the shop, in one row; shown on pages and in emails, invoices and calendar files.';

COMMENT ON TABLE "public"."special_hours" IS 'Exceptions from the weekly hours: closures and special openings. Where a closure and a special opening overlap, the shop is closed. Times are wall-clock times at the shop; a range of several days is one row.';

COMMENT ON TABLE "public"."staff_invitations" IS 'The invitations of team members. Each invitation creates one staff account, or replaces the password or passkey of an existing account and ends the sign-in sessions of that account.';

COMMENT ON TABLE "public"."task_notes" IS 'The internal notes of staff on tasks.';

COMMENT ON TABLE "public"."tasks" IS 'The tasks of team members, often for a booking. Only update_task_status changes the status of a task.';

COMMENT ON TABLE "public"."tax_rates" IS 'The sales tax rates, each with the first day on which it applies. A document contains the rate of the day on which it was created.';

COMMENT ON TABLE "public"."vehicles" IS 'The vehicles of customers, created from the descriptions in bookings, quote requests and estimates. Staff can add the plate and the VIN.';

COMMENT ON TABLE "stripe_sandbox"."idempotency_keys" IS 'The response to each idempotency key, which is returned again for the same request. A row is deleted after a day.';

COMMENT ON TYPE "internal"."client_digests" IS 'The digests of the address of a client (an IPv4 address or an IPv6 /64) and of the networks to which it belongs (IPv6 /56 and /48, IPv4 /24). The digests identify the client without storing its address; null if the address is unknown. is_limited is false in the shop''s own load tests, to which the limits do not apply.';

COMMENT ON TYPE "internal"."customer_details" IS 'The name and contacts in a booking, quote request or estimate, by which the database finds the customer. is_trusted: the record does not look automated and is active. entered_online: a visitor entered the details, possibly with the address of another person.';

COMMENT ON TYPE "internal"."vehicle_details" IS 'A vehicle as a booking, quote request or estimate describes it.';

COMMENT ON VIEW "internal"."priced_lines" IS 'The lines of jobs, each with its amount in cents and the taxable part of the amount; the amount of a discount is negative.';

COMMENT ON VIEW "public"."schedule_conflicts" IS 'The upcoming bookings outside the hours of their bay (outside_hours) or without a bay (no_bay), until they are moved, cancelled or accepted.';

COMMENT ON VIEW "public"."technician_bookings" IS 'The bookings of the shop''s day for technicians: the time, bay, vehicle, service and first name of the customer; for own and unassigned bookings also the notes and the plate.';

COMMENT ON VIEW "public"."technician_services" IS 'The services, without prices, for technicians.';

COMMENT ON VIEW "public"."technician_tasks" IS 'The tasks that a technician sees: the open tasks that are assigned to the technician, and the tasks of today''s bookings whose technician_assignment is own or unassigned.';
