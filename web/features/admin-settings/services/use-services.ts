import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { toast } from '#web/ui/toast.ts'
import { refusalOfService, toForm, toSave, wasChangedMeanwhile } from './service-form.ts'
import {
  readServices,
  saveOrder,
  saveService,
  type Service,
  type ServiceList,
} from './services-api.ts'
import { watchMs } from '../watch-ms.ts'

export const servicesKey = ['settings', 'services']

const orderKey = ['order-services']

const changedMeanwhile = {
  title: 'Not saved',
  description: 'Somebody else changed the services meanwhile. This is how they are now.',
  variant: 'destructive',
} as const

/** The list of services, with what is changed of it in one press: the order, and whether customers see one. */
export function useServices() {
  const queries = useQueryClient()
  const list = useQuery({ queryKey: servicesKey, queryFn: readServices, refetchInterval: watchMs })
  const readAll = async () => {
    await readAgain(queries, ...servicesKey)
    await readAgain(queries, 'settings_history')
  }
  const tell = async (error: Error) => {
    const { message: description, title } = refusalOfService(error)
    toast(
      wasChangedMeanwhile(error)
        ? changedMeanwhile
        : { title, description, variant: 'destructive' },
    )
    await readAll()
  }
  const ordering = useMutation({
    mutationKey: orderKey,
    // Presses in a row are saved in a row, each over what the one before left.
    scope: { id: orderKey.join() },
    mutationFn: async (services: readonly Service[]) => {
      const ids = services.map(({ id }) => id)
      await saveOrder(ids, queries.getQueryData<ServiceList>(servicesKey)?.version ?? 0)
      const { version } = await readServices()
      queries.setQueryData<ServiceList>(servicesKey, (known) => known && { ...known, version })
    },
    onMutate: async (services) => {
      queries.setQueryData<ServiceList>(servicesKey, (known) => known && { ...known, services })
      await queries.cancelQueries({ queryKey: servicesKey })
    },
    onSuccess: async () => {
      if (queries.isMutating({ mutationKey: orderKey }) === 1) await readAll()
    },
    onError: tell,
  })
  /** Puts a service a place further up or down, as far as there is one. */
  function move(id: string, by: -1 | 1) {
    const services = queries.getQueryData<ServiceList>(servicesKey)?.services ?? []
    const from = services.findIndex((service) => service.id === id)
    const service = services[from]
    if (!service || !services[from + by]) return
    ordering.mutate(services.toSpliced(from, 1).toSpliced(from + by, 0, service))
  }
  const showing = useMutation({
    mutationFn: (service: Service) => {
      const seen = toForm(service)
      const form = { ...seen.form, isActive: !service.is_active }
      return saveService(toSave(service.id, form, seen))
    },
    onSuccess: async (_id, { is_active: wasActive, name }) => {
      toast(
        wasActive
          ? {
              title: 'Hidden',
              description: `${name} is not offered any more. Booked cars keep their times.`,
            }
          : { title: 'Active', description: `Customers can book ${name} from now on.` },
      )
      await readAll()
    },
    onError: tell,
  })
  /** The service whose switch was pressed, until the list says so itself. */
  const switching = showing.isPending ? showing.variables.id : undefined
  return { list, readAll, move, switching, show: showing.mutate }
}
