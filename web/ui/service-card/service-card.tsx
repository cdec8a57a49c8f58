import type { ReactNode } from 'react'
import { formatShortDuration } from '#domain/text/duration-text.ts'
import { priceFrom } from '#domain/money/price-from.ts'
import { serviceKind } from '#domain/shop/service-order.ts'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'
import './service-card.css'

type ServiceCardProps = {
  service: {
    readonly name: string
    readonly description: string
    readonly duration_minutes: number
    readonly price_from_cents: number | null
  }
  /** The button with which a customer chooses this service. */
  children: ReactNode
}

const icons = {
  brake: 'brake',
  oil: 'oil',
  tune: 'tune',
  other: 'wrench',
} as const satisfies Record<ReturnType<typeof serviceKind>, IconName>

/** A service card as customers see it (docs/product.md 2.3). */
export function ServiceCard({ service, children }: ServiceCardProps) {
  const { name, description, duration_minutes: minutes, price_from_cents: cents } = service
  return (
    <article className="card service-card">
      <span className="service-icon">
        <Icon name={icons[serviceKind(name)]} />
      </span>
      <h3>{name}</h3>
      <p>{description}</p>
      <div className="service-card-foot">
        <span className="service-duration">
          {formatShortDuration(minutes)}
          {typeof cents === 'number' && <span>{priceFrom(cents)}</span>}
        </span>
        {children}
      </div>
    </article>
  )
}
