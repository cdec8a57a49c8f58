/**
 * Whether an If-None-Match header names this entity tag. It compares weakly (RFC 9110, section 13.1.2): proxies that
 * recompress mark tags W/.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
