-- The email outbox. An email is queued in the transaction that causes it, with a key that prevents a second email for
-- the same cause. Before a process sends an email, it reserves the email with claim_email, so that no other process
-- sends it. Emails that a visitor can cause are counted against limits.

create table public.emails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  dedupe_key text not null unique check (length(dedupe_key) between 1 and 200),
  recipient_email text not null check (length(recipient_email) between 1 and 254),
  recipient_name text not null default '' check (length(recipient_name) <= 200),
  subject text not null check (length(subject) between 1 and 300),
  html_body text not null,
  text_body text not null,
  attachments jsonb not null default '[]',
  booking_id uuid references public.bookings on delete cascade,
  quote_request_id uuid references public.quote_requests on delete cascade,
  invoice_id text check (length(invoice_id) <= 100),
  appointment_at timestamp,
  status text not null default 'queued' check (status in ('queued', 'retrying', 'sent', 'in_outbox', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  resend_count integer not null default 0,
  last_error text check (length(last_error) <= 500),
  provider_message_id text check (length(provider_message_id) <= 300),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  estimate_id uuid references public.estimates on delete cascade,
  estimate_revision integer,
  constraint emails_sent_at_matches_status check ((status in ('sent', 'in_outbox')) = (sent_at is not null)),
  constraint emails_kind_fkey foreign key (kind) references internal.email_kinds,
  constraint emails_revision_needs_estimate check (estimate_revision is null or estimate_id is not null)
);
comment on table public.emails is 'The outbox of emails: one row per email, with its delivery status.';
comment on column public.emails.dedupe_key is
  'The event that caused the email, as a key such as receipt:in_123. A second email with the same key is not created.';
comment on column public.emails.attachments is 'The attachments as a list of {filename, contentType, contentBase64}.';
comment on column public.emails.appointment_at is
  'The start of the appointment that the email states, in shop time. The email is no longer sent if the booking has '
  'another start.';
comment on column public.emails.status is
  'The delivery status. queued: no attempt yet; retrying: an attempt failed, and another one follows; sent: the mail '
  'server accepted the email; in_outbox: the email was written to the outbox folder, because no mail server is '
  'configured; failed: no further attempt follows.';
comment on column public.emails.next_attempt_at is
  'The time of the next attempt. Each attempt sets a later time, so that no two processes send the same message.';
comment on column public.emails.leased_until is
  'During an attempt, the time at which the lease of the sending process expires; null otherwise. If the process '
  'crashes, another process sends the email after that time.';
comment on column public.emails.resend_count is
  'The number of times that the admin sent the email again. For the mail server, each resent email is a new message.';
comment on column public.emails.estimate_revision is
  'The revision of the estimate that the email contains; a later revision makes the email outdated.';

create index emails_to_send on public.emails (next_attempt_at) where status in ('queued', 'retrying');
create index emails_of_booking on public.emails (booking_id) where booking_id is not null;
create index emails_of_quote_request on public.emails (quote_request_id) where quote_request_id is not null;
create index emails_of_invoice on public.emails (invoice_id) where invoice_id is not null;
create index emails_of_recipient on public.emails (lower(recipient_email), created_at desc);
create index emails_newest_first on public.emails (created_at desc);
create index emails_failed on public.emails (created_at) where status = 'failed';
create index emails_of_estimate on public.emails (estimate_id) where estimate_id is not null;

alter table public.emails enable row level security;
-- The column grants below let the dashboard read the delivery status; only the server reads bodies and attachments.
grant select on public.emails to service_role;
grant select, insert, update on public.emails to shop_server;
grant select (id, kind, recipient_email, recipient_name, subject, booking_id, quote_request_id, invoice_id, status, attempts,
  next_attempt_at, last_error, created_at, sent_at) on public.emails to authenticated;
create policy "the admin reads delivery states" on public.emails for select to authenticated using ((select internal.is_admin()));
create policy "the server reads emails" on public.emails for select to shop_server using (true);
create policy "the server adds emails" on public.emails for insert to shop_server with check (true);
create policy "the server records delivery" on public.emails for update to shop_server using (true) with check (true);

create function internal.refuse_uncounted_notice() returns trigger
  -- Runs with the rights of the function's owner, because it reads owner_notices regardless of the policies of the role
  -- that writes the email.
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from internal.owner_notices where notified_at = now()) then
    raise exception 'An email to the owner is written after add_owner_notice or claim_owner_notices.' using errcode = '22023';
  end if;
  return new;
