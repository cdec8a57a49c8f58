import { useState } from 'react'

const storageKey = 'admin_hidden_invoices'

/** The invoices that this browser hides from the list. Hiding deletes nothing. */
export function useHiddenInvoices() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(read()))
  const storeHidden = (ids: readonly string[]) => {
    localStorage.setItem(storageKey, JSON.stringify(ids))
    setHidden(new Set(ids))
  }
  return {
    hidden,
    hide: (id: string) => storeHidden([...hidden, id].slice(-500)),
    showAll: () => storeHidden([]),
  }
}

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
