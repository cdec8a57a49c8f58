-- The shop's own process and the functions of a hosted project both deliver from the outbox. Who may try a message,
-- and what an attempt leaves behind, is decided here once for both.

create function internal.outdated_because(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when rules.agrees_with = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.agrees_with = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;
comment on function internal.outdated_because(public.emails) is
  'Why a message is no longer true, for whoever reads the outbox; null while it may be sent.';

create function public.claim_email(email_id uuid) returns setof public.emails
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  update public.emails
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  outdated := internal.outdated_because(claimed);
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
  'Takes a message for one attempt and returns it; no row when it is done, in other hands or waits for its next attempt, '
  'or when it is no longer true and fails for that. Whoever asks for one by its id may be the first before it is due.';

create function public.note_email_left(email_id uuid, outcome text, provider_message_id text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(note_email_left.provider_message_id, 300)
  where email.id = note_email_left.email_id;
  update public.quote_email_logs log set sent_at = now() where log.email_id = note_email_left.email_id;
  -- A quote request is completed once its reply went out, also when it was sent again (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = note_email_left.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$$;
comment on function public.note_email_left(uuid, text, text) is
  'Notes that a mail server took a claimed message (sent), or that it lies in the outbox folder (kept).';

create function public.note_email_failed(email_id uuid, reason text, is_final boolean) returns text
  language sql
  security definer
  set search_path = ''
as $$
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- How long to wait after the first, second … failure; after the last wait comes the last attempt.
      '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '24 hours'
    ]::interval[])[email.attempts] end as wait
    from public.emails email join internal.email_kinds rules using (kind)
    where email.id = email_id and email.status in ('queued', 'retrying')
  )
  update public.emails email
  set status = case when outcome.wait is null then 'failed' else 'retrying' end,
      last_error = left(reason, 500), leased_until = null, next_attempt_at = now() + coalesce(outcome.wait, '0')
  from outcome where outcome.id = email.id
  returning email.status
$$;
comment on function public.note_email_failed(uuid, text, boolean) is
  'Notes that a claimed message was not taken and returns its status: failed when is_final, when its kind is not retried, '
  'or after the last attempt; else it is retrying.';

create function public.queue_quote_reply(message jsonb, log jsonb) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  written uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- The admin pressed Send again after a failure: the same message, the same Message-ID.
  on conflict (dedupe_key) do update
    -- Nobody is to find it interrupted before it is claimed.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into written;
  if not found then
    select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, written, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return written;
end
$$;
comment on function public.queue_quote_reply(jsonb, jsonb) is
  'Writes the admin''s reply to a quote request into the outbox and its log, once for its dedupe_key; returns its id. '
  'One that had failed is queued again. `message` has the columns of emails, `log` those of quote_email_logs.';

grant execute on function public.claim_email(uuid), public.note_email_left(uuid, text, text),
  public.note_email_failed(uuid, text, boolean), public.queue_quote_reply(jsonb, jsonb) to shop_server, service_role;
