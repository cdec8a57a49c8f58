import type { RawRequest } from './raw-request.ts'

/** Requests that count rows, search texts, or use operators with a modifier. */
export const rawOperators: readonly RawRequest[] = [
  // Requests that count rows.
  { path: '/books?select=count' },
  { path: '/books?select=count&price=gt.8', prefer: 'count=exact' },
  { path: '/books?select=total:count::text' },
  { path: '/authors?select=id,books!author_id(count)&order=id' },
  { path: '/authors?select=id,books:books!author_id(total:count)&books.price=gt.8&order=id' },
  { path: '/books?select=id,genres(count),authors!author_id(count)&order=id' },
  { path: '/books?select=id,authors!editor_id(count)&order=id' },
  { path: '/books?select=id,count', differs: 'alias' },
  { path: '/books?select=count,authors!author_id(name)', differs: 'alias' },
  { path: '/rpc/books_above?minimum=8&select=count' },
  { path: '/books?select=count()' },
  { path: '/books?select=id,total:count()' },
  { path: '/books?select=price.sum()' },
  { path: '/staff?select=count' },
  // Requests that use full-text search.
  { path: '/books?title=fts.attack&select=id' },
  { path: '/books?title=fts(english).attacks&select=id' },
  { path: '/books?title=not.fts.attack&select=id&order=id' },
  { path: '/books?title=plfts(simple).angle of attack&select=id' },
  { path: '/books?title=phfts.of attack&select=id' },
  { path: '/books?title=wfts.camshaft or fluid&select=id&order=id' },
  { path: '/books?or=(title.fts(english).fluids,title.wfts.camshaft)&select=id&order=id' },
  { path: '/books?title=fts(nowhere).x&select=id' },
  { path: '/books?title=fts.a b&select=id' },
  { path: '/books?id=fts.1&select=id' },
  // Requests with regular expressions, which only signed-in users may send.
  { path: '/books?title=match.^[AB]&select=id&order=id', signedIn: true },
  { path: '/books?title=imatch.^c&select=id', signedIn: true },
  { path: '/books?title=not.match(any).{^A,^B}&select=id&order=id', signedIn: true },
  { path: '/books?or=(title.imatch(all).{a,t},id.eq.2)&select=id&order=id', signedIn: true },
  { path: '/books?title=match.(&select=id', signedIn: true },
  // Requests with the quantifiers `any` and `all`.
  { path: '/books?id=eq(any).{1,3}&select=id&order=id' },
  { path: '/books?id=gt(all).{1,2}&select=id&order=id' },
  { path: '/books?id=lte(any).{1,2}&select=id&order=id' },
  { path: '/books?title=like(any).{*A*,C*}&select=id&order=id' },
  { path: '/books?title=ilike(all).{*a*,*t*}&select=id&order=id' },
  { path: '/books?title=not.ilike(any).{a*,b*}&select=id&order=id' },
  { path: '/books?or=(id.eq(any).{1,2},title.like(all).{C*,*t})&select=id&order=id' },
  { path: '/books?id=neq(any).{1}&select=id', differs: 'wording' },
  { path: '/books?id=eq(some).{1}&select=id', differs: 'wording' },
  // Requests that contain spaces in the query string.
  { path: '/books?and=( id.gt.1 , not.or ( id.eq.2, id.eq.3 ) )&select=id' },
  { path: '/books?or=( and ( id.in.( 1, 2 ) , id.lt.3 ) , id.eq.4)&select=id&order=id' },
  { path: '/books?id=in.( 1,3 )&select=id&order=id' },
  { path: '/books?id=in.(  )&select=id' },
  { path: '/books?title=in.("")&select=id' },
  { path: '/books?select= id , title , authors!author_id( name )&order= id.desc, title' },
  // Requests that select keys of JSON paths.
  { path: '/books?select=metadata->>--3&order=id', differs: 'wording' },
  { path: '/books?select=metadata->>a-b&order=id' },
  { path: '/authors?select=tags::_text,tags->-1&order=id' },
]
