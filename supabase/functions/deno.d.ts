// What the functions use of the runtime of a hosted project besides the standards of the web. Nothing else
// of Deno or Node is known to the check of their types, so that what they share with the server stays portable.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(handle: (request: Request) => Promise<Response>): void
}

declare module 'node:buffer' {
  export const Buffer: {
    from(bytes: Uint8Array): { toString(encoding: 'base64'): string }
  }
}
