import { useEffect, useRef, useState } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { Button } from '#web/ui/button/button.tsx'
import { PrintedClose } from './printed-close.tsx'
import './printed-close.css'

const formats = { receipt: '80 mm', letter: 'Letter' } as const

const pageSizes = {
  receipt: '80mm 297mm; margin: 4mm',
  letter: 'letter; margin: 0.5in',
} as const

/**
 * Adds an `@page` rule with the paper size while the print view is open. A permanent style sheet could not contain this
 * rule, because `@page` rules cannot depend on the content of the page.
 */
function usePageSize(size: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@page { size: ${size} }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [size])
}

/**
 * Shows the printable record of a day with a switch between paper formats. A setting of the shop defines the format
 * that is selected first.
 */
export function PrintView({ day, onClose }: { day: DayClose; onClose: () => void }) {
  const [format, setFormat] = useState(day.printFormat)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  usePageSize(pageSizes[format])
  return (
    <section className="close-print" aria-labelledby="close-print">
      <header>
        <h2 id="close-print" ref={heading} tabIndex={-1}>
          Print the day close
        </h2>
        <fieldset className="print-format-switch">
          <legend className="visually-hidden">Paper</legend>
          {(['receipt', 'letter'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="print-format"
                checked={format === choice}
                onChange={() => setFormat(choice)}
              />
              {formats[choice]}
            </label>
          ))}
        </fieldset>
        <div className="day-close-buttons">
          <Button compact onClick={onClose}>
            Back to the day
          </Button>
          <Button compact level="primary" onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </header>
      <PrintedClose day={day} format={format} />
    </section>
  )
}
