-- The shop exports the data of a customer, and erases it on request. `erasure_rules` has a rule for every column that
-- contains text. Records that the law requires the shop to keep are not deleted until their retention ends. Texts about
-- other customers do not change.

create type internal.personal_identifier as (kind text, value text);
comment on type internal.personal_identifier is
  'A part of a text that identifies a customer: a name, an email address, a normalized phone number, a plate or a VIN.';

create table public.erasures (
  id uuid primary key default gen_random_uuid(),
  customer_id uuid not null,
  erased_at timestamptz not null default internal.current_instant(),
  erased_by_name text not null check (length(erased_by_name) <= 100),
  counts jsonb not null,
  retained jsonb not null,
  retained_until date
);
comment on table public.erasures is
  'One row per erasure: the erased customer''s id, the employee, and the records of transactions that must be '
  'retained, each with the last day of its retention (BPC 9884.11, California). No row contains a customer''s name. '
  '[append-only]';
comment on column public.erasures.customer_id is
  'The id of the row in customers, which no longer contains personal data.';
comment on column public.erasures.counts is
  'The numbers of erased records: {bookings, quotes, estimates, invoices, vehicles, emails, notes}; otherTexts is the '
  'number of redacted texts in other records, leftOut the number of texts that staff excluded. Rows written by '
  'earlier releases use the keys visits and cars.';
comment on column public.erasures.retained is
  'The records that are retained together with the customer''s name: [{kind, id, number, retainedUntil}]. Rows '
  'written by earlier releases use the key keptUntil.';
comment on column public.erasures.retained_until is 'The last day of retention; null when nothing is retained.';

create index erasures_latest_first on public.erasures (erased_at desc);

alter table public.erasures enable row level security;
grant select on public.erasures to authenticated;
create policy "the admin reads erasures" on public.erasures for select to authenticated using ((select internal.is_admin()));

create function internal.request_cleanup_after_erasure() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- request_file_cleanup.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.request_file_cleanup();
  return null;
end
$$;
create trigger request_cleanup_after_erasure after insert on public.erasures
  for each statement execute function internal.request_cleanup_after_erasure();

create trigger prevent_history_change before update or delete or truncate on public.erasures
  for each statement execute function internal.prevent_history_change();

create table internal.erasure_rules (
  table_name text not null,
  column_name text not null,
  treatment text not null constraint erasure_rules_treatment_is_known check (treatment in ('replaced', 'kept', 'free')),
  reason text not null constraint erasure_rules_say_why check (length(trim(reason)) > 0),
  label text,
  row_key text,
  owner text,
  subject text,
  longest integer,
  only_where text not null default 'true',
  primary key (table_name, column_name),
  constraint erasure_rules_search_what_is_replaced check (label is null or treatment = 'replaced'),
  constraint erasure_rules_search_completely check (num_nulls(label, row_key, owner, subject, longest) in (0, 5))
);
comment on table internal.erasure_rules is
  'The rule for each text and jsonb column of the database when a customer is erased. A test fails if a column has no '
  'rule.';
comment on column internal.erasure_rules.treatment is
  'The treatment of the column. replaced: the erasure empties, deletes or rewrites the column; kept: the column is '
  'retained, for the reason in the column reason; free: the column contains no personal data of customers.';
comment on column internal.erasure_rules.reason is
  'The explanation of the treatment: how the erasure replaces the column, why the column is retained, or which data '
  'it contains.';
comment on column internal.erasure_rules.label is
  'The name of the column in the dialog that erases a customer; null for a column in which the erasure does not '
  'search.';
comment on column internal.erasure_rules.row_key is
  'An SQL expression that identifies a row of the table. The alias of the row in the expression is "one".';
comment on column internal.erasure_rules.owner is
  'An SQL expression for the customer (customers.id) to whom the record belongs; null if the record belongs to no '
  'customer.';
comment on column internal.erasure_rules.subject is
  'An SQL expression for a short description by which staff recognize the record; ''null::text'' without a '
  'description. Null for a column in which the erasure does not search.';
comment on column internal.erasure_rules.longest is
  'The maximum number of characters that the column may contain after a redaction.';
comment on column internal.erasure_rules.only_where is
  'An SQL condition for the rows that the erasure may change; ''true'' for all rows.';

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where)
select table_name, column_name, 'replaced', 'searched for what names the customer', label, row_key, owner, subject, longest,
  coalesce(only_where, 'true')
