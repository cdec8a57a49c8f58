-- A customer who is known by an address is asked there about another one that was typed online in their name. The link in that
-- email opens one question, once.

insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with, leaves_at_night) values
  ('address_question', true, true, 'booking', false);

create table internal.address_answers (
  booking_id uuid primary key references public.bookings on delete cascade,
  answered_at timestamptz not null default now()
);
comment on table internal.address_answers is
  'Appointments about whose address the customer was asked, and said that it is theirs: the link in that email acts once.';
alter table internal.address_answers enable row level security;

create function internal.addresses_to_ask(most integer) returns table (booking_id uuid, recipient_email text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select booking.id, person.email
  from public.bookings booking join public.people person on person.id = booking.person_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_ahead(booking) and internal.is_standing(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_night()
    and internal.typed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(person.id) is not null
    -- Once for an address, however often it is typed.
    and not exists (
      select from public.bookings asked join public.emails letter on letter.booking_id = asked.id
      where asked.person_id = booking.person_id and lower(trim(asked.customer_email)) = lower(trim(booking.customer_email))
        and letter.kind = 'address_question')
  order by booking.created_at, booking.id
  limit most
$$;
comment on function internal.addresses_to_ask(integer) is
  'Appointments whose address was typed online in the name of a customer who has another one, with the one at which they are asked.';
grant execute on function internal.addresses_to_ask(integer) to shop_server;

create function internal.address_token(booking_id uuid) returns text
  language sql stable
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('address ' || booking.id || ' ' || booking.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = address_token.booking_id
  );
comment on function internal.address_token(uuid) is
  'What the address of the page ends in that asks whether an appointment''s address is its customer''s; null when there is none.';
grant execute on function internal.address_token(uuid) to shop_server;

create function internal.address_question_state(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from internal.address_answers answer where answer.booking_id = booking.id) then 'answered'
    when internal.is_standing(booking) and internal.typed_email(booking) is not null
      and booking.created_at > now() - interval '30 days'
      -- Who reads a mailbox that is no address of the customer any more says nothing for them.
      and exists (
        select from public.emails letter
        where letter.booking_id = booking.id and letter.kind = 'address_question'
          and internal.is_their_email(booking.person_id, letter.recipient_email))
    then 'open' else 'closed' end;
comment on function internal.address_question_state(public.bookings) is
  'open can be answered, answered was, closed cannot: the appointment does not stand, its address is known, or 30 days are over.';

create function internal.read_address_question(booking_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
  return (
    select jsonb_build_object(
      'state', internal.address_question_state(booking), 'email', booking.customer_email, 'date', booking.appointment_date,
      'time', to_char(booking.appointment_time, 'HH24:MI:SS'))
    from public.bookings booking
    where booking.id = read_address_question.booking_id and booking.customer_email is not null
      and not internal.is_erased(booking.person_id)
  );
comment on function internal.read_address_question(uuid) is
  'What the page of an address question says: {state, email, date, time}; null when there is no such appointment.';
grant execute on function internal.read_address_question(uuid) to shop_server;

create function internal.answer_address_question(booking_id uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person uuid;
begin
  -- A merge holds its customers and then moves appointments: this waits for none of its updates.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_people(array[lower(trim(booking.customer_email))]);
  select id into person from public.people
  where id = internal.person_now(booking.person_id) and merged_into is null and erased_at is null for update;
  if person is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(person, booking.customer_email, 'customer');
  return 'confirmed';
end
$$;
comment on function internal.answer_address_question(uuid) is
  'The customer says, at an address of theirs, that the address of an appointment is theirs too: confirmed, once; else the state of '
  'the question.';
grant execute on function internal.answer_address_question(uuid) to shop_server;
