-- The names of tables, columns, functions and rules become the words of the glossary. Nothing is added and nothing is lost.
set local check_function_bodies = off;

-- Functions name columns in their texts: they are made again below.
drop function
  internal.action_done(text),
  internal.action_refused(text),
  internal.add_contacts(uuid,text,text,boolean),
  internal.add_estimate_event(uuid,text,jsonb,jsonb),
  internal.add_sample_booking(jsonb),
  internal.add_sample_estimate(jsonb),
  internal.add_sample_quote(jsonb),
  internal.add_sample_task(jsonb),
  internal.address_digest(jsonb),
  internal.address_question_state(bookings),
  internal.address_token(uuid),
  internal.addresses_to_ask(integer),
  internal.adopt_estimates(uuid),
  internal.all_words(text[]),
  internal.analyze_people(),
  internal.announce_booking(uuid,bigint),
  internal.answer_address_question(uuid),
  internal.answer_offer(uuid,text,uuid[],text,text,boolean),
  internal.answer_visit(uuid,integer),
  internal.approves_unseen_refusal(uuid,jsonb),
  internal.are_files_ours(),
  internal.ask_for_links(text),
  internal.author_name(text),
  internal.authorized_jobs(uuid),
  internal.bay_to_return_to(bookings),
  internal.bays_of_day(date),
  internal.begin_change(text,integer),
  internal.begin_revision(estimates),
  internal.begin_sample_week(),
  internal.binding_lines(uuid),
  internal.booking_facts(bookings),
  internal.booking_invoice(uuid),
  internal.booking_note(),
  internal.booking_refusal(date,time without time zone,integer,uuid),
  internal.booking_state(bookings),
  internal.booking_warnings(tsrange,uuid),
  internal.bookings_to_notify(),
  internal.bookings_to_remind(integer),
  internal.caller_of_booking(bookings,boolean),
  internal.caller_of_estimate(estimates),
  internal.caller_of_quote_request(quote_requests),
  internal.can_do(uuid,uuid),
  internal.can_fill_sample_week(),
  internal.cancel_visit(uuid,integer),
  internal.capped_domain_of(text),
  internal.car_now(uuid),
  internal.car_of_estimate(estimates),
  internal.cars_here(timestamp without time zone),
  internal.cars_of_week(date),
  internal.changed_columns(jsonb,jsonb),
  internal.choose_bay(tsrange,uuid,uuid,uuid,uuid),
  internal.claim_estimate_invoice(uuid,integer,text),
  internal.client_digests(jsonb),
  internal.close_if_decided(uuid,integer),
  internal.closures_of_day(date),
  internal.complete_car(uuid,internal.described_car),
  internal.confirm_email(uuid,text,text),
  internal.confirm_held_booking(uuid),
  internal.contact_keys_of(uuid[]),
  internal.count_letter(jsonb,text),
  internal.counts_of_person(uuid),
  internal.customer_of_estimate(uuid),
  internal.customer_of_task(tasks),
  internal.decisions_on(uuid,integer),
  internal.declined_of(uuid),
  internal.describe_booking(bookings),
  internal.describe_car(cars),
  internal.describe_claim(estimate_invoices),
  internal.describe_estimate_history(uuid),
  internal.describe_found_document(text,text),
  internal.describe_found_person(people,date),
  internal.describe_invoice_records(text[]),
  internal.describe_known_estimate(estimates),
  internal.describe_known_invoice(invoice_links),
  internal.describe_ledger(uuid),
  internal.describe_save(uuid),
  internal.describe_visit(bookings),
  internal.describe_whole_ledger(uuid),
  internal.describes_another_vehicle(estimates),
  internal.details_of_document(jsonb),
  internal.details_of_record(jsonb,text[]),
  internal.digests_of_address(text),
  internal.duration_in_words(integer),
  internal.email_for_estimate(bookings,quote_requests,uuid),
  internal.email_of_caller(uuid[]),
  internal.emails_of_person(uuid),
  internal.empty_bay(uuid),
  internal.end_expired_holds(date),
  internal.end_preview(),
  internal.end_retention(),
  internal.end_sample_week(),
  internal.ensure_car(uuid,internal.described_car,timestamp with time zone,boolean),
  internal.ensure_person(internal.caller),
  internal.erase_estimates(uuid[],date),
  internal.erase_letters(uuid[]),
  internal.erase_person(uuid,integer,text,text[]),
  internal.erase_rows(uuid[]),
  internal.erase_texts(uuid[],text[],text),
  internal.estimate_link_version(uuid),
  internal.estimate_problems(uuid,integer),
  internal.estimate_state(estimates),
  internal.estimate_token(uuid),
  internal.explain_visit(uuid,text),
  internal.find_by_words(text),
  internal.find_car(uuid,internal.described_car),
  internal.find_person(internal.caller),
  internal.find_texts(uuid[],text),
  internal.fits_hours(tsrange,tsmultirange,uuid),
  internal.fitting_bay(bookings),
  internal.forget_merges(uuid[]),
  internal.forget_what_left(uuid,uuid),
  internal.free_bay(date,time without time zone,integer,uuid),
  internal.free_spans(date,uuid,uuid),
  internal.free_times(uuid,timestamp without time zone,integer,uuid,uuid,integer,integer),
  internal."freeze"(estimates),
  internal.freeze_estimate(uuid,integer,boolean,text),
  internal.gets_reminders(uuid),
  internal.handed_over_at(uuid),
  internal.has_come(bookings,date),
  internal.has_erased(),
  internal.has_invoice(uuid),
  internal.has_letter_of_change(bookings),
  internal.has_real_records(),
  internal.has_ten_customers(text),
  internal.held_appointments(),
  internal.history_of(text,text,date),
  internal.hmac_sha256(text,text),
  internal.hours_refusal(date,time without time zone,integer,uuid),
  internal.is_active_admin(uuid,timestamp with time zone),
  internal.is_ahead(bookings),
  internal.is_another_word(text,text),
  internal.is_approved(uuid,uuid),
  internal.is_at_open_limit(text,text,uuid,bigint),
  internal.is_at_shop(text),
  internal.is_automated_only(uuid[],text),
  internal.is_confirmed_email(uuid,text),
  internal.is_erased(uuid),
  internal.is_generic_supplies(text),
  internal.is_hazardous_waste_fee(text),
  internal.is_hold_of_known_customer(bookings),
  internal.is_kept(uuid,text[]),
  internal.is_known_customer(text,text),
  internal.is_night(),
  internal.is_of_others(uuid[],text,text),
  internal.is_open_state(text),
  internal.is_other_work(uuid,integer,uuid),
  internal.is_quiet(),
  internal.is_sample_email(emails),
  internal.is_sample_estimate(uuid),
  internal.is_sample_invoice(text),
  internal.is_standing(bookings),
  internal.is_taken(uuid,tsrange,uuid),
  internal.is_their_email(uuid,text),
  internal.is_unsent(uuid,integer),
  internal.jobs_of(uuid,integer),
  internal.keep_bay_hours(),
  internal.kept_of_person(uuid),
  internal.kept_until(timestamp with time zone),
  internal.kind_of_change(bookings,bookings),
  internal.known_start(uuid),
  internal.last_cancellation(uuid),
  internal.last_change_of(bookings),
  internal.last_person_of(uuid),
  internal.latest_revision(uuid),
  internal.letters_that_wait(),
  internal.link_booking_now(bookings),
  internal.link_invoice(jsonb),
  internal.link_old_bookings(integer),
  internal.link_old_quote_requests(integer),
  internal.link_old_records(integer),
  internal.link_waiting_booking(uuid),
  internal.list_appointment_records(date,time without time zone,uuid,date,integer),
  internal.list_file_cleanups(),
  internal.list_person_records(date,date,timestamp with time zone,uuid,integer),
  internal.list_taken_times(uuid,date,time without time zone[]),
  internal.list_unmade_estimate_invoices(integer),
  internal.list_visit_times(uuid,date),
  internal.lock_booking_day(date),
  internal.lock_booking_network(internal.client_digests),
  internal.lock_booking_person(text,text),
  internal.lock_calendar(),
  internal.lock_people(text[]),
  internal.lock_task(uuid),
  internal.main_email(uuid),
  internal.make_person_of(bookings),
  internal.may_become_open(bookings),
  internal.may_say(text,text[]),
  internal.maybe_same_people(people),
  internal.merged_email(people,people,boolean),
  internal.merged_into_person(uuid),
  internal.miles_a_month(uuid),
  internal.minutes_of_day(date,tsmultirange),
  internal.misdirected_offer_because(uuid,text),
  internal.misfits_ahead(),
  internal.moment_refusal(date,time without time zone),
  internal.move_references(text,uuid,uuid),
  internal.move_references_back(record_merges),
  internal.move_visit(uuid,integer,date,time without time zone),
  internal.name_conflict(estimates),
  internal.name_service(jsonb),
  internal.name_words(text),
  internal.names_agree(text,text),
  internal.names_another_customer(estimates),
  internal.needle_of(text,text),
  internal.needs_notification(bookings),
  internal.note_estimate_invoice(uuid,text,text,text),
  internal.note_file_cleanup(text,integer),
  internal.note_file_owner(text),
  internal.note_for_owner(text,text),
  internal.note_missing_invoice(text),
  internal.note_notified(uuid),
  internal.note_offer_seen(uuid,text),
  internal.notices_of_letters(uuid[]),
  internal.offer_state(estimate_revisions),
  internal.offered_revision(uuid),
  internal.open_bays(date,time without time zone,integer,uuid),
  internal.open_invoices_of(uuid),
  internal.open_of_person(uuid),
  internal.other_texts_of_person(uuid),
  internal.outdated_because(emails),
  internal.outdated_offer_because(uuid,integer),
  internal.own_email(bookings),
  internal.paid_of(invoice_links),
  internal.pattern_of(text,text),
  internal.payments_of_day(date),
  internal.people_words(text),
  internal.person_by_email(text,text),
  internal.person_by_phone(text,text,boolean),
  internal.person_now(uuid),
  internal.pieces_of(text,text),
  internal.put_cars_together(cars,cars,uuid),
  internal.reached_booking_cap(internal.client_digests),
  internal.reached_letter_cap(internal.visitor_letters,text),
  internal.read_address_question(uuid),
  internal.read_claim(uuid),
  internal.read_estimate_paper(uuid,boolean),
  internal.read_invoice_paper(text),
  internal.read_known_person(uuid),
  internal.read_offer(uuid),
  internal.read_person_export(uuid),
  internal.read_thread(uuid),
  internal.read_visit(uuid),
  internal.read_visit_work(uuid),
  internal.reasons_to_flag_form(jsonb),
  internal.refuse_booking(text),
  internal.refuse_early_no_show(bookings),
  internal.refuse_invoiced(estimates),
  internal.refuse_losing_records(timestamp with time zone),
  internal.refuse_outdated(bookings,integer),
  internal.refuse_self_merge(uuid,uuid),
  internal.refuse_taken(),
  internal.refuse_taken_by(tsrange,uuid,uuid,uuid),
  internal.refuse_too_many_held(internal.client_digests),
  internal.refuse_void_approvals(uuid,integer),
  internal.remove_sample_people(),
  internal.remove_sample_week(),
  internal.renew_links(uuid,uuid),
  internal.request_file_cleanup(),
  internal.require_admin(),
  internal.require_reason(text),
  internal.restore_kept(record_merges),
  internal.rows_as_json(text,uuid[]),
  internal.said_of_person(uuid[]),
  internal.same_car(uuid,cars),
  internal.sample_invoices(),
  internal.sample_place(date,time without time zone,services),
  internal.save_bay_services(uuid,uuid[]),
  internal.scrubbed(text,text,integer),
  internal.scrubbed(jsonb,text,integer),
  internal.search_cars(text,integer),
  internal.search_condition(text),
  internal.search_documents(text,uuid[],integer),
  internal.search_people(text,integer),
  internal.search_text_of(bookings),
  internal.search_visits(text,integer),
  internal.search_words(text),
  internal.set_booking_note(jsonb),
  internal.set_state_by_task(uuid,text),
  internal.sold_work(uuid,integer,uuid),
  internal.sought_elsewhere(uuid[]),
  internal.source_of_change(text),
  internal.span_of(date,time without time zone,integer),
  internal.spread(text,text),
  internal.staff_bay(uuid,tsrange,uuid),
  internal.starts_in(tsrange),
  internal.state_before_task(uuid),
  internal.take_apart(record_merges),
  internal.take_back_refusal(bookings,integer),
  internal.take_booking(uuid),
  internal.take_car(uuid,integer),
  internal.take_estimate(uuid,integer),
  internal.take_link_request(),
  internal.take_owner_notices(),
  internal.take_person(uuid,integer),
  internal.take_visit(uuid),
  internal.take_visit_back(uuid,integer),
  internal.tasks_with_customers(),
  internal.tax_rate_on(date),
  internal.tell_story(uuid,text),
  internal.tie_service(uuid,uuid[]),
  internal.token_digest(jsonb),
  internal.totals_of_person(uuid,date),
  internal.typed_email(bookings),
  internal.typed_emails(uuid),
  internal.unanswered_quotes(),
  internal.undecided_references(),
  internal.undelivered_letters(),
  internal.untold_approvals(integer),
  internal.vehicle_facts(bookings),
  internal.vehicle_line(text,text,text),
  internal.vehicle_state(jsonb),
  internal.vehicles_of_other_days(date),
  internal.visit_bay(bookings,date,time without time zone),
  internal.visit_refusal(bookings,integer,integer),
  internal.visit_starts_at(bookings),
  internal.void_because(authorizations,estimates),
  internal.was_owner_told(),
  internal.was_taken_from_visitor(estimates,uuid),
  internal.was_typed_online(uuid),
  internal.what_changed(jsonb,jsonb),
  internal.why_token_is_suspicious(text),
  internal.with_live_links(text,text),
  internal.withdraw_answers(estimates),
  internal.words_of(jsonb),
  internal.write_bay(uuid,text,boolean,text),
  internal.write_document(uuid,integer),
  internal.write_jobs(uuid,integer,jsonb),
  internal.write_state(bookings,text),
  add_person_note(uuid,text),
  add_task_note(uuid,text,text,text),
  book_by_phone(uuid,date,time without time zone,text,text,text,text,text,text,text,text,integer,uuid,boolean,text,uuid),
  cancel_bookings(uuid[],text),
  change_booking_state(uuid,text,integer,text,boolean),
  change_estimate_email(uuid,integer,text,text),
  check_booking_time(uuid,date,time without time zone,integer,uuid,uuid),
  claim_email(uuid),
  clean_up_tasks(uuid[]),
  create_estimate(jsonb),
  create_estimate_tasks(uuid),
  delete_estimate(uuid),
  dismiss_notification(uuid,integer,text),
  find_bookings(text),
  find_customers(text),
  find_kept_jobs(text),
  forget_contact(bigint),
  forget_kept_job(uuid),
  forms_sent_by(jsonb),
  give_car(uuid,integer,uuid),
  is_time_slot_available(integer,date,time without time zone,uuid),
  keep_bookings(uuid[]),
  keep_job(jsonb),
  keep_people_apart(uuid,uuid),
  list_estimates(text,text),
  list_open_days(date,date,uuid),
  list_special_days(),
  mark_task_ready_for_pickup(uuid,text,text,text),
  merge_cars(uuid,uuid,integer,integer),
  merge_people(uuid,uuid,integer,integer,text[]),
  move_booking(uuid,integer,date,time without time zone,integer,uuid,boolean,text),
  next_free_times(uuid,timestamp without time zone,integer,uuid,uuid,integer,integer),
  note_booking(uuid,text,text),
  note_email_failed(uuid,text,boolean),
  note_email_left(uuid,text,text),
  note_odometer(uuid,integer,date,uuid,boolean),
  order_bays(uuid[],integer),
  order_services(uuid[],integer),
  queue_quote_reply(jsonb,jsonb),
  queue_visitor_email(jsonb,boolean),
  read_car(uuid),
  read_day(date),
  read_erasure(uuid),
  read_estimate(uuid),
  read_estimate_link(uuid,boolean),
  read_facts(uuid,uuid),
  read_loads(date,integer),
  read_past_visits(uuid),
  read_person(uuid),
  read_quote_email(uuid),
  read_thread(text,text),
  read_today(),
  read_visit_link(uuid,boolean),
  record_authorization(uuid,integer,jsonb,text,text,text,text,text,timestamp with time zone,boolean),
  remove_closure(uuid,integer,boolean),
  remove_odometer_reading(uuid),
  remove_person_note(uuid),
  rename_kept_job(uuid,text),
  reopen_bookings(uuid[],text),
  save_bay(uuid,text,boolean,uuid[],integer,boolean,text),
  save_car(uuid,integer,uuid,text,text,text,text,text,text,text),
  save_closure(uuid,timestamp without time zone,timestamp without time zone,boolean,uuid,text,boolean,integer,boolean),
  save_estimate(uuid,integer,jsonb),
  save_opening_hours(jsonb,integer,boolean),
  save_person(uuid,integer,text,text,text,boolean),
  save_service(uuid,text,text,integer,integer,boolean,uuid[],integer),
  search_everything(text,integer),
  set_reminders(uuid,boolean),
  somebody_waits(),
  split_booking(uuid),
  split_car(uuid,integer),
  tell_customer_of_task(uuid,text),
  undo_merge(uuid),
  update_task_status(uuid,text,text,text,text,text),
  use_todays_tax_rate(uuid,integer),
  use_typed_email(uuid,uuid),
  vehicle_facts(bookings),
  visit_token(uuid),
  stripe_sandbox.forget_invoices(text[]);
drop view internal.priced_lines, internal.job_totals, public.misfits;
drop function internal.open_spans(date,uuid), internal.shop_now();

-- Tables, types, sequences and columns.
alter table internal.booking_caps rename column span to period;
alter table internal.booking_caps rename column most to max_count;
alter table internal.calendar_feed rename column only_one to id;
alter table internal.email_kinds rename column is_confirmation to is_visitor_triggered;
alter table internal.email_kinds rename column agrees_with to must_match;
alter table internal.email_kinds rename column leaves_at_night to is_sent_at_night;
alter table internal.known_browsers rename column tries_left to attempts_left;
alter table internal.letter_caps rename column span to period;
alter table internal.letter_caps rename column most to max_count;
alter table internal.link_requests rename column asked_at to requested_at;
alter table internal.visitor_letters rename column refused_because to exceeded_limit;
alter table public.authorizations rename column act_id to batch_id;
alter table public.authorizations rename column person to decided_by_name;
alter table public.authorizations rename column relation to relationship;
alter table public.authorizations rename column words to statement;
alter table public.authorizations rename column said_at to decided_at;
alter table public.authorizations rename column person_id to customer_id;
alter table public.authorizations rename column car_id to vehicle_id;
alter table public.booking_rules rename column horizon_days to booking_window_days;
alter table public.booking_rules rename column grid_minutes to slot_interval_minutes;
alter table public.booking_rules rename column pause_sentence to pause_message;
alter table public.booking_rules rename column invoice_lookup_asks_email to invoice_lookup_requires_email;
alter table public.booking_rules rename column tell_shop_of_changes to notify_shop_of_changes;
alter table public.bookings rename column kept_at to conflict_accepted_at;
alter table public.bookings rename column kept_by to conflict_accepted_by;
alter table public.bookings rename column state_since to state_changed_at;
alter table public.bookings rename column shop_note to internal_note;
alter table public.bookings rename column answered_at to attendance_confirmed_at;
alter table public.bookings rename column thread_id to repair_id;
alter table public.bookings rename column person_id to customer_id;
alter table public.bookings rename column car_id to vehicle_id;
alter table public.cars rename column person_id to customer_id;
alter table public.cars rename column note to internal_note;
alter table public.cars rename column car_key to vehicle_key;
alter table public.different_people rename column person_id to customer_id;
alter table public.different_people rename column other_id to other_customer_id;
alter table public.emails rename column resends to resend_count;
alter table public.erasures rename column person_id to customer_id;
alter table public.erasures rename column kept to retained;
alter table public.erasures rename column kept_until to retained_until;
alter table public.estimate_jobs rename column key to job_key;
alter table public.estimate_jobs rename column plain_words to customer_description;
alter table public.estimate_jobs rename column is_needed to is_needed_now;
alter table public.estimate_jobs rename column measure to measurement;
alter table public.estimate_lines rename column detail to subtype;
alter table public.estimate_lines rename column thousandths to quantity_thousandths;
alter table public.estimate_lines rename column unit_cents to unit_price_cents;
alter table public.estimate_revisions rename column answered_at to decided_at;
alter table public.estimates rename column thread_id to repair_id;
alter table public.estimates rename column person_id to customer_id;
alter table public.estimates rename column car_id to vehicle_id;
alter table public.invoice_links rename column person_id to customer_id;
alter table public.invoice_links rename column car_id to vehicle_id;
alter table public.invoice_links rename column made_at to created_at;
alter table public.kept_jobs rename column kept_at to saved_at;
alter table public.odometer_readings rename column car_id to vehicle_id;
alter table public.person_contacts rename column person_id to customer_id;
alter table public.person_contacts rename column key to match_key;
alter table public.person_notes rename column person_id to customer_id;
alter table public.quote_requests rename column thread_id to repair_id;
alter table public.quote_requests rename column person_id to customer_id;
alter table public.quote_requests rename column car_id to vehicle_id;
alter table public.record_merges rename column kept_id to survivor_id;
alter table public.record_merges rename column gone_id to duplicate_id;
alter table public.record_merges rename column part_of to parent_merge_id;
alter table public.record_merges rename column moved to moved_rows;
alter table public.record_merges rename column before to survivor_changes;
alter table public.shop rename column kind to business_type;
alter table public.shop rename column lead to description;
alter table internal.owner_notices rename column told_at to notified_at;
alter table internal.booking_caps rename to visitor_booking_limits;
alter table internal.letter_caps rename to visitor_email_limits;
alter table internal.link_requests rename to visit_link_requests;
alter table internal.shop_setup rename to onboarding;
alter table internal.visitor_letters rename to visitor_emails;
alter table public.cars rename to vehicles;
alter table public.closures rename to special_hours;
alter table public.different_people rename to non_duplicates;
alter table public.invoice_links rename to invoices;
alter table public.kept_jobs rename to canned_jobs;
alter table public.people rename to customers;
alter table public.person_contacts rename to customer_contact_methods;
alter sequence public.person_contacts_id_seq rename to customer_contact_methods_id_seq;
alter table public.person_notes rename to customer_notes;
alter table public.record_merges rename to merges;
alter type internal.caller rename to customer_details;
alter type internal.described_car rename to vehicle_details;
alter type internal.said rename to personal_identifier;

-- What the actions of a customer come to.
alter domain internal.action_outcome drop constraint action_outcome_done_is_known;
alter domain internal.action_outcome drop constraint action_outcome_refused_is_no_change;
alter domain internal.action_outcome add constraint action_outcome_done_is_known check (
  (value).done is null or (value).done in ('moved', 'cancelled', 'restored', 'attendance_confirmed', 'reason_saved', 'unchanged'));
alter domain internal.action_outcome add constraint action_outcome_refused_is_no_change check (
  (value).refused is null or (value).refused not in ('moved', 'restored', 'attendance_confirmed', 'reason_saved', 'unchanged'));

-- Constraints and indexes.
alter table internal.visitor_booking_limits rename constraint booking_caps_most_check to visitor_booking_limits_max_count_check;
alter table internal.visitor_booking_limits rename constraint booking_caps_pkey to visitor_booking_limits_pkey;
alter table internal.calendar_feed rename constraint calendar_feed_only_one_check to calendar_feed_is_one_row;
alter table internal.email_kinds rename constraint email_kinds_agrees_with_check to email_kinds_must_match_check;
alter table internal.form_origins rename constraint form_origins_check to form_origins_are_of_one_record;
alter table internal.known_browsers rename constraint known_browsers_tries_left_check to known_browsers_attempts_left_check;
alter table internal.visitor_email_limits rename constraint letter_caps_most_check to visitor_email_limits_max_count_check;
alter table internal.visitor_email_limits rename constraint letter_caps_name_check to visitor_email_limits_name_check;
alter table internal.visitor_email_limits rename constraint letter_caps_pkey to visitor_email_limits_pkey;
alter table internal.visit_link_requests rename constraint link_requests_pkey to visit_link_requests_pkey;
alter table internal.onboarding rename constraint shop_setup_confirmed_steps_are_known to onboarding_confirmed_steps_are_known;
alter table internal.onboarding rename constraint shop_setup_fills_a_week_it_began to onboarding_sample_week_was_started;
alter table internal.onboarding rename constraint shop_setup_is_one_row to onboarding_is_one_row;
alter table internal.onboarding rename constraint shop_setup_pkey to onboarding_pkey;
alter table internal.visitor_emails rename constraint visitor_letters_pkey to visitor_emails_pkey;
alter table internal.visitor_emails rename constraint visitor_letters_refused_because_check to visitor_emails_exceeded_limit_check;
alter table public.authorizations rename constraint authorizations_once_an_act to authorizations_one_per_job_and_batch;
alter table public.authorizations rename constraint authorizations_person_is_named to authorizations_decided_by_name_is_text;
alter table public.authorizations rename constraint authorizations_relation_is_text to authorizations_relationship_is_text;
alter table public.authorizations rename constraint authorizations_say_the_number to authorizations_contact_is_required;
alter table public.authorizations rename constraint authorizations_words_are_short to authorizations_statement_is_short;
alter table public.bays rename constraint bays_position_is_one_bays to bays_position_is_unique;
alter table public.booking_rules rename constraint booking_rules_grid_minutes_in_range to booking_rules_slot_interval_minutes_in_range;
alter table public.booking_rules rename constraint booking_rules_horizon_days_in_range to booking_rules_booking_window_days_in_range;
alter table public.booking_rules rename constraint booking_rules_notice_within_horizon to booking_rules_notice_within_booking_window;
alter table public.booking_rules rename constraint booking_rules_pause_says_why to booking_rules_pause_has_message;
alter table public.booking_rules rename constraint booking_rules_pause_sentence_is_text to booking_rules_pause_message_is_text;
alter table public.bookings rename constraint bookings_are_kept_by_somebody to bookings_conflict_acceptance_is_complete;
alter table public.bookings rename constraint bookings_car_id_fkey to bookings_vehicle_id_fkey;
alter table public.bookings rename constraint bookings_check to bookings_completion_is_complete;
alter table public.bookings rename constraint bookings_kept_by_check to bookings_conflict_accepted_by_check;
alter table public.bookings rename constraint bookings_person_id_fkey to bookings_customer_id_fkey;
alter table public.bookings rename constraint bookings_shop_note_is_plain to bookings_internal_note_is_plain;
alter table public.bookings rename constraint bookings_show_every_character to bookings_have_no_invisible_characters;
alter table public.vehicles rename constraint cars_color_is_text to vehicles_color_is_text;
alter table public.vehicles rename constraint cars_make_is_text to vehicles_make_is_text;
alter table public.vehicles rename constraint cars_merge_into_another to vehicles_merge_into_another;
alter table public.vehicles rename constraint cars_merged_into_fkey to vehicles_merged_into_fkey;
alter table public.vehicles rename constraint cars_model_is_text to vehicles_model_is_text;
alter table public.vehicles rename constraint cars_note_is_plain to vehicles_internal_note_is_plain;
alter table public.vehicles rename constraint cars_person_id_fkey to vehicles_customer_id_fkey;
alter table public.vehicles rename constraint cars_pkey to vehicles_pkey;
alter table public.vehicles rename constraint cars_plate_is_text to vehicles_plate_is_text;
alter table public.vehicles rename constraint cars_vin_is_right to vehicles_vin_is_valid;
alter table public.vehicles rename constraint cars_year_is_text to vehicles_year_is_text;
alter table public.special_hours rename constraint closures_are_of_this_century to special_hours_are_of_this_century;
alter table public.special_hours rename constraint closures_are_whole_minutes to special_hours_are_whole_minutes;
alter table public.special_hours rename constraint closures_bay_id_fkey to special_hours_bay_id_fkey;
alter table public.special_hours rename constraint closures_end_after_start to special_hours_end_after_start;
alter table public.special_hours rename constraint closures_openings_are_of_one_day to special_openings_last_one_day;
alter table public.special_hours rename constraint closures_pkey to special_hours_pkey;
alter table public.special_hours rename constraint closures_reason_is_text to special_hours_reason_is_text;
alter table public.non_duplicates rename constraint different_people_are_in_order to non_duplicates_are_in_order;
alter table public.non_duplicates rename constraint different_people_other_id_fkey to non_duplicates_other_customer_id_fkey;
alter table public.non_duplicates rename constraint different_people_person_id_fkey to non_duplicates_customer_id_fkey;
alter table public.non_duplicates rename constraint different_people_pkey to non_duplicates_pkey;
alter table public.emails rename constraint emails_check to emails_sent_at_matches_status;
alter table public.emails rename constraint emails_name_estimate_of_revision to emails_revision_needs_estimate;
alter table public.estimate_jobs rename constraint estimate_jobs_measure_is_one to estimate_jobs_measurement_is_valid;
alter table public.estimate_jobs rename constraint estimate_jobs_one_a_position to estimate_jobs_position_is_unique;
alter table public.estimate_jobs rename constraint estimate_jobs_plain_words_are_short to estimate_jobs_customer_description_is_short;
alter table public.estimate_lines rename constraint estimate_lines_detail_fits_kind to estimate_lines_subtype_matches_kind;
alter table public.estimate_lines rename constraint estimate_lines_states_fees_untaxed to estimate_lines_state_fees_are_untaxed;
alter table public.estimate_lines rename constraint estimate_lines_thousandths_in_range to estimate_lines_quantity_in_range;
alter table public.estimate_lines rename constraint estimate_lines_unit_cents_in_range to estimate_lines_unit_price_in_range;
alter table public.estimate_revisions rename constraint estimate_revisions_good_until_is_near to estimate_revisions_good_until_in_range;
alter table public.estimate_revisions rename constraint estimate_revisions_hash_names_one to estimate_revisions_hash_is_unique;
alter table public.estimates rename constraint estimates_car_id_fkey to estimates_vehicle_id_fkey;
alter table public.estimates rename constraint estimates_person_id_fkey to estimates_customer_id_fkey;
alter table public.invoices rename constraint invoice_links_booking_id_fkey to invoices_booking_id_fkey;
alter table public.invoices rename constraint invoice_links_car_id_fkey to invoices_vehicle_id_fkey;
alter table public.invoices rename constraint invoice_links_currency_check to invoices_currency_check;
alter table public.invoices rename constraint invoice_links_customer_name_check to invoices_customer_name_check;
alter table public.invoices rename constraint invoice_links_invoice_id_check to invoices_invoice_id_check;
alter table public.invoices rename constraint invoice_links_number_check to invoices_number_check;
alter table public.invoices rename constraint invoice_links_person_id_fkey to invoices_customer_id_fkey;
alter table public.invoices rename constraint invoice_links_pkey to invoices_pkey;
alter table public.invoices rename constraint invoice_links_status_check to invoices_status_check;
alter table public.canned_jobs rename constraint kept_jobs_job_is_an_object to canned_jobs_job_is_an_object;
alter table public.canned_jobs rename constraint kept_jobs_pkey to canned_jobs_pkey;
alter table public.canned_jobs rename constraint kept_jobs_title_is_text to canned_jobs_title_is_text;
alter table public.canned_jobs rename constraint kept_jobs_title_key to canned_jobs_title_key;
alter table public.odometer_readings rename constraint odometer_readings_car_id_fkey to odometer_readings_vehicle_id_fkey;
alter table public.odometer_readings rename constraint odometer_readings_on_a_day_of_cars to odometer_readings_date_in_range;
alter table public.payments rename constraint payments_check to payments_overpaid_within_amount;
alter table public.payments rename constraint payments_check1 to payments_refund_id_matches_outcome;
alter table public.payments rename constraint payments_check2 to payments_overpaid_matches_outcome;
alter table public.customers rename constraint people_email_is_text to customers_email_is_text;
alter table public.customers rename constraint people_merge_into_another to customers_merge_into_another;
alter table public.customers rename constraint people_merged_into_fkey to customers_merged_into_fkey;
alter table public.customers rename constraint people_name_is_text to customers_name_is_text;
alter table public.customers rename constraint people_phone_is_text to customers_phone_is_text;
alter table public.customers rename constraint people_pkey to customers_pkey;
alter table public.customer_contact_methods rename constraint person_contacts_key_is_text to customer_contact_methods_match_key_is_text;
alter table public.customer_contact_methods rename constraint person_contacts_kind_is_known to customer_contact_methods_kind_is_known;
alter table public.customer_contact_methods rename constraint person_contacts_person_id_fkey to customer_contact_methods_customer_id_fkey;
alter table public.customer_contact_methods rename constraint person_contacts_pkey to customer_contact_methods_pkey;
alter table public.customer_contact_methods rename constraint person_contacts_value_is_text to customer_contact_methods_value_is_text;
alter table public.customer_notes rename constraint person_notes_note_is_plain to customer_notes_note_is_plain;
alter table public.customer_notes rename constraint person_notes_person_id_fkey to customer_notes_customer_id_fkey;
alter table public.customer_notes rename constraint person_notes_pkey to customer_notes_pkey;
alter table public.customer_notes rename constraint person_notes_written_by_name_check to customer_notes_written_by_name_check;
alter table public.quote_requests rename constraint quote_requests_car_id_fkey to quote_requests_vehicle_id_fkey;
alter table public.quote_requests rename constraint quote_requests_person_id_fkey to quote_requests_customer_id_fkey;
alter table public.quote_requests rename constraint quote_requests_show_every_character to quote_requests_have_no_invisible_characters;
alter table public.merges rename constraint record_merges_are_of_two to merges_are_of_two_records;
alter table public.merges rename constraint record_merges_kind_is_known to merges_kind_is_known;
alter table public.merges rename constraint record_merges_merged_by_name_check to merges_merged_by_name_check;
alter table public.merges rename constraint record_merges_part_of_fkey to merges_parent_merge_id_fkey;
alter table public.merges rename constraint record_merges_pkey to merges_pkey;
alter table public.shop rename constraint shop_kind_is_text to shop_business_type_is_text;
alter table public.shop rename constraint shop_lead_is_text to shop_description_is_text;
alter table public.shop rename constraint shop_links_are_addresses to shop_links_are_https_urls;
alter table public.tasks rename constraint tasks_check to tasks_completed_at_matches_status;
alter table public.tasks rename constraint tasks_check1 to tasks_ready_for_pickup_when_completed;
alter table public.tasks rename constraint tasks_name_estimate_and_job to tasks_estimate_and_job_are_both_set;
alter table public.tasks rename constraint tasks_one_a_job to tasks_one_per_job;
alter index internal.link_requests_waiting rename to visit_link_requests_waiting;
alter index internal.visitor_letters_newest_first rename to visitor_emails_newest_first;
alter index public.bookings_by_thread rename to bookings_by_repair;
alter index public.bookings_gone_by_date rename to bookings_inactive_by_date;
alter index public.bookings_not_placed rename to bookings_without_bay;
alter index public.bookings_of_car rename to bookings_of_vehicle;
alter index public.bookings_of_person rename to bookings_of_customer;
alter index public.bookings_without_person rename to bookings_without_customer;
alter index public.cars_by_search_text rename to vehicles_by_search_text;
alter index public.cars_merged rename to vehicles_merged;
alter index public.cars_of_person rename to vehicles_of_customer;
alter index public.closures_by_span rename to special_hours_by_span;
alter index public.closures_of_bay rename to special_hours_of_bay;
alter index public.different_people_of_other rename to non_duplicates_of_other;
alter index public.estimate_invoices_one_an_estimate rename to estimate_invoices_one_per_estimate;
alter index public.estimates_by_thread rename to estimates_by_repair;
alter index public.estimates_of_car rename to estimates_of_vehicle;
alter index public.estimates_of_person rename to estimates_of_customer;
alter index public.invoice_links_by_search_text rename to invoices_by_search_text;
alter index public.invoice_links_of_booking rename to invoices_of_booking;
alter index public.invoice_links_of_car rename to invoices_of_vehicle;
alter index public.invoice_links_of_person rename to invoices_of_customer;
alter index public.odometer_readings_of_car rename to odometer_readings_of_vehicle;
alter index public.people_by_name rename to customers_by_name;
alter index public.people_by_search_text rename to customers_by_search_text;
alter index public.people_merged rename to customers_merged;
alter index public.people_newest_first rename to customers_newest_first;
alter index public.person_contacts_by_key rename to customer_contact_methods_by_match_key;
alter index public.person_contacts_by_part rename to customer_contact_methods_by_part;
alter index public.person_contacts_of_person rename to customer_contact_methods_of_customer;
alter index public.person_notes_of_person rename to customer_notes_of_customer;
alter index public.quote_requests_by_thread rename to quote_requests_by_repair;
alter index public.quote_requests_of_car rename to quote_requests_of_vehicle;
alter index public.quote_requests_of_person rename to quote_requests_of_customer;
alter index public.quote_requests_without_person rename to quote_requests_without_customer;
alter index public.record_merges_of_gone rename to merges_of_duplicate;
alter index public.record_merges_of_kept rename to merges_of_survivor;
alter index public.record_merges_of_part rename to merges_of_parent;
alter index public.tasks_with_the_customer rename to tasks_waiting_on_customer;
alter index internal.owner_notices_told rename to owner_notices_notified;
alter index internal.visitor_letters_counted rename to visitor_emails_counted;
alter table internal.visitor_booking_limits rename constraint booking_caps_name_is_known to visitor_booking_limits_name_is_known;
alter table public.customer_contact_methods rename constraint person_contacts_confirmed_by_is_text to customer_contact_methods_confirmed_by_is_text;
alter table public.customer_contact_methods rename constraint person_contacts_phones_are_confirmed to customer_contact_methods_phones_are_confirmed;
alter table internal.visitor_booking_limits rename constraint booking_caps_most_not_null to visitor_booking_limits_max_count_not_null;
alter table internal.visitor_booking_limits rename constraint booking_caps_name_not_null to visitor_booking_limits_name_not_null;
alter table internal.visitor_booking_limits rename constraint booking_caps_span_not_null to visitor_booking_limits_period_not_null;
alter table internal.calendar_feed rename constraint calendar_feed_only_one_not_null to calendar_feed_id_not_null;
alter table internal.email_kinds rename constraint email_kinds_agrees_with_not_null to email_kinds_must_match_not_null;
alter table internal.email_kinds rename constraint email_kinds_is_confirmation_not_null to email_kinds_is_visitor_triggered_not_null;
alter table internal.email_kinds rename constraint email_kinds_leaves_at_night_not_null to email_kinds_is_sent_at_night_not_null;
alter table internal.known_browsers rename constraint known_browsers_tries_left_not_null to known_browsers_attempts_left_not_null;
alter table internal.visitor_email_limits rename constraint letter_caps_most_not_null to visitor_email_limits_max_count_not_null;
alter table internal.visitor_email_limits rename constraint letter_caps_name_not_null to visitor_email_limits_name_not_null;
alter table internal.visitor_email_limits rename constraint letter_caps_span_not_null to visitor_email_limits_period_not_null;
alter table internal.visit_link_requests rename constraint link_requests_asked_at_not_null to visit_link_requests_requested_at_not_null;
alter table internal.visit_link_requests rename constraint link_requests_mailbox_digest_not_null to visit_link_requests_mailbox_digest_not_null;
alter table internal.onboarding rename constraint shop_setup_confirmed_steps_not_null to onboarding_confirmed_steps_not_null;
alter table internal.onboarding rename constraint shop_setup_has_first_password_not_null to onboarding_has_first_password_not_null;
alter table internal.onboarding rename constraint shop_setup_id_not_null to onboarding_id_not_null;
alter table internal.visitor_emails rename constraint visitor_letters_created_at_not_null to visitor_emails_created_at_not_null;
alter table internal.visitor_emails rename constraint visitor_letters_dedupe_key_not_null to visitor_emails_dedupe_key_not_null;
alter table internal.visitor_emails rename constraint visitor_letters_is_flagged_not_null to visitor_emails_is_flagged_not_null;
alter table internal.visitor_emails rename constraint visitor_letters_mailbox_digest_not_null to visitor_emails_mailbox_digest_not_null;
alter table public.authorizations rename constraint authorizations_act_id_not_null to authorizations_batch_id_not_null;
alter table public.authorizations rename constraint authorizations_person_not_null to authorizations_decided_by_name_not_null;
alter table public.authorizations rename constraint authorizations_relation_not_null to authorizations_relationship_not_null;
alter table public.authorizations rename constraint authorizations_said_at_not_null to authorizations_decided_at_not_null;
alter table public.authorizations rename constraint authorizations_words_not_null to authorizations_statement_not_null;
alter table public.booking_rules rename constraint booking_rules_grid_minutes_not_null to booking_rules_slot_interval_minutes_not_null;
alter table public.booking_rules rename constraint booking_rules_horizon_days_not_null to booking_rules_booking_window_days_not_null;
alter table public.booking_rules rename constraint booking_rules_invoice_lookup_asks_email_not_null to booking_rules_invoice_lookup_requires_email_not_null;
alter table public.booking_rules rename constraint booking_rules_pause_sentence_not_null to booking_rules_pause_message_not_null;
alter table public.booking_rules rename constraint booking_rules_tell_shop_of_changes_not_null to booking_rules_notify_shop_of_changes_not_null;
alter table public.bookings rename constraint bookings_state_since_not_null to bookings_state_changed_at_not_null;
alter table public.bookings rename constraint bookings_thread_id_not_null to bookings_repair_id_not_null;
alter table public.vehicles rename constraint cars_created_at_not_null to vehicles_created_at_not_null;
alter table public.vehicles rename constraint cars_id_not_null to vehicles_id_not_null;
alter table public.vehicles rename constraint cars_is_sample_not_null to vehicles_is_sample_not_null;
alter table public.vehicles rename constraint cars_person_id_not_null to vehicles_customer_id_not_null;
alter table public.vehicles rename constraint cars_search_text_not_null to vehicles_search_text_not_null;
alter table public.vehicles rename constraint cars_version_not_null to vehicles_version_not_null;
alter table public.special_hours rename constraint closures_ends_at_not_null to special_hours_ends_at_not_null;
alter table public.special_hours rename constraint closures_id_not_null to special_hours_id_not_null;
alter table public.special_hours rename constraint closures_is_open_not_null to special_hours_is_open_not_null;
alter table public.special_hours rename constraint closures_is_public_not_null to special_hours_is_public_not_null;
alter table public.special_hours rename constraint closures_reason_not_null to special_hours_reason_not_null;
alter table public.special_hours rename constraint closures_span_not_null to special_hours_span_not_null;
alter table public.special_hours rename constraint closures_starts_at_not_null to special_hours_starts_at_not_null;
alter table public.special_hours rename constraint closures_version_not_null to special_hours_version_not_null;
alter table public.non_duplicates rename constraint different_people_other_id_not_null to non_duplicates_other_customer_id_not_null;
alter table public.non_duplicates rename constraint different_people_person_id_not_null to non_duplicates_customer_id_not_null;
alter table public.emails rename constraint emails_resends_not_null to emails_resend_count_not_null;
alter table public.erasures rename constraint erasures_kept_not_null to erasures_retained_not_null;
alter table public.erasures rename constraint erasures_person_id_not_null to erasures_customer_id_not_null;
alter table public.estimate_jobs rename constraint estimate_jobs_is_needed_not_null to estimate_jobs_is_needed_now_not_null;
alter table public.estimate_jobs rename constraint estimate_jobs_key_not_null to estimate_jobs_job_key_not_null;
alter table public.estimate_jobs rename constraint estimate_jobs_plain_words_not_null to estimate_jobs_customer_description_not_null;
alter table public.estimate_lines rename constraint estimate_lines_detail_not_null to estimate_lines_subtype_not_null;
alter table public.estimate_lines rename constraint estimate_lines_thousandths_not_null to estimate_lines_quantity_thousandths_not_null;
alter table public.estimate_lines rename constraint estimate_lines_unit_cents_not_null to estimate_lines_unit_price_cents_not_null;
alter table public.estimates rename constraint estimates_thread_id_not_null to estimates_repair_id_not_null;
alter table public.invoices rename constraint invoice_links_currency_not_null to invoices_currency_not_null;
alter table public.invoices rename constraint invoice_links_customer_name_not_null to invoices_customer_name_not_null;
alter table public.invoices rename constraint invoice_links_invoice_id_not_null to invoices_invoice_id_not_null;
alter table public.invoices rename constraint invoice_links_made_at_not_null to invoices_created_at_not_null;
alter table public.invoices rename constraint invoice_links_search_text_not_null to invoices_search_text_not_null;
alter table public.invoices rename constraint invoice_links_status_not_null to invoices_status_not_null;
alter table public.invoices rename constraint invoice_links_total_cents_not_null to invoices_total_cents_not_null;
alter table public.canned_jobs rename constraint kept_jobs_id_not_null to canned_jobs_id_not_null;
alter table public.canned_jobs rename constraint kept_jobs_is_sample_not_null to canned_jobs_is_sample_not_null;
alter table public.canned_jobs rename constraint kept_jobs_job_not_null to canned_jobs_job_not_null;
alter table public.canned_jobs rename constraint kept_jobs_kept_at_not_null to canned_jobs_saved_at_not_null;
alter table public.canned_jobs rename constraint kept_jobs_title_not_null to canned_jobs_title_not_null;
alter table public.odometer_readings rename constraint odometer_readings_car_id_not_null to odometer_readings_vehicle_id_not_null;
alter table public.customers rename constraint people_created_at_not_null to customers_created_at_not_null;
alter table public.customers rename constraint people_gets_reminders_not_null to customers_gets_reminders_not_null;
alter table public.customers rename constraint people_id_not_null to customers_id_not_null;
alter table public.customers rename constraint people_is_sample_not_null to customers_is_sample_not_null;
alter table public.customers rename constraint people_name_not_null to customers_name_not_null;
alter table public.customers rename constraint people_search_text_not_null to customers_search_text_not_null;
alter table public.customers rename constraint people_version_not_null to customers_version_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_created_at_not_null to customer_contact_methods_created_at_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_id_not_null to customer_contact_methods_id_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_key_not_null to customer_contact_methods_match_key_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_kind_not_null to customer_contact_methods_kind_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_person_id_not_null to customer_contact_methods_customer_id_not_null;
alter table public.customer_contact_methods rename constraint person_contacts_value_not_null to customer_contact_methods_value_not_null;
alter table public.customer_notes rename constraint person_notes_created_at_not_null to customer_notes_created_at_not_null;
alter table public.customer_notes rename constraint person_notes_id_not_null to customer_notes_id_not_null;
alter table public.customer_notes rename constraint person_notes_note_not_null to customer_notes_note_not_null;
alter table public.customer_notes rename constraint person_notes_person_id_not_null to customer_notes_customer_id_not_null;
alter table public.customer_notes rename constraint person_notes_written_by_name_not_null to customer_notes_written_by_name_not_null;
alter table public.quote_requests rename constraint quote_requests_thread_id_not_null to quote_requests_repair_id_not_null;
alter table public.merges rename constraint record_merges_before_not_null to merges_survivor_changes_not_null;
alter table public.merges rename constraint record_merges_gone_id_not_null to merges_duplicate_id_not_null;
alter table public.merges rename constraint record_merges_id_not_null to merges_id_not_null;
alter table public.merges rename constraint record_merges_kept_id_not_null to merges_survivor_id_not_null;
alter table public.merges rename constraint record_merges_kind_not_null to merges_kind_not_null;
alter table public.merges rename constraint record_merges_merged_at_not_null to merges_merged_at_not_null;
alter table public.merges rename constraint record_merges_merged_by_name_not_null to merges_merged_by_name_not_null;
alter table public.merges rename constraint record_merges_moved_not_null to merges_moved_rows_not_null;
alter table public.shop rename constraint shop_kind_not_null to shop_business_type_not_null;
alter table public.shop rename constraint shop_lead_not_null to shop_description_not_null;

-- Policies and triggers. Triggers fire in the order of their names: numbers keep it.
alter policy "the server ties data sessions to cookies" on internal.admin_data_sessions rename to "the server links data sessions to cookies";
alter policy "the server keeps the sessions of the dashboard" on internal.admin_sessions rename to "the server reads and writes sessions of the dashboard";
alter policy "the server keeps the address of the owner's calendar" on internal.calendar_feed rename to "the server reads and writes the calendar feed";
alter policy "the server reads kinds of e-mail" on internal.email_kinds rename to "the server reads email kinds";
alter policy "the server forgets where forms came from" on internal.form_origins rename to "the server deletes form origins";
alter policy "the server reads where forms came from" on internal.form_origins rename to "the server reads form origins";
alter policy "the server notes how far invoices are linked" on internal.invoice_backfill rename to "the server changes the invoice backfill";
alter policy "the server reads how far invoices are linked" on internal.invoice_backfill rename to "the server reads the invoice backfill";
alter policy "the server notes invoice numbers" on internal.invoice_numbers rename to "the server adds invoice numbers";
alter policy "the server knows browsers again" on internal.known_browsers rename to "the server reads and writes known browsers";
alter policy "the server notes the set-up" on internal.onboarding rename to "the server changes onboarding";
alter policy "the server reads the set-up" on internal.onboarding rename to "the server reads onboarding";
alter policy "the server keeps codes for one sign-in" on internal.sign_in_codes rename to "the server reads and writes sign-in codes";
alter policy "the server forgets old events" on internal.stripe_events rename to "the server deletes Stripe events";
alter policy "the server notes handled events" on internal.stripe_events rename to "the server adds Stripe events";
alter policy "the server reads handled events" on internal.stripe_events rename to "the server reads Stripe events";
alter policy "the server counts letters to visitors" on internal.visitor_emails rename to "the server counts visitor emails";
alter policy "the server forgets letters to visitors" on internal.visitor_emails rename to "the server deletes visitor emails";
alter policy "the admin reads the ledger" on public.authorizations rename to "the admin reads authorizations";
alter policy "the admin reads the story of bookings" on public.booking_events rename to "the admin reads booking events";
alter policy "anyone reads what visitors keep to" on public.booking_rules rename to "visitors and the server read the booking rules";
alter policy "the admin reads cars" on public.vehicles rename to "the admin reads vehicles";
alter policy "the admin reads closures" on public.special_hours rename to "the admin reads special hours";
alter policy "the server reads closures" on public.special_hours rename to "the server reads special hours";
alter policy "visitors read public closures of the shop" on public.special_hours rename to "visitors read public special hours of the shop";
alter policy "the admin reads who is not the same" on public.non_duplicates rename to "the admin reads non-duplicates";
alter policy "the server notes delivery" on public.emails rename to "the server records delivery";
alter policy "the server reads e-mails" on public.emails rename to "the server reads emails";
alter policy "the server writes e-mails" on public.emails rename to "the server adds emails";
alter policy "the admin reads what was erased" on public.erasures rename to "the admin reads erasures";
alter policy "the admin reads whose invoices are" on public.invoices rename to "the admin reads invoices";
alter policy "the admin reads kept jobs" on public.canned_jobs rename to "the admin reads canned jobs";
alter policy "the admin reads people" on public.customers rename to "the admin reads customers";
alter policy "the admin reads how people are reached" on public.customer_contact_methods rename to "the admin reads contact methods";
alter policy "the admin reads notes about people" on public.customer_notes rename to "the admin reads customer notes";
alter trigger fill_authorization on public.authorizations rename to set_authorization_amounts;
alter trigger keep_authorization on public.authorizations rename to prevent_authorization_delete;
alter trigger refuse_rewriting on public.authorizations rename to prevent_history_change;
alter trigger record_setting on public.bay_services rename to record_settings_change;
alter trigger count_version on public.bays rename to increment_version;
alter trigger record_setting on public.bays rename to record_settings_change;
alter trigger keep_events_but_reason on public.booking_events rename to allow_only_reason_redaction;
alter trigger refuse_rewriting on public.booking_events rename to prevent_history_change;
alter trigger count_version on public.booking_rules rename to increment_version;
alter trigger record_setting on public.booking_rules rename to record_settings_change;
alter trigger accept_booking on public.bookings rename to t10_accept_booking;
alter trigger change_calendar_alone on public.bookings rename to t00_lock_calendar_before_status_change;
alter trigger check_no_show on public.bookings rename to t10_check_no_show;
alter trigger count_booking_change on public.bookings rename to t15_increment_booking_version;
alter trigger fill_search_text on public.bookings rename to t20_fill_search_text;
alter trigger forget_answer on public.bookings rename to t40_clear_attendance_confirmation;
alter trigger keep_open_booking on public.bookings rename to t10_prevent_open_booking_delete;
alter trigger keep_records on public.bookings rename to t20_prevent_retained_record_delete;
alter trigger link_to_person on public.bookings rename to t50_link_to_customer;
alter trigger record_booking on public.bookings rename to t10_record_booking_event;
alter trigger record_booking_change on public.bookings rename to t10_record_booking_change;
alter trigger remember_form_origin on public.bookings rename to t20_record_form_origin;
alter trigger settle_hold on public.bookings rename to t50_release_hold;
alter trigger tell_person_changed on public.bookings rename to t30_publish_customer_change;
alter trigger count_version on public.vehicles rename to increment_version;
alter trigger tell_person_changed on public.vehicles rename to publish_customer_change;
alter trigger count_version on public.special_hours rename to increment_version;
alter trigger record_setting on public.special_hours rename to record_settings_change;
alter trigger count_version on public.employees rename to increment_version;
alter trigger record_setting on public.employees rename to record_settings_change;
alter trigger refuse_rewriting on public.erasures rename to prevent_history_change;
alter trigger keep_billed_jobs on public.estimate_invoice_jobs rename to prevent_billed_job_change;
alter trigger keep_claim on public.estimate_invoices rename to prevent_claim_change;
alter trigger refuse_frozen on public.estimate_jobs rename to prevent_frozen_row_change;
alter trigger refuse_frozen on public.estimate_lines rename to prevent_frozen_row_change;
alter trigger keep_frozen_revision on public.estimate_revisions rename to prevent_frozen_revision_change;
alter trigger know_from_estimate on public.estimate_revisions rename to link_sent_estimate;
alter trigger tell_of_estimates on public.estimate_revisions rename to publish_estimate_change;
alter trigger count_version on public.estimate_rules rename to increment_version;
alter trigger record_setting on public.estimate_rules rename to record_settings_change;
alter trigger keep_estimate on public.estimates rename to prevent_sent_estimate_delete;
alter trigger link_to_person on public.estimates rename to link_to_customer;
alter trigger tell_of_estimates on public.estimates rename to publish_estimate_change;
alter trigger tell_person_changed on public.invoices rename to publish_customer_change;
alter trigger record_forgotten_job on public.canned_jobs rename to record_canned_job_delete;
alter trigger record_kept_job on public.canned_jobs rename to record_canned_job_insert;
alter trigger record_renamed_job on public.canned_jobs rename to record_canned_job_update;
alter trigger tell_person_changed on public.odometer_readings rename to publish_customer_change;
alter trigger record_setting on public.opening_hours rename to record_settings_change;
alter trigger count_version on public.customers rename to increment_version;
alter trigger tell_person_changed on public.customers rename to publish_customer_change;
alter trigger tell_person_changed on public.customer_notes rename to publish_customer_change;
alter trigger flag_suspicious_form on public.quote_requests rename to t10_flag_suspicious_form;
alter trigger keep_records on public.quote_requests rename to t10_prevent_retained_record_delete;
alter trigger link_to_person on public.quote_requests rename to t20_link_to_customer;
alter trigger release_answered_quote on public.quote_requests rename to t10_unflag_answered_quote;
alter trigger remember_form_origin on public.quote_requests rename to t10_record_form_origin;
alter trigger count_version on public.services rename to increment_version;
alter trigger keep_one_service on public.services rename to require_active_service;
alter trigger record_setting on public.services rename to record_settings_change;
alter trigger keep_history_but_words on public.settings_history rename to allow_only_value_redaction;
alter trigger refuse_rewriting on public.settings_history rename to prevent_history_change;
alter trigger count_version on public.shop rename to increment_version;
alter trigger record_setting on public.shop rename to record_settings_change;
alter trigger bring_task_back on public.tasks rename to unarchive_reopened_task;
alter trigger forget_customer_note on public.tasks rename to clear_task_customer_note;
alter trigger keep_booking_of_task on public.tasks rename to confirm_hold_for_task;
alter trigger keep_records on public.tasks rename to prevent_retained_record_delete;
alter trigger record_setting on public.tax_rates rename to record_settings_change;
alter trigger keep_payment on public.payments rename to prevent_payment_delete;
alter trigger refuse_rewriting on public.payments rename to prevent_history_change;
alter trigger note_changed_details on public.estimate_revisions rename to log_changed_details;
alter trigger note_recipient on public.estimate_revisions rename to set_recipient;
alter trigger note_corrected_record on public.customers rename to log_corrected_record;
alter trigger note_corrected_record on public.vehicles rename to log_corrected_record;
alter trigger note_other_record on public.estimates rename to log_other_record;
alter trigger note_erasure on public.erasures rename to request_cleanup_after_erasure;
alter trigger refuse_rewriting on public.estimate_events rename to prevent_history_change;
alter trigger tell_of_estimates on public.estimate_events rename to publish_estimate_change;
alter trigger refuse_rewriting on public.estimate_invoice_jobs rename to prevent_history_change;
alter trigger refuse_rewriting on public.estimate_invoices rename to prevent_history_change;
alter trigger change_calendar_alone on public.tasks rename to lock_calendar_before_status_change;
alter trigger settle_notification on public.bookings rename to t65_reset_notification;
alter trigger accept_booking_of_visitor on public.bookings rename to t15_accept_booking_of_visitor;
alter trigger complete_booking on public.bookings rename to t20_complete_booking;
alter trigger announce_quote on public.quote_requests rename to t05_announce_quote;
alter trigger announce_changed_quote on public.quote_requests rename to t05_announce_changed_quote;

-- Functions that tables and triggers use keep their place.
alter function internal.are_links(text[]) rename to are_https_urls;
alter function internal.bring_task_back() rename to unarchive_reopened_task;
alter function internal.canonical_phone(text) rename to normalize_phone;
alter function internal.car_key(text,text,text) rename to vehicle_key;
alter function internal.change_calendar_alone() rename to lock_calendar_before_status_change;
alter function internal.count_booking_change() rename to increment_booking_version;
alter function internal.count_version() rename to increment_version;
alter function internal.fill_authorization() rename to set_authorization_amounts;
alter function internal.first_bay() rename to default_bay;
alter function internal.forget_answer() rename to clear_attendance_confirmation;
alter function internal.forget_customer_note() rename to clear_task_customer_note;
alter function internal.is_line(text,integer,integer) rename to is_single_line_text;
alter function internal.keep_authorization() rename to prevent_authorization_delete;
alter function internal.keep_billed_jobs() rename to prevent_billed_job_change;
alter function internal.keep_booking_of_task() rename to confirm_hold_for_task;
alter function internal.keep_claim() rename to prevent_claim_change;
alter function internal.keep_estimate() rename to prevent_sent_estimate_delete;
alter function internal.keep_events_but_reason() rename to allow_only_reason_redaction;
alter function internal.keep_frozen_revision() rename to prevent_frozen_revision_change;
alter function internal.keep_history_but_words() rename to allow_only_value_redaction;
alter function internal.keep_one_service() rename to require_active_service;
alter function internal.keep_open_booking() rename to prevent_open_booking_delete;
alter function internal.keep_payment() rename to prevent_payment_delete;
alter function internal.keep_records() rename to prevent_retained_record_delete;
alter function internal.know_from_estimate() rename to link_sent_estimate;
alter function internal.mailbox_of(text) rename to normalize_mailbox;
alter function internal.note_changed_details() rename to log_changed_details;
alter function internal.note_corrected_record() rename to log_corrected_record;
alter function internal.note_erasure() rename to request_cleanup_after_erasure;
alter function internal.note_other_record() rename to log_other_record;
alter function internal.note_recipient() rename to set_recipient;
alter function internal.plain(text) rename to normalize_search_text;
alter function internal.record_booking() rename to record_booking_event;
alter function internal.record_setting() rename to record_settings_change;
alter function internal.refuse_frozen() rename to prevent_frozen_row_change;
alter function internal.refuse_rewriting() rename to prevent_history_change;
alter function internal.release_answered_quote() rename to unflag_answered_quote;
alter function internal.remember_form_origin() rename to record_form_origin;
alter function internal.settle_hold() rename to release_hold;
alter function internal.settle_notification() rename to reset_notification;
alter function internal.tell_of_estimates() rename to publish_estimate_change;
alter function internal.tell_person_changed() rename to publish_customer_change;

-- The functions, in the order in which they need each other.

create or replace function internal.accept_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read bookings.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  is_admin constant boolean := internal.is_admin();
  instant constant timestamptz := internal.current_instant();
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  service record;
  refusal text;
  ignored text;
  client internal.client_digests;
begin
  -- Before the day's lock: whoever could lock several days in any order could make others deadlock.
  if not is_admin then
    if current_setting('shop.has_booked', true) = 'yes' then
      raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
    end if;
    ignored := set_config('shop.has_booked', 'yes', true);
  end if;
  select duration_minutes, name, price_from_cents,
         exists (select from public.bookings where held_until <= instant and appointment_date = new.appointment_date) as has_expired_holds
  into service from public.services where id = new.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  new.duration_minutes := service.duration_minutes;
  new.service_name := service.name;
  new.service_price_cents := service.price_from_cents;
  if new.status <> 'confirmed' then
    raise exception 'A new appointment is confirmed.' using errcode = 'TT002', hint = 'status_not_confirmed';
  end if;
  if length(trim(coalesce(new.vehicle_year, ''))) = 0
     or length(trim(coalesce(new.vehicle_make, ''))) = 0
     or length(trim(coalesce(new.vehicle_model, ''))) = 0 then
    raise exception 'Please provide vehicle year, make, and model.' using errcode = 'TT003', hint = 'vehicle_required';
  end if;
  refusal := internal.booking_refusal(new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if refusal is not null then
    perform internal.refuse_booking(refusal);
  end if;
  -- One insert a day at a time: concurrent ones for overlapping times would otherwise wait for each other
  -- inside the exclusion constraint and end as deadlocks instead of conflicts.
  perform internal.lock_booking_day(new.appointment_date);
  new.bay_id := internal.find_free_bay(
    new.appointment_date, new.appointment_time, new.duration_minutes, new.service_id);
  if new.bay_id is null then
    perform internal.raise_slot_taken();
  end if;
  if tg_argv[0] = 'visitor' then
    new.flagged_reasons := internal.reasons_to_flag_form(headers);
  end if;
  if service.has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  if new.customer_email is null then
    raise exception 'An e-mail address is required.' using errcode = '23502', column = 'customer_email', hint = 'email_required';
  end if;
  -- Staff decide what they book.
  if is_admin then
    return new;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  if internal.is_at_open_limit(mailbox, phone_key, new.id) then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  client := internal.client_digests(headers);
  if client.is_limited then
    perform internal.lock_booking_network(client);
    if new.flagged_reasons = '{}' then
      new.flagged_reasons := array_remove(array[internal.reached_booking_limit(client)], null);
    end if;
  end if;
  if new.flagged_reasons <> '{}' then
    -- One that is marked lets its time go after half an hour unless somebody confirms it, and there are few of those at a time.
    if not internal.is_hold_of_known_customer(new) then
      perform internal.refuse_too_many_held(client);
    end if;
    new.held_until := instant + interval '30 minutes';
  end if;
  return new;
end
$$;

create function internal.action_done(change text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(change, null)::internal.action_outcome_fields::internal.action_outcome;

create function internal.action_refused(reason text) returns internal.action_outcome
  language sql immutable
  set search_path = ''
  return row(null, reason)::internal.action_outcome_fields::internal.action_outcome;

create function internal.add_contact_methods(wanted_customer_id uuid, email text, phone text, is_confirmed boolean default true) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into public.customer_contact_methods (customer_id, kind, match_key, value, confirmed_at)
  select wanted_customer_id, given.kind, given.key, given.value,
         case when is_confirmed or given.kind = 'phone' then internal.current_instant() end
  from (values ('email', lower(trim(email)), trim(email)), ('phone', internal.normalize_phone(phone), trim(phone))) as given (kind, key, value)
  where given.key <> '' and not exists (
    select from public.customer_contact_methods known
    where known.customer_id = wanted_customer_id and known.kind = given.kind and known.match_key = given.key);
  update public.customer_contact_methods known set confirmed_at = internal.current_instant()
  where is_confirmed and known.customer_id = wanted_customer_id and known.kind = 'email' and known.match_key = lower(trim(email)) and known.confirmed_at is null;
end
$$;

create function internal.add_estimate_event(wanted_id uuid, kind text, before jsonb default null, after jsonb default null) returns void
  language sql
  set search_path = ''
as $$
  insert into public.estimate_events (estimate_id, kind, before, after, changed_by_name)
  values (wanted_id, kind, before, after, internal.author_name(null))
$$;

create function internal.add_sample_booking(booking jsonb) returns setof public.bookings
  language sql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
  insert into public.bookings (
    is_sample, id, service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name, customer_email,
    customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, status, created_at,
    completed_at, completed_by)
  select true, (booking ->> 'id')::uuid, service.id, place.starts_at::date, place.starts_at::time, service.duration_minutes,
         place.bay_id, booking ->> 'name', booking ->> 'email', booking ->> 'phone', booking ->> 'notes', booking ->> 'shopNote',
         booking ->> 'year', booking ->> 'make', booking ->> 'model', booking ->> 'color',
         case
           when booking ->> 'status' <> 'here' then booking ->> 'status'
           when ended.is_done then 'confirmed'
           when place.starts_at <= internal.shop_now() then 'in_work'
           when place.starts_at <= internal.shop_now() + interval '1 hour' then 'arrived'
           else 'confirmed'
         end,
         (booking ->> 'createdAt')::timestamptz,
         case when ended.is_done then ended.at at time zone shop.time_zone end, case when ended.is_done then 'admin' end
  from public.shop, public.services service,
       internal.find_sample_slot((booking ->> 'date')::date, (booking ->> 'time')::time, service) place,
       lateral (select place.starts_at + service.duration_minutes * interval '1 minute' as at) as ends,
       lateral (
         select ends.at, ends.at <= internal.shop_now() and booking ->> 'status' in ('confirmed', 'here') as is_done
       ) as ended
  where service.id = (booking ->> 'serviceId')::uuid
  returning *
$$;

create function internal.add_sample_estimate(estimate jsonb) returns void
  language plpgsql
  -- The server has no right to write estimates, estimate_revisions and canned_jobs.
  security definer
  set search_path = ''
as $$
declare
  made public.estimates;
  frozen public.estimate_revisions;
begin
  insert into public.estimates (
    is_sample, repair_id, booking_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
    vehicle_plate, odometer_miles, created_by, changed_by)
  select true, booking.repair_id, booking.id, booking.customer_name, coalesce(booking.customer_email, ''), booking.customer_phone,
    coalesce(booking.vehicle_year, ''), coalesce(booking.vehicle_make, ''), coalesce(booking.vehicle_model, ''),
    estimate ->> 'plate', (estimate ->> 'odometerMiles')::integer, 'admin', 'admin'
  from public.bookings booking where booking.id = (estimate ->> 'bookingId')::uuid
  returning * into made;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  select made.id, 1, estimate ->> 'customerNote', internal.shop_now()::date + good_for_days,
    internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.save_revision_jobs(made.id, 1, estimate -> 'jobs');
  insert into public.canned_jobs (title, job, is_sample)
  select job ->> 'title', job - 'key', true from jsonb_array_elements(estimate -> 'jobs') job
  on conflict (title) do nothing;
  frozen := internal.freeze_revision(made);
  update public.estimate_revisions revision set sent_at = frozen.frozen_at where revision.estimate_id = made.id;
  if estimate ? 'approved' then
    perform internal.decide_estimate(
      made.id, frozen.hash, array(select jsonb_array_elements_text(estimate -> 'approved'))::uuid[], made.customer_name, '', false);
  end if;
end
$$;

create function internal.add_sample_quote(quote jsonb) returns void
  language sql
  -- The server has no right to write quote_requests.
  security definer
  set search_path = ''
as $$
  insert into public.quote_requests (
    is_sample, id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, created_at)
  values (
    true, (quote ->> 'id')::uuid, quote ->> 'name', quote ->> 'email', quote ->> 'phone', quote ->> 'year', quote ->> 'make',
    quote ->> 'model', quote ->> 'serviceType', quote ->> 'description', (quote ->> 'createdAt')::timestamptz)
$$;

create function internal.add_sample_task(task jsonb) returns void
  language sql
  -- The server has no right to write tasks, task_status_history and task_notes.
  security definer
  set search_path = ''
as $$
  insert into public.tasks (
    is_sample, id, title, description, priority, status, assigned_to, due_date, booking_id, created_at, completed_at,
    ready_for_pickup_at)
  values (
    true, (task ->> 'id')::uuid, task ->> 'title', task ->> 'description', task ->> 'priority', task ->> 'status',
    (
      select employee.id
      from (select id, row_number() over (order by name) as number from public.employees where is_active) employee
      where employee.number = (task ->> 'employee')::integer),
    (task ->> 'dueDate')::date, (task ->> 'bookingId')::uuid, (task ->> 'createdAt')::timestamptz,
    (task ->> 'completedAt')::timestamptz, (task ->> 'readyAt')::timestamptz);
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by_name, created_at)
  select (task ->> 'id')::uuid, "from", "to", note, "by", "at"
  from jsonb_to_recordset(task -> 'changes') as change("from" text, "to" text, note text, "by" text, "at" timestamptz);
  insert into public.task_notes (task_id, note, created_by_name, created_at)
  select (task ->> 'id')::uuid, note, "by", "at"
  from jsonb_to_recordset(task -> 'notes') as written(note text, "by" text, "at" timestamptz)
$$;

create function internal.client_digests(headers jsonb) returns internal.client_digests
  language plpgsql stable
  -- Those for whom this is called have no right to call digests_of_address.
  security definer
  set search_path = ''
as $$
begin
  -- A hosted project's gateway writes cf-connecting-ip over whatever the client sent. The shop's own data service names
  -- client and networks by hashes that have a key, and passes no other header on.
  if headers ? 'cf-connecting-ip' then
    return internal.digests_of_address(headers ->> 'cf-connecting-ip');
  end if;
  return row(sha256(convert_to(headers ->> 'x-client-address-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-56-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-48-hash', 'UTF8')),
             sha256(convert_to(headers ->> 'x-client-24-hash', 'UTF8')),
             -- On a hosted project anybody could say it.
             (headers ->> 'x-rate-limits') is distinct from 'off');
end
$$;

create function internal.address_digest(headers jsonb) returns bytea
  language sql stable
  -- Those for whom this is called have no right to call client_digests.
  security definer
  set search_path = ''
  return (internal.client_digests(headers)).address;

create function internal.is_standing(booking public.bookings) returns boolean
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return booking.held_until is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed');

create function internal.typed_email(booking public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return case when booking.customer_email is not null and internal.was_typed_online(booking.id)
    and not internal.is_their_email(booking.customer_id, booking.customer_email) then booking.customer_email end;
end
$$;

create function internal.is_their_email(wanted_customer_id uuid, email text) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  email_key constant text := lower(trim(email));
begin
  return exists (
    select from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = email_key
      and (contact.confirmed_at is not null
        -- Who is new is known by the address of their first booking or quote request, once it stands.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.customer_id = wanted_customer_id
                  and lower(trim(booking.customer_email)) = email_key and internal.is_standing(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$$;

create function internal.address_question_state(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from internal.address_answers answer where answer.booking_id = booking.id) then 'answered'
    when internal.is_standing(booking) and internal.typed_email(booking) is not null
      and booking.created_at > now() - interval '30 days'
      -- Who reads a mailbox that is no address of the customer any more says nothing for them.
      and exists (
        select from public.emails letter
        where letter.booking_id = booking.id and letter.kind = 'address_question'
          and internal.is_their_email(booking.customer_id, letter.recipient_email))
    then 'open' else 'closed' end;

create function internal.hmac_sha256(message text, secret text) returns bytea
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  key bytea := convert_to(secret, 'UTF8');
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  if length(key) > 64 then
    key := sha256(key);
  end if;
  for place in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(key, place));
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(key, place));
  end loop;
  return sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8')));
end
$$;

create function internal.address_token(booking_id uuid) returns text
  language sql stable
  -- The server has no right to call hmac_sha256.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('address ' || booking.id || ' ' || booking.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = address_token.booking_id
  );

create function internal.addresses_to_ask(max_rows integer) returns table (booking_id uuid, recipient_email text)
  language sql stable
  -- The server has no right to read people.
  security definer
  set search_path = ''
as $$
  select booking.id, person.email
  from public.bookings booking join public.customers person on person.id = booking.customer_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_upcoming(booking) and internal.is_standing(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_quiet_hours()
    and internal.typed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(person.id) is not null
    -- Once for an address, however often it is typed.
    and not exists (
      select from public.bookings asked join public.emails letter on letter.booking_id = asked.id
      where asked.customer_id = booking.customer_id and lower(trim(asked.customer_email)) = lower(trim(booking.customer_email))
        and letter.kind = 'address_question')
  order by booking.created_at, booking.id
  limit max_rows
$$;

create function internal.link_customer_estimates(wanted_customer_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  keys constant text[] := internal.list_contact_keys(array[wanted_customer_id]);
begin
  update public.estimates estimate set customer_id = wanted_customer_id
  where customer_id is null
    and (lower(customer_email) = any (keys) or internal.normalize_phone(customer_phone) = any (keys))
    and internal.find_customer(internal.estimate_customer_details(estimate)) = wanted_customer_id;
end
$$;

create function internal.search_condition(word text) returns text
  language sql immutable
  set search_path = ''
  return
    case
      -- One or two letters are in nearly every row; at the beginning of a word they are what somebody means.
      when length(word) < 3 then format(
        '(search_text like %1$L or search_text like %2$L)',
        regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%',
        '% ' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      )
      else format('search_text like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    end;

create function internal.search_conditions(words text[]) returns text
  language sql immutable
  set search_path = ''
  return (select string_agg(internal.search_condition(word), ' and ') from unnest(words) word);

create function internal.analyze_customers() returns void
  language plpgsql
  -- The server has no right to read people, customer_contact_methods and cars.
  security definer
  set search_path = ''
as $$
begin
  analyze public.customers, public.customer_contact_methods, public.vehicles;
end
$$;

create function internal.announce_booking(booking_id uuid, event_id bigint) returns void
  language sql
  set search_path = ''
  -- Ids only: whoever hears of them asks with rights of their own.
  return pg_notify('bookings_changed', concat_ws(' ', booking_id, event_id));

create function internal.answer_address_question(booking_id uuid) returns text
  language plpgsql
  -- The server has no right to write address_answers.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person uuid;
begin
  -- A merge holds its customers and then moves appointments: this waits for none of its updates.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_contact_keys(array[lower(trim(booking.customer_email))]);
  select id into person from public.customers
  where id = internal.resolve_merged_customer(booking.customer_id) and merged_into is null and erased_at is null for update;
  if person is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(person, booking.customer_email, 'customer');
  return 'confirmed';
end
$$;

create function internal.decide_estimate(estimate_id uuid, revision_hash text, approved uuid[], decided_by_name text, statement text, wants_parts_back boolean)
  returns text
  language plpgsql
  -- The server has no right to write authorizations, estimate_revisions and estimates.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(decide_estimate.estimate_id, null);
  offered constant public.estimate_revisions := internal.latest_sent_revision(estimate.id);
  act constant uuid := gen_random_uuid();
begin
  if offered.hash is distinct from decide_estimate.revision_hash then
    return 'version_conflict';
  end if;
  case internal.sent_revision_state(offered)
    when 'closed' then return 'closed';
    when 'decided' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- A draft begun meanwhile takes nothing away: what is on the customer's screen is what they approve.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, wants_parts_back, decided_at, recorded_by)
  select estimate.id, offered.revision, offered.hash, totals.job_key, act,
    case when totals.job_key = any (approved) then 'approved' else 'declined' end,
    'web', trim(decide_estimate.decided_by_name), estimate.customer_email, decide_estimate.statement, decide_estimate.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = offered.revision
    and not coalesce(authorized.revision = offered.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, offered.revision, totals.job_key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set decided_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = offered.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.batch_id = act and line.decision = 'approved') then 'approved' else 'declined' end;
end
$$;

create function internal.confirm_attendance(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  refusal constant text := internal.customer_change_refusal(booking, seen_sequence, 0);
begin
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  if booking.attendance_confirmed_at is not null then
    return internal.action_done('unchanged');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings set attendance_confirmed_at = internal.current_instant() where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('attendance_confirmed');
end
$$;

create function internal.binding_lines(wanted_id uuid) returns setof public.authorizations
  language sql stable
  set search_path = ''
as $$
  select line.* from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.estimate_id = wanted_id and internal.void_because(line, estimate) is null
$$;

create function internal.approves_unseen_refusal(wanted_id uuid, decisions jsonb) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from jsonb_array_elements(decisions) given
    cross join lateral (
      select line.id, line.decision from internal.binding_lines(wanted_id) line
      where line.job_key = (given ->> 'jobKey')::uuid
      order by line.id desc limit 1
    ) latest
    where given ->> 'decision' = 'approved' and latest.decision = 'declined'
      and latest.id is distinct from (given ->> 'declinedId')::bigint
  );

create function internal.are_files_ours() returns boolean
  language sql stable
  set search_path = ''
  return not exists (select from internal.file_cleanups where not is_ours);

create or replace function internal.is_single_line_text(value text, fewest integer, most integer) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return length(value) <= most and length(trim(value)) >= fewest
    and value !~ '[[:cntrl:]\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';
end
$$;

create or replace function internal.are_https_urls(links text[]) returns boolean
  language sql immutable
  set search_path = ''
  return cardinality(links) <= 10
    and coalesce((select bool_and(coalesce(internal.is_single_line_text(link, 12, 300) and link ~ '^https://[^[:space:]<>"]+$', false))
      from unnest(links) link), true);

create function internal.request_visit_links(email text) returns void
  language plpgsql
  -- Nobody reads who asked.
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := internal.normalize_mailbox(email);
begin
  insert into internal.visit_link_requests as known (mailbox_digest, mailbox)
  values (sha256(convert_to(wanted, 'UTF8')), wanted)
  on conflict (mailbox_digest) do update set mailbox = excluded.mailbox, requested_at = now()
    where known.requested_at < now() - interval '1 hour';
end
$$;

create function internal.author_name(claimed_name text) returns text
  language sql stable
  set search_path = ''
  return coalesce(auth.jwt() #>> '{app_metadata,username}', nullif(trim(claimed_name), ''), 'admin');

create function internal.authorized_jobs(wanted_id uuid)
  returns table (job_key uuid, cents bigint, decision text, revision integer)
  language sql stable
  set search_path = ''
as $$
  with line as materialized (select * from internal.binding_lines(wanted_id))
  select latest.job_key, case when binding.decision = 'approved' then binding.amount_cents else 0 end, latest.decision, latest.revision
  from (
    select distinct on (line.job_key) line.job_key, line.decision, line.revision from line order by line.job_key, line.id desc
  ) latest
  left join lateral (
    select line.decision, line.amount_cents from line
    where line.job_key = latest.job_key and line.decision <> 'declined'
    order by line.id desc limit 1
  ) binding on true
$$;

create function internal.find_bay_for_reopened_booking(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- Its own, also when the hours have changed since.
  if not internal.is_bay_taken(booking.bay_id, booking.occupied)
     and exists (select from public.bays where id = booking.bay_id and is_active) then
    return booking.bay_id;
  end if;
  if internal.is_admin() then
    return internal.find_bay_for_staff(booking.service_id, booking.occupied, booking.id);
  end if;
  return internal.find_free_bay(
    booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id);
end
$$;

create function internal.open_spans(day date, bay uuid default null) returns tsmultirange
  language plpgsql stable
  -- It reads tables: that is what it costs.
  cost 1000
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(range_agg(span) filter (where is_open), '{}') - coalesce(range_agg(span) filter (where not is_open), '{}')
    from (
      select tsrange(day + opens_minute * interval '1 minute', day + closes_minute * interval '1 minute') as span, true as is_open
      from public.opening_hours where weekday = extract(dow from day)
      union all
      select span * tsrange(day, day + 1), is_open
      from public.special_hours where span && tsrange(day, day + 1) and (bay_id is null or bay_id = bay)
    ) as said
  );
end
$$;

create function internal.minutes_of_day(day date, spans tsmultirange) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'opensAtMinute', extract(epoch from lower(span) - day)::integer / 60,
      'closesAtMinute', extract(epoch from upper(span) - day)::integer / 60) order by span), '[]')
    from unnest(spans) span
  );

create function internal.bays_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', bay.id, 'name', bay.name, 'position', bay.position, 'is_active', bay.is_active, 'technician', bay.technician,
      'service_ids', (select jsonb_agg(service_id order by service_id) from public.bay_services where bay_id = bay.id),
      'open', internal.minutes_of_day(day, internal.open_spans(day, bay.id))
    ) order by bay.position), '[]')
    from public.bays bay
  );

create function internal.begin_settings_change(changed_section text, seen_version integer) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if (select version from public.settings_versions where section = changed_section) is distinct from seen_version then
    raise exception 'These settings were changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
end
$$;

create function internal.begin_revision(estimate public.estimates) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  if latest.frozen_at is null then
    return latest.revision;
  end if;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  values (estimate.id, latest.revision + 1, latest.customer_note, latest.good_until, latest.tax_rate);
  return latest.revision + 1;
end
$$;

create function internal.begin_sample_week() returns uuid
  language plpgsql
  -- The server has no right to call has_real_records.
  security definer
  set search_path = ''
as $$
declare
  week uuid;
begin
  -- Nobody books while it is decided.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if internal.has_real_records() then
    return null;
  end if;
  update internal.onboarding set sample_week_id = coalesce(sample_week_id, gen_random_uuid())
  returning sample_week_id into week;
  return week;
end
$$;

create function internal.booking_snapshot(booking public.bookings) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  bay_name text;
begin
  if booking.bay_id is not null then
    select name into bay_name from public.bays where id = booking.bay_id;
  end if;
  return jsonb_build_object(
    'date', booking.appointment_date, 'time', to_char(booking.appointment_time::interval, 'HH24:MI'),
    'minutes', booking.duration_minutes, 'service', booking.service_name, 'bay_id', booking.bay_id, 'bay', bay_name,
    'state', internal.booking_state(booking), 'held_until', booking.held_until, 'kept_at', booking.conflict_accepted_at);
end
$$;

create function internal.booking_invoice(booking_id uuid)
  returns table (number text, total_cents bigint, paid_at timestamptz)
  language sql stable
  set search_path = ''
as $$
  select claim.number, claim.total_cents, paid.at
  from (
    select estimate.id from public.estimates estimate
    where estimate.booking_id = booking_invoice.booking_id
      and exists (select from public.estimate_revisions revision
        where revision.estimate_id = estimate.id and revision.frozen_at is not null)
    order by estimate.created_at desc limit 1
  ) handed_over
  join public.estimate_invoices claim on claim.estimate_id = handed_over.id and claim.state = 'made'
  left join lateral (
    select max(payment.paid_at) as at from public.payments payment
    where payment.invoice_id = claim.invoice_id and payment.outcome <> 'refunded'
    having sum(payment.amount_cents) >= claim.total_cents
  ) paid on true
$$;

create function internal.booking_change_context() returns jsonb
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return coalesce(nullif(current_setting('shop.booking_change_context', true), ''), '{}')::jsonb;

create function internal.booking_refusal(
  booking_date date, booking_time time, duration_minutes integer, service uuid default null
)
  returns text
  language plpgsql stable
  -- The same answer for everyone, whatever of the rules they may read.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce(
    internal.moment_refusal(booking_date, booking_time),
    internal.hours_refusal(booking_date, booking_time, duration_minutes, service));
end
$$;

create function internal.booking_state(booking public.bookings) returns text
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return case when booking.completed_at is null then booking.status else 'completed' end;

create function internal.booking_warnings(wanted tsrange, bay uuid) returns text[]
  language plpgsql stable
  set search_path = ''
as $$
declare
  rules record;
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
  first_day constant date := lower(wanted)::date;
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  select shop.time_zone, rule.notice_minutes, rule.booking_window_days into rules from public.shop, public.booking_rules rule;
  starts_at := lower(wanted) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  return array_remove(array[
    case when starts_at < instant then 'in_the_past'
         when starts_at < instant + rules.notice_minutes * interval '1 minute' then 'notice_required' end,
    case when first_day > shop_today + rules.booking_window_days then 'too_far_ahead' end,
    case when last_day > first_day then 'overnight' end,
    case when not internal.fits_hours(wanted, internal.open_spans(first_day, bay), bay) then 'outside_hours' end
  ], null);
end
$$;

create function internal.bookings_to_notify() returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where booking.is_notification_outdated and internal.needs_notification(booking)
  order by booking.appointment_date, booking.appointment_time, booking.id limit 50
$$;

create function internal.bookings_to_remind(max_rows integer) returns setof public.bookings
  language sql stable
  -- The server has no right to read booking_events.
  security definer
  set search_path = ''
as $$
  select booking.*
  from public.shop, public.booking_rules rules, internal.shop_now() clock, public.bookings booking
  where clock::time >= rules.reminder_time and not internal.is_quiet_hours()
    and booking.appointment_date = clock::date + 1
    and internal.booking_state(booking) in ('confirmed', 'pending')
    and booking.held_until is null
    and booking.customer_email is not null
    -- Whether its customer wants reminders is known once it is linked.
    and booking.customer_id is not null and internal.gets_reminders(booking.customer_id)
    -- Whoever chose this time after the hour of reminders knows of it.
    and not exists (
      select from public.booking_events event
      where event.booking_id = booking.id
        and event.happened_at at time zone shop.time_zone >= clock::date + rules.reminder_time
        and (event.kind in ('booked', 'confirmed', 'reopened') or event.kind = 'moved' and event.after ?| array['date', 'time']))
    -- Nor does another length make it another time.
    and not exists (
      select from public.emails letter
      where letter.booking_id = booking.id and letter.kind = 'booking_reminder'
        and letter.appointment_at = booking.appointment_date + booking.appointment_time)
  order by booking.appointment_time, booking.id
  limit max_rows
$$;

create or replace function internal.unarchive_reopened_task() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.archived_at := null;
  return new;
end
$$;

create function internal.booking_customer_details(booking public.bookings, typed_online boolean) returns internal.customer_details
  language sql immutable
  set search_path = ''
  return row(booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at,
    booking.flagged_reasons = '{}' and internal.is_standing(booking), booking.is_sample, typed_online)::internal.customer_details;

create function internal.estimate_customer_details(estimate public.estimates) returns internal.customer_details
  language plpgsql stable
  set search_path = ''
as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Of an older database there is no such column yet.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false), false)::internal.customer_details;
end
$$;

create function internal.quote_request_customer_details(quote public.quote_requests) returns internal.customer_details
  language sql immutable
  set search_path = ''
  return row(quote.name, quote.email, quote.phone, quote.created_at, quote.flagged_reasons = '{}', quote.is_sample, true)::internal.customer_details;

create function internal.bay_can_do_service(bay uuid, service uuid) returns boolean
  language plpgsql stable
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  -- Null when the bay names no service, or nobody asks for one.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;

create function internal.has_real_records() returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where not is_sample)
    or exists (select from public.quote_requests where not is_sample)
    or exists (select from public.tasks where not is_sample)
    or exists (select from public.estimates where not is_sample)
    or exists (select from internal.assigned_invoice_numbers assigned
               where not exists (select from internal.sample_invoices() sample where sample.number = assigned.number))
    or exists (select from public.payments payment
               where not exists (select from internal.sample_invoices() sample where sample.invoice_id = payment.invoice_id));
end
$$;

create function internal.can_fill_sample_week() returns boolean
  language sql stable
  -- The server has no right to call has_real_records.
  security definer
  set search_path = ''
  return not internal.has_real_records() and (select sample_week_id is null from internal.onboarding);

create function internal.cancel_booking_by_customer(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to call lock_booking_for_customer, customer_change_refusal and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
  refusal constant text := internal.customer_change_refusal(booking, seen_sequence, cutoff);
begin
  if refusal is not null then
    return case refusal when 'cancelled' then internal.action_done('unchanged') else internal.action_refused(refusal) end;
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  perform internal.save_booking_state(booking, 'cancelled');
  perform internal.set_booking_change_context(null);
  return internal.action_done('cancelled');
end
$$;

create or replace function internal.normalize_phone(phone text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return substring(regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^1(?=[0-9]{10}$)', ''), '^.{7,}$');
end
$$;

create function internal.mailbox_owner_domain(mailbox text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select substring(host from '(?:^|\.)([^.]+\.(?:[a-z]{2,3}\.[a-z]{2}|[^.]+))$')
  from internal.mail_host_of(mailbox) as host
  where host not in ('gmail.com', 'proton.me')
$$;

create or replace function internal.normalize_search_text(said text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
begin
  return translate(lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]+', '', 'g')), 'ŁłØøĐđ', 'lloodd');
end
$$;

create or replace function internal.vehicle_key(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return case when regexp_replace(concat(make, model), '[[:space:][:punct:]]+', '', 'g') <> ''
    then regexp_replace(internal.normalize_search_text(concat_ws(' ', year, make, model)), '[[:space:][:punct:]]+', '', 'g') end;

create function internal.resolve_merged_vehicle(vehicle_id uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.vehicles where id = vehicle_id
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.vehicles next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;

create function internal.estimate_vehicle_details(estimate public.estimates) returns internal.vehicle_details
  language sql immutable
  set search_path = ''
  return row(
    nullif(left(estimate.vehicle_year, 20), ''), nullif(left(estimate.vehicle_make, 60), ''),
    nullif(left(estimate.vehicle_model, 60), ''), null, nullif(trim(estimate.vehicle_plate), ''),
    case when internal.is_vin(upper(estimate.vehicle_vin)) then upper(estimate.vehicle_vin) end
  )::internal.vehicle_details;

create function internal.list_arrived_bookings(moment timestamp) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  where appointment_date >= moment::date - 28 and upper(occupied) > moment::date - 14
    and status = 'arrived' and completed_at is null
    and internal.vehicle_state(internal.vehicle_facts(booking)) = 'here'
$$;

create function public.read_daily_loads(first_date date, days integer default 7)
  returns table (day date, booking_count integer, open_minutes integer)
  language plpgsql stable
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if first_date is null or first_date not between '2000-01-01' and '2100-01-01' or days is null or days not between 1 and 62 then
    raise exception 'first_date is a date, days 1 to 62.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    select dates.day, coalesce(taken.cars, 0), coalesce((
        select sum(extract(epoch from upper(span) - lower(span)) / 60)::integer
        from public.bays bay, unnest(internal.open_spans(dates.day, bay.id)) span where bay.is_active), 0)
    from (select first_date + nth as day from generate_series(0, days - 1) nth) dates
    left join (
      select appointment_date, count(*)::integer as cars
      from public.bookings
      where appointment_date between first_date and first_date + days - 1 and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) taken on taken.appointment_date = dates.day
    order by dates.day;
end
$$;

create function internal.describe_week_load(monday date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_agg(jsonb_build_object(
      'day', load.day, 'cars', load.booking_count, 'done', coalesce(done.cars, 0), 'open_minutes', load.open_minutes) order by load.day)
    from public.read_daily_loads(monday, 7) load
    left join (
      select appointment_date, count(*)::integer as cars from public.bookings
      where appointment_date between monday and monday + 6 and completed_at is not null
        and status not in ('cancelled', 'not_confirmed', 'no_show')
      group by appointment_date
    ) done on done.appointment_date = load.day
  );

create or replace function internal.lock_calendar_before_status_change() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call lock_calendar.
  security definer
  set search_path = ''
as $$
begin
  -- Before any row is locked; the procedures have taken it themselves.
  if internal.is_admin() then
    perform internal.lock_calendar();
  end if;
  return null;
end
$$;

create function internal.changed_columns(old_row jsonb, new_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (select jsonb_object_agg(key, value) from jsonb_each(old_row) where new_row -> key is distinct from value);

create function internal.choose_bay(wanted tsrange, service uuid, bay uuid, own_bay uuid, ignored_booking_id uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  chosen uuid := bay;
begin
  if bay is not null and not exists (select from public.bays where id = bay and is_active) then
    raise exception 'No cars are placed in this bay.' using errcode = 'TT065', hint = 'bay_not_active';
  end if;
  if bay is not null and not internal.bay_can_do_service(bay, service) then
    raise exception 'This bay does not do this service.' using errcode = 'TT064', hint = 'bay_cannot_do_service';
  end if;
  if bay is null then
    select id into chosen from public.bays
    where id = own_bay and is_active and internal.bay_can_do_service(own_bay, service)
      and not internal.is_bay_taken(own_bay, wanted, ignored_booking_id);
    chosen := coalesce(chosen, internal.find_bay_for_staff(service, wanted, ignored_booking_id));
  end if;
  if chosen is null or internal.is_bay_taken(chosen, wanted, ignored_booking_id) then
    perform internal.raise_slot_taken_by(wanted, service, bay, ignored_booking_id);
  end if;
  return chosen;
end
$$;

create function internal.claim_estimate_invoice(estimate_id uuid, seen_version integer, changed_by_name text) returns jsonb
  language plpgsql
  -- The server has no right to write estimate_invoices and estimate_invoice_jobs.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(claim_estimate_invoice.estimate_id, null);
  latest public.estimate_revisions;
  claim public.estimate_invoices;
begin
  select known.* into claim from public.estimate_invoices known
  where known.estimate_id = estimate.id and known.state in ('claimed', 'made');
  -- A second click, or whoever heals a death: the same invoice.
  if found then
    return internal.describe_claim(claim);
  end if;
  if seen_version is distinct from estimate.version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  latest := internal.freeze_revision(estimate);
  perform internal.refuse_void_approvals(estimate.id, latest.revision);
  insert into public.estimate_invoices (estimate_id, revision, total_cents, tax_cents, claimed_by)
  select estimate.id, latest.revision, sum(totals.total), sum(totals.tax), changed_by_name
  from internal.job_totals totals
  join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(authorized.job_key, estimate.id)
  having coalesce(sum(totals.total), 0) > 0
  returning * into claim;
  if not found then
    raise exception 'Nothing of this estimate was approved.' using errcode = 'TT077', hint = 'nothing_approved';
  end if;
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
  select claim.id, totals.job_key, totals.total from internal.job_totals totals
  where totals.estimate_id = estimate.id and totals.revision = latest.revision and internal.is_approved(totals.job_key, estimate.id);
  return internal.describe_claim(claim);
end
$$;

create function internal.mark_revision_decided(wanted_id uuid, wanted_revision integer) returns void
  language sql
  set search_path = ''
as $$
  update public.estimate_revisions revision
  set decided_at = internal.current_instant()
  where revision.estimate_id = wanted_id and revision.revision = wanted_revision and revision.decided_at is null
    and not exists (
      select from internal.job_totals totals
      left join internal.authorized_jobs(wanted_id) authorized on authorized.job_key = totals.job_key
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
        and not coalesce(authorized.revision = wanted_revision
          or authorized.decision = 'approved' and authorized.cents >= totals.total
            and internal.describe_job_scope(wanted_id, authorized.revision, totals.job_key)
              = internal.describe_job_scope(wanted_id, wanted_revision, totals.job_key), false))
$$;

create function internal.special_hours_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'bay_id', bay_id, 'starts_at', starts_at, 'ends_at', ends_at, 'is_open', is_open, 'reason', reason
    ) order by starts_at, id), '[]')
    from public.special_hours where span && tsrange(day, day + 1)
  );

create function internal.fill_missing_plate_and_vin(vehicle_id uuid, described internal.vehicle_details) returns uuid
  language plpgsql
  set search_path = ''
as $$
begin
  update public.vehicles known
  set plate = coalesce(known.plate, described.plate), vin = coalesce(known.vin, described.vin)
  where known.id = vehicle_id and (known.plate is null and described.plate is not null or known.vin is null and described.vin is not null);
  return vehicle_id;
end
$$;

create function internal.confirm_email(wanted_customer_id uuid, email text, changed_by_name text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.add_contact_methods(wanted_customer_id, confirm_email.email, null, true);
  update public.customer_contact_methods contact set confirmed_by_name = left(changed_by_name, 100)
  where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(confirm_email.email));
  -- Also where nothing of the row changes: dashboards that show the customer hear of it.
  update public.customers known set email = coalesce(known.email, trim(confirm_email.email)) where known.id = wanted_customer_id;
end
$$;

create function internal.confirm_held_booking(booking_id uuid) returns text
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  day constant date := (select appointment_date from public.bookings where id = booking_id);
  booking public.bookings;
begin
  perform internal.lock_booking_day(day);
  perform internal.end_expired_holds(day);
  -- Whoever writes its email holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = booking_id for no key update;
  if not found or booking.status = 'cancelled' then
    return 'cancelled';
  end if;
  if booking.status <> 'not_confirmed' and booking.held_until is null then
    return 'already_confirmed';
  end if;
  if booking.status = 'not_confirmed' and internal.booking_refusal(
       booking.appointment_date, booking.appointment_time, booking.duration_minutes) is not null then
    return 'too_late';
  end if;
  update public.bookings
  set status = 'confirmed', held_until = null, hold_confirmed_at = internal.current_instant()
  where id = booking.id;
  return 'confirmed';
exception
  when exclusion_violation then return 'slot_taken';
  when sqlstate 'TT042' then return 'too_many';
end
$$;

create function internal.list_contact_keys(customer_ids uuid[]) returns text[]
  language sql stable
  set search_path = ''
  return array(select match_key from public.customer_contact_methods where customer_id = any (customer_ids));

create or replace function internal.increment_booking_version() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call booking_state.
  security definer
  set search_path = ''
as $$
declare
  -- What changes without staff losing the version that they saw; generated columns are not computed yet.
  apart constant text[] := array[
    'internal_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.internal_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.internal_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_changed_at := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;

create function internal.build_visitor_email(message jsonb, mailbox text) returns internal.visitor_emails
  language sql stable
  set search_path = ''
as $$
  select message ->> 'dedupe_key', sha256(convert_to(mailbox, 'UTF8')),
         sha256(convert_to(internal.mailbox_owner_domain(mailbox), 'UTF8')), origin.address_digest,
         coalesce(booking.flagged_reasons, request.flagged_reasons, '{}') <> '{}', null::text, now()
  from (values (message)) as asked
  left join public.bookings booking on booking.id = (message ->> 'booking_id')::uuid
  left join public.quote_requests request on request.id = (message ->> 'quote_request_id')::uuid
  left join internal.form_origins origin on origin.booking_id = booking.id or origin.quote_request_id = request.id
$$;

create or replace function internal.increment_version() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

create function internal.list_customer_emails(wanted_customer_id uuid) returns setof public.emails
  language plpgsql stable
  set search_path = ''
as $$
begin
  return query
    select * from public.emails where booking_id in (select id from public.bookings where customer_id = wanted_customer_id)
    union
    select * from public.emails where quote_request_id in (select id from public.quote_requests where customer_id = wanted_customer_id)
    union
    select * from public.emails where estimate_id in (select id from public.estimates where customer_id = wanted_customer_id)
    union
    select * from public.emails where invoice_id in (select invoice_id from public.invoices where customer_id = wanted_customer_id)
    union
    select email.* from public.emails email
    join public.customer_contact_methods contact on contact.kind = 'email' and contact.match_key = lower(email.recipient_email)
    where contact.customer_id = wanted_customer_id
      -- Another member of the family has the same address.
      and email.booking_id is null and email.quote_request_id is null and email.estimate_id is null and email.invoice_id is null;
end
$$;

create function internal.count_customer_records(wanted_customer_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'visits', (select count(*) from public.bookings where customer_id = wanted_customer_id),
    'quotes', (select count(*) from public.quote_requests where customer_id = wanted_customer_id),
    'estimates', (select count(*) from public.estimates where customer_id = wanted_customer_id),
    'invoices', (select count(*) from public.invoices where customer_id = wanted_customer_id),
    'cars', (select count(*) from public.vehicles where customer_id = wanted_customer_id and merged_into is null),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'notes', (select count(*) from public.customer_notes where customer_id = wanted_customer_id));

create function internal.customer_of_estimate(wanted_id uuid) returns uuid
  language sql stable
  set search_path = ''
  return (select customer_id from public.estimates where id = wanted_id);

create function internal.customer_of_task(task public.tasks) returns uuid
  language sql stable
  set search_path = ''
  return coalesce(
    (select customer_id from public.bookings where id = task.booking_id), (select customer_id from public.estimates where id = task.estimate_id));

create function internal.list_job_decisions(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(decided.job_key, decided.decision), '{}')
  from internal.authorized_jobs(wanted_id) decided
  join internal.job_totals totals
    on totals.estimate_id = wanted_id and totals.revision = wanted_revision and totals.job_key = decided.job_key
  where decided.revision = wanted_revision
    or decided.decision = 'approved' and decided.cents >= totals.total
      and not internal.is_scope_changed(wanted_id, wanted_revision, decided.job_key)
$$;

create function internal.list_declined_jobs(estimate uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('title', said.job_title, 'cents', said.amount_cents, 'saidAt', said.decided_at) order by said.id), '[]')
    from internal.authorized_jobs(estimate) job
    join lateral (
      select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
    ) said on true
    where job.decision = 'declined' and job.cents = 0
  );

create function internal.shop_now() returns timestamp
  language sql stable
  -- Whoever asks for the time reads one fact of the shop by it.
  security definer
  set search_path = ''
  return internal.current_instant() at time zone (select time_zone from public.shop);

create function internal.needs_notification(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.is_notification_outdated and booking.completed_at is null
    and booking.status not in ('arrived', 'in_work', 'no_show', 'not_confirmed')
    -- Nobody is notified of a booking that looks automated: one of a crowd may well be a person (docs/product.md 10.3).
    and (booking.hold_confirmed_at is not null
         or booking.flagged_reasons <@ array['many_open_bookings', 'many_from_one_client', 'many_at_once'])
    and greatest(upper(booking.occupied), booking.notified_starts_at) > internal.shop_now();

create function internal.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  -- Those for whom this is called have no right to read bookings and tasks.
  security definer
  set search_path = ''
  return jsonb_build_object(
    'bookingState', internal.booking_state(booking),
    'hold', case when booking.held_until is null then 'none'
                 when booking.held_until > internal.current_instant() then 'running' else 'ended' end,
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('status', status, 'isReady', ready_for_pickup_at is not null)
                                order by created_at, id), '[]')
      from public.tasks where booking_id = booking.id),
    'isPaid', exists (select from internal.booking_invoice(booking.id) where paid_at is not null)
  );

create view public.schedule_conflicts with (security_invoker = true) as
  select booking.id as booking_id, booking.appointment_date, booking.appointment_time, booking.duration_minutes,
         booking.customer_name, booking.customer_phone, booking.service_name, booking.bay_id,
         case when booking.occupied <@ hours.spans then 'no_bay' else 'outside_hours' end as problem
  from public.bookings booking
  -- So that the planner may remember what a date and bay had: a function is taken to cost nothing the second time, and the
  -- condition on the hours would be part of what is remembered, were they an inner join.
  left join lateral (
    select internal.open_spans(booking.appointment_date, booking.bay_id) as spans offset 0
  ) hours on true
  where booking.appointment_date >= internal.shop_now()::date and upper(booking.occupied) > (select internal.shop_now())
    and booking.completed_at is null and booking.conflict_accepted_at is null
    and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
    and (booking.held_until is null or booking.held_until > internal.current_instant())
    and (booking.bay_id is null or not booking.occupied <@ hours.spans);

create function internal.describe_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'version', booking.version,
    'starts_at', lower(booking.occupied), 'ends_at', upper(booking.occupied), 'minutes', booking.duration_minutes,
    'bay_id', booking.bay_id, 'state', internal.booking_state(booking), 'state_changed_at', booking.state_changed_at,
    'vehicle_facts', internal.vehicle_facts(booking),
    'will_come', booking.attendance_confirmed_at is not null,
    'needs_notification', internal.needs_notification(booking),
    'notified_starts_at', booking.notified_starts_at, 'notified_cancelled', booking.notified_cancelled,
    'service_id', booking.service_id, 'service_name', booking.service_name,
    'customer_id', booking.customer_id, 'vehicle_id', booking.vehicle_id,
    'customer_name', booking.customer_name, 'customer_phone', booking.customer_phone, 'customer_email', booking.customer_email,
    'vehicle_year', booking.vehicle_year, 'vehicle_make', booking.vehicle_make, 'vehicle_model', booking.vehicle_model,
    'vehicle_color', booking.vehicle_color, 'notes', booking.notes, 'internal_note', booking.internal_note,
    'flagged_reasons', booking.flagged_reasons, 'held_until', booking.held_until,
    'misfit', (select problem from public.schedule_conflicts where booking_id = booking.id),
    'has_task', exists (select from public.tasks where booking_id = booking.id)
  );

create function internal.describe_vehicle(vehicle public.vehicles) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', vehicle.id, 'version', vehicle.version, 'personId', vehicle.customer_id, 'year', vehicle.year, 'make', vehicle.make, 'model', vehicle.model,
      'color', vehicle.color, 'plate', vehicle.plate, 'vin', vehicle.vin, 'note', vehicle.internal_note, 'miles', latest.miles, 'milesOn', latest.read_on)
    from (values (vehicle.id)) as asked (id)
    left join lateral (
      select miles, read_on from public.odometer_readings where vehicle_id = asked.id order by read_on desc, recorded_at desc limit 1
    ) latest on true
  );

create function internal.describe_claim(claim public.estimate_invoices) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'requestId', claim.id, 'estimateId', claim.estimate_id, 'number', revision.document ->> 'number',
      'customer', jsonb_build_object('name', revision.document ->> 'customerName', 'email', estimate.customer_email,
        'phone', revision.document ->> 'customerPhone'),
      'vehicle', revision.document -> 'vehicle', 'taxRate', revision.tax_rate,
      'totalCents', claim.total_cents, 'taxCents', claim.tax_cents, 'state', claim.state, 'invoiceId', claim.invoice_id,
      'jobs', (
        select jsonb_agg(job order by place)
        from jsonb_array_elements(revision.document -> 'jobs') with ordinality billed (job, place)
        where exists (select from public.estimate_invoice_jobs billed_job
          where billed_job.claim_id = claim.id and billed_job.job_key = (job ->> 'key')::uuid)))
    from public.estimate_revisions revision
    join public.estimates estimate on estimate.id = revision.estimate_id
    where (revision.estimate_id, revision.revision) = (claim.estimate_id, claim.revision)
  );

create function internal.describe_estimate_history(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', event.id, 'kind', event.kind, 'before', event.before, 'after', event.after,
      'changedBy', event.changed_by_name, 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event where event.estimate_id = wanted_id
  );

create function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable
  set search_path = ''
  return coalesce(
    (select sum(amount_cents - overpaid_cents) from public.payments where invoice_id = invoice.invoice_id and outcome <> 'refunded'),
    -- What was paid past the site is in no ledger of ours.
    case when invoice.status = 'paid' then invoice.total_cents else 0 end);

create function internal.describe_customer_invoice(invoice public.invoices) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'madeAt', invoice.created_at, 'totalCents', invoice.total_cents,
    'currency', invoice.currency, 'status', invoice.status, 'carId', invoice.vehicle_id, 'bookingId', invoice.booking_id,
    'paidCents', internal.invoice_paid_cents(invoice));

create function internal.estimate_state(estimate public.estimates) returns text
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
    when exists (select from internal.authorized_jobs(estimate.id) job
      where (latest.decided_at is not null or job.revision = latest.revision) and internal.is_approved(job.job_key, estimate.id))
      then 'approved'
    when latest.decided_at is not null then 'declined'
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;

create function internal.vehicle_line(year text, make text, model text) returns text
  language sql immutable
  set search_path = ''
  return trim(concat_ws(' ', nullif(trim(year), ''), nullif(trim(make), ''), nullif(trim(model), '')));

create view internal.priced_lines as
  with priced as (
    select line.*,
      case when subtype = 'percent' then 0 else round(quantity_thousandths * unit_price_cents::numeric / 1000) end as price
    from public.estimate_lines line
  ), summed as (
    select priced.*,
      sum(price) filter (where kind <> 'discount') over of_job as whole,
      sum(price) filter (where kind <> 'discount' and is_taxable) over of_job as taxed
    from priced
    window of_job as (partition by estimate_id, revision, job_key)
  )
  select estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable,
    (case
      when kind <> 'discount' then price
      when subtype = 'amount' then - price
      else - round(quantity_thousandths * coalesce(whole, 0) / 100000) end)::bigint as cents,
    (case
      when subtype = 'percent' then - round(quantity_thousandths * coalesce(taxed, 0) / 100000)
      when not is_taxable then 0
      when kind = 'discount' then - price
      else price end)::bigint as taxable_cents
  from summed;

create view internal.job_totals as
  select job.estimate_id, job.revision, job.job_key, job.position, job.title, sums.before_tax, sums.taxable,
    round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as tax,
    sums.before_tax + round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as total
  from public.estimate_jobs job
  join public.estimate_revisions revision using (estimate_id, revision)
  cross join lateral (
    select coalesce(sum(line.cents), 0)::bigint as before_tax,
      greatest(0, least(coalesce(sum(line.taxable_cents), 0), coalesce(sum(line.cents), 0)))::bigint as taxable
    from internal.priced_lines line
    where line.estimate_id = job.estimate_id and line.revision = job.revision and line.job_key = job.job_key
  ) sums;

create function internal.describe_customer_estimate(estimate public.estimates) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', estimate.id, 'number', estimate.number, 'carId', estimate.vehicle_id,
      'vehicle', internal.vehicle_line(estimate.vehicle_year, estimate.vehicle_make, estimate.vehicle_model),
      'title', totals.title, 'jobs', totals.jobs, 'totalCents', totals.total,
      'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
      'state', internal.estimate_state(estimate), 'createdAt', estimate.created_at, 'declined', internal.list_declined_jobs(estimate.id))
    from (
      select coalesce((array_agg(title order by position))[1], '') as title, count(*) as jobs, coalesce(sum(total), 0) as total
      from internal.job_totals
      where estimate_id = estimate.id
        and revision = (select max(revision) from public.estimate_revisions where estimate_id = estimate.id)
    ) totals
  );

create function internal.describe_document_hit(kind text, id text) returns jsonb
  language sql stable
  set search_path = ''
  return case kind
    when 'estimate' then (
      select internal.describe_customer_estimate(estimate) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)
      from public.estimates estimate where estimate.id = describe_document_hit.id::uuid)
    else (
      select internal.describe_customer_invoice(links) || jsonb_build_object('kind', 'invoice', 'name', links.customer_name)
      from public.invoices links where links.invoice_id = describe_document_hit.id)
  end;

create function internal.is_upcoming(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return booking.completed_at is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed')
    and (upper(booking.occupied) > internal.shop_now() or booking.status in ('arrived', 'in_work'));

create function internal.find_duplicate_candidates(customer public.customers) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', other.id, 'version', other.version, 'name', other.name, 'email', other.email, 'phone', other.phone,
      'since', other.created_at, 'why', found.why) order by found.why, other.created_at), '[]')
    from (
      select their.customer_id, min(their.kind) as why
      from public.customer_contact_methods own
      join lateral (
        select customer_id, kind from public.customer_contact_methods near
        where near.kind = own.kind and near.match_key = own.match_key and near.customer_id <> customer.id order by near.id desc limit 5
      ) their on true
      where own.customer_id = customer.id
      group by their.customer_id limit 5
    ) found
    join public.customers other on other.id = found.customer_id and other.merged_into is null
    where not exists (
      select from public.non_duplicates
      where customer_id = least(customer.id, other.id) and other_customer_id = greatest(customer.id, other.id))
  );

create function internal.customer_came(booking public.bookings, today date) returns boolean
  language sql immutable
  set search_path = ''
  return booking.completed_at is not null or booking.status in ('arrived', 'in_work')
    or booking.appointment_date < today and booking.status not in ('cancelled', 'no_show', 'not_confirmed');

create function internal.describe_customer_hit(customer public.customers, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', customer.id, 'name', customer.name, 'phone', customer.phone, 'email', customer.email,
      'cars', (select count(*) from public.vehicles where customer_id = customer.id and merged_into is null),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'lastVisit', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
      'nextVisit', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_upcoming(booking)),
      'askedOn', (select max(created_at) from public.quote_requests where customer_id = customer.id),
      'maybeSame', internal.find_duplicate_candidates(customer) <> '[]')
    from (select * from public.bookings known where known.customer_id = customer.id order by appointment_date desc limit 200) booking
  );

create function internal.describe_invoice_records(invoice_ids text[])
  returns table (
    invoice_id text, known_name text, is_erased boolean, estimate_number text, parts_cents bigint, labor_cents bigint,
    fees_cents bigint, sublet_cents bigint, discount_cents bigint)
  language sql stable
  -- The server has no right to read invoices, people and others.
  security definer
  set search_path = ''
as $$
  select links.invoice_id, links.customer_name, person.erased_at is not null, estimate.number,
    sums.parts, sums.labor, sums.fees, sums.sublet, sums.discount
  from public.invoices links
  left join public.customers person on person.id = links.customer_id
  left join public.estimate_invoices claim on claim.invoice_id = links.invoice_id
  left join public.estimates estimate on estimate.id = claim.estimate_id
  left join lateral (
    select coalesce(sum(line.cents) filter (where line.kind = 'part'), 0)::bigint as parts,
      coalesce(sum(line.cents) filter (where line.kind = 'labor'), 0)::bigint as labor,
      coalesce(sum(line.cents) filter (where line.kind = 'fee'), 0)::bigint as fees,
      coalesce(sum(line.cents) filter (where line.kind = 'sublet'), 0)::bigint as sublet,
      coalesce(sum(line.cents) filter (where line.kind = 'discount'), 0)::bigint as discount
    from public.estimate_invoice_jobs billed
    join internal.priced_lines line
      on (line.estimate_id, line.revision, line.job_key) = (claim.estimate_id, claim.revision, billed.job_key)
    where billed.claim_id = claim.id
    having count(*) > 0
  ) sums on true
  where links.invoice_id = any (invoice_ids)
$$;

create function internal.describe_authorizations(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.batch_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.decided_by_name, 'relation', line.relationship,
      'contact', line.contact, 'words', line.statement, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.decided_at,
      'recordedBy', line.recorded_by, 'voidBecause', null) order by line.id), '[]')
    from internal.binding_lines(wanted_id) line
  );

create function internal.is_hazardous_waste_fee(description text) returns boolean
  language sql immutable
  set search_path = ''
  return replace(' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ', ' non toxic ', ' ') ~
    ' (hazardous|haz ?mat|toxic|(waste|used) oils?|(coolant|antifreeze|fluids?)( [a-z]+)? (disposal|dispose)|(disposal|dispose)( of)?( [a-z]+){0,2} (coolant|antifreeze|fluids?)) ';

create function internal.is_generic_supplies(description text) returns boolean
  language sql immutable
  set search_path = ''
  return lower(trim(description)) ~
    '^((shop|misc\.?|miscellaneous|general|generic|sundry|workshop)( |-)*)*(suppl(y|ies)|materials?|sundries|shop|misc\.?|miscellaneous)( *(fees?|charges?|costs?))?$';

create function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select 'name_missing' as code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates where id = wanted_id and trim(customer_name) = ''
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.job_key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.job_key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.job_key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.subtype = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );

create function internal.latest_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select latest from public.estimate_revisions latest where latest.estimate_id = wanted_id order by latest.revision desc limit 1);

create function internal.describe_saved_estimate(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
      'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
        where totals.estimate_id = wanted_id and totals.revision = revision.revision),
      'problems', case when revision.frozen_at is null
        then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
    from public.estimates estimate
    cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
    where estimate.id = wanted_id
  );

create function internal.describe_customer_booking(booking public.bookings) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'vehicleFacts', internal.vehicle_facts(booking),
    'carId', booking.vehicle_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.attendance_confirmed_at is not null);

create function internal.void_because(line public.authorizations, estimate public.estimates) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when line.withdraws_id is not null or exists (select from public.authorizations later where later.withdraws_id = line.id)
      then 'wrong_recipient'
    -- What was billed was approved, whatever is put right in the records later.
    when exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state = 'made') then null
    when line.customer_id is not null and line.customer_id is distinct from estimate.customer_id
      and internal.last_merged_customer(line.customer_id) is distinct from internal.last_merged_customer(estimate.customer_id) then 'customer'
    when line.vehicle_id is not null and line.vehicle_id is distinct from estimate.vehicle_id
      and internal.resolve_merged_vehicle(line.vehicle_id) is distinct from internal.resolve_merged_vehicle(estimate.vehicle_id) then 'vehicle'
  end
$$;

create function internal.describe_whole_ledger(wanted_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'actId', line.batch_id, 'revision', line.revision, 'revisionHash', line.revision_hash, 'jobKey', line.job_key,
      'jobTitle', line.job_title, 'decision', line.decision, 'amountCents', line.amount_cents,
      'runningTotalCents', line.running_total_cents, 'method', line.method, 'person', line.decided_by_name, 'relation', line.relationship,
      'contact', line.contact, 'words', line.statement, 'wantsPartsBack', line.wants_parts_back, 'saidAt', line.decided_at,
      'recordedBy', line.recorded_by, 'voidBecause', internal.void_because(line, estimate)) order by line.id), '[]')
    from public.authorizations line
    join public.estimates estimate on estimate.id = line.estimate_id
    where line.estimate_id = wanted_id
  );

create function internal.describes_another_vehicle(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select (internal.is_another_word(shown.year, estimate.vehicle_year) or internal.is_another_word(shown.make, estimate.vehicle_make)
        or internal.is_another_word(shown.model, estimate.vehicle_model))
      and not coalesce(internal.plate_key(shown.plate) = internal.plate_key(estimate.vehicle_plate), false)
      and not coalesce(nullif(shown.vin, '') = upper(estimate.vehicle_vin), false)
    from (
      select document #>> '{vehicle,year}' as year, document #>> '{vehicle,make}' as make, document #>> '{vehicle,model}' as model,
        document #>> '{vehicle,plate}' as plate, upper(document #>> '{vehicle,vin}') as vin, document
      from internal.latest_sent_revision(estimate.id)
    ) shown
    where shown.document is not null
  ), false)
$$;

create function internal.details_of_document(document jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (document -> 'vehicle') || jsonb_build_object(
    'name', document -> 'customerName', 'email', document -> 'customerEmail', 'phone', document -> 'customerPhone');

create function internal.details_of_record(whole jsonb, details text[]) returns jsonb
  language sql immutable
  set search_path = ''
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(whole) where key = any (details));

create function internal.digests_of_address(address text) returns internal.client_digests
  language plpgsql stable
  -- Those for whom this is called have no right to read secrets.
  security definer
  set search_path = ''
as $$
declare
  form_key constant text := (select value from internal.secrets where name = 'form_key');
  -- An IPv4 address in the notation of IPv6 is an IPv4 address.
  client constant inet := regexp_replace(address, '^::ffff:(?=[0-9.]+$)', '', 'i');
begin
  if family(client) = 4 then
    return row(internal.hmac_sha256(host(client), form_key), null::bytea, null::bytea,
               internal.hmac_sha256(network(set_masklen(client, 24))::text, form_key), true);
  end if;
  return row(internal.hmac_sha256(network(set_masklen(client, 64))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 56))::text, form_key),
             internal.hmac_sha256(network(set_masklen(client, 48))::text, form_key), null::bytea, true);
exception when invalid_text_representation then
  return row(internal.hmac_sha256(address, form_key), null::bytea, null::bytea, null::bytea, true);
end
$$;

create function internal.format_duration(minutes integer) returns text
  language sql immutable
  set search_path = ''
  return coalesce(nullif(concat_ws(' and ',
    case when minutes >= 60 then minutes / 60 || ' hour' || case when minutes / 60 = 1 then '' else 's' end end,
    case when minutes % 60 > 0 then minutes % 60 || ' minute' || case when minutes % 60 = 1 then '' else 's' end end
  ), ''), '0 minutes');

create function internal.main_email(customer_id uuid) returns text
  language sql stable
  set search_path = ''
  return (select email from public.customers where id = customer_id and internal.is_their_email(id, email));

create function internal.own_email(booking public.bookings) returns text
  language sql stable
  set search_path = ''
  return case when internal.typed_email(booking) is null then booking.customer_email end;

create function internal.email_for_estimate(booking public.bookings, quote public.quote_requests, customer_id uuid) returns text
  language sql stable
  set search_path = ''
  return coalesce(
    internal.own_email(booking),
    case when internal.is_their_email(quote.customer_id, quote.email) then quote.email end,
    internal.main_email(coalesce(booking.customer_id, quote.customer_id, customer_id)));

create function internal.email_of_bookings(booking_ids uuid[]) returns text
  language sql stable
  set search_path = ''
  return (
    select coalesce(
      (select latest.customer_email from (
         select distinct on (lower(trim(booking.customer_email))) booking.* from public.bookings booking
         where booking.id = any (booking_ids) and booking.customer_email is not null and internal.is_standing(booking)
         order by lower(trim(booking.customer_email)), booking.appointment_date desc
       ) latest
       where internal.is_their_email(latest.customer_id, latest.customer_email)
       order by latest.appointment_date desc limit 1),
      (select internal.main_email(booking.customer_id) from public.bookings booking
       where booking.id = any (booking_ids) order by booking.appointment_date desc limit 1)));

create function internal.reassign_bay_bookings(bay uuid)
  returns table (booking_id uuid, new_bay_id uuid)
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.end_expired_holds();
  for booking in
    select * from public.bookings
    where bay_id = bay and upper(occupied) > internal.shop_now() and completed_at is null
      and status not in ('cancelled', 'not_confirmed', 'no_show')
    order by occupied for update
  loop
    update public.bookings set bay_id = internal.find_bay_at_same_time(booking) where id = booking.id returning id, bay_id
    into booking_id, new_bay_id;
    return next;
  end loop;
end
$$;

create function internal.end_expired_holds(day date default null) returns integer
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  instant constant timestamptz := internal.current_instant();
  ended integer;
begin
  -- Nearly always there is none, which a look into the index says in a fraction of an update's time.
  if not exists (select from public.bookings where held_until <= instant and (day is null or appointment_date = day)) then
    return 0;
  end if;
  -- Rows that another transaction has in hand are left to it: nobody waits, so nobody deadlocks.
  update public.bookings set status = 'not_confirmed'
  where id in (
    select id from public.bookings
    where held_until <= instant and (day is null or appointment_date = day)
    for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;

create function internal.roll_back_preview() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'A preview changes nothing.' using errcode = 'TT050', hint = 'preview';
end
$$;

create function internal.redact_expired_records() returns integer
  language plpgsql
  -- The server has no right to write invoices and emails.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  whom constant uuid[] := array(
    select distinct erasure.customer_id from public.erasures erasure
    where erasure.retained_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.retained) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  estimates_before constant bigint := (select count(*) from public.estimates where customer_id = any (whom));
  renamed integer;
  forgotten integer;
begin
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_customer_estimates(whom, today);
  perform set_config('shop.ledger_exception', '', true);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (whom) and customer_name <> 'Erased' and internal.retained_until(created_at) < today;
  get diagnostics renamed = row_count;
  -- A receipt of what was paid meanwhile is still sent, and is then nobody's either.
  delete from public.emails
  where id in (
    select letter.id from (select distinct customer_id from public.erasures) erased
    cross join lateral internal.list_customer_emails(erased.customer_id) letter
    where letter.status not in ('queued', 'retrying'));
  get diagnostics forgotten = row_count;
  if renamed + forgotten > 0 or estimates_before > (select count(*) from public.estimates where customer_id = any (whom)) then
    perform internal.request_file_cleanup();
  end if;
  return renamed;
end
$$;

create function internal.finish_sample_week() returns void
  language sql
  -- The server has no right to call is_sample_email.
  security definer
  set search_path = ''
as $$
  update public.emails email set status = 'in_outbox', sent_at = coalesce(sent_at, now()), leased_until = null
  where status in ('queued', 'retrying') and internal.is_sample_email(email);
  update internal.onboarding set sample_filled_at = now()
$$;

create function internal.find_or_create_vehicle(wanted_customer_id uuid, vehicle internal.vehicle_details, seen_at timestamptz, is_sample boolean) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  found_id uuid;
begin
  if internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model) is null and vehicle.plate is null and vehicle.vin is null then
    return null;
  end if;
  found_id := internal.find_vehicle(wanted_customer_id, vehicle);
  if found_id is null then
    insert into public.vehicles (customer_id, year, make, model, color, plate, vin, created_at, is_sample)
    values (wanted_customer_id, nullif(trim(vehicle.year), ''), nullif(trim(vehicle.make), ''), nullif(trim(vehicle.model), ''),
            nullif(trim(vehicle.color), ''), vehicle.plate, vehicle.vin, seen_at, find_or_create_vehicle.is_sample)
    returning id into found_id;
    return found_id;
  end if;
  update public.vehicles
  set color = coalesce(color, nullif(trim(vehicle.color), '')), plate = coalesce(plate, vehicle.plate), vin = coalesce(vin, vehicle.vin)
  where id = found_id and (color is null and trim(vehicle.color) <> '' or plate is null and vehicle.plate is not null
                           or vin is null and vehicle.vin is not null);
  return found_id;
end
$$;

create function internal.find_or_create_customer(customer internal.customer_details) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  -- What a visitor typed is an address of who is new, and of nobody who is known already.
  own_email constant text := case when not customer.typed_online then nullif(trim(customer.email), '') end;
begin
  perform internal.lock_contact_keys(array[lower(trim(customer.email)), internal.normalize_phone(customer.phone)]);
  person := internal.find_customer(customer);
  if person is null then
    insert into public.customers (name, email, phone, created_at, is_sample)
    values (trim(customer.name), nullif(trim(customer.email), ''), nullif(trim(customer.phone), ''), customer.seen_at, customer.is_sample)
    returning id into person;
    perform internal.add_contact_methods(person, customer.email, customer.phone, not customer.typed_online);
    return person;
  end if;
  update public.customers set created_at = customer.seen_at where id = person and created_at > customer.seen_at;
  -- What looks automated adds nothing to whom it names.
  if customer.is_trusted and internal.names_agree((select name from public.customers where id = person), customer.name) then
    perform internal.add_contact_methods(person, own_email, customer.phone, true);
    update public.customers
    set email = coalesce(email, own_email), phone = coalesce(phone, nullif(trim(customer.phone), ''))
    where id = person and (email is null and own_email is not null or phone is null and trim(customer.phone) <> '');
  end if;
  return person;
end
$$;

create function internal.erase_customer_estimates(customer_ids uuid[], until date) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  gone constant uuid[] := array(
    select id from public.estimates
    where customer_id = any (customer_ids) and coalesce(internal.retained_until(internal.last_frozen_at(id)), '-infinity') < until);
begin
  update public.tasks set estimate_id = null, estimate_job_key = null where estimate_id = any (gone);
  delete from public.authorizations where estimate_id = any (gone);
  delete from public.estimate_invoices where estimate_id = any (gone);
  delete from public.estimates where id = any (gone);
end
$$;

create function internal.erase_customer_emails(customer_ids uuid[]) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  gone uuid[] := '{}';
begin
  foreach person in array customer_ids loop
    gone := gone || array(select id from internal.list_customer_emails(person));
  end loop;
  gone := gone || array(select internal.list_undelivered_notices(gone));
  delete from public.quote_email_logs
  where email_id = any (gone) or quote_request_id in (select id from public.quote_requests where customer_id = any (customer_ids));
  delete from internal.visitor_emails where dedupe_key in (select dedupe_key from public.emails where id = any (gone));
  delete from internal.visit_link_requests request
  using public.customer_contact_methods contact
  where contact.customer_id = any (customer_ids) and contact.kind = 'email' and request.mailbox = internal.normalize_mailbox(contact.value);
  -- One that waits is not sent any more.
  delete from public.emails where id = any (gone);
  return gone;
end
$$;

create function internal.erase_customer(customer_id uuid, seen_version integer, changed_by_name text, left_out text[] default '{}') returns jsonb
  language plpgsql
  -- The server has no right to write erasures.
  security definer
  set search_path = ''
as $$
declare
  person public.customers;
  whom uuid[];
  kept jsonb;
  counts jsonb;
  changed_texts integer;
  letters uuid[];
begin
  perform internal.lock_calendar();
  -- Nobody books meanwhile: what was booked until now is known to be whose.
  perform internal.backfill_booking_customers(1000);
  whom := internal.list_merged_customers(erase_customer.customer_id);
  -- In the order of those who write records: an estimate, then addresses and numbers, then people.
  perform from public.estimates estimate where estimate.customer_id = any (whom) or estimate.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(whom));
  person := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(person.id);
  if internal.list_open_records(person.id) <> '[]' then
    raise exception 'Something of this person is still open.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(person.id)::text;
  end if;
  kept := internal.list_retained_records(person.id);
  counts := internal.count_customer_records(person.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- While it is known yet whose record each is.
  changed_texts := internal.erase_texts(whom, left_out);
  -- The history of the settings that were changed just now.
  perform internal.erase_texts(whom, left_out, 'public.settings_history');
  perform internal.delete_merges(whom);
  letters := internal.erase_customer_emails(whom);
  perform internal.erase_customer_estimates(whom, internal.shop_now()::date);
  perform internal.erase_customer_rows(whom);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    person.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), kept,
    (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(kept) record));
  return jsonb_build_object('letters', to_jsonb(letters), 'kept', kept, 'counts', counts);
end
$$;

create function internal.erase_customer_rows(customer_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from internal.form_origins
  where booking_id in (select id from public.bookings where customer_id = any (customer_ids))
     or quote_request_id in (select id from public.quote_requests where customer_id = any (customer_ids));
  -- With a link that opens nothing any more.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, internal_note = null, vehicle_color = null,
      link_version = link_version + 1
  where customer_id = any (customer_ids);
  update public.estimates set link_version = link_version + 1 where customer_id = any (customer_ids);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where customer_id = any (customer_ids);
  update public.vehicles set plate = null, vin = null, color = null, internal_note = null where customer_id = any (customer_ids);
  delete from public.customer_notes where customer_id = any (customer_ids);
  delete from public.customer_contact_methods where customer_id = any (customer_ids);
  update public.customers set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (customer_ids);
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$$;

create function internal.erase_texts(customer_ids uuid[], left_out text[], only_table text default null) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  found record;
  statement text;
  erased jsonb;
  changed integer := 0;
begin
  for found in
    select * from internal.find_texts(customer_ids, only_table) text_found where text_found.is_own or text_found.text_key <> all (left_out)
  loop
    statement := format('update %s one set %I = %s where (%s) = $2', (found.rule).table_name, (found.rule).column_name,
      case when (select atttypid from pg_catalog.pg_attribute
                 where attrelid = (found.rule).table_name::regclass and attname = (found.rule).column_name) = 'jsonb'::regtype
        then '$1' else '$1 #>> ''{}''' end,
      (found.rule).row_key);
    erased := internal.redact(found.content, found.pattern, (found.rule).longest);
    begin
      execute statement using erased, found.row_id;
    exception when unique_violation then
      -- Two texts that differed in nothing else.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$$;

create function internal.estimate_link_version(estimate_id uuid) returns integer
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
  return (select link_version from public.estimates where id = estimate_id);

create function internal.estimate_token(estimate_id uuid) returns text
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(estimate.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256('estimate ' || estimate.id || ' ' || estimate.link_version, value) from 1 for 16),
      'base64'), '+/', '-_'), '=')
    from internal.secrets, public.estimates estimate
    where name = 'visit_key' and estimate.id = estimate_token.estimate_id
  );

create function internal.save_cancellation_reason(booking_id uuid, reason text) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write booking_events.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cancellation constant public.booking_events := internal.last_cancellation(booking_id);
  event_id bigint;
begin
  if booking.status is distinct from 'cancelled' or cancellation.source is distinct from 'customer' then
    return internal.action_refused('version_conflict');
  end if;
  if exists (select from public.booking_events event
             where event.booking_id = save_cancellation_reason.booking_id and kind = 'explained' and id > cancellation.id) then
    return internal.action_done('unchanged');
  end if;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'explained', 'customer', 'customer', save_cancellation_reason.reason) returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
  return internal.action_done('reason_saved');
end
$$;

create or replace function internal.set_authorization_amounts() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  authorized_before bigint;
begin
  -- One after the other, or two running totals would miss each other.
  select customer_id, vehicle_id, case new.method when 'web' then link_version end into new.customer_id, new.vehicle_id, new.link_version
  from public.estimates where id = new.estimate_id for update;
  select title, total into strict new.job_title, new.amount_cents
  from internal.job_totals where estimate_id = new.estimate_id and revision = new.revision and job_key = new.job_key;
  select coalesce(sum(cents) filter (where job_key <> new.job_key), 0), coalesce(sum(cents) filter (where job_key = new.job_key), 0)
  into new.running_total_cents, authorized_before
  from internal.authorized_jobs(new.estimate_id);
  if new.withdraws_id is not null then
    -- What the job may cost without the answer that is withdrawn.
    new.running_total_cents := new.running_total_cents + coalesce((
      select case line.decision when 'approved' then line.amount_cents else 0 end from internal.binding_lines(new.estimate_id) line
      where line.job_key = new.job_key and line.decision <> 'declined' and line.id <> new.withdraws_id
      order by line.id desc limit 1), 0);
    return new;
  end if;
  new.running_total_cents := new.running_total_cents
    + case new.decision when 'approved' then new.amount_cents when 'declined' then authorized_before else 0 end;
  return new;
end
$$;

create function internal.find_bookings_by_words(search text) returns setof public.bookings
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.search_words(search);
  conditions constant text := (select string_agg(internal.search_condition(word), ' and ') from unnest(words) as word);
  most constant integer := 5000;
begin
  if conditions is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  -- No index knows one or two letters: they are looked for among the latest appointments.
  return query execute case
    when (select max(length(word)) from unnest(words) as word) < 3 then format(
      'select * from (select * from public.bookings order by appointment_date desc, appointment_time desc limit %s) latest where %s',
      most, conditions)
    else format('select * from public.bookings where %s limit %s', conditions, most)
  end;
end
$$;

create function internal.find_vehicle(wanted_customer_id uuid, vehicle internal.vehicle_details) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select known.id from public.vehicles known
    where known.customer_id = wanted_customer_id and known.merged_into is null
      and (known.vin = vehicle.vin or known.plate_key = internal.plate_key(vehicle.plate)
           or known.vehicle_key = internal.vehicle_key(vehicle.year, vehicle.make, vehicle.model)
              -- Two alike are told apart by what is written on them.
              and coalesce(known.vin = vehicle.vin, true) and coalesce(known.plate_key = internal.plate_key(vehicle.plate), true))
    order by known.vin = vehicle.vin desc nulls last, known.plate_key = internal.plate_key(vehicle.plate) desc nulls last,
             known.created_at desc, known.id
    limit 1
  );
end
$$;

create function internal.find_customer(customer internal.customer_details) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  email_key constant text := nullif(lower(trim(customer.email)), '');
  phone_key constant text := internal.normalize_phone(customer.phone);
  found_id uuid;
  standing uuid;
begin
  loop
    found_id := coalesce(
      case when email_key is not null then internal.find_customer_by_email(email_key, customer.name) end,
      case when phone_key is not null then internal.find_customer_by_phone(phone_key, customer.name, email_key is not null) end);
    exit when found_id is null;
    -- Waits for a merge or an erasure that is under way; then the contacts lead to whom it was merged into, or to nobody.
    select id into standing from public.customers where id = found_id and merged_into is null and erased_at is null for key share;
    exit when standing is not null;
  end loop;
  return found_id;
end
$$;

create function internal.find_texts(customer_ids uuid[], only_table text default null)
  returns table (rule internal.erasure_rules, text_key text, row_id text, is_own boolean, about text, content jsonb, pattern text)
  language plpgsql stable
  set search_path = ''
as $$
declare
  own constant internal.personal_identifier[] := internal.list_personal_identifiers(customer_ids);
  elsewhere constant internal.personal_identifier[] := internal.sought_elsewhere(customer_ids);
  own_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.words), '|') from unnest(own) known);
  other_pattern constant text := (select string_agg(internal.identifier_pattern(known.kind, known.words), '|') from unnest(elsewhere) known);
  needles constant text[] := array(select distinct internal.identifier_needle(known.kind, known.words) from unnest(own) known);
  searched internal.erasure_rules;
begin
  for searched in
    select * from internal.erasure_rules known
    where known.label is not null and known.table_name = coalesce(only_table, known.table_name)
    order by known.table_name = 'public.settings_history', known.table_name, known.column_name
  loop
    return query execute format(
      'select $1, $2 || '' '' || (%1$s), %1$s, mine.is_own, (%2$s)::text, to_jsonb(one.%3$I), sought.pattern
       from %4$s one,
         lateral (select coalesce((%5$s) = any ($3), false) as is_own) mine,
         lateral (select case when mine.is_own then $4 else $5 end as pattern) sought
       where %6$s and case when internal.may_contain_identifier(one.%3$I::text, $6) and sought.pattern is not null
         then internal.redact(to_jsonb(one.%3$I), sought.pattern, 1000000) <> to_jsonb(one.%3$I) end
       order by 2',
      searched.row_key, searched.subject, searched.column_name, searched.table_name, searched.owner, searched.only_where)
    using searched, searched.table_name || '.' || searched.column_name, customer_ids, own_pattern, other_pattern, needles;
  end loop;
end
$$;

create or replace function internal.default_bay() returns uuid
  language sql stable
  -- Where an appointment goes is nothing that its visitor reads.
  security definer
  set search_path = ''
  return (select id from public.bays where is_active order by position limit 1);

create function internal.fits_hours(wanted tsrange, open tsmultirange, bay uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  last_day constant date := (upper(wanted) - interval '1 microsecond')::date;
begin
  if wanted <@ open then
    return true;
  end if;
  if last_day = lower(wanted)::date or not open @> lower(wanted) then
    return false;
  end if;
  return upper(wanted) - lower(wanted) > (select max(upper(span) - lower(span)) from unnest(open) span)
    or wanted <@ (open + internal.open_spans(last_day, bay));
end
$$;

create function internal.find_bay_at_same_time(booking public.bookings) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
      and booking.occupied <@ internal.open_spans(booking.appointment_date, bay.id)
      and not internal.is_bay_taken(bay.id, booking.occupied)
    order by bay.position limit 1
  );
end
$$;

create or replace function internal.clear_attendance_confirmation() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if (new.appointment_date, new.appointment_time) <> (old.appointment_date, old.appointment_time)
     or new.status in ('cancelled', 'no_show', 'not_confirmed') then
    new.attendance_confirmed_at := null;
  end if;
  return new;
end
$$;

create or replace function internal.clear_task_customer_note() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.customer_note := '';
  return new;
end
$$;

create function internal.delete_merges(customer_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  with gone as (
    select id from public.merges where survivor_id = any (customer_ids) or duplicate_id = any (customer_ids)
  )
  delete from public.merges merge using gone where gone.id in (merge.id, merge.parent_merge_id);
  delete from public.merges merge using public.vehicles kept, public.vehicles gone
  where merge.kind = 'vehicle' and merge.parent_merge_id is null and kept.id = merge.survivor_id and gone.id = merge.duplicate_id
    and (kept.customer_id = any (customer_ids) or gone.customer_id = any (customer_ids));
  -- Cars of others that became one before it was given to whom is erased: two of them again, without what stood on it.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles kept where kept.id = merge.survivor_id and kept.customer_id = any (customer_ids);
end
$$;

create function internal.delete_split_contact_methods(former uuid, wanted_customer_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from public.customer_contact_methods contact
  using public.customers known
  where known.id = former and contact.customer_id = former
    and exists (
      select from public.customer_contact_methods theirs
      where theirs.customer_id = wanted_customer_id and theirs.kind = contact.kind and theirs.match_key = contact.match_key)
    and contact.match_key is distinct from lower(known.email) and contact.match_key is distinct from known.phone_key
    and not exists (select from public.bookings where customer_id = former
                    and contact.match_key in (lower(customer_email), internal.normalize_phone(customer_phone)))
    and not exists (select from public.quote_requests where customer_id = former
                    and contact.match_key in (lower(email), internal.normalize_phone(phone)))
    and not exists (select from public.estimates where customer_id = former
                    and contact.match_key in (lower(customer_email), internal.normalize_phone(customer_phone)));
end
$$;

create function internal.find_free_bay(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns uuid
  language plpgsql stable
  -- A visitor has no right to call open_bays and is_bay_taken.
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := tsrange(
    booking_date + booking_time, booking_date + booking_time + duration_minutes * interval '1 minute');
begin
  return (
    select open.bay_id from internal.open_bays(booking_date, booking_time, duration_minutes, service) open
    where open.is_on_grid and not internal.is_bay_taken(open.bay_id, wanted)
    order by open.bay_position limit 1
  );
end
$$;

create function internal.free_spans(day date, bay uuid, ignored_booking_id uuid) returns tsmultirange
  language plpgsql stable
  set search_path = ''
as $$
begin
  return internal.open_spans(day, bay) - (
    select coalesce(range_agg(booking.occupied), '{}') from public.bookings booking
    where booking.bay_id = bay and booking.occupied && tsrange(day, day + 1)
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;

create function internal.free_times(
  service uuid, from_moment timestamp, minutes integer, bay uuid, ignored_booking_id uuid, max_rows integer, days integer
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  set search_path = ''
as $$
declare
  first_moment constant timestamp := greatest(from_moment, internal.shop_now());
  duration constant interval := minutes * interval '1 minute';
  day date;
  found integer := 0;
  found_that_day integer;
begin
  for day in select first_moment::date + nth from generate_series(0, days - 1) nth loop
    return query
      select day, start::time, array_agg(candidate.id order by candidate.position)
      from (
             select bays.id, bays.position, internal.open_spans(day, bays.id) as open,
                    internal.free_spans(day, bays.id, ignored_booking_id) as free
             from public.bays
             where bays.is_active and internal.bay_can_do_service(bays.id, service) and (bay is null or bays.id = bay) offset 0
           ) candidate,
           unnest(candidate.free * tsmultirange(tsrange(first_moment, null))) span,
           internal.list_starts_in_range(span) start
      where internal.fits_hours(tsrange(start, start + duration), candidate.open, candidate.id)
        and not internal.is_bay_taken(candidate.id, tsrange(start, start + duration), ignored_booking_id)
      group by start order by start limit max_rows - found;
    get diagnostics found_that_day = row_count;
    found := found + found_that_day;
    exit when found >= max_rows;
  end loop;
end
$$;

create function internal.freeze_revision(estimate public.estimates) returns public.estimate_revisions
  language plpgsql
  set search_path = ''
as $$
declare
  latest public.estimate_revisions := internal.latest_revision(estimate.id);
  problems jsonb;
begin
  if latest.frozen_at is not null then
    return latest;
  end if;
  problems := internal.estimate_problems(estimate.id, latest.revision);
  if problems <> '[]' then
    raise exception 'This estimate is not ready to be handed over.'
      using errcode = 'TT074', hint = problems #>> '{0,code}', detail = problems::text;
  end if;
  latest.document := internal.build_revision_document(estimate.id, latest.revision);
  update public.estimate_revisions revision
  set frozen_at = internal.current_instant(), document = latest.document,
    hash = encode(sha256(convert_to(latest.document::text, 'UTF8')), 'hex')
  where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  return internal.latest_revision(estimate.id);
end
$$;

create function internal.freeze_estimate(estimate_id uuid, seen_version integer, is_sent boolean, changed_by_name text) returns jsonb
  language plpgsql
  -- The server has no right to write estimate_revisions and estimates.
  security definer
  set search_path = ''
as $$
declare
  estimate constant public.estimates := internal.lock_estimate(freeze_estimate.estimate_id, coalesce(seen_version, -1));
  latest constant public.estimate_revisions := internal.freeze_revision(estimate);
begin
  if is_sent and latest.decided_at is null then
    update public.estimate_revisions revision set sent_at = internal.current_instant()
    where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  end if;
  update public.estimates set changed_at = clock_timestamp(), changed_by = changed_by_name where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;

create function internal.gets_reminders(customer_id uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  with recursive known as (
    select id, gets_reminders from public.customers where id = customer_id
    union
    select gone.id, gone.gets_reminders from known join public.customers gone on gone.merged_into = known.id
  )
  select not exists (select from known where not gets_reminders)
$$;

create function internal.last_frozen_at(estimate uuid) returns timestamptz
  language sql stable
  set search_path = ''
  return (select max(frozen_at) from public.estimate_revisions where estimate_id = estimate);

create function internal.has_erasures() returns boolean
  language sql stable
  -- The server has no right to read erasures.
  security definer
  set search_path = ''
begin atomic
  select exists (select from public.erasures);
end;

create function internal.has_invoice(booking_id uuid) returns boolean
  language sql stable
  -- The server has no right to call booking_invoice.
  security definer
  set search_path = ''
  return exists (select from internal.booking_invoice(has_invoice.booking_id));

create function internal.has_change_email(booking public.bookings) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.emails letter
    where letter.booking_id = booking.id and letter.dedupe_key in (
      'booking:' || booking.id || ':moved:' || booking.calendar_sequence,
      'booking:' || booking.id || ':cancelled:' || booking.calendar_sequence,
      'booking:' || booking.id || ':restored:' || booking.calendar_sequence)
  );

create function internal.has_ten_customers(host text) returns boolean
  language sql stable
  set search_path = ''
as $$
  -- From one mailbox to the next by the index: ten looks, however many appointments each has.
  with recursive found (mailbox, nth) as (
    (
      select internal.normalize_mailbox(customer_email), 1 from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
      order by internal.normalize_mailbox(customer_email) limit 1
    )
    union all
    select (
      select internal.normalize_mailbox(customer_email) from public.bookings
      where completed_at is not null and not is_sample and internal.mail_host_of(internal.normalize_mailbox(customer_email)) = host
        and internal.normalize_mailbox(customer_email) > found.mailbox
      order by internal.normalize_mailbox(customer_email) limit 1
    ), nth + 1
    from found where mailbox is not null and nth < 10
  )
  select count(mailbox) = 10 from found
$$;

create function internal.describe_held_bookings() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'customer_name', customer_name, 'service_name', service_name, 'starts_at', lower(occupied),
      'held_until', held_until
    ) order by held_until, id), '[]')
    from (
      select * from public.bookings
      where held_until > internal.current_instant() and status not in ('cancelled', 'not_confirmed') and completed_at is null
      order by held_until, id limit 50
    ) held
  );

create function internal.summarize_customer_bookings(name text, phone text, today date)
  returns table (email text, vehicles jsonb, last_appointment date, next_appointment date, appointment_count integer, no_shows integer)
  language sql stable
  set search_path = ''
as $$
  with known as (
    select * from public.bookings booking
    where internal.normalize_phone(booking.customer_phone) = internal.normalize_phone(phone)
      and lower(booking.customer_name) = lower(name) and booking.status <> 'not_confirmed'
    order by booking.appointment_date desc limit 200
  )
  select internal.email_of_bookings(array(select id from known)),
         (select jsonb_agg(jsonb_build_object('year', vehicle_year, 'make', vehicle_make, 'model', vehicle_model, 'color', vehicle_color)
                           order by last_seen desc)
          from (select vehicle_year, vehicle_make, vehicle_model, max(vehicle_color) as vehicle_color, max(appointment_date) as last_seen
                from known where vehicle_make is not null or vehicle_model is not null
                group by 1, 2, 3 order by last_seen desc limit 6) car),
         max(appointment_date) filter (where customer_came),
         min(appointment_date) filter (where appointment_date >= today and completed_at is null
                                       and status not in ('cancelled', 'no_show')),
         (count(*) filter (where customer_came))::integer,
         (count(*) filter (where status = 'no_show'))::integer
  from (select *, completed_at is not null or status in ('arrived', 'in_work')
                  or appointment_date < today and status not in ('cancelled', 'no_show') as customer_came from known) as known
$$;

create function internal.hours_refusal(booking_date date, booking_time time, duration_minutes integer, service uuid) returns text
  language plpgsql stable
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select case when count(*) = 0 then 'outside_hours' when not bool_or(is_on_grid) then 'off_the_grid' end
    from internal.open_bays(booking_date, booking_time, duration_minutes, service)
  );
end
$$;

create function internal.is_active_admin(admin_id uuid, at timestamptz) returns boolean
  language sql stable
  -- The server has no right to read auth.users.
  security definer
  set search_path = ''
  return exists (
    select from auth.users
    where id = admin_id
      and raw_app_meta_data ->> 'role' = 'admin'
      and (banned_until is null or banned_until <= at)
  );

create function internal.is_another_word(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return trim(one) <> '' and trim(other) <> '' and internal.normalize_search_text(trim(one)) <> internal.normalize_search_text(trim(other));

create function internal.is_approved(wanted_key uuid, wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select line.decision = 'approved' from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision <> 'declined'
    order by line.id desc limit 1), false);

create function internal.is_at_open_limit(mailbox text, phone_key text, ignored_booking_id uuid, since_event bigint default null)
  returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
as $$
declare
  -- A family or a small fleet has fewer vehicles. The click in an email confirms no more, either.
  most_open constant integer := 5;
  of_mailbox uuid[];
  of_phone uuid[];
  open_ids uuid[];
begin
  select array(
    select id from public.bookings
    where internal.normalize_mailbox(customer_email) = mailbox
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ), array(
    select id from public.bookings
    where internal.normalize_phone(customer_phone) = phone_key
      and appointment_date >= clock.local_now::date and upper(occupied) > clock.local_now
      and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show' and id <> ignored_booking_id
  ) into of_mailbox, of_phone
  from (select internal.current_instant() at time zone time_zone as local_now from public.shop) clock;
  open_ids := case when cardinality(of_mailbox) < most_open then of_phone else of_mailbox end;
  return cardinality(open_ids) >= most_open and (since_event is null or exists (
    select from public.booking_events
    where booking_id = any (open_ids) and id > since_event and source <> 'counter'
      and kind in ('booked', 'reopened', 'undone', 'confirmed')));
end
$$;

create function internal.is_at_shop(state text) returns boolean
  language sql immutable
  set search_path = ''
  return state in ('here', 'in_work', 'waiting_on_parts', 'waiting_on_customer', 'ready', 'ready_and_paid');

create function internal.is_automated_only(customer_ids uuid[], contact text) returns boolean
  language sql stable
  set search_path = ''
  return coalesce((
    select bool_and(is_automated)
    from (
      select flagged_reasons <> '{}' as is_automated from public.bookings
      where customer_id = any (customer_ids) and contact in (lower(trim(customer_email)), internal.normalize_phone(customer_phone))
      union all
      select flagged_reasons <> '{}' from public.quote_requests
      where customer_id = any (customer_ids) and contact in (lower(trim(email)), internal.normalize_phone(phone))
      union all
      select false from public.estimates
      where customer_id = any (customer_ids) and contact in (lower(customer_email), internal.normalize_phone(customer_phone))
    ) records), false);

create function internal.is_confirmed_email(wanted_customer_id uuid, email text) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.customer_contact_methods contact
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(is_confirmed_email.email))
      and contact.confirmed_at is not null);

create or replace function internal.is_email_address(value text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.is_single_line_text(value, 3, 254) and value ~ '^[^@[:space:]<>",;]+@[^@[:space:]<>",;]+$';

create function internal.is_erased(customer_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.customers where id = customer_id and erased_at is not null);

create function internal.is_hold_of_known_customer(booking public.bookings) returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read bookings.
  security definer
  set search_path = ''
as $$
begin
  -- Whoever knows a customer's address and number fills no more of the calendar by them than that customer may.
  return 'many_open_bookings' <> all (booking.flagged_reasons)
    and internal.is_known_customer(booking.customer_email, booking.customer_phone);
end
$$;

create function internal.is_placed_outside_hours(bay uuid, warnings text[]) returns boolean
  language sql immutable
  set search_path = ''
  return bay is not null and warnings && array['outside_hours', 'overnight'];

create function internal.is_known_customer(email text, phone text) returns boolean
  language plpgsql stable
  -- Those for whom this is called have no right to read customer_contact_methods, people and bookings.
  security definer
  set search_path = ''
as $$
begin
  return exists (
    select from public.customer_contact_methods address
    join public.customer_contact_methods number
      on number.customer_id = address.customer_id and number.kind = 'phone' and number.match_key = internal.normalize_phone(is_known_customer.phone)
    join public.customers person on person.id = address.customer_id and person.merged_into is null and person.erased_at is null
    where address.kind = 'email' and address.match_key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- Anybody may know the customers of the sample week.
        where done.customer_id = person.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;

create function internal.is_quiet_hours() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time not between '08:00' and '21:00';

create function internal.is_of_others(customer_ids uuid[], kind text, input_text text) returns boolean
  language sql stable
  set search_path = ''
  return exists (
      select from public.customer_contact_methods contact join public.customers other on other.id = contact.customer_id
      where contact.kind = is_of_others.kind and contact.match_key = input_text and other.id <> all (customer_ids) and other.erased_at is null
        -- What was only typed online may be anybody's.
        and (contact.confirmed_at is not null or lower(trim(other.email)) = input_text))
    or exists (
      select from public.vehicles car where input_text in (car.plate_key, car.vin) and car.customer_id <> all (customer_ids) and car.merged_into is null)
    or exists (
      select from public.shop
      where input_text in (lower(support_email), lower(billing_email), lower(booking_email), internal.normalize_phone(phone),
        internal.normalize_phone(billing_phone)))
    or exists (select from public.employees where lower(email) = input_text);

create function internal.is_open_state(state text) returns boolean
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return state not in ('completed', 'cancelled', 'not_confirmed', 'no_show');

create function internal.is_scope_changed(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
declare
  approved_revision constant integer := (
    select line.revision from internal.binding_lines(wanted_id) line
    where line.job_key = wanted_key and line.decision = 'approved' order by line.id desc limit 1);
begin
  return (select title from public.estimate_jobs where (estimate_id, revision, job_key) = (wanted_id, wanted_revision, wanted_key))
      is distinct from
      (select title from public.estimate_jobs where (estimate_id, revision, job_key) = (wanted_id, approved_revision, wanted_key))
    or exists (
      select from public.estimate_lines sold
      where (sold.estimate_id, sold.revision, sold.job_key) = (wanted_id, wanted_revision, wanted_key) and sold.kind <> 'discount'
        and not exists (
          select from public.estimate_lines approved
          where (approved.estimate_id, approved.revision, approved.job_key) = (wanted_id, approved_revision, wanted_key)
            and (approved.kind, approved.subtype, approved.description) = (sold.kind, sold.subtype, sold.description)));
end
$$;

create function internal.is_quiet() returns boolean
  language sql stable
  set search_path = ''
  return internal.shop_now()::time between '02:00' and '05:00'
    and not exists (select from public.bookings where created_at > internal.current_instant() - interval '10 minutes')
    and not exists (select from public.quote_requests where created_at > internal.current_instant() - interval '10 minutes');

create function internal.is_sample_email(email public.emails) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (select from public.bookings where id = email.booking_id and is_sample)
    or exists (select from public.quote_requests where id = email.quote_request_id and is_sample)
    or internal.is_sample_estimate(email.estimate_id)
    or (email.invoice_id is not null
        and exists (select from internal.sample_invoices() sample where sample.invoice_id = email.invoice_id));
end
$$;

create function internal.is_sample_estimate(wanted_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from public.estimates where id = wanted_id and is_sample);

create function internal.sample_invoices() returns table (invoice_id text, number text)
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- The mark is older than the invoice: no header that names a wish can begin like this.
  return query
    select known.invoice_id, assigned.number
    from internal.assigned_invoice_numbers assigned
    left join internal.invoice_numbers known on known.number = assigned.number
    where assigned.request_id like 'sample-week:%'
      or exists (select from public.estimate_invoices claim
        where claim.id::text = assigned.request_id and internal.is_sample_estimate(claim.estimate_id));
end
$$;

create function internal.is_sample_invoice(number text) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from internal.sample_invoices() sample where sample.number = is_sample_invoice.number);

create function internal.is_bay_taken(bay uuid, wanted tsrange, ignored_booking_id uuid default null) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- A hold that ran out gives its time back before anybody noted it.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;

create function internal.is_unsent(wanted_id uuid, wanted_revision integer) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.estimate_revisions where (estimate_id, revision) = (wanted_id, wanted_revision) and frozen_at is null);

create function internal.describe_revision_jobs(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', job.job_key, 'title', job.title, 'plainWords', job.customer_description, 'isNeeded', job.is_needed_now, 'measure', job.measurement,
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', line.kind, 'detail', line.subtype, 'description', line.description, 'thousandths', line.quantity_thousandths,
          'unitCents', line.unit_price_cents, 'isTaxable', line.is_taxable) order by line.position), '[]')
        from public.estimate_lines line
        where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key))
      ) order by job.position), '[]')
    from public.estimate_jobs job where job.estimate_id = wanted_id and job.revision = wanted_revision
  );

create or replace function internal.prevent_authorization_delete() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not internal.is_sample_estimate(old.estimate_id) then
    perform internal.raise_record_retained(old.recorded_at);
  end if;
  return old;
end
$$;

create function internal.keep_bay_hours() returns void
  language plpgsql
  -- The server has no right to write bay_hours.
  security definer
  set search_path = ''
as $$
declare
  today date;
  last_day date;
begin
  -- Two transactions that change the hours would otherwise each compute without the change of the other. The lock comes
  -- first, so that the statements below see what the other one committed.
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  today := internal.shop_now()::date;
  last_day := today + 31 + (select booking_window_days from public.booking_rules);
  with wanted as materialized (
    select dates.day, bay.id as bay_id, coalesce(open.span, 'empty') as span
    from public.bays bay
    cross join (select today + nth as day from generate_series(-1, last_day - today) nth) dates
    left join lateral unnest(internal.open_spans(dates.day, bay.id)) open (span) on true
    where bay.is_active
  ), outdated as (
    delete from internal.bay_hours known
    where not exists (
      select from wanted
      where wanted.day = known.day and wanted.bay_id = known.bay_id and wanted.span = known.span)
  )
  insert into internal.bay_hours select day, bay_id, span from wanted on conflict do nothing;
end
$$;

create or replace function internal.prevent_billed_job_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices where id = old.claim_id) then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return old;
end
$$;

create or replace function internal.confirm_hold_for_task() returns trigger
  language plpgsql
  -- The admin may not write held_until of a booking.
  security definer
  set search_path = ''
as $$
begin
  update public.bookings set held_until = null, hold_confirmed_at = internal.current_instant()
  where id = new.booking_id and held_until is not null;
  return new;
end
$$;

create or replace function internal.prevent_claim_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.raise_record_retained(old.claimed_at);
    end if;
    return old;
  end if;
  if to_jsonb(new) - '{state,invoice_id,number,settled_at}'::text[] <> to_jsonb(old) - '{state,invoice_id,number,settled_at}'::text[] then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if (old.state, new.state) not in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
     or new.invoice_id is distinct from coalesce(old.invoice_id, new.invoice_id)
     or new.number is distinct from coalesce(old.number, new.number) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_sent_estimate_delete() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.raise_record_retained(max(frozen_at)) from public.estimate_revisions where estimate_id = old.id;
  return old;
end
$$;

create or replace function internal.allow_only_reason_redaction() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.prevent_frozen_revision_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- Once its estimate is gone, which prevent_sent_estimate_delete allowed, it goes with it.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.raise_record_retained(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;

create or replace function internal.allow_only_value_redaction() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - '{subject,before,after}'::text[] <> to_jsonb(old) - '{subject,before,after}'::text[] then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;

create or replace function internal.require_active_service() returns trigger
  language plpgsql
  -- Counts every service, also those that the policies hide from whoever writes.
  security definer
  set search_path = ''
as $$
begin
  -- After the rows' own triggers, which let one change of services pass at a time.
  if not exists (select from public.services where is_active) then
    raise exception 'At least one service stays active.' using errcode = 'TT053', hint = 'last_active_service';
  end if;
  return null;
end
$$;

create or replace function internal.prevent_open_booking_delete() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.completed_at is null then
    raise exception 'Only completed appointments can be deleted.' using errcode = 'TT021', hint = 'not_completed';
  end if;
  return old;
end
$$;

create or replace function internal.prevent_payment_delete() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;

create or replace function internal.prevent_retained_record_delete() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read estimates and estimate_revisions.
  security definer
  set search_path = ''
as $$
begin
  perform internal.raise_record_retained(max(revision.frozen_at))
  from public.estimates estimate
  join public.estimate_revisions revision on revision.estimate_id = estimate.id
  where not estimate.is_sample and estimate.repair_id = case tg_table_name when 'tasks' then
      (select linked.repair_id from public.estimates linked where linked.id = (to_jsonb(old) ->> 'estimate_id')::uuid)
    else (to_jsonb(old) ->> 'repair_id')::uuid end;
  return old;
end
$$;

create function internal.retained_until(happened_at timestamptz) returns date
  language sql stable
  set search_path = ''
  return (happened_at at time zone (select time_zone from public.shop) + interval '3 years')::date;

create function internal.list_retained_records(wanted_customer_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(record) order by record."keptUntil", record.kind, record.id), '[]')
    from (
      select 'invoice' as kind, invoice_id as id, number, internal.retained_until(created_at) as "keptUntil"
      from public.invoices where customer_id = wanted_customer_id
      union all
      select 'estimate', id::text, number, internal.retained_until(internal.last_frozen_at(id))
      from public.estimates where customer_id = wanted_customer_id
    ) record
    where record."keptUntil" >= internal.shop_now()::date
  );

create function internal.booking_event_kind(before public.bookings, after public.bookings) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  old_state constant text := internal.booking_state(before);
  new_state constant text := internal.booking_state(after);
begin
  return case
    when old_state <> new_state then coalesce((
      select case when kind = 'kept' and not internal.is_admin() then 'confirmed' else kind end
      from internal.booking_transitions where from_state = old_state and to_state = new_state), 'changed')
    when (before.appointment_date, before.appointment_time) <> (after.appointment_date, after.appointment_time) then 'moved'
    when before.bay_id is null and after.bay_id is not null then 'placed'
    when before.bay_id is distinct from after.bay_id then 'moved'
    when before.duration_minutes < after.duration_minutes then 'extended'
    when before.duration_minutes > after.duration_minutes then 'shortened'
    when before.held_until is not null and after.held_until is null and not internal.is_admin() then 'confirmed'
    when (before.held_until is not null and after.held_until is null) or (before.conflict_accepted_at is null and after.conflict_accepted_at is not null)
      then 'kept'
    when before.attendance_confirmed_at is null and after.attendance_confirmed_at is not null then 'answered'
    when before.link_version <> after.link_version then 'relinked'
  end;
end
$$;

create or replace function internal.link_sent_estimate() returns trigger
  language plpgsql
  -- Whoever hands over an estimate has no right to customers and their vehicles.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.customer_id := coalesce(estimate.customer_id, internal.find_or_create_customer(internal.estimate_customer_details(estimate)));
  -- What an appointment named is the car to which plate and VIN belong.
  estimate.vehicle_id := coalesce(
    internal.fill_missing_plate_and_vin(estimate.vehicle_id, internal.estimate_vehicle_details(estimate)),
    internal.find_or_create_vehicle(estimate.customer_id, internal.estimate_vehicle_details(estimate), estimate.created_at, false));
  update public.estimates set customer_id = estimate.customer_id, vehicle_id = estimate.vehicle_id where id = estimate.id;
  if estimate.vehicle_id is not null and estimate.odometer_miles is not null then
    insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
    select estimate.vehicle_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
    where not exists (
      select from public.odometer_readings known
      where known.vehicle_id = estimate.vehicle_id and known.miles = estimate.odometer_miles);
  end if;
  return null;
end
$$;

create function internal.known_start(booking_id uuid) returns timestamp
  language sql stable
  -- The server has no right to read booking_events.
  security definer
  set search_path = ''
  -- A customer who moves an appointment by its link knew the time before. The trigger reset_notification has stored the new
  -- time as known by then, so the time before comes from the history.
  return (
    select coalesce(
      nullif(booking.notified_starts_at, booking.appointment_date + booking.appointment_time),
      (select coalesce((latest.before ->> 'date')::date, booking.appointment_date)
              + coalesce((latest.before ->> 'time')::time, booking.appointment_time)
       from (select event.kind, event.source, event.before from public.booking_events event
             where event.booking_id = booking.id order by event.id desc limit 1) latest
       where latest.kind = 'moved' and latest.source = 'customer'),
      booking.notified_starts_at)
    from public.bookings booking where booking.id = known_start.booking_id);

create function internal.last_cancellation(booking_id uuid) returns public.booking_events
  language sql stable
  set search_path = ''
  return (
    select event from public.booking_events event
    where event.booking_id = last_cancellation.booking_id and event.kind = 'cancelled' order by event.id desc limit 1
  );

create function internal.booking_last_changed_at(booking public.bookings) returns timestamptz
  language sql stable
  -- Reads the stories of appointments, which are nobody's but the admin's.
  security definer
  set search_path = ''
  return coalesce((select max(happened_at) from public.booking_events where booking_id = booking.id), booking.created_at);

create function internal.last_merged_customer(customer_id uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, 1 as step from public.customers where id = customer_id
    union all
    select next.id, next.merged_into, led.step + 1 from led join public.customers next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null
$$;

create function internal.list_undelivered_emails() returns setof public.emails
  -- Hardly ever many: who joins them looks each up by index.
  language sql stable rows 10
  set search_path = ''
as $$
  select letter.*
  from public.emails letter
  left join public.bookings booking on booking.id = letter.booking_id
  left join public.quote_requests quote on quote.id = letter.quote_request_id
  where letter.status = 'failed' and letter.kind not in ('owner_notice', 'test_message')
    and letter.created_at > internal.current_instant() - interval '60 days'
    and (letter.booking_id is not null or letter.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.email_outdated_reason(letter) is null
    and not (letter.kind = 'quote_confirmation' and quote.status = 'completed')
    -- One for each index: together they would read all that was written since.
    and not exists (select from public.emails later where later.booking_id = letter.booking_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = letter.quote_request_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = letter.invoice_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
  order by letter.created_at, letter.id limit 50
$$;

create function internal.describe_undelivered_emails() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', letter.id, 'kind', letter.kind, 'recipient_name', letter.recipient_name, 'recipient_email', letter.recipient_email,
      'phone', coalesce(booking.customer_phone, quote.phone), 'booking_id', letter.booking_id,
      'appointment_date', booking.appointment_date, 'quote_request_id', letter.quote_request_id, 'created_at', letter.created_at
    ) order by letter.created_at, letter.id), '[]')
    from internal.list_undelivered_emails() letter
    left join public.bookings booking on booking.id = letter.booking_id
    left join public.quote_requests quote on quote.id = letter.quote_request_id
  );

create or replace function internal.link_booking() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call find_or_create_customer, booking_customer_details and others.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
begin
  new.customer_id := internal.find_or_create_customer(
    internal.booking_customer_details(new, internal.booking_event_source('booked') = 'visitor'));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_color, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  -- The row's own checks say what is wrong with it.
  new.customer_id := null;
  return new;
end
$$;

create function internal.link_booking_now(booking public.bookings) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  person constant uuid := internal.find_or_create_customer(internal.booking_customer_details(booking, internal.was_typed_online(booking.id)));
  booked_event bigint;
begin
  update public.bookings
  set customer_id = person, vehicle_id = internal.find_or_create_vehicle(person, row(booking.vehicle_year, booking.vehicle_make,
        booking.vehicle_model, booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id;
  select id into booked_event from public.booking_events
  where booking_id = booking.id and kind = 'booked' order by id limit 1;
  if found then
    perform internal.announce_booking(booking.id, booked_event);
  end if;
end
$$;

create or replace function internal.link_estimate() returns trigger
  language plpgsql
  -- Reads the booking and the quote request, whatever the policies show to whoever saves.
  security definer
  set search_path = ''
as $$
declare
  names_the_same constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_the_same_car constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_car constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former constant uuid := new.customer_id;
  former_car constant uuid := new.vehicle_id;
  source record;
begin
  perform internal.link_waiting_booking(new.booking_id);
  select customer_id, vehicle_id into source from public.bookings where id = new.booking_id and not internal.is_erased(customer_id);
  if source.customer_id is null then
    select customer_id, vehicle_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(customer_id);
  end if;
  if tg_op = 'UPDATE' and not names_the_same and internal.names_another_customer(new) then
    new.customer_id := internal.find_customer(internal.estimate_customer_details(new));
  elsif tg_op = 'UPDATE' and internal.last_frozen_at(new.id) is not null and former is not null and not internal.is_erased(former)
      and (names_the_same or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- An address or a number that was put right is of the same customer, whose else it may be.
    new.customer_id := former;
  else
    new.customer_id := coalesce(
      source.customer_id, case when names_the_same and not internal.is_erased(former) then former end,
      internal.find_customer(internal.estimate_customer_details(new)), former);
  end if;
  if new.customer_id is null then
    new.vehicle_id := null;
  elsif not coalesce(is_the_same_car and new.customer_id = former and new.vehicle_id is not null, false) then
    new.vehicle_id := coalesce(
      internal.find_vehicle(new.customer_id, internal.estimate_vehicle_details(new)),
      -- A plate or a VIN that was put right is of the same vehicle.
      case when not is_another_car and internal.last_frozen_at(new.id) is not null and new.customer_id = former then former_car end,
      case when not is_another_car then source.vehicle_id end);
  end if;
  return new;
end
$$;

create function internal.link_invoice(invoice jsonb) returns void
  language plpgsql
  -- The server has no right to write invoices.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  made_at constant timestamptz := to_timestamp((invoice ->> 'created_at')::bigint);
  name constant text := left(coalesce(
    nullif(trim(regexp_replace(invoice ->> 'name', '[[:cntrl:]]+', ' ', 'g')), ''), invoice ->> 'email', 'Unknown'), 200);
  person uuid;
begin
  update public.invoices
  set number = invoice ->> 'number', status = invoice ->> 'status', total_cents = (invoice ->> 'total_cents')::bigint
  where invoice_id = invoice ->> 'id';
  if found then
    return;
  end if;
  select billed.* into estimate
  from internal.assigned_invoice_numbers assigned
  join public.estimate_invoices claim on claim.id::text = assigned.request_id
  join public.estimates billed on billed.id = claim.estimate_id
  where assigned.number = invoice ->> 'number';
  person := coalesce(estimate.customer_id, internal.find_or_create_customer(row(
    name, nullif(left(invoice ->> 'email', 254), ''), nullif(trim(left(invoice ->> 'phone', 40)), ''), made_at, true,
    internal.is_sample_invoice(invoice ->> 'number'), false)));
  insert into public.invoices (
    invoice_id, number, customer_id, vehicle_id, booking_id, customer_name, total_cents, currency, status, created_at)
  values (
    invoice ->> 'id', invoice ->> 'number', person, estimate.vehicle_id, estimate.booking_id, name,
    (invoice ->> 'total_cents')::bigint, invoice ->> 'currency', invoice ->> 'status', made_at)
  on conflict (invoice_id) do nothing;
end
$$;

create function internal.backfill_booking_customers(max_rows integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return 0;
  end if;
  -- An erasure holds this lock alone, and then looks for its texts in all appointments.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- One that somebody has in hand is left for the next time.
    select waiting from public.bookings waiting where customer_id is null order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    perform internal.link_booking_now(booking);
  end loop;
  return cardinality(batch);
end
$$;

create function internal.backfill_quote_request_customers(max_rows integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  batch constant public.quote_requests[] := array(
    select quote from public.quote_requests quote where customer_id is null order by created_at, id limit max_rows for update skip locked);
  quote public.quote_requests;
  person uuid;
begin
  perform internal.lock_contact_keys(array(select unnest(array[lower(trim(email)), internal.normalize_phone(phone)]) from unnest(batch)));
  foreach quote in array batch loop
    person := internal.find_or_create_customer(internal.quote_request_customer_details(quote));
    update public.quote_requests
    set customer_id = person, vehicle_id = internal.find_or_create_vehicle(person, row(
          quote.vehicle_year, quote.vehicle_make, quote.vehicle_model, null, null, null), quote.created_at, quote.is_sample)
    where id = quote.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;

create function internal.backfill_customers(max_rows integer default 100) returns integer
  language sql
  -- The server has no right to call backfill_booking_customers and backfill_quote_request_customers.
  security definer
  set search_path = ''
  return internal.backfill_booking_customers(max_rows) + internal.backfill_quote_request_customers(max_rows);

create or replace function internal.link_quote_request() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call find_or_create_customer, quote_request_customer_details and find_or_create_vehicle.
  security definer
  set search_path = ''
as $$
begin
  new.customer_id := internal.find_or_create_customer(internal.quote_request_customer_details(new));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, null, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  new.customer_id := null;
  return new;
end
$$;

create function internal.link_waiting_booking(booking_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  waiting public.bookings;
begin
  select * into waiting from public.bookings where id = link_waiting_booking.booking_id and customer_id is null for update;
  if found then
    perform internal.link_booking_now(waiting);
  end if;
end
$$;

create function internal.list_appointment_records(
  after_date date, after_time time, after_id uuid, until date, max_rows integer
) returns table (
  id uuid, appointment_date date, appointment_time time, service text, minutes integer, price_cents integer, state text,
  is_held boolean, customer text, email text, phone text, vehicle text, plate text, bay text, booked_on date, source text)
  language sql stable
  -- The server has no right to read cars and booking_events.
  security definer
  set search_path = ''
as $$
  select booking.id, booking.appointment_date, booking.appointment_time, booking.service_name, booking.duration_minutes,
    booking.service_price_cents, internal.booking_state(booking), booking.held_until is not null, booking.customer_name,
    booking.customer_email, booking.customer_phone,
    internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model), car.plate, bay.name,
    (booking.created_at at time zone (select time_zone from public.shop))::date, made.source
  from public.bookings booking
  left join public.vehicles car on car.id = booking.vehicle_id
  left join public.bays bay on bay.id = booking.bay_id
  left join lateral (
    select event.source from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked' order by event.id limit 1
  ) made on true
  where (booking.appointment_date, booking.appointment_time, booking.id) > (after_date, after_time, after_id)
    and booking.appointment_date <= until
  order by booking.appointment_date, booking.appointment_time, booking.id
  limit max_rows
$$;

create function internal.list_file_cleanups() returns table (table_name text, requests integer)
  language sql stable
  -- The server has no right to read file_cleanups.
  security definer
  set search_path = ''
begin atomic
  select known.table_name, known.requests from internal.file_cleanups known
  where known.cleaned < known.requests and known.is_ours and internal.is_quiet() order by known.table_name;
end;

create function internal.list_customer_records(from_date date, until date, after_since timestamptz, after_id uuid, max_rows integer)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, appointment_count integer, missed integer,
    invoices integer, invoiced_cents bigint, paid_cents bigint)
  language plpgsql stable
  -- The server has no right to read people, invoices and others.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The shop's midnights.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select person.id, person.created_at, (person.created_at at time zone zone)::date, person.name, person.email, person.phone,
      came.visits, came.missed, billed.invoices, billed.cents, billed.paid
    from public.customers person
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.customer_came(booking, today)))::integer as visits,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.customer_id = person.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      select count(*)::integer as invoices, coalesce(sum(links.total_cents) filter (where links.currency = 'usd'), 0)::bigint as cents,
        coalesce(sum(internal.invoice_paid_cents(links)) filter (where links.currency = 'usd'), 0)::bigint as paid
      from public.invoices links
      where links.customer_id = person.id and links.created_at >= starts_at and links.created_at < ends_at and links.status <> 'void'
    ) billed
    where (person.created_at, person.id) > (after_since, after_id) and person.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.customer_id = person.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.customer_id = person.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.customer_id = person.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoices links
                   join public.payments payment on payment.invoice_id = links.invoice_id
                   where links.customer_id = person.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.customer_contact_methods contact
                   join public.emails letter on lower(letter.recipient_email) = contact.match_key
                   where contact.customer_id = person.id and contact.kind = 'email'
                     and letter.created_at >= starts_at and letter.created_at < ends_at))
    order by person.created_at, person.id
    limit max_rows;
end
$$;

create function internal.list_taken_times(booking_id uuid, day date, shown time[]) returns setof time
  language sql stable
  -- The server has no right to call booking_refusal.
  security definer
  set search_path = ''
as $$
  select distinct wanted
  from unnest(shown) wanted
  join public.bookings booking on booking.id = list_taken_times.booking_id
  where wanted not in (select internal.list_reschedule_times(list_taken_times.booking_id, day))
    -- What the rules refuse by now was not taken by anybody.
    and internal.booking_refusal(day, wanted, booking.duration_minutes, booking.service_id) is null
  order by 1
$$;

create function internal.list_stale_invoice_claims(older_than_seconds integer) returns setof uuid
  language sql stable
  -- The server sees the invoices through procedures alone.
  security definer
  set search_path = ''
as $$
  select id from public.estimate_invoices
  where state = 'claimed' and claimed_at < now() - older_than_seconds * interval '1 second' order by claimed_at limit 20
$$;

create function internal.list_reschedule_times(booking_id uuid, day date) returns setof time
  language sql stable
  -- The server has no right to call open_spans, bay_can_do_service and others.
  security definer
  set search_path = ''
as $$
  with possible as materialized (
    select bay.id as bay_id, start, booking.id as booking_id, booking.duration_minutes, booking.service_id
    from public.bookings booking, public.booking_rules rules, public.bays bay,
         unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - booking.duration_minutes * interval '1 minute',
                         rules.slot_interval_minutes * interval '1 minute') start
    where booking.id = list_reschedule_times.booking_id and bay.is_active and internal.bay_can_do_service(bay.id, booking.service_id)
  ), asked as materialized (
    -- Not inside the next one: there the rules would be asked before doubles are taken out.
    select distinct start, duration_minutes, service_id from possible
  ), allowed as materialized (
    select start from asked
    where internal.booking_refusal(day, start::time, duration_minutes, service_id) is null
  )
  select distinct start::time from possible join allowed using (start)
  where not internal.is_bay_taken(bay_id, internal.booking_range(day, start::time, duration_minutes), possible.booking_id)
  order by 1
$$;

create function internal.lock_booking_day(day date) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Whoever changes hours or bays waits for all who place an appointment, and they for him: first, always.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0)),
          pg_advisory_xact_lock(hashtextextended('booking ' || day, 0));
end
$$;

create function internal.lock_booking_network(client internal.client_digests) returns void
  language sql
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return pg_advisory_xact_lock(hashtextextended(
    'booking network ' || encode(coalesce(client.network_48, client.network_24, client.address), 'hex'), 0));

create function internal.lock_booking_contact(mailbox text, phone_key text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking mailbox ' || mailbox, 0)),
          pg_advisory_xact_lock(hashtextextended('booking phone ' || coalesce(phone_key, ''), 0));
end
$$;

create function internal.lock_calendar() returns void
  language sql
  set search_path = ''
  return pg_advisory_xact_lock(hashtextextended('shop calendar', 0));

create function internal.lock_contact_keys(keys text[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- All who lock several do so in one order, so that nobody waits crosswise. Of so many locks that two who book at once
  -- seldom share one, and so few that a hundred thousand rows in one transaction find room in memory.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$$;

create function internal.lock_task(wanted_id uuid) returns public.tasks
  language plpgsql
  set search_path = ''
as $$
declare
  task public.tasks;
begin
  -- The order of every change of a booking: the calendar, the booking, what belongs to it.
  perform internal.lock_calendar();
  perform from public.bookings where id = (select booking_id from public.tasks where id = wanted_id) for no key update;
  select * into task from public.tasks where id = wanted_id for update;
  if not found then
    raise exception 'This task no longer exists.' using errcode = 'TT031', hint = 'task_not_found';
  end if;
  return task;
end
$$;

create or replace function internal.normalize_mailbox(email text) returns text
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  spelled constant text := lower(normalize(email, nfkc));
  whole constant text := regexp_replace(spelled, '@[^@]*$', '');
  domain constant text := rtrim(substring(spelled from '@([^@]*)$'), '.');
  name constant text := coalesce(nullif(split_part(whole, '+', 1), ''), whole);
begin
  return case
    when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- https://proton.me/support/addresses-and-aliases: one account has its name at all of them.
    when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || domain
  end;
end
$$;

create function internal.create_customer_from_booking(booking public.bookings) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  insert into public.customers (name, email, phone, created_at, is_sample)
  values (booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at, booking.is_sample)
  returning id into person;
  perform internal.add_contact_methods(person, booking.customer_email, booking.customer_phone,
    not internal.was_typed_online(booking.id) or internal.is_confirmed_email(booking.customer_id, booking.customer_email));
  return person;
end
$$;

create function internal.may_become_open(booking public.bookings) returns boolean
  language plpgsql
  -- Those for whom this is called have no right to read bookings and booking_events.
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.normalize_mailbox(booking.customer_email);
  phone_key constant text := internal.normalize_phone(booking.customer_phone);
  closing record;
begin
  if not internal.is_admin() then
    perform internal.lock_booking_contact(mailbox, phone_key);
    return not internal.is_at_open_limit(mailbox, phone_key, booking.id);
  end if;
  select id, kind into closing from public.booking_events
  where booking_id = booking.id and kind in ('cancelled', 'no_show', 'completed', 'not_confirmed') order by id desc limit 1;
  -- Staff decide what they book, keep and confirm. Their undo gives back what there was, and no more.
  if closing.id is null or closing.kind = 'not_confirmed' then
    return true;
  end if;
  perform internal.lock_booking_contact(mailbox, phone_key);
  return not internal.is_at_open_limit(mailbox, phone_key, booking.id, closing.id);
end
$$;

create function internal.may_contain_identifier(input_text text, needles text[]) returns boolean
  language sql immutable
  set search_path = ''
  return internal.normalize_search_text(input_text) like any (needles);

create function internal.merged_email(survivor public.customers, duplicate public.customers, from_duplicate boolean) returns text
  language sql stable
  set search_path = ''
  return case when from_duplicate
    then coalesce(duplicate.email, case when internal.is_confirmed_email(survivor.id, survivor.email) then survivor.email end)
    else coalesce(survivor.email, case when internal.is_confirmed_email(duplicate.id, duplicate.email) then duplicate.email end) end;

create function internal.list_merged_customers(customer_id uuid) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  with recursive cluster as (
    select id from public.customers where id = customer_id
    union
    select merged.id from cluster join public.customers merged on merged.merged_into = cluster.id
  )
  select array_agg(id) from cluster
$$;

create function internal.miles_per_month(wanted_vehicle_id uuid) returns integer
  language sql stable
  set search_path = ''
  return (
    select round((last_miles - first_miles) / ((last_on - first_on) / 30.4))::integer
    from (
      select min(read_on) as first_on, max(read_on) as last_on, min(miles) as first_miles, max(miles) as last_miles
      from (select * from public.odometer_readings where vehicle_id = wanted_vehicle_id order by read_on desc limit 12) lately
    ) span
    where last_on - first_on >= 30
  );

create function internal.sent_revision_misdirected_reason(wanted_id uuid, recipient text) returns text
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
as $$
  select 'Not sent: the customer has another address.'
  from public.estimates where id = wanted_id and lower(trim(customer_email)) <> lower(trim(recipient))
$$;

create function internal.describe_schedule_conflicts() returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(misfit) order by appointment_date, appointment_time, booking_id), '[]')
    from (
      select booking_id, appointment_date, appointment_time, duration_minutes, customer_name, service_name, problem
      from public.schedule_conflicts order by appointment_date, appointment_time, booking_id limit 500
    ) misfit
  );

create function internal.moment_refusal(booking_date date, booking_time time) returns text
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  rules record;
  -- Once: the clock is asked by a function of its own.
  instant constant timestamptz := internal.current_instant();
  starts_at timestamptz;
  shop_today date;
begin
  select shop.time_zone, rule.notice_minutes, rule.booking_window_days, rule.online_booking_paused
  into rules from public.shop, public.booking_rules rule;
  if rules.online_booking_paused then return 'booking_paused'; end if;
  starts_at := (booking_date + booking_time) at time zone rules.time_zone;
  shop_today := (instant at time zone rules.time_zone)::date;
  if booking_date < shop_today or starts_at < instant then return 'in_the_past'; end if;
  if booking_date > shop_today + rules.booking_window_days then return 'too_far_ahead'; end if;
  if starts_at < instant + rules.notice_minutes * interval '1 minute' then return 'notice_required'; end if;
  return null;
end
$$;

create function internal.move_references(kind text, from_id uuid, to_id uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
  keys jsonb;
  moved jsonb := '{}';
begin
  if exists (select from internal.list_references_without_merge_rule()) then
    raise exception 'No rule says what a merge does with %.', (select string_agg(name, ', ') from internal.list_references_without_merge_rule() name);
  end if;
  for rule in select * from internal.merge_rules known where known.kind = move_references.kind and known.rule = 'moves' loop
    execute format(
      'with moved as (update %1$s set %2$I = $2 where %2$I = $1 returning %3$I as key) select coalesce(jsonb_agg(key), ''[]'') from moved',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    into keys using from_id, to_id;
    moved := moved || jsonb_build_object(rule.table_name || '.' || rule.column_name, keys);
  end loop;
  return moved;
end
$$;

create function internal.move_references_back(merge public.merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  rule internal.merge_rules;
begin
  for rule in select * from internal.merge_rules known where known.kind = merge.kind and known.rule = 'moves' loop
    execute format(
      'update %1$s set %2$I = $2 where %2$I = $1 and %3$I::text in (select jsonb_array_elements_text($3))',
      rule.table_name::regclass, rule.column_name, rule.key_column)
    using merge.survivor_id, merge.duplicate_id, coalesce(merge.moved_rows -> (rule.table_name || '.' || rule.column_name), '[]');
  end loop;
end
$$;

create function internal.move_booking_by_customer(booking_id uuid, seen_sequence integer, new_date date, new_time time) returns internal.action_outcome
  language plpgsql
  -- The server has no right to write bookings.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  cutoff constant integer := (select change_cutoff_minutes from public.booking_rules);
  bay uuid;
  refusal text;
begin
  -- A second click, or one of an old tab that asks for what is so already.
  if internal.booking_state(booking) in ('confirmed', 'pending') and booking.held_until is null
     and (booking.appointment_date, booking.appointment_time) = (new_date, new_time) then
    return internal.action_done('unchanged');
  end if;
  refusal := coalesce(
    internal.customer_change_refusal(booking, seen_sequence, cutoff),
    internal.booking_refusal(new_date, new_time, booking.duration_minutes, booking.service_id));
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  bay := internal.find_bay_for_customer(booking, new_date, new_time);
  if bay is null then
    return internal.action_refused('slot_taken');
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  update public.bookings
  set appointment_date = new_date, appointment_time = new_time, bay_id = bay, conflict_accepted_at = null, conflict_accepted_by = null
  where id = booking.id;
  perform internal.set_booking_change_context(null);
  return internal.action_done('moved');
end
$$;

create function internal.raise_estimate_version_conflict(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'This estimate was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict',
    detail = jsonb_build_object('by', estimate.changed_by, 'at', estimate.changed_at, 'version', estimate.version)::text;
end
$$;

create function internal.with_service_name(fields jsonb) returns jsonb
  language sql stable
  set search_path = ''
  return case
    when fields ? 'service_id' then
      fields - 'service_id' || jsonb_build_object(
        'service', (select name from public.services where id = (fields ->> 'service_id')::uuid)
      )
    else fields
  end;

create function internal.name_words(name text) returns text[]
  language sql immutable
  set search_path = ''
  return array_remove(regexp_split_to_array(internal.normalize_search_text(name), '[[:space:].,]+'), '');

create function internal.names_agree(one text, other text) returns boolean
  language sql immutable
  set search_path = ''
  return internal.name_words(one) <> '{}' and internal.name_words(other) <> '{}'
    and (internal.name_words(one) <@ internal.name_words(other) or internal.name_words(other) <@ internal.name_words(one));

create function internal.names_another_customer(estimate public.estimates) returns boolean
  language sql stable
  set search_path = ''
as $$
  select coalesce((
    select not internal.names_agree(shown.name, estimate.customer_name) and trim(estimate.customer_name) <> ''
      and (shown.email, shown.phone) is distinct from (lower(estimate.customer_email), internal.normalize_phone(estimate.customer_phone))
      and not coalesce(shown.email = nullif(lower(estimate.customer_email), ''), false)
      and not coalesce(shown.phone = internal.normalize_phone(estimate.customer_phone), false)
    from (
      select document ->> 'customerName' as name, lower(document ->> 'customerEmail') as email,
        internal.normalize_phone(document ->> 'customerPhone') as phone
      from internal.latest_sent_revision(estimate.id)
    ) shown
    where shown.name is not null
  ), false)
$$;

create function internal.identifier_needle(kind text, input_text text) returns text
  language sql immutable
  set search_path = ''
  return '%' || regexp_replace(
    case kind
      when 'name' then internal.normalize_search_text(substring(input_text from '[^[:space:]]+$'))
      when 'email' then internal.normalize_search_text(input_text)
      when 'phone' then right(input_text, 4)
      when 'plate' then lower(right(input_text, 3))
    end, '([\\%_])', '\\\1', 'g') || '%';

create or replace function internal.log_changed_details() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  former constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A change of the address of a sent estimate has its own line.
  told constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former) - told;
  details_now constant jsonb := internal.details_of_document(new.document) - told;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;

create or replace function internal.log_corrected_record() returns trigger
  language plpgsql
  -- Whoever corrects a customer or a vehicle has no right to the events of estimates.
  security definer
  set search_path = ''
as $$
declare
  details constant text[] := '{name,email,phone,year,make,model,color,plate,vin}';
  old_row constant jsonb := internal.details_of_record(to_jsonb(old), details);
  new_row constant jsonb := internal.details_of_record(to_jsonb(new), details);
begin
  if old_row <> new_row then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      internal.changed_columns(old_row, new_row), internal.changed_columns(new_row, old_row))
    from public.estimates estimate
    where case tg_table_name when 'customers' then estimate.customer_id else estimate.vehicle_id end = new.id
      and exists (select from internal.binding_lines(estimate.id) line where line.decision = 'approved')
      and internal.estimate_state(estimate) <> 'invoiced';
  end if;
  return null;
end
$$;

create or replace function internal.request_cleanup_after_erasure() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call request_file_cleanup.
  security definer
  set search_path = ''
as $$
begin
  perform internal.request_file_cleanup();
  return null;
end
$$;

create function internal.record_estimate_invoice_state(request_id uuid, new_state text, new_invoice_id text default null, new_number text default null)
  returns boolean
  language plpgsql
  -- The server has no right to write estimate_invoices and estimates.
  security definer
  set search_path = ''
as $$
declare
  claim public.estimate_invoices;
begin
  update public.estimate_invoices
  set state = new_state, invoice_id = coalesce(new_invoice_id, invoice_id), number = coalesce(new_number, number), settled_at = now()
  where id = request_id and state <> new_state
    and (state, new_state) in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
  returning * into claim;
  if not found then
    return false;
  end if;
  update public.estimates set version = version + 1, changed_at = clock_timestamp() where id = claim.estimate_id;
  return true;
end
$$;

create function internal.record_file_cleanup(name text, requests integer) returns void
  language sql
  -- The server has no right to write file_cleanups.
  security definer
  set search_path = ''
begin atomic
  update internal.file_cleanups known set cleaned = record_file_cleanup.requests where known.table_name = record_file_cleanup.name;
end;

create function internal.record_file_owner(login text) returns void
  language sql
  -- The server has no right to write file_cleanups.
  security definer
  set search_path = ''
begin atomic
  insert into internal.file_cleanups (table_name, requests)
  select distinct table_name, 0 from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  on conflict (table_name) do nothing;
  update internal.file_cleanups known
  set is_ours = pg_has_role(login, relation.relowner, 'USAGE')
  from pg_catalog.pg_class relation
  where relation.oid = known.table_name::regclass and known.is_ours <> pg_has_role(login, relation.relowner, 'USAGE');
end;

create function internal.add_owner_notice(dedupe_key text, line text) returns boolean
  language plpgsql
  -- The server has no right to write owner_notices.
  security definer
  set search_path = ''
as $$
declare
  must_wait boolean := internal.was_owner_notified();
begin
  must_wait := must_wait or exists (select from internal.owner_notices where notified_at is null);
  insert into internal.owner_notices (dedupe_key, line, notified_at)
  values (add_owner_notice.dedupe_key, add_owner_notice.line, case when not must_wait then now() end)
  on conflict do nothing;
  return found and not must_wait;
end
$$;

create function internal.record_missing_invoice(invoice_id text) returns void
  language sql
  -- The server has no right to write invoices.
  security definer
  set search_path = ''
begin atomic
  update public.invoices links set status = 'void' where links.invoice_id = record_missing_invoice.invoice_id;
end;

create function internal.record_notified_state(email_id uuid) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings booking
  set notified_starts_at = email.appointment_at, notified_cancelled = rules.must_match = 'cancelled_booking'
  from public.emails email join internal.email_kinds rules using (kind)
  where email.id = record_notified_state.email_id and booking.id = email.booking_id and email.appointment_at is not null
    and rules.must_match in ('booking', 'held_booking', 'cancelled_booking')
    and (booking.notified_starts_at, booking.notified_cancelled)
      is distinct from (email.appointment_at, rules.must_match = 'cancelled_booking');
$$;

create function internal.record_sent_revision_viewed(estimate_id uuid, revision_hash text) returns boolean
  language plpgsql
  -- The server has no right to write estimate_revisions.
  security definer
  set search_path = ''
as $$
begin
  update public.estimate_revisions revision set seen_at = internal.current_instant()
  where revision.estimate_id = record_sent_revision_viewed.estimate_id and revision.hash = record_sent_revision_viewed.revision_hash and revision.seen_at is null;
  return found;
end
$$;

create or replace function internal.log_other_record() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_because(line, new) as because from public.authorizations line
    where line.estimate_id = new.id and internal.void_because(line, old) is null
  loop
    continue when void.because is null;
    perform internal.add_estimate_event(new.id, void.because || '_changed');
    -- What was decided is to be decided again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
end
$$;

create or replace function internal.set_recipient() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.sent_to := (select customer_email from public.estimates where id = new.estimate_id);
  return new;
end
$$;

create function internal.list_undelivered_notices(email_ids uuid[]) returns setof uuid
  language sql stable
  set search_path = ''
  begin atomic
    select notice.id
    from unnest(email_ids) letter
    -- 'undelivered:<', the letter's id, '.'
    join public.emails notice
      on notice.dedupe_key >= 'undelivered:<' || letter || '.' and notice.dedupe_key < 'undelivered:<' || letter || '/';
  end;

create function internal.sent_revision_state(revision public.estimate_revisions) returns text
  language sql stable
  set search_path = ''
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = revision.estimate_id and claim.state in ('claimed', 'made')) then 'closed'
    when revision.decided_at is not null then 'decided'
    when revision.good_until < internal.shop_now()::date then 'expired'
    else 'open'
  end;

create function internal.latest_sent_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable
  set search_path = ''
  return (select offered from public.estimate_revisions offered
    where offered.estimate_id = wanted_id and offered.frozen_at is not null order by offered.revision desc limit 1);

create function internal.open_bays(booking_date date, booking_time time, duration_minutes integer, service uuid)
  returns table (bay_id uuid, bay_position integer, is_on_grid boolean)
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  -- A plan is kept: a table that was small when it was made is not to be read as a whole once it has grown.
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + date_trunc('minute', booking_time);
  wanted constant tsrange := tsrange(starts_at, starts_at + duration_minutes * interval '1 minute');
begin
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
    from internal.bay_hours hours, public.bays bay, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted and bay.id = hours.bay_id
      and (service is null or internal.bay_can_do_service(bay.id, service));
  if found or exists (select from internal.bay_hours where day = booking_date) then
    return;
  end if;
  return query
    select bay.id, bay.position,
           extract(epoch from booking_date + booking_time - lower(span)) % (rules.slot_interval_minutes * 60) = 0
    from public.booking_rules rules, public.bays bay, unnest(internal.open_spans(booking_date, bay.id)) span
    where bay.is_active and span @> wanted and (service is null or internal.bay_can_do_service(bay.id, service));
end
$$;

create function internal.list_open_customer_invoices(customer_id uuid) returns setof text
  language sql stable
  -- The server has no right to read invoices.
  security definer
  set search_path = ''
as $$
  select invoice_id from public.invoices links where links.customer_id = list_open_customer_invoices.customer_id and status in ('open', 'draft')
$$;

create function internal.list_open_records(wanted_customer_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(standing) order by standing.kind, standing.at), '[]')
    from (
      select 'visit' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.customer_id = wanted_customer_id and internal.is_upcoming(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.customer_id = wanted_customer_id and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', links.invoice_id, links.number, links.created_at::text
      from public.invoices links where links.customer_id = wanted_customer_id and links.status in ('open', 'draft')
    ) standing
  );

create function internal.pieces_of(input_text text, pattern text) returns jsonb
  language sql immutable
  set search_path = ''
  return to_jsonb(string_to_array(
    normalize(regexp_replace(translate(normalize(input_text, nfd), U&'\E000', ''), pattern, U&'\E000' || '\&' || U&'\E000', 'gi'), nfc),
    U&'\E000'));

create function internal.words_of(content jsonb) returns text
  language sql immutable
  set search_path = ''
  return (select string_agg(said #>> '{}', E'\n') from jsonb_path_query(content, 'strict $.**') said where jsonb_typeof(said) = 'string');

create function internal.describe_other_texts(customer_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'count', count(*),
      'texts', coalesce(jsonb_agg(jsonb_build_object(
        'key', found.text_key, 'label', (found.rule).label, 'about', found.about,
        'pieces', internal.pieces_of(internal.words_of(found.content), found.pattern)) order by found.place)
        filter (where found.place <= 20), '[]'))
    from (
      select *, row_number() over () as place from internal.find_texts(internal.list_merged_customers(customer_id)) text_found
      where not text_found.is_own
    ) found
  );

create function internal.email_outdated_reason(email public.emails) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when not rules.is_sent_at_night and internal.is_quiet_hours() then 'Not sent in time: it is night.'
    when rules.must_match = 'sent_revision' then coalesce(
      internal.sent_revision_outdated_reason(email.estimate_id, email.estimate_revision),
      internal.sent_revision_misdirected_reason(email.estimate_id, email.recipient_email))
    when rules.must_match = 'nothing' or email.booking_id is null then null
    when booking.id is null then 'Not sent: the appointment was deleted.'
    when rules.must_match = 'cancelled_booking' then
      case when booking.status <> 'cancelled' then 'Not sent: the appointment stands again.' end
    when booking.status = 'cancelled' then 'Not sent: the appointment was cancelled.'
    when rules.must_match = 'held_booking' and coalesce(booking.held_until <= internal.current_instant(), true)
      then 'Not sent: the appointment waits for no confirmation any more.'
    when booking.status = 'not_confirmed' then 'Not sent: the appointment was not confirmed.'
    when booking.appointment_date + booking.appointment_time <> email.appointment_at
      then 'Not sent: the appointment was moved.'
    when booking.appointment_date + booking.appointment_time < internal.shop_now()
      then 'Not sent in time: the appointment has begun.'
    when email.kind = 'booking_reminder' and not internal.gets_reminders(booking.customer_id)
      then 'Not sent: the customer wants no reminders.'
  end
  from internal.email_kinds rules
  left join public.bookings booking on booking.id = email.booking_id
  where rules.kind = email.kind
$$;

create function internal.sent_revision_outdated_reason(wanted_id uuid, wanted_revision integer) returns text
  language sql stable
  -- Reads estimates, which are nobody's but the admin's.
  security definer
  set search_path = ''
as $$
  select case
    when offered.revision is distinct from wanted_revision then 'Not sent: the estimate was changed.'
    when internal.sent_revision_state(offered) = 'decided' then 'Not sent: the estimate was answered.'
    when internal.sent_revision_state(offered) = 'closed' then 'Not sent: the estimate has its invoice.'
    when internal.sent_revision_state(offered) = 'expired' then 'Not sent in time: the estimate has expired.'
  end
  from internal.latest_sent_revision(wanted_id) offered
$$;

create function internal.interleave_pattern(input_text text, between_two text) returns text
  language sql immutable
  set search_path = ''
  return array_to_string(regexp_split_to_array(input_text, ''), between_two);

create function internal.identifier_pattern(kind text, input_text text) returns text
  language sql immutable
  set search_path = ''
  return case kind
    when 'name' then
      '(?<![[:alnum:]])' || regexp_replace(regexp_replace(normalize(input_text, nfd), '([[:punct:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
      || '(?![[:alnum:]])'
    when 'email' then
      '(?<![[:alnum:]._%+-])' || regexp_replace(normalize(input_text, nfd), '([[:punct:]])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])'
    when 'phone' then
      '(?<![0-9])(\+?1[^[:alnum:]]{0,3})?\(?' || internal.interleave_pattern(left(input_text, -3), '[^[:alnum:]]{0,3}') || right(input_text, 3) || '(?![0-9])'
      -- As it is dialed next door; not the end of another number.
      || case when length(input_text) = 10 then
           '|(?<![0-9])(?<![0-9][^[:alnum:]]{1,3})' || internal.interleave_pattern(substr(input_text, 4, 4), '[^[:alnum:]]{0,3}') || right(input_text, 3)
           || '(?![0-9])'
         else '' end
    when 'plate' then '(?<![[:alnum:]])' || internal.interleave_pattern(left(input_text, -2), '[ .-]?') || right(input_text, 2) || '(?![[:alnum:]])'
  end;

create function internal.payments_of_day(day date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(kind)), '[]')
    from (
      select outcome, currency, count(*)::integer as payments, sum(amount_cents)::bigint as cents
      from public.payments, (select time_zone from public.shop) shop
      where paid_at >= day::timestamp at time zone shop.time_zone
        and paid_at < (day + 1)::timestamp at time zone shop.time_zone
      group by outcome, currency order by outcome, currency
    ) kind
  );

create function internal.search_words(search text) returns text[]
  language sql immutable
  set search_path = ''
  return
    case
      when search ~ '^[0-9 ().+-]+$' and length(regexp_replace(search, '[^0-9]', '', 'g')) >= 3
        then array[regexp_replace(search, '[^0-9]', '', 'g')]
      else array_remove(regexp_split_to_array(internal.normalize_search_text(left(search, 100)), '\s+'), '')
    end;

create function internal.customer_search_words(term text) returns text[]
  language sql immutable
  set search_path = ''
  -- The country code is not in a number that was stored without it.
  return array(select regexp_replace(word, '^1(?=[0-9]{10}$)', '') from unnest(internal.search_words(term)) word);

create function internal.find_customer_by_email(email_key text, name text) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select person.id
    from public.customer_contact_methods contact join public.customers person on person.id = contact.customer_id
    where contact.kind = 'email' and contact.match_key = email_key and person.merged_into is null
    -- After a split several have it: then the name decides.
    order by lower(person.name) = lower(find_customer_by_email.name) desc, internal.names_agree(person.name, find_customer_by_email.name) desc,
             person.created_at, person.id
    limit 1
  );
end
$$;

create function internal.find_customer_by_phone(phone_key text, name text, has_email boolean) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    with latest as materialized (
      -- What hundreds write is nobody's number, and costs no more to look at.
      select customer_id from public.customer_contact_methods where kind = 'phone' and match_key = phone_key order by id desc limit 50
    ),
    known as (
      select distinct person.id, person.created_at,
             lower(person.name) = lower(find_customer_by_phone.name) as is_name,
             internal.names_agree(person.name, find_customer_by_phone.name) as agrees,
             has_email and exists (
               select from public.customer_contact_methods address where address.customer_id = person.id and address.kind = 'email') as has_another
      from latest join public.customers person on person.id = latest.customer_id
      where person.merged_into is null
    )
    select id from known
    where case
      -- Another address than theirs: it is one of the family, unless only one of them can be meant.
      when has_another then
        is_name and (select count(*) from known where is_name) = 1 or agrees and (select count(*) from known where agrees) = 1
      else agrees or (not has_email and (select count(*) from known) = 1)
    end
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$$;

create function internal.resolve_merged_customer(customer_id uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  with recursive led as (
    select id, merged_into, erased_at, 1 as step from public.customers where id = customer_id
    union all
    select next.id, next.merged_into, next.erased_at, led.step + 1
    from led join public.customers next on next.id = led.merged_into where led.step < 100
  )
  select id from led where merged_into is null and erased_at is null
$$;

create function internal.merge_vehicle_rows(survivor public.vehicles, duplicate public.vehicles, in_merge uuid default null) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  merge uuid;
begin
  -- First: what is written on the one that goes must not stand in the way.
  update public.vehicles set merged_into = survivor.id where id = duplicate.id;
  update public.vehicles
  set color = coalesce(color, duplicate.color), plate = coalesce(plate, duplicate.plate), vin = coalesce(vin, duplicate.vin),
      internal_note = coalesce(internal_note, duplicate.internal_note), created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, parent_merge_id, moved_rows, survivor_changes, merged_by_name)
  select 'vehicle', survivor.id, duplicate.id, in_merge, internal.move_references('vehicle', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(car)), internal.author_name(null)
  from public.vehicles car where id = survivor.id
  returning id into merge;
  return merge;
end
$$;

create function internal.reached_booking_limit(client internal.client_digests) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  -- Variables of their own: a field of a row is looked up for each row that is compared with it.
  address constant bytea := client.address;
  network_56 constant bytea := client.network_56;
  network_48 constant bytea := client.network_48;
  network_24 constant bytea := client.network_24;
begin
  return (
    with caps as materialized (
      select name, max_count, now() - period as since from internal.visitor_booking_limits
    ), latest as materialized (
      select created_at, address_digest = address as is_client, network_56_digest = network_56 as is_56,
             network_48_digest = network_48 as is_48, network_24_digest = network_24 as is_24
      from internal.form_origins
      where is_counted and created_at > now() - interval '1 day'
      -- More than the whole site may have are not read: then its own cap is reached.
      order by created_at desc limit (select min(max_count) from internal.visitor_booking_limits where name = 'site' and period = '1 day')
    )
    select case caps.name when 'client' then 'many_from_one_client' when 'site' then 'many_at_once' else 'many_from_one_network' end
    from caps left join latest on latest.created_at > caps.since and case caps.name
      when 'client' then is_client when 'network_56' then is_56 when 'network_48' then is_48 when 'network_24' then is_24
      else true end
    group by caps.name, caps.since, caps.max_count having count(latest.created_at) >= caps.max_count
    -- The client's first, the site's last.
    order by array_position(array['client', 'network_56', 'network_48', 'network_24', 'site'], caps.name) limit 1
  );
end
$$;

create function internal.reached_email_limit(visitor_email internal.visitor_emails, mailbox text) returns text
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    with caps as materialized (
      select name, max_count, now() - period as since from internal.visitor_email_limits
    ), latest as materialized (
      select created_at, mailbox_digest = visitor_email.mailbox_digest as is_mailbox, domain_digest = visitor_email.domain_digest as is_domain,
             address_digest = visitor_email.address_digest as is_address, is_flagged and visitor_email.is_flagged as is_flagged
      from internal.visitor_emails
      where exceeded_limit is null and created_at > now() - interval '1 day'
      -- More than the whole site may cause are not read: then its own cap is reached.
      order by created_at desc limit (select min(max_count) from internal.visitor_email_limits where name = 'site' and period = '1 day')
    ), reached as materialized (
      select caps.name
      from caps left join latest on latest.created_at > caps.since and case caps.name
        when 'mailbox' then is_mailbox when 'domain' then is_domain when 'address' then is_address when 'flagged' then is_flagged
        else true end
      group by caps.name, caps.since, caps.max_count having count(latest.created_at) >= caps.max_count
    )
    select name from reached
    -- A domain that many customers are with is no one person's.
    where case when name = 'domain' then not internal.has_ten_customers(internal.mail_host_of(mailbox)) else true end
    -- The site's last: it is the owner's worry, the others are the sender's.
    order by name = 'site' limit 1
  );
end
$$;

create function internal.read_address_question(booking_id uuid) returns jsonb
  language sql stable
  -- The server has no right to call address_question_state and is_erased.
  security definer
  set search_path = ''
  return (
    select jsonb_build_object(
      'state', internal.address_question_state(booking), 'email', booking.customer_email, 'date', booking.appointment_date,
      'time', to_char(booking.appointment_time, 'HH24:MI:SS'))
    from public.bookings booking
    where booking.id = read_address_question.booking_id and booking.customer_email is not null
      and not internal.is_erased(booking.customer_id)
  );

create function internal.read_estimate_invoice(request_id uuid) returns jsonb
  language sql stable
  -- The server has no right to call describe_claim.
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim) from public.estimate_invoices claim where claim.id = request_id
$$;

create function internal.read_printable_estimate(estimate_id uuid, for_customer boolean) returns jsonb
  language sql stable
  -- The server has no right to read estimates and estimate_revisions.
  security definer
  set search_path = ''
as $$
  select coalesce(printed.document, internal.build_revision_document(estimate.id, printed.revision)) || jsonb_build_object(
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
  where estimate.id = read_printable_estimate.estimate_id
$$;

create function internal.read_printable_invoice(invoice_id text) returns jsonb
  language sql stable
  -- The server has no right to call describe_claim and describe_authorizations.
  security definer
  set search_path = ''
as $$
  select internal.describe_claim(claim)
    || jsonb_build_object('authorizations', internal.describe_authorizations(claim.estimate_id))
  from public.estimate_invoices claim
  where claim.invoice_id = read_printable_invoice.invoice_id
$$;

create function internal.require_customer(wanted uuid) returns public.customers
  language plpgsql stable
  set search_path = ''
as $$
declare
  person public.customers;
begin
  perform internal.require_admin();
  select * into person from public.customers where id = internal.resolve_merged_customer(wanted) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  return person;
end
$$;

create function internal.read_sent_revision(estimate_id uuid) returns jsonb
  language sql stable
  -- The server has no right to read estimates.
  security definer
  set search_path = ''
as $$
  select (offered.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', offered.hash,
    'state', internal.sent_revision_state(offered), 'sentAt', offered.sent_at,
    'vehicle', (offered.document -> 'vehicle') - array['vin', 'plate', 'odometerMiles'],
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.describe_job_scope(estimate.id, offered.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(offered.document -> 'jobs') with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.latest_sent_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) offered
  where estimate.id = read_sent_revision.estimate_id and offered.frozen_at is not null
$$;

create function internal.read_customer_export(customer_id uuid) returns jsonb
  language plpgsql stable
  -- The server has no right to read people, customer_contact_methods and others.
  security definer
  set search_path = ''
as $$
declare
  person public.customers;
  whom uuid[];
begin
  select * into person from public.customers where id = internal.resolve_merged_customer(read_customer_export.customer_id) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  whom := internal.list_merged_customers(person.id);
  return jsonb_build_object(
    'person', to_jsonb(person) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.customer_contact_methods where customer_id = any ($1) order by id', whom),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.customer_notes where customer_id = any ($1) order by created_at', whom),
    'cars', internal.rows_as_json('select id, year, make, model, color, plate, vin, internal_note, created_at from public.vehicles where customer_id = any ($1) order by created_at', whom),
    'odometer', internal.rows_as_json('select reading.vehicle_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.vehicles car on car.id = reading.vehicle_id where car.customer_id = any ($1) order by read_on', whom),
    'visits', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, internal_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      vehicle_id, created_at from public.bookings where customer_id = any ($1) order by appointment_date, appointment_time', whom),
    'visit_story', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.customer_id = any ($1) order by event.id', whom),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where customer_id = any ($1) order by created_at', whom),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where customer_id = any ($1)) order by created_at', whom),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at from public.estimates where customer_id = any ($1) order by created_at', whom),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.customer_id = any ($1) order by estimate_id, revision', whom),
    'authorizations', internal.rows_as_json('select said.* from public.authorizations said
      join public.estimates estimate on estimate.id = said.estimate_id where estimate.customer_id = any ($1) order by said.id', whom),
    'estimate_history', internal.rows_as_json('select event.estimate_id, event.kind, event.before, event.after, event.changed_by_name, event.happened_at
      from public.estimate_events event
      join public.estimates estimate on estimate.id = event.estimate_id where estimate.customer_id = any ($1) order by event.id', whom),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where customer_id = any ($1))
         or estimate_id in (select id from public.estimates where customer_id = any ($1)) order by created_at', whom),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where customer_id = any ($1))
         or task.estimate_id in (select id from public.estimates where customer_id = any ($1)) order by note.created_at', whom),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, created_at from public.invoices
      where customer_id = any ($1) order by created_at', whom),
    'payments', internal.rows_as_json('select invoice_id, invoice_number, amount_cents, overpaid_cents, currency, outcome, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoices where customer_id = any ($1)) order by paid_at', whom),
    'letters', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.list_customer_emails(person) order by created_at', whom));
end
$$;

create function internal.list_repair_records(wanted uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'label', label, 'state', state, 'at', at) order by at), '[]')
    from (
      select 'quote' as kind, quote.id::text, quote.name as label, quote.status as state, quote.created_at as at
      from public.quote_requests quote where quote.repair_id = wanted
      union all
      select 'booking', booking.id::text, booking.appointment_date || ' ' || to_char(booking.appointment_time, 'HH24:MI'),
        internal.booking_state(booking), booking.created_at
      from public.bookings booking where booking.repair_id = wanted
      union all
      select 'estimate', estimate.id::text, estimate.number, internal.estimate_state(estimate), estimate.created_at
      from public.estimates estimate where estimate.repair_id = wanted
      union all
      select 'task', task.id::text, task.title, task.status, task.created_at
      from public.tasks task
      where task.estimate_id in (select id from public.estimates where repair_id = wanted)
        or task.booking_id in (select id from public.bookings where repair_id = wanted)
      union all
      select 'invoice', coalesce(claim.invoice_id, claim.id::text), coalesce(claim.number, ''), claim.state, claim.claimed_at
      from public.estimate_invoices claim where claim.estimate_id in (select id from public.estimates where repair_id = wanted)
      union all
      select 'payment', payment.id::text, (payment.amount_cents / 100.0)::numeric(12, 2)::text, payment.outcome, payment.paid_at
      from public.payments payment
      where payment.invoice_id in (
        select claim.invoice_id from public.estimate_invoices claim
        where claim.estimate_id in (select id from public.estimates where repair_id = wanted))
    ) linked
  );

create function internal.read_visit_page(booking_id uuid) returns jsonb
  language plpgsql stable
  -- The server has no right to call booking_starts_at, vehicle_facts and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  rules public.booking_rules;
  zone constant text := (select time_zone from public.shop);
  starts_at timestamptz;
  is_ours boolean;
begin
  select * into booking from public.bookings where id = read_visit_page.booking_id;
  if not found then
    return null;
  end if;
  select * into rules from public.booking_rules;
  starts_at := internal.booking_starts_at(booking);
  -- A machine may have typed the address of somebody who knows nothing of it: they read none of its words.
  is_ours := booking.flagged_reasons = '{}';
  return jsonb_build_object(
    'id', booking.id, 'sequence', booking.calendar_sequence, 'facts', internal.vehicle_facts(booking),
    'hasStarted', lower(booking.occupied) <= internal.shop_now(),
    -- Only what was not confirmed in time asks for it.
    'isTimeFree', (booking.status = 'not_confirmed' or booking.held_until is not null) and public.is_time_slot_available(
      booking.duration_minutes, booking.appointment_date, booking.appointment_time, booking.service_id),
    'now', to_char(internal.shop_now(), 'YYYY-MM-DD"T"HH24:MI:SS'),
    'serviceName', booking.service_name, 'date', booking.appointment_date,
    'time', to_char(booking.appointment_time, 'HH24:MI:SS'), 'durationMinutes', booking.duration_minutes,
    'customerName', case when is_ours then booking.customer_name else '' end,
    'hasLetter', internal.has_change_email(booking),
    'vehicle_year', case when is_ours then booking.vehicle_year end,
    'vehicle_make', case when is_ours then booking.vehicle_make end,
    'vehicle_model', case when is_ours then booking.vehicle_model end,
    'vehicle_color', case when is_ours then booking.vehicle_color end,
    'notes', case when is_ours then booking.notes end,
    'heldUntil', booking.held_until, 'hasAnswered', booking.attendance_confirmed_at is not null,
    'changeUntil', to_char((starts_at - rules.change_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'cancelUntil', to_char((starts_at - rules.cancel_cutoff_minutes * interval '1 minute') at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'mayChange', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.change_cutoff_minutes) is null,
    'mayCancel', internal.customer_change_refusal(booking, booking.calendar_sequence, rules.cancel_cutoff_minutes) is null,
    'mayTakeBack', booking.status = 'cancelled' and internal.undo_cancellation_refusal(booking, booking.calendar_sequence) is null,
    'story', internal.read_visit_page_history(booking.id, zone)
  );
end
$$;

create function internal.was_taken_from_visitor(estimate public.estimates, wanted_booking uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (
    select from public.bookings booking
    join public.estimate_events event on event.estimate_id = estimate.id and event.kind = 'address_changed'
    where booking.id = wanted_booking and lower(booking.customer_email) = lower(event.before ->> 'email')
      and lower(booking.customer_email) <> lower(estimate.customer_email))
$$;

create function internal.read_visit_page_repair(booking_id uuid) returns jsonb
  language sql stable
  -- The server has no right to read estimates, estimate_revisions and others.
  security definer
  set search_path = ''
  return (
    with zone as (select time_zone from public.shop),
    -- Who typed an address of their own with a customer's name and number has this page, too.
    booked as (
      select internal.typed_email(booking) is null as is_theirs from public.bookings booking where booking.id = read_visit_page_repair.booking_id
    ),
    handed_over as (
      select estimate.id from public.estimates estimate
      where estimate.booking_id = read_visit_page_repair.booking_id and (select is_theirs from booked)
        and exists (select from public.estimate_revisions revision
          where revision.estimate_id = estimate.id and revision.frozen_at is not null)
        and not internal.was_taken_from_visitor(estimate, booking_id)
      order by estimate.created_at desc limit 1
    ),
    work as (
      select task.id, task.status, task.created_at, task.ready_for_pickup_at,
        case when task.estimate_id is not null and booked.is_theirs then task.title else '' end as title,
        case when booked.is_theirs then task.customer_note else '' end as note
      from booked, public.tasks task
      where task.booking_id = read_visit_page_repair.booking_id and task.status <> 'cancelled'
    )
    select jsonb_build_object(
      'estimateId', (select id from handed_over),
      'estimatePath', (select '/estimate/' || internal.estimate_token(id) from handed_over),
      'tasks', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'title', title, 'status', status, 'note', note,
          'isReady', ready_for_pickup_at is not null) order by created_at), '[]')
        from work),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'title', title,
          'at', to_char(happened_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by happened_at), '[]')
        from (
          select change.new_status as kind, work.title,
            change.created_at as happened_at
          from public.task_status_history change join work on work.id = change.task_id
          where change.new_status = 'waiting_on_parts'
          union all
          select 'ready', '', max(ready_for_pickup_at) from work having max(ready_for_pickup_at) is not null
        ) happened, zone),
      'invoice', (
        select jsonb_build_object('number', invoice.number, 'totalCents', invoice.total_cents,
          'isPaid', invoice.paid_at is not null,
          'paidAt', to_char(invoice.paid_at at time zone zone.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'))
        from internal.booking_invoice(read_visit_page_repair.booking_id) invoice, zone
        where (select is_theirs from booked) and not exists (
          select from public.estimates taken
          where taken.booking_id = read_visit_page_repair.booking_id and internal.was_taken_from_visitor(taken, taken.booking_id))))
  );

create function internal.reasons_to_flag_form(headers jsonb) returns text[]
  language plpgsql
  set search_path = ''
as $$
begin
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  return array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.form_token_problem(headers ->> 'x-form-token')
    ],
    null
  );
end
$$;

create or replace function internal.record_booking_event() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write booking_events.
  security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
declare
  told constant text := case tg_op when 'INSERT' then 'booked' when 'DELETE' then 'deleted' else internal.booking_event_kind(old, new) end;
  source constant text := internal.booking_event_source(told);
  note constant jsonb := internal.booking_change_context();
  warnings text[] := '{}';
  facts_before constant jsonb := case when tg_op <> 'INSERT' then internal.booking_snapshot(old) end;
  facts_after constant jsonb := case when tg_op <> 'DELETE' then internal.booking_snapshot(new) end;
  event_id bigint;
begin
  if told is not null then
    if note ? 'warnings' then
      warnings := array(select jsonb_array_elements_text(note -> 'warnings'));
    end if;
    insert into public.booking_events (booking_id, kind, source, changed_by_name, before, after, reason, warnings)
    values (
      coalesce(new.id, old.id), told, source,
      case when source in ('counter', 'task') then internal.author_name(null) else source end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_before, facts_after) else facts_before end,
      case tg_op when 'UPDATE' then internal.changed_columns(facts_after, facts_before) else facts_after end,
      nullif(trim(note ->> 'reason'), ''), warnings
    ) returning id into event_id;
  end if;
  -- A transaction that notifies waits for the commit of every other one that does: a booking that is linked later leaves this
  -- to who links it.
  if tg_op <> 'INSERT' or new.customer_id is not null or not internal.is_linked_later() then
    perform internal.announce_booking(coalesce(new.id, old.id), event_id);
  end if;
  return null;
end
$$;

create or replace function internal.record_settings_change() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write settings_versions and settings_history.
  security definer
  set search_path = ''
as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.with_service_name(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.with_service_name(to_jsonb(new) - counted) end;
  whole constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- What a shop starts with is no change of anybody's.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(whole ->> tg_argv[1], (select name from public.bays where id = (whole ->> 'bay_id')::uuid), ''),
    case
      -- A service that a bay is kept to is a change of the bay.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;

create or replace function internal.refuse_above_authorized() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  billed public.estimate_invoices;
  allowed bigint;
  allowed_in_all bigint;
begin
  select * into strict billed from public.estimate_invoices where id = new.claim_id;
  -- No approval is taken back while it is counted.
  perform from public.estimates where id = billed.estimate_id for update;
  select coalesce(sum(cents) filter (where job_key = new.job_key), 0), coalesce(sum(cents), 0) into allowed, allowed_in_all
  from internal.authorized_jobs(billed.estimate_id);
  if new.cents > allowed or billed.total_cents > allowed_in_all then
    raise exception 'An invoice is never above what was approved.' using errcode = 'TT072', hint = 'above_authorized',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)),
        'wantedCents', new.cents, 'authorizedCents', allowed)::text;
  end if;
  if internal.is_scope_changed(billed.estimate_id, billed.revision, new.job_key) then
    raise exception 'An invoice is of nothing but what was approved.' using errcode = 'TT072', hint = 'scope_changed',
      detail = jsonb_build_object('jobKey', new.job_key,
        'jobTitle', (select title from public.estimate_jobs job
          where (job.estimate_id, job.revision, job.job_key) = (billed.estimate_id, billed.revision, new.job_key)))::text;
  end if;
  return new;
end
$$;

create function internal.refuse_booking(refusal text) returns void
  language plpgsql stable
  -- Names the numbers of the rules to whoever breaks them.
  security definer
  set search_path = ''
as $$
declare
  rules public.booking_rules;
begin
  select * into rules from public.booking_rules;
  case refusal
    when 'booking_paused' then
      raise exception '%', rules.pause_message using errcode = 'TT016', hint = refusal;
    when 'in_the_past' then
      raise exception 'This time has passed.' using errcode = 'TT011', hint = refusal;
    when 'notice_required' then
      raise exception 'Appointments must be booked at least % in advance.', internal.format_duration(rules.notice_minutes)
        using errcode = 'TT012', hint = refusal;
    when 'too_far_ahead' then
      raise exception 'Appointments can be booked up to % ahead.',
        rules.booking_window_days || case when rules.booking_window_days = 1 then ' day' else ' days' end
        using errcode = 'TT013', hint = refusal;
    when 'outside_hours' then
      raise exception 'The shop is not open for the whole appointment.' using errcode = 'TT014', hint = refusal;
    when 'off_the_grid' then
      raise exception 'Appointments start every % from opening time.', internal.format_duration(rules.slot_interval_minutes)
        using errcode = 'TT015', hint = refusal;
    else null;
  end case;
end
$$;

create function internal.refuse_early_no_show(booking public.bookings) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if internal.shop_now() < lower(booking.occupied) + interval '15 minutes' then
    raise exception 'Nobody is missed until 15 minutes after the start.' using errcode = 'TT063', hint = 'too_early';
  end if;
end
$$;

create or replace function internal.prevent_frozen_row_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then changed := new; else changed := old; end if;
  if exists (select from public.estimate_revisions revision
             where revision.estimate_id = changed.estimate_id and revision.revision = changed.revision
               and revision.frozen_at is not null) then
    raise exception 'What a customer was shown is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

create function internal.refuse_invoiced(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then
    raise exception 'This estimate has its invoice.' using errcode = 'TT075', hint = 'already_invoiced';
  end if;
end
$$;

create function internal.raise_record_retained(retained_from timestamptz) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if retained_from is not null and internal.retained_until(retained_from) >= internal.shop_now()::date then
    raise exception 'This belongs to a repair whose records stay until %, as the law asks.', to_char(internal.retained_until(retained_from), 'FMMonth FMDD, YYYY')
      using errcode = 'TT076', hint = 'record_retained', detail = internal.retained_until(retained_from)::text;
  end if;
end
$$;

create function internal.raise_version_conflict(booking public.bookings, seen_version integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if booking.version = seen_version then
    return;
  end if;
  raise exception 'This appointment was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = (
    select jsonb_build_object('version', booking.version, 'kind', event.kind, 'source', event.source,
                              'changed_by_name', event.changed_by_name, 'happened_at', event.happened_at)
    from (values (booking.id)) as asked (id)
    left join lateral (
      select * from public.booking_events where booking_id = asked.id order by id desc limit 1
    ) event on true
  );
end
$$;

create or replace function internal.prevent_history_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The row triggers of the table decide about each line.
    return null;
  end if;
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create function internal.refuse_self_merge(survivor_id uuid, duplicate_id uuid) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if survivor_id is null or duplicate_id is null or survivor_id = duplicate_id then
    raise exception 'Two different ones are merged.' using errcode = 'TT091', hint = 'self_merge';
  end if;
end
$$;

create function internal.raise_slot_taken() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken';
end
$$;

create function internal.raise_slot_taken_by(wanted tsrange, service uuid, bay uuid, ignored_booking_id uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  minutes constant integer := extract(epoch from upper(wanted) - lower(wanted)) / 60;
begin
  raise exception 'This time is taken.'
    using errcode = '23P01', constraint = 'bookings_do_not_overlap', hint = 'slot_taken', detail = jsonb_build_object(
      'in_the_way', (
        select coalesce(jsonb_agg(id), '[]') from (
          select booking.id from public.bookings booking
          where booking.bay_id is not null and booking.occupied && wanted
            and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
            and (bay is null or booking.bay_id = bay) and booking.id is distinct from ignored_booking_id
          order by lower(booking.occupied), booking.id limit 10
        ) as others),
      'free_times', (
        select coalesce(jsonb_agg(jsonb_build_object('date', free_date, 'time', to_char(free_time, 'HH24:MI'), 'bay_ids', bay_ids)), '[]')
        from internal.free_times(service, lower(wanted), minutes, bay, ignored_booking_id, 3, 31)));
end
$$;

create function internal.refuse_too_many_held(client internal.client_digests) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
  most_of_network constant integer := 3;
  instant constant timestamptz := internal.current_instant();
  held integer;
  of_network integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  select count(*),
         count(*) filter (where coalesce(origin.network_48_digest, origin.network_24_digest)
                                = coalesce(client.network_48, client.network_24))
  into held, of_network
  from public.bookings booking left join internal.form_origins origin on origin.booking_id = booking.id
  where booking.held_until > instant and origin.is_of_known_customer is not true;
  if held >= most_held or (client.is_limited and of_network >= most_of_network) then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
end
$$;

create or replace function internal.refuse_uncounted_notice() returns trigger
  language plpgsql
  -- Sees the counted notices whatever the policies show to whoever writes the email.
  security definer
  set search_path = ''
as $$
begin
  if not exists (select from internal.owner_notices where notified_at = now()) then
    raise exception 'An email to the owner is written after add_owner_notice or claim_owner_notices.' using errcode = '22023';
  end if;
  return new;
end
$$;

create function internal.refuse_void_approvals(wanted_id uuid, wanted_revision integer) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  void record;
begin
  select job.title, internal.void_because(line, estimate) as because into void
  from public.estimate_jobs job
  join public.estimates estimate on estimate.id = job.estimate_id
  join public.authorizations line on line.estimate_id = job.estimate_id and line.job_key = job.job_key and line.decision = 'approved'
  where job.estimate_id = wanted_id and job.revision = wanted_revision and internal.void_because(line, estimate) is not null
    and not exists (select from internal.authorized_jobs(wanted_id) decided where decided.job_key = job.job_key)
  order by job.position, line.id desc limit 1;
  if found then
    raise exception 'The approval was given by another customer or for another vehicle.' using errcode = 'TT072', hint = 'approval_void',
      detail = jsonb_build_object('jobTitle', void.title, 'because', void.because)::text;
  end if;
end
$$;

create or replace function internal.unflag_answered_quote() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.flagged_reasons := '{}';
  return new;
end
$$;

create or replace function internal.record_form_origin() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to write form_origins.
  security definer
  set search_path = ''
  -- Planned once for each connection, not again for each call.
  set plan_cache_mode = force_generic_plan
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  client constant internal.client_digests := internal.client_digests(headers);
  is_unmarked constant boolean := new.flagged_reasons = '{}';
  is_of_known_customer boolean := false;
begin
  if tg_table_name = 'quote_requests' then
    insert into internal.form_origins (quote_request_id, token_digest, address_digest)
    values (new.id, internal.token_digest(headers), client.address);
    return null;
  end if;
  if not is_unmarked then
    is_of_known_customer := internal.is_hold_of_known_customer(new);
  end if;
  insert into internal.form_origins (
    booking_id, token_digest, address_digest, network_56_digest, network_48_digest, network_24_digest, is_counted,
    is_of_known_customer
  ) values (
    new.id, internal.token_digest(headers), client.address, client.network_56, client.network_48, client.network_24,
    is_unmarked and client.is_limited, is_of_known_customer
  );
  return null;
end
$$;

create function internal.remove_sample_customers() returns void
  language sql
  set search_path = ''
as $$
  delete from public.invoices where internal.is_sample_invoice(number);
  delete from public.vehicles car
  where (is_sample or exists (select from public.customers where id = car.customer_id and is_sample))
    and not exists (select from public.bookings where vehicle_id = car.id)
    and not exists (select from public.quote_requests where vehicle_id = car.id)
    and not exists (select from public.estimates where vehicle_id = car.id)
    and not exists (select from public.invoices where vehicle_id = car.id)
    and not exists (select from public.vehicles where merged_into = car.id);
  delete from public.customers person
  where is_sample and not exists (select from public.bookings where customer_id = person.id)
    and not exists (select from public.quote_requests where customer_id = person.id)
    and not exists (select from public.estimates where customer_id = person.id)
    and not exists (select from public.invoices where customer_id = person.id)
    and not exists (select from public.vehicles where customer_id = person.id)
    and not exists (select from public.customers where merged_into = person.id);
$$;

create function internal.remove_sample_week() returns void
  language plpgsql
  -- The server has no right to write emails, payments and others.
  security definer
  set search_path = ''
as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  forgotten_events text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- What was made of a sample appointment is about somebody who does not exist.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.canned_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_customers();
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.onboarding set sample_week_id = null, sample_filled_at = null;
end
$$;

create function internal.renew_links(wanted_booking uuid, wanted_estimate uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  estimate uuid;
begin
  if wanted_booking is not null then
    perform internal.lock_booking(wanted_booking);
    update public.bookings set link_version = link_version + 1 where id = wanted_booking;
  end if;
  for estimate in
    update public.estimates known set link_version = known.link_version + 1
    where known.id = wanted_estimate or known.booking_id = wanted_booking returning known.id
  loop
    if internal.last_frozen_at(estimate) is not null then
      perform internal.add_estimate_event(estimate, 'relinked');
    end if;
  end loop;
end
$$;

create function internal.request_file_cleanup() returns void
  language sql
  set search_path = ''
begin atomic
  insert into internal.file_cleanups as known (table_name)
  select distinct table_name from internal.erasure_rules
  where treatment <> 'free' and table_name not like 'stripe\_sandbox.%'
  order by table_name
  on conflict (table_name) do update set requests = known.requests + 1;
end;

create function internal.require_admin() returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not internal.is_admin() then
    raise exception 'Only the admin may do this.' using errcode = '42501';
  end if;
end
$$;

create function internal.require_reason(reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if length(trim(coalesce(reason, ''))) = 0 then
    raise exception 'Please say why.' using errcode = 'TT066', hint = 'reason_required';
  end if;
end
$$;

create function internal.restore_survivor(merge public.merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  changed record;
begin
  for changed in select key, value from jsonb_each(merge.survivor_changes) loop
    -- What somebody wrote since stays.
    execute format(
      'update public.%1$I kept set %2$I = (jsonb_populate_record(kept, $2)).%2$I where id = $1 and to_jsonb(kept) -> %2$L = $3',
      case merge.kind when 'customer' then 'customers' else 'vehicles' end, changed.key)
    using merge.survivor_id, jsonb_build_object(changed.key, changed.value -> 'before'), changed.value -> 'after';
  end loop;
end
$$;

create function internal.rows_as_json(statement text, customer_ids uuid[]) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  rows jsonb;
begin
  execute format('select coalesce(jsonb_agg(to_jsonb(one)), ''[]'') from (%s) one', statement) into rows using customer_ids;
  return rows;
end
$$;

create function internal.list_personal_identifiers(customer_ids uuid[]) returns internal.personal_identifier[]
  language sql stable
  set search_path = ''
  return array(
    select row(kind, said)::internal.personal_identifier
    from (
      select 'name' as kind, trim(name) as said from public.customers where id = any (customer_ids)
      union select 'name', trim(customer_name) from public.bookings where customer_id = any (customer_ids)
      union select 'name', trim(name) from public.quote_requests where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.estimates where customer_id = any (customer_ids)
      union select 'name', trim(customer_name) from public.invoices where customer_id = any (customer_ids)
      union select kind, match_key from public.customer_contact_methods where customer_id = any (customer_ids)
      union select 'email', lower(trim(customer_email)) from public.bookings where customer_id = any (customer_ids)
      union select 'email', lower(trim(email)) from public.quote_requests where customer_id = any (customer_ids)
      union select 'email', lower(customer_email) from public.estimates where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.bookings where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(phone) from public.quote_requests where customer_id = any (customer_ids)
      union select 'phone', internal.normalize_phone(customer_phone) from public.estimates where customer_id = any (customer_ids)
      union select 'plate', plate_key from public.vehicles where customer_id = any (customer_ids)
      union select 'plate', vin from public.vehicles where customer_id = any (customer_ids)
    ) known
    where case kind
      when 'name' then said ~ '[[:alnum:]].*[[:alnum:]]'
      when 'plate' then length(said) >= 3
      else said <> '' end
    -- The longest first: no part of an address is left standing.
    order by length(said) desc
  );

create function internal.find_same_vehicle(wanted_customer_id uuid, vehicle public.vehicles) returns uuid
  language sql stable
  set search_path = ''
  return (
    select own.id from public.vehicles own
    where own.customer_id = wanted_customer_id and own.id <> vehicle.id and own.merged_into is null
      and (own.vin = vehicle.vin or own.plate_key = vehicle.plate_key
           or own.vehicle_key = vehicle.vehicle_key and coalesce(own.vin = vehicle.vin, true) and coalesce(own.plate_key = vehicle.plate_key, true))
    order by own.vin = vehicle.vin desc nulls last, own.plate_key = vehicle.plate_key desc nulls last, own.created_at, own.id limit 1
  );

create function internal.find_sample_slot(day date, wished_time time, service public.services)
  returns table (starts_at timestamp, bay_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  takes constant interval := service.duration_minutes * interval '1 minute';
begin
  return query
    select start, bay.id
    from public.bays bay, unnest(internal.open_spans(day, bay.id)) span,
         generate_series(lower(span), upper(span) - takes, interval '30 minutes') start
    where bay.is_active and internal.bay_can_do_service(bay.id, service.id) and not internal.is_bay_taken(bay.id, tsrange(start, start + takes))
    order by abs(extract(epoch from start - (day + wished_time))), bay.position
    limit 1;
end
$$;

create function internal.save_bay_services(bay uuid, service_ids uuid[]) returns void
  language sql
  set search_path = ''
as $$
  delete from public.bay_services where bay_id = bay and service_id <> all (service_ids);
  insert into public.bay_services (bay_id, service_id) select bay, wanted from unnest(service_ids) wanted
  on conflict do nothing;
$$;

create function internal.redact(input_text text, pattern text, max_length integer default null) returns text
  language sql immutable
  set search_path = ''
  return left(normalize(regexp_replace(normalize(input_text, nfd), pattern, '[erased]', 'gi'), nfc), coalesce(max_length, length(input_text) * 4));

create function internal.redact(content jsonb, pattern text, longest integer) returns jsonb
  language plpgsql immutable
  set search_path = ''
as $$
declare
  words constant text := content #>> '{}';
begin
  case jsonb_typeof(content)
    when 'string' then
      -- Nothing else of a text changes, not even how its accents are written.
      if normalize(words, nfd) !~* pattern then
        return content;
      end if;
      return to_jsonb(internal.redact(words, pattern, longest));
    when 'array' then
      return (select coalesce(jsonb_agg(internal.redact(item, pattern, greatest(length(item #>> '{}'), 60)) order by place), '[]')
              from jsonb_array_elements(content) with ordinality each (item, place));
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, internal.redact(value, pattern, greatest(length(value #>> '{}'), 60))), '{}')
              from jsonb_each(content));
    else
      return content;
  end case;
end
$$;

create function internal.search_vehicles(term text, max_rows integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.normalize_search_text(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- The signs in a number stand in no plate as they do there.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, customer_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.vehicles where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(customer_id) limit %4$s',
    compact, case when is_number then 'false' else internal.search_conditions(words) end, '%' || compact || '%', max_rows, candidates);
end
$$;

create function internal.search_documents(term text, customer_ids uuid[], max_rows integer)
  returns table (kind text, id text, number text, created_at timestamptz)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.normalize_search_text(left(term, 100)), '\s+'), '');
  has_text constant boolean := coalesce((select max(length(word)) from unnest(words) word), 0) >= 3;
begin
  return query execute format(
    'select kind, id, number, created_at from (
       (select ''estimate'' as kind, id::text, number, created_at from public.estimates
        where customer_id = any ($1) order by created_at desc limit %1$s)
       union (select ''estimate'', id::text, number, created_at from public.estimates where %2$s limit %1$s)
       union (select ''invoice'', invoice_id, number, created_at from public.invoices
              where customer_id = any ($1) order by created_at desc limit %1$s)
       union (select ''invoice'', invoice_id, number, created_at from public.invoices where %2$s limit %1$s)
     ) found order by internal.normalize_search_text(number) = %3$L desc, created_at desc, id limit %1$s',
    max_rows, case when has_text then internal.search_conditions(words) else 'false' end, internal.normalize_search_text(trim(term)))
  using customer_ids;
end
$$;

create function internal.search_customers(term text, max_rows integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.customer_search_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- What a name begins with, and so its line to look through.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, search_text, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where customer_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.customers where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index knows one or two letters within a name: they are looked for among those who came last.
    case when longest < 3 then format('(select * from public.customers order by created_at desc limit %s)', latest) else 'public.customers' end,
    internal.search_conditions(words),
    case when is_one_word and longest >= 3 then format(
      'union all select customers.* from (select distinct customer_id from public.customer_contact_methods where %s limit %s) contact
       join public.customers on customers.id = contact.customer_id and merged_into is null and erased_at is null',
      replace(internal.search_conditions(words), 'search_text', 'match_key'), candidates) || case when words[1] like '%@%' then format(
        -- Whose record was typed online with it, although it is no address of theirs yet.
        ' union all select customers.* from (
           (select customer_id from public.bookings where %1$s limit %3$s)
           union (select customer_id from public.quote_requests where lower(trim(email)) = %2$L limit %3$s)
         ) typed join public.customers on customers.id = typed.customer_id and merged_into is null and erased_at is null',
        internal.search_conditions(words), lower(trim(term)), candidates) else '' end else '' end,
    candidates, beginning, max_rows);
end
$$;

create function internal.search_text_of(booking public.bookings) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return internal.normalize_search_text(
    booking.customer_name || ' ' || coalesce(booking.customer_email, '') || ' ' || booking.customer_phone || ' '
    || regexp_replace(booking.customer_phone, '[^0-9]', '', 'g') || ' '
    || coalesce(booking.vehicle_year, '') || ' ' || coalesce(booking.vehicle_make, '') || ' ' || coalesce(booking.vehicle_model, ''));
end
$$;

create function internal.search_bookings(term text, max_rows integer) returns table (customer_id uuid, vehicle_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.customer_search_words(term);
begin
  if cardinality(words) < 2 or (select max(length(word)) from unnest(words) word) < 3 then
    return;
  end if;
  return query execute format(
    'select customer_id, vehicle_id from (
       select * from (select customer_id, vehicle_id, appointment_date from public.bookings where %1$s limit %3$s) found
       order by appointment_date desc limit %3$s
     ) newest where not internal.is_erased(customer_id) limit %2$s', internal.search_conditions(words), max_rows, 200);
end
$$;

create function internal.set_booking_change_context(note jsonb) returns void
  language sql
  set search_path = ''
  return set_config('shop.booking_change_context', coalesce(note::text, ''), true);

create function internal.set_state_by_task(booking_id uuid, new_state text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform internal.set_booking_change_context('{"source": "task", "allow_without_bay": true}');
  update public.bookings set status = new_state
  where id = set_state_by_task.booking_id and completed_at is null and status <> new_state;
  perform internal.set_booking_change_context(null);
end
$$;

create or replace function internal.release_hold() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call is_open_state, booking_state and others.
  security definer
  set search_path = ''
as $$
declare
  gone constant text[] := array['cancelled', 'not_confirmed', 'no_show'];
  was_open constant boolean := internal.is_open_state(internal.booking_state(old));
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status = any (gone) and new.status <> all (gone) then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
    -- One that had no bay took no time, and finds its place as it was.
    if old.bay_id is not null then
      new.bay_id := internal.find_bay_for_reopened_booking(old);
      if new.bay_id is null and not coalesce((internal.booking_change_context() ->> 'allow_without_bay')::boolean, false) then
        perform internal.raise_slot_taken();
      end if;
    end if;
  end if;
  if internal.is_open_state(internal.booking_state(new))
     and (not was_open or (old.held_until is not null and new.held_until is null))
     and not internal.may_become_open(new) then
    raise exception 'This customer has five appointments ahead.' using errcode = 'TT042', hint = 'too_many_open';
  end if;
  return new;
end
$$;

create or replace function internal.reset_notification() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to call booking_event_source.
  security definer
  set search_path = ''
as $$
begin
  if internal.booking_event_source('moved') = 'customer' then
    new.notified_starts_at := new.appointment_date + new.appointment_time;
    new.notified_cancelled := new.status = 'cancelled';
  end if;
  return new;
end
$$;

create function internal.describe_job_scope(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_array(job.title, (
      select jsonb_agg(jsonb_build_array(line.kind, line.subtype, line.description, line.quantity_thousandths, line.unit_price_cents, line.is_taxable)
        order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key)))
    from public.estimate_jobs job
    where (job.estimate_id, job.revision, job.job_key) = (wanted_id, wanted_revision, wanted_key)
  );

create function internal.sought_elsewhere(customer_ids uuid[]) returns internal.personal_identifier[]
  language sql stable
  set search_path = ''
  return array(
    select row(kind, words)::internal.personal_identifier
    from unnest(internal.list_personal_identifiers(customer_ids)) with ordinality known (kind, words, place)
    where kind <> 'name'
      -- 'MY CAR' is a plate and two words.
      and (kind <> 'plate' or length(words) >= 5 and words ~ '[0-9]')
      and not internal.is_of_others(customer_ids, kind, words)
      and not internal.is_automated_only(customer_ids, words)
    order by place
  );

create function internal.booking_event_source(kind text) returns text
  language sql stable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  -- The role of the request, also where a procedure acts with its owner's rights.
  return case
    when internal.booking_change_context() ->> 'source' = 'task' then 'task'
    when internal.is_admin() then 'counter'
    when current_setting('role', true) in ('anon', 'authenticated') then 'visitor'
    when kind = 'confirmed' or internal.booking_change_context() ->> 'source' = 'customer' then 'customer'
    else 'system'
  end;

create function internal.booking_range(booking_date date, booking_time time, minutes integer) returns tsrange
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if booking_date is null or booking_time is null or minutes is null
     or booking_date not between '2000-01-01' and '2100-01-01' or minutes not between 5 and 20160
     or extract(second from booking_time) <> 0 then
    raise exception 'An appointment has a date, a time in whole minutes, and 5 to 20160 minutes.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  return tsrange(booking_date + booking_time, booking_date + booking_time + minutes * interval '1 minute');
end
$$;

create function internal.find_bay_for_staff(service uuid, wanted tsrange, ignored_booking_id uuid) returns uuid
  language plpgsql stable
  set search_path = ''
as $$
begin
  return (
    select bay.id from public.bays bay
    where bay.is_active and internal.bay_can_do_service(bay.id, service) and not internal.is_bay_taken(bay.id, wanted, ignored_booking_id)
    order by not internal.fits_hours(wanted, internal.open_spans(lower(wanted)::date, bay.id), bay.id), bay.position limit 1
  );
end
$$;

create function internal.list_starts_in_range(free tsrange) returns setof timestamp
  language sql immutable
  set search_path = ''
as $$
  select start from (
    select date_bin('15 minutes', lower(free) + interval '15 minutes' - interval '1 microsecond', '2000-01-01')
    union
    select generate_series(date_bin('30 minutes', lower(free) + interval '30 minutes' - interval '1 microsecond', '2000-01-01'),
                           upper(free), interval '30 minutes')
  ) as starts (start)
  where start < upper(free);
$$;

create function internal.state_before_task(booking_id uuid) returns text
  language sql stable
  set search_path = ''
  return (
    select case when event.kind = 'started' and event.source = 'task' then event.before ->> 'state' end
    from public.booking_events event
    where event.booking_id = state_before_task.booking_id and event.before ? 'state'
    order by event.id desc limit 1
  );

create function internal.unmerge_records(merge public.merges) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  part public.merges;
begin
  for part in select * from public.merges where parent_merge_id = merge.id and undone_at is null loop
    perform internal.unmerge_records(part);
  end loop;
  perform internal.restore_survivor(merge);
  perform internal.move_references_back(merge);
  if merge.kind = 'customer' then
    update public.customers set merged_into = null where id = merge.duplicate_id;
  else
    update public.vehicles set merged_into = null where id = merge.duplicate_id;
  end if;
  update public.merges set undone_at = internal.current_instant() where id = merge.id;
end
$$;

create function internal.undo_cancellation_refusal(booking public.bookings, seen_sequence integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
  cutoff constant integer := (select cancel_cutoff_minutes from public.booking_rules);
begin
  return case
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when (internal.last_cancellation(booking.id)).source is distinct from 'customer' then 'not_yours'
    when starts_at <= internal.current_instant() then 'over'
    when internal.current_instant() > starts_at - cutoff * interval '1 minute' then 'too_close'
    -- Whoever closed the shop meanwhile did not see this one in the way; what staff put outside the hours they saw.
    when booking.bay_id is not null and booking.conflict_accepted_at is null and internal.hours_refusal(
      booking.appointment_date, booking.appointment_time, booking.duration_minutes, booking.service_id)
      is not distinct from 'outside_hours' then 'outside_hours'
    when booking.bay_id is not null and internal.find_bay_for_reopened_booking(booking) is null then 'slot_taken'
    when internal.is_at_open_limit(
      internal.normalize_mailbox(booking.customer_email), internal.normalize_phone(booking.customer_phone), booking.id) then 'too_many'
  end;
end
$$;

create function internal.lock_booking(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  select * into booking from public.bookings where id = wanted_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  return booking;
end
$$;

create function internal.lock_vehicle(wanted uuid, seen_version integer) returns public.vehicles
  language plpgsql
  set search_path = ''
as $$
declare
  car public.vehicles;
begin
  select * into car from public.vehicles where id = wanted for update;
  if car.id is null or internal.is_erased(car.customer_id) then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if car.merged_into is not null then
    raise exception 'This car was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = internal.resolve_merged_vehicle(wanted);
  end if;
  if car.version is distinct from seen_version then
    raise exception 'This car was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return car;
end
$$;

create function internal.lock_estimate(wanted_id uuid, seen_version integer) returns public.estimates
  language plpgsql
  set search_path = ''
as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = wanted_id for update;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  if seen_version is not null and estimate.version <> seen_version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  return estimate;
end
$$;

create function internal.claim_link_request() returns setof public.bookings
  language plpgsql
  -- The server has no right to write visit_link_requests.
  security definer
  set search_path = ''
as $$
declare
  asked record;
begin
  delete from internal.visit_link_requests where requested_at < now() - interval '1 day';
  for asked in
    select mailbox_digest, mailbox from internal.visit_link_requests
    where mailbox is not null order by requested_at for update skip locked
  loop
    update internal.visit_link_requests set mailbox = null where mailbox_digest = asked.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.normalize_mailbox(booking.customer_email) = asked.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Made-up people get no mail.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- One letter a transaction; who has no appointment is answered by nothing.
    exit when found;
  end loop;
end
$$;

create function internal.claim_owner_notices() returns table (line text)
  language plpgsql
  -- The server has no right to write owner_notices.
  security definer
  set search_path = ''
as $$
begin
  if internal.was_owner_notified() then
    return;
  end if;
  return query
    with taken as (
      update internal.owner_notices notice set notified_at = now() where notice.notified_at is null
      returning notice.line, notice.noted_at
    )
    select taken.line from taken order by taken.noted_at;
end
$$;

create function internal.lock_customer(wanted uuid, seen_version integer) returns public.customers
  language plpgsql
  set search_path = ''
as $$
declare
  person public.customers;
begin
  select * into person from public.customers where id = wanted for update;
  if person.id is null or person.erased_at is not null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if person.merged_into is not null then
    raise exception 'This person was merged into another.'
      using errcode = 'TT092', hint = 'already_merged', detail = coalesce(internal.resolve_merged_customer(wanted)::text, '');
  end if;
  if person.version is distinct from seen_version then
    raise exception 'This person was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
  end if;
  return person;
end
$$;

create function internal.lock_booking_for_customer(wanted_id uuid) returns public.bookings
  language plpgsql
  set search_path = ''
as $$
declare
  booking public.bookings;
begin
  -- As staff do: first, so that nobody waits crosswise.
  perform internal.lock_calendar();
  perform internal.end_expired_holds();
  -- Whoever writes its confirmation holds the count of letters, for which this one will wait: they may refer to the row.
  select * into booking from public.bookings where id = wanted_id for no key update;
  return booking;
end
$$;

create function internal.undo_cancellation_by_customer(booking_id uuid, seen_sequence integer) returns internal.action_outcome
  language plpgsql
  -- The server has no right to call lock_booking_for_customer, booking_state and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking_for_customer(booking_id);
  refusal text;
begin
  if internal.booking_state(booking) in ('confirmed', 'pending') then
    return internal.action_done('unchanged');
  end if;
  refusal := case when booking.status = 'cancelled' then internal.undo_cancellation_refusal(booking, seen_sequence) else 'over' end;
  if refusal is not null then
    return internal.action_refused(refusal);
  end if;
  perform internal.set_booking_change_context('{"source": "customer"}');
  perform internal.save_booking_state(booking, coalesce((internal.last_cancellation(booking.id)).before ->> 'state', 'confirmed'));
  perform internal.set_booking_change_context(null);
  return internal.action_done('restored');
end
$$;

create function internal.vehicle_state(facts jsonb) returns text
  language plpgsql immutable
  set search_path = ''
as $$
declare
  booking_state constant text := facts ->> 'bookingState';
  tasks constant jsonb := jsonb_path_query_array(facts, '$.tasks[*] ? (@.status != "cancelled")');
  statuses constant text[] := array(select task ->> 'status' from jsonb_array_elements(tasks) task);
begin
  return case
    when booking_state = 'completed' then 'picked_up'
    when booking_state in ('cancelled', 'no_show', 'not_confirmed') then booking_state
    when statuses <> '{}' and 'completed' = all (statuses) and tasks @> '[{"isReady": true}]' then
      case when (facts ->> 'isPaid')::boolean then 'ready_and_paid' else 'ready' end
    when booking_state in ('arrived', 'in_work') or 'in_progress' = any (statuses) then
      case when 'waiting_on_parts' = any (statuses) then 'waiting_on_parts'
           when 'waiting_on_customer' = any (statuses) then 'waiting_on_customer'
           when booking_state = 'in_work' or statuses && array['in_progress', 'completed'] then 'in_work'
           else 'here' end
    when facts ->> 'hold' = 'running' then 'held'
    when facts ->> 'hold' = 'ended' then 'not_confirmed'
    else 'expected'
  end;
end
$$;

create function internal.describe_tasks_waiting_on_customer() returns jsonb
  language sql stable
  set search_path = ''
  return (
    with waiting as (
      select task.id, task.title, task.booking_id, booking.customer_name, task.ready_for_pickup_at is not null as is_ready,
             case when booking.id is not null then internal.vehicle_facts(booking)
                  -- Without a booking the task is all that is known of a vehicle that is here.
                  else jsonb_build_object('bookingState', 'in_work', 'hold', 'none', 'isPaid', false, 'tasks', jsonb_build_array(
                    jsonb_build_object('status', task.status, 'isReady', task.ready_for_pickup_at is not null))) end as facts,
             coalesce(task.ready_for_pickup_at,
                      (select max(created_at) from public.task_status_history
                       where task_id = task.id and new_status = 'waiting_on_customer' and old_status <> new_status),
                      task.created_at) as since
      from public.tasks task left join public.bookings booking on booking.id = task.booking_id
      where task.status = 'waiting_on_customer' or task.ready_for_pickup_at is not null
    ),
    shown as (
      select distinct on (coalesce(booking_id, id), is_ready) *
      from waiting
      where internal.vehicle_state(facts) = any (case when is_ready then array['ready', 'ready_and_paid']
        else array['held', 'expected', 'here', 'in_work', 'waiting_on_parts', 'waiting_on_customer'] end)
      order by coalesce(booking_id, id), is_ready, since desc, id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'customer_name', customer_name, 'vehicle_facts', facts, 'since', since
    ) order by since, id), '[]')
    from (select * from shown order by since, id limit 50) oldest
  );

create function internal.tax_rate_on(day date) returns integer
  language sql stable
  set search_path = ''
  return coalesce((select rate from public.tax_rates where effective_from <= day order by effective_from desc limit 1), 0);

create or replace function internal.publish_estimate_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  new_row constant jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('estimates_changed', coalesce(new_row ->> 'estimate_id', new_row ->> 'id'));
  return null;
end
$$;

create or replace function internal.publish_customer_change() returns trigger
  language plpgsql
  -- Whoever writes the row has no right to read cars.
  security definer
  set search_path = ''
as $$
declare
  new_row constant jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  old_row constant jsonb := case tg_op when 'INSERT' then '{}' else to_jsonb(old) end;
  person uuid;
begin
  foreach person in array array[
    coalesce(new_row ->> 'customer_id', (select car.customer_id::text from public.vehicles car where car.id::text = new_row ->> 'vehicle_id'),
             new_row ->> 'id')::uuid,
    (old_row ->> 'customer_id')::uuid, (new_row ->> 'merged_into')::uuid
  ] loop
    if person is not null then
      perform pg_notify('customers_changed', person::text);
    end if;
  end loop;
  return null;
end
$$;

create function internal.read_visit_page_history(booking_id uuid, time_zone text) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', event.kind, 'source', event.source, 'before', event.before, 'after', event.after,
      'at', to_char(event.happened_at at time zone read_visit_page_history.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')) order by event.id), '[]')
    from (select * from public.booking_events story where story.booking_id = read_visit_page_history.booking_id order by id desc limit 100) event
  );

create function internal.save_service_bays(service uuid, bay_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  bay public.bays;
  should_do boolean;
begin
  if exists (select unnest(bay_ids) except select id from public.bays) then
    raise exception 'There is no such bay.' using errcode = '22023', hint = 'bay_not_found';
  end if;
  for bay in select * from public.bays order by position loop
    should_do := bay_ids = '{}' or bay.id = any (bay_ids);
    continue when should_do = internal.bay_can_do_service(bay.id, service);
    if should_do then
      insert into public.bay_services (bay_id, service_id) values (bay.id, service);
      -- A bay that can do all of them names none, so that it can do the next one too.
      delete from public.bay_services
      where bay_id = bay.id
        and not exists (select id from public.services except
                        select service_id from public.bay_services known where known.bay_id = bay.id);
    else
      if not exists (select from public.bay_services where bay_id = bay.id) then
        insert into public.bay_services (bay_id, service_id) select bay.id, id from public.services;
      end if;
      delete from public.bay_services where bay_id = bay.id and service_id = service;
      if not exists (select from public.bay_services where bay_id = bay.id) then
        raise exception '% can do nothing else.', bay.name using errcode = 'TT056', hint = 'bay_without_service';
      end if;
    end if;
  end loop;
end
$$;

create function internal.token_digest(headers jsonb) returns bytea
  language sql immutable
  -- No search_path: its names were resolved when it was created, and without a setting PostgreSQL inlines it.
  return sha256(convert_to(nullif(headers ->> 'x-form-token', ''), 'UTF8'));

create function internal.customer_totals(wanted_customer_id uuid, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'visits', count(*) filter (where internal.customer_came(booking, today)),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'ahead', count(*) filter (where internal.is_upcoming(booking)),
      'lastVisit', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
      'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
      'paidCents', (select coalesce(sum(internal.invoice_paid_cents(links)), 0) from public.invoices links where links.customer_id = wanted_customer_id),
      'openCents', (select coalesce(sum(links.total_cents - internal.invoice_paid_cents(links)), 0) from public.invoices links
                    where links.customer_id = wanted_customer_id and links.status = 'open'),
      'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                        and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
    from public.bookings booking where booking.customer_id = wanted_customer_id
  );

create function internal.was_typed_online(booking_id uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (
    select from public.booking_events event
    where event.booking_id = was_typed_online.booking_id and event.kind = 'booked' and event.source = 'visitor');

create function internal.typed_emails(wanted_customer_id uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'email', typed.email, 'bookingId', typed.booking_id, 'quoteRequestId', typed.quote_request_id, 'typedAt', typed.typed_at)
      order by typed.typed_at desc), '[]')
    from (
      select * from (
        select distinct on (lower(trim(record.email))) record.*
        from (
          select customer_email as email, id as booking_id, null::uuid as quote_request_id, created_at as typed_at
          from public.bookings booking
          where booking.customer_id = wanted_customer_id and customer_email is not null and internal.is_standing(booking) and internal.was_typed_online(id)
          union all
          select email, null, id, created_at from public.quote_requests quote
          where quote.customer_id = wanted_customer_id and quote.flagged_reasons = '{}'
        ) record
        order by lower(trim(record.email)), record.typed_at desc
      ) latest
      where not internal.is_their_email(wanted_customer_id, latest.email)
      order by latest.typed_at desc limit 3
    ) typed
  );

create function internal.unanswered_quotes() returns setof public.quote_requests
  language sql stable
  set search_path = ''
as $$
  select * from public.quote_requests
  where status = 'pending' and not looks_automated and created_at <= internal.current_instant() - interval '12 hours'
  order by created_at, id limit 50
$$;

create function internal.list_references_without_merge_rule() returns setof text
  language sql stable
  set search_path = ''
as $$
  select conrelid::regclass::text || '.' || attname
  from pg_catalog.pg_constraint
  join pg_catalog.pg_attribute on attrelid = conrelid and attnum = any (conkey)
  where contype = 'f' and confrelid in ('public.customers'::regclass, 'public.vehicles'::regclass)
    and not exists (
      select from internal.merge_rules
      where table_name::regclass = conrelid and column_name = attname
        and kind = case confrelid when 'public.customers'::regclass then 'customer' else 'vehicle' end)
$$;

create function internal.list_approvals_without_email(max_rows integer) returns table (estimate_id uuid, batch_id uuid)
  language sql stable
  -- The server has no right to read authorizations and estimates.
  security definer
  set search_path = ''
as $$
  select line.estimate_id, line.batch_id
  from public.authorizations line
  join public.estimates estimate on estimate.id = line.estimate_id
  where line.decision = 'approved' and internal.void_because(line, estimate) is null and estimate.customer_email <> ''
    and line.recorded_at > internal.current_instant() - interval '1 day'
    and not exists (
      select from public.emails letter
      where letter.dedupe_key = 'estimate:' || line.estimate_id || ':act:' || line.batch_id)
  group by line.estimate_id, line.batch_id
  order by min(line.id)
  limit max_rows
$$;

create function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable
  set search_path = ''
as $$
  select booking.* from public.bookings booking
  -- By the index of dates: an appointment is at most 14 days long.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$$;

create function internal.find_bay_for_customer(booking public.bookings, new_date date, new_time time) returns uuid
  language sql stable
  set search_path = ''
  return (
    select open.bay_id from internal.open_bays(new_date, new_time, booking.duration_minutes, booking.service_id) open
    where open.is_on_grid and not internal.is_bay_taken(
      open.bay_id, internal.booking_range(new_date, new_time, booking.duration_minutes), booking.id)
    order by open.bay_id = booking.bay_id desc nulls last, open.bay_position limit 1
  );

create function internal.customer_change_refusal(booking public.bookings, seen_sequence integer, cutoff_minutes integer) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  starts_at constant timestamptz := internal.booking_starts_at(booking);
begin
  return case
    when booking.id is null then 'gone'
    when internal.booking_state(booking) = 'cancelled' then 'cancelled'
    when internal.booking_state(booking) not in ('confirmed', 'pending') or starts_at <= internal.current_instant() then 'over'
    when booking.held_until is not null then 'not_confirmed'
    when booking.calendar_sequence is distinct from seen_sequence then 'version_conflict'
    when internal.current_instant() > starts_at - cutoff_minutes * interval '1 minute' then 'too_close'
  end;
end
$$;

create function internal.booking_starts_at(booking public.bookings) returns timestamptz
  language sql stable
  set search_path = ''
  return (select lower(booking.occupied) at time zone time_zone from public.shop);

create function internal.was_owner_notified() returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- One at a time: whoever asks next sees what this one writes.
  perform pg_advisory_xact_lock(hashtextextended('notices to the owner', 0));
  return exists (select from internal.owner_notices where notified_at > now() - interval '10 minutes');
end
$$;

create function internal.survivor_changes(old_row jsonb, new_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select coalesce(jsonb_object_agg(key, jsonb_build_object('before', value, 'after', new_row -> key)), '{}')
    from jsonb_each(old_row)
    where new_row -> key is distinct from value
      and key in ('name', 'email', 'phone', 'color', 'plate', 'vin', 'internal_note', 'created_at')
  );

create function internal.form_token_problem(token text) returns text
  language plpgsql
  -- Reads the key, which no visitor may.
  security definer
  set search_path = ''
as $$
declare
  signed constant text := substring(token from '^\d{13}\.[0-9a-f]{16}(?=\.[0-9a-f]{64}$)');
  form_key text;
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  select value into form_key from internal.secrets where name = 'form_key';
  if signed is null or form_key is null
     or encode(internal.hmac_sha256(signed, form_key), 'hex') <> right(token, 64) then
    return 'form_token_invalid';
  end if;
  age := clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000);
  if age not between interval '0' and interval '24 hours' then
    return 'form_token_invalid';
  end if;
  insert into internal.form_token_uses (token_digest) values (sha256(convert_to(token, 'UTF8')))
    on conflict do nothing;
  if not found then
    return 'form_token_reused';
  end if;
  return case when age < interval '3 seconds' then 'sent_too_fast' end;
end
$$;

create function internal.with_current_links(body text, recipient_email text) returns text
  language plpgsql stable
  set search_path = ''
as $$
declare
  alive text := body;
  written text;
  live text;
begin
  for written in
    select distinct token[1] from regexp_matches(body, '/visit/([A-Za-z0-9_-]{43})', 'g') token
  loop
    -- Whoever typed a link that was replaced, into a note or a name, gets no live one for it: only the mailbox that the
    -- appointment was booked with does.
    select public.visit_page_token(booking.id) into live
    from public.bookings booking
    where booking.id
          = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(booking.customer_email) = lower(with_current_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/visit/' || written, '/visit/' || live);
    end if;
  end loop;
  for written in
    select distinct token[1] from regexp_matches(body, '/estimate/([A-Za-z0-9_-]{43})', 'g') token
  loop
    select internal.estimate_token(estimate.id) into live
    from public.estimates estimate
    where estimate.id = encode(substring(decode(translate(written, '-_', '+/') || '=', 'base64') from 1 for 16), 'hex')::uuid
      and lower(estimate.customer_email) = lower(with_current_links.recipient_email);
    if live is not null then
      alive := replace(alive, '/estimate/' || written, '/estimate/' || live);
    end if;
  end loop;
  return alive;
end
$$;

create function internal.withdraw_answers(estimate public.estimates) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  former record;
  act uuid;
begin
  for former in
    select line.batch_id, min(line.id) from public.authorizations line
    where line.estimate_id = estimate.id and line.method = 'web'
      and (line.link_version = estimate.link_version or lower(line.contact) = lower(estimate.customer_email))
      and not exists (select from public.authorizations later where later.withdraws_id = line.id)
    group by line.batch_id order by min(line.id)
  loop
    act := gen_random_uuid();
    insert into public.authorizations (
      estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, decided_at, recorded_by, withdraws_id)
    select line.estimate_id, line.revision, line.revision_hash, line.job_key, act, 'withdrawn', 'shop', internal.author_name(null),
      line.contact, 'withdrawn: wrong recipient', internal.current_instant(), internal.author_name(null), line.id
    from public.authorizations line where line.batch_id = former.batch_id order by line.id;
  end loop;
  update public.estimate_revisions revision set decided_at = null, seen_at = null
  where revision.estimate_id = estimate.id and revision.revision = (internal.latest_sent_revision(estimate.id)).revision;
  perform internal.mark_revision_decided(estimate.id, (internal.latest_sent_revision(estimate.id)).revision);
end
$$;

create function internal.save_bay_row(wanted_id uuid, wanted_name text, wanted_is_active boolean, wanted_technician text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  written uuid := wanted_id;
begin
  if written is null then
    insert into public.bays (name, position, is_active, technician)
    select trim(wanted_name), coalesce(max(position), 0) + 1, wanted_is_active, nullif(trim(wanted_technician), '')
    from public.bays returning id into written;
  else
    update public.bays
    set name = trim(wanted_name), is_active = wanted_is_active,
        technician = case when wanted_technician is null then technician else nullif(trim(wanted_technician), '') end
    where id = written;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return written;
end
$$;

create function internal.build_revision_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'revision', revision.revision, 'customerName', estimate.customer_name,
      'customerEmail', estimate.customer_email, 'customerPhone', estimate.customer_phone,
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', revision.customer_note, 'goodUntil', revision.good_until, 'taxRate', revision.tax_rate,
      'jobs', (
        select jsonb_agg(job || jsonb_build_object('taxCents', totals.tax, 'totalCents', totals.total) order by totals.position)
        from jsonb_array_elements(internal.describe_revision_jobs(estimate.id, revision.revision)) job
        join internal.job_totals totals on (totals.estimate_id, totals.revision, totals.job_key)
          = (estimate.id, revision.revision, (job ->> 'key')::uuid)))
    from public.estimates estimate
    join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.revision = wanted_revision
    where estimate.id = wanted_id
  );

create function internal.save_revision_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'invalid_document';
  end if;
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now, measurement)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'plainWords',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measure', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'detail', line ->> 'description',
    (line ->> 'thousandths')::integer, (line ->> 'unitCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;

create function internal.save_booking_state(booking public.bookings, new_state text) returns void
  language sql
  set search_path = ''
as $$
  update public.bookings
  set status = case when new_state = 'completed' then status else new_state end,
      completed_at = case when new_state = 'completed' then internal.current_instant() end,
      completed_by = case when new_state = 'completed' then 'admin' end,
      hold_confirmed_at = case
        when new_state = 'confirmed' and flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
        else hold_confirmed_at end
  where id = booking.id;
$$;

create function public.add_customer_note(customer_id uuid, note text) returns uuid
  language plpgsql
  -- The admin has no right to write customer_notes.
  security definer
  set search_path = ''
as $$
declare
  person constant public.customers := internal.require_customer(add_customer_note.customer_id);
  written uuid;
begin
  insert into public.customer_notes (customer_id, note, written_by_name)
  values (person.id, trim(add_customer_note.note), internal.author_name(null)) returning id into written;
  return written;
end
$$;

create function public.add_task_note(task_id uuid, note text, changed_by text default null, changed_by_name text default null)
  returns public.task_notes
  language plpgsql
  -- The admin has no right to write task_notes. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  added public.task_notes;
begin
  perform internal.require_admin();
  perform internal.lock_task(add_task_note.task_id);
  insert into public.task_notes (task_id, note, created_by, created_by_name)
  values (add_task_note.task_id, trim(add_task_note.note), add_task_note.changed_by,
          internal.author_name(add_task_note.changed_by_name))
  returning * into added;
  return added;
end
$$;

create function public.book_by_phone(
  service_id uuid, appointment_date date, appointment_time time, customer_name text, customer_phone text,
  customer_email text default null, notes text default null,
  vehicle_year text default null, vehicle_make text default null, vehicle_model text default null, vehicle_color text default null,
  minutes integer default null, bay_id uuid default null, without_bay boolean default false, reason text default null,
  booking_id uuid default gen_random_uuid()
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to call lock_calendar, end_expired_holds and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  service public.services;
  wanted tsrange;
  bay uuid;
  warnings text[];
  booked public.bookings;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into booked from public.bookings where id = book_by_phone.booking_id;
  if found then
    return booked;
  end if;
  perform internal.end_expired_holds();
  select * into service from public.services where id = book_by_phone.service_id and is_active;
  if not found then
    raise exception 'This service cannot be booked.' using errcode = 'TT001', hint = 'service_unavailable';
  end if;
  wanted := internal.booking_range(appointment_date, appointment_time, coalesce(minutes, service.duration_minutes));
  if without_bay then
    perform internal.require_reason(reason);
  else
    bay := internal.choose_bay(wanted, service.id, book_by_phone.bay_id, null, null);
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  insert into public.bookings (
    id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone, customer_email, notes,
    vehicle_year, vehicle_make, vehicle_model, vehicle_color, bay_id, conflict_accepted_at, conflict_accepted_by
  ) values (
    book_by_phone.booking_id, service.id, book_by_phone.appointment_date, book_by_phone.appointment_time,
    coalesce(minutes, service.duration_minutes), trim(book_by_phone.customer_name), trim(book_by_phone.customer_phone),
    nullif(trim(book_by_phone.customer_email), ''), nullif(trim(book_by_phone.notes), ''),
    nullif(trim(book_by_phone.vehicle_year), ''), nullif(trim(book_by_phone.vehicle_make), ''),
    nullif(trim(book_by_phone.vehicle_model), ''), nullif(trim(book_by_phone.vehicle_color), ''), bay,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
    case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  ) returning * into booked;
  perform internal.set_booking_change_context(null);
  return booked;
end
$$;

create function public.cancel_bookings(booking_ids uuid[], reason text default null) returns table (id uuid, previous_status text)
  language plpgsql
  -- The admin has no right to call lock_calendar and set_booking_change_context. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  perform internal.set_booking_change_context(jsonb_build_object('reason', cancel_bookings.reason));
  return query
    with chosen as (
      select booking.id, case when booking.held_until is null then booking.status else 'not_confirmed' end as previous
      from public.bookings booking
      where booking.id = any (booking_ids) and booking.completed_at is null and booking.status not in ('cancelled', 'no_show')
      order by booking.id for update
    ), changed as (
      update public.bookings booking set status = 'cancelled' from chosen where booking.id = chosen.id
      returning booking.id, chosen.previous
    )
    select changed.id, changed.previous from changed;
  perform internal.set_booking_change_context(null);
end
$$;

create function public.change_booking_state(
  booking_id uuid, new_state text, seen_version integer, reason text default null, allow_without_bay boolean default false
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to read booking_transitions.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking(change_booking_state.booking_id);
  old_state constant text := internal.booking_state(booking);
begin
  -- The second of two clicks finds what the first one wanted.
  if old_state = new_state then
    return booking;
  end if;
  perform internal.raise_version_conflict(booking, seen_version);
  if not exists (select from internal.booking_transitions
                 where from_state = old_state and to_state = new_state and is_for_staff) then
    raise exception 'An appointment that is % does not become %.',
      replace(old_state, '_', ' '), replace(coalesce(new_state, 'nothing'), '_', ' ')
      using errcode = 'TT062', hint = 'state_not_allowed', detail = old_state;
  end if;
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'allow_without_bay', allow_without_bay));
  perform internal.save_booking_state(booking, new_state);
  perform internal.set_booking_change_context(null);
  select * into booking from public.bookings where id = booking.id;
  return booking;
end
$$;

create function public.change_estimate_email(estimate_id uuid, seen_version integer, email text, reason text) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  new_email constant text := trim(change_estimate_email.email);
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(change_estimate_email.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if reason is null or reason not in ('new_address', 'wrong_recipient') then
    raise exception 'An address changes because it is new, or because the old one was wrong.' using errcode = '22023', hint = 'invalid_reason';
  end if;
  if reason = 'wrong_recipient' then
    perform internal.withdraw_answers(estimate);
  end if;
  update public.estimates
  set customer_email = new_email, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;

create function public.check_booking_time(
  service_id uuid, appointment_date date, appointment_time time, minutes integer default null, bay_id uuid default null,
  ignored_booking_id uuid default null
)
  returns table (assigned_bay_id uuid, warnings text[], refusal text, in_the_way uuid[], free_times jsonb)
  language plpgsql stable
  -- The admin has no right to call booking_range, choose_bay and booking_warnings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted constant tsrange := internal.booking_range(appointment_date, appointment_time, coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = check_booking_time.service_id)));
  own_bay constant uuid := (select booking.bay_id from public.bookings booking where booking.id = ignored_booking_id);
  details text;
begin
  perform internal.require_admin();
  begin
    assigned_bay_id := internal.choose_bay(wanted, service_id, bay_id, own_bay, ignored_booking_id);
  exception when exclusion_violation or sqlstate 'TT064' or sqlstate 'TT065' then
    get stacked diagnostics refusal = pg_exception_hint, details = pg_exception_detail;
  end;
  warnings := internal.booking_warnings(wanted, coalesce(assigned_bay_id, bay_id));
  in_the_way := array(select jsonb_array_elements_text(nullif(details, '')::jsonb -> 'in_the_way')::uuid);
  free_times := coalesce(nullif(details, '')::jsonb -> 'free_times', '[]');
  return next;
end
$$;

create function public.claim_email(email_id uuid) returns setof public.emails
  language plpgsql
  -- The server has no right to write emails.
  security definer
  set search_path = ''
as $$
declare
  -- Longer than any attempt may take; after a crash the message is due again then.
  lease constant interval := '2 minutes';
  claimed public.emails;
  outdated text;
begin
  update public.emails email
  set attempts = attempts + 1, next_attempt_at = now() + lease, leased_until = now() + lease,
      html_body = internal.with_current_links(email.html_body, email.recipient_email),
      text_body = internal.with_current_links(email.text_body, email.recipient_email)
  where id = email_id and status in ('queued', 'retrying') and (next_attempt_at <= now() or attempts = 0)
  returning * into claimed;
  if not found then
    return;
  end if;
  if internal.is_sample_email(claimed) then
    -- Also with a mail server set: its addressee does not exist.
    perform public.record_email_sent(email_id, 'in_outbox', null);
    return;
  end if;
  outdated := internal.email_outdated_reason(claimed);
  if outdated is null then
    return next claimed;
  else
    update public.emails
    set status = 'failed', last_error = outdated, leased_until = null, next_attempt_at = now()
    where id = email_id;
  end if;
end
$$;

create function public.clean_up_tasks(task_ids uuid[]) returns integer
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  archived integer;
  deleted integer;
begin
  perform internal.require_admin();
  update public.tasks set archived_at = now()
  where id = any (task_ids) and status = 'completed' and archived_at is null
    and (estimate_id is not null or booking_id in (select id from public.bookings where completed_at is null));
  get diagnostics archived = row_count;
  -- Only what is still completed: a task that was reopened meanwhile is work again.
  delete from public.tasks
  where id = any (task_ids) and status = 'completed' and estimate_id is null and archived_at is null;
  get diagnostics deleted = row_count;
  return archived + deleted;
end
$$;

create function public.create_estimate(source jsonb) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates and estimate_revisions. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  person public.customers;
  car public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  -- One after the other: the second sees what the first began.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'carId'), (source ->> 'personId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into car from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'carId')::uuid);
  select * into person from public.customers
  where id = coalesce(car.customer_id, internal.resolve_merged_customer((source ->> 'personId')::uuid)) and merged_into is null and erased_at is null
  -- Nobody is merged into another while an estimate of theirs is begun.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'carId' and car.id is null) or ((source ? 'personId' or source ? 'carId') and person.id is null) then
    raise exception 'What this estimate is for no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  -- A second click, or another window, finds what the first began; of a person alone only what nobody wrote in yet.
  select known.* into estimate from public.estimates known
  where known.booking_id = booking.id or (known.quote_request_id = quote.id and booking.id is null)
    or (known.customer_id = person.id and known.vehicle_id is not distinct from car.id and known.version = 1
        and known.booking_id is null and known.quote_request_id is null)
  order by known.created_at desc limit 1;
  if found then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- What was only typed online is nobody's address: staff are asked first.
  email := coalesce(internal.email_for_estimate(booking, quote, person.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, person.id, car.id,
    left(trim(coalesce(booking.customer_name, quote.name, person.name, source #>> '{customer,name}', '')), 100),
    -- What no letter could be sent to is left out.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, person.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, car.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, car.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, car.model, source #>> '{vehicle,model}', ''),
    coalesce(left(car.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(car.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;

create function public.create_estimate_tasks(estimate_id uuid) returns integer
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
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
    estimate.booking_id,
    (select employee.id from public.bookings booking
      join public.bays bay on bay.id = booking.bay_id
      join public.employees employee on employee.name = bay.technician and employee.is_active
      where booking.id = estimate.booking_id order by employee.id limit 1),
    estimate.id, job.job_key
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
$$;

create function public.delete_estimate(estimate_id uuid) returns void
  language plpgsql
  -- The admin has no right to write estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_estimate(delete_estimate.estimate_id, null);
  delete from public.estimates where id = delete_estimate.estimate_id;
end
$$;

create function public.dismiss_notification(booking_id uuid, seen_version integer, reason text) returns void
  language plpgsql
  -- The admin has no right to write booking_events.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking(dismiss_notification.booking_id);
  event_id bigint;
begin
  perform internal.raise_version_conflict(booking, seen_version);
  perform internal.require_reason(reason);
  if not booking.is_notification_outdated then
    return;
  end if;
  update public.bookings
  set notified_starts_at = appointment_date + appointment_time, notified_cancelled = status = 'cancelled'
  where id = booking.id;
  insert into public.booking_events (booking_id, kind, source, changed_by_name, reason)
  values (booking.id, 'notification_dismissed', 'counter', internal.author_name(null), trim(dismiss_notification.reason))
  returning id into event_id;
  perform pg_notify('bookings_changed', booking.id || ' ' || event_id);
end
$$;

create function public.find_bookings(search text) returns setof public.bookings
  language plpgsql stable
  -- As the owner: row-level security lets no index serve an operator that it cannot vouch for, `like` among them.
  security definer
  set search_path = ''
as $$
declare
  conditions constant text := (
    select string_agg(internal.search_condition(word), ' and ') from unnest(internal.search_words(search)) as word
  );
begin
  if not internal.is_admin() then
    return;
  end if;
  return query execute 'select * from public.bookings where ' || coalesce(conditions, 'true');
end
$$;

create function public.find_customers(search text)
  returns table (
    customer_name text, customer_phone text, customer_email text, vehicles jsonb, last_appointment date, last_service_id uuid,
    last_service_name text, next_appointment date, appointment_count integer, no_shows integer
  )
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  most constant integer := 8;
begin
  perform internal.require_admin();
  return query
    with found as materialized (
      select * from internal.find_bookings_by_words(search) hit where hit.status <> 'not_confirmed'
      -- Eight people are among so many, and telling them apart is what costs.
      order by hit.appointment_date desc, hit.created_at desc limit 300
    ),
    people as (
      select distinct on (coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name)) hit.*
      from found hit
      order by coalesce(internal.normalize_phone(hit.customer_phone), hit.customer_phone), lower(hit.customer_name),
               hit.appointment_date desc, hit.created_at desc
    ),
    latest as (select * from people order by appointment_date desc, created_at desc, id limit most)
    select person.customer_name, person.customer_phone, history.email, coalesce(history.vehicles, '[]'), history.last_appointment,
           person.service_id, person.service_name, history.next_appointment, history.appointment_count, history.no_shows
    from latest person, internal.summarize_customer_bookings(person.customer_name, person.customer_phone, today) history
    order by person.appointment_date desc, person.created_at desc, person.id;
end
$$;

create function public.find_canned_jobs(term text default '') returns jsonb
  language plpgsql stable
  -- The admin has no right to call plain. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'job', job || jsonb_build_object('key', id)) order by place, title), '[]')
    from (
      select id, title, job, position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(title)) as place from public.canned_jobs
      where position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(title)) > 0 or trim(term) = ''
      order by place, title limit 50
    ) found
  );
end
$$;

create function public.delete_contact_method(contact_id bigint) returns void
  language plpgsql
  -- The admin has no right to write customer_contact_methods. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.customer_contact_methods where id = contact_id;
end
$$;

create function public.delete_canned_job(canned_job_id uuid) returns void
  language plpgsql
  -- The admin has no right to write canned_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.canned_jobs where id = canned_job_id;
end
$$;

create function public.forms_sent_by(headers jsonb)
  returns table (booking_id uuid, quote_request_id uuid)
  language sql stable
  -- Reads the key that digests are made with.
  security definer
  set search_path = ''
as $$
  select origin.booking_id, origin.quote_request_id
  from internal.form_origins origin
  where origin.created_at > now() - interval '15 minutes'
    and (
      origin.token_digest = internal.token_digest(headers)
      or origin.token_digest is null and origin.address_digest = internal.address_digest(headers)
    )
$$;

create function public.change_vehicle_owner(vehicle_id uuid, seen_version integer, customer_id uuid) returns void
  language plpgsql
  -- The admin has no right to write cars. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  owner_id constant uuid := internal.resolve_merged_customer(change_vehicle_owner.customer_id);
  car public.vehicles;
begin
  perform internal.require_admin();
  if owner_id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  car := internal.lock_vehicle(change_vehicle_owner.vehicle_id, seen_version);
  update public.vehicles set customer_id = owner_id where id = car.id;
end
$$;

create function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
)
  returns boolean
  language plpgsql stable
  -- A visitor may learn that a time is free, never who has it: so this reads appointments on their behalf.
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
declare
  starts_at constant timestamp := booking_date + booking_time;
  wanted tsrange;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  if internal.moment_refusal(booking_date, booking_time) is not null then
    return false;
  end if;
  wanted := tsrange(starts_at, starts_at + service_duration * interval '1 minute');
  -- What open_bays and is_bay_taken find, in one statement: pages ask for each time of a date.
  if exists (
    select from internal.bay_hours hours, public.booking_rules rules
    where hours.day = booking_date and hours.span @> wanted
      and extract(epoch from starts_at - lower(hours.span)) % (rules.slot_interval_minutes * 60) = 0
      and (service is null or internal.bay_can_do_service(hours.bay_id, service))
      -- Not as `not exists`: that is planned as a join with every appointment.
      and (
        select true from public.bookings booking
        where booking.bay_id = hours.bay_id and booking.occupied && wanted
          and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
          and (booking.held_until is null or booking.held_until > internal.current_instant())
        limit 1
      ) is null
  ) then
    return true;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.find_free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;

create function public.accept_schedule_conflicts(booking_ids uuid[]) returns setof uuid
  language plpgsql
  -- The admin has no right to call lock_calendar. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  return query
    update public.bookings set conflict_accepted_at = internal.current_instant(), conflict_accepted_by = internal.author_name(null)
    where id = any (booking_ids) and conflict_accepted_at is null returning id;
end
$$;

create function public.save_canned_job(job jsonb) returns uuid
  language plpgsql
  -- The admin has no right to write canned_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept uuid;
begin
  perform internal.require_admin();
  insert into public.canned_jobs (title, job) values (trim(save_canned_job.job ->> 'title'), save_canned_job.job - 'key')
  on conflict (title) do update set job = excluded.job, saved_at = now()
  returning id into kept;
  return kept;
end
$$;

create function public.mark_not_duplicates(customer_id uuid, other_customer_id uuid) returns void
  language plpgsql
  -- The admin has no right to write non_duplicates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(customer_id, other_customer_id);
  insert into public.non_duplicates (customer_id, other_customer_id)
  select least(mark_not_duplicates.customer_id, mark_not_duplicates.other_customer_id), greatest(mark_not_duplicates.customer_id, mark_not_duplicates.other_customer_id)
  on conflict do nothing;
end
$$;

create function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  language plpgsql stable
  -- The admin has no right to read job_totals. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total,
      'invoicedCents', (select claim.total_cents from public.estimate_invoices claim
        where claim.estimate_id = found.id and claim.state in ('claimed', 'made')),
      'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(
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

create function public.list_open_days(first_date date, last_date date, service uuid default null)
  returns table (day date, bays jsonb, closed_because text)
  language plpgsql stable
  -- A visitor learns when the shop is open, never why a closure that is not public is there.
  security definer
  set search_path = ''
as $$
begin
  if first_date is null or last_date is null or first_date not between '2000-01-01' and '2100-01-01'
     or last_date not between first_date and first_date + 61 then
    raise exception 'first_date and last_date are at most 62 days.' using errcode = '22023', hint = 'invalid_range';
  end if;
  return query
    with days as (select first_date + nth as date from generate_series(0, last_date - first_date) nth),
    -- Bays with the same hours are told as one.
    opened as (
      select distinct days.date, internal.open_spans(days.date, bay.id) as spans
      from days, public.bays bay
      where bay.is_active and internal.bay_can_do_service(bay.id, list_open_days.service)
    )
    select days.date,
           coalesce(jsonb_agg(internal.minutes_of_day(days.date, opened.spans) order by opened.spans desc)
             filter (where opened.spans <> '{}'), '[]'),
           case when coalesce(bool_and(opened.spans = '{}'), true) then (
             select nullif(closure.reason, '') from public.special_hours closure
             where closure.span && tsrange(days.date, days.date + 1) and not closure.is_open
               and closure.is_public and closure.bay_id is null
             order by closure.starts_at, closure.id limit 1
           ) end
    from days left join opened using (date)
    group by days.date order by days.date;
end
$$;

create function public.list_special_days()
  returns table (day date, hours jsonb, bays jsonb, closed_because text)
  language plpgsql stable
  -- What visitors may know of each day, told once to whoever writes their pages.
  security definer
  set search_path = ''
as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A page that stands open for a week still knows every day that can be booked on it.
  last_date constant date := first_date + 7 + (select booking_window_days from public.booking_rules);
begin
  return query
    with told as (
      select span * tsrange(first_date, last_date + 1) as span from public.special_hours
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.special_hours
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from told, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
end
$$;

create function public.mark_task_ready_for_pickup(
  task_id uuid, note text default null, changed_by text default null, changed_by_name text default null
)
  returns public.tasks
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(mark_task_ready_for_pickup.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(mark_task_ready_for_pickup.task_id);
  if task.status <> 'completed' then
    raise exception 'Only a completed task can be marked ready for pickup.' using errcode = 'TT032', hint = 'not_completed';
  end if;
  if task.ready_for_pickup_at is null then
    update public.tasks set ready_for_pickup_at = now() where id = task.id returning * into task;
  end if;
  if written_note is not null then
    perform public.add_task_note(
      task.id, written_note, mark_task_ready_for_pickup.changed_by, mark_task_ready_for_pickup.changed_by_name
    );
  end if;
  return task;
end
$$;

create function public.merge_vehicles(survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer) returns uuid
  language plpgsql
  -- The admin has no right to call refuse_self_merge, lock_calendar and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept public.vehicles;
  gone public.vehicles;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  perform from public.vehicles where id in (survivor_id, duplicate_id) order by id for update;
  kept := internal.lock_vehicle(survivor_id, seen_survivor_version);
  gone := internal.lock_vehicle(duplicate_id, seen_duplicate_version);
  if kept.customer_id <> gone.customer_id then
    raise exception 'These are cars of two people.' using errcode = 'TT091', hint = 'vehicles_of_two_customers';
  end if;
  return internal.merge_vehicle_rows(kept, gone);
end
$$;

create function public.merge_customers(
  survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer, fields_from_duplicate text[] default '{}'
)
  returns uuid
  language plpgsql
  -- The admin has no right to write people and merges. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  kept public.customers;
  gone public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_admin();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Who saves an estimate holds it before its person.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  kept := internal.lock_customer(survivor_id, seen_survivor_version);
  gone := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = kept.id where id = gone.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then gone.name else name end,
      email = internal.merged_email(kept, gone, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(gone.phone, phone) else coalesce(phone, gone.phone) end,
      created_at = least(created_at, gone.created_at)
  where id = kept.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', kept.id, gone.id, internal.move_references('customer', gone.id, kept.id),
         internal.survivor_changes(to_jsonb(kept), to_jsonb(person)), internal.author_name(null)
  from public.customers person where id = kept.id
  returning id into merge;
  for pair in
    select own as kept, other as gone from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(kept.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.kept, pair.gone, merge);
  end loop;
  return merge;
end
$$;

create function public.move_booking(
  booking_id uuid, seen_version integer, appointment_date date, appointment_time time, minutes integer default null,
  bay_id uuid default null, without_bay boolean default false, reason text default null
)
  returns public.bookings
  language plpgsql
  -- The admin has no right to call lock_booking, booking_range and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking(move_booking.booking_id);
  new_minutes constant integer := coalesce(minutes, booking.duration_minutes);
  wanted constant tsrange := internal.booking_range(appointment_date, appointment_time, new_minutes);
  bay uuid;
  warnings text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment is moved.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  if not without_bay then
    bay := internal.choose_bay(wanted, booking.service_id, move_booking.bay_id, booking.bay_id, booking.id);
  end if;
  if booking.occupied = wanted and booking.bay_id is not distinct from bay then
    return booking;
  end if;
  warnings := internal.booking_warnings(wanted, bay);
  perform internal.set_booking_change_context(jsonb_build_object('reason', reason, 'warnings', warnings));
  update public.bookings
  set appointment_date = move_booking.appointment_date, appointment_time = move_booking.appointment_time,
      duration_minutes = new_minutes, bay_id = bay,
      conflict_accepted_at = case when internal.is_placed_outside_hours(bay, warnings) then internal.current_instant() end,
      conflict_accepted_by = case when internal.is_placed_outside_hours(bay, warnings) then internal.author_name(null) end
  where id = booking.id returning * into booking;
  perform internal.set_booking_change_context(null);
  return booking;
end
$$;

create function public.next_free_times(
  service_id uuid, from_moment timestamp default null, minutes integer default null, bay_id uuid default null,
  ignored_booking_id uuid default null, max_rows integer default 3, days integer default 31
)
  returns table (free_date date, free_time time, bay_ids uuid[])
  language plpgsql stable
  -- The admin has no right to call free_times. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted_minutes constant integer := coalesce(
    minutes, (select service.duration_minutes from public.services service where service.id = next_free_times.service_id));
begin
  perform internal.require_admin();
  if wanted_minutes is null or wanted_minutes not between 5 and 20160 or max_rows is null or max_rows not between 1 and 500
     or days is null or days not between 1 and 62
     or coalesce(from_moment, '2026-01-01') not between '2000-01-01' and '2100-01-01' then
    raise exception 'A known service, 5 to 20160 minutes, 1 to 500 times, 1 to 62 days.' using errcode = '22023', hint = 'invalid_slot';
  end if;
  return query select * from internal.free_times(
    service_id, coalesce(from_moment, internal.shop_now()), wanted_minutes, bay_id, ignored_booking_id, max_rows, days);
end
$$;

create function public.save_booking_note(booking_id uuid, note text, seen_note text default null) returns void
  language plpgsql
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := coalesce(trim(note), '');
  standing text;
begin
  perform internal.require_admin();
  select coalesce(internal_note, '') into standing from public.bookings where id = save_booking_note.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- The second of two clicks finds what the first one wrote.
  if standing not in (wanted, coalesce(seen_note, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = standing;
  end if;
  update public.bookings set internal_note = nullif(wanted, '')
  where id = save_booking_note.booking_id and standing <> wanted;
end
$$;

create function public.record_email_failure(email_id uuid, reason text, is_final boolean) returns text
  language sql
  -- The server has no right to write emails.
  security definer
  set search_path = ''
as $$
  with outcome as (
    select email.id, case when rules.is_retried and not is_final then (array[
      -- How long to wait after the first, second … failure; after the last wait comes the last attempt.
      '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '24 hours'
    ]::interval[])[email.attempts] end as wait
    from public.emails email join internal.email_kinds rules using (kind)
    where email.id = email_id and email.status in ('queued', 'retrying')
  )
  update public.emails email
  set status = case when outcome.wait is null then 'failed' else 'retrying' end,
      last_error = left(reason, 500), leased_until = null, next_attempt_at = now() + coalesce(outcome.wait, '0')
  from outcome where outcome.id = email.id
  returning email.status
$$;

create function public.record_email_sent(email_id uuid, outcome text, provider_message_id text) returns void
  language plpgsql
  -- The server has no right to write emails, quote_email_logs and quote_requests.
  security definer
  set search_path = ''
as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(record_email_sent.provider_message_id, 300)
  where email.id = record_email_sent.email_id;
  if outcome = 'sent' then
    perform internal.record_notified_state(record_email_sent.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = record_email_sent.email_id;
  -- A quote request is completed once its reply went out, also when it was sent again (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = record_email_sent.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
end
$$;

create function public.record_odometer(
  vehicle_id uuid, miles integer, read_on date default null, booking_id uuid default null, is_certain boolean default false
)
  returns uuid
  language plpgsql
  -- The admin has no right to write odometer_readings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  known_car uuid := internal.resolve_merged_vehicle(record_odometer.vehicle_id);
  day constant date := coalesce(record_odometer.read_on, internal.shop_now()::date);
  against public.odometer_readings;
  noted uuid;
begin
  perform internal.require_admin();
  select car.id into known_car from public.vehicles car where car.id = known_car and not internal.is_erased(car.customer_id);
  if known_car is null then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  if day > internal.shop_now()::date then
    raise exception 'What an odometer says is read, not foreseen.' using errcode = '22023', hint = 'date_in_future';
  end if;
  if day < '1950-01-01' then
    raise exception 'That long ago nobody read it.' using errcode = '22023', hint = 'date_too_old';
  end if;
  select reading.* into against from public.odometer_readings reading
  where reading.vehicle_id = known_car
    and (reading.read_on < day and reading.miles > record_odometer.miles or reading.read_on > day and reading.miles < record_odometer.miles)
  order by reading.read_on desc limit 1;
  if against.id is not null and not is_certain then
    raise exception 'It said % on %.', against.miles, against.read_on
      using errcode = 'TT098', hint = 'odometer_decreased', detail = jsonb_build_object('miles', against.miles, 'readOn', against.read_on);
  end if;
  insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
  values (known_car, record_odometer.booking_id, record_odometer.miles, day, internal.author_name(null))
  returning id into noted;
  return noted;
end
$$;

create function public.order_bays(bay_ids uuid[], seen_version integer) returns void
  language plpgsql
  -- The admin has no right to write bays.
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_settings_change('bays', seen_version);
  if array(select id from public.bays order by id) <> array(select unnest(bay_ids) order by 1) then
    raise exception 'bay_ids is every bay once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.bays set position = array_position(bay_ids, id) where position <> array_position(bay_ids, id);
end
$$;

create function public.order_services(service_ids uuid[], seen_version integer) returns integer
  language plpgsql
  -- The admin has no right to call begin_settings_change.
  security definer
  set search_path = ''
as $$
begin
  perform internal.begin_settings_change('services', seen_version);
  if array(select id from public.services order by id) <> array(select unnest(service_ids) order by 1) then
    raise exception 'service_ids is every service once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.services set position = array_position(service_ids, id)
  where position is distinct from array_position(service_ids, id);
  return (select version from public.settings_versions where section = 'services');
end
$$;

create function public.queue_quote_reply(message jsonb, log jsonb) returns uuid
  language plpgsql
  -- The server has no right to write emails and quote_email_logs.
  security definer
  set search_path = ''
as $$
declare
  written uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- The admin pressed Send again after a failure: the same message, the same Message-ID.
  on conflict (dedupe_key) do update
    -- Nobody is to find it interrupted before it is claimed.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into written;
  if not found then
    select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, written, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return written;
end
$$;

create function public.queue_visitor_email(message jsonb, is_capped boolean default true) returns uuid
  language plpgsql
  -- The server has no right to write visitor_emails and emails.
  security definer
  set search_path = ''
as $$
declare
  mailbox constant text := internal.normalize_mailbox(message ->> 'recipient_email');
  letter internal.visitor_emails;
  written uuid;
begin
  if not exists (select from internal.email_kinds known where known.kind = message ->> 'kind' and is_visitor_triggered) then
    raise exception 'No visitor causes an e-mail of kind %.', message ->> 'kind' using errcode = '22023';
  end if;
  -- One at a time: what is counted is what is written.
  perform pg_advisory_xact_lock(hashtextextended('letters to visitors', 0));
  select id into written from public.emails where dedupe_key = message ->> 'dedupe_key';
  if found then
    return written;
  end if;
  letter := internal.build_visitor_email(message, mailbox);
  letter.exceeded_limit := case when is_capped then internal.reached_email_limit(letter, mailbox) end;
  insert into internal.visitor_emails select letter.*
    on conflict (dedupe_key) do update
    set exceeded_limit = excluded.exceeded_limit, created_at = excluded.created_at;
  if letter.exceeded_limit is not null then
    return null;
  end if;
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments,
    booking_id, appointment_at, quote_request_id, next_attempt_at
  ) values (
    message ->> 'kind', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'booking_id')::uuid, (message ->> 'appointment_at')::timestamp, (message ->> 'quote_request_id')::uuid,
    coalesce((message ->> 'next_attempt_at')::timestamptz, now())
  ) returning id into written;
  return written;
end
$$;

create function public.read_vehicle(vehicle_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call resolve_merged_vehicle, describe_vehicle and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  car public.vehicles;
begin
  perform internal.require_admin();
  select * into car from public.vehicles known where known.id = internal.resolve_merged_vehicle(read_vehicle.vehicle_id);
  if car.id is null then
    raise exception 'There is no such car.' using errcode = 'TT090', hint = 'vehicle_not_found';
  end if;
  return internal.describe_vehicle(car) || jsonb_build_object(
    'person', (
      select jsonb_build_object('id', person.id, 'version', person.version, 'name', person.name, 'phone', person.phone, 'email', person.email)
      from public.customers person where person.id = car.customer_id),
    'odometer', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', reading.id, 'miles', reading.miles, 'readOn', reading.read_on, 'bookingId', reading.booking_id,
        'recordedBy', reading.recorded_by_name) order by reading.read_on desc, reading.recorded_at desc), '[]')
      from public.odometer_readings reading where reading.vehicle_id = car.id),
    'milesAMonth', internal.miles_per_month(car.id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
          'shopNote', booking.internal_note,
          'miles', (select max(reading.miles) from public.odometer_readings reading where reading.booking_id = booking.id),
          'invoices', (select coalesce(jsonb_agg(internal.describe_customer_invoice(links)), '[]')
                       from public.invoices links where links.booking_id = booking.id))
        order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.vehicle_id = car.id
            order by appointment_date desc, appointment_time desc limit 200) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'service', quote.service_type, 'status', quote.status)
        order by quote.created_at desc), '[]')
      from public.quote_requests quote where quote.vehicle_id = car.id),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from public.estimates estimate where estimate.vehicle_id = car.id),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(links) order by links.created_at desc), '[]')
      from public.invoices links where links.vehicle_id = car.id and links.booking_id is null),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', task.id, 'title', task.title, 'status', task.status, 'createdAt', task.created_at, 'bookingId', task.booking_id)
        order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.vehicle_id = car.id)
         or task.estimate_id in (select id from public.estimates known where known.vehicle_id = car.id)));
end
$$;

create function public.read_day(day date) returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  longest_days constant integer := 14;
  most constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.special_hours_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- By the index of dates: one that began earlier is at most as long as any may be.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit most
      ) booking
    )
  );
end
$$;

create function public.preview_erasure(customer_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call require_customer, list_retained_records and others.
  security definer
  set search_path = ''
as $$
declare
  person constant public.customers := internal.require_customer(preview_erasure.customer_id);
  kept constant jsonb := internal.list_retained_records(person.id);
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'open', internal.list_open_records(person.id), 'kept', kept,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(kept) record),
    'counts', internal.count_customer_records(person.id), 'others', internal.describe_other_texts(person.id),
    'areFilesCleaned', internal.are_files_ours());
end
$$;

create function public.read_estimate(estimate_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to read job_totals. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  answer jsonb;
begin
  perform internal.require_admin();
  select * into estimate from public.estimates where id = read_estimate.estimate_id;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  latest := internal.latest_revision(estimate.id);
  select jsonb_build_object(
    'id', estimate.id, 'number', estimate.number, 'version', estimate.version, 'savedAt', estimate.changed_at,
    'savedBy', estimate.changed_by, 'revision', latest.revision, 'isFrozen', latest.frozen_at is not null,
    'revisionHash', latest.hash, 'state', internal.estimate_state(estimate),
    'sentAt', offered.sent_at, 'sentTo', offered.sent_to, 'seenAt', offered.seen_at, 'answeredAt', offered.decided_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.describe_revision_jobs(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_whole_ledger(estimate.id),
    'customerPath', case when offered.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.latest_sent_revision(estimate.id)).*) offered;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.job_key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, latest.revision, totals.job_key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.job_key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'thread', internal.list_repair_records(estimate.repair_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'letters', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$$;

create function public.read_estimate_link(estimate_id uuid, renew boolean default false) returns text
  language plpgsql
  -- The admin has no right to call renew_links and estimate_token. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(
      (select booking_id from public.estimates where id = read_estimate_link.estimate_id), read_estimate_link.estimate_id);
  end if;
  return '/estimate/' || internal.estimate_token(read_estimate_link.estimate_id);
end
$$;

create function public.read_customer_highlights(booking_id uuid default null, customer_id uuid default null) returns jsonb
  language plpgsql stable
  -- The admin has no right to call require_customer, typed_emails and others.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings;
  person public.customers;
  today constant date := internal.shop_now()::date;
begin
  select * into booking from public.bookings known where known.id = read_customer_highlights.booking_id;
  person := internal.require_customer(coalesce(booking.customer_id, read_customer_highlights.customer_id));
  return jsonb_build_object(
    'personId', person.id, 'carId', booking.vehicle_id, 'typedEmails', internal.typed_emails(person.id),
    'noShows', (select count(*) from public.bookings missed where missed.customer_id = person.id and missed.status = 'no_show'),
    'lastHere', (
      select internal.describe_customer_booking(known) from public.bookings known
      where known.customer_id = person.id and known.id is distinct from booking.id and internal.customer_came(known, today)
        and (booking.id is null or known.occupied < booking.occupied)
      order by known.appointment_date desc, known.appointment_time desc limit 1),
    'ahead', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(known) order by known.occupied), '[]')
      from public.bookings known
      where known.customer_id = person.id and known.id is distinct from booking.id and known.appointment_date >= today - 14
        and internal.is_upcoming(known)),
    'declined', (
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'carId', estimate.vehicle_id)), '[]')
      from (
        select distinct on (known.vehicle_id) known.* from public.estimates known
        where known.customer_id = person.id and (booking.vehicle_id is null or known.vehicle_id = booking.vehicle_id)
          and known.repair_id is distinct from booking.repair_id
          and exists (select from public.authorizations said where said.estimate_id = known.id)
        order by known.vehicle_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.list_declined_jobs(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'carId', estimate.vehicle_id)), '[]')
      from public.estimates estimate
      where estimate.customer_id = person.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$$;

create function public.list_other_bookings(booking_id uuid) returns setof public.bookings
  language plpgsql stable
  -- The admin has no right to call require_admin(), which checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return query
    select other.* from public.bookings booking
    join public.bookings other
      on internal.normalize_phone(other.customer_phone) = internal.normalize_phone(booking.customer_phone)
      and lower(other.customer_name) = lower(booking.customer_name) and other.id <> booking.id
    where booking.id = list_other_bookings.booking_id and other.status <> 'not_confirmed'
    order by other.appointment_date desc, other.appointment_time desc limit 50;
end
$$;

create function public.read_customer(customer_id uuid) returns jsonb
  language plpgsql stable
  -- The admin has no right to call require_customer, gets_reminders and others.
  security definer
  set search_path = ''
as $$
declare
  person constant public.customers := internal.require_customer(read_customer.customer_id);
  today constant date := internal.shop_now()::date;
  most constant integer := 200;
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'email', person.email, 'phone', person.phone,
    'since', person.created_at, 'getsReminders', internal.gets_reminders(person.id),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', contact.id, 'kind', contact.kind, 'value', contact.value,
        'isConfirmed', contact.confirmed_at is not null) order by contact.id), '[]')
      from public.customer_contact_methods contact where contact.customer_id = person.id),
    'typedEmails', internal.typed_emails(person.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_vehicle(car) order by car.created_at), '[]')
      from public.vehicles car where car.customer_id = person.id and car.merged_into is null),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.customer_id = person.id
            order by appointment_date desc, appointment_time desc limit most) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'carId', quote.vehicle_id, 'service', quote.service_type, 'status', quote.status,
        'vehicle', internal.vehicle_line(quote.vehicle_year, quote.vehicle_make, quote.vehicle_model)) order by quote.created_at desc), '[]')
      from (select * from public.quote_requests known where known.customer_id = person.id order by created_at desc limit most) quote),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from (select * from public.estimates known where known.customer_id = person.id order by created_at desc limit most) estimate),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(links) order by links.created_at desc), '[]')
      from (select * from public.invoices known where known.customer_id = person.id order by created_at desc limit most) links),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', task.id, 'title', task.title, 'status', task.status, 'createdAt', task.created_at, 'bookingId', task.booking_id)
        order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.customer_id = person.id)
         or task.estimate_id in (select id from public.estimates known where known.customer_id = person.id)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', note.id, 'note', note.note, 'writtenBy', note.written_by_name, 'createdAt', note.created_at)
        order by note.created_at desc), '[]')
      from public.customer_notes note where note.customer_id = person.id),
    'totals', internal.customer_totals(person.id, today),
    'maybeSame', internal.find_duplicate_candidates(person),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', merge.id, 'name', gone.name, 'mergedAt', merge.merged_at, 'mergedBy', merge.merged_by_name,
        'undoUntil', merge.merged_at + interval '30 days') order by merge.merged_at desc), '[]')
      from public.merges merge join public.customers gone on gone.id = merge.duplicate_id
      where merge.survivor_id = person.id and merge.kind = 'customer' and merge.undone_at is null
        and merge.merged_at >= internal.current_instant() - interval '30 days'));
end
$$;

create function public.read_quote_email(quote_request_id uuid) returns text
  language plpgsql stable
  -- The admin has no right to call email_for_estimate. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return (
    select internal.email_for_estimate(null, quote, null) from public.quote_requests quote where quote.id = read_quote_email.quote_request_id);
end
$$;

create function public.list_repair_records(kind text, id text) returns jsonb
  language plpgsql stable
  -- The admin has no right to call list_repair_records. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return internal.list_repair_records(case list_repair_records.kind
    when 'quote' then (select repair_id from public.quote_requests quote where quote.id = list_repair_records.id::uuid)
    when 'booking' then (select repair_id from public.bookings booking where booking.id = list_repair_records.id::uuid)
    when 'estimate' then (select repair_id from public.estimates estimate where estimate.id = list_repair_records.id::uuid)
    when 'task' then (
      select coalesce(estimate.repair_id, booking.repair_id) from public.tasks task
      left join public.estimates estimate on estimate.id = task.estimate_id
      left join public.bookings booking on booking.id = task.booking_id
      where task.id = list_repair_records.id::uuid)
    when 'invoice' then (
      select estimate.repair_id from public.estimate_invoices claim
      join public.estimates estimate on estimate.id = claim.estimate_id where claim.invoice_id = list_repair_records.id)
  end);
end
$$;

create function public.read_today() returns jsonb
  language plpgsql stable
  -- As the owner: each of its many small reads would ask for the admin again.
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return public.read_day(today) || jsonb_build_object(
    'instant', internal.current_instant(),
    'also_here', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from internal.vehicles_of_other_days(today) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'name', name, 'vehicle_year', vehicle_year, 'vehicle_make', vehicle_make, 'vehicle_model', vehicle_model,
        'service_type', service_type, 'created_at', created_at) order by created_at, id), '[]')
      from internal.unanswered_quotes()),
    'letters', internal.describe_undelivered_emails(),
    'to_notify', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'customer_name', customer_name, 'customer_email', customer_email, 'customer_phone', customer_phone,
        'starts_at', lower(occupied), 'is_cancelled', status = 'cancelled') order by appointment_date, appointment_time, id), '[]')
      from internal.bookings_to_notify()),
    'misfits', internal.describe_schedule_conflicts(),
    'held', internal.describe_held_bookings(),
    'tasks', internal.describe_tasks_waiting_on_customer(),
    'payments', internal.payments_of_day(today),
    'week', internal.describe_week_load(date_trunc('week', today)::date)
  );
end
$$;

create function public.read_visit_page_link(booking_id uuid, renew boolean default false) returns text
  language plpgsql
  -- The admin has no right to call renew_links and visit_page_token. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(read_visit_page_link.booking_id, null);
  end if;
  return '/visit/' || public.visit_page_token(read_visit_page_link.booking_id);
end
$$;

create function public.record_authorization(
  estimate_id uuid, seen_version integer, decisions jsonb, method text, decided_by_name text, relationship text, contact text, statement text,
  decided_at timestamptz, wants_parts_back boolean default false
)
  returns jsonb
  language plpgsql
  -- The admin has no right to write authorizations and estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  act constant uuid := gen_random_uuid();
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_authorization.estimate_id, coalesce(seen_version, -1));
  if record_authorization.method = 'web' then
    raise exception 'Only the customer approves on the page.' using errcode = 'TT074', hint = 'method_not_allowed';
  end if;
  if coalesce(jsonb_array_length(decisions), 0) = 0 then
    raise exception 'Nothing was decided.' using errcode = 'TT077', hint = 'no_decision';
  end if;
  perform internal.refuse_invoiced(estimate);
  if internal.approves_unseen_refusal(estimate.id, decisions) then
    raise exception 'The customer declined this job before.' using errcode = 'TT079', hint = 'declined_before';
  end if;
  latest := internal.freeze_revision(estimate);
  if (decided_at at time zone (select time_zone from public.shop))::date > latest.good_until
     and exists (select from jsonb_array_elements(decisions) decision where decision ->> 'decision' = 'approved') then
    raise exception 'This estimate has expired.' using errcode = 'TT073', hint = 'expired';
  end if;
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, relationship, contact, statement, wants_parts_back,
    decided_at, recorded_by)
  select estimate.id, latest.revision, latest.hash, (decision ->> 'jobKey')::uuid, act, decision ->> 'decision',
    record_authorization.method, trim(record_authorization.decided_by_name), trim(record_authorization.relationship),
    trim(record_authorization.contact), trim(record_authorization.statement), record_authorization.wants_parts_back,
    record_authorization.decided_at, internal.author_name(null)
  from jsonb_array_elements(decisions) with ordinality given (decision, place) order by place;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  update public.estimates
  set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null) where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id) || jsonb_build_object('actId', act);
end
$$;

create function public.remove_special_hours(special_hours_id uuid, seen_version integer, is_preview boolean default false)
  returns setof public.schedule_conflicts
  language plpgsql
  -- The admin has no right to write closures.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    delete from public.special_hours where id = special_hours_id;
    found_misfits := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function public.remove_odometer_reading(reading_id uuid) returns void
  language plpgsql
  -- The admin has no right to write odometer_readings. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.odometer_readings where id = reading_id;
end
$$;

create function public.delete_customer_note(note_id uuid) returns void
  language plpgsql
  -- The admin has no right to write customer_notes. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  delete from public.customer_notes where id = note_id;
end
$$;

create function public.rename_canned_job(canned_job_id uuid, new_title text) returns void
  language plpgsql
  -- The admin has no right to write canned_jobs. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  update public.canned_jobs
  set title = trim(new_title), job = jsonb_set(job, '{title}', to_jsonb(trim(new_title)))
  where id = canned_job_id;
  if not found then
    raise exception 'This job is not kept any more.' using errcode = 'TT071', hint = 'canned_job_not_found';
  end if;
end
$$;

create function public.reopen_bookings(booking_ids uuid[], new_status text default 'confirmed') returns setof uuid
  language plpgsql
  -- The admin has no right to call lock_calendar. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  wanted_id uuid;
begin
  perform internal.require_admin();
  if new_status is null or new_status not in ('confirmed', 'pending', 'not_confirmed', 'arrived', 'in_work') then
    raise exception 'new_status is confirmed, pending, arrived, in_work or not_confirmed.'
      using errcode = '22023', hint = 'invalid_status';
  end if;
  perform internal.lock_calendar();
  for wanted_id in
    select id from public.bookings
    where id = any (booking_ids) and completed_at is null
      -- A car that is here is not sent back by an old tab.
      and status not in ('arrived', 'in_work')
    order by id
  loop
    begin
      update public.bookings
      set status = new_status, held_until = null,
          hold_confirmed_at = case
            when new_status = 'not_confirmed' then null
            when flagged_reasons <> '{}' then coalesce(hold_confirmed_at, internal.current_instant())
          end
      where id = wanted_id;
      return next wanted_id;
    -- Its time was given away, or its customer has five others: it stays exactly as it was, the rest goes on.
    exception when exclusion_violation or sqlstate 'TT042' then
      null;
    end;
  end loop;
end
$$;

create function public.save_bay(
  bay_id uuid, name text, is_active boolean, service_ids uuid[], seen_version integer, is_preview boolean default false,
  technician text default null
)
  returns table (
    booking_id uuid, appointment_date date, appointment_time time, customer_name text, service_name text, new_bay_name text
  )
  language plpgsql
  -- The admin has no right to call begin_settings_change, save_bay_row and others.
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
  moved jsonb := '[]';
begin
  perform internal.begin_settings_change('bays', seen_version);
  begin
    saved := internal.save_bay_row(save_bay.bay_id, save_bay.name, save_bay.is_active, save_bay.technician);
    perform internal.save_bay_services(saved, coalesce(service_ids, '{}'));
    if not save_bay.is_active then
      select coalesce(jsonb_object_agg(moves.booking_id, moves.new_bay_id), '{}') into moved
      from internal.reassign_bay_bookings(saved) moves;
    end if;
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query
    select booking.id, booking.appointment_date, booking.appointment_time, booking.customer_name, booking.service_name, bay.name
    from jsonb_each_text(case when save_bay.is_active then '{}' else moved end) as moves(booking, bay)
    join public.bookings booking on booking.id = moves.booking::uuid
    left join public.bays bay on bay.id = moves.bay::uuid
    order by booking.occupied;
end
$$;

create function public.save_vehicle(
  vehicle_id uuid, seen_version integer, customer_id uuid, year text, make text, model text, color text, plate text, vin text, note text
)
  returns uuid
  language plpgsql
  -- The admin has no right to write cars. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  plain_vin constant text := nullif(upper(regexp_replace(save_vehicle.vin, '[^[:alnum:]]+', '', 'g')), '');
  saved uuid;
begin
  perform internal.require_admin();
  if plain_vin is not null and not internal.is_vin(plain_vin) then
    raise exception 'This VIN is not right: 17 characters, and the ninth must fit the others.' using errcode = 'TT097', hint = 'invalid_vin';
  end if;
  if internal.vehicle_key('', save_vehicle.make, save_vehicle.model) is null and plain_vin is null and internal.plate_key(save_vehicle.plate) is null then
    raise exception 'A car has a make, a model, a plate or a VIN.' using errcode = '22023', hint = 'vehicle_incomplete';
  end if;
  if save_vehicle.vehicle_id is null then
    insert into public.vehicles (customer_id) select id from public.customers where id = internal.resolve_merged_customer(save_vehicle.customer_id) returning id into saved;
  else
    saved := (internal.lock_vehicle(save_vehicle.vehicle_id, seen_version)).id;
  end if;
  if saved is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.vehicles car
  set year = nullif(trim(save_vehicle.year), ''), make = nullif(trim(save_vehicle.make), ''), model = nullif(trim(save_vehicle.model), ''),
      color = nullif(trim(save_vehicle.color), ''), plate = nullif(upper(trim(save_vehicle.plate)), ''), vin = plain_vin,
      internal_note = nullif(trim(save_vehicle.note), '')
  where id = saved;
  return saved;
end
$$;

create function public.save_special_hours(
  special_hours_id uuid, starts_at timestamp, ends_at timestamp, is_open boolean, bay_id uuid, reason text, is_public boolean,
  seen_version integer, is_preview boolean default false
)
  returns setof public.schedule_conflicts
  language plpgsql
  -- The admin has no right to write closures.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    if special_hours_id is null then
      insert into public.special_hours (starts_at, ends_at, is_open, bay_id, reason, is_public)
      values (save_special_hours.starts_at, save_special_hours.ends_at, save_special_hours.is_open, save_special_hours.bay_id,
              trim(save_special_hours.reason), save_special_hours.is_public);
    else
      update public.special_hours
      set starts_at = save_special_hours.starts_at, ends_at = save_special_hours.ends_at, is_open = save_special_hours.is_open,
          bay_id = save_special_hours.bay_id, reason = trim(save_special_hours.reason), is_public = save_special_hours.is_public
      where id = special_hours_id;
    end if;
    found_misfits := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  language plpgsql
  -- The admin has no right to write estimates and estimate_revisions. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.save_revision_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_saved_estimate(estimate.id);
end
$$;

create function public.save_opening_hours(hours jsonb, seen_version integer, is_preview boolean default false)
  returns setof public.schedule_conflicts
  language plpgsql
  -- The admin has no right to write opening_hours.
  security definer
  set search_path = ''
as $$
declare
  found_misfits public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('hours', seen_version);
  begin
    delete from public.opening_hours
    where weekday not in (select said.weekday from jsonb_to_recordset(hours) as said(weekday smallint));
    insert into public.opening_hours as known (weekday, opens_minute, closes_minute)
    select weekday, opens_minute, closes_minute
    from jsonb_to_recordset(hours) as said(weekday smallint, opens_minute smallint, closes_minute smallint)
    on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute
    where (known.opens_minute, known.closes_minute) <> (excluded.opens_minute, excluded.closes_minute);
    found_misfits := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(found_misfits);
end
$$;

create function public.save_customer(
  customer_id uuid, seen_version integer, name text, email text, phone text, may_share_email boolean default false
)
  returns integer
  language plpgsql
  -- The admin has no right to write people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  person public.customers;
  other public.customers;
  new_email constant text := nullif(trim(save_customer.email), '');
  saved integer;
begin
  perform internal.require_admin();
  perform internal.lock_contact_keys(array[lower(new_email), internal.normalize_phone(save_customer.phone)]);
  person := internal.lock_customer(save_customer.customer_id, seen_version);
  if new_email is not null and not internal.is_email_address(new_email) then
    raise exception 'This is no e-mail address.' using errcode = '22023', hint = 'invalid_email';
  end if;
  if not (internal.is_single_line_text(save_customer.name, 1, 200) and internal.is_single_line_text(coalesce(save_customer.phone, ''), 0, 40)) then
    raise exception 'A name and a number are lines of text that is seen.' using errcode = '23514', hint = 'invalid_contact';
  end if;
  select known.* into other
  from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
  where contact.kind = 'email' and contact.match_key = lower(new_email) and known.id <> person.id limit 1;
  if other.id is not null and lower(new_email) is distinct from lower(person.email) and not may_share_email then
    -- A message stands in the log of the database, its detail does not.
    raise exception 'This address is somebody else''s.'
      using errcode = 'TT096', hint = 'email_in_use', detail = jsonb_build_object('id', other.id, 'name', other.name);
  end if;
  update public.customers known
  set name = trim(save_customer.name), email = new_email, phone = nullif(trim(save_customer.phone), '')
  where known.id = person.id returning version into saved;
  perform internal.add_contact_methods(person.id, new_email, save_customer.phone);
  return saved;
end
$$;

create function public.save_service(
  service_id uuid, name text, description text, duration_minutes integer, price_from_cents integer, is_active boolean,
  bay_ids uuid[], seen_version integer
)
  returns uuid
  language plpgsql
  -- The admin has no right to call save_service_bays. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  saved uuid;
begin
  perform internal.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  if save_service.service_id is null then
    -- Behind the others, once they have an order.
    insert into public.services (name, description, duration_minutes, price_from_cents, is_active, position)
    select trim(save_service.name), trim(save_service.description), save_service.duration_minutes,
           save_service.price_from_cents, save_service.is_active, max(position) + 1
    from public.services
    returning id into saved;
  else
    update public.services
    set name = trim(save_service.name), description = trim(save_service.description),
        duration_minutes = save_service.duration_minutes, price_from_cents = save_service.price_from_cents,
        is_active = save_service.is_active
    where id = save_service.service_id and version = seen_version
    returning id into saved;
    if saved is null then
      raise exception 'This service was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict';
    end if;
  end if;
  if bay_ids is not null or save_service.service_id is null then
    perform internal.save_service_bays(saved, coalesce(bay_ids, '{}'));
  end if;
  return saved;
end
$$;

create function public.search_everything(term text, max_rows integer default 5) returns jsonb
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  at_most constant integer := least(greatest(coalesce(max_rows, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- What a visit's own id begins with, as its story and its letters name it.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  people uuid[];
  cars uuid[];
  visits uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  people := array(select internal.search_customers(term, at_most));
  cars := array(select internal.search_vehicles(term, at_most));
  if people = '{}' and cars = '{}' then
    select coalesce(array_agg(distinct customer_id) filter (where customer_id is not null), '{}'),
           coalesce(array_agg(distinct vehicle_id) filter (where vehicle_id is not null), '{}')
    into people, cars from internal.search_bookings(term, at_most);
  else
    cars := cars || array(
      select car.id from public.vehicles car where car.customer_id = any (people) and car.merged_into is null and car.id <> all (cars)
      order by car.created_at desc limit greatest(at_most - cardinality(cars), 0));
  end if;
  visits := array(
    select id from (
      (select id, occupied from public.bookings where customer_id = any (people) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where vehicle_id = any (cars) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, people, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(internal.describe_customer_hit(person, today) order by place), '[]')
      from unnest(people) with ordinality as ranked (id, place) join public.customers person on person.id = ranked.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_vehicle(car) || jsonb_build_object('personName', person.name) order by place), '[]')
      from unnest(cars) with ordinality as ranked (id, place)
      join public.vehicles car on car.id = ranked.id join public.customers person on person.id = car.customer_id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) || jsonb_build_object(
        'personId', booking.customer_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(visits[1:at_most]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_document_hit(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= at_most),
    'counts', jsonb_build_object('visits', cardinality(visits), 'documents', jsonb_array_length(documents)));
end
$$;

create function public.set_customer_reminders(customer_id uuid, gets_reminders boolean) returns void
  language plpgsql
  -- The admin has no right to write people. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  person uuid;
begin
  perform internal.require_admin();
  select id into person from public.customers
  where id = internal.resolve_merged_customer(set_customer_reminders.customer_id) and merged_into is null and erased_at is null for update;
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  with recursive known as (
    select id from public.customers where id = person
    union
    select gone.id from known join public.customers gone on gone.merged_into = known.id
  )
  update public.customers
  set gets_reminders = set_customer_reminders.gets_reminders
  where id in (select id from known) and customers.gets_reminders <> set_customer_reminders.gets_reminders
    -- What is taken apart again keeps its no; only a yes has to be said of all.
    and (id = person or set_customer_reminders.gets_reminders);
end
$$;

create function public.needs_attention() returns boolean
  language plpgsql stable
  -- The admin has no right to call list_arrived_bookings, unanswered_quotes and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  return exists (select from internal.list_arrived_bookings(internal.shop_now()))
    or exists (select from internal.unanswered_quotes())
    or exists (select from internal.list_undelivered_emails())
    or exists (select from internal.bookings_to_notify())
    or exists (select from public.schedule_conflicts);
end
$$;

create function public.split_booking(booking_id uuid) returns uuid
  language plpgsql
  -- The admin has no right to write estimates, odometer_readings and invoices.
  security definer
  set search_path = ''
as $$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former constant uuid := booking.customer_id;
  person uuid;
begin
  if internal.is_erased(former) then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former for update;
  person := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = person,
      vehicle_id = internal.find_or_create_vehicle(person, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = person, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices links set customer_id = person, vehicle_id = booking.vehicle_id where links.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former, person);
  return person;
end
$$;

create function public.split_vehicle(vehicle_id uuid, seen_version integer) returns uuid
  language plpgsql
  -- The admin has no right to write cars, estimates and invoices. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  car public.vehicles;
  latest public.bookings;
  person uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  car := internal.lock_vehicle(split_vehicle.vehicle_id, seen_version);
  select * into latest from public.bookings booking
  where booking.vehicle_id = car.id and not internal.is_erased(booking.customer_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment says whose this car is.' using errcode = 'TT090', hint = 'vehicle_without_booking';
  end if;
  -- Everything about the car goes along: not to an address that was only typed online.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_contact_keys(array[lower(latest.customer_email), internal.normalize_phone(latest.customer_phone)]);
  perform from public.customers where id = car.customer_id for update;
  person := internal.create_customer_from_booking(latest);
  update public.vehicles set customer_id = person where id = car.id;
  update public.bookings booking set customer_id = person where booking.vehicle_id = car.id and not internal.is_erased(booking.customer_id);
  update public.quote_requests quote set customer_id = person where quote.vehicle_id = car.id and not internal.is_erased(quote.customer_id);
  update public.estimates estimate set customer_id = person where estimate.vehicle_id = car.id and not internal.is_erased(estimate.customer_id);
  update public.invoices links set customer_id = person where links.vehicle_id = car.id and not internal.is_erased(links.customer_id);
  perform internal.delete_split_contact_methods(car.customer_id, person);
  return person;
end
$$;

create function public.set_task_customer_note(task_id uuid, note text) returns void
  language plpgsql
  -- The admin has no right to write tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
begin
  perform internal.require_admin();
  perform internal.lock_task(task_id);
  update public.tasks set customer_note = trim(coalesce(note, '')) where id = task_id;
end
$$;

create function public.unmerge(merge_id uuid) returns void
  language plpgsql
  -- The admin has no right to call lock_calendar and unmerge_records. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  merge public.merges;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  select * into merge from public.merges where id = merge_id for update;
  if merge.id is null then
    raise exception 'There is no such merge.' using errcode = 'TT090', hint = 'merge_not_found';
  end if;
  -- The second of two clicks finds what the first one wanted.
  if merge.undone_at is not null then
    return;
  end if;
  if merge.merged_at < internal.current_instant() - interval '30 days' then
    raise exception 'A merge is taken apart within 30 days.' using errcode = 'TT094', hint = 'unmerge_expired';
  end if;
  if merge.parent_merge_id is not null or exists (
    select from public.merges later where later.duplicate_id = merge.survivor_id and later.undone_at is null) then
    raise exception 'Take the merge of both apart first.' using errcode = 'TT095', hint = 'later_merge_exists';
  end if;
  perform from public.customers where id in (merge.survivor_id, merge.duplicate_id) order by id for update;
  perform internal.unmerge_records(merge);
end
$$;

create function public.update_task_status(
  task_id uuid, new_status text, note text default null, changed_by text default null,
  changed_by_name text default null, seen_status text default null
)
  returns public.tasks
  language plpgsql
  -- The admin has no right to write task_status_history and tasks. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  task public.tasks;
  written_note constant text := nullif(trim(update_task_status.note), '');
begin
  perform internal.require_admin();
  task := internal.lock_task(update_task_status.task_id);
  if task.status = update_task_status.new_status then
    if written_note is not null then
      perform public.add_task_note(task.id, written_note, update_task_status.changed_by, update_task_status.changed_by_name);
    end if;
    return task;
  end if;
  if task.status <> update_task_status.seen_status then
    raise exception 'This task was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict', detail = task.status;
  end if;
  insert into public.task_status_history (task_id, old_status, new_status, note, changed_by, changed_by_name)
  values (task.id, task.status, update_task_status.new_status, written_note, update_task_status.changed_by,
          internal.author_name(update_task_status.changed_by_name));
  update public.tasks
  set status = update_task_status.new_status,
      completed_at = case when update_task_status.new_status = 'completed' then now() end,
      ready_for_pickup_at = null
  where id = task.id
  returning * into task;
  return task;
end
$$;

create function public.use_todays_tax_rate(estimate_id uuid, seen_version integer) returns jsonb
  language plpgsql
  -- The admin has no right to write estimate_revisions and estimates. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(use_todays_tax_rate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  if draft > 1 and not exists (select from public.estimate_jobs job where job.estimate_id = estimate.id and job.revision = draft) then
    perform internal.save_revision_jobs(estimate.id, draft, internal.describe_revision_jobs(estimate.id, draft - 1));
  end if;
  update public.estimate_revisions revision set tax_rate = internal.tax_rate_on(internal.shop_now()::date)
  where revision.estimate_id = estimate.id and revision.revision = draft;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;

create function public.use_typed_email(booking_id uuid default null, quote_request_id uuid default null) returns text
  language plpgsql
  -- The admin has no right to call link_waiting_booking, lock_contact_keys and others. require_admin() checks the caller.
  security definer
  set search_path = ''
as $$
declare
  record record;
  person uuid;
  offered text;
begin
  perform internal.require_admin();
  perform internal.link_waiting_booking(use_typed_email.booking_id);
  select booking.customer_id, booking.customer_email as email into record
  from public.bookings booking where booking.id = use_typed_email.booking_id for key share;
  if record.customer_id is null then
    select quote.customer_id, quote.email into record
    from public.quote_requests quote where quote.id = use_typed_email.quote_request_id for key share;
  end if;
  perform internal.lock_contact_keys(array[lower(trim(record.email))]);
  select id into person from public.customers
  where id = internal.resolve_merged_customer(record.customer_id) and merged_into is null and erased_at is null for update;
  if person is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if internal.is_their_email(person, record.email) then
    return trim(record.email);
  end if;
  select typed ->> 'email' into offered from jsonb_array_elements(internal.typed_emails(person)) typed
  where lower(trim(typed ->> 'email')) = lower(trim(record.email));
  if offered is null or not internal.is_email_address(trim(offered)) then
    raise exception 'This address is not offered.' using errcode = 'TT100', hint = 'email_not_offered';
  end if;
  perform internal.confirm_email(person, offered, internal.author_name(null));
  return trim(offered);
end
$$;

create function public.vehicle_facts(booking public.bookings) returns jsonb
  language sql stable
  -- The admin has no right to call vehicle_facts.
  security definer
  set search_path = ''
  return case when (select internal.is_admin()) then internal.vehicle_facts(booking) end;

create function public.visit_page_token(booking_id uuid) returns text
  language sql stable
  -- The server has no right to read secrets.
  security definer
  set search_path = ''
  return (
    select rtrim(translate(encode(
      decode(replace(booking.id::text, '-', ''), 'hex')
        || substring(internal.hmac_sha256(
             -- The first link is signed as it was before there was another.
             'visit ' || booking.id || case when booking.link_version > 1 then ' ' || booking.link_version else '' end,
             value) from 1 for 16), 'base64'), '+/', '-_'), '=')
    from internal.secrets, public.bookings booking
    where name = 'visit_key' and booking.id = visit_page_token.booking_id
  );

create function stripe_sandbox.forget_invoices(numbers text[]) returns text[]
  language plpgsql
  set search_path = ''
as $$
declare
  gone text[] := array(select id from stripe_sandbox.objects where object = 'invoice' and data ->> 'number' = any (numbers));
  gone_customers constant text[] := array(
    select distinct data ->> 'customer' from stripe_sandbox.objects where id = any (gone));
  forgotten_events text[];
begin
  gone := gone || array(
    select id from stripe_sandbox.objects
    where object in ('invoiceitem', 'invoice_payment') and data ->> 'invoice' = any (gone)
       or object = 'checkout.session' and data #>> '{metadata,invoice_id}' = any (gone));
  gone := gone || array(
    select data #>> '{payment,payment_intent}' from stripe_sandbox.objects where object = 'invoice_payment' and id = any (gone)
    union
    select data ->> 'payment_intent' from stripe_sandbox.objects where object = 'checkout.session' and id = any (gone));
  gone := gone || array(
    select id from stripe_sandbox.objects where object in ('charge', 'refund') and data ->> 'payment_intent' = any (gone));
  -- A customer whom the shop has made an invoice of its own for stays.
  gone := gone || array(
    select wanted from unnest(gone_customers) wanted
    where not exists (select from stripe_sandbox.objects
                      where object = 'invoice' and data ->> 'customer' = wanted and id <> all (gone)));
  delete from stripe_sandbox.idempotency_keys where body ->> 'id' = any (gone);
  forgotten_events := array(
    select id from stripe_sandbox.objects where object = 'event' and data #>> '{data,object,id}' = any (gone));
  -- In the order in which whoever delivers one takes them: delivery, event.
  delete from stripe_sandbox.event_deliveries where event_id = any (forgotten_events);
  delete from stripe_sandbox.objects where id = any (gone || forgotten_events);
  return forgotten_events;
end
$$;

-- Who may call them, and what they are for.
comment on function internal.hmac_sha256(text, text) is 'HMAC (RFC 2104) with the built-in SHA-256: pgcrypto is not everywhere.';
comment on function internal.search_condition(text) is
  'SQL that holds where search_text has the word; of one or two letters, where a word begins with them.';
comment on function internal.search_words(text) is
  'What to look for, as it is compared: the digits of a phone number as one word, else every word.';
comment on function internal.changed_columns(jsonb, jsonb) is
  'The columns of the first row that differ in the second, as they are in the first; null when none does.';
comment on function internal.begin_settings_change(text, integer) is
  'Lets the admin change a list that is still the one they saw, while nobody places an appointment.';
comment on function internal.roll_back_preview() is 'Takes back what was done in the block that catches TT050.';
comment on function internal.action_done(text) is 'The outcome of an action that was carried out, or had been before.';
comment on function internal.action_refused(text) is 'The outcome of an action that was refused.';
comment on function internal.shop_now() is 'Wall-clock time at the shop, whatever the zone of the session.';
grant execute on function internal.shop_now() to anon, authenticated, shop_server;
comment on function internal.format_duration(integer) is
  'A length as people say it, as domain/text/duration-text.ts does: 75 is ''1 hour and 15 minutes''.';
comment on function internal.minutes_of_day(date, tsmultirange) is
  'Spans of a day as domain/calendar/opening-hours.ts has them: minutes after midnight.';
comment on function internal.booking_range(date, time, integer) is
  'When an appointment takes its bay: bookings.occupied of one that is not there yet. Refuses what is none.';
comment on function internal.is_quiet_hours() is 'Whether people near the shop are not to be written to: from 9 PM to 8 AM, shop time.';
comment on function internal.bay_can_do_service(uuid, uuid) is 'Whether a bay can do a service; any bay can, when it is null.';
comment on function public.save_opening_hours(jsonb, integer, boolean) is
  'Saves the week ([{weekday, opens_minute, closes_minute}], one that is left out is closed) when the section hours is of the '
  'expected version; returns the misfits afterwards. A preview returns them and changes nothing.';
grant execute on function public.save_opening_hours(jsonb, integer, boolean) to authenticated;
comment on function public.save_special_hours(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean) is
  'Adds a closure or special opening (special_hours_id null) or changes one, as save_opening_hours saves the week.';
grant execute on function public.save_special_hours(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean)
  to authenticated;
comment on function public.remove_special_hours(uuid, integer, boolean) is
  'Removes a closure or special opening, as save_opening_hours saves the week.';
grant execute on function public.remove_special_hours(uuid, integer, boolean) to authenticated;
comment on function internal.save_bay_services(uuid, uuid[]) is 'Makes these the only services of a bay; none is all.';
comment on function internal.save_bay_row(uuid, text, boolean, text) is
  'Adds or changes a bay; refuses to switch off the last one. No technician named leaves the one there is.';
comment on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) is
  'Adds a bay (bay_id null) or changes one, when the section bays is of the expected version; no service_ids is all services. '
  'When it is switched off, returns its appointments ahead with the bay that each is moved to, null where none fits. A '
  'preview returns them and changes nothing. An empty technician is nobody, null leaves who it was.';
grant execute on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) to authenticated;
comment on function public.order_bays(uuid[], integer) is 'Puts all bays in this order, when the section bays is of the expected version.';
grant execute on function public.order_bays(uuid[], integer) to authenticated;
comment on function public.list_special_days() is
  'The days that a closure or special opening touches: all that can be booked today and in the week to come, and the first '
  'month of the next public closure after them. Each with the shop''s hours ([{opensAtMinute, closesAtMinute}]) and what '
  'list_open_days says of it.';
grant execute on function public.list_special_days() to shop_server;
comment on function public.order_services(uuid[], integer) is
  'Puts all services in this order, when the section services is of the expected version; returns the version it is of '
  'then.';
grant execute on function public.order_services(uuid[], integer) to authenticated;
comment on function internal.save_service_bays(uuid, uuid[]) is
  'Lets only these bays do a service; none is any bay. Refuses to leave a bay without a service.';
comment on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer) is
  'Adds a service (service_id null) or changes the one that is still of the expected version. bay_ids are the only bays that '
  'can do it; none is any bay, null leaves them as they are. Appointments keep what they were booked with.';
grant execute on function public.save_service(uuid, text, text, integer, integer, boolean, uuid[], integer)
  to authenticated;
comment on function internal.with_service_name(jsonb) is
  'The columns of a row with the name of its service in the place of the service''s id.';
comment on column public.customers.email is 'Where they are written to; the others they were known by are in customer_contact_methods.';
comment on column public.customers.phone is 'As it was typed; the others they were known by are in customer_contact_methods.';
comment on column public.customers.phone_key is 'The number in its one form (internal.normalize_phone); null when it is nobody''s.';
comment on column public.customers.search_text is 'What the search looks through (internal.normalize_search_text).';
comment on function internal.name_words(text) is 'The words of a name, as it is compared.';
comment on function internal.names_agree(text, text) is
  'Whether two names can be one person''s: all words of one are in the other (Maria, Maria Delgado).';
comment on function internal.lock_contact_keys(text[]) is
  'Lets nobody else make or find the person of these addresses (in lower case) and numbers (in their one form) until the '
  'transaction ends. Taken after every other lock.';
comment on function internal.find_customer_by_email(text, text) is 'Whose address it is; null when nobody''s.';
comment on function internal.find_customer_by_phone(text, text, boolean) is
  'Whose number it is: of those whose name can be this one, else, for a caller without an address, the only one who has it. Who '
  'brings an address that is new is one who has another only where nobody else can be meant.';
comment on function internal.add_contact_methods(uuid, text, text, boolean) is
  'Remembers that a customer is known by an address and a number; is_confirmed is false for an address that was typed online.';
comment on function internal.find_customer(internal.customer_details) is 'The person that a record names; null when it is nobody known.';
comment on function internal.find_or_create_customer(internal.customer_details) is 'The person that a record names, made when nobody is known.';
comment on function internal.backfill_booking_customers(integer) is
  'Links the oldest appointments that belong to nobody yet; returns how many.';
comment on function internal.backfill_quote_request_customers(integer) is 'Links the oldest quote requests that belong to nobody yet; returns how many.';
comment on function internal.backfill_customers(integer) is
  'Links up to so many appointments and so many quote requests that belong to nobody yet, the oldest first; returns how many, 0 '
  'once all are linked. Whoever is interrupted begins where it stopped.';
grant execute on function internal.backfill_customers(integer) to shop_server;
comment on function internal.analyze_customers() is
  'Tells the planner how many people there are: in the minute until it would notice, each look for one reads all of them.';
grant execute on function internal.analyze_customers() to shop_server;
comment on function internal.customer_came(public.bookings, date) is 'Whether somebody was here: who was neither cancelled nor missed (docs/product.md 12.6).';
comment on function internal.describe_customer_booking(public.bookings) is 'An appointment in a list of somebody''s; startsAt is the shop''s wall clock.';
comment on function internal.list_declined_jobs(uuid) is 'The jobs of an estimate that its customer declined last: [{title, cents, saidAt}].';
comment on function internal.describe_customer_estimate(public.estimates) is
  'An estimate in a list of somebody''s: its first job and how many there are, what it comes to, what was declined.';
comment on function internal.invoice_paid_cents(public.invoices) is 'What was paid of an invoice, by the ledger, else by the processor''s word.';
comment on function internal.describe_customer_invoice(public.invoices) is 'An invoice in a list of somebody''s.';
comment on function internal.find_duplicate_candidates(public.customers) is
  'Who may be the same: up to five who share an address or a number (why: email, phone) and were not told apart.';
comment on function internal.require_customer(uuid) is 'Who a person is now, for the admin.';
comment on function public.read_customer(uuid) is
  'Everything of a person in one read (contracts/customers.ts), the latest 200 of each kind; an id that was merged leads to who it is.';
grant execute on function public.read_customer(uuid) to authenticated;
comment on function internal.is_upcoming(public.bookings) is 'Whether an appointment stands and is not over.';
comment on function internal.list_customer_emails(uuid) is 'Every letter about a person''s records, and those to their address that are about none.';
comment on function internal.customer_totals(uuid, date) is 'What a person''s records come to.';
comment on function public.read_customer_highlights(uuid, uuid) is
  'What matters where somebody is booked, or an appointment of theirs is open: how often they were missed, when they were last '
  'here (before it), what else stands ahead, what was declined last, which estimates are open.';
grant execute on function public.read_customer_highlights(uuid, uuid) to authenticated;
comment on function public.save_customer(uuid, integer, text, text, text, boolean) is
  'Writes how a person is called and reached, over the version that was seen (TT051), and returns the new one. An address that '
  'somebody else is known by is asked about first (TT096, the detail says whose). What they were known by before stays known.';
grant execute on function public.save_customer(uuid, integer, text, text, text, boolean) to authenticated;
comment on function public.delete_contact_method(bigint) is 'No record finds a person by this address or number any more.';
grant execute on function public.delete_contact_method(bigint) to authenticated;
comment on function public.add_customer_note(uuid, text) is 'Writes down what staff tell each other about a person.';
grant execute on function public.add_customer_note(uuid, text) to authenticated;
comment on function public.delete_customer_note(uuid) is 'Takes a note about a person away.';
grant execute on function public.delete_customer_note(uuid) to authenticated;
comment on function internal.list_contact_keys(uuid[]) is 'All addresses and numbers by which people are found.';
comment on function internal.gets_reminders(uuid) is
  'Whether somebody is reminded: unless they, or one who was merged into them, wanted none. Nobody known is.';
comment on function public.set_customer_reminders(uuid, boolean) is
  'Notes whether a person, also as those who were merged into them, is reminded before a visit.';
grant execute on function public.set_customer_reminders(uuid, boolean) to authenticated;
comment on function internal.is_known_customer(text, text) is
  'Whether an email address and a phone number both belong to one customer who has a completed appointment.';
comment on function internal.is_their_email(uuid, text) is
  'Whether an address is a customer''s own: confirmed, or the one that they became known by.';
comment on function internal.was_typed_online(uuid) is 'Whether a visitor made an appointment on the website, not staff.';
comment on function internal.typed_email(public.bookings) is
  'The address of an appointment that was only typed online: it is not known to be its customer''s. Null for every other.';
comment on function internal.own_email(public.bookings) is 'The address of an appointment where it is its customer''s; else null.';
comment on function internal.booking_customer_details(public.bookings, boolean) is 'Whom an appointment names.';
comment on function internal.quote_request_customer_details(public.quote_requests) is 'Whom a quote request names; only visitors write one.';
comment on function internal.main_email(uuid) is 'Where a customer is written to; null while that address was only typed online, or there is none.';
comment on function internal.typed_emails(uuid) is
  'The addresses that were typed online in a customer''s name and are not known to be theirs: [{email, bookingId, quoteRequestId, '
  'typedAt}], the latest three, each with the record that it came with. None of a held, cancelled, missed or unconfirmed appointment.';
comment on function internal.confirm_email(uuid, text, text) is
  'Makes an address one of a customer''s: their main one where they have none. The caller holds the locks of the address and the customer.';
comment on function public.use_typed_email(uuid, uuid) is
  'Makes the address that was typed online with an appointment or a quote request one of its customer''s, and returns it. Refused '
  '(TT100) where the record does not stand, or its address is none. The second of two clicks finds it done.';
grant execute on function public.use_typed_email(uuid, uuid) to authenticated;
comment on function internal.is_confirmed_email(uuid, text) is
  'Whether staff wrote or confirmed an address of a customer, or the customer said that it is theirs.';
comment on function internal.email_of_bookings(uuid[]) is
  'The address of somebody by their appointments, latest first: one of their customer''s own, from an appointment that stands, '
  'else the customer''s main one; null for none.';
comment on function internal.addresses_to_ask(integer) is
  'Appointments whose address was typed online in the name of a customer who has another one, with the one at which they are asked.';
grant execute on function internal.addresses_to_ask(integer) to shop_server;
comment on function internal.address_token(uuid) is
  'What the address of the page ends in that asks whether an appointment''s address is its customer''s; null when there is none.';
grant execute on function internal.address_token(uuid) to shop_server;
comment on function internal.address_question_state(public.bookings) is
  'open can be answered, answered was, closed cannot: the appointment does not stand, its address is known, or 30 days are over.';
comment on function internal.read_address_question(uuid) is
  'What the page of an address question says: {state, email, date, time}; null when there is no such appointment.';
grant execute on function internal.read_address_question(uuid) to shop_server;
comment on function internal.answer_address_question(uuid) is
  'The customer says, at an address of theirs, that the address of an appointment is theirs too: confirmed, once; else the state of '
  'the question.';
grant execute on function internal.answer_address_question(uuid) to shop_server;
comment on column public.vehicles.vehicle_key is 'By which the next record of the same person finds it (internal.vehicle_key).';
comment on column public.vehicles.search_text is 'What the search looks through (internal.normalize_search_text).';
comment on function internal.find_vehicle(uuid, internal.vehicle_details) is
  'Which of a person''s cars is described: by VIN, plate, or year, make and model; null when it is none of them.';
comment on function internal.find_or_create_vehicle(uuid, internal.vehicle_details, timestamptz, boolean) is
  'The car of a person that a record describes, made when it is new; null when it describes none.';
comment on function internal.fill_missing_plate_and_vin(uuid, internal.vehicle_details) is 'Writes plate and VIN where a car has none yet; returns the car.';
comment on function internal.vehicle_line(text, text, text) is 'A car in one line; empty when nothing of it is known.';
comment on function internal.describe_vehicle(public.vehicles) is 'A car with what its odometer said last.';
comment on function public.read_vehicle(uuid) is
  'Everything of a car in one read (contracts/customers.ts); an id that was merged leads to the car that it is.';
grant execute on function public.read_vehicle(uuid) to authenticated;
comment on function internal.miles_per_month(uuid) is 'How far a car is driven in a month, by its last twelve readings; null within thirty days.';
comment on function public.save_vehicle(uuid, integer, uuid, text, text, text, text, text, text, text) is
  'Adds a car to a person (vehicle_id null) or changes the one that is still of the expected version (TT051); returns its id. A VIN '
  'whose check digit is wrong is refused (TT097).';
grant execute on function public.save_vehicle(uuid, integer, uuid, text, text, text, text, text, text, text)
  to authenticated;
comment on function public.change_vehicle_owner(uuid, integer, uuid) is
  'Notes that somebody else drives a car now. What was done to it stays with who came with it, and in the story of the car.';
grant execute on function public.change_vehicle_owner(uuid, integer, uuid) to authenticated;
comment on function public.record_odometer(uuid, integer, date, uuid, boolean) is
  'Notes what an odometer said on a day (today), and in which visit. Less than before, or more than later, is asked about first '
  '(TT098, the detail says against which).';
grant execute on function public.record_odometer(uuid, integer, date, uuid, boolean) to authenticated;
comment on function public.remove_odometer_reading(uuid) is 'Takes back a reading that was a mistake.';
grant execute on function public.remove_odometer_reading(uuid) to authenticated;
comment on column public.merges.moved_rows is 'Keys of the rows that moved, by table and column: {"public.bookings.customer_id": […]}.';
comment on function internal.list_references_without_merge_rule() is 'Foreign keys to people and cars, from the catalog, that no rule of a merge knows.';
comment on function internal.move_references(text, uuid, uuid) is
  'Moves every row that belongs to one person or car to another; returns which, by table and column.';
comment on function internal.move_references_back(public.merges) is
  'Gives back what a merge moved and nobody has moved on since.';
comment on function internal.resolve_merged_customer(uuid) is
  'Who a person turned out to be: the id itself, or where merges lead from it; null for none and for one who was erased.';
comment on function internal.resolve_merged_vehicle(uuid) is 'Which car one turned out to be: the id itself, or where merges lead from it; null for none.';
comment on function internal.lock_customer(uuid, integer) is
  'A person of the expected version, whom nobody else changes until the transaction ends.';
comment on function internal.lock_vehicle(uuid, integer) is 'A car of the expected version, which nobody else changes until the transaction ends.';
comment on function internal.refuse_self_merge(uuid, uuid) is 'Refuses to merge one with itself or with nothing.';
comment on function internal.merge_vehicle_rows(public.vehicles, public.vehicles, uuid) is
  'Makes one car of two; what only one of them says stays said. Returns the merge.';
comment on function internal.survivor_changes(jsonb, jsonb) is 'What a merge changed of the one that is kept: {column: {before, after}}.';
comment on function public.merge_customers(uuid, uuid, integer, integer, text[]) is
  'Puts two people together and returns the merge: everything of the second becomes the first''s, cars that are the same become '
  'one, and the second''s id leads to the first. fields_from_duplicate names what is taken from the second where both say something: '
  'name, email, phone; the other stays known too. Both are of the versions that were seen.';
grant execute on function public.merge_customers(uuid, uuid, integer, integer, text[]) to authenticated;
comment on function internal.find_same_vehicle(uuid, public.vehicles) is 'Another car of a person that is this one, as docs/product.md 16.2 says; null when none is.';
comment on function public.merge_vehicles(uuid, uuid, integer, integer) is
  'Makes one of two cars of a person and returns the merge: everything of the second becomes the first''s.';
grant execute on function public.merge_vehicles(uuid, uuid, integer, integer) to authenticated;
comment on function internal.restore_survivor(public.merges) is 'Gives the one that was kept back what the merge had changed of it.';
comment on function internal.unmerge_records(public.merges) is 'Undoes a merge, the cars that were put together in it first.';
comment on function public.unmerge(uuid) is
  'Takes apart what was merged in the last 30 days: what moved moves back, what came since stays with the one that was kept.';
grant execute on function public.unmerge(uuid) to authenticated;
comment on function public.mark_not_duplicates(uuid, uuid) is 'Notes that two are not the same: nobody is asked again.';
grant execute on function public.mark_not_duplicates(uuid, uuid) to authenticated;
comment on function internal.create_customer_from_booking(public.bookings) is 'A new person as an appointment describes them, whoever has that address already.';
comment on function public.split_booking(uuid) is
  'Makes the person of an appointment somebody of their own, with its car and its invoice, and returns who it is. The way back '
  'is a merge.';
grant execute on function public.split_booking(uuid) to authenticated;
comment on function public.split_vehicle(uuid, integer) is
  'Makes whoever came with a car somebody of their own, as its latest appointment names them, with everything about the car; '
  'returns who it is. The way back is a merge.';
grant execute on function public.split_vehicle(uuid, integer) to authenticated;
comment on function internal.delete_split_contact_methods(uuid, uuid) is
  'Forgets of a person how only the one was reached who was split from them: none of their own records says so any more.';
comment on function internal.merged_email(public.customers, public.customers, boolean) is
  'The address of two customers who become one: of the one that is chosen. Where only the other one has an address it is taken, '
  'unless it was only typed online: then staff choose it or none.';
comment on function internal.is_erased(uuid) is 'Whether the data of a person was erased.';
comment on function internal.interleave_pattern(text, text) is 'The characters of a text with a pattern between each two.';
comment on function internal.identifier_pattern(text, text) is
  'Finds a name, an address, a number (in its one form) or a plate (letters and digits alone) in a text, however it is written. '
  'The text has to have its accents apart (nfd): then a letter has its case also where the database knows plain ones alone.';
comment on function internal.redact(text, text, integer) is 'A text of at most so many characters with [erased] wherever the pattern is.';
comment on function internal.redact(jsonb, text, integer) is
  'A JSON value with [erased] wherever the pattern is in one of its strings, however deep. A string within it grows to 60 characters at most.';
comment on function internal.identifier_needle(text, text) is
  'What any text that internal.identifier_pattern finds something in is like, as it is compared: much quicker to look for.';
comment on function internal.list_personal_identifiers(uuid[]) is
  'The names, addresses, numbers, plates and VINs by which the records of a customer speak of that customer.';
comment on function internal.may_contain_identifier(text, text[]) is 'Whether it is worth looking closer at a text.';
comment on function internal.list_open_records(uuid) is 'What has to end before a person is erased: [{kind, id, title, at}].';
comment on function internal.last_frozen_at(uuid) is 'When the last revision of an estimate was handed over; null for a draft.';
comment on function internal.list_retained_records(uuid) is
  'The records of transactions that stay with the name when a person is erased: [{kind, id, number, keptUntil}].';
comment on function public.preview_erasure(uuid) is
  'What erasing a person would do (contracts/customers.ts): what stands in the way, what stays and until when, how much goes.';
grant execute on function public.preview_erasure(uuid) to authenticated;
comment on function internal.count_customer_records(uuid) is 'How much is held about a person, by kind.';
comment on function internal.erase_customer_emails(uuid[]) is 'Deletes every letter about people, also those that wait; returns which.';
comment on function internal.erase_customer_estimates(uuid[], date) is 'Deletes drafts, and estimates whose three years have passed.';
comment on function internal.erase_customer_rows(uuid[]) is
  'Leaves of people''s records that something was, and when: nothing that says whose. Invoices of the last three years keep the name.';
comment on function internal.list_merged_customers(uuid) is 'A person and all who turned out to be them.';
comment on function internal.erase_customer(uuid, integer, text, text[]) is
  'Erases a person of the expected version for good, in the name of an admin, but for texts of other records that were left out (keys of '
  'internal.find_texts); refused (TT099, the detail says what) while a visit, an estimate or an invoice is open. Returns {letters, kept, '
  'counts}: letters are the ids of those that were deleted.';
grant execute on function internal.erase_customer(uuid, integer, text, text[]) to shop_server;
comment on function internal.redact_expired_records() is
  'Takes the name out of what was kept of erased people once its three years have passed; returns how many invoices lost it.';
grant execute on function internal.redact_expired_records() to shop_server;
comment on function internal.read_customer_export(uuid) is 'All that is held about a person, by kind: rows as they are, letters with their files.';
grant execute on function internal.read_customer_export(uuid) to shop_server;
comment on function internal.rows_as_json(text, uuid[]) is 'The rows of a statement of ours about people ($1).';
comment on function internal.list_open_customer_invoices(uuid) is 'The invoices of a person that were open when they were last heard of.';
grant execute on function internal.list_open_customer_invoices(uuid) to shop_server;
comment on function internal.link_customer_estimates(uuid) is 'Links the estimates that name a person and were written before they were known.';
comment on function internal.delete_merges(uuid[]) is 'Nothing of people is taken apart any more, and what it would take is forgotten.';
comment on function internal.list_undelivered_notices(uuid[]) is 'What the owner was told of letters that could not be delivered.';
comment on function internal.record_missing_invoice(text) is 'Notes that the processor knows an invoice no more: nobody can pay it.';
grant execute on function internal.record_missing_invoice(text) to shop_server;
comment on function internal.has_erasures() is 'Whether anybody was erased.';
grant execute on function internal.has_erasures() to shop_server;
comment on function internal.customer_of_task(public.tasks) is 'The customer (people.id) whose appointment or estimate a task is about.';
comment on function internal.customer_of_estimate(uuid) is 'The customer (people.id) of an estimate.';
comment on function internal.is_unsent(uuid, integer) is 'Whether a revision of an estimate was handed over to nobody.';
comment on function internal.words_of(jsonb) is 'All strings of a JSON value, one a line.';
comment on function internal.is_automated_only(uuid[], text) is
  'Whether an address or a number of a customer came with nothing but appointments and quote requests that are marked as automated.';
comment on function internal.is_of_others(uuid[], text, text) is
  'Whether an address, number, plate or VIN is also another customer''s, a team member''s or the shop''s.';
comment on function internal.sought_elsewhere(uuid[]) is
  'What an erasure searches for in the records of other customers: no names, nothing that is also somebody else''s, and nothing that '
  'only automated requests brought.';
comment on function internal.find_texts(uuid[], text) is
  'Every text that an erasure of customers changes, of one table or of all: in their own records (is_own) with their names, in other '
  'records without. text_key names it in the erase dialog.';
comment on function internal.pieces_of(text, text) is 'A text in pieces, of which every second one is what the pattern finds.';
comment on function internal.describe_other_texts(uuid) is
  'The texts of other records that erasing a customer would change: {count, texts: [{key, label, about, pieces}]}, the first 20.';
comment on function internal.erase_texts(uuid[], text[], text) is
  'Replaces what names customers in every text that internal.find_texts finds, but for texts of other records that staff left out (their '
  'keys). Returns how many texts of other records changed.';
comment on function internal.request_file_cleanup() is 'Asks the nightly job to write the files of every table anew that an erasure changes.';
comment on function internal.is_quiet() is 'Whether it is night at the shop and nothing was booked or asked for in the last ten minutes.';
comment on function internal.list_file_cleanups() is
  'The tables whose files are to be written anew now, with what to note afterwards: none by day or while something is booked.';
grant execute on function internal.list_file_cleanups() to shop_server;
comment on function internal.record_file_cleanup(text, integer) is
  'Notes that a table''s file was written anew, after so many requests as were known before that.';
grant execute on function internal.record_file_cleanup(text, integer) to shop_server;
comment on function internal.record_file_owner(text) is 'Notes which tables the login of the database owns: a former login may have made them.';
grant execute on function internal.record_file_owner(text) to shop_server;
comment on function internal.are_files_ours() is 'Whether the nightly job can write the files of all these tables anew.';
comment on column public.bookings.search_text is 'What the dashboard''s search looks through (internal.normalize_search_text).';
comment on function internal.increment_booking_version() is
  'Counts the changes of an appointment, but for its note and what its customer was notified of, and of its calendar file, and '
  'notes since when it is in its state. Runs before release_hold: triggers go by name.';
comment on column public.booking_events.before is
  'Of internal.booking_snapshot what changed, as it was; null when it was booked, everything when it was deleted.';
comment on column public.booking_events.after is 'Of internal.booking_snapshot what changed, as it is; everything when it was booked.';
comment on function public.find_bookings(text) is
  'Appointments that hold every word of the search, for the admin; a phone number is looked for by its digits.';
grant execute on function public.find_bookings(text) to authenticated;
comment on function internal.lock_booking_day(date) is
  'One change of a day''s slots at a time, to the end of the transaction; several days are locked in order.';
grant execute on function internal.lock_booking_day(date) to anon, authenticated;
comment on function public.cancel_bookings(uuid[], text) is
  'Cancels open appointments at once, for one reason; returns which, with the status that an undo gives back. Completed ones, '
  'and those whose customer never came, are left alone.';
grant execute on function public.cancel_bookings(uuid[], text) to authenticated;
comment on function public.reopen_bookings(uuid[], text) is
  'Lets cancelled, not confirmed or held appointments stand again, each where its time is still free and its customer has not '
  'booked five others since; returns which do.';
grant execute on function public.reopen_bookings(uuid[], text) to authenticated;
comment on function internal.refuse_booking(text) is
  'Raises what booking_refusal found, each with its own SQLSTATE, hint and words; nothing for null.';
grant execute on function internal.refuse_booking(text) to anon, authenticated;
comment on function public.accept_schedule_conflicts(uuid[]) is
  'Lets appointments stand although they lie outside the hours or in no bay; returns those that nobody had kept before.';
grant execute on function public.accept_schedule_conflicts(uuid[]) to authenticated;
comment on function internal.booking_state(public.bookings) is 'The state of an appointment: completed, or its status.';
comment on function internal.booking_snapshot(public.bookings) is
  'What the story of an appointment tells of it: nothing that says whose it is.';
comment on function internal.booking_change_context() is
  'What a procedure knows of the change that it is making: {reason, warnings, allow_without_bay}.';
comment on function internal.set_booking_change_context(jsonb) is
  'Tells the triggers of bookings why, until the next call (null ends it) or the end of the transaction.';
comment on function internal.booking_event_kind(public.bookings, public.bookings) is
  'What a change of an appointment is called in its story; null for one that its story does not tell.';
comment on function internal.booking_event_source(text) is 'Who makes a change of this kind: booking_events.source.';
comment on function internal.lock_calendar() is
  'One change of appointments by staff at a time, while no visitor places one: taken first, so that nobody waits crosswise.';
comment on function internal.refuse_early_no_show(public.bookings) is 'docs/product.md 12.4: a no-show is one from 15 minutes after the start.';
comment on function internal.raise_version_conflict(public.bookings, integer) is
  'Refuses whoever saw another version of an appointment; the detail says which it is now and who changed it last.';
comment on function internal.lock_booking(uuid) is 'An appointment that the admin alone changes until the transaction ends.';
comment on function internal.save_booking_state(public.bookings, text) is
  'Writes a state where it is kept: completed in completed_at and completed_by (docs/product.md 4.2), every other in status.';
comment on function public.change_booking_state(uuid, text, integer, text, boolean) is
  'Takes an appointment of the expected version to another state (confirmed, pending, arrived, in_work, completed, cancelled, '
  'no_show; the undo of a step is the step back) and returns it; unchanged when it is in that state already. One that had '
  'given its time away gets its bay again or another one; when no bay has the time it is refused (23P01), or stands in no '
  'bay where allow_without_bay says so.';
grant execute on function public.change_booking_state(uuid, text, integer, text, boolean) to authenticated;
comment on function internal.booking_warnings(tsrange, uuid) is
  'What the rules for visitors have against a time that staff choose (in a bay, or null for none): in_the_past, notice_required, '
  'too_far_ahead, overnight, outside_hours.';
comment on function internal.raise_slot_taken_by(tsrange, uuid, uuid, uuid) is
  'Refuses a time as the constraint would; the detail names the appointments in the way and the next three free times.';
comment on function internal.require_reason(text) is 'Who books more cars than there are bays says why.';
comment on function internal.is_placed_outside_hours(uuid, text[]) is
  'Whether an appointment lies outside the hours because staff put it there: then it is no misfit that somebody has to decide about.';
comment on function public.book_by_phone(
  uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid
) is
  'Books a caller, for whom a name and a phone number are enough, and returns the appointment. Shop wall-clock time; minutes is '
  'the service''s length unless given; bay_id null is the first bay that can do it and has the time; without_bay, with a '
  'reason, is no bay at all. The notice, the window, the hours and the grid for visitors do not hold: booking_events.warnings '
  'remembers them. With a booking_id of one''s own it may be repeated: the second call returns what the first one booked.';
grant execute on function public.book_by_phone(uuid, date, time, text, text, text, text, text, text, text, text, integer, uuid, boolean, text, uuid)
  to authenticated;
comment on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) is
  'Moves an open appointment of the expected version to a day, time, length (its own for null) and bay (for null its own, or the '
  'first that has the time; with without_bay none), all at once, and returns it. Its undo is a move back. Warnings as for book_by_phone.';
grant execute on function public.move_booking(uuid, integer, date, time, integer, uuid, boolean, text) to authenticated;
comment on function internal.find_bookings_by_words(text) is 'Up to 5000 appointments that hold every word of a search of two characters or more.';
comment on function public.find_customers(text) is
  'Up to eight people whose appointments hold every word of the search (two characters or more; a phone number by its digits), the '
  'latest first: one for each name and number, with their cars [{year, make, model, color}], when they were last here and come '
  'next, how often they came (visits) and did not (no_shows).';
grant execute on function public.find_customers(text) to authenticated;
comment on function internal.summarize_customer_bookings(text, text, date) is
  'What is known of a person, by name and number, from their latest 200 appointments. Who was neither cancelled nor '
  'missed has come.';
comment on function public.list_other_bookings(uuid) is
  'The other appointments, past and ahead, of the person of one, by number and name; the latest 50, latest first.';
grant execute on function public.list_other_bookings(uuid) to authenticated;
comment on function public.save_booking_note(uuid, text, text) is
  'Writes what staff note of an appointment over the note that they saw; refuses to replace another one (TT051, which the '
  'detail says). An empty one takes it away.';
grant execute on function public.save_booking_note(uuid, text, text) to authenticated;
comment on function internal.booking_last_changed_at(public.bookings) is 'When an appointment was booked, or changed last.';
grant execute on function internal.booking_last_changed_at(public.bookings) to shop_server;
comment on function internal.is_open_state(text) is 'Whether a booking in this state (internal.booking_state) is still ahead or under way.';
comment on function internal.record_notified_state(uuid) is
  'Keeps with the appointment what a delivered email said of it: its start, or that it was cancelled.';
comment on function internal.needs_notification(public.bookings) is
  'Whether its customer still has to be notified: what they last heard is not so, and they may still act on it.';
comment on function public.dismiss_notification(uuid, integer, text) is
  'The customer of an appointment of the expected version needs no notification of how it is now, for a reason that its history '
  'keeps; the next change needs one again.';
grant execute on function public.dismiss_notification(uuid, integer, text) to authenticated;
comment on function internal.bookings_to_notify() is
  'Appointments whose customers still have to be notified of a change, the 50 that begin first.';
comment on function internal.is_standing(public.bookings) is 'Whether an appointment is neither held, cancelled, missed nor not confirmed.';
comment on function internal.known_start(uuid) is
  'The start, shop wall clock, that the customer of an appointment knew before its last change; the start itself where it did '
  'not change.';
grant execute on function internal.known_start(uuid) to shop_server;
comment on function internal.search_text_of(public.bookings) is 'What the search looks through in an appointment.';
comment on function internal.announce_booking(uuid, bigint) is
  'Tells the open dashboards that an appointment changed, with the event of its history if there is one.';
comment on function internal.link_booking_now(public.bookings) is
  'Gives an appointment its customer and its vehicle, and tells the open dashboards of it. The caller has locked the row.';
comment on function internal.link_waiting_booking(uuid) is
  'Links an appointment that belongs to nobody yet, for who acts on it before the shop''s process has linked it.';
comment on view public.schedule_conflicts is
  'Appointments ahead that lie outside the hours of their bay (outside_hours) or in none (no_bay), until they are '
  'moved, cancelled or kept.';
grant select on public.schedule_conflicts to authenticated;
comment on function internal.booking_refusal(date, time, integer, uuid) is
  'Why an appointment may not start then (a code), or null when only another appointment could be in the way. '
  'The same rules as domain/bookings/booking-refusal.ts; a test holds them against each other.';
grant execute on function internal.booking_refusal(date, time, integer, uuid) to anon, authenticated;
comment on function public.is_time_slot_available(integer, date, time, uuid) is
  'Whether an appointment of service_duration minutes could be booked then, in a bay that can do the service when it is named.';
grant execute on function public.is_time_slot_available(integer, date, time, uuid) to anon, authenticated, shop_server;
comment on function internal.open_spans(date, uuid) is
  'When a bay, or for null the shop, is open on a date: the week''s hours and special openings without what is closed. '
  'Everything that asks for hours asks here; domain/calendar/opening-spans.ts is the same rule.';
grant execute on function internal.open_spans(date, uuid) to authenticated;
comment on function internal.moment_refusal(date, time) is
  'Why no appointment may start at a moment, whatever the hours are (a code of booking_refusal), or null.';
comment on function internal.open_bays(date, time, integer, uuid) is
  'The bays that are open for a whole appointment and can do its service (any for null), and whether it starts on the grid of theirs.';
comment on function internal.hours_refusal(date, time, integer, uuid) is
  'What the hours have against an appointment: a code, or null.';
comment on function public.list_open_days(date, date, uuid) is
  'For each date of up to 62: the spans of its open bays in minutes after midnight ([[{opensAtMinute, closesAtMinute}]]; of '
  'those that can do a service, when it is named), and, when none is open, the reason of a public closure.';
grant execute on function public.list_open_days(date, date, uuid) to anon, authenticated, shop_server;
comment on function internal.is_bay_taken(uuid, tsrange, uuid) is
  'Whether an appointment that stands takes a bay''s time, another one than the named.';
comment on function internal.find_free_bay(date, time, integer, uuid) is
  'The first bay by position that is open for an appointment, can do its service and has the time; null when none has.';
grant execute on function internal.find_free_bay(date, time, integer, uuid) to anon, authenticated;
comment on function internal.raise_slot_taken() is 'Refuses an appointment for which no bay is free, as the constraint would.';
grant execute on function internal.raise_slot_taken() to anon, authenticated;
comment on function internal.find_bay_for_reopened_booking(public.bookings) is
  'Where an appointment that had given its time away can stand again; null when no bay has its time.';
comment on function internal.find_bay_at_same_time(public.bookings) is
  'The first bay that an appointment could be moved to at its time; null when there is none.';
comment on function internal.reassign_bay_bookings(uuid) is
  'Moves the appointments ahead of a bay to other ones where they fit, and else places them in none; returns where each went.';
comment on function internal.find_bay_for_staff(uuid, tsrange, uuid) is
  'The first bay for what staff place: one that can do the service and has the time, open ones first; null when there is none.';
comment on function internal.free_spans(date, uuid, uuid) is
  'When a bay is open on a date and no appointment takes it, another one than the named.';
comment on function internal.list_starts_in_range(tsrange) is
  'When a job can begin in a free span, by phone: at its first quarter of an hour and each half hour after.';
comment on function internal.free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is 'As public.next_free_times, unchecked.';
comment on function internal.choose_bay(tsrange, uuid, uuid, uuid, uuid) is
  'The bay that staff ask for, or for null the appointment''s own, or the first that can do it and has the time. Refuses one that is '
  'switched off (TT065), cannot do the service (TT064), or is taken (23P01).';
comment on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer) is
  'The next times (at most most, within so many days) at which a service, or so many minutes, is free and fits the hours of a bay, '
  'also overnight, with the bays by position: of one bay when it is named, as if the appointment ignored_booking_id were not there. '
  'Never in the past. What check_booking_time neither refuses nor calls outside_hours.';
grant execute on function public.next_free_times(uuid, timestamp, integer, uuid, uuid, integer, integer)
  to authenticated;
comment on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) is
  'What book_by_phone, or move_booking of ignored_booking_id, would say now: the bay, the warnings, and when it would be refused the '
  'hint (slot_taken, bay_cannot, bay_not_active), the appointments in the way and free_times [{date, time, bay_ids}].';
grant execute on function public.check_booking_time(uuid, date, time, integer, uuid, uuid) to authenticated;
comment on function public.read_daily_loads(date, integer) is
  'For each of up to 62 dates: cars that begin then, and how many minutes the active bays are open together.';
grant execute on function public.read_daily_loads(date, integer) to authenticated;
comment on function internal.describe_week_load(date) is 'What read_daily_loads says of seven dates, and how many of the cars are completed.';
comment on function internal.fits_hours(tsrange, tsmultirange, uuid) is
  'Whether a job keeps to the hours of a bay, of which open are those of its first date: it is done while the bay is open, or it '
  'begins then and is longer than any span of that date, so that the vehicle stays overnight.';
comment on function internal.list_taken_times(uuid, date, time[]) is
  'Which of the times that the page of an appointment showed somebody else has taken since.';
grant execute on function internal.list_taken_times(uuid, date, time[]) to shop_server;
comment on function internal.keep_bay_hours() is
  'Brings internal.bay_hours into agreement with hours, closures, bays and the calendar: after each change of them, and by '
  'a scheduled job, because every day one more date can be booked.';
grant execute on function internal.keep_bay_hours() to shop_server;
comment on function internal.form_token_problem(text) is
  'What is wrong with a form token, ''milliseconds.nonce.signature'' as server/features/form-guard signs it; null for an ordinary one.';
comment on function internal.token_digest(jsonb) is 'What names the form token in request headers; null without one.';
comment on function internal.address_digest(jsonb) is
  'What names the client''s address in request headers, without telling it; null when they do not say.';
comment on function public.forms_sent_by(jsonb) is
  'The forms of the last 15 minutes that came from the sender of a request, told by its headers: with the same form '
  'token, or both without one from the same address. The server functions ask; they confirm nothing else.';
grant execute on function public.forms_sent_by(jsonb) to service_role, shop_server;
comment on function internal.end_expired_holds(date) is
  'Gives the slots of unanswered holds back, of one day or of all; returns how many.';
grant execute on function internal.end_expired_holds(date) to shop_server;
comment on function internal.lock_booking_contact(text, text) is
  'The open bookings of one mailbox (internal.normalize_mailbox) and phone number (internal.normalize_phone) do not change until the '
  'transaction ends. Taken after the lock of the day, always.';
comment on function internal.confirm_held_booking(uuid) is
  'The click in a held booking''s e-mail; may be repeated. confirmed, already_confirmed, or why not: cancelled, too_late, too_many, '
  'slot_taken (the hold had run out and somebody else has the time).';
grant execute on function internal.confirm_held_booking(uuid) to shop_server;
comment on function internal.reached_booking_limit(internal.client_digests) is
  'Why an ordinary booking of this client is held, null when it is not. Held ones do not count: they have a ceiling of their own.';
comment on function internal.is_at_open_limit(text, text, uuid, bigint) is
  'Whether five other bookings of one mailbox or phone number are open and ahead; with since_event, whether the customer also '
  'opened one of them after that event of booking_events.';
comment on function internal.may_become_open(public.bookings) is
  'Guards every way in which a booking becomes open: insert, reopening by its customer, undo by staff, confirmation of a held one. '
  'False when five others of its customer are open; for an undo by staff, only when the customer opened one of them since.';
comment on function internal.digests_of_address(text) is
  'The digests of a client whose address came as it is: what is no address is one client, whatever it says.';
comment on function internal.client_digests(jsonb) is 'The client and its networks in request headers.';
comment on function internal.lock_booking_network(internal.client_digests) is
  'Counts of a client and of the networks around it do not change until the transaction ends. Taken after the locks of day and '
  'person, always.';
comment on function internal.is_hold_of_known_customer(public.bookings) is
  'Whether a marked booking is held however many are: one of a known customer who has fewer than five others open.';
comment on function internal.refuse_too_many_held(internal.client_digests) is
  'Refuses a marked booking while ten are held, or three of the client''s /48 or /24.';
comment on function internal.reasons_to_flag_form(jsonb) is
  'Why the form that sent a request with these headers looks automated; empty when it looks like a person''s. Uses its token up.';
comment on column internal.visit_link_requests.mailbox is 'As internal.normalize_mailbox has it; null once it was answered.';
comment on function public.visit_page_token(uuid) is
  'What the address of an appointment''s private page ends in now, as server/features/visit-page signs it; null when there is none.';
grant execute on function public.visit_page_token(uuid) to service_role, shop_server;
comment on function public.read_visit_page_link(uuid, boolean) is
  'The path of an appointment''s private page, for whoever at the counter asks for this one; with renew a new one, and those '
  'of before open nothing, those of its estimates neither.';
grant execute on function public.read_visit_page_link(uuid, boolean) to authenticated;
comment on function internal.booking_starts_at(public.bookings) is 'The instant at which an appointment begins.';
comment on function internal.customer_change_refusal(public.bookings, integer, integer) is
  'Why a customer may not change an appointment of which they saw this calendar_sequence: gone, cancelled, over, not_confirmed (a '
  'hold waits for its click), changed_meanwhile, too_close (the cut-off has passed); null when they may.';
comment on function internal.lock_booking_for_customer(uuid) is
  'An appointment that its customer alone changes until the transaction ends; all null when there is none.';
comment on function internal.find_bay_for_customer(public.bookings, date, time) is
  'Where an appointment can be at another time, as if it were not there: its own bay, or the first that is free; null for none.';
comment on function internal.move_booking_by_customer(uuid, integer, date, time) is
  'Moves an appointment by its private page, by the rules for visitors, in one statement. Done: moved, or unchanged (it is there '
  'already). Refused: slot_taken, or a code of customer_change_refusal or booking_refusal.';
grant execute on function internal.move_booking_by_customer(uuid, integer, date, time) to shop_server;
comment on function internal.cancel_booking_by_customer(uuid, integer) is
  'Cancels an appointment by its private page. Done: cancelled, or unchanged (it is already). Refused: a code of customer_change_refusal.';
grant execute on function internal.cancel_booking_by_customer(uuid, integer) to shop_server;
comment on function internal.last_cancellation(uuid) is 'Who cancelled an appointment last, and what it was before; null when nobody did.';
comment on function internal.undo_cancellation_refusal(public.bookings, integer) is
  'Why a customer may not take a cancelled appointment back: not_yours (the shop cancelled it), changed_meanwhile, over, too_close, '
  'outside_hours, slot_taken, too_many (five others are open); null when they may.';
comment on function internal.undo_cancellation_by_customer(uuid, integer) is
  'Undoes a customer''s own cancellation while the time is free. Done: taken_back, or unchanged (it stands). Refused: over, or a '
  'code of undo_cancellation_refusal.';
grant execute on function internal.undo_cancellation_by_customer(uuid, integer) to shop_server;
comment on function internal.confirm_attendance(uuid, integer) is
  'The customer will come. Done: answered, or unchanged (they said so before). Refused: a code of customer_change_refusal. There is no cut-off.';
grant execute on function internal.confirm_attendance(uuid, integer) to shop_server;
comment on function internal.save_cancellation_reason(uuid, text) is
  'Why a customer cancelled, once for each cancellation. Done: explained, or unchanged. Refused: changed_meanwhile (the customer '
  'did not cancel it).';
grant execute on function internal.save_cancellation_reason(uuid, text) to shop_server;
comment on function internal.read_visit_page_history(uuid, text) is 'The latest lines of an appointment''s story, in shop time, without reasons and names.';
comment on function internal.read_visit_page(uuid) is
  'All that the private page of an appointment says, in shop time (server/features/visit-page/read-visit-page.ts); null when there is none.';
grant execute on function internal.read_visit_page(uuid) to shop_server;
comment on function internal.list_reschedule_times(uuid, date) is
  'The times of a date at which an appointment could be instead, as if it were not there.';
grant execute on function internal.list_reschedule_times(uuid, date) to shop_server;
comment on function internal.request_visit_links(text) is
  'Notes that somebody wants the links of this address; once an hour for a mailbox.';
grant execute on function internal.request_visit_links(text) to shop_server;
comment on function internal.claim_link_request() is
  'Takes requests for links up to the first whose mailbox has appointments to come, and returns those: at most 20, soonest '
  'first. Nothing when no request is left.';
grant execute on function internal.claim_link_request() to shop_server;
comment on function internal.read_visit_page_repair(uuid) is
  'What the page of an appointment says of the work: the estimate that was handed over last, its path, tasks with what is meant for '
  'the customer, the invoice. Titles only where they are those of an estimate''s jobs, which the customer has read.';
grant execute on function internal.read_visit_page_repair(uuid) to shop_server;
comment on function public.add_task_note(uuid, text, text, text) is 'Adds a note to a task, signed by the admin.';
grant execute on function public.add_task_note(uuid, text, text, text) to authenticated;
comment on function public.update_task_status(uuid, text, text, text, text, text) is
  'Sets a task''s status and writes its history in one transaction; the same status with a note adds only the note. Refused when seen_status is given and is not the status any more.';
grant execute on function public.update_task_status(uuid, text, text, text, text, text) to authenticated;
comment on function public.mark_task_ready_for_pickup(uuid, text, text, text) is
  'Notes when a completed task''s vehicle became ready; asking again changes nothing.';
grant execute on function public.mark_task_ready_for_pickup(uuid, text, text, text) to authenticated;
comment on function public.clean_up_tasks(uuid[]) is
  'Takes completed tasks off the list: deletes them, or keeps out of sight those of an estimate and those of a vehicle that was '
  'not picked up. How many were taken.';
grant execute on function public.clean_up_tasks(uuid[]) to authenticated;
comment on function public.set_task_customer_note(uuid, text) is
  'What the page of the visit says of a task while it has its status; empty says nothing but that.';
grant execute on function public.set_task_customer_note(uuid, text) to authenticated;
comment on function internal.booking_invoice(uuid) is
  'The invoice of the estimate that was handed over last for a booking; paid_at is null until it is paid in full.';
comment on function internal.vehicle_facts(public.bookings) is
  'All that the state of a booking''s vehicle depends on (VehicleFacts of domain/bookings/vehicle-state.ts).';
comment on function public.vehicle_facts(public.bookings) is
  'A computed column of bookings: all that the state of the vehicle depends on.';
grant execute on function public.vehicle_facts(public.bookings) to authenticated;
comment on function internal.vehicle_state(jsonb) is
  'The state of a vehicle by its facts: vehicleState of domain/bookings/vehicle-state.ts, for queries that select by it.';
comment on function internal.set_state_by_task(uuid, text) is 'Changes the status of an open booking because of one of its tasks.';
comment on function internal.state_before_task(uuid) is
  'The state from which a task took a booking into work; null unless that was the last change of its state.';
comment on function public.queue_quote_reply(jsonb, jsonb) is
  'Writes the admin''s reply to a quote request into the outbox and its log, once for its dedupe_key; returns its id. '
  'One that had failed is queued again. `message` has the columns of emails, `log` those of quote_email_logs.';
grant execute on function public.queue_quote_reply(jsonb, jsonb) to service_role, shop_server;
comment on function internal.unanswered_quotes() is
  'Requests for a quote that nobody answered for 12 hours, the oldest 50; none that looks automated.';
comment on function public.read_quote_email(uuid) is
  'The address for an invoice of a quote request: its own where it is its customer''s, else the customer''s; null for neither.';
grant execute on function public.read_quote_email(uuid) to authenticated;
comment on column public.estimates.search_text is 'What the search looks through (internal.normalize_search_text).';
comment on view internal.priced_lines is 'Lines with what each comes to, and how much of it is taxed; a discount is below 0.';
comment on view internal.job_totals is 'What each job of each revision comes to, in cents.';
comment on function internal.tax_rate_on(date) is 'The sales tax on a day at the shop, in ten-thousandths of a percent; 0 before the first.';
comment on function internal.raise_estimate_version_conflict(public.estimates) is 'Refuses (TT051) with who changed it, when, and to which version.';
comment on function internal.lock_estimate(uuid, integer) is
  'An estimate that nobody else changes until the transaction ends; refused (TT051) when it is not the version that was seen, where one is named.';
comment on function internal.latest_revision(uuid) is 'The draft of an estimate, or what was frozen last.';
comment on function internal.refuse_invoiced(public.estimates) is 'Refuses (TT075) what would change an estimate that has its invoice.';
comment on function internal.begin_revision(public.estimates) is 'The draft of an estimate that is written to: a new one after one that is frozen.';
comment on function internal.save_revision_jobs(uuid, integer, jsonb) is 'Writes the jobs and lines of a draft anew, as contracts/estimates/estimates.ts has them.';
comment on function internal.is_generic_supplies(text) is 'Whether a line charges for supplies that it does not name (16 CCR 3356 (a)(2)).';
comment on function internal.estimate_problems(uuid, integer) is
  'Why a draft cannot be handed over: [{code, jobKey, line}], its lines counted from 1; empty when it can.';
comment on function internal.describe_saved_estimate(uuid) is 'What whoever saved an estimate is told: version, revision, savedAt, totalCents, problems.';
comment on function public.save_estimate(uuid, integer, jsonb) is
  'Saves an estimate as contracts/estimates/estimates.ts describes its document; after a frozen revision it begins the next. Refused (TT051) '
  'when seen_version is not its version. What is not ready to be handed over is saved, and told in problems.';
grant execute on function public.save_estimate(uuid, integer, jsonb) to authenticated;
comment on function public.use_todays_tax_rate(uuid, integer) is 'Gives a draft the sales tax of today instead of the day on which it was begun.';
grant execute on function public.use_todays_tax_rate(uuid, integer) to authenticated;
comment on function internal.describe_revision_jobs(uuid, integer) is 'The jobs of a revision with their lines, as contracts/estimates/estimates.ts has them.';
comment on function public.delete_estimate(uuid) is 'Deletes an estimate that no customer was shown; any other is refused (TT076).';
grant execute on function public.delete_estimate(uuid) to authenticated;
comment on function public.save_canned_job(jsonb) is 'Keeps a job for reuse, by its title: the same title is kept once, as it is now.';
grant execute on function public.save_canned_job(jsonb) to authenticated;
comment on function public.delete_canned_job(uuid) is 'Forgets a job that was kept; estimates that use it stay as they are.';
grant execute on function public.delete_canned_job(uuid) to authenticated;
comment on function public.find_canned_jobs(text) is 'Kept jobs whose title has a term, those that begin with it first, at most 50: [{id, job}].';
grant execute on function public.find_canned_jobs(text) to authenticated;
comment on function internal.build_revision_document(uuid, integer) is 'All that a customer is shown of a revision: no internal note.';
comment on function internal.freeze_revision(public.estimates) is
  'The latest revision of an estimate, from now on as it is; refused (TT074, with its problems) when it is not ready.';
comment on function internal.freeze_estimate(uuid, integer, boolean, text) is
  'Hands the latest revision over, in the name of an admin, and notes that it was sent where it was: as save_estimate answers.';
grant execute on function internal.freeze_estimate(uuid, integer, boolean, text) to shop_server;
comment on function internal.describe_job_scope(uuid, integer, uuid) is 'What a job of a revision sells: its title and its lines, without the words that explain it.';
comment on function internal.latest_sent_revision(uuid) is 'What was handed over last; a later draft is not shown to anybody.';
comment on function internal.sent_revision_state(public.estimate_revisions) is
  'closed (it has its invoice), answered, expired (its last day at the shop is over), or open.';
comment on function internal.read_sent_revision(uuid) is 'What the customer of an estimate sees; null before anything was handed over.';
grant execute on function internal.read_sent_revision(uuid) to shop_server;
comment on function internal.record_sent_revision_viewed(uuid, text) is 'Notes that its customer looked at a revision, once: whether this was the first time.';
grant execute on function internal.record_sent_revision_viewed(uuid, text) to shop_server;
comment on function internal.decide_estimate(uuid, text, uuid[], text, text, boolean) is
  'The customer''s answer: the jobs that are approved, all others that wait for an answer are declined. approved, declined, or why '
  'not: unchanged (it was answered), changed_meanwhile (another revision than was shown), expired, closed (it has its invoice).';
grant execute on function internal.decide_estimate(uuid, text, uuid[], text, text, boolean) to shop_server;
comment on function internal.estimate_token(uuid) is 'What the address of an estimate''s private page ends in now; null when there is none.';
grant execute on function internal.estimate_token(uuid) to shop_server;
comment on function internal.estimate_state(public.estimates) is
  'Where an estimate is on its way: draft, sent, seen, approved (any job), declined, expired, invoiced.';
comment on function public.read_estimate(uuid) is 'An estimate with its ledger and all that belongs to it, as contracts/estimates/estimates.ts describes it.';
grant execute on function public.read_estimate(uuid) to authenticated;
comment on function public.list_estimates(text, text) is
  'The estimates that were changed last, at most 50: all, or those with a term in number, name, plate or model, or in one state. '
  'invoicedCents is the total of the invoice, null without one.';
grant execute on function public.list_estimates(text, text) to authenticated;
comment on function public.create_estimate_tasks(uuid) is
  'Makes a task of each approved job that has none yet, for whoever works in the appointment''s bay: how many were made.';
grant execute on function public.create_estimate_tasks(uuid) to authenticated;
comment on function internal.sent_revision_outdated_reason(uuid, integer) is
  'Why a letter that offers a revision must not leave any more; null while it is what its customer can answer.';
grant execute on function internal.sent_revision_outdated_reason(uuid, integer) to service_role, shop_server;
comment on function internal.estimate_link_version(uuid) is
  'Which link opens the page of an estimate now; null when there is no such estimate.';
grant execute on function internal.estimate_link_version(uuid) to shop_server;
comment on function public.rename_canned_job(uuid, text) is
  'Gives a kept job another name; estimates that use it stay as they are. Two of one name are refused (canned_jobs_title_key).';
grant execute on function public.rename_canned_job(uuid, text) to authenticated;
comment on function internal.read_printable_estimate(uuid, boolean) is
  'What is printed of an estimate: its latest revision, for the customer the one that was handed over last, with its date; what was '
  'decided about each job; the ledger. No internal note. Null when there is nothing to print.';
grant execute on function internal.read_printable_estimate(uuid, boolean) to shop_server;
comment on function internal.estimate_vehicle_details(public.estimates) is 'The car as an estimate describes it; a VIN that is none is left out.';
comment on function internal.estimate_customer_details(public.estimates) is 'Whom an estimate names.';
comment on function public.create_estimate(jsonb) is
  'Begins an estimate from {bookingId}, {quoteRequestId}, {carId} or {personId}, or from nothing with {customer, vehicle}: '
  '{id, isNew}. What was begun for the same appointment or quote is found again; for the same car or person what nobody wrote in yet.';
grant execute on function public.create_estimate(jsonb) to authenticated;
comment on function internal.is_hazardous_waste_fee(text) is 'Whether the description of a fee names hazardous waste.';
comment on function internal.add_estimate_event(uuid, text, jsonb, jsonb) is 'Adds a line to the history of an estimate.';
comment on function internal.last_merged_customer(uuid) is 'The customer record to which merges lead from one, also of a customer who was erased.';
comment on function internal.describe_estimate_history(uuid) is 'The history of an estimate, oldest first.';
comment on function internal.names_another_customer(public.estimates) is
  'Whether an estimate names somebody else than when it was handed over: another name, and neither its address nor its number.';
comment on function internal.is_another_word(text, text) is 'Whether two words say different things; what is empty says nothing.';
comment on function internal.describes_another_vehicle(public.estimates) is
  'Whether an estimate describes another vehicle than when it was handed over: another year, make or model, and neither its plate nor its VIN.';
comment on function internal.details_of_document(jsonb) is 'Whose and of which vehicle a frozen revision is, in one object.';
comment on function internal.details_of_record(jsonb, text[]) is 'Of a row the columns that are named.';
comment on function internal.email_for_estimate(public.bookings, public.quote_requests, uuid) is
  'Where an estimate for an appointment, a quote request or a customer goes: to the address of the record where it is its '
  'customer''s, else to the customer''s own; null for neither.';
comment on function public.change_estimate_email(uuid, integer, text, text) is
  'Changes the email address of an estimate without a new revision. reason: new_address (answers stay), wrong_recipient (each answer '
  'by the old link is withdrawn). Refused (TT075) once it has its invoice. Answers as save_estimate.';
grant execute on function public.change_estimate_email(uuid, integer, text, text) to authenticated;
comment on function internal.renew_links(uuid, uuid) is
  'Ends all links of an appointment and of its estimates, or of an estimate that has no appointment.';
comment on function public.read_estimate_link(uuid, boolean) is
  'The path of the page of an estimate, for the admin; with renew a new one, and those of before open nothing, those of its '
  'appointment neither.';
grant execute on function public.read_estimate_link(uuid, boolean) to authenticated;
comment on function internal.sent_revision_misdirected_reason(uuid, text) is
  'Why an email that offers an estimate must not leave to an address; null while it is the address of its customer.';
grant execute on function internal.sent_revision_misdirected_reason(uuid, text) to service_role, shop_server;
comment on function internal.was_taken_from_visitor(public.estimates, uuid) is
  'Whether an estimate was sent to the address of its appointment and has another address since: the page of the appointment, '
  'whose link is in the old mailbox, does not lead to it.';
comment on function internal.authorized_jobs(uuid) is
  'What each job of an estimate may cost by the ledger, in cents, and what was last decided of it, at which revision.';
comment on function internal.retained_until(timestamptz) is
  'The day at the shop until which a record of a repair stays: three years (BPC 9884.11).';
grant execute on function internal.retained_until(timestamptz) to authenticated, shop_server;
comment on function internal.raise_record_retained(timestamptz) is
  'Refuses (TT076) that a record of this instant is deleted before its three years have passed; its detail is until when.';
grant execute on function internal.raise_record_retained(timestamptz) to authenticated, shop_server;
comment on function internal.is_scope_changed(uuid, integer, uuid) is
  'Whether a job of a revision is called otherwise than what was approved of it last, or sells something that was not in it. Hours, '
  'counts and prices may differ, and lines may be gone.';
comment on function internal.mark_revision_decided(uuid, integer) is 'Notes that nothing of a revision is left to decide, once that is so.';
comment on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean) is
  'Records what a customer decided by other ways than the page, [{jobKey, decision, declinedId}], of the latest revision: a draft is '
  'frozen first. declinedId names the refusal that an approval replaces. Answers as save_estimate, with actId.';
grant execute on function public.record_authorization(uuid, integer, jsonb, text, text, text, text, text, timestamptz, boolean)
  to authenticated;
comment on function internal.describe_authorizations(uuid) is 'The lines of the ledger that count, oldest first: what customers and papers show.';
comment on function internal.is_approved(uuid, uuid) is 'Whether a job was approved at some price, and that was not taken back.';
comment on function internal.list_approvals_without_email(integer) is
  'Approvals of the last day of which their customers have no letter yet, oldest first.';
grant execute on function internal.list_approvals_without_email(integer) to shop_server;
comment on function internal.list_job_decisions(uuid, integer) is
  'What was decided of the jobs of a revision, as they are in it: {key: decision}.';
comment on function internal.approves_unseen_refusal(uuid, jsonb) is
  'Whether one of the decisions approves a job whose latest answer is a refusal, without naming that line of the ledger as declinedId.';
comment on function internal.void_because(public.authorizations, public.estimates) is
  'Why a line of the ledger does not count: wrong_recipient (withdrawn, or the line that withdraws), customer (another customer '
  'record), vehicle (another vehicle record); null while it counts.';
comment on function internal.binding_lines(uuid) is 'The lines of the ledger of an estimate that count.';
comment on function internal.describe_whole_ledger(uuid) is 'The whole ledger of an estimate, oldest first, with why a line does not count: for the shop.';
comment on function internal.refuse_void_approvals(uuid, integer) is
  'Refuses (TT072) to bill an estimate while a job of it was approved by another customer or for another vehicle and nobody decided since.';
comment on function internal.withdraw_answers(public.estimates) is
  'Withdraws each answer that was given by the link of an estimate, or from its address, with a line of the ledger; what was sent '
  'last can be answered again.';
comment on function internal.describe_claim(public.estimate_invoices) is 'What an invoice is to say: the customer, and the billed jobs as they were frozen.';
comment on function internal.claim_estimate_invoice(uuid, integer, text) is
  'Claims the one invoice of an estimate, in the name of an admin: its approved jobs as the latest revision has them, refused (TT072) '
  'when one costs more than was approved. A claim that stands is answered again.';
grant execute on function internal.claim_estimate_invoice(uuid, integer, text) to shop_server;
comment on function internal.record_estimate_invoice_state(uuid, text, text, text) is
  'Notes what became of a claim: made (with the processor''s id and number), failed, or later voided; whether this was news.';
grant execute on function internal.record_estimate_invoice_state(uuid, text, text, text) to shop_server;
comment on function internal.list_stale_invoice_claims(integer) is 'Claims whose maker seems to have died: at most 20, oldest first.';
grant execute on function internal.list_stale_invoice_claims(integer) to shop_server;
comment on function internal.read_estimate_invoice(uuid) is 'What an invoice of an estimate is to say, by its claim.';
grant execute on function internal.read_estimate_invoice(uuid) to shop_server;
comment on function internal.list_repair_records(uuid) is 'All that belongs to one repair, oldest first: [{kind, id, label, state, at}].';
comment on function public.list_repair_records(text, text) is
  'What belongs to the same repair as a quote, booking, estimate, task or invoice, oldest first; empty when it is alone.';
grant execute on function public.list_repair_records(text, text) to authenticated;
comment on function internal.read_printable_invoice(text) is
  'What is printed of an invoice over approved jobs, by the processor''s id: its claim and the ledger; null for any other invoice.';
grant execute on function internal.read_printable_invoice(text) to shop_server;
comment on function internal.is_sample_invoice(text) is 'Whether an invoice of this number belongs to the sample week.';
comment on function internal.link_invoice(jsonb) is
  'Notes whose an invoice is, once, and how it stands, each time: {id, number, name, email, phone, total_cents, currency, status, '
  'made_at (seconds since 1970)}. That of an estimate is its person''s, else by address and number.';
grant execute on function internal.link_invoice(jsonb) to shop_server;
comment on function internal.has_invoice(uuid) is
  'Whether an invoice was made for an appointment: neither its page nor an email then says that there is no charge.';
grant execute on function internal.has_invoice(uuid) to shop_server;
comment on function internal.list_appointment_records(date, time, uuid, date, integer) is
  'A page of appointments until a date, that day too, after one that was read last: by day, time and id.';
grant execute on function internal.list_appointment_records(date, time, uuid, date, integer) to shop_server;
comment on function internal.describe_invoice_records(text[]) is
  'Of invoices by the processor''s ids, as far as they were noted: the name, and whether nothing else of its person is to be told '
  'any more; the estimate that they bill, and what its lines come to by kind (a discount is below 0), null without one.';
grant execute on function internal.describe_invoice_records(text[]) to shop_server;
comment on function internal.list_customer_records(date, date, timestamptz, uuid, integer) is
  'A page of the people who booked, came, asked, were billed, paid or were written to from one date until another, both among them, '
  'after the one that was read last, longest known first: with their visits and invoices of those days, in cents.';
grant execute on function internal.list_customer_records(date, date, timestamptz, uuid, integer) to shop_server;
comment on column internal.visitor_emails.domain_digest is 'Of the recipient''s domain (internal.mailbox_owner_domain).';
comment on function internal.reached_email_limit(internal.visitor_emails, text) is
  'The cap that keeps a letter to a mailbox back, null for none.';
comment on function internal.build_visitor_email(jsonb, text) is 'A letter to a mailbox as the caps see it.';
comment on function public.queue_visitor_email(jsonb, boolean) is
  'Writes a letter that a visitor caused into the outbox, once for its dedupe_key; null when a cap keeps it back. '
  '`message` has the columns of emails. Only load tests of one''s own write without caps.';
grant execute on function public.queue_visitor_email(jsonb, boolean) to service_role, shop_server;
comment on function internal.email_outdated_reason(public.emails) is
  'Why a message is no longer true, for whoever reads the outbox; null while it may be sent.';
comment on function public.claim_email(uuid) is
  'Takes a message for one attempt and returns it, with the links of visits as they are now; no row when it is done, in other '
  'hands or waits for its next attempt, when it is no longer true and fails for that, or when it is of the sample week and is '
  'kept. Whoever asks for one by its id may be the first before it is due.';
grant execute on function public.claim_email(uuid) to service_role, shop_server;
comment on function public.record_email_sent(uuid, text, text) is
  'Notes that a mail server took a claimed message (sent), or that it lies in the outbox folder (kept).';
grant execute on function public.record_email_sent(uuid, text, text) to service_role, shop_server;
comment on function public.record_email_failure(uuid, text, boolean) is
  'Notes that a claimed message was not taken and returns its status: failed when is_final, when its kind is not retried, '
  'or after the last attempt; else it is retrying.';
grant execute on function public.record_email_failure(uuid, text, boolean) to service_role, shop_server;
comment on function internal.is_sample_email(public.emails) is
  'Whether a message is about the sample week, whoever wrote it: such a one is kept in the outbox.';
comment on function internal.list_undelivered_emails() is
  'Letters to customers that were given up and still matter, the oldest 50: true as they were written, not written again '
  'since, of an appointment that is not over (60 days at most), or of the last 14 days.';
comment on function internal.describe_undelivered_emails() is 'Undelivered letters, with whom to call and what they are about.';
comment on function internal.bookings_to_remind(integer) is
  'The appointments of tomorrow whose customers are to be reminded now and have not been: from the hour of booking_rules on, '
  'until nine in the evening. Each time of an appointment is reminded of once.';
grant execute on function internal.bookings_to_remind(integer) to shop_server;
comment on function internal.has_change_email(public.bookings) is
  'Whether a letter says what an appointment''s last move, cancellation or return came to.';
comment on function internal.with_current_links(text, text) is
  'The words of an email with the links of its recipient''s appointments and estimates as they are now.';
comment on function internal.mailbox_owner_domain(text) is
  'The domain whose mailboxes are counted together, without hosts below it; null for Gmail and Proton, which give everybody one '
  'mailbox that we know by all its names.';
comment on function internal.has_ten_customers(text) is 'Whether ten mailboxes of a host have completed appointments.';
comment on function internal.was_owner_notified() is
  'Whether an email to the owner was written in the last ten minutes; no other is until the transaction ends.';
comment on function internal.add_owner_notice(text, text) is
  'Notes what the owner is to be notified of, once for its key. True when whoever asks writes the email in this transaction; '
  'false when it waits for the collected one.';
grant execute on function internal.add_owner_notice(text, text) to shop_server;
comment on function internal.claim_owner_notices() is
  'What waits to be told, oldest first, once ten minutes have passed since the last email to the owner; whoever takes it writes '
  'the collected email in the same transaction.';
grant execute on function internal.claim_owner_notices() to shop_server;
comment on function internal.publish_customer_change() is
  'Tells all processes whose page changed: customers_changed, with the person''s id; of two whom it concerns both.';
comment on function internal.is_active_admin(uuid, timestamptz) is
  'Whether that user of the auth service is an admin who may sign in. As owner: the server reads no users.';
grant execute on function internal.is_active_admin(uuid, timestamptz) to shop_server;
comment on function internal.bays_of_day(date) is
  'All bays by position, with the services they can do (null is all) and when they are open, in minutes after midnight.';
comment on function internal.special_hours_of_day(date) is 'Closures and special openings that touch a date.';
comment on function internal.describe_booking(public.bookings) is
  'An appointment as the day shows it; starts_at and ends_at are the shop''s wall clock.';
comment on function public.read_day(date) is
  'Everything about a date in one read: {day, now, last_event_id, open, bays, closures, bookings}, at most 1000 appointments, '
  'also those that began on an earlier day and whatever state they are in (contracts/bookings/day.ts).';
grant execute on function public.read_day(date) to authenticated;
comment on function internal.list_arrived_bookings(timestamp) is
  'Appointments whose customer arrived and whose vehicle nobody works on yet, whatever day they are of; none that was over 14 '
  'days ago.';
comment on function internal.describe_schedule_conflicts() is 'What the view misfits has, the soonest 500.';
comment on function internal.describe_held_bookings() is
  'Appointments whose customers have not yet answered the question whether they come, the 50 whose time ends first.';
comment on function internal.describe_tasks_waiting_on_customer() is
  'What waits for its customer, the 50 that do longest: tasks with a question to them, and vehicles that are ready for pickup '
  '(by the task that was marked last). What was picked up, cancelled or missed waits no more.';
comment on function internal.payments_of_day(date) is
  'What the ledger has of a shop day, from midnight to midnight by the shop''s clock: how many payments and how much of each '
  'outcome and currency.';
comment on function public.read_today() is
  'What read_day says of today, and {instant, also_here, quotes, letters, to_notify, misfits, held, tasks, payments, week}: the '
  'vehicles at the shop whose appointment is of another day, who waits, what was paid today, the cars of this week '
  '(contracts/today.ts).';
grant execute on function public.read_today() to authenticated;
comment on function public.needs_attention() is
  'Whether a customer waits for the shop: one who arrived, a quote unanswered for 12 hours, a letter that failed, a change that '
  'its customer has not heard of, or an appointment that has no bay or lies outside the hours. What read_today names, without naming it.';
grant execute on function public.needs_attention() to authenticated;
comment on function internal.search_conditions(text[]) is 'SQL that holds where search_text has every word; null without one.';
comment on function internal.customer_search_words(text) is 'What to look for in people: internal.search_words, a number in its one form.';
comment on function internal.search_customers(text, integer) is
  'People of whom every word is in name, address or number, or whose other address or number it is; whose name begins so first, '
  'then who was here last. Of more than a hundred, a hundred.';
comment on function internal.search_vehicles(text, integer) is
  'Cars of which every word is in year, make, model, plate or VIN, whatever signs stand in it; the very plate or VIN first.';
comment on function internal.search_bookings(text, integer) is 'Whose visits have all of several words, some of a name and some of a car.';
comment on function internal.search_documents(text, uuid[], integer) is
  'Estimates and invoices of these people, and those with every word in number, name, plate or VIN; the very number first.';
comment on function internal.describe_customer_hit(public.customers, date) is 'A person in the results of a search.';
comment on function internal.describe_document_hit(text, text) is 'An estimate or an invoice in the results of a search.';
comment on function public.search_everything(text, integer) is
  'What the shop knows of a term of two characters or more, by kind and at most so many of each (5, up to 50): people, cars, '
  'visits, documents, and counts of the latter two up to 100 (contracts/customers.ts). A phone number is found by its digits, a plate '
  'and a VIN whatever signs stand in them, a visit by the first eight characters of its id.';
grant execute on function public.search_everything(text, integer) to authenticated;
comment on function internal.is_at_shop(text) is
  'Whether a vehicle in this state stands at the shop: isAtShop of domain/bookings/vehicle-state-table.ts, for queries that select by it.';
comment on function internal.vehicles_of_other_days(date) is
  'Appointments of later days, and of the last 14 days, whose vehicle stands at the shop, the 50 that begin first.';
comment on function stripe_sandbox.forget_invoices(text[]) is
  'Takes invoices of these numbers out of the sandbox with all that was done about them, as if they had never been; returns '
  'the ids of the events that told of them.';
comment on function internal.sample_invoices() is
  'The invoices of the sample week; invoice_id is null for one that was begun and not yet finished.';
comment on function internal.has_real_records() is 'Whether anything is there that is not of the sample week.';
comment on function internal.can_fill_sample_week() is 'Whether the shop is so fresh that a sample week can be filled in.';
grant execute on function internal.can_fill_sample_week() to shop_server;
comment on function internal.begin_sample_week() is
  'Begins the sample week, or goes on with the one that was begun, and returns its id; null when the shop has real records.';
grant execute on function internal.begin_sample_week() to shop_server;
comment on function internal.find_sample_slot(date, time, public.services) is
  'The free time nearest to a wish, with its bay; no row when the date has none.';
comment on function internal.add_sample_booking(jsonb) is
  'Adds an appointment to the sample week at the free time nearest to its wish, completed when that is over; of status here, '
  'it is arrived in the hour before its time and in work during it. No row when its date has no room.';
grant execute on function internal.add_sample_booking(jsonb) to shop_server;
comment on function internal.add_sample_quote(jsonb) is 'Adds a quote request to the sample week.';
grant execute on function internal.add_sample_quote(jsonb) to shop_server;
comment on function internal.add_sample_task(jsonb) is
  'Adds a task with its history and notes to the sample week; employee is a number in the list of the team, from 1.';
grant execute on function internal.add_sample_task(jsonb) to shop_server;
comment on function internal.finish_sample_week() is 'Notes that the sample week is there, with every letter of it kept.';
grant execute on function internal.finish_sample_week() to shop_server;
comment on function internal.remove_sample_week() is
  'Removes the sample week with all that was done to it, and nothing else; without one it changes nothing.';
grant execute on function internal.remove_sample_week() to shop_server;
comment on function internal.is_sample_estimate(uuid) is 'Whether an estimate belongs to the sample week.';
comment on function internal.add_sample_estimate(jsonb) is
  'Adds an estimate that was sent to the sample week, answered where it says what was approved; its jobs are kept for reuse.';
grant execute on function internal.add_sample_estimate(jsonb) to shop_server;
comment on function internal.remove_sample_customers() is
  'Removes whom only the sample week knew. Who was booked for real meanwhile stays.';

-- What is stored under a name. Histories, sent documents, dedupe keys and secrets keep theirs.
alter table internal.merge_rules drop constraint merge_rules_kind_check;
update internal.merge_rules rule
set kind = now.kind, table_name = now.table_name, column_name = now.column_name, key_column = now.key_column
from (values
  ('public.bookings', 'car_id', 'vehicle', 'public.bookings', 'vehicle_id', 'id'),
  ('public.cars', 'merged_into', 'vehicle', 'public.vehicles', 'merged_into', 'id'),
  ('public.estimates', 'car_id', 'vehicle', 'public.estimates', 'vehicle_id', 'id'),
  ('public.invoice_links', 'car_id', 'vehicle', 'public.invoices', 'vehicle_id', 'invoice_id'),
  ('public.odometer_readings', 'car_id', 'vehicle', 'public.odometer_readings', 'vehicle_id', 'id'),
  ('public.quote_requests', 'car_id', 'vehicle', 'public.quote_requests', 'vehicle_id', 'id'),
  ('public.bookings', 'person_id', 'customer', 'public.bookings', 'customer_id', 'id'),
  ('public.cars', 'person_id', 'customer', 'public.vehicles', 'customer_id', 'id'),
  ('public.different_people', 'other_id', 'customer', 'public.non_duplicates', 'other_customer_id', 'other_customer_id'),
  ('public.different_people', 'person_id', 'customer', 'public.non_duplicates', 'customer_id', 'customer_id'),
  ('public.estimates', 'person_id', 'customer', 'public.estimates', 'customer_id', 'id'),
  ('public.invoice_links', 'person_id', 'customer', 'public.invoices', 'customer_id', 'invoice_id'),
  ('public.people', 'merged_into', 'customer', 'public.customers', 'merged_into', 'id'),
  ('public.person_contacts', 'person_id', 'customer', 'public.customer_contact_methods', 'customer_id', 'id'),
  ('public.person_notes', 'person_id', 'customer', 'public.customer_notes', 'customer_id', 'id'),
  ('public.quote_requests', 'person_id', 'customer', 'public.quote_requests', 'customer_id', 'id')
) as now (old_table, old_column, kind, table_name, column_name, key_column)
where (rule.table_name, rule.column_name) = (now.old_table, now.old_column);
alter table internal.merge_rules add constraint merge_rules_kind_check check (kind in ('customer', 'vehicle'));
alter table public.merges drop constraint merges_kind_is_known;
update public.merges set
  kind = case kind when 'person' then 'customer' else 'vehicle' end,
  survivor_changes = case when survivor_changes ? 'note'
    then survivor_changes - 'note' || jsonb_build_object('internal_note', survivor_changes -> 'note') else survivor_changes end,
  moved_rows = (
    select coalesce(jsonb_object_agg(coalesce(now.new_key, moved.key), moved.value), '{}')
    from jsonb_each(moved_rows) moved left join (values
      ('public.bookings.car_id', 'public.bookings.vehicle_id'),
      ('public.cars.merged_into', 'public.vehicles.merged_into'),
      ('public.estimates.car_id', 'public.estimates.vehicle_id'),
      ('public.invoice_links.car_id', 'public.invoices.vehicle_id'),
      ('public.odometer_readings.car_id', 'public.odometer_readings.vehicle_id'),
      ('public.quote_requests.car_id', 'public.quote_requests.vehicle_id'),
      ('public.bookings.person_id', 'public.bookings.customer_id'),
      ('public.cars.person_id', 'public.vehicles.customer_id'),
      ('public.different_people.other_id', 'public.non_duplicates.other_customer_id'),
      ('public.different_people.person_id', 'public.non_duplicates.customer_id'),
      ('public.estimates.person_id', 'public.estimates.customer_id'),
      ('public.invoice_links.person_id', 'public.invoices.customer_id'),
      ('public.people.merged_into', 'public.customers.merged_into'),
      ('public.person_contacts.person_id', 'public.customer_contact_methods.customer_id'),
      ('public.person_notes.person_id', 'public.customer_notes.customer_id'),
      ('public.quote_requests.person_id', 'public.quote_requests.customer_id')
    ) as now (old_key, new_key) on now.old_key = moved.key);
alter table public.merges add constraint merges_kind_is_known check (kind in ('customer', 'vehicle'));
update internal.erasure_rules rule
set table_name = now.table_name, column_name = now.column_name, row_key = now.row_key, owner = now.owner, subject = now.subject,
    only_where = now.only_where
from (values
  ('internal.booking_caps', 'name', 'internal.visitor_booking_limits', 'name', null, null, null, 'true'),
  ('internal.email_kinds', 'agrees_with', 'internal.email_kinds', 'must_match', null, null, null, 'true'),
  ('internal.letter_caps', 'name', 'internal.visitor_email_limits', 'name', null, null, null, 'true'),
  ('internal.link_requests', 'mailbox', 'internal.visit_link_requests', 'mailbox', null, null, null, 'true'),
  ('internal.shop_setup', 'confirmed_steps', 'internal.onboarding', 'confirmed_steps', null, null, null, 'true'),
  ('internal.visitor_letters', 'dedupe_key', 'internal.visitor_emails', 'dedupe_key', null, null, null, 'true'),
  ('internal.visitor_letters', 'refused_because', 'internal.visitor_emails', 'exceeded_limit', null, null, null, 'true'),
  ('public.authorizations', 'person', 'public.authorizations', 'decided_by_name', null, null, null, 'true'),
  ('public.authorizations', 'relation', 'public.authorizations', 'relationship', null, null, null, 'true'),
  ('public.authorizations', 'words', 'public.authorizations', 'statement', null, null, null, 'true'),
  ('public.booking_events', 'reason', 'public.booking_events', 'reason', 'one.id::text', '(select booking.customer_id from public.bookings booking where booking.id = one.booking_id)', '(select booking.customer_name || to_char(booking.appointment_date, '', FMMon FMDD, YYYY'')
       from public.bookings booking where booking.id = one.booking_id)', 'true'),
  ('public.booking_rules', 'pause_sentence', 'public.booking_rules', 'pause_message', 'one.id::text', 'null::uuid', 'null::text', 'true'),
  ('public.bookings', 'kept_by', 'public.bookings', 'conflict_accepted_by', null, null, null, 'true'),
  ('public.bookings', 'notes', 'public.bookings', 'notes', 'one.id::text', 'one.customer_id', 'one.customer_name || to_char(one.appointment_date, '', FMMon FMDD, YYYY'')', 'true'),
  ('public.bookings', 'shop_note', 'public.bookings', 'internal_note', 'one.id::text', 'one.customer_id', 'one.customer_name || to_char(one.appointment_date, '', FMMon FMDD, YYYY'')', 'true'),
  ('public.cars', 'car_key', 'public.vehicles', 'vehicle_key', null, null, null, 'true'),
  ('public.cars', 'color', 'public.vehicles', 'color', null, null, null, 'true'),
  ('public.cars', 'make', 'public.vehicles', 'make', null, null, null, 'true'),
  ('public.cars', 'model', 'public.vehicles', 'model', null, null, null, 'true'),
  ('public.cars', 'note', 'public.vehicles', 'internal_note', 'one.id::text', 'one.customer_id', 'concat_ws('' '', one.year, one.make, one.model)', 'true'),
  ('public.cars', 'plate', 'public.vehicles', 'plate', null, null, null, 'true'),
  ('public.cars', 'plate_key', 'public.vehicles', 'plate_key', null, null, null, 'true'),
  ('public.cars', 'search_text', 'public.vehicles', 'search_text', null, null, null, 'true'),
  ('public.cars', 'vin', 'public.vehicles', 'vin', null, null, null, 'true'),
  ('public.cars', 'year', 'public.vehicles', 'year', null, null, null, 'true'),
  ('public.closures', 'reason', 'public.special_hours', 'reason', 'one.id::text', 'null::uuid', 'to_char(one.starts_at, ''FMMon FMDD, YYYY'')', 'true'),
  ('public.erasures', 'kept', 'public.erasures', 'retained', null, null, null, 'true'),
  ('public.estimate_jobs', 'measure', 'public.estimate_jobs', 'measurement', null, null, null, 'true'),
  ('public.estimate_jobs', 'plain_words', 'public.estimate_jobs', 'customer_description', 'one.estimate_id || '' '' || one.revision || '' '' || one.job_key', 'internal.customer_of_estimate(one.estimate_id)', '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_jobs', 'title', 'public.estimate_jobs', 'title', 'one.estimate_id || '' '' || one.revision || '' '' || one.job_key', 'internal.customer_of_estimate(one.estimate_id)', '(select estimate.number from public.estimates estimate where estimate.id = one.estimate_id)', 'internal.is_unsent(one.estimate_id, one.revision)'),
  ('public.estimate_lines', 'detail', 'public.estimate_lines', 'subtype', null, null, null, 'true'),
  ('public.estimates', 'internal_note', 'public.estimates', 'internal_note', 'one.id::text', 'one.customer_id', 'one.number || '', '' || one.customer_name', 'true'),
  ('public.invoice_links', 'currency', 'public.invoices', 'currency', null, null, null, 'true'),
  ('public.invoice_links', 'customer_name', 'public.invoices', 'customer_name', null, null, null, 'true'),
  ('public.invoice_links', 'invoice_id', 'public.invoices', 'invoice_id', null, null, null, 'true'),
  ('public.invoice_links', 'number', 'public.invoices', 'number', null, null, null, 'true'),
  ('public.invoice_links', 'search_text', 'public.invoices', 'search_text', null, null, null, 'true'),
  ('public.invoice_links', 'status', 'public.invoices', 'status', null, null, null, 'true'),
  ('public.kept_jobs', 'job', 'public.canned_jobs', 'job', 'one.id::text', 'null::uuid', 'one.title', 'true'),
  ('public.kept_jobs', 'title', 'public.canned_jobs', 'title', 'one.id::text', 'null::uuid', 'null::text', 'true'),
  ('public.people', 'email', 'public.customers', 'email', null, null, null, 'true'),
  ('public.people', 'name', 'public.customers', 'name', null, null, null, 'true'),
  ('public.people', 'phone', 'public.customers', 'phone', null, null, null, 'true'),
  ('public.people', 'phone_key', 'public.customers', 'phone_key', null, null, null, 'true'),
  ('public.people', 'search_text', 'public.customers', 'search_text', null, null, null, 'true'),
  ('public.person_contacts', 'confirmed_by_name', 'public.customer_contact_methods', 'confirmed_by_name', null, null, null, 'true'),
  ('public.person_contacts', 'key', 'public.customer_contact_methods', 'match_key', null, null, null, 'true'),
  ('public.person_contacts', 'kind', 'public.customer_contact_methods', 'kind', null, null, null, 'true'),
  ('public.person_contacts', 'value', 'public.customer_contact_methods', 'value', null, null, null, 'true'),
  ('public.person_notes', 'note', 'public.customer_notes', 'note', 'one.id::text', 'one.customer_id', '(select person.name from public.customers person where person.id = one.customer_id)', 'true'),
  ('public.person_notes', 'written_by_name', 'public.customer_notes', 'written_by_name', null, null, null, 'true'),
  ('public.quote_requests', 'description', 'public.quote_requests', 'description', 'one.id::text', 'one.customer_id', 'one.name', 'true'),
  ('public.record_merges', 'before', 'public.merges', 'survivor_changes', null, null, null, 'true'),
  ('public.record_merges', 'kind', 'public.merges', 'kind', null, null, null, 'true'),
  ('public.record_merges', 'merged_by_name', 'public.merges', 'merged_by_name', null, null, null, 'true'),
  ('public.record_merges', 'moved', 'public.merges', 'moved_rows', null, null, null, 'true'),
  ('public.shop', 'kind', 'public.shop', 'business_type', null, null, null, 'true'),
  ('public.shop', 'lead', 'public.shop', 'description', null, null, null, 'true')
) as now (old_table, old_column, table_name, column_name, row_key, owner, subject, only_where)
where (rule.table_name, rule.column_name) = (now.old_table, now.old_column);
update internal.file_cleanups cleanup set table_name = now.table_name
from (values
  ('internal.booking_caps', 'internal.visitor_booking_limits'),
  ('internal.letter_caps', 'internal.visitor_email_limits'),
  ('internal.link_requests', 'internal.visit_link_requests'),
  ('internal.shop_setup', 'internal.onboarding'),
  ('internal.visitor_letters', 'internal.visitor_emails'),
  ('public.cars', 'public.vehicles'),
  ('public.closures', 'public.special_hours'),
  ('public.different_people', 'public.non_duplicates'),
  ('public.invoice_links', 'public.invoices'),
  ('public.kept_jobs', 'public.canned_jobs'),
  ('public.people', 'public.customers'),
  ('public.person_contacts', 'public.customer_contact_methods'),
  ('public.person_notes', 'public.customer_notes'),
  ('public.record_merges', 'public.merges')
) as now (old_table, table_name)
where cleanup.table_name = now.old_table;
alter table internal.email_kinds drop constraint email_kinds_must_match_check;
update internal.email_kinds set must_match = 'sent_revision' where must_match = 'offer';
alter table internal.email_kinds add constraint email_kinds_must_match_check
  check (must_match in ('booking', 'held_booking', 'cancelled_booking', 'sent_revision', 'nothing'));
-- Nobody is told: the emails are the same.
alter table public.emails disable trigger user;
alter table public.emails drop constraint emails_status_check, drop constraint emails_sent_at_matches_status;
update public.emails set status = 'in_outbox' where status = 'kept';
alter table public.emails
  add constraint emails_status_check check (status in ('queued', 'retrying', 'sent', 'in_outbox', 'failed')),
  add constraint emails_sent_at_matches_status check ((status in ('sent', 'in_outbox')) = (sent_at is not null));
alter table public.emails enable trigger user;
