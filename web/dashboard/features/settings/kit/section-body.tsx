import { createContext, type ReactNode, useContext } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { SaveBar } from './save-bar.tsx'

/** The title of the chosen section. */
export const SectionTitle = createContext('')

type Props = {
  children: ReactNode
  /** Under 'What customers see', beside the section or below it. */
  preview?: ReactNode
  /** The section's `<SectionHistory>`. */
  history?: ReactNode
}

/** How every section stands in the frame: its title, its cards, what is not saved, its history, what customers see. */
export function SectionBody({ children, preview, history }: Props) {
  return (
    <>
      <div className="settings-main">
        <h2 className="settings-title">{useContext(SectionTitle)}</h2>
        <OfflineBanner />
        {children}
        <SaveBar />
        {history}
      </div>
      {preview && (
        <aside className="settings-preview" aria-label="What customers see">
          <h3>
            <Icon name="eye" />
            What customers see
          </h3>
          {preview}
        </aside>
      )}
    </>
  )
}
