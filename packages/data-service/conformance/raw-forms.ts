import { object, type RawRequest } from './raw-request.ts'

const csv = { accept: 'text/csv' }
const stripped = { accept: 'application/vnd.pgrst.array+json;nulls=stripped' }
const shown = 'return=representation'

/**
 * Requests that change the format of the response: by spreading embeds into the outer row, by asking for CSV or for
 * rows without null fields, by the header Prefer, or by a function that sets the status and the headers.
 */
export const rawForms: readonly RawRequest[] = [
  // Requests that spread the columns of an embed into the outer row.
  { path: '/books?select=id,...authors!author_id(name,active)&order=id' },
  { path: '/books?select=id,...authors!editor_id(editor:name)&order=id' },
  { path: '/books?select=*,...authors!author_id(writer:name,town:profile->>city)&order=id' },
  { path: '/books?select=id,...authors!author_id!inner(name)&authors.name=like.A*&order=id' },
  { path: '/books?select=id,...authors!author_id(born,...author_details(biography))&order=id' },
  { path: '/books?select=id,...authors!author_id(t2:id,name)&order=authors(name).desc,id' },
  { path: '/books?select=id,...authors!editor_id(name)&authors=is.null&order=id' },
  { path: '/reviews?select=rating,books(title,...authors!author_id(name))&order=rating' },
  { path: '/author_details?select=*,...authors(*)&order=author_id' },
  { path: '/authors?select=id,...books!author_id(title)' },
  { path: '/books?select=id,...writer(name)&order=id' },
  { path: '/changed?select=id,...r(r,json)&order=id' },
  {
    path: '/books?select=id,...authors!author_id(name)&id=eq.1',
    method: 'PATCH',
    body: { stock: 9 },
    prefer: shown,
  },
  // Requests that ask for CSV.
  { path: '/books?select=id,title,price&order=id', headers: csv },
  { path: '/authors?order=id', headers: csv },
  { path: '/moods?order=id', headers: csv },
  { path: '/books?id=eq.99', headers: csv },
  { path: '/books?select=id&order=id&limit=2', headers: csv, prefer: 'count=exact' },
  { path: '/books?select=id,...authors!author_id(name)&order=id', headers: csv },
  { path: '/Odd%20%22names%22', headers: csv },
  { path: '/r?order=r', headers: csv },
  { path: '/rpc/books_above?minimum=8&order=id', headers: csv },
  { path: '/rpc/letters?word=ab', headers: csv },
  { path: '/rpc/add_numbers?a=1', headers: csv },
  {
    path: '/settings?select=key',
    method: 'POST',
    body: { key: 'csv' },
    headers: csv,
    prefer: shown,
  },
  { path: '/settings?key=eq.csv', method: 'DELETE', headers: csv },
  { path: '/books?select=id&order=id', headers: { accept: 'text/csv;q=0.5, application/json' } },
  { path: '/books?select=id&order=id', headers: { accept: 'text/plain, text/csv' } },
  { path: '/books', headers: { accept: 'text/plain' } },
  // Requests that ask for rows without null fields.
  { path: '/authors?select=id,born,profile&order=id', headers: stripped },
  { path: '/books?select=id,editor_id,authors!editor_id(name,born)&order=id', headers: stripped },
  {
    path: '/books?select=id,editor_id&id=eq.2',
    headers: { accept: `${object.accept};nulls=stripped` },
  },
  { path: '/rpc/one_book?book_id=2', headers: stripped },
  {
    path: '/settings',
    method: 'POST',
    body: { key: 'stripped', weight: null },
    headers: stripped,
    prefer: shown,
  },
  { path: '/settings?key=eq.stripped', method: 'DELETE' },
  // Requests that send the header Prefer.
  { path: '/reviews?select=created_at&order=id', prefer: 'timezone=America/Los_Angeles' },
  { path: '/reviews?select=created_at&order=id', prefer: 'timezone=Moon/Crater' },
  { path: '/reviews?select=created_at&order=id', prefer: 'handling=strict, timezone=Moon/Crater' },
  { path: '/books?select=id&order=id', prefer: 'handling=lenient, anything, count=exact' },
  { path: '/books?select=id', prefer: 'handling=strict, max-affected=1' },
  {
    path: '/reviews?rating=eq.5&select=created_at',
    method: 'PATCH',
    body: { body: 'Zoned' },
    headers: object,
    prefer: `timezone=Asia/Tokyo, ${shown}`,
  },
  { path: '/books?select=id&order=id', method: 'HEAD', headers: { range: '1-2' } },
  {
    path: '/rpc/books_above?select=id&order=id',
    method: 'POST',
    body: { minimum: 1 },
    headers: { range: '1-2' },
  },
  // Requests for which a function sets the status and headers of the response.
  { path: '/rpc/choose_answer?status=202&headers=[{"Location":"/there"},{"X-One":"1"}]' },
  { path: '/rpc/choose_answer', method: 'POST', body: { status: '418', headers: '[]' } },
  { path: '/rpc/choose_answer?status=teapot' },
  { path: '/rpc/choose_answer?headers={"a":"b"}' },
  { path: '/rpc/choose_answer?headers=[{"a":1}]' },
  { path: '/rpc/choose_answer?headers=[{"a":"1","b":"2"}]' },
]
