import { shortDuration } from '#domain/duration-text.ts'
import { serviceKind } from '#domain/service-order.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Service } from './load-services.ts'
import { useServices } from './use-services.ts'
import './choose-service.css'

/** Step 1: 'Select the Service You Need' (docs/product.md 2.3). */
export function ChooseService({ onChoose }: { onChoose: (service: Service) => void }) {
  const services = useServices()
  return (
    <section aria-labelledby="services-title" aria-busy={services.status === 'loading'}>
      <h2 className="card-heading" id="services-title">
        Select the Service You Need
      </h2>
      {services.status === 'loading' && <ServiceSkeletons />}
      {services.status === 'failed' && <LoadFailed onRetry={services.retry} />}
      {services.status === 'loaded' && services.services.length === 0 && (
        <EmptyState title="No Services Available">
          Please check back later or contact us directly.
        </EmptyState>
      )}
      {services.status === 'loaded' && services.services.length > 0 && (
        <div className="service-cards">
          {services.services.map((service) => (
            <ServiceCard key={service.id} service={service} onChoose={() => onChoose(service)} />
          ))}
        </div>
      )}
    </section>
  )
}

const icons = {
  brake: 'brake',
  oil: 'oil',
  tune: 'tune',
  other: 'wrench',
} as const satisfies Record<ReturnType<typeof serviceKind>, IconName>

function ServiceCard({ service, onChoose }: { service: Service; onChoose: () => void }) {
  return (
    <article className="card service-card">
      <span className="service-icon">
        <Icon name={icons[serviceKind(service.name)]} />
      </span>
      <h3>{service.name}</h3>
      <p>{service.description}</p>
      <div className="service-card-foot">
        <span className="service-duration">{shortDuration(service.duration_minutes)}</span>
        <Button level={2} aria-label={`Select ${service.name}`} onClick={onChoose}>
          Select
        </Button>
      </div>
    </article>
  )
}

function ServiceSkeletons() {
  return (
    <div className="service-cards">
      <span className="visually-hidden" role="status">
        Loading services
      </span>
      {[1, 2, 3].map((card) => (
        <div
          className="card service-card service-card-waiting"
          key={card}
          data-testid="service-skeleton"
        >
          <Skeleton className="service-icon" />
          <Skeleton className="waiting-title" />
          <Skeleton className="waiting-text" />
          <Skeleton className="waiting-button" />
        </div>
      ))}
    </div>
  )
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="card panel retry-box">
      <Notice tone="bad" title="The list of services did not arrive.">
        Check your connection and try again, or call us: the number is below.
      </Notice>
      <Button level={1} onClick={onRetry}>
        Try Again
      </Button>
    </div>
  )
}
