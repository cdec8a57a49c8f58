-- Anybody can make the shop write to anybody: a form names the address. So these letters are counted where they are
-- written, by whom they go to, where they were asked for, and all together.

create table internal.visitor_letters (
  dedupe_key text primary key,
  mailbox_digest bytea not null,
  domain_digest bytea,
  address_digest bytea,
  is_flagged boolean not null,
  refused_because text check (refused_because in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  created_at timestamptz not null default now()
);
comment on table internal.visitor_letters is
  'The letters that visitors caused, and those that a cap kept back; for two days. No address is kept, only digests.';
comment on column internal.visitor_letters.dedupe_key is 'As in emails; a letter that was kept back has no row there.';
comment on column internal.visitor_letters.mailbox_digest is 'Of the mailbox, however its address is spelled.';
comment on column internal.visitor_letters.domain_digest is 'Of the recipient''s domain; null for the providers that everybody is with.';
comment on column internal.visitor_letters.address_digest is 'Of the client that sent the form; see form_origins.';
comment on column internal.visitor_letters.refused_because is 'The cap that was reached; null for a letter that was written.';
create index visitor_letters_newest_first on internal.visitor_letters (created_at desc);

alter table internal.visitor_letters enable row level security;
grant select, delete on internal.visitor_letters to shop_server;
create policy "the server counts letters to visitors" on internal.visitor_letters for select to shop_server using (true);
create policy "the server forgets letters to visitors" on internal.visitor_letters for delete to shop_server using (true);

create table internal.letter_caps (
  name text not null check (name in ('mailbox', 'domain', 'address', 'flagged', 'site')),
  span interval not null,
  most integer not null check (most >= 0),
  primary key (name, span)
);
comment on table internal.letter_caps is
  'How many letters visitors may cause in a span of time. A person books a few times; one shop has a few dozen visitors a day.';
comment on column internal.letter_caps.name is
  'Counted: all to one mailbox, to one rare domain, from one client, for flagged forms, of the whole site.';
insert into internal.letter_caps (name, span, most) values
  ('mailbox', '1 hour', 5),
  ('mailbox', '1 day', 10),
  ('domain', '1 day', 12),
  ('address', '1 hour', 6),
  ('address', '1 day', 12),
  ('flagged', '1 hour', 20),
  ('site', '1 hour', 60),
  ('site', '1 day', 300);
-- Read with its owner's rights only.
alter table internal.letter_caps enable row level security;

create function internal.mailbox_of(email text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
              else name || '@' || domain end
  from (
    select split_part(regexp_replace(spelled, '@[^@]*$', ''), '+', 1) as name,
           rtrim(substring(spelled from '@([^@]*)$'), '.') as domain
    from lower(normalize(email, nfkc)) as spelled
  ) as parts
$$;
comment on function internal.mailbox_of(text) is
  'One text for all spellings of an address that reach one mailbox: case, width, +tags, and at Gmail dots.';

create function internal.rare_domain_of(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select case when owner ~ any (array[
    '^(gmail|outlook|hotmail|live|msn|yahoo|ymail|rocketmail|icloud|me|mac|aol|proton|protonmail|pm|gmx|mail|zoho|fastmail)\.',
    '^(comcast|att|sbcglobal|verizon|cox|charter|earthlink|pacbell|bellsouth|optonline|spectrum)\.net$'
  ]) then null else owner end
  from substring(mailbox from '@(?:.*\.)?([^.@]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.@]+))$') as owner
$$;
comment on function internal.rare_domain_of(text) is
  'The domain whose owner runs the mailbox, without hosts below it; null for the providers that everybody is with.';

create function internal.reached_letter_cap(letter internal.visitor_letters) returns text
  language sql stable
  set search_path = ''
as $$
  select cap.name
  from internal.letter_caps cap
  where cap.most <= (
    select count(*) from internal.visitor_letters written
    where written.created_at > now() - cap.span and written.refused_because is null
      and case cap.name
        when 'mailbox' then written.mailbox_digest = letter.mailbox_digest
        when 'domain' then written.domain_digest = letter.domain_digest
        when 'address' then written.address_digest = letter.address_digest
        when 'flagged' then written.is_flagged and letter.is_flagged
        else true
      end
  )
  -- The site's last: it is the owner's worry, the others are the sender's.
  order by cap.name = 'site' limit 1
$$;
comment on function internal.reached_letter_cap(internal.visitor_letters) is
  'The cap that keeps a letter back, null for none.';

create function internal.count_letter(message jsonb) returns internal.visitor_letters
  language sql stable
  set search_path = ''
as $$
  select message ->> 'dedupe_key', sha256(convert_to(mailbox, 'UTF8')),
         sha256(convert_to(internal.rare_domain_of(mailbox), 'UTF8')), origin.address_digest,
         coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}', null::text, now()
  from internal.mailbox_of(message ->> 'recipient_email') as mailbox
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id
$$;
comment on function internal.count_letter(jsonb) is 'A letter as the caps see it.';

create function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  letter internal.visitor_letters;
  written uuid;
begin
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
comment on function public.queue_visitor_email(jsonb, boolean) is
  'Writes a letter that a visitor caused into the outbox, once for its dedupe_key; null when a cap keeps it back. '
  '`message` has the columns of emails. Only load tests of one''s own write without caps.';
grant execute on function public.queue_visitor_email(jsonb, boolean) to shop_server, service_role;
