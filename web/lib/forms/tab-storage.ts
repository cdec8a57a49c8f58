/**
 * What somebody began on a page, in the tab's session storage: a look at another page, a reload or a phone
 * that drops the tab keeps it, and it ends with the tab. Where storage is full or forbidden it ends with the
 * page. `read` makes of what was stored, which may be anybody's, what can be used of it.
 */
export function createTabStorage<Stored>(
  key: string,
  read: (stored: unknown) => Stored | undefined,
): {
  remember: (value: Stored) => void
  /** Undefined when nothing is kept that can be read. */
  recall: () => Stored | undefined
  forget: () => void
} {
  return {
    remember: (value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
    recall: () => attempt(() => read(JSON.parse(sessionStorage.getItem(key) ?? 'null'))),
    forget: () => attempt(() => sessionStorage.removeItem(key)),
  }
}

function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

type StoredFields = Readonly<Record<string, unknown>>

export function isRecord(stored: unknown): stored is StoredFields {
  return typeof stored === 'object' && stored !== null
}

export function readStoredText(stored: unknown): string {
  return typeof stored === 'string' ? stored : ''
}

/** The texts of a form; what is none is empty. */
export function readStoredTexts<Form extends Record<keyof Form, string>>(
  stored: unknown,
  empty: Form,
): Form {
  if (!isRecord(stored)) return empty
  const names = Object.keys(empty) as (keyof Form & string)[]
  return Object.fromEntries(names.map((name) => [name, readStoredText(stored[name])])) as Form
}
