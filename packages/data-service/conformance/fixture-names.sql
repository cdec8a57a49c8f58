-- Tables and columns whose names also occur in generated statements, and functions with all kinds of results.
create table r (
  r int primary key,
  is_new boolean,
  count int,
  "select" text,
  json jsonb,
  t0 text,
  t1 text,
  sent text,
  result text,
  value text,
  page int,
  body text,
  changed text,
  call text,
  e text
);
create table t0 (
  id int primary key,
  r int references r,
  "🙂" text,
  "Upper Case" text default 'Ü',
  "quote""d" text,
  one text
);
create table changed (id int primary key, r int references r, t0 int references t0);
insert into r values
  (1, true, 7, 'a', '{"r": 1}', 'b', 'c', 'd', 'e', 'f', 3, 'g', 'h', 'i', 'j'),
  (2, false, null, null, null, null, null, null, null, null, null, null, null, null, null);
insert into t0 (id, r, "🙂", "quote""d", one) values (1, 1, 'smile', 'q', 'x'), (2, 1, null, null, null), (3, 2, 'grin', '"', ',');
insert into changed values (1, 1, 1), (2, 2, 3);

-- A partitioned table.
create table ledger (year int, entry text, amount numeric not null default 0, primary key (year, entry)) partition by list (year);
create table ledger_2025 partition of ledger for values in (2025);
create table ledger_2026 partition of ledger for values in (2026);
insert into ledger values (2025, 'rent', 10), (2026, 'rent', 12);

create function next_number(n int, out following int) language sql immutable return n + 1;
create function same_number(inout n int) language sql immutable return n;
create function one_column(word text) returns table (letter text) language sql immutable
  begin atomic select unnest(string_to_array(word, null)); end;
create function a_record() returns record language sql immutable return row(1, 'x');
create domain found_book as books;
create function domain_book(book_id int) returns found_book language sql stable
  begin atomic select (row(b.*)::books)::found_book from books b where id = book_id; end;
create function codes(code char, codes char[], flags bit, more bit[]) returns table (c text, cs text[], f text, fs text[])
  language sql immutable
  begin atomic select code::text, codes::text[], flags::text, more::text[]; end;
grant execute on function next_number, same_number, one_column, a_record, domain_book, codes to anon, authenticated;
grant select, insert, update, delete on r, t0, changed, ledger to anon, authenticated, service_role;

create function choose_answer(status text default null, headers text default null) returns text language plpgsql as $$
begin
  perform set_config('response.status', status, true), set_config('response.headers', headers, true);
  return 'chosen';
end $$;
grant execute on function choose_answer to anon, authenticated;
