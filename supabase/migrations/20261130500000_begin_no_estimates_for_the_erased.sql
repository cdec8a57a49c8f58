-- An estimate that is begun from an appointment of somebody who was erased is of whom it names, not of a row that names nobody.

create or replace function internal.link_estimate() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  names_the_same constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_the_same_car constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  source record;
  former constant uuid := new.person_id;
begin
  select person_id, car_id into source from public.bookings where id = new.booking_id and not internal.is_erased(person_id);
  if source.person_id is null then
    select person_id, car_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(person_id);
  end if;
  new.person_id := coalesce(
    source.person_id, case when names_the_same then former end, internal.find_person(internal.caller_of_estimate(new)), former);
  if new.person_id is not null and not coalesce(is_the_same_car and new.person_id = former and new.car_id is not null, false) then
    new.car_id := coalesce(internal.find_car(new.person_id, internal.car_of_estimate(new)), source.car_id);
  end if;
  return new;
end
$$;
