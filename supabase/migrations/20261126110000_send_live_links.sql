-- A letter that waited while an appointment got a new link led nowhere when it left. It is decided when it leaves, as
-- whether it is still true is.

create function internal.with_live_links(body text, recipient_email text) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  alive text := body;
  written text;
  live text;
begin
  for written in
    select distinct token[1] from regexp_matches(body, '/visit/([A-Za-z0-9_-]{43})', 'g') token
  loop
    -- Whoever typed a link that was replaced, into a note or a name, gets no live one for it: only the mailbox that the
    -- appointment was booked with does.
    select public.visit_token(booking.id) into live
    from public.bookings booking
    where booking.id
          = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(booking.customer_email) = lower(with_live_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/visit/' || written, '/visit/' || live);
    end if;
  end loop;
  return alive;
end
$$;
comment on function internal.with_live_links(text, text) is
  'The words of a letter with the links of its recipient''s appointments as they are now.';

create or replace function public.claim_email(email_id uuid) returns setof public.emails
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
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_live_links(email.html_body, email.recipient_email),
      text_body = internal.with_live_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- Also with a mail server set: its addressee does not exist.
    perform public.note_email_left(email_id, 'kept', null);
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
  'Takes a message for one attempt and returns it, with the links of visits as they are now; no row when it is done, in other '
  'hands or waits for its next attempt, when it is no longer true and fails for that, or when it is of the sample week and is '
  'kept. Whoever asks for one by its id may be the first before it is due.';