from (values
  ('public.bookings', 'notes', 'Customer''s notes', 'one.id::text', 'one.customer_id',
    $$one.customer_name || to_char(one.appointment_date, ', FMMon FMDD, YYYY')$$, 2000, null),
  ('public.bookings', 'internal_note', 'Shop note', 'one.id::text', 'one.customer_id',
    $$one.customer_name || to_char(one.appointment_date, ', FMMon FMDD, YYYY')$$, 500, null),
  ('public.booking_events', 'reason', 'Appointment history', 'one.id::text',
    '(select booking.customer_id from public.bookings booking where booking.id = one.booking_id)',
    $$(select booking.customer_name || to_char(booking.appointment_date, ', FMMon FMDD, YYYY')
       from public.bookings booking where booking.id = one.booking_id)$$, 300, null),
  ('public.quote_requests', 'description', 'Quote request', 'one.id::text', 'one.customer_id', 'one.name', 5000, null),
  ('public.tasks', 'title', 'Task title', 'one.id::text', 'internal.customer_of_task(one)', 'null::text', 200, null),
  ('public.tasks', 'description', 'Task description', 'one.id::text', 'internal.customer_of_task(one)', 'one.title', 5000, null),
  ('public.tasks', 'customer_note', 'Task note for the customer', 'one.id::text', 'internal.customer_of_task(one)', 'one.title', 80, null),
  ('public.task_notes', 'note', 'Task note', 'one.id::text',
    '(select internal.customer_of_task(task) from public.tasks task where task.id = one.task_id)',
    '(select task.title from public.tasks task where task.id = one.task_id)', 2000, null),
  ('public.task_status_history', 'note', 'Task history', 'one.id::text',
    '(select internal.customer_of_task(task) from public.tasks task where task.id = one.task_id)',
    '(select task.title from public.tasks task where task.id = one.task_id)', 2000, null),
  ('public.customer_notes', 'note', 'Note on a customer', 'one.id::text', 'one.customer_id',
    '(select person.name from public.customers person where person.id = one.customer_id)', 1000, null),
  ('public.vehicles', 'internal_note', 'Note on a vehicle', 'one.id::text', 'one.customer_id', $$concat_ws(' ', one.year, one.make, one.model)$$, 1000, null),
  ('public.estimates', 'internal_note', 'Internal note of an estimate', 'one.id::text', 'one.customer_id',
    $$one.number || ', ' || one.customer_name$$, 2000, null),
  ('public.estimate_revisions', 'customer_note', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 2000, 'one.frozen_at is null'),
  ('public.estimate_jobs', 'title', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision || ' ' || one.job_key$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 120,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_jobs', 'customer_description', 'Estimate that was not sent', $$one.estimate_id || ' ' || one.revision || ' ' || one.job_key$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 1000,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_lines', 'description', 'Estimate that was not sent',
    $$one.estimate_id || ' ' || one.revision || ' ' || one.job_key || ' ' || one.position$$,
    'internal.customer_of_estimate(one.estimate_id)',
    '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 200,
    'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.canned_jobs', 'title', 'Saved job', 'one.id::text', 'null::uuid', 'null::text', 120, null),
  ('public.canned_jobs', 'job', 'Saved job', 'one.id::text', 'null::uuid', 'one.title', 20000, null),
  ('public.special_hours', 'reason', 'Closure', 'one.id::text', 'null::uuid', $$to_char(one.starts_at, 'FMMon FMDD, YYYY')$$, 100, null),
  ('public.booking_rules', 'pause_message', 'Pause message', 'one.id::text', 'null::uuid', 'null::text', 300, null),
  ('public.services', 'description', 'Service description', 'one.id::text', 'null::uuid', 'one.name', 1000, null),
  ('public.bays', 'technician', 'Technician of a bay', 'one.id::text', 'null::uuid', 'one.name', 40, null),
  ('public.settings_history', 'subject', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 300, null),
  ('public.settings_history', 'before', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 20000, null),
  ('public.settings_history', 'after', 'Settings history', 'one.id::text', 'null::uuid',
    $$to_char(one.changed_at at time zone (select time_zone from public.shop), 'FMMon FMDD, YYYY')$$, 20000, null)
) as searched (table_name, column_name, label, row_key, owner, subject, longest, only_where)
on conflict do nothing;

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
select table_name, column_name, treatment, reason
from (values
  ('public.customers', '{name,email,phone}'::text[], 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.customers', '{phone_key,search_text}', 'replaced', 'generated from name, email and phone'),
  ('public.customer_contact_methods', '{kind,match_key,value,confirmed_by_name}', 'replaced', 'the row is deleted'),
  ('public.customer_notes', '{written_by_name}', 'replaced', 'the row is deleted'),
  ('public.bookings', '{customer_name,customer_email,customer_phone,vehicle_color,search_text}', 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.bookings', '{vehicle_year,vehicle_make,vehicle_model}', 'kept', 'to which model of vehicle something was done'),
  ('public.bookings', '{status,service_name,flagged_reasons}', 'free', 'words of the shop'),
  ('public.bookings', '{completed_by,conflict_accepted_by}', 'free', 'the username of a staff account'),
  ('public.booking_events', '{kind,source,before,after,warnings}', 'free', 'times, states, service and bay of an appointment'),
  ('public.booking_events', '{changed_by_name}', 'free', 'the username of a staff account'),
  ('public.quote_requests', '{name,email,phone}', 'replaced', 'emptied, the name becomes ''Erased'''),
  ('public.quote_requests', '{vehicle_year,vehicle_make,vehicle_model}', 'kept', 'about which model of vehicle somebody asked'),
  ('public.quote_requests', '{service_type,status,flagged_reasons}', 'free', 'words of the shop'),
  ('public.quote_email_logs', '{recipient_email,recipient_name,subject,original_draft,polished_draft,final_body,vehicle_info}', 'replaced',
    'the row is deleted; a reply to another customer stays as it was sent'),
  ('public.emails', '{dedupe_key,recipient_email,recipient_name,subject,html_body,text_body,attachments,last_error}', 'replaced',
    'the row is deleted; an email to another customer stays as it was sent'),
  ('public.emails', '{kind,status,invoice_id,provider_message_id}', 'free', 'words and ids of the shop and its providers'),
  ('public.vehicles', '{color,plate,vin}', 'replaced', 'emptied'),
  ('public.vehicles', '{year,make,model}', 'kept', 'to which model of vehicle something was done'),
  ('public.vehicles', '{vehicle_key,plate_key,search_text}', 'replaced', 'generated from the vehicle'),
  ('public.odometer_readings', '{recorded_by_name}', 'free', 'the username of a staff account'),
  ('public.merges', '{kind,moved_rows,survivor_changes,merged_by_name}', 'replaced', 'the row is deleted, or what it remembers is emptied'),
  ('public.estimates', '{number}', 'free', 'counted by the shop'),
  ('public.estimates', '{customer_name,customer_email,customer_phone,vehicle_year,vehicle_make,vehicle_model,vehicle_plate,vehicle_vin,search_text}',
    'kept', 'of what was handed over for three years (BPC 9884.11), then the row is deleted; a draft is deleted at once'),
  ('public.estimates', '{payer_name,payer_reference}', 'kept',
    'who paid for what was handed over, for three years (BPC 9884.11), then the row is deleted; a draft is deleted at once'),
  ('public.estimates', '{kind}', 'free', 'words of the product'),
  ('public.estimates', '{created_by,changed_by}', 'free', 'the username of a staff account'),
  ('public.estimate_revisions', '{document}', 'kept', 'what was handed over, for three years (BPC 9884.11), then the row is deleted'),
  ('public.estimate_revisions', '{hash}', 'free', 'a digest that is bound to the document'),
  ('public.estimate_jobs', '{measurement}', 'free', 'what was measured on a vehicle'),
  ('public.estimate_jobs', '{tear_down}', 'free', 'how a vehicle is taken apart'),
  ('public.estimate_lines', '{kind,subtype}', 'free', 'words of the product'),
  ('public.estimate_events', '{before,after}', 'kept', 'the history of what was handed over, deleted with its estimate'),
  ('public.estimate_events', '{kind,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.authorizations', '{decided_by_name,relationship,contact,statement}', 'kept', 'who authorized what, for three years (BPC 9884.11), then the row is deleted'),
  ('public.authorizations', '{revision_hash,job_title,decision,method,recorded_by}', 'free', 'words of the shop and of the product'),
  ('public.estimate_invoices', '{state,invoice_id,number,claimed_by}', 'free', 'ids of an invoice'),
  ('public.invoices', '{customer_name,search_text}', 'kept', 'the name on an invoice for three years (BPC 9884.11), then it becomes ''Erased'''),
  ('public.invoices', '{invoice_id,number,currency,status}', 'free', 'ids and state of an invoice'),
  ('public.payments', '{invoice_id,kind,method,payment_intent_id,checkout_session_id,currency,refund_id}', 'free', 'ids of a payment'),
  ('public.payments', '{recorded_by_name}', 'free', 'the staff account'),
  ('public.payments', '{cause}', 'free', 'words of the product'),
  ('public.replacement_invoices', '{original_invoice_id,invoice_id}', 'free', 'ids of an invoice'),
  ('public.payments', '{note}', 'replaced', 'emptied'),
  ('public.payments', '{reference}', 'kept', 'the number of a check, as part of the ledger'),
  ('public.deposits', '{asked_by_name}', 'free', 'the staff account'),
  ('public.cash_drawers', '{name}', 'free', 'the name of a drawer'),
  ('public.cash_movements', '{kind,recorded_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.cash_movements', '{reason}', 'kept', 'why cash was paid in or out, as part of the ledger'),
  ('public.day_closes', '{counted,reason,closed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.day_closes', '{note}', 'kept', 'why the cash of a day differed, as part of the ledger'),
  ('public.day_close_corrections', '{recorded_by_name}', 'free', 'a staff account'),
  ('public.day_close_corrections', '{reason}', 'kept', 'why the close of a day was corrected, as part of the ledger'),
  ('public.erasures', '{erased_by_name,counts,retained}', 'free', 'names nobody who was erased'),
  ('public.audit_events', '{kind,role,invoice_id,detail,device,confirmed_with}', 'free', 'words of the product, a team member, an id of an invoice and a browser'),
  ('public.tasks', '{priority,status}', 'free', 'words of the product'),
  ('public.task_notes', '{created_by,created_by_name}', 'free', 'the username of a staff account'),
  ('public.task_status_history', '{old_status,new_status,changed_by,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.bays', '{name}', 'free', 'the name of a bay'),
  ('public.services', '{name}', 'free', 'the name of what the shop sells'),
  ('public.employees', '{name,email}', 'free', 'a team member, not a customer'),
  ('public.staff_accounts', '{username,role,name,email}', 'free', 'a team member, not a customer'),
  ('public.staff_invitations', '{name,email,role,username}', 'free', 'a team member, not a customer'),
  ('public.estimate_rules', '{registration_number,epa_number,conditions}', 'free', 'public facts of the shop'),
  ('public.estimate_rules', '{payer_sentence}', 'free', 'a text of the shop for every estimate with a third-party payer'),
  ('public.booking_rules', '{close_print_format}', 'free', 'words of the product'),
  ('public.settings_history', '{section,action,changed_by_name}', 'free', 'words of the product, and a staff account'),
  ('public.settings_versions', '{section}', 'free', 'words of the product'),
  ('public.shop', '{name,legal_name,business_type,tagline,description,street,city,state,postal_code,country,time_zone,phone,billing_phone,support_email,billing_email,booking_email,links,experts_text,turnaround_text,warranty_text}',
    'free', 'public facts of the shop'),
  ('internal.admin_sessions', '{username}', 'free', 'the username of a staff account'),
  ('internal.admin_sessions', '{device,confirmed_with}', 'free', 'words of the product'),
  ('internal.known_browsers', '{username}', 'free', 'the username of a staff account'),
  ('internal.sign_in_codes', '{username}', 'free', 'the username of a staff account'),
  ('internal.code_apps', '{sealed_secret}', 'free', 'a secret of a team member'),
  ('internal.tablets', '{name}', 'free', 'the name that an owner gave a shared tablet'),
  ('internal.tablet_pins', '{pin_hash}', 'free', 'the hash of a team member''s PIN'),
  ('internal.passkeys', '{transports,name,rp_id}', 'free', 'a team member''s device and the host of the site'),
  ('internal.sealed_setting_changes', '{name,action}', 'free', 'the name of a setting of the shop'),
  ('internal.sealed_settings', '{name,sealed}', 'free', 'a setting of the shop, encrypted'),
  ('internal.assigned_invoice_numbers', '{request_id,number}', 'free', 'ids of an invoice'),
  ('internal.commands', '{name,result}', 'free', 'ids, versions and times'),
  ('internal.invoice_numbers', '{invoice_id,number}', 'free', 'ids of an invoice'),
  ('internal.invoice_links', '{invoice_id}', 'free', 'ids of an invoice'),
  ('internal.invoice_backfill', '{after_invoice_id}', 'free', 'ids of an invoice'),
  ('internal.stripe_events', '{id,type}', 'free', 'ids of an event'),
  ('internal.payment_pages', '{invoice_id,session_id}', 'free', 'ids of a checkout'),
  ('internal.payment_page_pauses', '{invoice_id}', 'free', 'ids of an invoice'),
  ('internal.online_payment_claims', '{payment_intent_id,invoice_id}', 'free', 'ids of a payment'),
  ('internal.stripe_reports', '{invoice_id,kind,state,stripe_id,problem}', 'free', 'ids of a payment, and an error code'),
  ('public.credit_notes', '{invoice_id,kind,created_by_name}', 'free', 'ids of an invoice, and a staff account'),
  ('public.credit_notes', '{reason}', 'kept', 'why an invoice was credited, as part of the ledger'),
  ('public.credit_note_parts', '{part_key}', 'free', 'the key of a job or the position of a line'),
  ('public.invoice_lines', '{invoice_id}', 'free', 'ids of an invoice'),
  ('public.invoice_lines', '{description}', 'kept', 'what an invoice billed, for three years (BPC 9884.11)'),
  ('public.invoice_events', '{invoice_id,kind,changed_by_name}', 'free', 'ids of an invoice, and a staff account'),
  ('public.invoice_events', '{reason}', 'kept', 'why an invoice was voided or written off, as part of the ledger'),
  ('internal.visitor_booking_limits', '{name}', 'free', 'words of the product'),
  ('internal.booking_transitions', '{from_state,to_state,kind}', 'free', 'words of the product'),
  ('internal.email_kinds', '{kind,must_match}', 'free', 'words of the product'),
  ('internal.visitor_email_limits', '{name}', 'free', 'words of the product'),
  ('internal.merge_rules', '{kind,table_name,column_name,key_column,rule}', 'free', 'words of the product'),
  ('internal.erasure_rules', '{table_name,column_name,treatment,reason,label,row_key,owner,subject,only_where}', 'free', 'words of the product'),
  ('internal.calendar_feed', '{token}', 'free', 'a secret of the shop'),
  ('internal.secrets', '{name,value}', 'free', 'a secret of the shop'),
  ('internal.onboarding', '{confirmed_steps}', 'free', 'words of the product'),
  ('internal.backup_drills', '{outcome,reason,differing,incarnation,object}', 'free', 'words of the product, names of tables and ids of copies'),
  ('internal.backup_key_copies', '{fingerprint,confirmed_by_name}', 'free', 'a checksum, and the username of a staff account'),
  ('internal.restored_shop', '{resumed_by_name}', 'free', 'the username of a staff account'),
  ('internal.owner_notices', '{dedupe_key,line}', 'free', 'what happened to which record, by its id'),
  ('internal.visit_link_requests', '{mailbox}', 'replaced', 'the row is deleted'),
  ('internal.visitor_emails', '{dedupe_key}', 'replaced', 'the row is deleted'),
  ('internal.visitor_emails', '{exceeded_limit}', 'free', 'words of the product'),
  ('stripe_sandbox.event_deliveries', '{event_id,last_answer}', 'free', 'ids of an event, and what the shop answered'),
  ('stripe_sandbox.idempotency_keys', '{key,fingerprint,endpoint,body}', 'kept', 'the books of the stand-in for the payment processor'),
  ('stripe_sandbox.objects', '{id,object,data}', 'kept', 'the books of the stand-in for the payment processor')
) as decided (table_name, columns, treatment, reason), unnest(columns) column_name
on conflict do nothing;

insert into internal.erasure_rules (table_name, column_name, treatment, reason)
values
  ('internal.file_cleanups', 'table_name', 'free', 'words of the product'),
  ('public.estimate_revisions', 'sent_to', 'kept', 'to whom it was handed over, for three years (BPC 9884.11), then the row is deleted')
on conflict do nothing;

alter table internal.erasure_rules enable row level security;

create table internal.file_cleanups (
  table_name text primary key,
  requests integer not null default 1,
  cleaned integer not null default 0,
  is_ours boolean not null default true
);
comment on table internal.file_cleanups is
  'The tables whose data files on disk can still contain erased data, and the progress of the nightly job that '
  'rewrites these files.';
comment on column internal.file_cleanups.requests is
  'The number of times that an erasure requested a rewrite of the files, counted since the row was created.';
comment on column internal.file_cleanups.cleaned is
  'The value of the column requests at the time when the last rewrite of the files began.';
comment on column internal.file_cleanups.is_ours is
  'Whether the database login of the site owns the table, so that the nightly job can rewrite its files.';

alter table internal.file_cleanups enable row level security;

create function internal.is_erased(customer_id uuid) returns boolean
  language sql stable set search_path = ''
  return exists (select from public.customers where id = customer_id and erased_at is not null);

create function internal.interleave_pattern(input_text text, between_two text) returns text
  language sql immutable set search_path = ''
  return array_to_string(regexp_split_to_array(input_text, ''), between_two);
comment on function internal.interleave_pattern(text, text) is
  'Inserts a regular expression between all characters of a text.';

create function internal.identifier_pattern(kind text, input_text text) returns text
  language sql immutable set search_path = ''
  return case kind
    when 'name' then
      '(?<![[:alnum:]])' || regexp_replace(regexp_replace(normalize(input_text, nfd), '([[:punct:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
      || '(?![[:alnum:]])'
    when 'email' then
      '(?<![[:alnum:]._%+-])' || regexp_replace(normalize(input_text, nfd), '([[:punct:]])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])'
    when 'phone' then
      '(?<![0-9])(\+?1[^[:alnum:]]{0,3})?\(?' || internal.interleave_pattern(left(input_text, -3), '[^[:alnum:]]{0,3}') || right(input_text, 3) || '(?![0-9])'
      -- The pattern also matches the last seven digits of a phone number, without the area code, unless these seven
      -- digits are the end of a longer number.
      || case when length(input_text) = 10 then
           '|(?<![0-9])(?<![0-9][^[:alnum:]]{1,3})' || internal.interleave_pattern(substr(input_text, 4, 4), '[^[:alnum:]]{0,3}') || right(input_text, 3)
           || '(?![0-9])'
         else '' end
    when 'plate' then '(?<![[:alnum:]])' || internal.interleave_pattern(left(input_text, -2), '[ .-]?') || right(input_text, 2) || '(?![[:alnum:]])'
  end;
comment on function internal.identifier_pattern(text, text) is
  'A regular expression that finds a name, email address, normalized phone number or plate in a text, in any spelling. The text must be in '
  'normal form D, so that letters with accents match in any case.';

create function internal.redact(input_text text, pattern text, max_length integer default null) returns text
  language sql immutable set search_path = ''
  return left(normalize(regexp_replace(normalize(input_text, nfd), pattern, '[erased]', 'gi'), nfc), coalesce(max_length, length(input_text) * 4));
comment on function internal.redact(text, text, integer) is
  'Replaces each match of a pattern in a text by [erased], and cuts the result to max_length characters.';

create function internal.redact(content jsonb, pattern text, longest integer) returns jsonb
  language plpgsql immutable set search_path = '' as $$
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
$$;
comment on function internal.redact(jsonb, text, integer) is
  'Replaces each match of a pattern in the strings of a JSON value by [erased]. A string inside an object or array is '
  'then cut to its former length or to 60 characters, whichever is longer.';

create function internal.identifier_needle(kind text, input_text text) returns text
  language sql immutable set search_path = ''
  return '%' || regexp_replace(
    case kind
      when 'name' then internal.normalize_search_text(substring(input_text from '[^[:space:]]+$'))
      when 'email' then internal.normalize_search_text(input_text)
      when 'phone' then right(input_text, 4)
      when 'plate' then lower(right(input_text, 3))
    end, '([\\%_])', '\\\1', 'g') || '%';
comment on function internal.identifier_needle(text, text) is
  'A LIKE pattern that matches every text in which internal.identifier_pattern can match. It is the fast first filter '
  'of a search.';

create function internal.list_personal_identifiers(customer_ids uuid[]) returns internal.personal_identifier[]
  language sql stable set search_path = ''
  return array(
    select row(kind, identifier)::internal.personal_identifier
    from (
      select 'name' as kind, trim(name) as identifier from public.customers where id = any (customer_ids)
      union select 'name', trim(customer_name) from public.bookings where customer_id = any (customer_ids)
      union select 'name', trim(name) from public.quote_requests where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.estimates where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.invoices where customer_id = any (customer_ids)
      union select kind, match_key from public.customer_contact_methods where customer_id = any (customer_ids)
      union select 'email', lower(trim(customer_email)) from public.bookings where customer_id = any (customer_ids)
      union select 'email', lower(trim(email)) from public.quote_requests where customer_id = any (customer_ids)
      union select 'email', lower(customer_email) from public.estimates where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.bookings where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(phone) from public.quote_requests where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.estimates where customer_id = any (customer_ids)
      union select 'plate', plate_key from public.vehicles where customer_id = any (customer_ids)
      union select 'plate', vin from public.vehicles where customer_id = any (customer_ids)
    ) known
    where case kind
      when 'name' then identifier ~ '[[:alnum:]].*[[:alnum:]]'
      when 'plate' then length(identifier) >= 3
      else identifier <> '' end
    -- The identifiers are ordered from long to short, so that replacing a short identifier does not leave part of a
    -- longer identifier.
    order by length(identifier) desc
  );
comment on function internal.list_personal_identifiers(uuid[]) is
  'The names, email addresses, phone numbers, plates and VINs in all records of the given customers.';

create function internal.may_contain_identifier(input_text text, needles text[]) returns boolean
  language sql immutable set search_path = ''
  return internal.normalize_search_text(input_text) like any (needles);
comment on function internal.may_contain_identifier(text, text[]) is
  'Whether a text matches a pattern of the fast filter (identifier_needle), so that the slower regular expressions '
  'must be tried.';

create function internal.list_open_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(open_record) order by open_record.kind, open_record.at), '[]')
    from (
      select 'booking' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.customer_id = wanted_customer_id and internal.is_upcoming(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.customer_id = wanted_customer_id and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', invoice.invoice_id, invoice.number, invoice.created_at::text
      from public.invoices invoice where invoice.customer_id = wanted_customer_id and invoice.status in ('open', 'draft')
    ) open_record
  );
comment on function internal.list_open_records(uuid) is
  'The open bookings, estimates and invoices of a customer, which prevent an erasure: [{kind, id, title, at}].';

create function internal.last_frozen_at(estimate uuid) returns timestamptz
  language sql stable set search_path = ''
  return (select max(frozen_at) from public.estimate_revisions where estimate_id = estimate);
comment on function internal.last_frozen_at(uuid) is
  'When the latest frozen revision of an estimate was first sent, printed or approved; null if no revision was.';

create function internal.list_retained_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(record) order by record."retainedUntil", record.kind, record.id), '[]')
    from (
      select 'invoice' as kind, invoice_id as id, number, internal.retained_until(created_at) as "retainedUntil"
      from public.invoices where customer_id = wanted_customer_id
      union all
      select 'estimate', id::text, number, internal.retained_until(internal.last_frozen_at(id))
      from public.estimates where customer_id = wanted_customer_id
    ) record
    where record."retainedUntil" >= internal.shop_now()::date
  );
