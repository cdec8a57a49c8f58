import { iconPaths, type IconName } from './icon-paths.ts'

export type { IconName }

/** A glyph of 1.5 em beside a word. Decorative: the word or the `aria-label` of its control carries the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: iconPaths[name] }}
    />
  )
}
