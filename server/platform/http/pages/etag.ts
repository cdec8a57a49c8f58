/**
 * Whether an If-None-Match header contains this entity tag. The comparison is weak (RFC 9110, section 13.1.2),
 * because proxies that recompress a response add W/ to its tag.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const etags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return etags.includes(etag) || etags.includes('*')
}
