-- A year of more than twenty characters, or a plate of spaces, kept an estimate from being handed over: no car can have it.

create or replace function internal.car_of_estimate(estimate public.estimates) returns internal.described_car
  language sql immutable
  set search_path = ''
  return row(
    nullif(left(estimate.vehicle_year, 20), ''), nullif(left(estimate.vehicle_make, 60), ''),
    nullif(left(estimate.vehicle_model, 60), ''), null, nullif(trim(estimate.vehicle_plate), ''),
    case when internal.is_vin(upper(estimate.vehicle_vin)) then upper(estimate.vehicle_vin) end
  )::internal.described_car;
