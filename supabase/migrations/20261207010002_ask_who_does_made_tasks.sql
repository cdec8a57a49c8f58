set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "public"."create_estimate_tasks"(uuid);

CREATE OR REPLACE FUNCTION public.create_estimate_tasks(estimate_id uuid, assigned_to uuid DEFAULT NULL::uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  estimate public.estimates;
  made integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(create_estimate_tasks.estimate_id, null);
  insert into public.tasks (title, description, booking_id, assigned_to, estimate_id, estimate_job_key)
  select job.title,
    (select string_agg(line.description || case line.kind
        when 'labor' then ', ' || trim_scale(line.quantity_thousandths / 1000.0) || ' h'
        when 'part' then ', ' || trim_scale(line.quantity_thousandths / 1000.0) || ' pcs' else '' end, E'\n' order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key) and line.kind <> 'discount'),
    estimate.booking_id, create_estimate_tasks.assigned_to, estimate.id, job.job_key
  from public.estimate_jobs job
  where job.estimate_id = estimate.id
    and job.revision = (select (internal.latest_sent_revision(estimate.id)).revision)
    and internal.is_approved(job.job_key, estimate.id)
  order by job.position
  on conflict (estimate_id, estimate_job_key) do nothing;
  get diagnostics made = row_count;
  update public.estimates set changed_at = clock_timestamp() where id = estimate.id and made > 0;
  return made;
end
$function$;

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) IS 'Creates a task for each approved job without one, assigned to an employee, or to none for null; returns how many.';

REVOKE ALL ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) TO "authenticated";
