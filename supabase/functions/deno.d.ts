// The parts of the Deno runtime that the functions use besides web standards. The type check knows nothing else of Deno
// or Node, so that the code that the functions share with the server stays portable.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(handle: (request: Request) => Promise<Response>): void
}

declare module 'node:buffer' {
  export const Buffer: {
    from(bytes: Uint8Array): { toString(encoding: 'base64'): string }
  }
}