end
$$;
comment on function internal.refuse_uncounted_notice() is
  'Refuses an email to the owner that bypasses add_owner_notice and claim_owner_notices, which limit the frequency of '
  'these emails.';
create trigger refuse_uncounted_notice before insert on public.emails
  for each row when (new.kind = 'owner_notice' and current_user = 'shop_server') execute function internal.refuse_uncounted_notice();

create trigger announce_invoice after insert on public.emails
  for each row when (new.invoice_id is not null) execute function internal.announce_invoice();
create trigger announce_changed_invoice after update of status on public.emails
  for each row when (new.invoice_id is not null and new.status is distinct from old.status) execute function internal.announce_invoice();
create trigger announce_quote after insert on public.emails
  for each row when (new.quote_request_id is not null) execute function internal.announce_quote('quote_request_id');
create trigger announce_changed_quote after update of status on public.emails
  for each row when (new.quote_request_id is not null and new.status is distinct from old.status)
  execute function internal.announce_quote('quote_request_id');

create table internal.email_kinds (
  kind text primary key,
  is_retried boolean not null,
  is_visitor_triggered boolean not null,
  must_match text not null,
  is_sent_at_night boolean not null default true,
  constraint email_kinds_must_match_check check (must_match in ('booking', 'held_booking', 'cancelled_booking', 'sent_revision', 'nothing'))
);
comment on table internal.email_kinds is 'The kinds of email, each with its rules for sending.';
comment on column internal.email_kinds.is_retried is
  'Whether an email whose delivery failed is sent again later. If false, the person who sends the email sees the '
  'error immediately.';
comment on column internal.email_kinds.is_visitor_triggered is
  'Whether a visitor can cause an email of this kind by a form, a booking link or a request for links. Such emails are counted against '
  'limits. A visitor can cause no other kind.';
comment on column internal.email_kinds.must_match is
  'The record that must still agree with the email when it is sent: the booking (also a held or cancelled one), the '
  'estimate (the customer must still be able to decide), or none.';
comment on column internal.email_kinds.is_sent_at_night is 'Whether emails of this kind are also sent between 9 PM and 8 AM, shop time.';

insert into internal.email_kinds (kind, is_retried, is_visitor_triggered, must_match, is_sent_at_night) values
  ('booking_confirmation', true, true, 'booking', true),
  ('confirmation_request', true, true, 'held_booking', true),
  ('quote_confirmation', true, true, 'nothing', true),
  ('quote_reply', false, false, 'nothing', true),
  ('invoice', true, false, 'nothing', true),
  ('payment_request', true, false, 'nothing', true),
  ('payment_receipt', true, false, 'nothing', true),
  ('invoice_correction', true, false, 'nothing', true),
  ('owner_notice', true, false, 'nothing', true),
  ('test_message', false, false, 'nothing', true),
  ('booking_reminder', true, false, 'booking', false),
  ('booking_moved', true, true, 'booking', true),
  ('booking_cancelled', true, true, 'cancelled_booking', true),
  ('estimate', true, false, 'sent_revision', true),
  ('estimate_approved', true, false, 'nothing', true),
  ('address_question', true, true, 'booking', false),
  ('visit_links', true, true, 'nothing', true),
  ('booking_handed_over', true, false, 'nothing', true),
  ('invitation', true, false, 'nothing', true)
on conflict do nothing;

alter table internal.email_kinds enable row level security;
grant select on internal.email_kinds to shop_server;
create policy "the server reads email kinds" on internal.email_kinds for select to shop_server using (true);

