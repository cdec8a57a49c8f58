// Declares the parts of the Deno runtime that the server functions use besides web standards. The type check of the
// functions includes no other types of Deno or Node, so that the code that the functions share with the server runs in
// Deno and in Node.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(handle: (request: Request) => Promise<Response>): void
}

declare module 'node:buffer' {
  export const Buffer: {
    from(bytes: Uint8Array): { toString(encoding: 'base64'): string }
  }
}
