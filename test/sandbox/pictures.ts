import { imageEncoders } from '../../src/sandbox/media/image.ts'

const small = { text: 'a picture', width: 64, height: 64 }

/** A PNG file as a browser would send it; with an alpha channel if it can be seen through. */
export function pngFile(
  side: number | [number, number] = 64,
  { seeThrough = false, type = 'image/png', name = 'picture.png' } = {},
): File {
  const [width, height] = typeof side === 'number' ? [side, side] : side
  const bytes = imageEncoders.png({ ...small, width, height, transparent: seeThrough })
  return new File([new Uint8Array(bytes)], name, { type })
}

export function jpegFile(): File {
  const bytes = imageEncoders.jpeg(small)
  return new File([new Uint8Array(bytes)], 'picture.jpg', { type: 'image/jpeg' })
}

export function webpFile(): File {
  const bytes = imageEncoders.webp(small)
  return new File([new Uint8Array(bytes)], 'picture.webp', { type: 'image/webp' })
}

/** A PNG with so many bytes behind its end, which readers of images do not mind. */
export async function heavyPng(bytes: number, seeThrough = false): Promise<File> {
  const png = await pngFile(64, { seeThrough }).arrayBuffer()
  const padding = new Uint8Array(bytes - png.byteLength)
  return new File([png, padding], 'heavy.png', { type: 'image/png' })
}

export async function dataUrl(file: File): Promise<string> {
  return `data:${file.type};base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`
}
