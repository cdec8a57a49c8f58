-- Clarifies comments of tables, columns and functions, and messages of refusals.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.accept_staff_invitation(
  invitation_id uuid, new_user_id uuid, accepted_username text, with_password boolean
) returns boolean
  -- Runs with its owner's rights, because the server has no right to add employees.
  language plpgsql security definer set search_path = '' as $$
declare
  invitation public.staff_invitations;
  known_employee uuid;
begin
  -- If two acceptances arrive at the same time, the second waits for the row, then finds the invitation used.
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

create or replace function internal.add_credit_note(invoice public.invoices, kind text, amount bigint, reason text, part_keys text[] default null)
  returns uuid
  language plpgsql set search_path = '' as $$
declare
  before constant bigint := internal.credited_cents(invoice);
  replaced constant bigint := internal.replaced_cents(invoice.invoice_id) + internal.awaited_cents(invoice.invoice_id);
  shares jsonb;
  note_id uuid;
begin
  if amount is null or amount < 1 or before + replaced + amount > invoice.total_cents then
    raise exception 'A credit note cannot exceed the invoice.' using errcode = 'TT103', hint = 'above_total',
      detail = jsonb_build_object('leftCents', invoice.total_cents - before - replaced)::text;
  end if;
  select jsonb_agg(share) into shares from internal.share_credit(invoice, amount, part_keys) share;
  insert into public.credit_notes (invoice_id, kind, amount_cents, tax_cents, reason, created_by_name, business_date)
  select invoice.invoice_id, add_credit_note.kind, sum(share.amount_cents), sum(share.tax_cents), add_credit_note.reason,
    internal.author_name(null), internal.business_date(internal.current_instant())
  from jsonb_to_recordset(shares) share (amount_cents bigint, tax_cents bigint)
  returning id into note_id;
  insert into public.credit_note_parts (credit_note_id, part_key, amount_cents, tax_cents)
  select note_id, share.part_key, share.amount_cents, share.tax_cents
  from jsonb_to_recordset(shares) share (part_key text, amount_cents bigint, tax_cents bigint) where share.part_key is not null;
  insert into internal.stripe_reports (invoice_id, kind, credit_note_id) values (invoice.invoice_id, 'credit_note', note_id);
  return note_id;
end
$$;

create or replace function internal.allow_only_reason_redaction() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.allow_only_shorter_addresses() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'network_address' <> to_jsonb(old) - 'network_address' or not new.network_address >>= old.network_address then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.allow_only_value_redaction() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - '{subject,before,after}'::text[] <> to_jsonb(old) - '{subject,before,after}'::text[] then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.allow_removal_after_three_years() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if old.happened_at > internal.current_instant() - interval '3 years' then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;

create or replace function internal.cancel_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  payment public.payments;
  note_id uuid;
  refunded bigint := 0;
  remaining bigint;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(cancel_invoice.invoice_id);
  remaining := invoice.total_cents - internal.credited_cents(invoice);
  if internal.is_void(invoice) or remaining = 0 or not exists (
    select from public.payments line where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit'))
     or exists (select from public.replacement_invoices known where known.original_invoice_id = invoice.invoice_id) then
    raise exception 'Only an invoice with a payment can be cancelled.' using errcode = 'TT103', hint = 'never_paid';
  end if;
  note_id := internal.add_credit_note(invoice, 'cancellation', remaining, reason);
  for payment in
    select * from public.payments line
    where line.invoice_id = invoice.invoice_id and line.kind in ('payment', 'applied_deposit') order by line.recorded_at
  loop
    if internal.left_cents(payment) > 0 then
      refunded := refunded + internal.left_cents(payment);
      perform internal.return_payment(payment, internal.left_cents(payment), null, payment.reference, note_id);
    end if;
  end loop;
  perform internal.release_estimate(invoice.invoice_id);
  return jsonb_build_object('refundCents', refunded, 'creditNoteId', note_id, 'customer', internal.describe_recipient(invoice));
end
$$;

create or replace function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text)
  returns jsonb
  -- Runs with its owner's rights, because the server has no right to write estimate_invoices and
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
  -- A second click, or a retry after a crash, gets the same invoice.
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

create or replace function internal.correct_drafts(booking public.bookings, edited public.bookings) returns void
  language sql set search_path = '' as $$
  update public.estimates draft
  set customer_name = case when draft.customer_name = left(booking.customer_name, 100) then left(edited.customer_name, 100) else draft.customer_name end,
      customer_email = case when draft.customer_email <> coalesce(booking.customer_email, '') then draft.customer_email
                       -- An estimate does not store an invalid email address.
                       when internal.is_email_address(edited.customer_email) then edited.customer_email else '' end,
      customer_phone = case when draft.customer_phone = booking.customer_phone then edited.customer_phone else draft.customer_phone end,
      version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where draft.customer_id = booking.customer_id and internal.last_frozen_at(draft.id) is null
    and (draft.customer_name = left(booking.customer_name, 100) or draft.customer_email = coalesce(booking.customer_email, '')
         or draft.customer_phone = booking.customer_phone)
$$;