comment on function internal.list_retained_records(uuid) is
  'The records of transactions that an erasure must retain together with the customer''s name: [{kind, id, number, '
  'retainedUntil}].';

create function public.preview_erasure(customer_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to call require_customer,
  -- list_retained_records and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  customer constant public.customers := internal.require_customer(preview_erasure.customer_id);
  retained constant jsonb := internal.list_retained_records(customer.id);
begin
  perform internal.require_owner();
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'open', internal.list_open_records(customer.id), 'retained', retained,
    'retainedUntil', (select max(record ->> 'retainedUntil') from jsonb_array_elements(retained) record),
    'counts', internal.count_customer_records(customer.id), 'others', internal.describe_other_texts(customer.id),
    'areFilesCleaned', internal.are_files_ours());
end
$$;
comment on function public.preview_erasure(uuid) is
  'The effect that erasing a customer would have (contracts/customers.ts): the open records that prevent the erasure, '
  'the records that are retained, and the numbers of erased records.';
grant execute on function public.preview_erasure(uuid) to shop_owner;

create function internal.count_customer_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'bookings', (select count(*) from public.bookings where customer_id = wanted_customer_id),
    'quotes', (select count(*) from public.quote_requests where customer_id = wanted_customer_id),
    'estimates', (select count(*) from public.estimates where customer_id = wanted_customer_id),
    'invoices', (select count(*) from public.invoices where customer_id = wanted_customer_id),
    'vehicles', (select count(*) from public.vehicles where customer_id = wanted_customer_id and merged_into is null),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'notes', (select count(*) from public.customer_notes where customer_id = wanted_customer_id))
