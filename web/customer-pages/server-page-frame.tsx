import { iconPaths } from '#web/ui/icon/icon-paths.ts'
import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'

/** Where the server puts what it writes: markup, which no text on the page can be. */
export const contentPlaceholder = '<i data-content="true"></i>'

const glyphs = [
  'calendar',
  'pin',
  'phone',
  'lock',
  'arrow-left',
  'chevron-left',
  'chevron-right',
] as const

/**
 * What is around an appointment's own page. The server writes the page itself (server/features/visit-page), so
 * that it works in every browser a mail program opens, without a script.
 */
export function ServerPageFrame() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <NavBar />
      <svg width="0" height="0" aria-hidden="true">
        {glyphs.map((name) => (
          <symbol
            key={name}
            id={`icon-${name}`}
            viewBox="0 0 24 24"
            dangerouslySetInnerHTML={{ __html: iconPaths[name] }}
          />
        ))}
      </svg>
      <i data-content />
      <Footer />
    </>
  )
}