create or replace function internal.end_staff_rights() returns trigger
  -- Runs with its owner's rights, because owners have no right to end sessions of others.
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
    -- In a hosted project only the auth service can end its sessions. Their tokens grant no rights, because every policy reads the account.
    null;
  end;
  return null;
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
  -- No index finds one or two letters; the search reads the latest bookings instead.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      max_rows, conditions)
    else format('select * from public.bookings where search_text <> '''' and %s limit %s', conditions, max_rows)
  end;
end
$$;

create or replace function internal.has_lasting_deposit(wanted_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.payments line
    where line.estimate_id = wanted_id and line.kind = 'payment' and not exists (
      select from public.payments reversal
      -- If the bank returns the check of an applied deposit, the invoice has the reversal.
      left join public.payments applied on applied.id = reversal.original_id and applied.kind = 'applied_deposit'
      where coalesce(applied.original_id, reversal.original_id) = line.id and reversal.cause in ('recorded_wrongly', 'returned_check')))
$$;

create or replace function internal.keep_one_owner() returns trigger
  -- Runs with its owner's rights, because it reads all accounts.
  language plpgsql security definer set search_path = '' as $$
begin
  -- If two owners demote each other, the second transaction waits here, then reads the change of the first.
  perform pg_advisory_xact_lock(hashtextextended('shop owners', 0));
  if not exists (
    select from public.staff_accounts where role = 'owner' and is_active and user_id <> old.user_id
  ) then
    raise exception 'At least one owner has to be able to sign in.' using errcode = 'TT120', hint = 'last_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create or replace function internal.list_customer_records(
  from_date date, until date, after_since timestamptz, after_id uuid, max_rows integer
)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, appointment_count integer,
    missed integer, invoices integer, invoiced_cents bigint, paid_cents bigint
  )
  -- Runs with its owner's rights, because the server has no right to read customers, invoices and others.
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- Midnight at the shop at the start and after the end of the range.
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
      -- The amount of a replacement invoice was billed before, on the invoice that it replaces.
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
  -- Runs with its owner's rights, because the server has no right to read estimates and invoices.
  language sql stable security definer set search_path = '' as $$
  select line.id, line.business_date, line.paid_at, (line.paid_at at time zone shop.time_zone)::date, (line.paid_at at time zone shop.time_zone)::time,
    case when line.kind = 'applied_deposit' and line.amount_cents < 0 then 'unapplied_deposit' else line.kind end,
    coalesce(estimate.number, deposit.estimate_id::text), coalesce(invoice.number, line.invoice_id), estimate.customer_name,
    line.method, line.reference, case line.kind when 'applied_deposit' then -line.amount_cents else line.amount_cents end,
    internal.staff_name_at(line.recorded_by_name, line.recorded_at), deposit.id
  from public.payments line
  cross join public.shop
  left join public.payments original on original.id = line.original_id
  -- A reversal of a refund, and the removal of a deposit from its invoice, belong to another line of the deposit.
  join public.payments deposit on deposit.id = coalesce(original.original_id, original.id, line.id)
  left join public.estimates estimate on estimate.id = deposit.estimate_id
  left join public.invoices invoice on invoice.invoice_id = line.invoice_id
  where (line.business_date, line.paid_at, line.id) > (after_date, after_paid_at, after_id) and line.business_date <= until
    and (line.estimate_id is not null or line.kind = 'applied_deposit') and line.currency = 'usd'
  order by line.business_date, line.paid_at, line.id
  limit max_rows
$$;

create or replace function internal.lock_correctable(payment_id uuid, target_id text) returns public.payments
  language plpgsql set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
begin
  select * into payment from public.payments known where known.id = payment_id;
  -- Locks the invoices in the order of their ids, so that two corrections between the same invoices cannot deadlock.
  perform internal.lock_invoice(known.id)
  from (select distinct wanted.id from unnest(array[payment.invoice_id, target_id]) wanted (id) order by wanted.id) known;
  invoice := internal.lock_invoice(payment.invoice_id);
  if not internal.is_whole_payment(payment) or payment.method = 'card_online' or internal.is_void(invoice) then
    raise exception 'This line cannot be corrected.' using errcode = 'TT103', hint = 'not_correctable';
  end if;
  if payment.kind = 'applied_deposit' and target_id <> payment.invoice_id then
    raise exception 'A deposit pays the invoice of its estimate.' using errcode = 'TT103', hint = 'deposit_stays';
  end if;
  return payment;
end
$$;

create or replace function internal.make_invoice_link(wanted_invoice_id text) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read invoices and to write their links.
  language plpgsql security definer set search_path = '' as $$
declare
  link_key constant text := (select value from internal.secrets where name = 'visit_key');
  token constant text := rtrim(translate(encode(
    substring(internal.hmac_sha256('invoice link ' || wanted_invoice_id, link_key) from 1 for 16), 'base64'), '+/', '-_'), '=');
  code_bytes constant bytea := internal.hmac_sha256('invoice code ' || wanted_invoice_id, link_key);
  -- 256 is a multiple of 32, so every character is equally likely.
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
  -- After a change of the key, the new link replaces the old one.
  insert into internal.invoice_links (invoice_id, token_digest, code_digest)
  values (wanted_invoice_id, sha256(convert_to(token, 'UTF8')), sha256(convert_to(code, 'UTF8')))
  on conflict (invoice_id) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest
    where invoice_links.token_digest <> excluded.token_digest;
  return jsonb_build_object('token', token, 'code', code);
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
  -- The amount that Stripe counts as paid on the first invoice is due on its replacement invoice.
  if not internal.withdraw_report(wrong) then
    perform internal.replace_invoice(invoice, reversal_id, former_cents);
  end if;
  perform internal.refuse_payment(target, amount);
  perform internal.record_counter_payment(target, move_payment.method, amount, move_payment.reference,
    'First recorded on invoice ' || coalesce(invoice.number, invoice.invoice_id));
end
$$;

create or replace function internal.move_references(kind text, from_id uuid, to_id uuid) returns jsonb
  language plpgsql set search_path = '' as $$
declare
  rule internal.merge_rules;
  keys jsonb;
  moved jsonb := '{}';
begin
  if exists (select from internal.list_references_without_merge_rule()) then
    raise exception 'No merge rule exists for %.', (select string_agg(name, ', ') from internal.list_references_without_merge_rule() name);
  end if;
  for rule in select * from internal.merge_rules known where known.kind = move_references.kind and known.rule = 'moves' loop
    execute format(
      'with moved as (update %1$s set %2$I = $2 where %2$I = $1 returning %3$I as key) select coalesce(jsonb_agg(key), ''[]'') from moved',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    into keys using from_id, to_id;
    moved := moved || jsonb_build_object(rule.table_name || '.' || rule.column_name, keys);
  end loop;
  return moved;
end
$$;

create or replace function internal.needs_step_up(event public.audit_events) returns boolean
  language sql immutable set search_path = ''
  return event.kind in (
    'role_changed', 'refunded', 'invoice_cancelled', 'customer_exported', 'files_exported', 'erased', 'tablet_enrolled', 'pin_set',
    'code_app_set_up', 'code_app_ended', 'passkey_added', 'passkey_removed', 'password_changed', 'setting_saved', 'setting_removed')
    or event.kind = 'invited' and right(event.detail, 7) = ', owner';

create or replace function internal.prevent_billed_job_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from public.estimate_invoices where id = old.claim_id) then
    raise exception 'A billed job cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return old;
end
$$;

create or replace function internal.prevent_claim_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.raise_record_retained(old.claimed_at);
    end if;
    return old;
  end if;
  if to_jsonb(new) - '{state,invoice_id,number,settled_at}'::text[] <> to_jsonb(old) - '{state,invoice_id,number,settled_at}'::text[] then
    raise exception 'A billed job cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if (old.state, new.state) not in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
     or new.invoice_id is distinct from coalesce(old.invoice_id, new.invoice_id)
     or new.number is distinct from coalesce(old.number, new.number) then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_frozen_revision_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    -- Deleted together with its estimate, which prevent_sent_estimate_delete has allowed.
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

create or replace function internal.prevent_frozen_row_change() returns trigger
  language plpgsql set search_path = '' as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then changed := new; else changed := old; end if;
  if exists (select from public.estimate_revisions revision
             where revision.estimate_id = changed.estimate_id and revision.revision = changed.revision
               and revision.frozen_at is not null) then
    raise exception 'A sent revision cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

create or replace function internal.prevent_history_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The row triggers of the table check each row.
    return null;
  end if;
  raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create or replace function internal.prevent_payment_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'note' <> to_jsonb(old) - 'note' or new.note is not null then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_payment_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;

create or replace function internal.record_lost_dispute(dispute_id text, payment_intent_id text, cents bigint) returns boolean
  -- Runs with its owner's rights, because the server has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  invoice public.invoices;
  lost bigint;
  reversal_id uuid;
begin
  select * into payment from public.payments line where line.payment_intent_id = record_lost_dispute.payment_intent_id;
  -- The dispute over an applied deposit reduces the paid amount of its invoice.
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
  -- Runs with its owner's rights, because the server may not read or write the audit itself.
  language plpgsql security definer set search_path = '' as $$
declare
  subject constant uuid := internal.user_id_of(tried_username);
begin
  -- One line in 15 minutes for one account and one kind, so that an attacker who tries without pause does not fill the audit.
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

create or replace function internal.record_sealed_setting_change() returns trigger
  -- Runs with its owner's rights, because the server may not write the history itself.
  language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.sealed_setting_changes (name, action, changed_by, changed_at)
  values (new.name, case when new.sealed is null then 'removed' else 'saved' end, new.changed_by, new.changed_at);
  -- The removal of a setting that is not set changes nothing.
  if new.sealed is not null or tg_op = 'UPDATE' and old.sealed is not null then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', case when new.sealed is null then 'setting_removed' else 'setting_saved' end, 'user_id', new.changed_by, 'detail', new.name)));
  end if;
  perform pg_notify('settings_changed', new.name);
  return null;
end
$$;

create or replace function internal.refuse_above_authorized() returns trigger
  language plpgsql set search_path = '' as $$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- Locks the estimate, so that no approval is withdrawn during the check.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice cannot exceed the approved amount.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_scope_changed(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice can bill approved work only.' using errcode = 'TT072', hint = 'scope_changed',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$$;

create or replace function internal.refuse_early_no_show(booking public.bookings) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'A no-show can be recorded from 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$$;

create or replace function internal.refuse_incomplete_booking(booking public.bookings) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if booking.status <> 'confirmed' then
    raise exception 'A new appointment must have the status confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if booking.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
end
$$;

create or replace function internal.refuse_payment(invoice public.invoices, amount bigint) returns void
  language plpgsql stable set search_path = '' as $$
declare
  balance constant bigint := internal.invoice_balance_cents(invoice) - internal.claimed_cents(invoice.invoice_id);
begin
  if internal.is_void(invoice) then
    raise exception 'This invoice is void.' using errcode = 'TT102', hint = 'invoice_void';
  end if;
  if amount is null or amount < 1 then
    raise exception 'A payment must be above zero.' using errcode = 'TT102', hint = 'invalid_amount';
  end if;
  if amount > balance then
    raise exception 'A payment is never above the balance.' using errcode = 'TT102', hint = 'above_balance',
      detail = jsonb_build_object('balanceCents', greatest(balance, 0), 'excessCents', amount - greatest(balance, 0))::text;
  end if;
end
$$;

create or replace function internal.refuse_self_merge(survivor_id uuid, duplicate_id uuid) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if survivor_id is null or duplicate_id is null or survivor_id = duplicate_id then
    raise exception 'A record cannot be merged with itself.' using errcode = 'TT091', hint = 'self_merge';
  end if;
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
  -- Stripe keeps the former payment; only the ledger of the shop has the correct one.
  update internal.stripe_reports set state = 'corrected' where payment_id = line.id;
  perform internal.replace_invoice(invoice, reversal_id, lower_cents);
end
$$;

create or replace function internal.retry_refund(refund_id uuid, method text, reference text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write payments.
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
  -- The credit note was reported before. The shop reports this refund only if Stripe itself has to send the money to the card.
  if payment.method = 'card_online' and coalesce(retry_refund.method, payment.method) = payment.method then
    insert into internal.stripe_reports (invoice_id, kind, payment_id) values (payment.invoice_id, 'refund', line_id);
  end if;
  return jsonb_build_object('refundCents', cents);
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
    -- No index finds one or two letters within a name; the search reads the latest customers instead.
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

create or replace function internal.set_booking_state(
  booking public.bookings, new_state text, seen_version integer, reason text, allow_without_bay boolean
) returns public.bookings
  language plpgsql set search_path = '' as $$
declare
  old_state constant text := internal.booking_state(booking);
  changed public.bookings;
begin
  -- A second click finds the state that the first one set.
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
  -- A plate without other fields identifies the vehicle that has this plate. Any other plate belongs to the booking's vehicle.
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

create or replace function public.close_day(close jsonb) returns uuid
  -- Runs with its owner's rights, because the admin has no right to write closes.
  language plpgsql security definer set search_path = '' as $$
declare
  day constant date := (close ->> 'date')::date;
  start_cents integer;
  expected integer;
  methods jsonb;
  new_id uuid;
begin
  perform internal.require_admin();
  -- Waits for every transaction that writes a line, and makes later ones wait (internal.business_date).
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
  -- Runs with its owner's rights, because the admin has no right to write payments.
  language plpgsql security definer set search_path = '' as $$
declare
  wrong public.payments;
  most bigint;
begin
  perform internal.require_admin();
  wrong := internal.lock_correctable_deposit(correct_deposit.payment_id);
  -- The recorded amount remains possible even if less is approved in the meantime.
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
  -- Runs with its owner's rights, because the admin has no right to write estimates and estimate_revisions.
  -- require_admin() checks that the caller is the admin.
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
  -- Locks the source, so that a second call finds the estimate of the first.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- Prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'The record for which this estimate was written no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- An unconfirmed address is not used until staff confirm it.
  email := coalesce(internal.email_for_estimate(booking, quote, customer.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, customer.id, vehicle.id,
    left(trim(coalesce(booking.customer_name, quote.name, customer.name, source #>> '{customer,name}', '')), 100),
    -- An estimate does not store an invalid email address.
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
  -- Runs with its owner's rights, because the admin has no right to write bookings and customers. lock_booking()
  -- checks that the caller is the admin.
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
  -- Saving an estimate locks in the same order: first the estimate, then its customer.
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

create or replace function public.move_booking(
  booking_id uuid, seen_version integer, appointment_date date, appointment_time time, minutes integer default null,
  bay_id uuid default null, without_bay boolean default false, reason text default null
) returns public.bookings
  -- Runs with its owner's rights, because the admin has no right to call lock_booking, booking_range and others.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(move_booking.booking_id);
  new_minutes constant integer := coalesce(minutes, booking.duration_minutes);
  wanted constant tsrange := internal.booking_range(appointment_date, appointment_time, new_minutes);
  bay uuid;
  warnings text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment can be moved.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  if not without_bay then
    bay := internal.choose_bay(wanted, booking.service_id, move_booking.bay_id, booking.bay_id, booking.id);
  end if;
  if booking.occupied = wanted and booking.bay_id is not distinct from bay then
    return booking;
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  update public.bookings
  set appointment_date = move_booking.appointment_date, appointment_time = move_booking.appointment_time,
      duration_minutes = new_minutes, bay_id = bay,
      conflict_accepted_at = case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
      conflict_accepted_by = case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  where id = booking.id returning * into booking;
  perform internal.set_booking_change_context(null);
  return booking;
end
$$;

create or replace function public.order_bays(bay_ids uuid[], seen_version integer) returns void
  -- Runs with its owner's rights, because the admin has no right to write bays.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.begin_settings_change('bays', seen_version);
  if array(select id from public.bays order by id) <> array(select unnest(bay_ids) order by 1) then
    raise exception 'bay_ids must contain every bay once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.bays set position = array_position(bay_ids, id) where position <> array_position(bay_ids, id);
end
$$;

create or replace function public.order_services(service_ids uuid[], seen_version integer) returns integer
  -- Runs with its owner's rights, because the admin has no right to call begin_settings_change.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.begin_settings_change('services', seen_version);
  if array(select id from public.services order by id) <> array(select unnest(service_ids) order by 1) then
    raise exception 'service_ids must contain every service once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.services set position = array_position(service_ids, id)
  where position is distinct from array_position(service_ids, id);
  return (select version from public.settings_versions where section = 'services');
end
$$;

create or replace function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, decided_by_name text, relationship text,
  contact text, statement text, decided_at timestamptz, wants_parts_back boolean default false
) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write authorizations and estimates.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  new_batch_id constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer can approve on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'no_decision';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze_revision(estimate);
  if (decided_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, relationship, contact, statement, wants_parts_back,
    decided_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, new_batch_id, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.decided_by_name), trim(record_authorization.relationship),
    trim(record_authorization.contact), trim(record_authorization.statement), record_authorization.wants_parts_back,
    record_authorization.decided_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id) || jsonb_build_object('batchId', new_batch_id);
end
$$;

create or replace function public.record_email_failure(email_id uuid, reason text, is_final boolean) returns text
  -- Runs with its owner's rights, because the server has no right to write emails and quote_requests.
  language plpgsql security definer set search_path = '' as $$
declare
  failed public.emails;
begin
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- The delays after the first, second … failure. The last attempt follows the last delay.
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
  -- The command that replied has completed the request (docs/decisions/0032).
  if failed.kind = 'quote_reply' and failed.status = 'failed' then
    update public.quote_requests request set status = 'pending'
    where request.id = failed.quote_request_id and request.status = 'completed' and not exists (
      select from public.emails reply
      where reply.quote_request_id = request.id and reply.kind = 'quote_reply' and reply.status <> 'failed');
  end if;
  return failed.status;
end
$$;

create or replace function public.void_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write invoices.
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
  -- Stripe counts an invoice as paid whose price was corrected to nothing, and never makes a paid one void.
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

create or replace function public.write_off_invoice(invoice_id text, reason text) returns jsonb
  -- Runs with its owner's rights, because the admin has no right to write invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
begin
  perform internal.require_admin();
  invoice := internal.lock_invoice(write_off_invoice.invoice_id);
  if not internal.is_outstanding(invoice) then
    raise exception 'Only an outstanding invoice can be written off.' using errcode = 'TT103', hint = 'not_outstanding';
  end if;
  update public.invoices known set written_off_at = internal.current_instant() where known.invoice_id = invoice.invoice_id;
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name)
  values (invoice.invoice_id, 'written_off', write_off_invoice.reason, internal.author_name(null));
  insert into internal.stripe_reports (invoice_id, kind) values (invoice.invoice_id, 'write_off');
  return jsonb_build_object('balanceCents', internal.invoice_balance_cents(invoice));
end
$$;

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_until" IS 'The time until which the password counts as confirmed for endpoints that need a step-up; null without a confirmation.';

COMMENT ON COLUMN "internal"."admin_sessions"."confirmed_with" IS 'The means of the last step-up of the session: password or passkey.';

COMMENT ON COLUMN "internal"."admin_sessions"."id" IS 'Identifies the session in the list of sessions; grants no access.';

COMMENT ON COLUMN "internal"."admin_sessions"."last_used_at" IS 'The minute in which a person last used the session, which ends 12 hours later. Requests that a page sends without a person do not count.';

COMMENT ON COLUMN "internal"."backup_drills"."differing" IS 'The differences: the names of tables, ''catalog'' for the schema, ''files'' for the files.';

COMMENT ON COLUMN "internal"."backup_drills"."reason" IS 'The reason why the backup could not be restored or compared, as a code; null otherwise.';

COMMENT ON COLUMN "internal"."backup_drills"."restored_ms" IS 'The duration of the copy and the recovery, in milliseconds.';

COMMENT ON COLUMN "internal"."bay_hours"."bay_rank" IS 'The result of internal.bay_rank, stored so that a booking need not compute the rank.';

COMMENT ON COLUMN "internal"."code_apps"."last_step" IS 'The number of the 30-second step of the last accepted code, counted from 1970. The server accepts no further code of this or an earlier step.';

COMMENT ON COLUMN "internal"."commands"."id" IS 'The id that the page creates once for each press of a button.';

COMMENT ON COLUMN "internal"."email_kinds"."is_retried" IS 'Whether a failed message is sent again later; otherwise the sender gets the error immediately.';

COMMENT ON COLUMN "internal"."erasure_rules"."reason" IS 'The treatment in words: how the erasure replaces the column, the reason to retain it, or the data in it.';

COMMENT ON COLUMN "internal"."erasure_rules"."treatment" IS 'The treatment of the column. replaced: the erasure empties, deletes or rewrites the column; kept: the column is retained for the reason; free: the column holds no personal data of customers.';

COMMENT ON COLUMN "internal"."file_cleanups"."cleaned" IS 'The number of these requests that the last rewrite covers.';

COMMENT ON COLUMN "internal"."file_cleanups"."requests" IS 'The number of erasures that requested a rewrite of the files.';

COMMENT ON COLUMN "internal"."form_origins"."first_use" IS 'Whether the form was the first with its valid token; null for every other form, so that the unique index accepts many of them.';

COMMENT ON COLUMN "internal"."known_browsers"."attempts_left" IS 'The number of further wrong passwords after which the browser counts as unknown; a right password resets the number.';

COMMENT ON COLUMN "internal"."passkeys"."anomaly_count" IS 'The number of answers with an old counter, which a copied passkey sends; the second one switches the passkey off.';

COMMENT ON COLUMN "internal"."passkeys"."is_active" IS 'Whether the passkey works; false after it was switched off because it may have been copied.';

COMMENT ON COLUMN "internal"."passkeys"."is_backup_eligible" IS 'Whether the passkey can be synced between devices; the server then ignores its counter.';

COMMENT ON COLUMN "internal"."passkeys"."transports" IS 'The connections by which a browser reaches the device, for example internal or usb.';

COMMENT ON COLUMN "internal"."payment_pages"."closed_at" IS 'When the server found that the session is completed or expired.';

COMMENT ON COLUMN "internal"."payment_pages"."session_id" IS 'The id of the session at Stripe; null until Stripe has created it.';

COMMENT ON COLUMN "internal"."restored_shop"."resumed_at" IS 'When an admin ended the pause of the emails; null during the pause.';

COMMENT ON COLUMN "internal"."stripe_reports"."invoice_id" IS 'The invoice of the change; null for the refund of a deposit, which belongs to an estimate.';

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'The state of the report. due: the job has to report the change. reported: Stripe has accepted it. refused: Stripe does not accept it, for the reason in problem; the change counts nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: Stripe keeps the line that this one corrects.';

COMMENT ON COLUMN "internal"."tablet_data_sessions"."ends_at" IS 'The time until which its access tokens have the rights of a technician. Later they have no rights.';

COMMENT ON COLUMN "internal"."tablet_pins"."waits_until" IS 'The time until which the server checks no PIN of this person, after five wrong ones.';

COMMENT ON COLUMN "internal"."tablets"."revoked_by" IS 'The owner who revoked the tablet; null when another enrollment of the browser or a restore revoked it.';

COMMENT ON COLUMN "public"."authorizations"."decision" IS 'The decision on the job. approved; declined: an earlier approval stays valid at its price; withdrawn: the decision revokes an earlier one.';

COMMENT ON COLUMN "public"."authorizations"."withdraws_id" IS 'The decision that this row withdraws, because the estimate was sent to the wrong recipient; neither row counts.';

COMMENT ON COLUMN "public"."booking_events"."source" IS 'The origin of the change: visitor (website), counter (staff), customer (visit page), task (staff, by starting a task) or system.';

COMMENT ON COLUMN "public"."bookings"."customer_email" IS 'The address for emails about the booking; null when a customer who booked by phone has none.';

COMMENT ON COLUMN "public"."bookings"."duration_minutes" IS 'The wall-clock minutes for which the booking occupies its bay: the duration of the service at the time of booking, or the one to which staff changed it to, up to two weeks.';

COMMENT ON COLUMN "public"."bookings"."status" IS 'The status: confirmed, arrived, in_work, no_show, cancelled, not_confirmed (an expired hold) or a status that staff wrote. The last three of these known states free the time. Completion is in completed_at.';

COMMENT ON COLUMN "public"."credit_notes"."kind" IS 'The kind of credit note. price_correction: for an open invoice; no money moves. refund: of a paid invoice, with a refund of the same sum. cancellation: for the whole rest of an invoice with payments.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_by_name" IS 'The author of the confirmation: a staff username, or ''customer''; null where staff entered the address.';

COMMENT ON COLUMN "public"."day_close_corrections"."amount_cents" IS 'The amount by which the counted cash should have been higher (or, negative, lower). US cents.';

COMMENT ON COLUMN "public"."day_closes"."counted" IS 'The number of bills and coins by denomination in cents; a denomination without any is missing.';

COMMENT ON COLUMN "public"."day_closes"."expected_cents" IS 'The cash that should have been in the drawer at the close: the start, and the day''s cash payments, refunds and movements.';

COMMENT ON COLUMN "public"."day_closes"."reason" IS 'The reason why a counted amount differs from the expected one; null when no amount differs.';

COMMENT ON COLUMN "public"."day_closes"."remains_cents" IS 'The cash that stays in the drawer, which is the start of the next day. The rest of the counted cash is brought to the bank.';

COMMENT ON COLUMN "public"."day_closes"."start_cents" IS 'The cash in the drawer at the start of the day: the amount that the previous close left in it.';

COMMENT ON COLUMN "public"."deposits"."amount_cents" IS 'The requested amount in US cents. The customer pays at most the approved amount.';

COMMENT ON COLUMN "public"."deposits"."share_percent" IS 'The share of the approved amount, in percent.';

COMMENT ON COLUMN "public"."emails"."resend_count" IS 'The number of times that the admin sent the email again; each time is a new message for the mail server.';

COMMENT ON COLUMN "public"."emails"."status" IS 'The delivery status. queued: not attempted yet; retrying: failed and attempted again later; sent: accepted by the mail server; in_outbox: written to the outbox folder because no mail server is set; failed: given up.';

COMMENT ON COLUMN "public"."erasures"."counts" IS 'The numbers of erased records: {bookings, quotes, estimates, invoices, vehicles, emails, notes}; otherTexts counts the changed texts of other records, leftOut the texts that staff excluded. Rows of earlier releases have the keys visits and cars.';

COMMENT ON COLUMN "public"."erasures"."customer_id" IS 'The row of customers, which no longer has personal data.';

COMMENT ON COLUMN "public"."estimate_events"."changed_by_name" IS 'The admin''s username; ''system'' for a change that bypassed the data service.';

COMMENT ON COLUMN "public"."estimate_events"."kind" IS 'The kind of change: details_changed (of the same customer and vehicle); customer_changed, vehicle_changed (approvals become void); address_changed (the link to the former address became invalid); relinked (staff created a new link); repair_declined, reassembly_declined (the customer declined it after a tear-down).';

COMMENT ON COLUMN "public"."estimate_invoices"."state" IS 'The state of the invoice: claimed (being created), made, failed (refused by Stripe, no invoice exists), voided (another one can be created).';

COMMENT ON COLUMN "public"."estimate_jobs"."is_needed_now" IS 'Whether the job is needed now; false when it can be done later.';

COMMENT ON COLUMN "public"."estimate_jobs"."tear_down" IS 'The facts that a customer must read before a tear-down (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, mayPreventReassembly}; null for a job of another kind.';

COMMENT ON COLUMN "public"."estimate_revisions"."decided_at" IS 'When the last job got its decision.';

COMMENT ON COLUMN "public"."estimate_revisions"."document" IS 'The complete text that the customer saw, with all amounts.';

COMMENT ON COLUMN "public"."estimate_revisions"."sent_to" IS 'The address to which the revision was last sent.';

COMMENT ON COLUMN "public"."estimate_rules"."conditions" IS 'The conditions that are printed at the end of every estimate and invoice.';

COMMENT ON COLUMN "public"."estimate_rules"."epa_number" IS 'The EPA number, which fees for hazardous waste require (16 CCR 3356.1, 3357).';

COMMENT ON COLUMN "public"."estimate_rules"."good_for_days" IS 'The number of days for which a new estimate is valid.';

COMMENT ON COLUMN "public"."estimate_rules"."payer_sentence" IS 'The sentence that is printed on an estimate whose third-party payer approved no amount yet (16 CCR 3353).';

COMMENT ON COLUMN "public"."estimates"."internal_note" IS 'An internal note of staff; customers see it in no email, no PDF and on no page.';

COMMENT ON COLUMN "public"."estimates"."kind" IS 'The kind of work: repair, or towing, which has an estimate and an invoice of its own.';

COMMENT ON COLUMN "public"."estimates"."payer_name" IS 'The person or company that pays in place of the customer, such as an insurer; '''' for nobody (16 CCR 3353).';

COMMENT ON COLUMN "public"."invoice_lines"."cents" IS 'The price of the line with tax.';

COMMENT ON COLUMN "public"."invoices"."is_test" IS 'Whether the payment sandbox made the invoice, in which no money moves.';

COMMENT ON COLUMN "public"."invoices"."total_cents" IS 'The total, in minor units of the currency.';

COMMENT ON COLUMN "public"."invoices"."voided_at" IS 'When staff voided the invoice. The status at Stripe changes after the shop has notified Stripe.';

COMMENT ON COLUMN "public"."invoices"."written_off_at" IS 'When staff wrote the invoice off. The status at Stripe changes after the shop has notified Stripe.';

COMMENT ON COLUMN "public"."payments"."amount_cents" IS 'The amount that the line adds to the paid amount of the invoice; negative for returned money. Minor units of the currency.';

COMMENT ON COLUMN "public"."payments"."cause" IS 'The reason why a line was reversed; null for other lines and for older reversals without a recorded cause.';

COMMENT ON COLUMN "public"."payments"."kind" IS 'The kind of the line. payment: received. refund: returned to the customer. reversal: a line that was wrong or whose money never arrived. customer_credit: the part of an overpayment that the customer has as credit at Stripe. cash_rounding: the difference to the rounded cash amount. applied_deposit: the part of the invoice that the deposit of the estimate pays; no money moves.';

COMMENT ON COLUMN "public"."replacement_invoices"."invoice_id" IS 'The replacement invoice; null until Stripe has created it. Until then the balance is due on the first invoice.';

COMMENT ON COLUMN "public"."replacement_invoices"."reversal_id" IS 'The line of the ledger that reduced the paid amount of the first invoice.';

COMMENT ON COLUMN "public"."shop"."description" IS 'One or two sentences about the work of the shop.';

COMMENT ON COLUMN "public"."special_hours"."is_open" IS 'Whether the row is a special opening; false for a closure.';

COMMENT ON COLUMN "public"."staff_invitations"."token_hash" IS 'SHA-256 of the token of the link. A new token makes the former link invalid.';

COMMENT ON COLUMN "public"."staff_invitations"."username" IS 'The username of the new account: the first name, followed by a number if another account has that username.';

COMMENT ON COLUMN "public"."tasks"."customer_note" IS 'The note for the customer, which the visit page shows beside the status (''pads arrive Friday''). Notes in the history are internal.';

COMMENT ON COLUMN "public"."vehicles"."customer_id" IS 'The current owner of the vehicle.';

COMMENT ON FUNCTION "internal"."accept_staff_invitation"(uuid, uuid, text, boolean) IS 'Creates the staff account of an open invitation, with exactly its name, address and role; false when the invitation is no longer open. An account with a password has no role before its code app is set up.';

COMMENT ON FUNCTION "internal"."address_question_state"(public.bookings) IS 'The state of the question about a booking''s email address. open: the customer can answer; answered; closed: the booking is not active, the address is confirmed, or 30 days have passed.';

COMMENT ON FUNCTION "internal"."applied_deposit_cents"(uuid) IS 'The part of an invoice that the deposit of its estimate pays.';

COMMENT ON FUNCTION "internal"."apply_deposit"(public.estimate_invoices) IS 'Pays the new invoice of an estimate with its deposit; the part that exceeds the invoice is returned by the method of the payment.';

COMMENT ON FUNCTION "internal"."approved_cents"(uuid) IS 'The approved amount of an estimate.';

COMMENT ON FUNCTION "internal"."asked_deposit_cents"(uuid) IS 'The deposit that the customer must pay now, at most the approved amount; 0 before an approval and without a deposit.';

COMMENT ON FUNCTION "internal"."awaited_cents"(text) IS 'The part of an invoice for which the shop is about to create a replacement invoice. Nobody can pay it until then.';

COMMENT ON FUNCTION "internal"."begin_hold"(public.bookings, jsonb) IS 'The time until which a flagged booking is held. Refuses the booking when too many bookings are held, and records whether it counts among them.';

COMMENT ON FUNCTION "internal"."build_revision_document"(uuid, integer) IS 'All data of a revision that its customer sees, without the internal note.';

COMMENT ON FUNCTION "internal"."cancel_invoice"(text, text) IS 'Credits the whole rest of an invoice and returns each payment by its method: {refundCents, creditNoteId, customer}. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "internal"."cash_of_day"(date) IS 'The cash of a business date without the start, in cents: {inCents, refundedCents, paidInCents, paidOutCents, changeCents}. refundedCents is negative when more refunds failed than were made; changeCents is the sum with signs. A cash rounding moves no cash: the payment states the received cash.';

COMMENT ON FUNCTION "internal"."change_staff_invitation"() IS 'Refuses (TT122) changes of ended invitations, and sets the 72 hours of a new link.';

COMMENT ON FUNCTION "internal"."claim_online_payment"(text, text, bigint) IS 'Whether an online payment may be attached to its invoice. False when the balance after payments at the counter or corrections is below its amount; the server then refunds the payment.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices that the job must create now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. Each is returned again after increasing pauses until it exists.';

COMMENT ON FUNCTION "internal"."claimed_cents"(text) IS 'The part of a balance that cannot be paid now: online payments that are about to enter the ledger, and replacement invoices that do not exist yet.';

COMMENT ON FUNCTION "internal"."correct_applied_deposit"(public.payments, public.invoices, text, integer, text, text) IS 'Removes a deposit from its invoice, reverses it, and records and applies it with the right method and amount.';

COMMENT ON FUNCTION "internal"."count_customer_records"(uuid) IS 'The numbers of a customer''s records, by kind.';

COMMENT ON FUNCTION "internal"."customer_change_refusal"(public.bookings, integer, integer) IS 'The reason why a customer who has seen this calendar_sequence may not change a booking: gone, cancelled, over, not_confirmed (held), version_conflict, too_close (past the cut-off); null when allowed.';

COMMENT ON FUNCTION "internal"."deposit_limit_cents"(uuid) IS 'The largest possible deposit of an estimate: the approved amount or, before an approval, the total of all its jobs.';

COMMENT ON FUNCTION "internal"."deposit_state"(uuid) IS 'The state of a deposit: none; asked (no job is approved yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

COMMENT ON FUNCTION "internal"."describe_authorization"(public.authorizations, text) IS 'One authorization as contracts/estimates/estimates.ts describes it, with the reason if the authorization is void.';

COMMENT ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) IS 'The customer''s data for an email about a deposit.';

