import type { dashboardIconPaths } from './dashboard-icon-paths.ts'
import { iconPaths } from './icon-paths.ts'

export type IconName = keyof typeof iconPaths | keyof typeof dashboardIconPaths

const glyphs: Partial<Record<IconName, string>> = { ...iconPaths }

/**
 * Registers the icons that only the dashboard uses, so that `Icon` can draw them. Public pages do not load these icons.
 */
export function addIcons(paths: typeof dashboardIconPaths): void {
  Object.assign(glyphs, paths)
}

/**
 * An icon beside a text. Its size is 1.5 em, or the value of `--icon-size` of a surrounding element. The icon is
 * decorative: the text beside it or the `aria-label` of its control has the meaning.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: glyphs[name] ?? '' }}
    />
  )
}
