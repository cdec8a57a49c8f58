import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { createEstimateDraftStorage } from './estimate-draft-storage.ts'
import { createAutosave, type Autosave, type AutosaveState } from './estimate-autosave.ts'
import { readEstimate, saveEstimate } from '../estimates-api.ts'
import { saveFailure } from '../estimate-errors.ts'

/** The autosave of an estimate for as long as its page is open. */
export function useAutosave(estimate: Estimate): readonly [Autosave, AutosaveState] {
  const queries = useQueryClient()
  const [editing] = useState(() =>
    createAutosave(estimate, {
      save: async (version, document) => {
        const saved = await saveEstimate(estimate.id, version, document)
        void refetchQueries(queries, 'estimates')
        return saved
      },
      failureOf: saveFailure,
      read: async () => {
        const now = await readEstimate(estimate.id)
        if (!now) throw new Error('This estimate was deleted.')
        return now
      },
      draftStorage: createEstimateDraftStorage(estimate.id),
    }),
  )
  const state = useSyncExternalStore(editing.subscribe, editing.current)
  useEffect(() => editing.receive(estimate), [editing, estimate])
  useEffect(() => {
    editing.begin()
    const saveNow = () => void editing.saveNow()
    window.addEventListener('online', saveNow)
    return () => {
      window.removeEventListener('online', saveNow)
      editing.end()
    }
  }, [editing])
  return [editing, state]
}