$$;
comment on function internal.count_customer_records(uuid) is
  'The numbers of a customer''s bookings, quote requests, estimates, invoices, vehicles, emails and notes.';

create function internal.allow_only_reason_redaction() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.allow_only_reason_redaction() is
  'Lets an erasure redact the reason of a booking event and refuses every other change (TT055).';

create function internal.erase_customer_emails(customer_ids uuid[]) returns uuid[]
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
comment on function internal.erase_customer_emails(uuid[]) is
  'Deletes all emails about the given customers, also unsent emails; returns the ids of the deleted emails.';

create function internal.erase_customer_estimates(customer_ids uuid[], until date) returns void
  language plpgsql set search_path = '' as $$
declare
  deleted_ids constant uuid[] := array(
    select id from public.estimates
    where customer_id = any (customer_ids) and coalesce(internal.retained_until(internal.last_frozen_at(id)), '-infinity') < until);
begin
  update public.tasks set estimate_id = null, estimate_job_key = null where estimate_id = any (deleted_ids);
  delete from public.authorizations where estimate_id = any (deleted_ids);
  delete from public.estimate_invoices where estimate_id = any (deleted_ids);
  delete from public.estimates where id = any (deleted_ids);
end
$$;
comment on function internal.erase_customer_estimates(uuid[], date) is
  'Deletes the customers'' draft estimates, and estimates whose three years of retention have passed.';

