import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { refetchQuery } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import {
  rebaseDraft,
  changedNames,
  changeDraft,
  type Draft,
  displayedValues,
  changedValues,
} from '../kit/draft.ts'
import {
  checkService,
  emptyServiceForm,
  refusalOfService,
  serviceLabels,
  serviceLimits,
  type ServiceForm,
  toForm,
  serviceToSave,
} from './service-form.ts'
import { saveService, type Service, type ServiceList } from './services-api.ts'
import { servicesKey } from './use-services.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'

type Use = {
  element: RefObject<HTMLFormElement | null>
  /** Gets the focus after a version conflict. */
  notice: RefObject<HTMLDivElement | null>
  onType: (input: Partial<ServiceForm> | undefined) => void
  onSaved: (id: string) => Promise<void>
}

/**
 * The draft of a service and its saving. The draft survives every failed save, and a save never overwrites a change
 * that the user has not seen.
 */
export function useServiceForm(
  service: Service | undefined,
  { element, notice, onType, onSaved }: Use,
) {
  const queries = useQueryClient()
  const saved = service ? toForm(service) : emptyServiceForm
  const [draft, setDraft] = useState<Draft<ServiceForm>>()
  const values = displayedValues(draft, saved)
  const form = useForm<ServiceForm>({
    element,
    values,
    limits: serviceLimits,
    onChange: (change) => {
      const next = changeDraft(draft, saved, change)
      setDraft(next)
      onType(next && changedValues(next))
    },
  })
  const saving = useMutation({
    mutationFn: () => {
      const seen = draft ? { form: draft.base, version: draft.version } : saved
      return saveService(serviceToSave(service?.id ?? null, values, seen))
    },
    onSuccess: (id) => {
      toast({
        title: 'Saved',
        description:
          'Visitors see the change within a second. Existing appointments are not changed.',
      })
      return onSaved(id)
    },
    onError: async (error) => {
      if (!isVersionConflict(error)) return showFailure(error)
      try {
        await showVersionConflict()
      } catch (failure) {
        showFailure(failure)
      }
    },
  })

  function showFailure(error: unknown) {
    const refusal = refusalOfService(error)
    if (refusal.fields.length > 0) return form.refuse(refusal)
    toast({ title: refusal.title, description: refusal.message, variant: 'destructive' })
  }

  async function showVersionConflict() {
    const list = await refetchQuery<ServiceList>(queries, servicesKey)
    const now = list.services.find(({ id }) => id === service?.id)
    if (now) setDraft((before) => before && rebaseDraft(before, toForm(now)))
    notice.current?.focus()
  }

  function save() {
    if (saving.isPending) return
    if (!draft && service) return void onSaved(service.id)
    const refusal = checkService(values)
    if (refusal) return form.refuse(refusal)
    form.accept()
    saving.mutate()
  }

  const name = service?.name ?? 'New service'
  useUnsavedChanges(
    draft ? changedNames(draft).map((field) => `${name}: ${serviceLabels[field]}`) : [],
  )
  const missedChanges = draft ? Math.max(0, saved.version - (draft.since ?? draft.version)) : 0
  return { form, values, missedChanges, isSaving: saving.isPending, save }
}
