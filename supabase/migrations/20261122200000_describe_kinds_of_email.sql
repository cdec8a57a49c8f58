-- What the database has to know of each kind of e-mail, one row a kind: a new one decides it here. The rest is
-- letters/email-kinds.ts, and a test holds the two together.

create table internal.email_kinds (
  kind text primary key,
  is_retried boolean not null,
  is_confirmation boolean not null,
  agrees_with text not null check (agrees_with in ('booking', 'held_booking', 'nothing'))
);
comment on table internal.email_kinds is 'The kinds of e-mail, and what holds for each.';
comment on column internal.email_kinds.is_retried is
  'Whether a message that was not taken is tried again later; else whoever sends it is told at once.';
comment on column internal.email_kinds.is_confirmation is
  'Whether a visitor may cause it by a form; such a letter is counted by the caps. No other kind is written for a visitor.';
comment on column internal.email_kinds.agrees_with is
  'What has to be as the message says when it leaves: its booking, a booking that still waits to be confirmed, or nothing.';

alter table internal.email_kinds enable row level security;
grant select on internal.email_kinds to shop_server;
create policy "the server reads kinds of e-mail" on internal.email_kinds for select to shop_server using (true);

insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with) values
  ('booking_confirmation', true, true, 'booking'),
  ('confirmation_request', true, true, 'held_booking'),
  ('quote_confirmation', true, true, 'nothing'),
  ('quote_reply', false, false, 'nothing'),
  ('invoice', true, false, 'nothing'),
  ('payment_receipt', true, false, 'nothing'),
  ('owner_notice', true, false, 'nothing');

alter table public.emails
  drop constraint emails_kind_check,
  add constraint emails_kind_fkey foreign key (kind) references internal.email_kinds;

create or replace function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  letter internal.visitor_letters;
  written uuid;
begin
  if not exists (select from internal.email_kinds known where known.kind = message ->> 'kind' and is_confirmation) then
    raise exception 'No visitor causes an e-mail of kind %.', message ->> 'kind' using errcode = '22023';
  end if;
  -- One at a time: what is counted is what is written.
  perform pg_advisory_xact_lock(hashtextextended('letters to visitors', 0));
  select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  if found then
    return written;
  end if;
  letter := internal.count_letter(message);
  letter.refused_because := case when is_capped then internal.reached_letter_cap(letter) end;
  insert into internal.visitor_letters select letter.*
    on conflict (dedupe_key) do update
    set refused_because = excluded.refused_because, created_at = excluded.created_at;
  if letter.refused_because is not null then
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
  ) returning id into written;
  return written;
end
$$;
