-- Views that show keys of tables, including keys of tables that the API does not expose, and functions of a row.
create view book_list as select id, title, author_id, upper(title) as loud from books;
create view author_list as select id as author, name from authors;
create view long_list as select title as "the title", author_id as writer from book_list where id > 1;
create table tags (id int primary key, word text);
create table tagged (book_id int references books on delete cascade, tag_id int references tags, primary key (book_id, tag_id));
create view tag_list as select book_id, tag_id as tag from tagged;
insert into tags values (1, 'old'), (2, 'new');
insert into tagged values (1, 1), (1, 2), (3, 2);
create view couples as select a.author_id as one, b.author_id as other from books a join books b on a.id < b.id;
create view both_keys as select s.id, s.country, s.code, w.name from shelves s join warehouses w using (country, code);
create view all_names as select id, name from authors union all select id, title from books;
create view nested_names as
  select b.id, b.author_id, (select g.name from genres g join book_genres bg on bg.genre_id = g.id
    where bg.book_id = b.id order by g.name limit 1) as genre
  from (select * from books where price > 6) b;
create schema archive;
create table archive.boxes (id int primary key, label text);
create table archive.papers (id int primary key, box_id int references archive.boxes, author_id int references authors);
create view boxes as select * from archive.boxes;
create view papers as select id, box_id, author_id from archive.papers;
insert into archive.boxes values (1, 'red'), (2, 'blue');
insert into archive.papers values (1, 1, 1), (2, 1, 2), (3, 2, null);

create function full_title(books) returns text language sql stable
  begin atomic select $1.title || ' (' || coalesce(extract(year from $1.published)::text, 'no year') || ')'; end;
create function facts(b books) returns jsonb language sql stable
  begin atomic select jsonb_build_object('cheap', b.price < 10, 'id', b.id); end;
create function writer(books) returns setof authors rows 1 language sql stable
  begin atomic select * from authors where id = $1.author_id; end;
create function editor(books) returns authors language sql stable
  begin atomic select * from authors where id = $1.editor_id; end;
create function works(authors) returns setof books language sql stable
  begin atomic select * from books where author_id = $1.id order by id desc; end;
-- A function with the name of a table; it hides the relationship to that table.
create function reviews(genres) returns setof reviews language sql stable
  begin atomic select r.* from reviews r join book_genres g using (book_id) where g.genre_id = $1.id order by r.id; end;
create function secret_title(books) returns text language sql stable return 'canary-function';
revoke execute on function secret_title from public;
grant usage on schema archive to anon, authenticated;
grant select, insert, update, delete on book_list, author_list, long_list, tags, tagged, tag_list, couples, both_keys, all_names,
  nested_names, boxes, papers to anon, authenticated, service_role;
grant execute on function full_title, facts, writer, editor, works, reviews(genres) to anon, authenticated, service_role;
