/** A file of the base backup. Its `path` is relative and contains slashes on every platform. */
export type StreamedFile = {
  readonly path: string
  readonly bytes: number
  /** Yields the content of the file, exactly `bytes` bytes. */
  read(): AsyncIterable<Buffer>
}

/** Yields the files one after another: 4 bytes with the length of a header, the header as JSON, the content. */
export async function* packFiles(files: AsyncIterable<StreamedFile>): AsyncGenerator<Buffer> {
  for await (const file of files) {
    const header = Buffer.from(JSON.stringify({ path: file.path, bytes: file.bytes }))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(header.length)
    yield Buffer.concat([length, header])
    yield* file.read()
  }
}

/**
 * Calls `write` for each file of a stream that `packFiles` created. `write` must read the whole content of the file.
 */
export async function unpackFiles(
  stream: AsyncIterable<Buffer>,
  write: (file: StreamedFile) => Promise<void>,
): Promise<void> {
  const reader = new StreamReader(stream)
  while (await reader.hasMore()) {
    const length = (await reader.read(4)).readUInt32BE()
    const header = JSON.parse((await reader.read(length)).toString()) as StreamedFile
    const { path, bytes } = header
    await write({ path, bytes, read: () => reader.take(bytes) })
  }
}

class StreamReader {
  private readonly source: AsyncIterator<Buffer>
  private waiting: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.source = stream[Symbol.asyncIterator]()
  }

  async hasMore(): Promise<boolean> {
    while (this.waiting.length === 0) {
      const next = await this.source.next()
      if (next.done) return false
      this.waiting = next.value
    }
    return true
  }

  async read(count: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.take(count)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    let left = count
    while (left > 0) {
      if (!(await this.hasMore())) throw new Error('The backup data ends in the middle of a file.')
      const piece = this.waiting.subarray(0, left)
      this.waiting = this.waiting.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}

/** Yields the bytes of a stream in parts of `size` bytes; the last part may be shorter. */
export async function* splitStream(
  stream: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (let piece of stream) {
    while (length + piece.length >= size) {
      const missing = size - length
      yield Buffer.concat([...waiting, piece.subarray(0, missing)])
      piece = piece.subarray(missing)
      waiting = []
      length = 0
    }
    waiting.push(Buffer.from(piece))
    length += piece.length
  }
  if (length > 0) yield Buffer.concat(waiting)
}
