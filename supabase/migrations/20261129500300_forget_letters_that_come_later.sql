-- What the owner was told of a letter that never arrived kept its addressee, and a receipt that was written after an erasure
-- stayed for good. An open invoice of which the processor knows nothing refused every erasure.

create function internal.notices_of_letters(letters uuid[]) returns setof uuid
  language sql stable
  set search_path = ''
  begin atomic
    select notice.id
    from unnest(letters) letter
    -- 'undelivered:<', the letter's id, '.'
    join public.emails notice
      on notice.dedupe_key >= 'undelivered:<' || letter || '.' and notice.dedupe_key < 'undelivered:<' || letter || '/';
  end;
comment on function internal.notices_of_letters(uuid[]) is 'What the owner was told of letters that could not be delivered.';

create or replace function internal.erase_letters(whom uuid[]) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  gone uuid[] := '{}';
begin
  foreach person in array whom loop
    gone := gone || array(select id from internal.emails_of_person(person));
  end loop;
  gone := gone || array(select internal.notices_of_letters(gone));
  delete from public.quote_email_logs
  where email_id = any (gone) or quote_request_id in (select id from public.quote_requests where person_id = any (whom));
  delete from internal.visitor_letters where dedupe_key in (select dedupe_key from public.emails where id = any (gone));
  delete from internal.link_requests request
  using public.person_contacts contact
  where contact.person_id = any (whom) and contact.kind = 'email' and request.mailbox = internal.mailbox_of(contact.value);
  -- One that waits is not sent any more.
  delete from public.emails where id = any (gone);
  return gone;
end
$$;

create or replace function internal.end_retention() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  whom constant uuid[] := array(
    select distinct erasure.person_id from public.erasures erasure
    where erasure.kept_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.kept) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  renamed integer;
begin
  perform internal.erase_estimates(whom, today);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and customer_name <> 'Erased' and internal.kept_until(made_at) < today;
  get diagnostics renamed = row_count;
  -- A receipt of what was paid meanwhile is still sent, and is then nobody's either.
  delete from public.emails
  where id in (
    select letter.id from (select distinct person_id from public.erasures) erased
    cross join lateral internal.emails_of_person(erased.person_id) letter
    where letter.status not in ('queued', 'retrying'));
  return renamed;
end
$$;

create function internal.note_missing_invoice(invoice_id text) returns void
  language sql
  security definer
  set search_path = ''
begin atomic
  update public.invoice_links links set status = 'void' where links.invoice_id = note_missing_invoice.invoice_id;
end;
comment on function internal.note_missing_invoice(text) is 'Notes that the processor knows an invoice no more: nobody can pay it.';
grant execute on function internal.note_missing_invoice(text) to shop_server;

create function internal.has_erased() returns boolean
  language sql stable
  security definer
  set search_path = ''
begin atomic
  select exists (select from public.erasures);
end;
comment on function internal.has_erased() is 'Whether anybody was erased.';
grant execute on function internal.has_erased() to shop_server;
