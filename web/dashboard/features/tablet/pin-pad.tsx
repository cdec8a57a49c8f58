import { useEffect, useState } from 'react'
import type { TabletMember } from '#contracts/tablets.ts'
import { initialsOf } from '#web/dashboard/kit/staff/account-text.ts'

type Props = {
  member: TabletMember
  isBusy: boolean
  problem: string | undefined
  onOpen: (pin: string) => void
  onBack: () => void
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
const longest = 6
const shortest = 4

/**
 * The keypad on which a team member types the PIN. The page shows a bar instead of each typed digit. The keys of a
 * keyboard work, too.
 */
export function PinPad({ member, isBusy, problem, onOpen, onBack }: Props) {
  const [pin, setPin] = useState('')
  const canOpen = pin.length >= shortest && !isBusy
  const add = (digit: string) => setPin((typed) => (typed + digit).slice(0, longest))
  const remove = () => setPin((typed) => typed.slice(0, -1))
  const open = () => {
    if (!canOpen) return
    onOpen(pin)
    setPin('')
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return
      if (/^[0-9]$/.test(event.key)) add(event.key)
      else if (event.key === 'Backspace') remove()
      else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) open()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
  return (
    <div className="tablet-pin">
      <div>
        <div className="tablet-who">
          <i aria-hidden="true">{initialsOf(member.name)}</i>
          <b>{member.name}</b>
          <button type="button" onClick={onBack}>
            Not me
          </button>
        </div>
        <h1 tabIndex={-1}>Your PIN</h1>
        <div className="tablet-stripes" role="status" aria-label={`${pin.length} digits typed`}>
          {Array.from({ length: longest }, (_, index) => (
            <i key={index} className={index < pin.length ? 'typed' : ''} />
          ))}
        </div>
        {problem !== undefined && pin === '' ? (
          <p className="tablet-problem" role="alert">
            {problem}
          </p>
        ) : (
          <p>4 to 6 digits, then Open.</p>
        )}
      </div>
      <div className="tablet-pad">
        {digits.map((digit) => (
          <button key={digit} type="button" onClick={() => add(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" aria-label="Delete the last digit" onClick={remove}>
          ⌫
        </button>
        <button type="button" onClick={() => add('0')}>
          0
        </button>
        <button type="button" className="tablet-open" aria-disabled={!canOpen} onClick={open}>
          Open
        </button>
      </div>
    </div>
  )
}
