-- A split made the one who stayed forget every way they were known by that no appointment of theirs names, also those of their
-- estimates and those that the counter had written: only what left with the other is looked at now.

drop function internal.forget_unused_contacts(uuid);

create function internal.forget_what_left(former uuid, person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.person_contacts contact
  using public.people known
  where known.id = former and contact.person_id = former
    and exists (
      select from public.person_contacts theirs
      where theirs.person_id = person and theirs.kind = contact.kind and theirs.key = contact.key)
    and contact.key is distinct from lower(known.email) and contact.key is distinct from known.phone_key
    and not exists (select from public.bookings where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)))
    and not exists (select from public.quote_requests where person_id = former
                    and contact.key in (lower(email), internal.canonical_phone(phone)))
    and not exists (select from public.estimates where person_id = former
                    and contact.key in (lower(customer_email), internal.canonical_phone(customer_phone)));
end
$$;
comment on function internal.forget_what_left(uuid, uuid) is
  'Forgets of a person how only the one was reached who was split from them: none of their own records says so any more.';

create or replace function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.take_booking(split_booking.booking_id);
  former constant uuid := booking.person_id;
  person uuid;
begin
  if internal.is_erased(former) then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  perform internal.lock_people(array[lower(booking.customer_email), internal.canonical_phone(booking.customer_phone)]);
  perform from public.people where id = former for update;
  person := internal.make_person_of(booking);
  update public.bookings
  set person_id = person,
      car_id = internal.ensure_car(person, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set person_id = person, car_id = booking.car_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set car_id = booking.car_id where reading.booking_id = booking.id and booking.car_id is not null;
  update public.invoice_links links set person_id = person, car_id = booking.car_id where links.booking_id = booking.id;
  perform internal.forget_what_left(former, person);
  return person;
end
$$;

create or replace function public.split_car(car_id uuid, expected_version integer) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  car public.cars;
  latest public.bookings;
  person uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  car := internal.take_car(split_car.car_id, expected_version);
  select * into latest from public.bookings booking
  where booking.car_id = car.id and not internal.is_erased(booking.person_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment says whose this car is.' using errcode = 'TT090', hint = 'car_without_visit';
  end if;
  perform internal.lock_people(array[lower(latest.customer_email), internal.canonical_phone(latest.customer_phone)]);
  perform from public.people where id = car.person_id for update;
  person := internal.make_person_of(latest);
  update public.cars set person_id = person where id = car.id;
  update public.bookings booking set person_id = person where booking.car_id = car.id and not internal.is_erased(booking.person_id);
  update public.quote_requests quote set person_id = person where quote.car_id = car.id and not internal.is_erased(quote.person_id);
  update public.estimates estimate set person_id = person where estimate.car_id = car.id and not internal.is_erased(estimate.person_id);
  update public.invoice_links links set person_id = person where links.car_id = car.id and not internal.is_erased(links.person_id);
  perform internal.forget_what_left(car.person_id, person);
  return person;
end
$$;
