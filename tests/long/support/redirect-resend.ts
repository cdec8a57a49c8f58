// Runs under Deno before a server function: makes the function send its requests for Resend to the test's stand-in.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> }
  serve: (handle: (request: Request) => Promise<Response>) => unknown
  exit(): never
}

const resend = 'https://api.resend.com'
const fakeResendUrl = Deno.env.get('FAKE_RESEND_URL')
const send = globalThis.fetch

globalThis.fetch = (input, init) =>
  typeof input === 'string' && input.startsWith(`${resend}/`)
    ? send(`${fakeResendUrl}${input.slice(resend.length)}`, init)
    : send(input, init)

// This script cannot await `endWithTest`, because Deno would then never load the function. Therefore `endWithTest`
// begins when the function calls `Deno.serve`.
const { serve } = Deno
Deno.serve = (handle) => {
  void endWithTest()
  return serve(handle)
}

/**
 * The pipe on standard input closes when the test ends. The function then exits, so that no function outlives its test.
 */
async function endWithTest(): Promise<void> {
  await Deno.stdin.readable.pipeTo(new WritableStream())
  Deno.exit()
}
