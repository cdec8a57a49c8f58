import { type KeyboardEvent, useId } from 'react'
import { MethodIcon } from '#web/dashboard/kit/payments/method-icon.tsx'
import { ways } from './last-way.ts'
import type { Way } from './payment-text.ts'

type Props = {
  chosen: Way
  /**
   * `isPressed` is true for a click or a letter key, and false for an arrow key that moves the focus to the next
   * payment method.
   */
  onChoose: (way: Way, isPressed: boolean) => void
}

/** The payment methods as a radio group. While the group has the focus, the T, C, K, O and L keys choose a method. */
export function Ways({ chosen, onChoose }: Props) {
  const titleId = useId()
  const follow = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const pressed = ways.find(({ key }) => key === event.key.toLowerCase())
    if (!pressed) return
    event.preventDefault()
    onChoose(pressed.way, true)
  }
  return (
    <div>
      <p className="pay-label" id={titleId}>
        How
      </p>
      <div className="pay-ways" role="radiogroup" aria-labelledby={titleId}>
        {ways.map(({ way, name, key }) => (
          <label key={way}>
            <input
              type="radio"
              name="way"
              value={way}
              aria-keyshortcuts={key}
              checked={way === chosen}
              data-first-focus={way === chosen ? true : undefined}
              onKeyDown={follow}
              onChange={() => onChoose(way, false)}
              onClick={({ detail }) => detail > 0 && onChoose(way, true)}
            />
            <span>
              <MethodIcon method={way} />
              {name}
              <kbd aria-hidden="true">{key.toUpperCase()}</kbd>
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}
