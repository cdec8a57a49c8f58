import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function installIfStale(root) {
  if (isInstalled(root)) return
  console.log('Installing what package-lock.json lists (about half a minute)…')
  const started = Date.now()
  const status = await npm(root, [
    'ci',
    // Sets NODE_ENV. With the value production, npm would omit the development dependencies, which builds and tests
    // need.
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    // Hides npm's warnings about an old version of the host's Node, which runs only npm.
    '--loglevel=error',
  ])
  if (status !== 0) {
    console.error('\nThe installation failed; see the messages of npm above. Nothing was started.')
    process.exit(status)
  }
  console.log(`Installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

/**
 * Compares npm's record of the installed packages with the lockfile. Every package for this platform must have the same
 * version in both.
 */
function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  try {
    const installed = readPackages(record)
    return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
      ([path, wanted]) => path === '' || isThere(installed[path], wanted),
    )
  } catch {
    return false
  }
}

function isThere(found, wanted) {
  if (found) return found.version === wanted.version && found.integrity === wanted.integrity
  return wanted.optional === true && !isForThisMachine(wanted)
}

function isForThisMachine({ os, cpu, libc }) {
  // Skips a package that is optional for another reason than its platform, because only npm can evaluate that reason.
  if (!os && !cpu) return false
  if (libc && !libc.includes(isMusl() ? 'musl' : 'glibc')) return false
  return matches(os, process.platform) && matches(cpu, process.arch)
}

const matches = (allowed, value) => !allowed || allowed.includes(value)

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function npm(root, args) {
  // Uses the npm that runs this script, otherwise the npm in the PATH.
  const cli = process.env['npm_execpath']
  const [program, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  return new Promise((done) => {
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32' && program === 'npm',
    })
    child.once('error', (error) => {
      console.error(`npm cannot be started: ${error.message}`)
      done(1)
    })
    child.once('exit', (code) => done(code ?? 1))
  })
}