create function internal.erase_customer_rows(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.forget_form_origins(array(
    select id from public.bookings where customer_id = any (customer_ids)
    union all select id from public.quote_requests where customer_id = any (customer_ids)));
  -- The new link_version makes earlier links to the visit page invalid.
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
comment on function internal.erase_customer_rows(uuid[]) is
  'Removes personal data from the records of customers. Invoices of the last three years still contain the name.';

create function internal.list_merged_customers(customer_id uuid) returns uuid[]
  language sql stable set search_path = '' as $$
  with recursive cluster as (
    select id from public.customers where id = customer_id
    union
    select merged.id from cluster join public.customers merged on merged.merged_into = cluster.id
  )
  select array_agg(id) from cluster
$$;
comment on function internal.list_merged_customers(uuid) is
  'The ids of a customer and of all duplicates merged into that customer.';

create function internal.erase_customer(
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
  -- Every function that locks estimates, bookings without a customer, contact keys or customers locks them in this
  -- order, so that no two transactions deadlock.
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
comment on function internal.erase_customer(uuid, integer, text, text[]) is
  'Erases the data of a customer, except the texts in other records whose keys (text_key of internal.find_texts) '
  'left_out contains. Refuses an outdated version (TT051), and a customer with an open booking, estimate or invoice '
  '(TT099; the detail of the error lists these records). Returns {emails: ids of the deleted emails, retained, '
  'counts}.';
grant execute on function internal.erase_customer(uuid, integer, text, text[]) to shop_server;

create function internal.redact_expired_records() returns integer
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
comment on function internal.redact_expired_records() is
  'Deletes each estimate of an erased customer, and removes the name of the customer from each invoice, when its '
  'three years of retention have passed. Also deletes emails that were sent to erased customers. Returns the number '
  'of changed invoices.';
grant execute on function internal.redact_expired_records() to shop_server;

create function internal.read_customer_export(customer_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read customers,
  -- customer_contact_methods and other tables.
  language plpgsql stable security definer set search_path = '' as $$
declare
  customer public.customers;
  merged_ids uuid[];
begin
  select * into customer from public.customers where id = internal.resolve_merged_customer(read_customer_export.customer_id) and erased_at is null;
  if customer.id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  merged_ids := internal.list_merged_customers(customer.id);
  return jsonb_build_object(
    'customer', to_jsonb(customer) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.customer_contact_methods where customer_id = any ($1) order by id', merged_ids),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.customer_notes where customer_id = any ($1) order by created_at', merged_ids),
    'vehicles', internal.rows_as_json('select id, year, make, model, color, plate, vin, internal_note, created_at from public.vehicles where customer_id = any ($1) order by created_at', merged_ids),
    'odometer', internal.rows_as_json('select reading.vehicle_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.vehicles vehicle on vehicle.id = reading.vehicle_id where vehicle.customer_id = any ($1) order by read_on', merged_ids),
    'bookings', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      vehicle_id, created_at from public.bookings where customer_id = any ($1) order by appointment_date, appointment_time', merged_ids),
    'booking_history', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.customer_id = any ($1) order by event.id', merged_ids),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where customer_id = any ($1) order by created_at', merged_ids),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where customer_id = any ($1)) order by created_at', merged_ids),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at, payer_name, payer_reference, payer_approved_cents from public.estimates where customer_id = any ($1) order by created_at', merged_ids),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.customer_id = any ($1) order by estimate_id, revision', merged_ids),
    'authorizations', internal.rows_as_json('select line.* from public.authorizations line
      join public.estimates estimate on estimate.id = line.estimate_id where estimate.customer_id = any ($1) order by line.id', merged_ids),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.customer_id = any ($1) order by event.id', merged_ids),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by created_at', merged_ids),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where customer_id = any ($1))
         or task.estimate_id in (select id from public.estimates where customer_id = any ($1)) order by note.created_at', merged_ids),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, created_at from public.invoices
      where customer_id = any ($1) order by created_at', merged_ids),
    'payments', internal.rows_as_json('select invoice_id, estimate_id, kind, method, amount_cents, currency, reference, note, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by paid_at', merged_ids),
    'emails', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) merged_id, internal.list_customer_emails(merged_id) order by created_at', merged_ids));
