/*
 * The technical drawings. Edges weigh 2, construction lines are `draw-soft`, exactly one detail of each
 * is orange. All are decoration: the words beside them say the same.
 */

const dial = (
  <g fill="none" stroke="currentColor">
    <circle cx="120" cy="120" r="112" strokeWidth="2.5" />
    <circle cx="120" cy="120" r="103" strokeWidth="8" pathLength="120" strokeDasharray=".08 .92" />
    <circle cx="120" cy="120" r="97" strokeWidth="14" pathLength="12" strokeDasharray=".02 .98" />
    <circle cx="120" cy="120" r="86" strokeWidth="1" />
  </g>
)

const head = (
  <>
    <path
      d="M177.2 153 120 186l-57.200-33V87L120 54l57.200 33Z"
      fill="var(--tt-sky)"
      stroke="currentColor"
      strokeWidth="3"
    />
    <circle cx="120" cy="120" r="42" fill="none" stroke="currentColor" strokeWidth="1.25" />
  </>
)

/** The bolt of the success pages, its stripe painted on arrival (`marked`); on the 404 page it has turned (`loose`). */
export function BoltDrawing({ state }: { state: 'marked' | 'loose' }) {
  if (state === 'marked') {
    return (
      <svg className="bolt" viewBox="0 0 240 240" aria-hidden="true">
        {dial}
        {head}
        <path className="stripe" d="M108.5 163.5 153-4.5" />
      </svg>
    )
  }
  return (
    <svg viewBox="0 0 240 240" aria-hidden="true">
      {dial}
      <g transform="rotate(38 120 120)">
        {head}
        <path d="M108.5 163.5 137 56" stroke="var(--tt-signal)" strokeWidth="26" />
      </g>
      <path d="M140 44.5 153-4.5" stroke="var(--tt-signal)" strokeWidth="26" />
    </svg>
  )
}