COMMENT ON FUNCTION "internal"."describe_listed_invoice"(public.invoices) IS 'An invoice with its balance, as lists and panels show it (contracts/invoices/invoice-list.ts). The email address is the customer''s current one; null after an erasure.';

COMMENT ON FUNCTION "internal"."describe_payer"(public.estimates) IS 'The third-party payer of an estimate as it is printed: {name, reference, approvedCents, sentence}; null without one. The sentence is printed in place of an unknown amount (16 CCR 3353).';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'The customer''s data for an email about an invoice.';

COMMENT ON FUNCTION "internal"."describe_refund_way"(public.payments, text, text) IS 'The method by which the shop returns a payment, for the sentence to the customer (domain/payments/correction-text.ts): {method, isSameWay, reference}.';

COMMENT ON FUNCTION "internal"."describe_undecided_deposits"() IS 'The first 50 deposits about which staff must decide, for Today.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null before the first close, while an earlier day is open, after the close of today, and when cash is counted before the expected sum is shown.';

COMMENT ON FUNCTION "internal"."email_outdated_reason"(public.emails) IS 'The reason why an email must no longer be sent, as text for the outbox; null while it can be sent.';

COMMENT ON FUNCTION "internal"."end_data_session"() IS 'Ends the data session when its dashboard session is deleted.';

