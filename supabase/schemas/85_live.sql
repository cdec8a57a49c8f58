-- Notifications to all processes of the site about changed records. A notification contains ids only; each receiver
-- reads the record with its own privileges.

create function internal.publish_customer_change() returns trigger
  -- Runs with its owner's rights, because the role that writes the row has no right to read vehicles.
  language plpgsql security definer set search_path = '' as $$
declare
  new_row constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  old_row constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  changed_id uuid;
begin
  foreach changed_id in array array[
    coalesce(new_row ->> 'customer_id', (select vehicle.customer_id::text from public.vehicles vehicle where vehicle.id::text = new_row ->> 'vehicle_id'),
             new_row ->> 'id')::uuid,
    (old_row ->> 'customer_id')::uuid, (new_row ->> 'merged_into')::uuid
  ] loop
    if changed_id is not null then
      perform pg_notify('customers_changed', changed_id::text);
    end if;
  end loop;
  return null;
end
$$;
comment on function internal.publish_customer_change() is
  'Notifies all processes that the page of a customer changed (customers_changed, with the id). A change that concerns two customers '
  'publishes both ids.';

create function internal.announce_invoice() returns trigger
  -- Runs with its owner's rights, so that every role that writes the row can notify the other processes.
  language plpgsql security definer set search_path = '' as $$
begin
  -- A deposit has an estimate instead of an invoice.
  perform pg_notify('invoices_changed', coalesce(new.invoice_id, to_jsonb(new) ->> 'estimate_id'));
  return null;
end
$$;
comment on function internal.announce_invoice() is
  'Notifies all processes that an invoice was created, paid, voided or emailed about (invoices_changed, with its id).';

create function internal.announce_quote() returns trigger
  -- Runs with its owner's rights, so that every role that writes the row can notify the other processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_quote() is
  'Notifies all processes that a quote request was added, changed, emailed about or deleted (quotes_changed, with the id in the column '
  'named by the argument).';

create function internal.announce_task() returns trigger
  -- Runs with its owner's rights, so that every role that writes the row can notify the other processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('tasks_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_task() is
  'Notifies all processes that a task was added, changed, noted on or deleted (tasks_changed, with the id in the column named by the '
  'argument).';
