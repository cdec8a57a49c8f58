import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findBrowser } from '#tests/support/browser.ts'

/**
 * Finds a browser for the tests, or installs one: Debian's package when this process runs as root, otherwise the
 * download of the test runner. Sets CHROMIUM_PATH and resolves to an exit status.
 */
export function provideBrowser() {
  const found = findBrowser() ?? ownBrowser() ?? installFromDebian() ?? download()
  if (!found) {
    console.error(
      'No Chromium was found or could be installed. Install one, or name it in CHROMIUM_PATH.',
    )
    return 1
  }
  process.env['CHROMIUM_PATH'] = found
  console.log(found)
  return 0
}

function ownBrowser() {
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Chromium from Debian (about a minute)…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    spawnSync('apt-get', ['--quiet', ...args], { stdio: 'inherit', env }).status === 0
  const install = (...packages) => apt('install', '--yes', '--no-install-recommends', ...packages)
  // Falls back to Debian's package chromium, because some Debian releases have no package of the headless browser.
  const isInstalled =
    apt('update') && (install('chromium', 'chromium-headless-shell') || install('chromium'))
  return isInstalled ? findBrowser() : undefined
}

function download() {
  console.log('Downloading Chromium (about a minute)…')
  spawnSync('node_modules/.bin/playwright', ['install', 'chromium'], { stdio: 'inherit' })
  return ownBrowser()
}