COMMENT ON FUNCTION "internal"."end_tablet_data_session"() IS 'Revokes the rights of the access tokens of a session that ended at a shared tablet.';

COMMENT ON FUNCTION "internal"."estimate_problems"(uuid, integer) IS 'The reasons why a draft cannot be sent: [{code, jobKey, line}], lines counted from 1; empty for a draft that can be sent.';

COMMENT ON FUNCTION "internal"."estimate_vehicle_details"(public.estimates) IS 'The vehicle of an estimate, without a VIN that is invalid.';

COMMENT ON FUNCTION "internal"."exact_cents"(public.payments) IS 'The part of its invoice that a payment paid, with the cash rounding.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking whose date may have no rows in bay_hours, or raises the error of the rule that the booking breaks. The refusal is the result of start_time_refusal.';

COMMENT ON FUNCTION "internal"."flag_suspicious_form"() IS 'Records the origin of the form of a quote request, and flags a form that looks automated, without refusing the form.';

COMMENT ON FUNCTION "internal"."free_staff_username"(text) IS 'The first name in small letters, followed by a number if an account or an open invitation has that username.';

COMMENT ON FUNCTION "internal"."has_code_app"(uuid) IS 'Whether a staff account needs a code in addition to its password.';

COMMENT ON FUNCTION "internal"."has_lasting_deposit"(uuid) IS 'Whether the deposit of an estimate was paid, and neither recorded by mistake nor returned by the bank. The shop then requests no other deposit.';

