/**
 * Stores a draft in the browser, so that the draft survives a visit to another page, a reload, and a phone that unloads
 * the tab. If the storage is full or forbidden, the draft lasts as long as the page. `read` validates the stored value,
 * which another version of the site or a person may have written. By default the draft is deleted when the tab closes.
 * With `survivesTab`, every tab reads the draft that was stored last, and `forget` does not delete a draft that another
 * tab has stored since.
 */
export function createDraftStorage<Stored>(
  key: string,
  read: (stored: unknown) => Stored | undefined,
  { survivesTab = false } = {},
): {
  remember: (value: Stored) => void
  /** Returns the stored draft; undefined when no valid draft is stored. */
  recall: () => Stored | undefined
  forget: () => void
} {
  let seen: string | null = null
  const storage = () => (survivesTab ? localStorage : sessionStorage)
  return {
    remember: (value) => attempt(() => storage().setItem(key, (seen = JSON.stringify(value)))),
    recall: () => attempt(() => read(JSON.parse((seen = storage().getItem(key)) ?? 'null'))),
    forget: () =>
      attempt(() => {
        if (!survivesTab || storage().getItem(key) === seen) storage().removeItem(key)
      }),
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

/** Reads the text fields of a form. A value that is not a text becomes ''. */
export function readStoredTexts<Form extends Record<keyof Form, string>>(
  stored: unknown,
  empty: Form,
): Form {
  if (!isRecord(stored)) return empty
  const names = Object.keys(empty) as (keyof Form & string)[]
  return Object.fromEntries(names.map((name) => [name, readStoredText(stored[name])])) as Form
}