create table internal.visitor_email_limits (
  name text not null check (name in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  period interval not null,
  max_count integer not null check (max_count >= 0),
  primary key (name, period)
);
comment on table internal.visitor_email_limits is
  'The limits on the number of emails that visitors can cause in a period. The limits are far above ordinary use: a '
  'customer books a few times, and a shop has a few dozen visitors a day.';
comment on column internal.visitor_email_limits.name is
  'The group whose emails are counted: the emails to one mailbox, to one domain with few customers, from one '
  'client, for flagged (suspicious) forms, or of the whole site.';

insert into internal.visitor_email_limits (name, period, max_count) values
  ('flagged', '01:00:00', 20),
  ('site', '1 day', 300),
  ('mailbox', '01:00:00', 10),
  ('mailbox', '1 day', 20),
  ('domain', '1 day', 30),
  ('address', '01:00:00', 20),
  ('address', '1 day', 30),
  ('site', '01:00:00', 100)
on conflict do nothing;

alter table internal.visitor_email_limits enable row level security;

create table internal.visitor_emails (
  dedupe_key text primary key,
  mailbox_digest bytea not null,
  domain_digest bytea,
  address_digest bytea,
  is_flagged boolean not null,
  exceeded_limit text check (exceeded_limit in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  created_at timestamptz not null default now()
);
comment on table internal.visitor_emails is
  'The emails that visitors caused, also emails that a limit prevented. Rows are deleted after two days. Email '
  'addresses and IP addresses are stored only as digests.';
comment on column internal.visitor_emails.dedupe_key is
  'The same key as in emails. The table emails contains no row for an email that a limit prevented.';
comment on column internal.visitor_emails.mailbox_digest is 'The digest of the recipient''s normalized mailbox.';
comment on column internal.visitor_emails.domain_digest is 'The digest of the recipient''s domain (internal.mailbox_owner_domain).';
comment on column internal.visitor_emails.address_digest is
  'The digest of the IP address of the client that sent the form (form_origins.address_digest).';
comment on column internal.visitor_emails.exceeded_limit is
  'The limit that was exceeded; null for an email that was queued.';

create index visitor_emails_newest_first on internal.visitor_emails (created_at desc);
create index visitor_emails_counted on internal.visitor_emails (created_at)
  include (mailbox_digest, domain_digest, address_digest, is_flagged) where exceeded_limit is null;

alter table internal.visitor_emails enable row level security;
grant select, delete on internal.visitor_emails to shop_server;
create policy "the server counts visitor emails" on internal.visitor_emails for select to shop_server using (true);
create policy "the server deletes visitor emails" on internal.visitor_emails for delete to shop_server using (true);

create table internal.owner_notices (
  dedupe_key text primary key,
  line text not null constraint owner_notices_line_is_text check (internal.is_single_line_text(line, 1, 300)),
  noted_at timestamptz not null default now(),
  notified_at timestamptz
);
comment on table internal.owner_notices is
  'The notices to the owner. The first notice is emailed immediately; later notices are collected in one email every '
  'ten minutes. A notice is deleted after a month. Until then, no second notice with the same key is sent.';
comment on column internal.owner_notices.dedupe_key is
  'The event that caused the notice, as a key with ids, like emails.dedupe_key.';
comment on column internal.owner_notices.line is
  'The line that describes the notice in the collected email; it contains no name of a person.';
comment on column internal.owner_notices.notified_at is 'When the email with the notice was queued; null until then.';

create index owner_notices_waiting on internal.owner_notices (noted_at) where notified_at is null;
create index owner_notices_notified on internal.owner_notices (notified_at);

alter table internal.owner_notices enable row level security;
grant select, delete on internal.owner_notices to shop_server;
create policy "the server reads notices to the owner" on internal.owner_notices for select to shop_server using (true);
create policy "the server forgets notices to the owner" on internal.owner_notices for delete to shop_server using (true);

create function internal.reached_email_limit(visitor_email internal.visitor_emails, mailbox text) returns text
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
comment on function internal.reached_email_limit(internal.visitor_emails, text) is
  'The limit that prevents an email to a mailbox; null if no limit is reached.';

create function internal.build_visitor_email(message jsonb, mailbox text) returns internal.visitor_emails
  language plpgsql stable set search_path = '' as $$
declare
  built internal.visitor_emails;
begin
  built.dedupe_key := message ->> 'dedupe_key';
  built.mailbox_digest := sha256(convert_to(mailbox, 'UTF8'));
  built.domain_digest := sha256(convert_to(internal.mailbox_owner_domain(mailbox), 'UTF8'));
  built.created_at := now();
  select origin.address_digest, coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}'
  into built.address_digest, built.is_flagged
  from (values (message)) as asked
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id;
  return built;
end
$$;
comment on function internal.build_visitor_email(jsonb, text) is
  'Builds the row of visitor_emails for an email, by which the limits count the email.';

create function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
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
comment on function public.queue_visitor_email(jsonb, boolean) is
  'Adds an email that a visitor caused to the outbox, only once for each dedupe_key; returns null if a limit prevents '
  'the email. The keys of the argument message are columns of emails. is_capped is false only in load tests, to which '
  'the limits do not apply.';
grant execute on function public.queue_visitor_email(jsonb, boolean) to service_role, shop_server;

create function internal.email_outdated_reason(email public.emails) returns text
  language sql stable set search_path = '' as $$
  select case
    when not rules.is_sent_at_night and internal.is_quiet_hours() then 'Not sent in time: it is night.'
    when rules.must_match = 'sent_revision' then coalesce(
      internal.sent_revision_outdated_reason(email.estimate_id, email.estimate_revision),
      internal.sent_revision_misdirected_reason(email.estimate_id, email.recipient_email))
    when rules.must_match = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when email.kind <> 'address_question' and lower(email.recipient_email) <> lower(booking.customer_email)
      then 'Not sent: the appointment has another email address.'
    when rules.must_match = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.must_match = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.customer_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;
comment on function internal.email_outdated_reason(public.emails) is
  'The reason why an email must no longer be sent, as a text for the outbox page; null if it can be sent.';

create function public.claim_email(email_id uuid) returns setof public.emails
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
comment on function public.claim_email(uuid) is
  'Reserves an email for one delivery attempt and returns the email with current links. Returns no row if the email '
  'is already sent or failed, is reserved by another process, is not due or belongs to the sample week. Sets the '
  'status of an outdated email to failed and returns no row. Also returns no row while emails are paused after a '
  'restore from a backup. The first attempt can be made before next_attempt_at.';
grant execute on function public.claim_email(uuid) to service_role, shop_server;

create function public.record_email_sent(email_id uuid, outcome text, provider_message_id text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write emails, quote_email_logs and
  -- quote_requests.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(record_email_sent.provider_message_id, 300)
  where email.id = record_email_sent.email_id;
  if outcome = 'sent' then
    perform internal.record_notified_state(record_email_sent.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = record_email_sent.email_id;
  -- Completes the quote request when its reply was sent, even if earlier attempts to send failed (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = record_email_sent.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$$;
comment on function public.record_email_sent(uuid, text, text) is
  'Records that the mail server accepted an email that claim_email reserved (sent), or that it is in the outbox '
  'folder (in_outbox).';
grant execute on function public.record_email_sent(uuid, text, text) to service_role, shop_server;

create function public.record_email_failure(email_id uuid, reason text, is_final boolean) returns text
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
comment on function public.record_email_failure(uuid, text, boolean) is
  'Records that an email, reserved by claim_email, was not accepted, and returns the status of the email: failed '
  'when is_final, when its kind is not retried, or after the last attempt; otherwise retrying. If the email was the '
  'only reply to a quote request, the request is pending again.';
grant execute on function public.record_email_failure(uuid, text, boolean) to service_role, shop_server;

create function internal.is_sample_email(email public.emails) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (select from public.bookings where id = email.booking_id and is_sample)
    or exists (select from public.quote_requests where id = email.quote_request_id and is_sample)
    or internal.is_sample_estimate(email.estimate_id)
    or (email.invoice_id is not null
        and exists (select from internal.sample_invoices() sample where sample.invoice_id = email.invoice_id));
end
$$;
comment on function internal.is_sample_email(public.emails) is
  'Whether an email is about the sample week (sample data for a new shop); such emails stay in the outbox.';

create function internal.list_undelivered_emails() returns setof public.emails
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
    -- Each condition uses its own index. One condition that combines them by `or` would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$$;
comment on function internal.list_undelivered_emails() is
  'The failed emails to customers that staff should still deal with, at most the oldest 50. They are not outdated, '
  'were not sent again, and either belong to an upcoming booking (in the next 60 days) or are at most 14 days old.';

create function internal.describe_undelivered_emails() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', email.id, 'kind', email.kind, 'recipient_name', email.recipient_name, 'recipient_email', email.recipient_email,
    'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', email.booking_id,
    'appointment_date', booking.appointment_date, 'quote_request_id', email.quote_request_id, 'created_at', email.created_at
  ) order by email.created_at, email.id), '[]')
  from internal.list_undelivered_emails() email
  left join public.bookings booking on booking.id = email.booking_id
  left join public.quote_requests quote on quote.id = email.quote_request_id
$$;
comment on function internal.describe_undelivered_emails() is
  'The undelivered emails for the page Today, each with the customer whom staff can call and the record that the '
  'email is about.';

create function internal.bookings_to_remind(max_rows integer) returns setof public.bookings
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
comment on function internal.bookings_to_remind(integer) is
  'The bookings of tomorrow whose customers have to get a reminder now. Reminders are sent from the time in '
  'booking_rules.reminder_time until 9 PM, only one for each start time of a booking.';
grant execute on function internal.bookings_to_remind(integer) to shop_server;

create function internal.has_change_email(booking public.bookings) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from public.emails email
    where email.booking_id = booking.id and email.dedupe_key in (
      'booking:' || booking.id || ':moved:' || booking.calendar_sequence,
      'booking:' || booking.id || ':cancelled:' || booking.calendar_sequence,
      'booking:' || booking.id || ':restored:' || booking.calendar_sequence)
  );
