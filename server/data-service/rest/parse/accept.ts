import { Refusal } from '../answer/refusal.ts'

const anyJson = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/vnd.pgrst.array+json',
])
const oneObject = 'application/vnd.pgrst.object+json'

/** Whether the caller wants one object or a list; anything but JSON is refused. */
export function parseAccept(header: string | undefined): 'list' | 'object' {
  if (!header) return 'list'
  for (const range of header.split(',').map((part) => part.trim().toLowerCase())) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (parameters.some((one) => one.startsWith('nulls='))) continue
    if (anyJson.has(type)) return 'list'
    if (type === oneObject) return 'object'
  }
  throw new Refusal(406, 'PGRST107', `None of these media types are available: ${header}`)
}

export const contentTypes = {
  list: 'application/json; charset=utf-8',
  object: `${oneObject}; charset=utf-8`,
} as const
