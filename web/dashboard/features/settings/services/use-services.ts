import {
  type Mutation,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { refusalOfService, toForm, serviceToSave } from './service-form.ts'
import { readServices, saveOrder, saveService, type Service } from './services-api.ts'
import { pollMs } from '../kit/poll-ms.ts'
import { toastRefusal, toastRefusedChange } from '../kit/save-errors.ts'

export const servicesKey = ['settings', 'services']

const orderKey = ['order-services']

/**
 * An order of all services after a press of a move button. `version` is the version of the list that the user saw.
 * While the page still saves the order of an earlier press, the version that this save returns is used.
 */
type Press = { readonly ids: readonly string[]; readonly version: number | 'of the press before' }

/**
 * The list of services, and the changes that the user makes by pressing a button or switch: moving a service, and
 * showing or hiding it.
 */
export function useServices() {
  const queries = useQueryClient()
  const list = useQuery({ queryKey: servicesKey, queryFn: readServices, refetchInterval: pollMs })
  const readAll = async () => {
    await refetchQueries(queries, ...servicesKey)
    await refetchQueries(queries, 'settings_history')
  }
  const reportError = async (error: Error) => {
    const refusal = refusalOfService(error)
    if (refusal) toastRefusal(refusal)
    else toastRefusedChange(error, 'the services')
    await readAll()
  }
  // The next save requires the version that the last save returned. A refetch after that save may return a newer
  // version with a change by another user, which this user has not seen.
  const versionSaved = useRef(0)
  const ordering = useMutation({
    mutationKey: orderKey,
    // If the user presses the move buttons several times, the page sends one save after the other. Each save contains
    // the version that the previous save returned.
    scope: { id: orderKey.join() },
    mutationFn: async ({ ids, version }: Press) => {
      const expected = version === 'of the press before' ? versionSaved.current : version
      versionSaved.current = await saveOrder(ids, expected)
      await refetchQueries(queries, ...servicesKey)
    },
    onSuccess: () => refetchQueries(queries, 'settings_history'),
    onError: reportError,
  })
  // A refetch during a save returns the old order, so `pressed` contains the new order until the order is saved.
  const pressed = useMutationState({ filters: unsaved, select: orderOf }).at(-1)
  /** Moves a service one position up or down, unless the service is already the first or last of the list. */
  function move(id: string, by: -1 | 1) {
    const pressedLast = queries.getMutationCache().findAll(unsaved).map(orderOf).at(-1)
    const services = inOrder(list.data?.services ?? [], pressedLast)
    const ids = services.map((service) => service.id)
    const from = ids.indexOf(id)
    if (from === -1 || !ids[from + by]) return
    ordering.mutate({
      ids: ids.toSpliced(from, 1).toSpliced(from + by, 0, id),
      version: pressedLast ? 'of the press before' : (list.data?.version ?? 0),
    })
  }
  const showing = useMutation({
    mutationFn: (service: Service) => {
      const seen = toForm(service)
      const form = { ...seen.form, isActive: !service.is_active }
      return saveService(serviceToSave(service.id, form, seen))
    },
    onSuccess: async (_id, { is_active: wasActive, name }) => {
      toast(
        wasActive
          ? {
              title: 'Hidden',
              description: `${name} is no longer offered. Existing appointments are not changed.`,
            }
          : { title: 'Active', description: `Customers can book ${name} from now on.` },
      )
      await readAll()
    },
    onError: reportError,
  })
  /** The id of the service whose switch was pressed, until the change is saved. */
  const switching = showing.isPending ? showing.variables.id : undefined
  const services = inOrder(list.data?.services ?? [], pressed)
  return { list, services, readAll, move, switching, show: showing.mutate }
}

const unsaved = { mutationKey: orderKey, status: 'pending' } as const

/** Returns the ids of the services in the order after a press of one of the move buttons. */
const orderOf = ({ state }: Mutation) => (state.variables as Press).ids

/** The services in the order of `ids`; services that are not in `ids` come last. */
function inOrder(services: readonly Service[], ids?: readonly string[]): readonly Service[] {
  if (!ids) return services
  const positionOf = ({ id }: Service) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return services.toSorted((a, b) => positionOf(a) - positionOf(b))
}
