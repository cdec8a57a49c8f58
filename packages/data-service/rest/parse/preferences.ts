import { Refusal, unsupported } from '../response/refusal.ts'
import type { Preferences } from './ast.ts'

const supported = new Map(
  Object.entries({
    return: ['minimal', 'representation', 'headers-only'],
    resolution: ['merge-duplicates', 'ignore-duplicates'],
    missing: ['default', 'null'],
    count: ['exact', 'planned', 'estimated'],
    handling: ['strict', 'lenient'],
  }),
)

/** Parses the header `Prefer` (RFC 7240). Unknown preferences are ignored unless `handling=strict`. */
export function parsePreferences(header: string | undefined): Preferences {
  if (!header) return {}
  const found: Record<string, string> = {}
  const unknown: string[] = []
  for (const preference of header.split(',').map((part) => part.trim())) {
    const [name = '', value = ''] = preference.split('=')
    if (preference === 'params=single-object')
      throw unsupported('Function arguments in a single object')
    if (name === 'timezone' && isZone(value)) found[name] ??= value
    else if (supported.get(name)?.includes(value)) found[name] ??= value
    else unknown.push(preference)
  }
  if (found['handling'] === 'strict' && unknown.length > 0) {
    throw new Refusal(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    })
  }
  return found
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
