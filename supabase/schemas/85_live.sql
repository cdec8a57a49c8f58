-- Notifications to all server processes about changed records. A notification contains ids only; each receiver
-- reads the record with its own privileges.

create function internal.publish_customer_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to read
  -- vehicles.
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
  'Notifies all server processes that the data on the dashboard page of a customer changed (channel '
  'customers_changed, with the customer''s id). If a change affects two customers, the notification contains both '
  'ids.';

create function internal.announce_invoice() returns trigger
  -- Runs with the rights of the function's owner, so that every role that fires the trigger can notify the other
  -- processes.
  language plpgsql security definer set search_path = '' as $$
begin
  -- A ledger line of a deposit belongs to an estimate instead of an invoice, so the notification then contains the id
  -- of the estimate.
  perform pg_notify('invoices_changed', coalesce(new.invoice_id, to_jsonb(new) ->> 'estimate_id'));
  return null;
end
$$;
comment on function internal.announce_invoice() is
  'Notifies all server processes that an invoice was created, paid or voided, or that an email about the invoice '
  'changed (channel invoices_changed, with the id of the invoice).';

create function internal.announce_quote() returns trigger
  -- Runs with the rights of the function's owner, so that every role that fires the trigger can notify the other
  -- processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('quotes_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_quote() is
  'Notifies all server processes that a quote request was added, changed or deleted, or that an email about the '
  'request changed (channel quotes_changed, with the id of the quote request). The argument of the trigger is the '
  'name of the column that contains this id.';

create function internal.announce_task() returns trigger
  -- Runs with the rights of the function's owner, so that every role that fires the trigger can notify the other
  -- processes.
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('tasks_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$$;
comment on function internal.announce_task() is
  'Notifies all server processes that a task was added, changed or deleted, or that a note was added to a task '
  '(channel tasks_changed, with the id of the task). The argument of the trigger is the name of the column that '
  'contains this id.';
