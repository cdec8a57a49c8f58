-- The owner tries whether e-mail leaves: a message of its own kind, that goes once and is not tried again.

insert into internal.email_kinds (kind, is_retried, is_confirmation, agrees_with) values
  ('test_message', false, false, 'nothing');
