import { useId, useState } from 'react'
import { FieldError, Select } from '#web/ui/field/field.tsx'
import type { BayName } from '#web/dashboard/features/settings/bays/bays-api.ts'

type Props = {
  bays: readonly BayName[]
  /** The ids of the bays that can do the service, joined by commas; '' means any bay. */
  where: string
  error: string | undefined
  onChange: (where: string) => void
}

const several = 'several'

/** The choice of bays that can do a service: any, one or several. */
export function ServiceBays({ bays, where, error, onChange }: Props) {
  const chosen = where.split(',').filter(Boolean)
  const [isSeveral, setSeveral] = useState(chosen.length > 1)
  function choose(value: string) {
    setSeveral(value === several)
    onChange(value === several ? bays.map(({ id }) => id).join(',') : value)
  }
  return (
    <>
      <Select
        label="Where"
        name="where"
        className="service-bay"
        value={isSeveral ? several : where}
        error={error}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">Any bay</option>
        {bays.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {bays.length > 2 && <option value={several}>Several bays…</option>}
      </Select>
      {isSeveral && <BayTicks bays={bays} chosen={chosen} onChange={onChange} />}
    </>
  )
}

type TicksProps = {
  bays: readonly BayName[]
  chosen: readonly string[]
  onChange: (where: string) => void
}

function BayTicks({ bays, chosen, onChange }: TicksProps) {
  const id = useId()
  const tick = (bay: string, isTicked: boolean) => {
    const next = bays.filter((one) => (one.id === bay ? isTicked : chosen.includes(one.id)))
    // The user cannot clear the last checkbox, because an empty list would mean that any bay can do the service.
    if (next.length > 0) onChange(next.map((one) => one.id).join(','))
  }
  return (
    <fieldset className="service-bays full-row" aria-describedby={id}>
      <legend>Bays that can do this service</legend>
      {bays.map((bay) => (
        <label className="checkbox" key={bay.id}>
          <input
            type="checkbox"
            checked={chosen.includes(bay.id)}
            onChange={({ target }) => tick(bay.id, target.checked)}
          />
          {bay.name}
        </label>
      ))}
      {chosen.length === 1 && <FieldError id={id}>A service needs at least one bay.</FieldError>}
    </fieldset>
  )
}
