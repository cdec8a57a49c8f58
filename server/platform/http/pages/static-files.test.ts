import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileMemory, listStaticFiles, sendStaticFile } from './static-files.ts'

const largest = 256 * 1024
const contents: Readonly<Record<string, Buffer>> = {
  'largest.js': Buffer.alloc(largest, 'a'),
  'larger.js': Buffer.alloc(largest + 1, 'b'),
  'other.js': Buffer.alloc(largest, 'c'),
  'huge.js': Buffer.alloc(2 ** 25, 'd'),
}

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'static-files-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Creates a site that serves the test files of the folder with a file cache of limited size. */
function openSite(memory = createFileMemory()) {
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(join(directory, name), content)
  }
  const site = Fastify()
  const files = listStaticFiles({ directory, memory, headersOf: () => ({}) })
  for (const [name, file] of files) {
    site.get(`/${name}`, (request, reply) => sendStaticFile(request, reply, file))
  }
  return site
}

/**
 * Returns the names of files that are still sent with their old content after they changed on disk, because they are
 * cached.
 */
async function findRemembered(site: ReturnType<typeof openSite>, names: readonly string[]) {
  const remembered: string[] = []
  for (const name of names) {
    expect((await site.inject(`/${name}`)).rawPayload).toEqual(contents[name])
    writeFileSync(join(directory, name), Buffer.alloc(contents[name]?.length ?? 0, 'z'))
    const again = (await site.inject(`/${name}`)).rawPayload
    if (contents[name]?.equals(again)) remembered.push(name)
  }
  return remembered
}

describe('a static file', () => {
  it('is cached in memory up to 256 kB', async () => {
    expect(await findRemembered(openSite(), ['largest.js', 'larger.js'])).toEqual(['largest.js'])
  })

  it('is read from disk for each request when the memory cache is full', async () => {
    const memory = { bytesLeft: largest }
    const names = ['largest.js', 'other.js']
    expect(await findRemembered(openSite(memory), names)).toEqual(['largest.js'])
    expect(createFileMemory().bytesLeft).toBe(32 * 2 ** 20)
  })

  it('has a Content-Length, even when it is sent in pieces', async () => {
    const response = await openSite().inject('/larger.js')
    expect(response.headers['content-length']).toBe(String(largest + 1))
  })

  it.skipIf(process.platform !== 'linux')(
    'is closed when the client does not read it',
    async () => {
      const site = openSite()
      await site.listen({ port: 0, host: '127.0.0.1' })
      const { port } = site.server.address() as AddressInfo
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /huge.js HTTP/1.1\r\nHost: shop.example\r\n\r\n')
      await once(socket, 'readable')
      await expect.poll(() => isOpen('huge.js')).toBe(false)
      socket.destroy()
      await site.close()
    },
  )
})

function isOpen(name: string): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === join(directory, name)
    } catch {
      // The process closed the file descriptor after the folder /proc/self/fd was listed, so the file is not open.
      return false
    }
  })
}
