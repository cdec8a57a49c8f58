-- Leaves deletions, merges, erasures, the team and the settings of money to owners.
set local search_path = pg_catalog;

set local check_function_bodies = off;

REVOKE ALL ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) FROM "authenticated";

REVOKE ALL ON FUNCTION "public"."preview_erasure"(uuid) FROM "authenticated";

REVOKE ALL ON FUNCTION "public"."unmerge"(uuid) FROM "authenticated";

REVOKE ALL ("close_print_format") ON TABLE "public"."booking_rules" FROM "authenticated";

REVOKE ALL ("counts_cash_before_expected") ON TABLE "public"."booking_rules" FROM "authenticated";

REVOKE ALL ("rounds_cash") ON TABLE "public"."booking_rules" FROM "authenticated";

REVOKE ALL ("email") ON TABLE "public"."employees" FROM "authenticated";

REVOKE ALL ("is_active") ON TABLE "public"."employees" FROM "authenticated";

REVOKE ALL ("name") ON TABLE "public"."employees" FROM "authenticated";

REVOKE ALL ("conditions") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("epa_number") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("good_for_days") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("labor_rate_cents") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("payer_sentence") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("registration_number") ON TABLE "public"."estimate_rules" FROM "authenticated";

REVOKE ALL ("rate") ON TABLE "public"."tax_rates" FROM "authenticated";

DROP POLICY "the admin deletes bookings" ON "public"."bookings";

DROP POLICY "the admin adds employees" ON "public"."employees";

DROP POLICY "the admin changes employees" ON "public"."employees";

DROP POLICY "the admin changes how estimates are written" ON "public"."estimate_rules";

DROP POLICY "the admin deletes quote requests" ON "public"."quote_requests";

DROP POLICY "the admin deletes services" ON "public"."services";

DROP POLICY "the admin deletes tasks" ON "public"."tasks";

DROP POLICY "the admin adds tax rates" ON "public"."tax_rates";

DROP POLICY "the admin changes tax rates" ON "public"."tax_rates";

DROP POLICY "the admin removes tax rates" ON "public"."tax_rates";

create or replace function internal.require_owner() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_owner() then
    raise exception 'Only an owner may do this.' using errcode = '42501';
  end if;
end
$$;

create or replace function public.merge_customers(
  survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer,
  fields_from_duplicate text[] default '{}'
) returns uuid
  -- Runs with its owner's rights, because owners have no right to write customers and merges. require_owner()
  -- checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor public.customers;
  duplicate public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_owner();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Saving an estimate locks in the same order: first the estimate, then its customer.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  survivor := internal.lock_customer(survivor_id, seen_survivor_version);
  duplicate := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = survivor.id where id = duplicate.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then duplicate.name else name end,
      email = internal.merged_email(survivor, duplicate, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(duplicate.phone, phone) else coalesce(phone, duplicate.phone) end,
      created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', survivor.id, duplicate.id, internal.move_references('customer', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(customer)), internal.author_name(null)
  from public.customers customer where id = survivor.id
  returning id into merge;
  for pair in
    select own as survivor, other as duplicate from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(survivor.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.survivor, pair.duplicate, merge);
  end loop;
  return merge;
end
$$;

create or replace function public.preview_erasure(customer_id uuid) returns jsonb
  -- Runs with its owner's rights, because owners have no right to call require_customer, list_retained_records and
  -- others.
  language plpgsql stable security definer set search_path = '' as $$
declare
  customer constant public.customers := internal.require_customer(preview_erasure.customer_id);
  retained constant jsonb := internal.list_retained_records(customer.id);
begin
  perform internal.require_owner();
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'open', internal.list_open_records(customer.id), 'retained', retained,
    'retainedUntil', (select max(record ->> 'retainedUntil') from jsonb_array_elements(retained) record),
    'counts', internal.count_customer_records(customer.id), 'others', internal.describe_other_texts(customer.id),
    'areFilesCleaned', internal.are_files_ours());
end
$$;

create or replace function public.unmerge(merge_id uuid) returns void
  -- Runs with its owner's rights, because owners have no right to call lock_calendar and unmerge_records.
  -- require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  merge public.merges;
begin
  perform internal.require_owner();
  perform internal.lock_calendar();
  select * into merge from public.merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- A second click finds the state that the first one set.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge can be undone for 30 days.' using errcode = 'TT094', hint = 'unmerge_expired';
  end if;
  if merge.parent_merge_id is not null or exists (
    select from public.merges later where later.duplicate_id = merge.survivor_id and later.undone_at is null) then
    raise exception 'Undo the later merge first.' using errcode = 'TT095', hint = 'later_merge_exists';
  end if;
  perform from public.customers where id in (merge.survivor_id, merge.duplicate_id) order by id for update;
  perform internal.unmerge_records(merge);
end
$$;

CREATE POLICY "owners delete bookings" ON "public"."bookings" FOR DELETE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners add employees" ON "public"."employees" FOR INSERT TO "shop_owner" WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners change employees" ON "public"."employees" FOR UPDATE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner)) WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners change how estimates are written" ON "public"."estimate_rules" FOR UPDATE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner)) WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners delete quote requests" ON "public"."quote_requests" FOR DELETE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners delete services" ON "public"."services" FOR DELETE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners delete tasks" ON "public"."tasks" FOR DELETE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners add tax rates" ON "public"."tax_rates" FOR INSERT TO "shop_owner" WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners change tax rates" ON "public"."tax_rates" FOR UPDATE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner)) WITH CHECK (( SELECT internal.is_owner() AS is_owner));

