import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { priceFrom } from '#domain/money/price-from.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import type { BayName } from '#web/dashboard/features/settings/bays/bays-api.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { Service } from './services-api.ts'

type Props = {
  service: Service
  bays: readonly BayName[]
  isFirst: boolean
  isLast: boolean
  /** Whether the page is saving the new state of the switch. */
  isSwitching: boolean
  onMove: (by: -1 | 1) => void
  onShow: () => void
  onEdit: () => void
}

/** A service in the list: name, price, duration, bays, and the switch that shows it to customers. */
export function ServiceRow({ service, bays, isSwitching, onShow, onEdit, ...place }: Props) {
  const { id, name, description, price_from_cents: cents, is_active: isActive } = service
  return (
    <div className={isActive ? 'service-line' : 'service-line service-hidden'}>
      <MoveButtons name={name} {...place} />
      <div className="service-what">
        <h3>{name}</h3>
        <p className="muted">{description}</p>
      </div>
      <span className="service-time">
        {service.duration_minutes} min
        {cents !== null && <small>{priceFrom(cents)}</small>}
      </span>
      <span className="service-where muted">{bays.length > 1 && formatBays(service, bays)}</span>
      <Switch
        checked={isActive !== isSwitching}
        disabled={isSwitching}
        aria-label={`Customers can book ${name}`}
        onChange={onShow}
      >
        {isActive !== isSwitching ? 'Active' : 'Hidden'}
      </Switch>
      <Button compact level="quiet" id={`edit-${id}`} onClick={onEdit}>
        Edit<span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  )
}

function formatBays({ bayIds }: Pick<Service, 'bayIds'>, bays: readonly BayName[]): string {
  if (bayIds.length === 0) return 'Any bay'
  return bays
    .filter(({ id }) => bayIds.includes(id))
    .map(({ name }) => name)
    .join(', ')
}

type MoveProps = Pick<Props, 'isFirst' | 'isLast' | 'onMove'> & { name: string }

/**
 * The two buttons that move a service up or down. The arrow keys do the same while a button has the focus. The focus
 * moves with the service.
 */
function MoveButtons({ name, isFirst, isLast, onMove }: MoveProps) {
  const element = useRef<HTMLDivElement>(null)
  const moved = useRef<'up' | 'down'>(undefined)
  useLayoutEffect(() => {
    if (!moved.current) return
    element.current?.querySelector<HTMLElement>(`[data-move=${moved.current}]`)?.focus()
    moved.current = undefined
  })
  function move(by: -1 | 1) {
    moved.current = by === -1 ? 'up' : 'down'
    onMove(by)
  }
  function moveByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <div className="service-moves" ref={element} role="group" aria-label={`Position of ${name}`}>
      <Button
        compact
        level="quiet"
        data-move="up"
        aria-label={`Move ${name} up`}
        aria-disabled={isFirst}
        onClick={() => move(-1)}
        onKeyDown={moveByKey}
      >
        <Icon name="up" />
      </Button>
      <Button
        compact
        level="quiet"
        data-move="down"
        aria-label={`Move ${name} down`}
        aria-disabled={isLast}
        onClick={() => move(1)}
        onKeyDown={moveByKey}
      >
        <Icon name="down" />
      </Button>
    </div>
  )
}
