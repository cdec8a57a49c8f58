-- The bar of the dashboard shows counts of open work, and changes of tasks reach open dashboards (docs/product.md 2.7, 12.7).

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "public"."needs_attention"();

CREATE OR REPLACE FUNCTION internal.announce_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('tasks_changed',
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_open_work()
 RETURNS TABLE(needs_attention boolean, appointments bigint, tasks bigint, quotes bigint, invoices bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  moment constant timestamp := internal.shop_now();
begin
  perform internal.require_admin();
  return query select
    exists (select from internal.list_arrived_bookings(moment))
      or exists (select from internal.unanswered_quotes())
      or exists (select from internal.list_undelivered_emails())
      or exists (select from internal.bookings_to_notify())
      or exists (select from public.schedule_conflicts),
    (select count(*) from public.bookings
     where appointment_date = moment::date and completed_at is null and status not in ('cancelled', 'no_show', 'not_confirmed')),
    (select count(*) from public.tasks where completed_at is null and status <> 'cancelled'),
    (select count(*) from public.quote_requests where status = 'pending' and not looks_automated),
    (select count(*) from public.invoices where status = 'open');
end
$function$;

CREATE INDEX invoices_unpaid ON public.invoices USING btree (created_at) WHERE (status = 'open'::text);

CREATE INDEX tasks_open ON public.tasks USING btree (created_at) WHERE ((completed_at IS NULL) AND (status <> 'cancelled'::text));

CREATE TRIGGER announce_task AFTER INSERT ON public.task_notes FOR EACH ROW EXECUTE FUNCTION internal.announce_task('task_id');

CREATE TRIGGER announce_changed_task AFTER UPDATE ON public.tasks FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION internal.announce_task('id');

CREATE TRIGGER announce_task AFTER INSERT OR DELETE ON public.tasks FOR EACH ROW EXECUTE FUNCTION internal.announce_task('id');

COMMENT ON FUNCTION "internal"."announce_task"() IS 'Notifies all processes that a task was added, changed, noted on or deleted (tasks_changed, with the id in the column named by the argument).';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'In one read, for the bar of the dashboard: whether anything needs attention, as read_today lists it (an arrived customer, a quote request without a reply for 12 hours, a failed email, a change to notify a customer of, a schedule conflict); today''s appointments that are not over, open tasks, pending quote requests that do not look automated, unpaid invoices.';

REVOKE ALL ON FUNCTION "internal"."announce_task"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."count_open_work"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."count_open_work"() TO "authenticated";
