import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { ServiceCard } from '#web/ui/service-card/service-card.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
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
            <ServiceCard key={service.id} service={service}>
              <Button
                level="secondary"
                aria-label={`Select ${service.name}`}
                onClick={() => onChoose(service)}
              >
                Select
              </Button>
            </ServiceCard>
          ))}
        </div>
      )}
    </section>
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
      <Notice tone="bad" title="The services could not be loaded.">
        Check your connection and try again, or call us at the number below.
      </Notice>
      <Button level="primary" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  )
}
