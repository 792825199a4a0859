import type { ServerResponse } from 'node:http'

/** How each kind of file begins, and a little more. */
export const files = {
  'image/png': Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'),
  'image/jpeg': Buffer.from('\xff\xd8\xff\xe0....', 'latin1'),
  'image/gif': Buffer.from('GIF89a....'),
  'image/webp': Buffer.from('RIFF\x08\x00\x00\x00WEBPVP8 ', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n....'),
  'text/plain': Buffer.from('Grüße aus Köln'),
} as const

export const png = files['image/png']

/** A picture of exactly so many bytes. */
export function pngOf(size: number): Buffer {
  return Buffer.concat([png, Buffer.alloc(size - png.length)])
}

/** Serves bytes as what one says that they are. */
export function serving(
  bytes: Buffer = png,
  headers: Record<string, string> = { 'content-type': 'image/png' },
): (response: ServerResponse) => void {
  return (response) => void response.writeHead(200, headers).end(bytes)
}
