-- Jobs of estimates have the keys of their columns in JSON: customerDescription, measurement, subtype, quantityThousandths and
-- unitPriceCents. Canned jobs are rewritten; a frozen document keeps its bytes, which its hash protects, and is read with
-- the new keys.

set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION internal.describe_revision_jobs(wanted_id uuid, wanted_revision integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_agg(jsonb_build_object('key', job.job_key, 'title', job.title, 'customerDescription', job.customer_description, 'isNeeded', job.is_needed_now, 'measurement', job.measurement, 'lines', (SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', line.kind, 'subtype', line.subtype, 'description', line.description, 'quantityThousandths', line.quantity_thousandths, 'unitPriceCents', line.unit_price_cents, 'isTaxable', line.is_taxable) ORDER BY line."position"), '[]'::jsonb) AS "coalesce" FROM public.estimate_lines line WHERE ((line.estimate_id = job.estimate_id) AND (line.revision = job.revision) AND (line.job_key = job.job_key)))) ORDER BY job."position"), '[]'::jsonb) AS "coalesce" FROM public.estimate_jobs job WHERE ((job.estimate_id = describe_revision_jobs.wanted_id) AND (job.revision = describe_revision_jobs.wanted_revision)));

CREATE OR REPLACE FUNCTION internal.erase_customer(customer_id uuid, seen_version integer, changed_by_name text, left_out text[] DEFAULT '{}'::text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer public.customers;
  merged_ids uuid[];
  retained_records jsonb;
  counts jsonb;
  changed_texts integer;
  email_ids uuid[];
begin
  perform internal.lock_calendar();
  merged_ids := internal.list_merged_customers(erase_customer.customer_id);
  -- The order of locks in every change of records: estimates, bookings without a customer, contact keys, customers.
  perform from public.estimates estimate where estimate.customer_id = any (merged_ids) or estimate.customer_id is null order by id for update;
  perform from public.bookings where bookings.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(merged_ids) || internal.list_contact_keys_to_link());
  -- The calendar is locked, so every booking is linked to its customer after this.
  if exists (select from internal.link_new_bookings(1000, '{}') where problem is not null) then
    raise exception 'A booking cannot be linked to its customer, so the erasure could miss its data.';
  end if;
  customer := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(customer.id);
  if internal.list_open_records(customer.id) <> '[]' then
    raise exception 'This customer has open records.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(customer.id)::text;
  end if;
  retained_records := internal.list_retained_records(customer.id);
  counts := internal.count_customer_records(customer.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- Before the rows are changed, while each record still has its customer.
  changed_texts := internal.erase_texts(merged_ids, left_out);
  -- Again, because redacting settings has added rows to their history.
  perform internal.erase_texts(merged_ids, left_out, 'public.settings_history');
  perform internal.delete_merges(merged_ids);
  email_ids := internal.erase_customer_emails(merged_ids);
  perform internal.erase_customer_estimates(merged_ids, internal.shop_now()::date);
  perform internal.erase_customer_rows(merged_ids);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    customer.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), retained_records,
    (select max((record ->> 'retainedUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$function$;

create or replace function internal.list_retained_records(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(record) order by record."retainedUntil", record.kind, record.id), '[]')
    from (
      select 'invoice' as kind, invoice_id as id, number, internal.retained_until(created_at) as "retainedUntil"
      from public.invoices where customer_id = wanted_customer_id
      union all
      select 'estimate', id::text, number, internal.retained_until(internal.last_frozen_at(id))
      from public.estimates where customer_id = wanted_customer_id
    ) record
    where record."retainedUntil" >= internal.shop_now()::date
  );

CREATE OR REPLACE FUNCTION internal.read_printable_estimate(estimate_id uuid, for_customer boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select stored.document || jsonb_build_object(
    'jobs', internal.read_document_jobs(stored.document),
    'date', (coalesce(printed.frozen_at, internal.current_instant()) at time zone (select time_zone from public.shop))::date,
    'isFrozen', printed.frozen_at is not null,
    'decisions', internal.list_job_decisions(estimate.id, printed.revision),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (
    select revision.* from public.estimate_revisions revision
    where revision.estimate_id = estimate.id and (revision.frozen_at is not null or not for_customer)
    order by revision.revision desc limit 1
  ) printed
  cross join lateral (
    select coalesce(printed.document, internal.build_revision_document(estimate.id, printed.revision)) as document
  ) stored
  where estimate.id = read_printable_estimate.estimate_id
$function$;

CREATE OR REPLACE FUNCTION internal.read_sent_revision(estimate_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (sent.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', sent.hash,
    'state', internal.sent_revision_state(sent), 'sentAt', sent.sent_at,
    'vehicle', (sent.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
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
$function$;

CREATE OR REPLACE FUNCTION internal.redact_expired_records()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := internal.shop_now()::date;
  erased_ids constant uuid[] := array(
    select distinct erasure.customer_id from public.erasures erasure
    where erasure.retained_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.retained) record
                 where coalesce(record ->> 'retainedUntil', record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where customer_id = any (erased_ids));
  renamed integer;
  deleted_emails integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_customer_estimates(erased_ids, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (erased_ids) and customer_name <> 'Erased' and internal.retained_until(created_at) < today;
  get diagnostics renamed = row_count;
  -- Receipts of later payments were sent to the customer and are deleted now; queued ones are sent first.
  delete from public.emails
  where id in (
    select email.id from (select distinct customer_id from public.erasures) erased
    cross join lateral internal.list_customer_emails(erased.customer_id) email
    where email.status not in ('queued', 'retrying'));
  get diagnostics deleted_emails = row_count;
  if renamed + deleted_emails > 0 or estimates_before > (select count(*) from public.estimates where customer_id = any (erased_ids)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$function$;

CREATE OR REPLACE FUNCTION internal.rename_keys(content jsonb, new_names jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(jsonb_object_agg(COALESCE((rename_keys.new_names ->> jsonb_each.key), jsonb_each.key), jsonb_each.value), '{}'::jsonb) AS "coalesce" FROM jsonb_each(rename_keys.content) jsonb_each(key, value));

create or replace function internal.read_document_jobs(document jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (
    select coalesce(jsonb_agg(
      internal.rename_keys(job, '{"plainWords": "customerDescription", "measure": "measurement"}')
      || jsonb_build_object('lines', (
        select coalesce(jsonb_agg(internal.rename_keys(line,
          '{"detail": "subtype", "thousandths": "quantityThousandths", "unitCents": "unitPriceCents"}') order by line_place), '[]')
        from jsonb_array_elements(job -> 'lines') with ordinality stored_line (line, line_place)))
      order by job_place), '[]')
    from jsonb_array_elements(document -> 'jobs') with ordinality stored_job (job, job_place)
  );

CREATE OR REPLACE FUNCTION internal.describe_claim(claim public.estimate_invoices)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT jsonb_build_object('requestId', (describe_claim.claim).id, 'estimateId', (describe_claim.claim).estimate_id, 'number', (revision.document ->> 'number'::text), 'customer', jsonb_build_object('name', (revision.document ->> 'customerName'::text), 'email', estimate.customer_email, 'phone', (revision.document ->> 'customerPhone'::text)), 'vehicle', (revision.document -> 'vehicle'::text), 'taxRate', revision.tax_rate, 'totalCents', (describe_claim.claim).total_cents, 'taxCents', (describe_claim.claim).tax_cents, 'state', (describe_claim.claim).state, 'invoiceId', (describe_claim.claim).invoice_id, 'jobs', (SELECT jsonb_agg(billed.job ORDER BY billed.place) AS jsonb_agg FROM jsonb_array_elements(internal.read_document_jobs(revision.document)) WITH ORDINALITY billed(job, place) WHERE (EXISTS (SELECT FROM public.estimate_invoice_jobs billed_job WHERE ((billed_job.claim_id = (describe_claim.claim).id) AND (billed_job.job_key = ((billed.job ->> 'key'::text))::uuid)))))) AS jsonb_build_object FROM (public.estimate_revisions revision JOIN public.estimates estimate ON ((estimate.id = revision.estimate_id))) WHERE ((revision.estimate_id = (describe_claim.claim).estimate_id) AND (revision.revision = (describe_claim.claim).revision)));

create or replace function internal.save_revision_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql set search_path = '' as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'invalid_document';
  end if;
  -- A dashboard that was opened before an update of the site sends the earlier keys.
  jobs := internal.read_document_jobs(jsonb_build_object('jobs', jobs));
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now, measurement)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'customerDescription',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measurement', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'subtype', line ->> 'description',
    (line ->> 'quantityThousandths')::integer, (line ->> 'unitPriceCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;

CREATE OR REPLACE FUNCTION public.preview_erasure(customer_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  customer constant public.customers := internal.require_customer(preview_erasure.customer_id);
  retained constant jsonb := internal.list_retained_records(customer.id);
begin
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'open', internal.list_open_records(customer.id), 'retained', retained,
    'retainedUntil', (select max(record ->> 'retainedUntil') from jsonb_array_elements(retained) record),
    'counts', internal.count_customer_records(customer.id), 'others', internal.describe_other_texts(customer.id),
    'areFilesCleaned', internal.are_files_ours());
end
$function$;

create or replace function public.save_canned_job(job jsonb) returns uuid
  -- The admin has no right to write canned_jobs. require_admin() checks the caller.
  language plpgsql security definer set search_path = '' as $$
declare
  saved_id uuid;
begin
  perform internal.require_admin();
  insert into public.canned_jobs (title, job) values (
    trim(save_canned_job.job ->> 'title'),
    (internal.read_document_jobs(jsonb_build_object('jobs', jsonb_build_array(save_canned_job.job))) -> 0) - 'key')
  on conflict (title) do update set job = excluded.job, saved_at = now()
  returning id into saved_id;
  return saved_id;
end
$$;

COMMENT ON COLUMN "public"."erasures"."counts" IS 'How many records were erased: {bookings, quotes, estimates, invoices, vehicles, emails, notes}; otherTexts counts the changed texts of other records, leftOut the texts that staff excluded. Rows of earlier releases have the keys visits and cars.';

COMMENT ON COLUMN "public"."erasures"."retained" IS 'The records that are retained with the name: [{kind, id, number, retainedUntil}]. Rows of earlier releases have the key keptUntil.';

COMMENT ON FUNCTION "internal"."erase_customer"(uuid, integer, text, text[]) IS 'Erases the data of a customer of the seen version (TT051), except the texts of other records in left_out (keys of internal.find_texts). Refused (TT099, the detail lists them) while a booking, estimate or invoice is open. Returns {emails: ids of the deleted emails, retained, counts}.';

COMMENT ON FUNCTION "internal"."list_retained_records"(uuid) IS 'The records of transactions that an erasure retains with the name: [{kind, id, number, retainedUntil}].';

COMMENT ON FUNCTION "internal"."read_document_jobs"(jsonb) IS 'The jobs of a document with today''s keys. Documents that an earlier release froze have other keys, which their hash protects.';

COMMENT ON FUNCTION "internal"."rename_keys"(jsonb, jsonb) IS 'A JSON object with other names for some of its keys: {old name: new name}.';

COMMENT ON FUNCTION "public"."create_estimate"(jsonb) IS 'Creates an estimate from {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or from {customer, vehicle} alone; returns {id, isNew}. An existing one of the same booking or quote request is returned instead; of the same vehicle or customer only while it was never saved.';

REVOKE ALL ON FUNCTION "internal"."read_document_jobs"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."rename_keys"(jsonb, jsonb) FROM PUBLIC;

update public.canned_jobs
set job = internal.read_document_jobs(jsonb_build_object('jobs', jsonb_build_array(job))) -> 0
where job ? 'plainWords' and jsonb_typeof(job -> 'lines') = 'array';
