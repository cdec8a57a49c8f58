-- An erasure locks estimates before the contact keys of bookings without a customer, and a change of a vehicle's owner locks
-- the calendar as merges do, so that none of them deadlocks with another. One function links bookings.

set local search_path = pg_catalog;

set local check_function_bodies = off;

DROP FUNCTION "internal"."backfill_customers"(integer);

DROP FUNCTION "internal"."backfill_booking_customers"(integer);

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
    (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$function$;

CREATE OR REPLACE FUNCTION internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[])
 RETURNS TABLE(booking_id uuid, problem text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- An erasure takes this lock alone, and then searches all bookings for the texts that it removes.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- The next run links a booking that another transaction has locked.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    booking_id := booking.id;
    problem := null;
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      problem := sqlerrm;
    end;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION internal.backfill_customers(max_rows integer DEFAULT 100)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
RETURN ((SELECT (count(*))::integer AS count FROM internal.link_new_bookings(backfill_customers.max_rows, '{}'::uuid[]) link_new_bookings(booking_id, problem) WHERE (link_new_bookings.problem IS NULL)) + internal.backfill_quote_request_customers(max_rows));

CREATE OR REPLACE FUNCTION internal.list_contact_keys_to_link()
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ARRAY(SELECT unnest(ARRAY[lower(TRIM(BOTH FROM bookings.customer_email)), internal.normalize_phone(bookings.customer_phone)]) AS unnest FROM public.bookings WHERE (bookings.customer_id IS NULL));

CREATE OR REPLACE FUNCTION public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid;
  vehicle public.vehicles;
begin
  perform internal.require_admin();
  -- A merge locks the customers first and the vehicles after them; the lock of the calendar keeps it apart from this change.
  perform internal.lock_calendar();
  owner_id := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  vehicle := internal.lock_vehicle(change_vehicle_owner.vehicle_id, seen_version);
  update public.vehicles set customer_id = owner_id where id = vehicle.id;
end
$function$;

COMMENT ON FUNCTION "internal"."backfill_customers"(integer) IS 'Links up to max_rows bookings and as many quote requests without a customer, oldest first; returns how many were linked, 0 at the end. Can be interrupted and called again.';

COMMENT ON FUNCTION "internal"."link_new_bookings"(integer, uuid[]) IS 'Links the oldest bookings without a customer, except the ignored ones. Returns each with the reason why it cannot be linked, or null.';

COMMENT ON FUNCTION "internal"."list_contact_keys"(uuid[]) IS 'The email addresses and phone numbers of customers, as lock_contact_keys needs them.';

COMMENT ON FUNCTION "internal"."list_contact_keys_to_link"() IS 'The email addresses and phone numbers of all bookings without a customer, as lock_contact_keys needs them.';

COMMENT ON FUNCTION "internal"."lock_contact_keys"(text[]) IS 'Locks email addresses (lower case) and phone numbers (normalized) until the transaction ends, so that no other transaction creates or finds their customer. Only rows of customers are locked after it.';

REVOKE ALL ON FUNCTION "internal"."backfill_customers"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "internal"."backfill_customers"(integer) TO "shop_server";

REVOKE ALL ON FUNCTION "internal"."list_contact_keys_to_link"() FROM PUBLIC;
