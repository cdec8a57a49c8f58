import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { refetchQuery } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { changedValues } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { useSettingsForm } from '../kit/use-settings-form.ts'
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

type Use = {
  element: RefObject<HTMLFormElement | null>
  /** The notice about a version conflict, which gets the focus when it appears. */
  notice: RefObject<HTMLDivElement | null>
  onType: (input: Partial<ServiceForm> | undefined) => void
  onSaved: (id: string) => Promise<void>
}

/** The form of a service. `onType` receives the changed values, which the preview shows. */
export function useServiceForm(
  service: Service | undefined,
  { element, notice, onType, onSaved }: Use,
) {
  const queries = useQueryClient()
  const savedId = useRef(service?.id)
  const name = service?.name ?? 'New service'
  const editor = useSettingsForm<ServiceForm>({
    saved: service ? toForm(service) : emptyServiceForm,
    write: async (form, version, { base }) => {
      const seen = { form: base, version }
      savedId.current = await saveService(serviceToSave(service?.id ?? null, form, seen))
      return 'ended'
    },
    read: async () => {
      const list = await refetchQuery<ServiceList>(queries, servicesKey)
      const now = list.services.find(({ id }) => id === service?.id)
      if (!now) throw new Error('This service no longer exists.')
      return toForm(now)
    },
    element,
    notice,
    limits: serviceLimits,
    check: checkService,
    refusalOf: (_, error) => refusalOfService(error),
    label: (field) => `${name}: ${serviceLabels[field]}`,
    onEnd: ({ kind }) => {
      if (kind === 'saved') toast({ title: 'Saved', description: effect })
      if (savedId.current !== undefined) void onSaved(savedId.current)
    },
  })
  const { draft } = editor
  const report = useRef(onType)
  useLayoutEffect(() => {
    report.current = onType
  })
  useLayoutEffect(() => report.current(draft && changedValues(draft)), [draft])
  return editor
}

const effect = 'Visitors see the change within a second. Existing appointments are not changed.'