COMMENT ON FUNCTION "internal"."has_lines"(date) IS 'Whether a business date has lines of the ledger or movements of cash to close.';

COMMENT ON FUNCTION "internal"."held_deposit_cents"(uuid) IS 'The part of an estimate''s deposit that the shop holds: neither applied to an invoice nor returned.';

COMMENT ON FUNCTION "internal"."hmac_sha256"(text, text) IS 'HMAC (RFC 2104) with the built-in SHA-256, because some servers lack pgcrypto.';

COMMENT ON FUNCTION "internal"."invoice_balance_cents"(public.invoices) IS 'The amount that is still due: the total minus credit notes, the paid amount and what is due on replacement invoices; 0 for a voided invoice.';

COMMENT ON FUNCTION "internal"."invoice_parts"(public.invoices) IS 'The amount of each job or line of an invoice that can still be credited. No parts are returned when they are not known, or when an earlier credit note does not name the parts that it credits.';

COMMENT ON FUNCTION "internal"."is_admin"() IS 'Whether an owner or an advisor, who do the work of the counter, sent the request.';

COMMENT ON FUNCTION "internal"."is_known_to_stripe"(public.payments) IS 'Whether Stripe counts a payment as received, or may do so.';

COMMENT ON FUNCTION "internal"."is_owner"() IS 'Whether an owner sent the request.';

