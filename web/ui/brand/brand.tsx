import { useShop } from '#web/lib/shop.ts'

/** The logo: a bolt head with its paint stripe. `--mark` and `--mark-line` change its colors on dark backgrounds. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <path
        d="M35.2 28.8 20 37.5 4.8 28.8V11.2L20 2.5l15.2 8.7Z"
        fill="var(--mark,var(--tt-ink))"
      />
      <circle
        cx="20"
        cy="20"
        r="10.5"
        fill="none"
        stroke="var(--mark-line,var(--tt-ground))"
        strokeWidth="1.6"
        opacity=".55"
      />
      <path d="M14.2 40 25.8 0" stroke="var(--mark-line,var(--tt-ground))" strokeWidth="10.5" />
      <path d="M14.2 40 25.8 0" stroke="var(--tt-signal)" strokeWidth="6.5" />
    </svg>
  )
}

/** The logo and the shop's name. Render this component inside a link with the class `brand`. */
export function BrandName() {
  const { name } = useShop()
  return (
    <>
      <BrandMark />
      <span>{name}</span>
    </>
  )
}
