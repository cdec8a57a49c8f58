import type { Ref } from 'react'
import './honeypot.css'

/**
 * A field that humans neither see nor reach: off-screen, outside of the tab order and of the accessibility tree,
 * without autocomplete. Automated senders fill in any field with a plausible name. form-guard.ts reads the value.
 */
export function Honeypot({ ref }: { ref: Ref<HTMLInputElement> }) {
  return (
    <div className="off-screen" aria-hidden="true">
      <label>
        Website
        <input ref={ref} type="text" name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