end
$$;
comment on function internal.read_customer_export(uuid) is
  'All stored data of a customer, by kind of record: the table rows, and the emails with their attachments.';
grant execute on function internal.read_customer_export(uuid) to shop_server;

create function internal.rows_as_json(statement text, customer_ids uuid[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  rows jsonb;
begin
  execute format('select coalesce(jsonb_agg(to_jsonb(one)), ''[]'') from (%s) one', statement) into rows using customer_ids;
  return rows;
end
$$;
comment on function internal.rows_as_json(text, uuid[]) is
  'The rows that an SQL statement about customers ($1 is the array of their ids) returns, as JSON.';

create function internal.list_open_customer_invoices(customer_id uuid) returns setof text
  -- Runs with the rights of the function's owner, because the server has no right to read invoices.
  language sql stable security definer set search_path = '' as $$
  select invoice_id from public.invoices invoice where invoice.customer_id = list_open_customer_invoices.customer_id and status in ('open', 'draft')
$$;
comment on function internal.list_open_customer_invoices(uuid) is
  'The invoices of a customer that were open or drafts at Stripe when the server last read their status.';
grant execute on function internal.list_open_customer_invoices(uuid) to shop_server;

create function internal.link_customer_estimates(wanted_customer_id uuid) returns void
  language plpgsql set search_path = '' as $$
declare
  keys constant text[] := internal.list_contact_keys(array[wanted_customer_id]);
begin
  update public.estimates estimate set customer_id = wanted_customer_id
  where customer_id is null
    and (lower(customer_email) = any (keys) or internal.normalize_phone(customer_phone) = any (keys))
    and internal.find_customer(internal.estimate_customer_details(estimate)) = wanted_customer_id;
end
$$;
comment on function internal.link_customer_estimates(uuid) is
  'Links estimates without a customer to the given customer if they contain the customer''s contacts. Such '
  'estimates were written before the customer''s row existed.';

create function internal.delete_merges(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  with deleted as (
    select id from public.merges where survivor_id = any (customer_ids) or duplicate_id = any (customer_ids)
  )
  delete from public.merges merge using deleted where deleted.id in (merge.id, merge.parent_merge_id);
  delete from public.merges merge using public.vehicles survivor, public.vehicles duplicate
  where merge.kind = 'vehicle' and merge.parent_merge_id is null and survivor.id = merge.survivor_id and duplicate.id = merge.duplicate_id
    and (survivor.customer_id = any (customer_ids) or duplicate.customer_id = any (customer_ids));
  -- A merge of two other customers may have merged a vehicle that the erased customer owns now. That merge can still be
  -- undone, but then restores no values of this vehicle.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$$;
comment on function internal.delete_merges(uuid[]) is
  'Deletes the recorded merges of customers, which contain the personal data that an unmerge would restore.';

create function internal.list_undelivered_notices(email_ids uuid[]) returns setof uuid
  language sql stable set search_path = ''
begin atomic
    select notice.id
    from unnest(email_ids) email_id
    -- The dedupe_key of a notice to the owner begins with 'undelivered:<', the id of the email and '.'. The condition
    -- compares a range of keys, so that PostgreSQL uses the index; '/' is the character after '.'.
    join public.emails notice
      on notice.dedupe_key >= 'undelivered:<' || email_id || '.' and notice.dedupe_key < 'undelivered:<' || email_id || '/';
  end;
comment on function internal.list_undelivered_notices(uuid[]) is
  'The ids of the notices to the owner that report the given emails as undelivered.';

create function internal.record_missing_invoice(invoice_id text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write invoices.
  language sql security definer set search_path = ''
begin atomic
  update public.invoices invoice set status = 'void' where invoice.invoice_id = record_missing_invoice.invoice_id;
end;
comment on function internal.record_missing_invoice(text) is
  'Marks an invoice as void because it no longer exists at Stripe.';
grant execute on function internal.record_missing_invoice(text) to shop_server;

create function internal.has_erasures() returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to read erasures.
  language sql stable security definer set search_path = ''
begin atomic
  select exists (select from public.erasures);
end;
grant execute on function internal.has_erasures() to shop_server;

create function internal.customer_of_task(task public.tasks) returns uuid
  language sql stable set search_path = ''
  return coalesce(
    (select customer_id from public.bookings where id = task.booking_id), (select customer_id from public.estimates where id = task.estimate_id));
comment on function internal.customer_of_task(public.tasks) is 'The customer of the booking or estimate that a task is about.';

create function internal.customer_of_estimate(wanted_id uuid) returns uuid
  language sql stable set search_path = ''
  return (select customer_id from public.estimates where id = wanted_id);

create function internal.is_unsent(wanted_id uuid, wanted_revision integer) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from public.estimate_revisions where (estimate_id, revision) = (wanted_id, wanted_revision) and frozen_at is null);
comment on function internal.is_unsent(uuid, integer) is
  'Whether a revision of an estimate was never sent to the customer.';

create function internal.join_strings(content jsonb) returns text
  language sql immutable set search_path = ''
  return (select string_agg(part #>> '{}', E'\n') from jsonb_path_query(content, 'strict $.**') part where jsonb_typeof(part) = 'string');
comment on function internal.join_strings(jsonb) is 'All strings of a JSON value, one per line.';

create function internal.is_automated_only(customer_ids uuid[], contact text) returns boolean
  language sql stable set search_path = ''
  return coalesce((
    select bool_and(is_automated)
    from (
      select flagged_reasons <> '{}' as is_automated from public.bookings
      where customer_id = any (customer_ids) and contact in (lower(trim(customer_email)), internal.normalize_phone(customer_phone))
      union all
      select flagged_reasons <> '{}' from public.quote_requests
      where customer_id = any (customer_ids) and contact in (lower(trim(email)), internal.normalize_phone(phone))
      union all
      select false from public.estimates
      where customer_id = any (customer_ids) and contact in (lower(customer_email), internal.normalize_phone(customer_phone))
    ) records), false);
comment on function internal.is_automated_only(uuid[], text) is
  'Whether an email address or phone number of a customer occurs only in bookings and quote requests that are '
  'flagged as suspicious (flagged_reasons).';

create function internal.belongs_to_others(customer_ids uuid[], kind text, input_text text) returns boolean
  language sql stable set search_path = ''
  return exists (
      select from public.customer_contact_methods contact join public.customers other on other.id = contact.customer_id
      where contact.kind = belongs_to_others.kind and contact.match_key = input_text and other.id <> all (customer_ids) and other.erased_at is null
        -- An unconfirmed email address does not count as another customer's address, because any visitor can type any
        -- address.
        and (contact.confirmed_at is not null or lower(trim(other.email)) = input_text))
    or exists (
      select from public.vehicles vehicle where input_text in (vehicle.plate_key, vehicle.vin) and vehicle.customer_id <> all (customer_ids) and vehicle.merged_into is null)
    or exists (
      select from public.shop
      where input_text in (lower(support_email), lower(billing_email), lower(booking_email), internal.normalize_phone(phone),
        internal.normalize_phone(billing_phone)))
    or exists (select from public.employees where lower(email) = input_text);
comment on function internal.belongs_to_others(uuid[], text, text) is
  'Whether an email address, phone number, plate or VIN also belongs to another customer, a team member or the shop.';

create function internal.list_searchable_identifiers(customer_ids uuid[]) returns internal.personal_identifier[]
  language sql stable set search_path = ''
  return array(
    select row(kind, value)::internal.personal_identifier
    from unnest(internal.list_personal_identifiers(customer_ids)) with ordinality known (kind, value, place)
    where kind <> 'name'
      -- A plate without a digit is not searched for, because a plate such as 'MYCAR' is also a word.
      and (kind <> 'plate' or length(value) >= 5 and value ~ '[0-9]')
      and not internal.belongs_to_others(customer_ids, kind, value)
      and not internal.is_automated_only(customer_ids, value)
    order by place
  );
comment on function internal.list_searchable_identifiers(uuid[]) is
  'The identifiers of customers for which an erasure searches in the records of other customers. The list contains '
  'no name, no identifier that also belongs to somebody else, and no contact that occurs only in flagged '
  '(suspicious) bookings and quote requests.';

create function internal.find_texts(customer_ids uuid[], only_table text default null)
  returns table (
    rule internal.erasure_rules, text_key text, row_id text, is_own boolean, about text, content jsonb, pattern text
  )
  language plpgsql stable set search_path = '' as $$
declare
  own constant internal.personal_identifier[] := internal.list_personal_identifiers(customer_ids);
  elsewhere constant internal.personal_identifier[] := internal.list_searchable_identifiers(customer_ids);
  own_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.value), '|') from unnest(own) known);
  other_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.value), '|') from unnest(elsewhere) known);
  needles constant text[] := array(select distinct internal.identifier_needle(known.kind, known.value) from unnest(own) known);
  searched_rule internal.erasure_rules;
