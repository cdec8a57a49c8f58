/**
 * Keeps a draft in the tab's session storage until the tab closes: a visit to another page, a reload, or a phone that
 * discards the tab does not lose it. When storage is full or forbidden, nothing is stored. `read` validates the stored
 * value, which may be untrusted, and returns its usable part.
 */
export function createTabStorage<Stored>(
  key: string,
  read: (stored: unknown) => Stored | undefined,
): {
  remember: (value: Stored) => void
  /** Returns undefined when nothing usable is stored. */
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

/** Reads the text fields of a form; a value that is not a text becomes empty. */
export function readStoredTexts<Form extends Record<keyof Form, string>>(
  stored: unknown,
  empty: Form,
): Form {
  if (!isRecord(stored)) return empty
  const names = Object.keys(empty) as (keyof Form & string)[]
  return Object.fromEntries(names.map((name) => [name, readStoredText(stored[name])])) as Form
}
