-- Notifications to all processes of the site when records change: ids only, whoever listens reads with rights of its own.

create function internal.publish_customer_change() returns trigger
  -- Whoever writes the row has no right to read cars.
  language plpgsql security definer set search_path = '' as $$
declare
  new_row constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  old_row constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  person uuid;
begin
  foreach person in array array[
    coalesce(new_row ->> 'customer_id', (select car.customer_id::text from public.vehicles car where car.id::text = new_row ->> 'vehicle_id'),
             new_row ->> 'id')::uuid,
    (old_row ->> 'customer_id')::uuid, (new_row ->> 'merged_into')::uuid
  ] loop
    if person is not null then
      perform pg_notify('customers_changed', person::text);
    end if;
  end loop;
  return null;
end
$$;
comment on function internal.publish_customer_change() is
  'Tells all processes whose page changed: customers_changed, with the person''s id; of two whom it concerns both.';

create function internal.announce_invoice() returns trigger
  -- Whoever writes the row needs no right for the announcement.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('invoices_changed', new.invoice_id);
  return null;
end
$$;
comment on function internal.announce_invoice() is
  'Announces to all processes which invoice was made, paid, voided or emailed about: invoices_changed, with its id.';

create function internal.announce_quote() returns trigger
  -- Whoever writes the row needs no right for the announcement.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_quote() is
  'Announces to all processes which quote request came, changed, was emailed about or was deleted: quotes_changed, with the id that the '
  'column in the argument holds.';
