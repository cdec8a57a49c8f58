import { object, type RawRequest } from './raw-request.ts'

const shown = 'return=representation'
const upsert = `resolution=merge-duplicates, ${shown}`

/** Requests for tables and columns whose names also occur in generated statements. */
export const rawNames: readonly RawRequest[] = [
  { path: '/r?order=r' },
  { path: '/r?select=r&order=r' },
  { path: '/r?select=r:r,is_new,count,json->r,t0,t1&order=r' },
  { path: '/r?select=r:value,sent,result,page,body,changed,call,e&order=r' },
  { path: '/r?select=r,select&count=eq.7&t0=eq.b' },
  { path: '/Odd%20%22names%22?"x->y"=not.eq.a&select="x->y"' },
  { path: '/r?select=r,t0(*)&order=r&t0.order=id' },
  { path: '/r?select=*,json:t0(r:id),value:changed(t0)&r=eq.1' },
  { path: '/t0?select=id,r(*)&order=id' },
  { path: '/t0?select=id,json:r(t0,r)&order=json(r),id.desc' },
  { path: '/t0?select="%F0%9F%99%82","Upper Case","quote\\"d",one&order=id' },
  { path: '/changed?select=*,r(r),t0(*,r(r))&order=id', prefer: 'count=exact' },
  { path: '/r', method: 'POST', body: { r: 3, is_new: true, count: 1 }, prefer: shown },
  {
    path: '/r?select=r',
    method: 'POST',
    body: [{ r: 4 }, { r: 5 }],
    prefer: shown,
    signedIn: true,
  },
  { path: '/r', method: 'POST', body: { r: 3, is_new: false, sent: 'x' }, prefer: upsert },
  {
    path: '/r?select=is_new',
    method: 'POST',
    body: [{ r: 5 }, { r: 6 }],
    prefer: upsert,
    signedIn: true,
  },
  { path: '/r', method: 'POST', body: { r: 7, e: 'x' }, prefer: `missing=default, ${shown}` },
  { path: '/r', method: 'POST', body: { r: 8 }, prefer: 'return=headers-only' },
  {
    path: '/r?r=eq.3&select=r,t0(id)',
    method: 'PATCH',
    body: { changed: 'y', result: 'z' },
    prefer: shown,
  },
  { path: '/changed', method: 'POST', body: { id: 9, r: 1, t0: 1 }, prefer: shown },
  {
    path: '/changed?select=id,r(r,t0(id)),t0(id)&id=eq.9',
    method: 'PATCH',
    body: { r: 2 },
    prefer: shown,
  },
  { path: '/changed?id=eq.9&select=r(r)', method: 'DELETE', prefer: shown, headers: object },
  { path: '/r?r=gt.2&select=r', method: 'DELETE', prefer: shown },
  // Requests that read and write a partitioned table.
  { path: '/ledger?order=year' },
  {
    path: '/ledger',
    method: 'POST',
    body: { year: 2025, entry: 'rent', amount: 11 },
    prefer: upsert,
  },
  {
    path: '/ledger',
    method: 'POST',
    body: [
      { year: 2025, entry: 'rent', amount: 12 },
      { year: 2026, entry: 'light', amount: 3 },
    ],
    signedIn: true,
    prefer: upsert,
  },
  { path: '/ledger', method: 'POST', body: [], prefer: upsert },
  { path: '/ledger?order=year,entry' },
]
