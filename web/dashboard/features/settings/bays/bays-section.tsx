import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SectionHistory } from '../kit/history/section-history.tsx'
import { BayEditor } from './bay-editor.tsx'
import { allBays, type SavedBay, type ServiceName, serviceNames } from './bays-api.ts'
import { useBayOrder } from './use-bay-order.ts'
import { pollMs } from '../kit/poll-ms.ts'
import './bays.css'

/**
 * The settings section of the bays: their number, the order in which bookings fill them, and the services of each bay.
 */
export function BaysSection() {
  const bays = useQuery({ ...allBays, refetchInterval: pollMs })
  const services = useQuery(serviceNames)
  const { data } = bays
  if (!data && bays.isError)
    return (
      <SectionBody>
        <LoadFailure title="The bays could not be loaded." onRetry={() => void bays.refetch()} />
      </SectionBody>
    )
  if (!data)
    return (
      <SectionBody>
        <Skeleton className="settings-skeleton" />
      </SectionBody>
    )
  return (
    <SectionBody
      history={<SectionHistory sections={['bays']} />}
      preview={<BayCapacity bays={data.rows} />}
    >
      <BaysCard bays={data.rows} version={data.version} services={services.data ?? []} />
    </SectionBody>
  )
}

type CardProps = {
  bays: readonly SavedBay[]
  version: number
  services: readonly ServiceName[]
}

/** The id of the bay whose form is open; 'new' in the form that adds a bay. */
type EditedBay = { readonly id: string }

const newBay: EditedBay = { id: 'new' }

function BaysCard({ bays, version, services }: CardProps) {
  const [edited, setEdited] = useState<EditedBay>()
  const { order, isOrdering } = useBayOrder(version)
  const open = (bay: EditedBay) => {
    if (edited?.id !== bay.id) discardThen(() => setEdited(bay))
  }
  const editor = edited && (
    <BayEditor
      key={edited.id}
      bay={bays.find(({ id }) => id === edited.id)}
      version={version}
      services={services}
      // If the user opened another bay while this bay was being saved, the form of that other bay remains open.
      onEnd={() => setEdited((shown) => (shown === edited ? undefined : shown))}
    />
  )
  return (
    <section className="card settings-card">
      <h3>Bays</h3>
      <p className="muted">
        An appointment gets a free bay that can do the service. Bays limited to few services are
        filled first, then the bays in this order.
      </p>
      <ol className="bays" aria-label="Bays">
        {bays.map((bay, index) => (
          <li key={bay.id}>
            <BayLine
              bay={bay}
              services={services}
              isBusy={isOrdering}
              onEdit={() => open(bay)}
              onMoveUp={index > 0 ? () => void order(swapped(bays, index - 1)) : undefined}
              onMoveDown={
                index < bays.length - 1 ? () => void order(swapped(bays, index)) : undefined
              }
            />
            {edited?.id === bay.id && editor}
          </li>
        ))}
      </ol>
      {edited?.id === newBay.id && editor}
      <Button compact onClick={() => open(newBay)}>
        Add a bay
      </Button>
    </section>
  )
}

/** Returns the ids of the bays in the order after swapping the bays at `index` and `index + 1`. */
function swapped(bays: readonly SavedBay[], index: number): string[] {
  const ids = bays.map(({ id }) => id)
  return [
    ...ids.slice(0, index),
    ...ids.slice(index, index + 2).toReversed(),
    ...ids.slice(index + 2),
  ]
}

type LineProps = {
  bay: SavedBay
  services: readonly ServiceName[]
  isBusy: boolean
  onEdit: () => void
  onMoveUp: (() => void) | undefined
  onMoveDown: (() => void) | undefined
}

function BayLine({ bay, services, isBusy, onEdit, onMoveUp, onMoveDown }: LineProps) {
  const names = services.filter(({ id }) => bay.serviceIds.includes(id)).map(({ name }) => name)
  return (
    <div className="bay-line">
      <b>{bay.name}</b>
      <Badge tone={bay.isActive ? 'ok' : 'ring'}>{bay.isActive ? 'Active' : 'Off'}</Badge>
      <span className="muted">
        {[bay.technician, bay.serviceIds.length === 0 ? 'All services' : `Only ${names.join(', ')}`]
          .filter(Boolean)
          .join('. ')}
      </span>
      <span className="bay-buttons">
        <MoveButton label={`Move ${bay.name} up`} text="Up" {...{ isBusy }} onMove={onMoveUp} />
        <MoveButton
          label={`Move ${bay.name} down`}
          text="Down"
          {...{ isBusy }}
          onMove={onMoveDown}
        />
        <Button compact aria-label={`Change ${bay.name}`} onClick={onEdit}>
          Change
        </Button>
      </span>
    </div>
  )
}

/**
 * A button that moves a bay up or down in the list. The button stays focusable when the bay cannot move, and while the
 * order is being saved.
 */
function MoveButton(props: {
  label: string
  text: string
  isBusy: boolean
  onMove: (() => void) | undefined
}) {
  return (
    <Button
      compact
      level="quiet"
      aria-label={props.label}
      aria-disabled={!props.onMove || props.isBusy}
      onClick={() => !props.isBusy && props.onMove?.()}
    >
      {props.text}
    </Button>
  )
}

/** Shows how many appointments can start at the same time. */
function BayCapacity({ bays }: { bays: readonly SavedBay[] }) {
  const count = bays.filter(({ isActive }) => isActive).length
  return (
    <div className="preview-card">
      <h4>Available Times</h4>
      <p>
        <b>{count === 1 ? '1 vehicle at a time.' : `${count} vehicles at a time.`}</b> A time is
        offered as long as one of your active bays is free and can do the service.
      </p>
    </div>
  )
}