comment on function internal.has_change_email(public.bookings) is
  'Whether an email about the latest move, cancellation or restoration of a booking was queued.';

create function internal.with_current_links(body text, recipient_email text) returns text
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
comment on function internal.with_current_links(text, text) is
  'The text of an email in which outdated links to the recipient''s bookings and estimates are replaced by the '
  'current ones.';

create function internal.mailbox_owner_domain(mailbox text) returns text
  language sql immutable strict set search_path = '' as $$
  select substring(host from '(?:^|\.)([^.]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.]+))$')
  from internal.mail_host_of(mailbox) as host
  where host not in ('gmail.com', 'proton.me')
$$;
comment on function internal.mailbox_owner_domain(text) is
  'The domain, without subdomains, whose mailboxes may belong to one person, so that a limit counts the emails to '
  'these mailboxes together. Null for Gmail and Proton, where each mailbox has a different owner.';

create function internal.has_ten_customers(host text) returns boolean
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
comment on function internal.has_ten_customers(text) is
  'Whether completed bookings contain at least ten different mailboxes of one email domain.';

create function internal.was_owner_notified() returns boolean
  language plpgsql set search_path = '' as $$
begin
  -- Takes the lock for notices to the owner, so that a concurrent call waits and then sees the notice of this
  -- transaction.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where notified_at > now() - interval '10 minutes');