CREATE POLICY "owners remove tax rates" ON "public"."tax_rates" FOR DELETE TO "shop_owner" USING (( SELECT internal.is_owner() AS is_owner));

REVOKE ALL ON FUNCTION "internal"."require_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "internal"."require_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "internal"."require_owner"() TO "postgres";

REVOKE ALL ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) FROM "shop_owner";

GRANT EXECUTE ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) TO "shop_owner";

REVOKE ALL ON FUNCTION "public"."preview_erasure"(uuid) FROM "shop_owner";

GRANT EXECUTE ON FUNCTION "public"."preview_erasure"(uuid) TO "shop_owner";

REVOKE ALL ON FUNCTION "public"."unmerge"(uuid) FROM "shop_owner";

GRANT EXECUTE ON FUNCTION "public"."unmerge"(uuid) TO "shop_owner";

REVOKE ALL ("close_print_format") ON TABLE "public"."booking_rules" FROM "shop_owner";

GRANT UPDATE ("close_print_format") ON TABLE "public"."booking_rules" TO "shop_owner";

REVOKE ALL ("counts_cash_before_expected") ON TABLE "public"."booking_rules" FROM "shop_owner";

GRANT UPDATE ("counts_cash_before_expected") ON TABLE "public"."booking_rules" TO "shop_owner";

REVOKE ALL ("rounds_cash") ON TABLE "public"."booking_rules" FROM "shop_owner";

GRANT UPDATE ("rounds_cash") ON TABLE "public"."booking_rules" TO "shop_owner";

REVOKE DELETE ON TABLE "public"."bookings" FROM "authenticated";

REVOKE ALL ON TABLE "public"."bookings" FROM "shop_owner";

GRANT DELETE ON TABLE "public"."bookings" TO "shop_owner";

REVOKE ALL ("email") ON TABLE "public"."employees" FROM "shop_owner";

GRANT INSERT ("email"), UPDATE ("email") ON TABLE "public"."employees" TO "shop_owner";

REVOKE ALL ("is_active") ON TABLE "public"."employees" FROM "shop_owner";

GRANT INSERT ("is_active"), UPDATE ("is_active") ON TABLE "public"."employees" TO "shop_owner";

REVOKE ALL ("name") ON TABLE "public"."employees" FROM "shop_owner";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."employees" TO "shop_owner";

REVOKE ALL ("conditions") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("conditions") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE ALL ("epa_number") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("epa_number") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE ALL ("good_for_days") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("good_for_days") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE ALL ("labor_rate_cents") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("labor_rate_cents") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE ALL ("payer_sentence") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("payer_sentence") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE ALL ("registration_number") ON TABLE "public"."estimate_rules" FROM "shop_owner";

GRANT UPDATE ("registration_number") ON TABLE "public"."estimate_rules" TO "shop_owner";

REVOKE DELETE ON TABLE "public"."quote_requests" FROM "authenticated";

REVOKE ALL ON TABLE "public"."quote_requests" FROM "shop_owner";

GRANT DELETE ON TABLE "public"."quote_requests" TO "shop_owner";

REVOKE DELETE ON TABLE "public"."services" FROM "authenticated";

REVOKE ALL ON TABLE "public"."services" FROM "shop_owner";

GRANT DELETE ON TABLE "public"."services" TO "shop_owner";

REVOKE DELETE ON TABLE "public"."tasks" FROM "authenticated";

REVOKE ALL ON TABLE "public"."tasks" FROM "shop_owner";

GRANT DELETE ON TABLE "public"."tasks" TO "shop_owner";

REVOKE ALL ON TABLE "public"."tax_rates" FROM "authenticated";

GRANT SELECT ON TABLE "public"."tax_rates" TO "authenticated";

REVOKE ALL ("rate") ON TABLE "public"."tax_rates" FROM "shop_owner";

GRANT UPDATE ("rate") ON TABLE "public"."tax_rates" TO "shop_owner";

GRANT DELETE, INSERT ON TABLE "public"."tax_rates" TO "shop_owner";

create or replace function internal.refuse_change_by_others() returns trigger
  -- Runs with its owner's rights, because owners of the shop have no right to call require_owner.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_owner();
  return new;
end
$$;
CREATE TRIGGER refuse_change_by_others BEFORE UPDATE OF counts_cash_before_expected, rounds_cash, close_print_format ON public.booking_rules FOR EACH ROW WHEN ((CURRENT_USER = 'shop_owner'::text)) EXECUTE FUNCTION internal.refuse_change_by_others();
COMMENT ON FUNCTION "internal"."refuse_change_by_others"() IS 'Refuses a change of columns that only owners change, in a table whose other columns the counter changes: a policy does not see columns.';
REVOKE ALL ON FUNCTION "internal"."refuse_change_by_others"() FROM PUBLIC;
REVOKE ALL ON FUNCTION "internal"."refuse_change_by_others"() FROM "postgres";
GRANT EXECUTE ON FUNCTION "internal"."refuse_change_by_others"() TO "postgres";
GRANT EXECUTE ON FUNCTION "internal"."refuse_change_by_others"() TO "shop_owner";
