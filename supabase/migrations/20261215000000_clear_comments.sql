-- Comments of tables, columns and functions that were hard to understand say the same in plain sentences.

comment on column internal.backup_drills.reason is
  'Why the backup could not be restored or compared, as a code; null otherwise.';
comment on column internal.backup_drills.differing is
  'What differs: the names of tables, ''catalog'' for the schema, ''files'' for the files.';
comment on column internal.backup_drills.next_file_number is
  'The number from which on the copies of files are new for the next drill.';
comment on table internal.backup_key_copies is
  'The fingerprints of the backup keys of which the owner keeps a copy on another machine. [append-only]';
comment on column internal.restored_shop.resumed_at is
  'When an admin ended the pause of the emails; null while they are paused.';
comment on function internal.are_emails_paused() is
  'Whether the emails of a restored shop are paused until an admin ends the pause.';
comment on column public.tasks.archived_at is
  'When a clean-up removed the task from the list without deleting it, because the law or its vehicle still needs the task; null while it is listed.';
comment on function internal.take_service(public.bookings, uuid) is
  'Returns a booking with the present name, price and duration of another service; unchanged when the service is the same.';
comment on column stripe_sandbox.objects.data is
  'The object as the API returns it, with unexpanded ids and with URLs relative to the site.';
comment on column stripe_sandbox.event_deliveries.next_attempt_at is
  'The time of the next attempt in milliseconds since 1970; null after the delivery or the last attempt.';
comment on column internal.known_browsers.username is
  'The username in lower case. A shared tablet can be known for several admins.';
comment on column internal.visit_link_requests.mailbox is
  'The mailbox, normalized by internal.normalize_mailbox; null after the request was handled.';
comment on column public.special_hours.bay_id is
  'The bay to which the exception applies; null for the whole shop.';
