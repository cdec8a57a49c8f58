export type Encoding = 'br' | 'gzip' | 'identity'

/** Chooses the smallest encoding that an Accept-Encoding header allows (RFC 9110, section 12.5.3). */
export function chooseEncoding(header: string | undefined): Encoding {
  const allowed = new Map<string, boolean>()
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    allowed.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  const allows = (name: string) => allowed.get(name) ?? allowed.get('*') ?? false
  if (allows('br')) return 'br'
  return allows('gzip') ? 'gzip' : 'identity'
}