COMMENT ON FUNCTION "internal"."is_paid_off"(public.invoices) IS 'Whether an invoice is not void and has no balance, neither itself nor on a replacement invoice.';

COMMENT ON FUNCTION "internal"."is_refund_waiting"(public.payments) IS 'Whether the shop has to report a refund after this payment. Stripe accepts the refund only for an invoice that was paid.';

COMMENT ON FUNCTION "internal"."is_void"(public.invoices) IS 'Whether the invoice is void, at Stripe or because staff voided it.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a line is a payment, or an applied deposit, of which no part was returned.';

COMMENT ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) IS 'Stores the lines of an invoice once: [{description, cents, tax_cents}]. Stores none when they do not add up to the total.';

COMMENT ON FUNCTION "internal"."left_cents"(public.payments) IS 'The amount of a payment that can still be returned, or of a deposit that can still be applied; 0 for a line of another kind.';

COMMENT ON FUNCTION "internal"."list_day_close_records"(date, date, integer) IS 'A page of the closes after one business date up to and including another: the expected and the counted amounts, the cash rounding of the day, and the sum of later corrections.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although Stripe knows every change, or of which Stripe refused a report. Only invoices that staff or a reversal changed lately are compared, because the start page counts them every minute.';

COMMENT ON FUNCTION "internal"."list_tear_down_declines"(uuid) IS 'The work that the customer declined after a tear-down: [{declined, jobTitle, notedBy, at}], declined is repair or reassembly.';

COMMENT ON FUNCTION "internal"."list_undecided_deposits"() IS 'Deposits that the shop holds although no job is approved any more, or the appointment was cancelled or missed: staff decide whether to return them.';

COMMENT ON FUNCTION "internal"."list_write_off_records"(date, timestamp with time zone, bigint, date, integer) IS 'A page of the write-offs of a range of the shop''s dates, after the last one read: the balance when the invoice was written off, and what is open now.';

COMMENT ON FUNCTION "internal"."lock_booking_day"(date) IS 'Locks a day of the calendar until the transaction ends, so that transactions change its slots one at a time. Several days have to be locked in order.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'A payment of the counter, or an applied deposit, of which no part was returned, with its invoice and another one locked; refuses (TT103) every other line.';

COMMENT ON FUNCTION "internal"."lock_correctable_deposit"(uuid) IS 'Locks the estimate of a counter deposit that the shop holds completely, and returns the deposit; refuses (TT104) every other line.';

COMMENT ON FUNCTION "internal"."may_follow"(public.payments, public.payments) IS 'Whether a line can refer to another line: both are of one invoice or estimate, and the kind of the first may follow the kind of the second.';

COMMENT ON FUNCTION "internal"."methods_of_day"(date) IS 'The amounts that each payment method received on a business date: {cash: {cents (less refunds), payments, refunds}, card_terminal, …}.';

COMMENT ON FUNCTION "internal"."miles_per_month"(uuid) IS 'The miles per month, computed from the last twelve readings; null when these readings are within thirty days.';

COMMENT ON FUNCTION "internal"."most_open_bookings"() IS 'The number of upcoming bookings of one mailbox or phone number that may be open.';

COMMENT ON FUNCTION "internal"."notify_team_changed"() IS 'Notifies the open dashboards, which then read the team again.';

COMMENT ON FUNCTION "internal"."overpaid_cents"(text) IS 'The money that the shop received above the invoice amount, because a refund failed; negative while a balance is due.';

COMMENT ON FUNCTION "internal"."passes_luhn"(text) IS 'Whether the check digit of a card number is valid (ISO/IEC 7812-1, annex B).';

COMMENT ON FUNCTION "internal"."pause_payment_pages"(text) IS 'Prevents for a minute that a payment page of the invoice opens; returns whether one is open.';

COMMENT ON FUNCTION "internal"."payment_outcome"(public.payments) IS 'The outcome of a payment. applied: it paid the invoice. overpaid: the excess is the customer''s credit. refunded: the whole payment was returned.';

