import { orderServices } from '#domain/shop/service-order.ts'
import { ServiceCard } from '#web/ui/service-card/service-card.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import { emptyServiceForm, priceOf, type ServiceForm, toForm } from './service-form.ts'
import type { Service } from './services-api.ts'

type Props = {
  services: readonly Service[]
  editing:
    | { readonly id: string | null; readonly input?: Partial<ServiceForm> | undefined }
    | undefined
}

/**
 * Shows two service cards as customers see them: the card of the service that the user is editing and the next one, or
 * the first two cards.
 */
export function ServicesPreview({ services, editing }: Props) {
  const shown = orderServices(services)
    .map((service) => (service.id === editing?.id ? withInput(service, editing.input) : service))
    .filter(({ is_active }) => is_active)
  const first = Math.max(
    0,
    shown.findIndex(({ id }) => id === editing?.id),
  )
  const added =
    editing?.id === null && editing.input
      ? [cardOf({ ...emptyServiceForm.form, ...editing.input })]
      : []
  const cards = [...added, ...shown.slice(first, first + 2)].slice(0, 2)
  return (
    <>
      {cards.map((card) => (
        <ServiceCard key={card.name} service={card}>
          <span className={buttonClass('secondary')}>Select</span>
        </ServiceCard>
      ))}
      <p className="hint">A hidden service keeps its past and upcoming appointments.</p>
    </>
  )
}

function withInput(service: Service, input: Partial<ServiceForm> | undefined): Service {
  const form = { ...toForm(service).form, ...input }
  return { ...service, ...cardOf(form), is_active: form.isActive }
}

const cardOf = (form: ServiceForm) => ({
  name: form.name,
  description: form.description,
  duration_minutes: Number(form.minutes) || 0,
  price_from_cents: priceOf(form) ?? null,
})
