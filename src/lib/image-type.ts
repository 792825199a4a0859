/** The type that the first 16 bytes of a picture show; `undefined` for what is no PNG, JPEG or WebP. */
export function imageTypeOf(head: Buffer): ImageType | undefined {
  const start = head.toString('latin1', 0, 16)
  if (start === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR') return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return /^RIFF[^]{4}WEBP/.test(start) ? 'image/webp' : undefined
}

/** The neutral facts of images that calls bring along: what their bytes show, whatever is said of them. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'
