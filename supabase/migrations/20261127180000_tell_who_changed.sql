-- What one window writes of a person or a car the others show within a second, also through another process.

create function internal.tell_person_changed() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  row_now constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  row_then constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  person uuid;
begin
  foreach person in array array[
    coalesce(row_now ->> 'person_id', (select car.person_id::text from public.cars car where car.id::text = row_now ->> 'car_id'),
             row_now ->> 'id')::uuid,
    (row_then ->> 'person_id')::uuid, (row_now ->> 'merged_into')::uuid
  ] loop
    if person is not null then
      perform pg_notify('people_changed', person::text);
    end if;
  end loop;
  return null;
end
$$;
comment on function internal.tell_person_changed() is
  'Tells all processes whose page changed: people_changed, with the person''s id; of two whom it concerns both.';

-- Not of one who is new: whoever books is told as a booking.
create trigger tell_person_changed after update on public.people
  for each row execute function internal.tell_person_changed();
create trigger tell_person_changed after update on public.cars
  for each row execute function internal.tell_person_changed();
create trigger tell_person_changed after insert or delete on public.person_notes
  for each row execute function internal.tell_person_changed();
create trigger tell_person_changed after insert or delete on public.odometer_readings
  for each row execute function internal.tell_person_changed();
create trigger tell_person_changed after update of person_id on public.bookings
  for each row when (old.person_id is not null and old.person_id is distinct from new.person_id)
  execute function internal.tell_person_changed();
create trigger tell_person_changed after insert or update on public.invoice_links
  for each row execute function internal.tell_person_changed();
