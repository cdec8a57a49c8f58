import type { InputHTMLAttributes, ReactNode } from 'react'
import './switch.css'

/**
 * An on/off switch. `children` is the visible label beside the switch; use `aria-label` when the label is elsewhere.
 */
export function Switch({
  checked,
  children,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role' | 'className'> & {
  checked: boolean
  children?: ReactNode
}) {
  return (
    <label className="switch">
      <input {...rest} type="checkbox" role="switch" checked={checked} aria-checked={checked} />
      {children}
    </label>
  )
}
