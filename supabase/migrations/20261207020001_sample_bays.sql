set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP TRIGGER "record_settings_change" ON "public"."bays";

ALTER TABLE "public"."bays" ADD COLUMN "is_sample" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION internal.add_sample_bays()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.bays (name, position, is_sample)
  select 'Sample bay ' || number, known.last_position + number - known.active_count, true
  from (select count(*) filter (where is_active) as active_count, max(position) as last_position from public.bays) known,
       generate_series(known.active_count + 1, 3) number;
  select pg_notify('settings_changed', 'bays')
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_bays()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.bays set is_active = false where is_sample;
  perform internal.reassign_bay_bookings(id) from public.bays where is_sample order by position;
  update public.bookings set bay_id = null where bay_id in (select id from public.bays where is_sample);
  delete from public.bays where is_sample;
  perform pg_notify('settings_changed', 'bays');
end
$function$;

CREATE OR REPLACE FUNCTION internal.remove_sample_week()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  deleted_event_ids text[];
begin
  perform internal.lock_calendar();
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- Also tasks that staff created for sample bookings.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_bays();
  perform internal.remove_sample_customers();
  deleted_event_ids := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (deleted_event_ids);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$function$;

CREATE TRIGGER record_bay_delete AFTER DELETE ON public.bays FOR EACH ROW WHEN ((NOT old.is_sample)) EXECUTE FUNCTION internal.record_settings_change('bays', 'name');

CREATE TRIGGER record_bay_insert AFTER INSERT ON public.bays FOR EACH ROW WHEN ((NOT new.is_sample)) EXECUTE FUNCTION internal.record_settings_change('bays', 'name');

CREATE TRIGGER record_bay_update AFTER UPDATE ON public.bays FOR EACH ROW WHEN (((NOT new.is_sample) OR new.is_active)) EXECUTE FUNCTION internal.record_settings_change('bays', 'name');

COMMENT ON COLUMN "public"."bays"."is_sample" IS 'Whether the bay belongs to the sample week and is deleted with it.';

COMMENT ON FUNCTION "internal"."add_sample_bays"() IS 'Adds the bays that a shop with fewer than three active ones lacks for the sample week.';

COMMENT ON FUNCTION "internal"."remove_sample_bays"() IS 'Deletes the bays of the sample week. Real upcoming bookings in them move to other bays at the same time, or to no bay; other bookings keep no bay.';

COMMENT ON FUNCTION "internal"."remove_sample_week"() IS 'Deletes the sample week and everything done to it, and nothing else. Real bookings in its bays move to other bays.';

REVOKE ALL ON FUNCTION "internal"."add_sample_bays"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."add_sample_bays"() TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."remove_sample_bays"() FROM PUBLIC;
