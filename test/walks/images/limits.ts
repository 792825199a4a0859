import { crc32 } from 'node:zlib'

import { pngFile } from '../../sandbox/pictures.ts'
import type { Part } from './stage.ts'

export const newer: Part = ['model', 'gpt-image-1']
export const legacy: Part = ['model', 'dall-e-2']

/** An edit that is within all limits, with these fields besides or instead. */
export function edit(model: Part, ...changes: readonly Part[]): Part[] {
  const usual: Part[] = [
    ['image', pngFile(64, { seeThrough: true })],
    ['prompt', 'a hat on the cat'],
    model,
  ]
  const names = new Set(changes.map(([name]) => name))
  return [...usual.filter(([name]) => !names.has(name)), ...changes]
}

/** A picture of a palette, one entry of which is transparent where `tRNS` says so. */
export function palettePng(hasTransparency: boolean): File {
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 3, 0, 0, 0])
  const chunks = [
    chunk('IHDR', header),
    chunk('tEXt', Buffer.alloc(70_000, 'a')),
    chunk('PLTE', Buffer.alloc(6)),
    ...(hasTransparency ? [chunk('tRNS', Buffer.from([0]))] : []),
    chunk('IDAT', Buffer.alloc(16)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return new File([new Uint8Array(Buffer.concat([signature, ...chunks]))], 'palette.png', {
    type: 'image/png',
  })
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
