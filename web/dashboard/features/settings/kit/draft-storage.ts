import { createTabStorage, isRecord } from '#web/lib/forms/tab-storage.ts'
import type { Draft, FormValues } from './draft.ts'

/** Stores the draft of a settings section for as long as the tab is open. */
export function createDraftStorage<Form extends FormValues>(section: string, empty: Form) {
  return createTabStorage<Draft<Form>>(`settings_${section}`, (stored) => {
    if (!isRecord(stored) || typeof stored['version'] !== 'number') return undefined
    const [base, values] = [readForm(stored['base'], empty), readForm(stored['values'], empty)]
    const { since, version } = stored
    return base && values
      ? { base, values, version, ...(typeof since === 'number' && { since }) }
      : undefined
  })
}

/** The stored form, if it has every field with the expected type. */
function readForm<Form extends FormValues>(stored: unknown, empty: Form): Form | undefined {
  if (!isRecord(stored)) return undefined
  const names = Object.keys(empty)
  if (names.some((name) => typeof stored[name] !== typeof empty[name])) return undefined
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as Form
}