COMMENT ON FUNCTION "internal"."payments_after_close"(date) IS 'After the close of today: the day to which later payments count, and their sum: {day, receivedCents}. Null while today is not closed.';

COMMENT ON FUNCTION "internal"."plan_refund"(public.payments, public.invoices, integer, text[]) IS 'The amounts that a refund of a payment returns and credits: {refundCents, creditCents, taxCents, parts [{title, amountCents, taxCents}]}. With parts, the amount is the rest of these parts, and is null or the sum that staff saw. Refuses (TT101, TT103) more than the rest.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit above the remaining amount of its line, or for another invoice.';

COMMENT ON FUNCTION "internal"."prevent_payment_change"() IS 'Lets an erasure empty the note of a payment, and refuses every other change (TT055).';

COMMENT ON FUNCTION "internal"."problem_of_refused_token"(text, interval) IS 'The reason why a form token is refused: missing, invalid, or valid but used before. The age is null for a token of another format.';

COMMENT ON FUNCTION "internal"."read_customer_export"(uuid) IS 'All stored data of a customer, by kind: rows as stored, emails with their attachments.';

COMMENT ON FUNCTION "internal"."read_linked_invoice"(text) IS 'An invoice as every holder of its link sees it, without a name, phone number, email address, plate or VIN: {number, state, currency, dueDate, totalCents, paidCents, balanceCents, work [{position, description, cents with tax}]}.';

COMMENT ON FUNCTION "internal"."record_lost_dispute"(text, text, bigint) IS 'Reverses a card payment that the customer''s bank took back, at most its remaining amount; the amount is due on a replacement invoice. Returns whether the reversal is new.';

COMMENT ON FUNCTION "internal"."record_missing_invoice"(text) IS 'Marks an invoice as void that Stripe no longer has.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported: {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. held; returned (the deposit was paid before, is no longer requested, or exceeds the approved amount); known (recorded before).';

COMMENT ON FUNCTION "internal"."record_replacement_invoice"(uuid, text) IS 'Records that a replacement invoice exists: the balance is then due on this invoice instead of the first one.';

COMMENT ON FUNCTION "internal"."refund_deposit"(uuid, text, text, text) IS 'Returns the whole held deposit to the customer before an invoice exists: {refundCents, way (null for several methods), customer}.';

COMMENT ON FUNCTION "internal"."refund_payment"(uuid, integer, text[], text, text, text) IS 'Returns a part or all of a payment of a paid invoice, or the price of chosen jobs or lines, with a credit note of the same sum: {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON FUNCTION "internal"."refuse_close"(date) IS 'Refuses (TT110) to close a day that lies in the future, is closed, comes before a closed day, comes after a day that must be closed first, or has no lines to close.';

COMMENT ON FUNCTION "internal"."refuse_deposit"(public.estimates, bigint) IS 'Refuses (TT104) a deposit that the shop did not request, that was paid before, that is zero, or that exceeds the requested amount.';

COMMENT ON FUNCTION "internal"."refuse_payment"(public.invoices, bigint) IS 'Refuses (TT102) a payment of a voided invoice, of zero, or above the balance.';

COMMENT ON FUNCTION "internal"."release_deposit"(public.estimate_invoices) IS 'Removes the deposit from an invoice that became void, so that the shop holds the deposit for the next invoice of the estimate.';

COMMENT ON FUNCTION "internal"."remove_sample_week"() IS 'Deletes the sample week and all records that were added to it, and no other records. Real bookings in its bays move to other bays.';

COMMENT ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) IS 'Requests the replacement invoice for a reversed amount, at most for the balance.';

COMMENT ON FUNCTION "internal"."require_command"() IS 'Refuses a change by a signed-in person outside a command of the server, because the command requires the step-up (docs/product.md 6.8). A request to the data service cannot set shop.command.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that no later refund of its credit note returned, at most the overpayment of the invoice: a check that the bank returned meanwhile lowers it. 0 for another line.';

COMMENT ON FUNCTION "internal"."retry_refund"(uuid, text, text) IS 'Repeats a failed refund by the method of the payment or by another one, without a further credit note: {refundCents}.';

COMMENT ON FUNCTION "internal"."return_deposit"(public.payments, bigint, text, text, text) IS 'Returns a part or all of a held deposit to the customer, by the method of its payment or by another one. A job refunds an online card payment.';

COMMENT ON FUNCTION "internal"."return_payment"(public.payments, bigint, text, text, uuid) IS 'Returns a part or all of a payment to the customer, by its method or by another one. The result is the reduction of the paid amount: after the last part, cash rounding is reversed too.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) IS 'Reverses a part or all of a payment or a refund, once for each cause, which the note identifies; returns the id of the reversal, or null for a repeated call.';

COMMENT ON FUNCTION "internal"."search_customers"(text, integer) IS 'Finds customers whose name, email address or phone number contains every word of the search, or who have another matching contact method. Customers whose name begins with the search term come first, then those with the latest appointment. Compares a hundred matches at most.';

COMMENT ON FUNCTION "internal"."sent_revision_misdirected_reason"(uuid, text) IS 'The reason why an email with an estimate must not be sent to an address; null for the address in the estimate.';

COMMENT ON FUNCTION "internal"."sent_revision_outdated_reason"(uuid, integer) IS 'The reason why an email with a revision must no longer be sent; null while the customer can decide on the revision.';

COMMENT ON FUNCTION "internal"."sent_revision_state"(public.estimate_revisions) IS 'The state of a sent revision: closed (invoiced), decided, expired, or open.';

COMMENT ON FUNCTION "internal"."share_credit"(public.invoices, bigint, text[]) IS 'Divides an amount, at most the rest that can be credited, between the chosen parts of an invoice (all parts without a choice) and their tax, in proportion by largest remainder. An invoice without known parts counts as one part without a key.';

COMMENT ON FUNCTION "internal"."shop_now"() IS 'The wall-clock time at the shop, independent of the session''s time zone.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person who did something at an instant; the username for an instant before the account existed, when several people shared it.';

COMMENT ON FUNCTION "internal"."staff_role"() IS 'The role of the active staff account whose access token the request has: owner, advisor or technician; technician for every session of a shared tablet; null for everybody else, including a team member who must first set up a code app.';

COMMENT ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) IS 'The reasons why a tear-down cannot be sent (16 CCR 3353): a field is missing, or its lines do not add up to the two prices before tax.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'To whom a booking is assigned, for the calling technician: own (a task is assigned to them, or the bay names them), unassigned (no task is assigned and the bay names nobody) or other.';

COMMENT ON FUNCTION "internal"."undo_cancellation_refusal"(public.bookings, integer) IS 'The reason why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict, over, too_close, outside_hours, slot_taken, too_many (five other open bookings); null when allowed.';

COMMENT ON FUNCTION "internal"."unpaid_invoices"() IS 'The outstanding invoices with the amounts of invoice_paid_cents and invoice_balance_cents, for lists and sums of many invoices.';

COMMENT ON FUNCTION "internal"."void_reason"(public.authorizations, public.estimates) IS 'The reason why an authorization is void: wrong_recipient (withdrawn, or the withdrawal itself), customer or vehicle (the estimate has another one since); null while it is valid.';

COMMENT ON FUNCTION "internal"."withdraw_report"(public.payments) IS 'Prevents that Stripe is notified of a reversed payment; false when Stripe knows the payment already, or must know it for a later refund.';

COMMENT ON FUNCTION "public"."ask_deposit"(uuid, integer, integer) IS 'Requests a deposit of an estimate: an amount, a share of the approved amount, or none (both null). Refused (TT104) when it was paid, and above the approved amount. Returns the deposit (contracts/payments/deposits.ts).';

COMMENT ON FUNCTION "public"."close_day"(jsonb) IS 'Closes a day finally and returns the id of the close: {date, startCents (of the first close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) when the expected cash differs from the one that staff saw.';

COMMENT ON FUNCTION "public"."complete_own_task"(uuid) IS 'Completes a task that is assigned to the calling technician; a repeated call changes nothing.';

COMMENT ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) IS 'Reverses a held deposit of the counter that was recorded with a wrong method or amount, and records it correctly: {heldCents}.';

