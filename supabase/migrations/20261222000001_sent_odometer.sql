-- The customer's page and the email of an estimate show the odometer reading (docs/product.md 15.9).

set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.read_sent_revision(estimate_id uuid) returns jsonb
  -- Runs with its owner's rights, because the server has no right to read estimates.
  language sql stable security definer set search_path = '' as $$
  select (sent.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', sent.hash,
    'state', internal.sent_revision_state(sent), 'sentAt', sent.sent_at,
    'vehicle', jsonb_build_object('odometerMiles', null) || (sent.document -> 'vehicle') - array['vin', 'plate'],
    -- Documents of earlier releases have neither kind nor payer.
    'kind', estimate.kind, 'payer', sent.document -> 'payer',
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.describe_job_scope(estimate.id, sent.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(internal.read_document_jobs(sent.document)) with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.latest_sent_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) sent
  where estimate.id = read_sent_revision.estimate_id and sent.frozen_at is not null
$$;
