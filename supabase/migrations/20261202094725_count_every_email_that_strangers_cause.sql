-- A stranger could have more written to one mailbox than the caps allow: links of appointments were counted by the hour and
-- not by the letter, and each of Proton's domains was a mailbox of its own. Notices to the owner were not counted at all.

create or replace function internal.mailbox_of(email text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
              -- https://proton.me/support/addresses-and-aliases: one account has its name at all of them.
              when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
              else name || '@' || domain end
  from (
    select coalesce(nullif(split_part(whole, '+', 1), ''), whole) as name, domain
    from (
      select regexp_replace(spelled, '@[^@]*$', '') as whole, rtrim(substring(spelled from '@([^@]*)$'), '.') as domain
      from lower(normalize(email, nfkc)) as spelled
    ) as halves
  ) as parts
$$;
comment on function internal.mailbox_of(text) is
  'One text for all spellings of an address that reach one mailbox: case, width, +tags, at Gmail dots, and at Proton its domains.';
reindex index public.bookings_open_by_mailbox;

create function internal.mail_host_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
  return substring(mailbox from '@([^@]*)$');
comment on function internal.mail_host_of(text) is 'What stands behind the @ of a mailbox.';

create function internal.capped_domain_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select substring(host from '(?:^|\.)([^.]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.]+))$')
  from internal.mail_host_of(mailbox) as host
  where host not in ('gmail.com', 'proton.me')
$$;
comment on function internal.capped_domain_of(text) is
  'The domain whose mailboxes are counted together, without hosts below it; null for Gmail and Proton, which give everybody one '
  'mailbox that we know by all its names.';
drop function internal.rare_domain_of(text);

-- The index below is written with the rights of whoever completes an appointment.
grant execute on function internal.mail_host_of(text) to authenticated;
create index bookings_completed_by_mail_host
  on public.bookings (internal.mail_host_of(internal.mailbox_of(customer_email)), internal.mailbox_of(customer_email))
  where completed_at is not null and not is_sample;

create function internal.has_ten_customers(host text) returns boolean
  language sql stable
  set search_path = ''
as $$
  -- From one mailbox to the next by the index: ten looks, however many appointments each has.
  with recursive found (mailbox, nth) as (
    (
      select internal.mailbox_of(customer_email), 1 from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.mailbox_of(customer_email)) = host
      order by internal.mailbox_of(customer_email) limit 1
    )
    union all
    select (
      select internal.mailbox_of(customer_email) from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.mailbox_of(customer_email)) = host
        and internal.mailbox_of(customer_email) > found.mailbox
      order by internal.mailbox_of(customer_email) limit 1
    ), nth + 1
    from found where mailbox is not null and nth < 10
  )
  select count(mailbox) = 10 from found
$$;
comment on function internal.has_ten_customers(text) is 'Whether ten mailboxes of a host have completed appointments.';

comment on column internal.visitor_letters.domain_digest is 'Of the recipient''s domain (internal.capped_domain_of).';
create index visitor_letters_counted on internal.visitor_letters (created_at)
  include (mailbox_digest, domain_digest, address_digest, is_flagged) where refused_because is null;

drop function internal.count_letter(jsonb);
create function internal.count_letter(message jsonb, mailbox text) returns internal.visitor_letters
  language sql stable
  set search_path = ''
as $$
  select message ->> 'dedupe_key', sha256(convert_to(mailbox, 'UTF8')),
         sha256(convert_to(internal.capped_domain_of(mailbox), 'UTF8')), origin.address_digest,
         coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}', null::text, now()
  from (values (message)) as asked
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id
$$;
comment on function internal.count_letter(jsonb, text) is 'A letter to a mailbox as the caps see it.';

drop function internal.reached_letter_cap(internal.visitor_letters);
create function internal.reached_letter_cap(letter internal.visitor_letters, mailbox text) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    with caps as materialized (
      select name, most, now() - span as since from internal.letter_caps
    ), latest as materialized (
      select created_at, mailbox_digest = letter.mailbox_digest as is_mailbox, domain_digest = letter.domain_digest as is_domain,
             address_digest = letter.address_digest as is_address, is_flagged and letter.is_flagged as is_flagged
      from internal.visitor_letters
      where refused_because is null and created_at > now() - interval '1 day'
      -- More than the whole site may cause are not read: then its own cap is reached.
      order by created_at desc limit (select min(most) from internal.letter_caps where name = 'site' and span = '1 day')
    ), reached as materialized (
      select caps.name
      from caps left join latest on latest.created_at > caps.since and case caps.name
        when 'mailbox' then is_mailbox when 'domain' then is_domain when 'address' then is_address when 'flagged' then is_flagged
        else true end
      group by caps.name, caps.since, caps.most having count(latest.created_at) >= caps.most
    )
    select name from reached
    -- A domain that many customers are with is no one person's.
    where case when name = 'domain' then not internal.has_ten_customers(internal.mail_host_of(mailbox)) else true end
    -- The site's last: it is the owner's worry, the others are the sender's.
    order by name = 'site' limit 1
  );