COMMENT ON FUNCTION "public"."correct_invoice_price"(text, integer, text) IS 'Lowers the balance of an open invoice by a credit note, at most to zero: {balanceCents}.';

COMMENT ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) IS 'Changes an open booking and returns it; refused (TT051) if somebody changed the booking since the user read it. A booking that changes its service gets the current name, price and duration of the new service. A time that is not free is refused with the next three free times. A new name, phone number or email address requires contact_change: correction also corrects the customer, their other open bookings and their draft estimates; other_customer assigns the booking and its draft estimates to another customer. vehicle_plate identifies the vehicle; the booking stores no plate.';

COMMENT ON FUNCTION "public"."mark_not_duplicates"(uuid, uuid) IS 'Records that two customers are different, so that the dashboard never offers them as duplicates again.';

COMMENT ON FUNCTION "public"."preview_refund"(uuid, integer, text[]) IS 'The amounts that refund_payment would return and credit, with the tax (contracts/invoices/invoice-detail.ts); null for an unknown payment.';

COMMENT ON FUNCTION "public"."read_audit"(text[], uuid, timestamp with time zone, bigint, text) IS 'The 50 latest lines of the audit before a line, with the current names, for an owner; no lines for every other role. The search finds a part of a name, an invoice number, a detail, a device or an address.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'All data of a customer in one read (contracts/customers.ts), the latest 200 rows of each kind. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_day"(date) IS 'All data of a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 bookings of any state, also those that began earlier (contracts/bookings/day.ts).';

COMMENT ON FUNCTION "public"."read_day_close"(date) IS 'All data about the close of one day, closed or not, in one read (contracts/payments/day-close.ts).';

COMMENT ON FUNCTION "public"."read_listed_invoice"(text) IS 'One invoice in the format of list_invoices; null for an unknown invoice.';

COMMENT ON FUNCTION "public"."read_vehicle"(uuid) IS 'All data of a vehicle in one read (contracts/customers.ts). The id of a merged duplicate returns the surviving vehicle.';

COMMENT ON FUNCTION "public"."record_cash_movement"(text, integer, text) IS 'Records cash that was paid into the drawer or out of it without a payment of a customer. The movement counts to today, or to the next day when today is closed. Returns its id.';

COMMENT ON FUNCTION "public"."return_check"(uuid, text) IS 'Reverses a check that the bank did not pay: {balanceCents}. The amount that Stripe counts as paid is due on a replacement invoice.';

COMMENT ON FUNCTION "public"."return_deposit_check"(uuid, text) IS 'Reverses a held deposit whose check the bank did not pay: {heldCents}. The customer has to pay the deposit again.';

COMMENT ON FUNCTION "public"."switch_staff_off"(uuid, uuid) IS 'Switches a staff account off and assigns its open tasks to another employee, or to nobody; returns the number of these tasks.';

COMMENT ON FUNCTION "public"."switch_staff_on"(uuid) IS 'Switches a staff account on again; the person can sign in as before.';

COMMENT ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) IS 'Records the deposit of an estimate at the counter, once and at most the requested amount: {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) IS 'Records a payment at the counter, at most the balance, and the cash that the customer gave (docs/product.md 17.3): {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, receipt (the data of its email)}.';

COMMENT ON FUNCTION "public"."void_invoice"(text, text) IS 'Voids an invoice that has a balance and never had a payment; refuses (TT103) every other. Its estimate can be invoiced again.';

COMMENT ON FUNCTION "public"."write_off_invoice"(text, text) IS 'Writes an invoice off, so that it is no longer outstanding; the customer can still pay it: {balanceCents}.';

COMMENT ON TABLE "internal"."code_apps" IS 'The apps that show the codes of staff accounts. The sign-in requires no code of an app that no code has confirmed.';

COMMENT ON TABLE "internal"."invoice_backfill" IS 'The progress of the backfill of older invoices from Stripe, in one row.';

COMMENT ON TABLE "internal"."known_browsers" IS 'Browsers from which an admin has signed in. Each has its own number of attempts; the row alone signs nobody in.';

COMMENT ON TABLE "internal"."online_payment_claims" IS 'Online payments that the server is about to attach to their invoice. Staff cannot take a claimed amount at the counter meanwhile. The row is deleted when the payment is in the ledger.';

COMMENT ON TABLE "internal"."owner_notices" IS 'Notices to the owner: the first is emailed immediately, later ones in one email every ten minutes. Deleted after a month; until then each cause is reported once.';

COMMENT ON TABLE "internal"."payment_page_pauses" IS 'Invoices for which staff are taking a payment: no payment page of them opens until this time.';

COMMENT ON TABLE "internal"."payment_pages" IS 'The checkout sessions of an invoice, or of the deposit of an estimate. The server writes the row before it calls Stripe, so that the shop knows every session.';

COMMENT ON TABLE "internal"."pending_sign_ins" IS 'Sign-ins whose password was right and whose code is missing. A row alone grants no access; the right code deletes the row.';

COMMENT ON TABLE "internal"."recovery_codes" IS 'The codes that replace a code of the app, each once. All end when the code app is removed.';

COMMENT ON TABLE "internal"."sealed_setting_changes" IS 'Which person changed which setting with a password, without the value of the setting. [append-only]';

COMMENT ON TABLE "internal"."stripe_reports" IS 'The payments and corrections that the shop has to report to Stripe: written in the transaction of the change, and reported by a job, for each invoice in this order.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'The number of bookings that visitors can make in a period before the next one is held. A shop with one bay has about twenty a day.';

COMMENT ON TABLE "internal"."visitor_email_limits" IS 'The number of emails that visitors can cause in a period. A customer books a few times; a shop has a few dozen visitors a day.';

COMMENT ON TABLE "public"."audit_events" IS 'Events that the owner may have to know about later. A line has no name, address or phone number of a customer. [append-only]';

COMMENT ON TABLE "public"."booking_events" IS 'The history of each booking, written in the transaction of the change. The history outlives the booking, so it contains time, bay and state, never the customer. [append-only]';

COMMENT ON TABLE "public"."cash_drawers" IS 'Cash drawers. The shop has one, at the counter.';

COMMENT ON TABLE "public"."credit_note_parts" IS 'The division of a credit note between the jobs or lines of its invoice, so that none is credited above its price. [append-only]';

COMMENT ON TABLE "public"."credit_notes" IS 'The credits on an invoice, each with the reason that the customer reads. [append-only]';

COMMENT ON TABLE "public"."customer_notes" IS 'Internal notes of staff about a customer; customers see them in no email and on no page.';

COMMENT ON TABLE "public"."day_close_corrections" IS 'Later corrections of the counted cash of a closed day. [append-only]';

COMMENT ON TABLE "public"."erasures" IS 'One row per erasure: the erased customer''s id, the employee, and the retained records of transactions with their last day (BPC 9884.11). A row contains no name of a customer. [append-only]';

COMMENT ON TABLE "public"."estimate_invoices" IS 'The invoice of an estimate. The server claims the invoice before it calls Stripe, with the claim''s id as the request id, so that a crash never causes a second invoice. [append-only]';

COMMENT ON TABLE "public"."invoice_events" IS 'Which person voided an invoice or wrote it off, when and why. [append-only]';

COMMENT ON TABLE "public"."merges" IS 'Merges of duplicate customers and vehicles, with the data that an unmerge needs.';

COMMENT ON TABLE "public"."non_duplicates" IS 'Pairs of customers that staff marked as different. The dashboard never offers such a pair as duplicates again.';

COMMENT ON TABLE "public"."payments" IS 'The ledger: one line for each amount that was received or returned for an invoice, or as the deposit of an estimate, by any method. Lines are never changed; a mistake is corrected by a further line. [append-only]';

COMMENT ON TABLE "public"."replacement_invoices" IS 'Invoices for an amount that Stripe counts as paid although the shop did not receive it. The id is the request id of the invoice.';

COMMENT ON TABLE "public"."settings_history" IS 'The changes of settings with their authors, written in the transaction of each change. [append-only]';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings list. Each change increments the version; a save contains the version that its page has read.';

COMMENT ON TABLE "public"."staff_invitations" IS 'The invitations of team members: each creates one staff account, or renews the sign-in of one account.';
