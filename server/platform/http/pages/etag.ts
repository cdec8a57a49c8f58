/**
 * Whether an If-None-Match header names this entity tag. It compares weakly (RFC 9110, section 13.1.2): proxies that
 * recompress mark tags W/.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const etags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return etags.includes(etag) || etags.includes('*')
}
