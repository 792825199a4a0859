/** The type of an image, from its first 16 bytes; `undefined` for other formats than these. */
export function imageTypeOf(head: Buffer): ImageType | undefined {
  const start = head.toString('latin1', 0, 16)
  if (start === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR') return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return /^RIFF[^]{4}WEBP/.test(start) ? 'image/webp' : undefined
}

/** The media types of images that the gateway recognises by their content. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'
