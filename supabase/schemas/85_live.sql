-- Notifications to all processes of the site when records change: ids only, whoever listens reads with rights of its own.

create function internal.tell_person_changed() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read cars.
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

create function internal.announce_invoice() returns trigger
  language plpgsql
  -- Whoever writes the row needs no right for the announcement.
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('invoices_changed', new.invoice_id);
  return null;
end
$$;
comment on function internal.announce_invoice() is
  'Announces to all processes which invoice was made, paid, voided or emailed about: invoices_changed, with its id.';

create function internal.announce_quote() returns trigger
  language plpgsql
  -- Whoever writes the row needs no right for the announcement.
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_quote() is
  'Announces to all processes which quote request came, changed, was emailed about or was deleted: quotes_changed, with '
  'the id that the column in the argument holds.';
