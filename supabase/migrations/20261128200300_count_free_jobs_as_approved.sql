-- A job that costs nothing, as under warranty or with all of it taken off, was approved on its customer's page and declined on
-- the dashboard.

create or replace function internal.estimate_state(estimate public.estimates) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then 'invoiced'
    when latest.frozen_at is null then 'draft'
    when latest.answered_at is not null then
      case when exists (select from internal.authorized_jobs(estimate.id) job where internal.is_approved(job.job_key, estimate.id))
        then 'approved' else 'declined' end
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;

create or replace function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total, 'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(lower(trim(term)) in lower(
        concat_ws(' ', estimate.number, estimate.customer_name, estimate.vehicle_plate, estimate.vehicle_model))) > 0)
        and (wanted_state is null or internal.estimate_state(estimate) = wanted_state)
      order by estimate.changed_at desc limit 50
    ) found
    cross join lateral (
      select coalesce(sum(total), 0) as total, count(*) as jobs from internal.job_totals
      where estimate_id = found.id and revision = (select max(revision) from public.estimate_revisions where estimate_id = found.id)
    ) totals
    cross join lateral (
      select coalesce(sum(cents), 0) as cents, count(*) filter (where internal.is_approved(job_key, found.id)) as jobs
      from internal.authorized_jobs(found.id)
    ) authorized
  );
end
$$;
