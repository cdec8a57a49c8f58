import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, TestInfo } from '@playwright/test'

/**
 * Very rarely, Chromium stops drawing on a busy machine: scripts run, but the browser draws no frame, so every click
 * and every screenshot waits until the test times out. Such a test is repeated once. A test that failed for any other
 * reason is not repeated.
 */
export async function recordIfStoppedDrawing(page: Page, testInfo: TestInfo): Promise<boolean> {
  // The check for drawn frames fails while the page navigates. This error must not replace the failure of the test.
  if (page.isClosed() || (await drawsFrames(page).catch(() => true))) return false
  mkdirSync(testInfo.project.outputDir, { recursive: true })
  writeFileSync(recordOf(testInfo), '')
  return true
}

/** Fails a repeated test immediately, unless the browser stopped drawing in its first run. */
export function refuseOtherRepetitions(testInfo: TestInfo): void {
  if (testInfo.retry === 0 || existsSync(recordOf(testInfo))) return
  throw new Error('Not run again: the browser was drawing when this test failed.')
}

const recordOf = ({ project, testId }: TestInfo) =>
  join(project.outputDir, `stopped-drawing-${testId}`)

/** The browser draws 60 frames a second, so a wait of two seconds is enough even on a busy machine. */
const drawsFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        requestAnimationFrame(() => resolve(true))
        setTimeout(() => resolve(false), 2_000)
      }),
  )
