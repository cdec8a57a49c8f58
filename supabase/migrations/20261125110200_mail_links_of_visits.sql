-- Whoever lost the link to an appointment asks for it by e-mail. What is asked is only written down, whoever asks: the
-- answer tells nobody whether an address has an appointment.

create table internal.link_requests (
  mailbox_digest bytea primary key,
  mailbox text,
  asked_at timestamptz not null default now()
);
comment on table internal.link_requests is
  'Who asked for the links of their appointments: one letter an hour to a mailbox. Forgotten after a day.';
comment on column internal.link_requests.mailbox_digest is 'SHA-256 of the mailbox, by which the next one is counted.';
comment on column internal.link_requests.mailbox is 'As internal.mailbox_of has it; null once it was answered.';
create index link_requests_waiting on internal.link_requests (asked_at) where mailbox is not null;
alter table internal.link_requests enable row level security;

create function internal.ask_for_links(email text) returns void
  language plpgsql
  -- Nobody reads who asked.
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := internal.mailbox_of(email);
begin
  insert into internal.link_requests as known (mailbox_digest, mailbox)
  values (sha256(convert_to(wanted, 'UTF8')), wanted)
  on conflict (mailbox_digest) do update set mailbox = excluded.mailbox, asked_at = now()
    where known.asked_at < now() - interval '1 hour';
end
$$;
comment on function internal.ask_for_links(text) is
  'Notes that somebody wants the links of this address; once an hour for a mailbox.';
grant execute on function internal.ask_for_links(text) to shop_server;

create function internal.take_link_request() returns setof public.bookings
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  asked record;
begin
  delete from internal.link_requests where asked_at < now() - interval '1 day';
  for asked in
    select mailbox_digest, mailbox from internal.link_requests
    where mailbox is not null order by asked_at for update skip locked
  loop
    update internal.link_requests set mailbox = null where mailbox_digest = asked.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.mailbox_of(booking.customer_email) = asked.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- One letter a transaction; who has no appointment is answered by nothing.
    exit when found;
  end loop;
end
$$;
comment on function internal.take_link_request() is
  'Takes requests for links up to the first whose mailbox has appointments to come, and returns those: at most 20, soonest '
  'first. Nothing when no request is left.';
grant execute on function internal.take_link_request() to shop_server;

insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with) values
  ('visit_links', true, false, 'nothing');