end
$$;
comment on function internal.was_owner_notified() is
  'Whether an email to the owner was queued in the last ten minutes. Also locks the notices until the transaction '
  'ends.';

create function internal.add_owner_notice(dedupe_key text, line text) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write owner_notices.
  language plpgsql security definer set search_path = '' as $$
declare
  must_wait boolean := internal.was_owner_notified();
begin
  must_wait := must_wait or exists (select from internal.owner_notices where notified_at is null);
  insert into internal.owner_notices (dedupe_key, line, notified_at)
  values (add_owner_notice.dedupe_key, add_owner_notice.line, case when not must_wait then now() end)
  on conflict do nothing;
  return found and not must_wait;
end
$$;
comment on function internal.add_owner_notice(text, text) is
  'Adds a notice to the owner, only once for each key. Returns true if the caller must queue the email in the same '
  'transaction; false if the next collected email contains the notice.';
grant execute on function internal.add_owner_notice(text, text) to shop_server;

create function internal.claim_owner_notices() returns table (line text)
  -- Runs with the rights of the function's owner, because the server has no right to write owner_notices.
  language plpgsql security definer set search_path = '' as $$
begin
  if internal.was_owner_notified() then
    return;
  end if;
  return query
    with taken as (
      update internal.owner_notices notice set notified_at = now() where notice.notified_at is null
      returning notice.line, notice.noted_at
    )
    select taken.line from taken order by taken.noted_at;
end
$$;
comment on function internal.claim_owner_notices() is
  'Returns the notices that were not emailed yet, oldest first, if the last email to the owner is at least ten '
  'minutes old. The caller must queue one email with all of them in the same transaction.';
grant execute on function internal.claim_owner_notices() to shop_server;
