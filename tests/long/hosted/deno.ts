import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '#tests/support/app/server-process.ts'

/** The version of Deno that the tests use; hosted Supabase projects also run Deno 2. */
export const denoVersion = '2.9.6'

const root = join(import.meta.dirname, '../../..')
const home = join(root, '.cache', `deno-${denoVersion}`)

/** The environment variables by which npm reaches a package registry; npm needs no others. */
const registryAccess =
  /^(path|home|userprofile|appdata|systemroot|temp|tmpdir|npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

/** Returns the path of Deno's executable. The first call downloads Deno with npm into the project's cache. */
function obtainDeno(): string {
  if (!existsSync(home)) install()
  // npm has installed only the executable for this machine's system and processor.
  const platforms = join(home, 'node_modules', '@deno')
  const [platform = ''] = readdirSync(platforms)
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno'
  const executable = join(platforms, platform, file)
  const version = execFileSync(executable, ['--version'], { encoding: 'utf8', env: {} })
  if (!version.startsWith(`deno ${denoVersion} `)) throw new Error(`This is no Deno ${denoVersion}`)
  return executable
}

/**
 * Renames the finished directory in one step. If two test files install Deno at the same time, the slower file discards
 * its directory.
 */
function install(): void {
  mkdirSync(dirname(home), { recursive: true })
  const folder = mkdtempSync(`${home}-`)
  try {
    runNpm(['install', '--no-save', '--ignore-scripts', '--prefix', folder, `deno@${denoVersion}`])
    renameSync(folder, home)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

function runNpm(options: readonly string[]): void {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => registryAccess.test(name)),
  )
  const cli = process.env['npm_execpath']
  const [program, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []]
  execFileSync(program, [...first, ...options, '--no-audit', '--no-fund', '--no-update-notifier'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
  })
}

/** A server function (Supabase Edge Function) that runs as its own process. */
export type DenoFunction = {
  readonly url: string
  /** Returns the text that the process of the server function has printed so far. */
  output(): string
  end(): Promise<void>
}

type Surroundings = {
  /** The secrets and URLs that the hosted runtime would set; the function can read no other variables. */
  readonly settings: Readonly<Record<string, string>>
  /** 'host:port' of every server that the function may connect to. */
  readonly reaches: readonly string[]
  /** A script that runs before the function. */
  readonly preload: string
}

/**
 * Checks the types of `supabase/functions/<name>/index.ts`, serves the function on a free loopback port and waits until
 * it responds. The function may read no file, and uses the package versions of this project's lockfile.
 */
export async function serveUnderDeno(
  name: string,
  surroundings: Surroundings,
): Promise<DenoFunction> {
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(obtainDeno(), denoArguments(name, address, surroundings), {
    env: {
      DENO_DIR: join(home, 'cache'),
      DENO_NO_UPDATE_CHECK: '1',
      DENO_SERVE_ADDRESS: `tcp:${address}`,
      NO_COLOR: '1',
      ...surroundings.settings,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill()
    await ended
  }
  const url = `http://${address}`
  if (await becomesReachable(url, child)) return { url, output: () => output, end }
  await end()
  throw new Error(`${name} did not start:\n${output}`)
}

function denoArguments(name: string, address: string, surroundings: Surroundings): string[] {
  const { settings, reaches, preload } = surroundings
  const folder = join(root, 'supabase', 'functions', name)
  return [
    'run',
    '--quiet',
    '--check',
    '--node-modules-dir=manual',
    '--cached-only',
    '--no-lock',
    '--no-prompt',
    `--allow-net=${[address, ...reaches].join()}`,
    `--allow-env=${Object.keys(settings).join()}`,
    `--config=${join(folder, 'deno.json')}`,
    `--preload=${join(root, preload)}`,
    join(folder, 'index.ts'),
  ]
}

async function becomesReachable(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline && child.exitCode === null) {
    const requested = { method: 'OPTIONS', signal: AbortSignal.timeout(5_000) }
    const response = await fetch(url, requested).catch(() => undefined)
    if (response) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/** Returns the packages that a function's deno.json imports, with their versions: { zod: '4.6.7' }. */
export function packagesOf(name: string): Record<string, string> {
  const file = join(root, 'supabase', 'functions', name, 'deno.json')
  const { imports } = JSON.parse(readFileSync(file, 'utf8')) as { imports: Record<string, string> }
  const requested = Object.values(imports).map((target) => /^npm:(.+)@([^@/]+)/.exec(target))
  return Object.fromEntries(requested.flatMap((found) => (found ? [[found[1], found[2]]] : [])))
}