begin
  for searched_rule in
    select * from internal.erasure_rules known
    where known.label is not null and known.table_name = coalesce(only_table, known.table_name)
    order by known.table_name = 'public.settings_history', known.table_name, known.column_name
  loop
    return query execute format(
      'select $1, $2 || '' '' || (%1$s), %1$s, mine.is_own, (%2$s)::text, to_jsonb(one.%3$I), sought.pattern
       from %4$s one,
         lateral (select coalesce((%5$s) = any ($3), false) as is_own) mine,
         lateral (select case when mine.is_own then $4 else $5 end as pattern) sought
       where %6$s and case when internal.may_contain_identifier(one.%3$I::text, $6) and sought.pattern is not null
         then internal.redact(to_jsonb(one.%3$I), sought.pattern, 1000000) <> to_jsonb(one.%3$I) end
       order by 2',
      searched_rule.row_key, searched_rule.subject, searched_rule.column_name, searched_rule.table_name, searched_rule.owner, searched_rule.only_where)
    using searched_rule, searched_rule.table_name || '.' || searched_rule.column_name, customer_ids, own_pattern, other_pattern, needles;
  end loop;
end
$$;
comment on function internal.find_texts(uuid[], text) is
  'Every text that an erasure of customers changes, in one table or in all tables. In the customers'' own records '
  '(is_own), the search includes their names; in other records it does not. text_key identifies the text in the '
  'dialog that erases a customer.';