end
$$;
comment on function internal.reached_letter_cap(internal.visitor_letters, text) is
  'The cap that keeps a letter to a mailbox back, null for none.';

create or replace function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.mailbox_of(message ->> 'recipient_email');
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
  letter := internal.count_letter(message, mailbox);
  letter.refused_because := case when is_capped then internal.reached_letter_cap(letter, mailbox) end;
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

update internal.email_kinds set is_confirmation = true where kind = 'visit_links';
comment on column internal.email_kinds.is_confirmation is
  'Whether a visitor may cause it, by a form, by the link of an appointment or by asking for links; such a letter is counted by '
  'the caps. No other kind is written for a visitor.';

-- Its confirmation is counted with the others now.
create or replace function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
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

create table internal.owner_notices (
  dedupe_key text primary key,
  line text not null constraint owner_notices_line_is_text check (internal.is_line(line, 1, 300)),
  noted_at timestamptz not null default now(),
  told_at timestamptz
);
comment on table internal.owner_notices is
  'What the owner is notified of: the first at once, what follows in one collected email each ten minutes. Kept for a month, so '
  'that each cause is told once.';
comment on column internal.owner_notices.dedupe_key is 'Names the cause by ids, as in emails.';
comment on column internal.owner_notices.line is 'What the collected email says of it; nothing about a person.';
comment on column internal.owner_notices.told_at is 'When the email that tells it was written; null while it waits.';
create index owner_notices_waiting on internal.owner_notices (noted_at) where told_at is null;
create index owner_notices_told on internal.owner_notices (told_at);
alter table internal.owner_notices enable row level security;
grant select, delete on internal.owner_notices to shop_server;
create policy "the server reads notices to the owner" on internal.owner_notices for select to shop_server using (true);
create policy "the server forgets notices to the owner" on internal.owner_notices for delete to shop_server using (true);

create function internal.was_owner_told() returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- One at a time: whoever asks next sees what this one writes.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where told_at > now() - interval '10 minutes');
end
$$;
comment on function internal.was_owner_told() is
  'Whether an email to the owner was written in the last ten minutes; no other is until the transaction ends.';

create function internal.note_for_owner(dedupe_key text, line text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  must_wait boolean := internal.was_owner_told();
begin
  must_wait := must_wait or exists (select from internal.owner_notices where told_at is null);
  insert into internal.owner_notices (dedupe_key, line, told_at)
  values (note_for_owner.dedupe_key, note_for_owner.line, case when not must_wait then now() end)
  on conflict do nothing;
  return found and not must_wait;
end
$$;
comment on function internal.note_for_owner(text, text) is
  'Notes what the owner is to be notified of, once for its key. True when whoever asks writes the email in this transaction; '
  'false when it waits for the collected one.';

create function internal.take_owner_notices() returns table (line text)
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if internal.was_owner_told() then
    return;
  end if;
  return query
    with taken as (
      update internal.owner_notices notice set told_at = now() where notice.told_at is null
      returning notice.line, notice.noted_at
    )
    select taken.line from taken order by taken.noted_at;
end
$$;
comment on function internal.take_owner_notices() is
  'What waits to be told, oldest first, once ten minutes have passed since the last email to the owner; whoever takes it writes '
  'the collected email in the same transaction.';
grant execute on function internal.note_for_owner(text, text), internal.take_owner_notices() to shop_server;

create function internal.refuse_uncounted_notice() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if not exists (select from internal.owner_notices where told_at = now()) then
    raise exception 'An email to the owner is written after note_for_owner or take_owner_notices.' using errcode = '22023';
  end if;
  return new;
end
$$;
comment on function internal.refuse_uncounted_notice() is 'No email to the owner leaves past the ten minutes because somebody forgot them.';
create trigger refuse_uncounted_notice before insert on public.emails
  for each row when (new.kind = 'owner_notice' and current_user = 'shop_server') execute function internal.refuse_uncounted_notice();
