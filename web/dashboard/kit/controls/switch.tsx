import type { InputHTMLAttributes, ReactNode } from 'react'
import './switch.css'

/** On or off, at once seen as either. `children` are the words beside it; `aria-label` where they stand elsewhere. */
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
