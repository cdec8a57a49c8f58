-- A form that was taken has its letter: what one client or one household sends within the limits of forms (ten
-- bookings and ten quote requests in ten minutes, thirty a day) reached these caps first, and was told that the
-- e-mail could not be sent. The whole site's cap of a day stays.
update internal.letter_caps cap set most = raised.most
from (values
  ('mailbox', interval '1 hour', 10),
  ('mailbox', interval '1 day', 20),
  ('domain', interval '1 day', 30),
  ('address', interval '1 hour', 20),
  ('address', interval '1 day', 30),
  ('site', interval '1 hour', 100)
) as raised (name, span, most)
where cap.name = raised.name and cap.span = raised.span and cap.most < raised.most;
