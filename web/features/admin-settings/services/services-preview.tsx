import { orderServices } from '#domain/service-order.ts'
import { ServiceCard } from '#web/ui/service-card.tsx'
import { priceOf, type ServiceForm } from './service-form.ts'
import type { Service } from './services-api.ts'

type Props = {
  services: readonly Service[]
  editing: { readonly id: string | null; readonly typed?: ServiceForm | undefined } | undefined
}

/** The card of the service that is being changed, as it will be, and the one after it; else the first two. */
export function ServicesPreview({ services, editing }: Props) {
  const shown = orderServices(services)
    .map((service) => (service.id === editing?.id ? withTyped(service, editing.typed) : service))
    .filter(({ is_active }) => is_active)
  const first = Math.max(
    0,
    shown.findIndex(({ id }) => id === editing?.id),
  )
  const added = editing?.id === null && editing.typed ? [cardOf(editing.typed)] : []
  const cards = [...added, ...shown.slice(first, first + 2)].slice(0, 2)
  return (
    <>
      {cards.map((card) => (
        <ServiceCard key={card.name} service={card}>
          <span className="button button-secondary">Select</span>
        </ServiceCard>
      ))}
      <p className="hint">A hidden service keeps its visits, those to come and those past.</p>
    </>
  )
}

const withTyped = (service: Service, typed: ServiceForm | undefined): Service =>
  typed ? { ...service, ...cardOf(typed), is_active: typed.isActive } : service

const cardOf = (typed: ServiceForm) => ({
  name: typed.name,
  description: typed.description,
  duration_minutes: Number(typed.minutes) || 0,
  price_from_cents: priceOf(typed) ?? null,
})
