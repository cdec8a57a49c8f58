import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import {
  useVersionedForm,
  type VersionedForm,
} from '#web/dashboard/kit/forms/use-versioned-form.ts'
import { createEstimateDraftStorage } from './estimate-draft-storage.ts'
import { documentOf, type EstimateForm } from './estimate-form.ts'
import { type EstimateRecord, estimateRules, recordOf } from './estimate-record.ts'
import { readEstimate, saveEstimate } from '../estimates-api.ts'

/** The form of an estimate, which the components of the editor share. */
export type EstimateEditing = VersionedForm<EstimateForm, EstimateRecord>

/** Creates the form of an estimate. The form saves itself while its page is open. */
export function useEstimateForm(estimate: Estimate): EstimateEditing {
  const queries = useQueryClient()
  const { id } = estimate
  const [draftStorage] = useState(() => createEstimateDraftStorage(id))
  return useVersionedForm<EstimateForm, EstimateRecord>({
    ...estimateRules,
    saved: useMemo(() => recordOf(estimate), [estimate]),
    draftStorage,
    async write(form, seenVersion) {
      const { version, savedAt } = await saveEstimate(id, seenVersion, documentOf(form).document)
      void refetchQueries(queries, 'estimates')
      return { form, version, savedAt, savedBy: '' }
    },
    async read() {
      const now = await readEstimate(id)
      if (!now) throw new Error('This estimate was deleted.')
      return recordOf(now)
    },
  })
}
