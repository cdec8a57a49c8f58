import { createContext, type ReactNode, useContext } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { OfflineBanner } from '#web/dashboard/kit/controls/offline-banner.tsx'
import { SaveBar } from './save-bar.tsx'

/** The title of the settings section. */
export const SectionTitle = createContext('')

type Props = {
  /** Whether the section also uses the width of the preview column. Set this for a section without a preview. */
  wide?: boolean
  children: ReactNode
  /** The preview, which is shown beside or below the section. */
  preview?: ReactNode
  previewTitle?: string
  /** The section's history (`<SectionHistory>`). */
  history?: ReactNode
}

/** The layout of every settings section: title, cards, save bar, history and preview. */
export function SectionBody(props: Props) {
  const { children, preview, previewTitle = 'What customers see', history, wide } = props
  return (
    <>
      <div className={wide ? 'settings-main settings-wide' : 'settings-main'}>
        <h2 className="settings-title">{useContext(SectionTitle)}</h2>
        <OfflineBanner className="settings-offline" />
        {children}
        <SaveBar />
        {history}
      </div>
      {preview && (
        <aside className="settings-preview" aria-label={previewTitle}>
          <h3>
            <Icon name="eye" />
            {previewTitle}
          </h3>
          {preview}
        </aside>
      )}
    </>
  )
}
