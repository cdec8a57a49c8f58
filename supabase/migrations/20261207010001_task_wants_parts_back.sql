set local search_path = pg_catalog;

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.wants_parts_back(task public.tasks)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (select internal.is_admin()) and exists (
    select from (
      select distinct on (line.job_key) line.decision, line.wants_parts_back
      from public.estimates estimate, internal.binding_lines(estimate.id) line
      where (estimate.id = task.estimate_id or task.estimate_id is null and estimate.booking_id = task.booking_id)
        and (task.estimate_job_key is null or line.job_key = task.estimate_job_key) and line.decision <> 'declined'
      order by line.job_key, line.id desc
    ) latest
    where latest.decision = 'approved' and latest.wants_parts_back
  )
$function$;

COMMENT ON FUNCTION "public"."wants_parts_back"(public.tasks) IS 'Computed column of tasks: whether the customer asked for the replaced parts (16 CCR 3355) of the task''s job, or, for a task without a job, of any approved job of its booking.';

REVOKE ALL ON FUNCTION "public"."wants_parts_back"(public.tasks) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."wants_parts_back"(public.tasks) TO "authenticated";
