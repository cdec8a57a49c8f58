import { object, type RawRequest } from './raw-request.ts'

const shown = 'return=representation'

/** Requests that embed rows through views, read computed columns, or embed computed relations. */
export const rawEmbeds: readonly RawRequest[] = [
  // Requests that embed rows of related tables through views.
  { path: '/book_list?select=id,authors(name)&order=id' },
  { path: '/book_list?select=id,author_list(name)&order=id' },
  { path: '/book_list?select=id,who:author_id(name),reviews(rating),genres(name)&order=id' },
  { path: '/author_list?select=name,book_list(title)&order=author&book_list.order=title' },
  { path: '/author_list?select=name,long_list(*)&order=author&long_list.order="the title"' },
  { path: '/author_list?select=name,author_details(biography)&order=author' },
  { path: '/long_list?select=*,authors!inner(name)&authors.name=like.A*&order="the title"' },
  { path: '/long_list?select=*,writer(name)&order=writer(name),"the title"' },
  { path: '/long_list?select=*,reviews(rating)' },
  { path: '/tag_list?select=*,books(title),tags(word)&order=book_id,tag' },
  { path: '/book_list?select=id,tags!tag_list(word)&order=id&tags.order=id' },
  { path: '/tags?select=word,books!tagged(id)&order=id&books.order=id' },
  { path: '/couples?select=one,authors!one(name)&order=one,other' },
  { path: '/couples?select=one,authors(name)' },
  { path: '/both_keys?select=id,warehouses(name)&order=id' },
  { path: '/all_names?select=id,books(title)', differs: 'suggestion' },
  { path: '/nested_names?select=id,genre,authors(name),reviews(rating)&order=id' },
  { path: '/papers?select=id,boxes(label),authors(name)&order=id' },
  { path: '/boxes?select=label,papers(id)&order=id&papers.order=id' },
  { path: '/authors?select=name,papers(id,boxes(label))&order=id' },
  {
    path: '/book_list?select=id,authors(name)&id=eq.1',
    method: 'PATCH',
    body: { title: 'Angle' },
    prefer: shown,
    differs: 'wording',
  },
  { path: '/boxes', method: 'POST', body: { id: 8, label: 'x' }, prefer: 'return=headers-only' },
  { path: '/boxes', method: 'POST', body: { id: 1 }, prefer: 'resolution=merge-duplicates' },
  // Requests that read computed columns.
  { path: '/books?select=id,full_title&order=id' },
  { path: '/books?select=*,full_title,short:full_title::varchar&id=eq.1' },
  { path: '/books?select=id,facts->cheap,facts->>id&order=full_title.desc' },
  { path: '/books?select=id&full_title=like.*2001*' },
  { path: '/books?select=id&or=(facts->>id.eq.2,full_title.ilike.c*)&order=id' },
  { path: '/authors?select=id,books!author_id(full_title)&order=id&books.order=full_title' },
  { path: '/rpc/books_above?minimum=8&select=id,full_title&order=full_title.desc' },
  { path: '/rpc/books_above?minimum=8&select=*,facts&facts->>cheap=eq.false' },
  { path: '/rpc/one_book?book_id=1&select=full_title,writer(name)', headers: object },
  { path: '/authors?select=full_title', differs: 'alias' },
  { path: '/books?select=secret_title' },
  // Requests that embed computed relations.
  { path: '/books?select=id,writer(name),editor(name)&order=id' },
  { path: '/books?select=id,w:writer!inner(name)&w.name=like.A*&order=w(name),id' },
  { path: '/books?select=id,editor()&editor=is.null&order=id' },
  {
    path: '/authors?select=name,works(id,full_title,writer(name))&order=id&works.limit=1&works.order=id',
  },
  { path: '/authors?select=name,works!inner(count)&works.price=gt.8&order=id' },
  { path: '/genres?select=name,reviews(rating)&order=id' },
  { path: '/rpc/books_above?minimum=8&select=id,writer(name)&order=id' },
  {
    path: '/books?id=eq.2&select=id,writer(name),full_title',
    method: 'PATCH',
    body: { stock: 4 },
    prefer: shown,
  },
  {
    path: '/books?select=*,full_title,writer(name,works(count))',
    method: 'POST',
    body: { id: 77, title: 'Short', author_id: 2 },
    prefer: shown,
  },
  {
    path: '/books?id=eq.77&select=full_title,writer(id)',
    method: 'DELETE',
    prefer: shown,
    headers: object,
  },
]
