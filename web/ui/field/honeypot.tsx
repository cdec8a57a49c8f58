import type { Ref } from 'react'

/**
 * A field no person sees or reaches: off-screen, out of the tab order and of the accessibility tree,
 * without autocomplete. Robots fill in what has a plausible name. Read through form-guard.ts.
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