create function internal.split_at_matches(input_text text, pattern text) returns jsonb
  language sql immutable set search_path = ''
  return to_jsonb(string_to_array(
    normalize(regexp_replace(translate(normalize(input_text, nfd), U&'\E000', ''), pattern, U&'\E000' || '\&' || U&'\E000', 'gi'), nfc),
    U&'\E000'));
comment on function internal.split_at_matches(text, text) is
  'Splits a text at the matches of a pattern: the second, fourth and each further even piece is a match.';

create function internal.describe_other_texts(customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'count', count(*),
      'texts', coalesce(jsonb_agg(jsonb_build_object(
        'key', found.text_key, 'label', (found.rule).label, 'about', found.about,
        'pieces', internal.split_at_matches(internal.join_strings(found.content), found.pattern)) order by found.place)
        filter (where found.place <= 20), '[]'))
    from (
      select *, row_number() over () as place from internal.find_texts(internal.list_merged_customers(customer_id)) text_found
      where not text_found.is_own
    ) found
  );
comment on function internal.describe_other_texts(uuid) is
  'The texts in other records that erasing a customer would redact: {count, texts: [{key, label, about, pieces}]}. '
  'texts contains the first 20.';

create function internal.erase_texts(customer_ids uuid[], left_out text[], only_table text default null) returns integer
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
      -- The column has a unique constraint. If two values differed only in the erased name, a suffix keeps the second
      -- value unique.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$$;
comment on function internal.erase_texts(uuid[], text[], text) is
  'Redacts every text that internal.find_texts finds, except the texts of other records that left_out lists. Returns '
  'the number of redacted texts in other records.';

create function internal.request_file_cleanup() returns void
  language sql set search_path = ''
begin atomic
  insert into internal.file_cleanups as known (table_name)
  select distinct table_name from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  order by table_name
  on conflict (table_name) do update set requests = known.requests + 1;
end;
comment on function internal.request_file_cleanup() is
  'Requests the nightly rewrite of the data files of all tables that an erasure changes.';

create function internal.is_cleanup_time() returns boolean
  language sql stable set search_path = ''
  return internal.shop_now()::time between '02:00' and '05:00'
    and not exists (select from public.bookings where created_at > internal.current_instant() - interval '10 minutes')
    and not exists (select from public.quote_requests where created_at > internal.current_instant() - interval '10 minutes');
comment on function internal.is_cleanup_time() is
  'Whether the time at the shop is between 2 and 5 AM and no booking or quote request arrived in the last ten '
  'minutes.';

create function internal.list_file_cleanups() returns table (table_name text, requests integer)
  -- Runs with the rights of the function's owner, because the server has no right to read file_cleanups.
  language sql stable security definer set search_path = ''
begin atomic
  select known.table_name, known.requests from internal.file_cleanups known
  where known.cleaned < known.requests and known.is_ours and internal.is_cleanup_time() order by known.table_name;
end;
comment on function internal.list_file_cleanups() is
  'The tables whose data files have to be rewritten now, each with the number of requests to pass to '
  'record_file_cleanup afterwards. Returns no tables at times when is_cleanup_time is false.';
grant execute on function internal.list_file_cleanups() to shop_server;

create function internal.record_file_cleanup(name text, requests integer) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write file_cleanups.
  language sql security definer set search_path = ''
begin atomic
  update internal.file_cleanups known set cleaned = record_file_cleanup.requests where known.table_name = record_file_cleanup.name;
end;
comment on function internal.record_file_cleanup(text, integer) is
  'Records that the data files of a table were rewritten, and how many of its requests (file_cleanups.requests) the '
  'rewrite covers.';
grant execute on function internal.record_file_cleanup(text, integer) to shop_server;

create function internal.record_file_owner(login text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write file_cleanups.
  language sql security definer set search_path = ''
begin atomic
  insert into internal.file_cleanups (table_name, requests)
  select distinct table_name, 0 from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  on conflict (table_name) do nothing;
  update internal.file_cleanups known
  set is_ours = pg_has_role(login, relation.relowner, 'USAGE')
  from pg_catalog.pg_class relation
  where relation.oid = known.table_name::regclass and known.is_ours <> pg_has_role(login, relation.relowner, 'USAGE');
end;
comment on function internal.record_file_owner(text) is
  'Records which tables the site''s database login owns. Another login, which the site used earlier, may own the '
  'other tables.';
grant execute on function internal.record_file_owner(text) to shop_server;

create function internal.are_files_ours() returns boolean
  language sql stable set search_path = ''
  return not exists (select from internal.file_cleanups where not is_ours);
comment on function internal.are_files_ours() is
  'Whether the nightly job can rewrite the data files of all tables in file_cleanups.';
