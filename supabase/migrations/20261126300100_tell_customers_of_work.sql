-- The page of a visit follows the work: what waits and for what, in words that are meant for the customer, and what is to pay.

alter table public.tasks
  add column customer_note text not null default ''
    constraint tasks_customer_note_is_text check (internal.is_line(customer_note, 0, 80));
comment on column public.tasks.customer_note is
  'What the page of the visit says beside the status (''pads arrive Friday''). Notes of the history are the shop''s alone.';

create function internal.forget_customer_note() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.customer_note := '';
  return new;
end
$$;
comment on function internal.forget_customer_note() is 'What was said of one status is not said of the next.';
create trigger forget_customer_note before update on public.tasks
  for each row when (new.status <> old.status and new.customer_note = old.customer_note)
  execute function internal.forget_customer_note();

create function public.tell_customer_of_task(task_id uuid, note text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_task(task_id);
  update public.tasks set customer_note = trim(coalesce(note, '')) where id = task_id;
end
$$;
comment on function public.tell_customer_of_task(uuid, text) is
  'What the page of the visit says of a task while it has its status; empty says nothing but that.';
grant execute on function public.tell_customer_of_task(uuid, text) to authenticated;

create function internal.read_visit_work(booking_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_work.booking_id
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.* from public.tasks task
      where task.booking_id = read_visit_work.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', case when estimate_id is null then '' else title end, 'status', status, 'note', customer_note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, case when work.estimate_id is null then '' else work.title end as title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', claim.number, 'totalCents', claim.total_cents,
          'isPaid', paid.at is not null,
          'paidAt', to_char(paid.at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from public.estimate_invoices claim
        cross join zone
        left join lateral (
          select max(payment.paid_at) as at from public.payments payment
          where payment.invoice_id = claim.invoice_id and payment.outcome <> 'refunded'
          having sum(payment.amount_cents) >= claim.total_cents
        ) paid on true
        where claim.estimate_id = (select id from handed_over) and claim.state = 'made'))
  );
comment on function internal.read_visit_work(uuid) is
  'What the page of an appointment says of the work: the estimate that was handed over last, its path, tasks with what is meant for '
  'the customer, the invoice. Titles only where they are those of an estimate''s jobs, which the customer has read.';
grant execute on function internal.read_visit_work(uuid) to shop_server;
