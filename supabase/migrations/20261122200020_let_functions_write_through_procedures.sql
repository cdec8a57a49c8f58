-- What the server and the functions of a hosted project write of e-mails and replies goes through the procedures of
-- the migration before; the rights to do it by hand go.

revoke insert, update on public.emails from service_role;
revoke select, insert, update on public.quote_email_logs from service_role, shop_server;
revoke update (status) on public.quote_requests from service_role, shop_server;

drop policy "the server reads quote replies" on public.quote_email_logs;
drop policy "the server logs quote replies" on public.quote_email_logs;
drop policy "the server completes quote replies" on public.quote_email_logs;
drop policy "the server completes quote requests" on public.quote_requests;
